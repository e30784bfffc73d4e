package proofs_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// sortStep is a step of a bitonic sort: a thread whose index is below that of its partner, which is at a distance, puts
// both words into order.
const sortStep = `.version 8.3
.target sm_90
.address_size 64
.visible .entry step(.param .u64 data, .param .u64 numbers, .param .u32 span, .param .u32 distance)
{
	.reg .b32 %r<12>; .reg .b64 %rd<9>; .reg .pred %p<4>;
	ld.param.u32 %r6, [distance];
	ld.param.u64 %rd6, [numbers];
	mov.u32 %r7, %ctaid.x;
	mov.u32 %r8, %ntid.x;
	mov.u32 %r9, %tid.x;
	mad.lo.s32 %r1, %r7, %r8, %r9;
	xor.b32 %r2, %r1, %r6;
	setp.lt.u32 %p1, %r2, %r1;
	@%p1 bra OUT;
	ld.param.u32 %r5, [span];
	ld.param.u64 %rd1, [data];
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd2, %rd1, %rd2;
	ld.global.u32 %r3, [%rd2];
	mul.wide.u32 %rd3, %r2, 4;
	add.s64 %rd3, %rd1, %rd3;
	ld.global.u32 %r4, [%rd3];
	setp.gt.u32 %p2, %r3, %r4;
	and.b32 %r10, %r1, %r5;
	setp.ne.s32 %p3, %r10, 0;
	xor.pred %p2, %p3, %p2;
	@!%p2 bra OUT;
	st.global.u32 [%rd2], %r4;
	st.global.u32 [%rd3], %r3;
OUT:
	ret;
}
`

// sortFile sorts 256 words: more launches than are kept one by one.
func sortFile(t *testing.T) *launch.File {
	t.Helper()
	text := strings.Builder{}
	text.WriteString("buffers:\n  data: {type: u32, count: 256, init: iota}\n  numbers: {type: u32, count: 256, init: iota}\nlaunches:\n")
	for span := 2; span <= 256; span *= 2 {
		for distance := span / 2; distance > 0; distance /= 2 {
			fmt.Fprintf(&text, "- {kernel: step, grid: 16, block: 16, args: [data, numbers, %d, %d]}\n", span, distance)
		}
	}
	file, err := launch.Parse("k.yaml", []byte(text.String()), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// TestExchange tests that no access of a sort is observed, and that all races are found in programs that violate one
// assumption of the proof.
func TestExchange(t *testing.T) {
	for _, c := range []struct {
		name, old, by string
		racy          bool
	}{
		{"a sort", "", "", false},
		{"no guard", "@%p1 bra OUT;", "", true},
		{"the guard of one access", "@%p1 bra OUT;\n\tld.param.u32 %r5", "setp.ge.u32 %p3, %r2, %r1;\n\tld.param.u32 %r5", true},
		{"a guard that lets both pass", "setp.lt.u32 %p1, %r2, %r1", "setp.eq.u32 %p1, %r2, %r1", true},
		{"a guard behind the first loads", "@%p1 bra OUT;\n", "", true},
		{"a distance from memory", "xor.b32 %r2, %r1, %r6;", "mul.wide.u32 %rd7, %r1, 4;\nadd.s64 %rd7, %rd6, %rd7;\nld.global.u32 %r6, [%rd7];\nmul.lo.u32 %r6, %r6, 5;\nand.b32 %r6, %r6, 255;\nxor.b32 %r2, %r1, %r6;", true},
		{"an index in the block", "mad.lo.s32 %r1, %r7, %r8, %r9", "mov.u32 %r1, %r9", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(sortStep, c.old, c.by, 1)
			switch c.name {
			case "the guard of one access":
				text = strings.Replace(text, "st.global.u32 [%rd3]", "@%p3 st.global.u32 [%rd3]", 1)
			case "a guard behind the first loads":
				text = strings.Replace(text, "setp.gt.u32 %p2", "@%p1 bra OUT;\n\tsetp.gt.u32 %p2", 1)
			}
			p, file := racesuite.Program(t, "k.ptx", []byte(text)), sortFile(t)
			want := racesuite.Facts(racesuite.NewRun(t, p, file, "precise<elide=false>").Play(t).Report())
			var data []byte
			for _, detector := range []string{"precise", "iguard"} {
				for _, workers := range []int{1, 2} {
					k := racesuite.NewRun(t, p, file, detector)
					k.Options.Emulator.Workers = workers
					some := k.Play(t)
					got := racesuite.Facts(some.Report())
					if detector == "precise" && !reflect.DeepEqual(got, want) {
						t.Errorf("%d workers: without some accesses\n%+v\nwith all\n%+v", workers, got, want)
					}
					if c.racy != (len(got) > 0) || c.racy != (some.Exempt() < 4) { // what is only read is left out
						t.Errorf("%s: %d races, %d accesses are left out", detector, len(got), some.Exempt())
					}
					if b := racesuite.Bytes(t, some, &file.Buffers[0]); data == nil {
						data = b
					} else if !c.racy && !bytes.Equal(data, b) {
						t.Errorf("%s, %d workers: another result", detector, workers)
					}
				}
			}
		})
	}
}

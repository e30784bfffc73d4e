package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// longPrograms are the rows of docs/performance.md, "Length of the program": kernels that repeat some instructions, and
// the detectors under which their time once grew with the square of the number of repetitions. {i} is the number of the
// repetition; {word}, {global}, {next} and {shared} are offsets that depend on it.
var longPrograms = []struct {
	name, detector string
	n              int
	blocks         uint32
	text           string
}{
	{"own-words", "precise", 4000, 4, "ld.global.u32 %r4, [%rd1+{global}]; add.u32 %r4, %r4, 1; st.global.u32 [%rd1+{global}], %r4;"},
	{"own-words", "precise", 16000, 4, "ld.global.u32 %r4, [%rd1+{global}]; add.u32 %r4, %r4, 1; st.global.u32 [%rd1+{global}], %r4;"},
	{"loops", "precise", 4000, 4, "mov.u32 %r6, 0; L{i}: ld.global.u32 %r4, [%rd1+{global}]; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 3; @%p1 bra L{i}; st.global.u32 [%rd1+{global}], %r4;"},
	{"barriers", "iguard", 16000, 4, "st.global.u32 [%rd1+{global}], %r4; bar.sync 0;"},
	{"shared-barriers", "ldetector", 4000, 4, "st.shared.u32 [%r5+{shared}], %r4; bar.sync 0;"},
	{"racing-locks", "scord", 4000, 4, "atom.global.cas.b32 %r4, [%rd1+{global}], 0, 1; membar.gl; st.global.u32 [%rd1+{next}], %r4; membar.gl; atom.global.exch.b32 %r4, [%rd1+{global}], 0;"},
	{"racing-words", "precise", 64000, 1, "st.global.u32 [%rd0+{word}], %r4;"},
	{"racing-stores", "precise", 256, 1, "st.shared.u32 [%r5+{word}], %r4;"},
}

// longProgram returns the PTX of a kernel that repeats text n times.
func longProgram(text string, n int) []byte {
	var b strings.Builder
	b.WriteString(`.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .pred %p<2>;
	.reg .b32 %r<7>;
	.reg .b64 %rd<3>;
	.shared .align 4 .b8 sm[32768];
	ld.param.u64 %rd1, [p];
	mov.u64 %rd0, %rd1;
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.u32 %r1, %r1, %r2, %r3;
	mov.u32 %r4, %r3;
	mov.u32 %r5, sm;
	mad.lo.u32 %r5, %r3, 4, %r5;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd1, %rd1, %rd2;
`)
	for i := range n {
		at := strings.NewReplacer("{i}", fmt.Sprint(i), "{word}", fmt.Sprint(4*i), "{global}", fmt.Sprint(4096*(i%256)), "{next}", fmt.Sprint(4096*(i%256)+1024), "{shared}", fmt.Sprint(4096*(i%8)))
		b.WriteString(at.Replace(text) + "\n")
	}
	b.WriteString("\tret;\n}\n")
	return []byte(b.String())
}

// BenchmarkLongPrograms measures a check of long kernels, in blocks of 256 threads, from parsing to the report.
func BenchmarkLongPrograms(b *testing.B) {
	for _, c := range longPrograms {
		b.Run(fmt.Sprintf("%s-%d/%s", c.name, c.n, c.detector), func(b *testing.B) {
			text := longProgram(c.text, c.n)
			for b.Loop() {
				if _, err := checkLong(c.detector, c.blocks, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestLongPrograms: the kernels of the benchmark, with few repetitions, run without a fault, and those race that are
// meant to.
func TestLongPrograms(t *testing.T) {
	for _, c := range longPrograms {
		races, err := checkLong(c.detector, c.blocks, longProgram(c.text, 8))
		if err != nil {
			t.Fatal(c.name, err)
		}
		if wants := strings.HasPrefix(c.name, "racing"); races > 0 != wants {
			t.Errorf("%s under %s: %d races", c.name, c.detector, races)
		}
	}
}

// checkLong returns the number of races that a detector finds in a kernel.
func checkLong(detector string, blocks uint32, text []byte) (races int, err error) {
	var o session.Options
	if o.Detectors, err = session.ParseDetectors(detector); err != nil {
		return 0, err
	}
	s, err := session.Open(o)
	if err != nil {
		return 0, err
	}
	defer s.Close()
	program, err := session.Parse("long.ptx", text)
	if err == nil {
		err = s.Load(program)
	}
	if err != nil {
		return 0, err
	}
	data, err := session.Buffer(s, "p", make([]uint32, 300000))
	if err != nil {
		return 0, err
	}
	res, err := s.Launch(context.Background(), session.Launch{Kernel: "k", Grid: emu.Dim3{X: blocks}, Block: emu.Dim3{X: 256}, Args: []any{data}})
	if err != nil {
		return 0, err
	}
	if len(res.Faults) > 0 {
		return 0, fmt.Errorf("%v", res.Faults)
	}
	return len(s.Report().Races), nil
}

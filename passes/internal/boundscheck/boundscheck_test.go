package boundscheck_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/internal/profile"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/internal/boundscheck"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

func TestGolden(t *testing.T) { passtest.Golden(t, boundscheck.Pass) }

func TestSameResults(t *testing.T) {
	in := passtest.Input(t, "testdata/basic.txtar")
	out := passtest.Run(t, in, "boundscheck", boundscheck.Pass)
	k := passtest.Kernel{Name: "kernel", Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: 64, Y: 1, Z: 1}, Buffers: [][]byte{make([]byte, 256), make([]byte, 256)}}
	k.SameResults(t, in, out.Module)
}

// cases are kernel bodies; %rd0 is a buffer of 16 words that holds 100, 101, ...,
// %rd1 the address of the thread's word, %t the thread of 20, %rd3 the address of
// a result word per thread.
var cases = []struct {
	name, body string
	want       []string // instruction, count, first thread, offset in the buffer
	result     func(thread int) uint32
}{
	{
		name: "load past the end", body: `
		ld.global.u32 %r0, [%rd1];`,
		want:   []string{"ld.global.u32 4 16 64"},
		result: func(i int) uint32 { return word(i) },
	},
	{
		name: "store past the end, then a pruned one", body: `
		mad.wide.u32 %rd2, %t, 8, %rd0;
		st.global.v2.u32 [%rd2], {%t, %t};
		st.global.u32 [%rd2+4], 7;
		ld.global.u32 %r0, [%rd2+4];`,
		want: []string{"st.global.v2.u32 12 8 64", "ld.global.u32 12 8 68"},
		result: func(i int) uint32 {
			if i < 8 {
				return 7
			}
			return 0
		},
	},
	{
		name: "before the start", body: `
		ld.global.u32 %r0, [%rd0+-4];`,
		want:   []string{"ld.global.u32 20 0 -4"},
		result: func(int) uint32 { return 0 },
	},
	{
		name: "null", body: `
		mov.u64 %rd2, 0;
		ld.u32 %r0, [%rd2];`,
		want:   []string{"ld.u32 20 0 null"},
		result: func(int) uint32 { return 0 },
	},
	{
		name: "a guard that protects", body: `
		setp.lt.u32 %p0, %t, 16;
		mov.u32 %r0, 5;
		@%p0 ld.global.u32 %r0, [%rd1];
		@!%p0 add.u32 %r0, %r0, %t;`,
		result: func(i int) uint32 {
			if i < 16 {
				return word(i)
			}
			return uint32(5 + i)
		},
	},
	{
		name: "a guard that does not", body: `
		setp.ge.u32 %p0, %t, 15;
		mov.u32 %r0, 5;
		@%p0 ld.global.u32 %r0, [%rd1+4];`,
		want: []string{"ld.global.u32 5 15 64"},
		result: func(i int) uint32 {
			if i < 15 {
				return 5
			}
			return 0
		},
	},
	{
		name: "shared and local memory by generic addresses", body: `
		cvta.shared.u64 %rd2, tile;
		st.u32 [%rd2], 3;
		cvta.local.u64 %rd2, mine;
		st.u32 [%rd2], %t;
		ld.u32 %r0, [%rd2];`,
		result: func(i int) uint32 { return uint32(i) },
	},
	{
		name: "a variable, by constant and by computed offset", body: `
		ld.global.u32 %r0, [table+4];
		mov.u64 %rd2, table;
		mad.wide.u32 %rd2, %t, 4, %rd2;
		ld.global.u32 %r0, [%rd2];`,
		want: []string{"ld.global.u32 18 2 table+8"},
		result: func(i int) uint32 {
			if i < 2 {
				return uint32(41 + i)
			}
			return 0
		},
	},
	{
		name: "an atomic", body: `
		atom.global.add.u32 %r0, [%rd1+64], 1;`,
		want: []string{"atom.global.add.u32 20 0 64"},
	},
}

func word(i int) uint32 {
	if i < 16 {
		return uint32(100 + i)
	}
	return 0
}

const frame = `.version 7.0
.target sm_70
.address_size 64
.global .u32 table[2] = {41, 42};
.shared .u32 tile;
.visible .entry k(.param .u64 buffer, .param .u64 results)
{
	.reg .pred %%p<2>;
	.reg .b32 %%t, %%r<4>;
	.reg .b64 %%rd<4>;
	.local .u32 mine;
	ld.param.u64 %%rd0, [buffer];
	ld.param.u64 %%rd3, [results];
	mov.u32 %%t, %%tid.x;
	mad.wide.u32 %%rd1, %%t, 4, %%rd0;
	mad.wide.u32 %%rd3, %%t, 4, %%rd3;
	mov.u32 %%r0, 0;
%s
	st.global.u32 [%%rd3], %%r0;
	ret;
}
`

func TestFaults(t *testing.T) {
	for _, tc := range cases {
		for _, prune := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, prune=%v", tc.name, prune), func(t *testing.T) {
				m := passtest.Load(t, "k.ptx", fmt.Appendf(nil, frame, tc.body))
				out := passtest.RunVerified(t, m, fmt.Sprintf("boundscheck<prune=%v>", prune), boundscheck.Pass)
				k := passtest.Kernel{Name: "k", Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: 20, Y: 1, Z: 1}, Buffers: [][]byte{make([]byte, 64), make([]byte, 80)}}
				for i := range 16 {
					binary.LittleEndian.PutUint32(k.Buffers[0][4*i:], word(i))
				}
				dev := k.NewDevice(t, out.Module)
				table, _, _ := dev.Symbol("table")
				host := profile.NewBoundsCheck([]profile.Allocation{
					{Name: "table", Base: table, Size: 8},
					{Name: "results", Base: dev.Addresses[1], Size: 80},
					{Name: "buffer", Base: dev.Addresses[0], Size: 64},
				}, out.Sites)
				if err := host.Prepare(dev); err != nil {
					t.Fatal(err)
				}
				dev.Launch(t)
				faults, err := host.Collect(dev, [3]uint32{1, 1, 1}, [3]uint32{20, 1, 1})
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, f := range faults {
					at := fmt.Sprint(int64(f.Address - dev.Addresses[0]))
					switch {
					case f.Address == 0:
						at = "null"
					case f.Address>>32 == table>>32:
						at = fmt.Sprintf("table+%d", f.Address-table)
					}
					got = append(got, fmt.Sprintf("%s %d %d %s", out.Sites[f.Site-1].Instruction, f.Count, f.Thread[0], at))
				}
				want := tc.want
				if !prune && strings.Contains(tc.name, "pruned") {
					want = []string{want[0], "st.global.u32 12 8 68", want[1]}
				}
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("faults %v, want %v", got, want)
				}
				for i, v := range passtest.Words(dev.Buffer(t, 1)) {
					if tc.result != nil && v != tc.result(i) {
						t.Errorf("thread %d has %d, want %d", i, v, tc.result(i))
					}
				}
			})
		}
	}
}

func TestTwice(t *testing.T) {
	p, err := passes.ParsePipeline("boundscheck", []*passes.Pass{boundscheck.Pass})
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Run(passtest.Input(t, "testdata/basic.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(out.Module); err == nil || !strings.Contains(err.Error(), "already has "+abi.BoundsState) {
		t.Errorf("error %v", err)
	}
	if _, err := p.Append(p).Run(out.Module); err == nil || err.Error() != "pass boundscheck must be the last of a pipeline: it replaces instructions that boundscheck would instrument" {
		t.Errorf("error %v", err)
	}
}

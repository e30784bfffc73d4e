package instrument_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// claim watches a run and checks what Redundant claims: before a thread executes
// the second access of a pair it has executed the first, at bytes that contain
// those of the second, after whatever else it executed of the pair's accesses.
type claim struct {
	emu.NopListener
	module  *rewrite.Module
	t       *testing.T
	covers  map[int]*rewrite.Inst // by line of the second access
	last    map[string]uint64     // by thread and line: the address of the last execution
	checked int
}

func (c *claim) Accesses(b *abi.Batch) {
	for a := range b.All() {
		c.access(b.Warp, a, sites.At(c.module, a.Site))
	}
}

func (c *claim) access(warp uint32, a *abi.Access, in *rewrite.Inst) {
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		thread := fmt.Sprint(warp, " ", lane, " ")
		addr := a.At(lane)
		c.last[thread+fmt.Sprint(in.Line)] = addr
		first := c.covers[in.Line]
		if first == nil {
			continue
		}
		c.checked++
		at, done := c.last[thread+fmt.Sprint(first.Line)]
		if !done || addr < at || addr+uint64(in.Access.Size) > at+uint64(first.Access.Size) {
			c.t.Errorf("thread %s: line %d accesses %#x, line %d accessed %#x", thread, in.Line, addr, first.Line, at)
		}
	}
}

// TestRedundantClaim runs random programs: accesses with a few bases, offsets and
// guards, changes of the bases and guards, and branches.
func TestRedundantClaim(t *testing.T) {
	programs := 200
	if testing.Short() {
		programs = 40
	}
	checked := 0
	for seed := range programs {
		src := randomProgram(rand.New(rand.NewPCG(uint64(seed), 5)))
		m := passtest.Load(t, "k.ptx", []byte(src))
		c := &claim{t: t, module: m, covers: map[int]*rewrite.Inst{}, last: map[string]uint64{}}
		for second, first := range instrument.Redundant(m.Func("k"), instrument.Policy{
			Candidate: func(in *rewrite.Inst) bool { return instrument.Accesses(in, isa.SpaceGlobal) },
			Covers:    func(_, _ *rewrite.Inst) bool { return true },
		}) {
			c.covers[second.Line] = first
		}
		k := passtest.Kernel{Name: "k", Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: 4, Y: 1, Z: 1}, Buffers: [][]byte{make([]byte, 1<<12)}, Listener: c}
		k.NewDevice(t, m).Launch(t)
		checked += c.checked
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, src)
		}
	}
	if checked < programs {
		t.Errorf("only %d executions checked", checked)
	}
}

func randomProgram(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .pred %p<2>;
	.reg .b32 %r<4>, %t;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd0, [p];
	mov.u32 %t, %tid.x;
	mov.b64 %rd1, %rd0;
	setp.eq.u32 %p0, %t, 1;
	setp.ne.u32 %p1, %t, 2;
`)
	labels := 0
	for range 30 {
		base := fmt.Sprintf("%%rd%d", r.IntN(2))
		off := 8 * r.IntN(2)
		guard := []string{"", "", "@%p0 ", "@!%p0 ", "@%p1 "}[r.IntN(5)]
		switch r.IntN(9) {
		case 0:
			fmt.Fprintf(&b, "\t%sadd.s64 %s, %s, 16;\n", guard, base, base)
		case 1:
			fmt.Fprintf(&b, "\tsetp.gt.u32 %%p%d, %%t, %d;\n", r.IntN(2), r.IntN(4))
		case 2:
			fmt.Fprintf(&b, "\t%sbra $L%d;\n", guard, labels)
			if guard != "" {
				fmt.Fprintf(&b, "\tst.global.u32 [%s+%d], 1;\n", base, off)
			}
			fmt.Fprintf(&b, "$L%d:\n", labels)
			labels++
		case 3:
			fmt.Fprintf(&b, "\t%sst.global.v2.u32 [%s+%d], {%%t, %%t};\n", guard, base, off)
		case 4:
			fmt.Fprintf(&b, "\t%sld.global.u32 %%r0, [%s+%d];\n", guard, base, off+4)
		case 5:
			fmt.Fprintf(&b, "\t%sld.global.v4.u32 {%%r0, %%r1, %%r2, %%r3}, [%s];\n", guard, base)
		default:
			fmt.Fprintf(&b, "\t%sst.global.u32 [%s+%d], %%t;\n", guard, base, off)
		}
	}
	b.WriteString("\tret;\n}\n")
	return b.String()
}

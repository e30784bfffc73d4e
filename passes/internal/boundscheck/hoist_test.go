package boundscheck_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/internal/profile"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/internal/boundscheck"
)

// TestHoistKeepsFaults: on random programs with loops the same accesses are found out
// of bounds, at the same addresses and with the same results, and no more often.
func TestHoistKeepsFaults(t *testing.T) {
	programs := 60
	if testing.Short() {
		programs = 30
	}
	hoisted, faults, fewer := 0, 0, 0
	for seed := range programs {
		src := loopProgram(rand.New(rand.NewPCG(uint64(seed), 9)))
		m := passtest.Load(t, "k.ptx", []byte(src))
		for _, prune := range []bool{false, true} {
			every := passtest.RunVerified(t, m, fmt.Sprintf("boundscheck<prune=%v>", prune), boundscheck.Pass)
			once := passtest.RunVerified(t, m, fmt.Sprintf("boundscheck<prune=%v,hoist>", prune), boundscheck.Pass)
			hoisted += count(once, "hoisted")
			want, memory := runLoops(t, every)
			got, same := runLoops(t, once)
			if len(got) != len(want) || !bytes.Equal(memory, same) {
				t.Fatalf("seed %d: faults %v, without hoist %v; same memory: %v\n%s", seed, got, want, bytes.Equal(memory, same), src)
			}
			for i := range want {
				faults++
				if got[i].Count < want[i].Count {
					fewer++
				}
				more := got[i].Count > want[i].Count || got[i].Count == 0
				if got[i].Site != want[i].Site || got[i].Address != want[i].Address || got[i].Thread != want[i].Thread || more {
					t.Fatalf("seed %d: fault %+v, without hoist %+v\n%s", seed, got[i], want[i], src)
				}
			}
		}
	}
	if hoisted < programs || faults < programs || fewer < programs/4 {
		t.Errorf("%d checks hoisted, %d faults, %d of them counted less often: the programs show little", hoisted, faults, fewer)
	}
}

// TestHoistLanes: each lane goes round as often as its number says, and the lanes from
// 16 on are out of bounds; the odd ones make the access in their last round only.
func TestHoistLanes(t *testing.T) {
	m := passtest.Load(t, "k.ptx", fmt.Appendf(nil, frame, `
		mov.u32 %r1, %t;
		and.b32 %r2, %t, 1;
		setp.eq.u32 %p1, %r2, 0;
	$L:
		setp.eq.or.u32 %p0, %r1, 0, %p1;
		@%p0 ld.global.u32 %r0, [%rd1];
		sub.u32 %r1, %r1, 1;
		setp.ge.s32 %p0, %r1, 0;
		@%p0 bra $L;`))
	for options, want := range map[string]uint32{"": 17 + 1 + 19 + 1, "<hoist>": 4} {
		out := passtest.RunVerified(t, m, "boundscheck"+options, boundscheck.Pass)
		for _, policy := range []emu.Policy{emu.ITS, emu.Lockstep, emu.Random} {
			k := passtest.Kernel{
				Name: "k", Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: 20, Y: 1, Z: 1}, Policy: policy,
				Buffers: [][]byte{bytes.Repeat([]byte{7, 0, 0, 0}, 16), make([]byte, 80)},
			}
			dev := k.NewDevice(t, out.Module)
			host := profile.NewBoundsCheck([]profile.Allocation{
				{Name: "buffer", Base: dev.Addresses[0], Size: 64}, {Name: "results", Base: dev.Addresses[1], Size: 80},
			}, out.Sites)
			if err := host.Prepare(dev); err != nil {
				t.Fatal(err)
			}
			dev.Launch(t)
			faults, err := host.Collect(dev, [3]uint32{1, 1, 1}, [3]uint32{20, 1, 1})
			if err != nil || len(faults) != 1 || faults[0].Count != want {
				t.Errorf("boundscheck%s, policy %d: faults %+v (%v), want one with count %d", options, policy, faults, err, want)
			}
			for i, v := range passtest.Words(dev.Buffer(t, 1)) {
				if i < 16 && v != 7 || i >= 16 && v != 0 {
					t.Errorf("boundscheck%s, policy %d: thread %d has %d", options, policy, i, v)
				}
			}
		}
	}
}

// count is one of the pass's statistics.
func count(out *passes.Output, name string) int {
	for _, c := range out.Stats[len(out.Stats)-1].Counts {
		if c.Name == name {
			return c.N
		}
	}
	return 0
}

// runLoops runs a loop program, with one thread, whose memory is one buffer.
func runLoops(t *testing.T, out *passes.Output) ([]profile.BoundsFault, []byte) {
	t.Helper()
	k := passtest.Kernel{Name: "k", Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: 1, Y: 1, Z: 1}, Buffers: [][]byte{make([]byte, 64)}}
	dev := k.NewDevice(t, out.Module)
	host := profile.NewBoundsCheck([]profile.Allocation{{Name: "buffer", Base: dev.Addresses[0], Size: 64}}, out.Sites)
	if err := host.Prepare(dev); err != nil {
		t.Fatal(err)
	}
	dev.Launch(t)
	faults, err := host.Collect(dev, [3]uint32{1, 1, 1}, [3]uint32{1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	return faults, dev.Buffer(t, 0)
}

// loopProgram makes nested loops of accesses, some with guards that hold in some
// rounds only, through bases inside and outside of the buffer that change now and
// then, and ways out of the middle of a loop.
func loopProgram(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .pred %p, %q;
	.reg .b32 %r<4>, %i<4>;
	.reg .b64 %rd<3>, %sum;
	ld.param.u64 %rd0, [p];
	add.s64 %rd1, %rd0, 40;
	add.s64 %rd2, %rd0, 64;
	mov.u32 %r0, 1;
	setp.eq.u32 %q, 0, 1;
`)
	labels := 0
	loopBody(&b, r, 0, &labels)
	b.WriteString("\tst.global.u32 [%rd0+4], %r0;\n\tret;\n}\n")
	return b.String()
}

func loopBody(b *strings.Builder, r *rand.Rand, depth int, labels *int) {
	for range 3 + r.IntN(4) {
		base := fmt.Sprintf("%%rd%d", r.IntN(3))
		off := 4 * r.IntN(5)
		guard := []string{"", "", "@%q ", "@!%q "}[r.IntN(4)]
		switch n := r.IntN(12); {
		case n < 4:
			fmt.Fprintf(b, "\t%sst.global.u32 [%s+%d], %%r0;\n", guard, base, off)
		case n < 7:
			fmt.Fprintf(b, "\tmov.u32 %%r1, 5;\n\t%sld.global.u32 %%r1, [%s+%d];\n\tmad.lo.u32 %%r0, %%r0, 3, %%r1;\n", guard, base, off)
		case n < 8:
			fmt.Fprintf(b, "\t%sadd.s64 %s, %s, 4;\n", guard, base, base)
		case n < 9:
			b.WriteString("\tand.b32 %r2, %r0, 3;\n\tsetp.eq.u32 %q, %r2, 1;\n")
		case depth < 3:
			id := *labels
			*labels++
			i := fmt.Sprintf("%%i%d", depth)
			fmt.Fprintf(b, "\tmov.u32 %s, %d;\n$L%d:\n", i, 1+r.IntN(4), id)
			if r.IntN(3) == 0 {
				fmt.Fprintf(b, "\t@%%q bra $E%d;\n", id)
			}
			loopBody(b, r, depth+1, labels)
			if r.IntN(3) == 0 {
				fmt.Fprintf(b, "\t@!%%q bra $E%d;\n", id)
			}
			fmt.Fprintf(b, "\tsub.u32 %s, %s, 1;\n\tsetp.ne.u32 %%p, %s, 0;\n\t@%%p bra $L%d;\n$E%d:\n", i, i, i, id, id)
		}
	}
}

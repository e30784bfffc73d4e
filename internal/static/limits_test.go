// The time of an analysis may be over at any moment, and the execution of threads takes time in proportion to their
// length.

package static

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/query"
)

// looks is a context whose time is over after some looks at it.
type looks struct {
	context.Context
	left, taken int
}

func (l *looks) Err() error {
	if l.taken++; l.taken > l.left {
		return context.DeadlineExceeded
	}
	return nil
}

// TestAnyMoment ends the time at each moment at which an analysis looks: the result leaves open what it has not
// decided, says so, proves nothing that the whole analysis does not prove, and there is no error.
func TestAnyMoment(t *testing.T) {
	const tile = "mov.u64 %rd5, tile; mul.wide.u32 %rd6, %r2, 4; add.s64 %rd7, %rd5, %rd6;"
	for name, body := range map[string]string{
		"own elements, and those of neighbours": index + "ld.global.u32 %r7, [%rd3+4]; st.global.u32 [%rd3], %r7;",
		"volatile accesses":                     tile + "st.volatile.shared.u32 [%rd7], %r2; ld.volatile.shared.u32 %r7, [%rd7+128];" + index + "st.global.u32 [%rd3], %r7;",
		"a lock":                                "A: atom.global.cas.b32 %r6, [%rd2], 0, 1; setp.ne.u32 %p1, %r6, 0; @%p1 bra A; fence.acq_rel.gpu; ld.global.u32 %r7, [%rd1]; add.u32 %r7, %r7, 1; st.global.u32 [%rd1], %r7; fence.acq_rel.gpu; atom.global.exch.b32 %r6, [%rd2], 0;",
		"a flag":                                "st.global.u32 [%rd1], %r2; fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%rd2], 1; ld.relaxed.gpu.global.u32 %r6, [%rd2+4]; fence.acq_rel.gpu; ld.global.u32 %r7, [%rd1+64];",
		"a loop":                                "mov.u32 %r6, 1; A: " + tile + "setp.ge.u32 %p2, %r2, %r6; @%p2 bra B; ld.shared.u32 %r7, [%rd7+256]; st.shared.u32 [%rd7], %r7; B: bar.sync 0; shl.b32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 64; @%p1 bra A;",
	} {
		t.Run(name, func(t *testing.T) { atAnyMoment(t, body, func() *query.Proofs { return nil }) })
		t.Run(name+", recorded", func(t *testing.T) { atAnyMoment(t, body, query.NewRecord) })
	}
}

func atAnyMoment(t *testing.T, body string, record func() *query.Proofs) {
	k := loadText(t, kernelText(body)).Kernels()[0]
	analyze := func(left int) (*Result, int, error) {
		ctx := &looks{Context: context.Background(), left: left}
		r, err := Analyze(ctx, k, &facts.Given{Disjoint: true}, Options{Partial: true, Contents: true, Proofs: record()})
		return r, ctx.taken, err
	}
	all, taken, err := analyze(1 << 40)
	if err != nil || all.Late {
		t.Fatalf("%v, late %t", err, all.Late)
	}
	proved := make(map[string]bool)
	for _, p := range all.Pairs {
		proved[p.First.Inst.Text()+p.Second.Inst.Text()] = p.Verdict == Clean
	}
	for n := range taken {
		r, _, err := analyze(n)
		if err != nil || !r.Late || r.Verdict == Clean {
			t.Fatalf("after %d of %d looks: %v, late %t, %s", n, taken, err, r.Late, r.Verdict)
		}
		for _, p := range r.Pairs {
			if p.Verdict == Clean && !proved[p.First.Inst.Text()+p.Second.Inst.Text()] || p.Verdict == Possible && p.Reason == "" && p.Witness == nil || strings.Contains(p.Reason, "deadline") {
				t.Errorf("after %d of %d looks: %s | %s: %s, %q", n, taken, p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Reason)
			}
		}
	}
}

// TestOverlaps compares the search for overlapping cells, which takes the same time for any number of them, with a look
// at all.
func TestOverlaps(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		x := &trial{memory: make(map[uint64]cell), early: make(map[uint64]bool)}
		for range g.IntN(40) {
			at := g.Uint64N(200)
			x.memory[at], x.early[at] = cell{size: 1 << g.IntN(5)}, g.IntN(2) == 0
		}
		addr, size := g.Uint64N(200), uint64(1)<<g.IntN(7)
		overlaps, reads := false, false
		for at, c := range x.memory {
			if at < addr+size && addr < at+uint64(c.size) {
				overlaps, reads = true, reads || x.early[at]
			}
		}
		if got := x.overlaps(addr, size); got != overlaps {
			t.Fatalf("%v: overlaps(%d, %d) = %t", x.memory, addr, size, got)
		}
		if got := x.reads(addr, size); got != reads {
			t.Fatalf("%v, %v: reads(%d, %d) = %t", x.memory, x.early, addr, size, got)
		}
	}
}

// The time of an analysis may be over at any moment, and the execution of threads takes time in proportion to their
// length.

package static

import (
	"context"
	"flag"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/query"
)

var everyMoment = flag.Bool("every-moment", false, "TestAnyMoment ends the time at every look, not at those that differ")

// place is where an analysis looks at its context: the callers, innermost first.
type place [24]uintptr

// looks is a context whose time is over after some looks at it.
type looks struct {
	context.Context
	left, taken int
	seen        map[place]bool // if there is one, places of looks so far
	differ      []int          // the numbers of looks at other places than those before
}

func (l *looks) Err() error {
	if l.seen != nil {
		l.note()
	}
	if l.taken++; l.taken > l.left {
		return context.DeadlineExceeded
	}
	return nil
}

// note adds the place of a look.
func (l *looks) note() {
	var at place
	runtime.Callers(3, at[:])
	if !l.seen[at] {
		l.seen[at] = true
		l.differ = append(l.differ, l.taken)
	}
}

// moments returns the numbers of looks at which the time is ended: those at places of the code that differ, and some of
// the others, fewer towards the end.
func (l *looks) moments() []int {
	list := l.differ
	for n := 0; n < l.taken; n += 1 + n/8 {
		list = append(list, n)
	}
	if *everyMoment {
		list = nil
		for n := range l.taken {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return slices.Compact(append(list, l.taken-1))
}

// TestAnyMoment ends the time at moments at which an analysis looks: the result leaves open what it has not decided,
// says so, proves nothing that the whole analysis does not prove, and there is no error.
func TestAnyMoment(t *testing.T) {
	const tile = "mov.u64 %rd5, tile; mul.wide.u32 %rd6, %r2, 4; add.s64 %rd7, %rd5, %rd6;"
	for name, body := range map[string]string{
		"own elements, and those of neighbours": index + "ld.global.u32 %r7, [%rd3+4]; st.global.u32 [%rd3], %r7;",
		"volatile accesses":                     tile + "st.volatile.shared.u32 [%rd7], %r2; ld.volatile.shared.u32 %r7, [%rd7+128];" + index + "st.global.u32 [%rd3], %r7;",
		"a lock":                                "A: atom.global.cas.b32 %r6, [%rd2], 0, 1; setp.ne.u32 %p1, %r6, 0; @%p1 bra A; fence.acq_rel.gpu; ld.global.u32 %r7, [%rd1]; add.u32 %r7, %r7, 1; st.global.u32 [%rd1], %r7; fence.acq_rel.gpu; atom.global.exch.b32 %r6, [%rd2], 0;",
		"a flag":                                "st.global.u32 [%rd1], %r2; fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%rd2], 1; ld.relaxed.gpu.global.u32 %r6, [%rd2+4]; fence.acq_rel.gpu; ld.global.u32 %r7, [%rd1+64];",
		"a loop":                                "mov.u32 %r6, 1; A: " + tile + "setp.ge.u32 %p2, %r2, %r6; @%p2 bra B; ld.shared.u32 %r7, [%rd7+256]; st.shared.u32 [%rd7], %r7; B: bar.sync 0; shl.b32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 64; @%p1 bra A;",
	} {
		if testing.Short() && name != "a flag" && name != "a lock" {
			continue
		}
		t.Run(name, func(t *testing.T) { atAnyMoment(t, body, func() *query.Proofs { return nil }) })
		t.Run(name+", recorded", func(t *testing.T) { atAnyMoment(t, body, query.NewRecord) })
	}
}

func atAnyMoment(t *testing.T, body string, record func() *query.Proofs) {
	k := loadText(t, kernelText(body)).Kernels()[0]
	analyze := func(ctx *looks) (*Result, error) {
		ctx.Context = context.Background()
		return Analyze(ctx, k, &facts.Given{Disjoint: true}, Options{Partial: true, Contents: true, Proofs: record()})
	}
	whole := &looks{left: 1 << 40, seen: make(map[place]bool)}
	all, err := analyze(whole)
	if err != nil || all.Late {
		t.Fatalf("%v, late %t", err, all.Late)
	}
	proved := make(map[string]bool)
	for _, p := range all.Pairs {
		proved[p.First.Inst.Text()+p.Second.Inst.Text()] = p.Verdict == Clean
	}
	for _, n := range whole.moments() {
		r, err := analyze(&looks{left: n})
		if err != nil || !r.Late || r.Verdict == Clean {
			t.Fatalf("after %d of %d looks: %v, late %t, %s", n, whole.taken, err, r.Late, r.Verdict)
		}
		for _, p := range r.Pairs {
			if p.Verdict == Clean && !proved[p.First.Inst.Text()+p.Second.Inst.Text()] || p.Verdict == Possible && p.Reason == "" && p.Witness == nil || strings.Contains(p.Reason, "deadline") {
				t.Errorf("after %d of %d looks: %s | %s: %s, %q", n, whole.taken, p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Reason)
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

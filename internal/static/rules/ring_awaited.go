// Copies into shared memory for which some thread of the block waits before it ends.

package rules

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// LeftCopy returns a bulk copy that signals an mbarrier and of which it is not known that a thread waits for the phase
// that counts it before it ends, and what it rests on that there is none; the end of a block is a write to its shared
// memory.
func (c Contents) LeftCopy() (*rewrite.Inst, []string) {
	y, some := c.sync, false
	for _, it := range y.Items {
		if !it.Access.Bulk || it.Access.AtomOp != "complete_tx" {
			continue
		}
		p := y.allPhases()
		if !slices.ContainsFunc(p.rings, func(r *ring) bool {
			n := slices.IndexFunc(r.signals, func(s *step) bool { return s.Item == it })
			return n >= 0 && slices.ContainsFunc(r.waits, func(w *step) bool { return p.awaits(w, r.signals[n]) })
		}) {
			return it.Access.Inst, nil
		}
		some = true
	}
	if !some {
		return nil, nil
	}
	return nil, y.needs()
}

// maxFirst limits the warps of which the first thread is looked at.
const maxFirst = 8

// awaits reports whether a thread waits for the phase that counts a copy, whenever it is made: the one that issues it,
// or the first of a warp that exists.
func (p *phases) awaits(w, s *step) bool {
	if (w.loop == nil) != (s.loop == nil) || w.slope != s.slope {
		return false
	}
	if p.endsBehind(w, s, s.making(s.Item), 1) {
		return true
	}
	threads := expr.Mul(facts.Dim("ntid", 'x'), facts.Dim("ntid", 'y'), facts.Dim("ntid", 'z'))
	for warp := range int64(maxFirst) {
		first := expr.Const(warp * isa.WarpSize)
		if warp > 0 && !p.prove(nil, expr.Le(threads, first)) {
			return false
		}
		if p.endsBehind(w, s, append(s.making(s.Item), expr.Eq(symbolic.Flat().Instance(2), first)), 2) {
			return true
		}
	}
	return false
}

// endsBehind reports whether a thread ends only behind a wait for the phase that counts a copy, if conditions hold and
// the first thread makes the copy.
func (p *phases) endsBehind(w, s *step, given []*expr.Bool, thread int) bool {
	whole := body{synchronisation: p.synchronisation}
	may := whole.edges(given, thread, nil)
	if w.loop == nil {
		return (w.first-s.first)%int64(len(w.ring.words)) == 0 && w.first >= s.first &&
			!whole.follow(whole.start(), 0, nil, w.passed, may).leaves
	}
	header := w.loop.Loop.Header
	enters := passage{none.inst, func(_, to *rewrite.Block) bool { return to == header }}
	if w.first > s.first || !w.repeats() || whole.follow(whole.start(), 0, nil, enters, may).leaves {
		return false
	}
	then := w.round(3)
	ahead := expr.Sub(expr.Add(expr.Mul(expr.Const(w.slope), then), expr.Const(w.first)),
		expr.Add(expr.Mul(expr.Const(s.slope), s.round(1)), expr.Const(s.first)))
	early := w.edges(append(slices.Clip(given), expr.Lt(ahead, expr.Const(0))), thread, then)
	last := w.edges(append(slices.Clip(given), expr.Eq(ahead, expr.Const(0))), thread, then)
	return !w.follow(w.start(), w.start().Start, nil, none, early).leaves &&
		!w.follow(w.start(), w.start().Start, nil, w.passed, last).leaves
}

// repeats reports whether a thread passes a wait in each iteration before another one.
func (s *step) repeats() bool {
	return !s.follow(s.start(), s.start().Start, nil, s.passed, anyEdge).again
}

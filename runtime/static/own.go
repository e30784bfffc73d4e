// Loads of one thread that return one value, as no other thread writes what they read in between.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/static/expr"
)

// unchanged reports whether two weak loads of shared memory by one thread, of the same bytes, return one value, and with which facts:
// between them the thread has no barrier and no write that may be to the bytes of the first, and no other thread of the block can
// write to those in the barrier interval.
func (a *analysis) unchanged(l, m *item) ([]string, bool) {
	root := a.kernel.Root
	if l == m || l.obj.space != isa.SpaceShared || l.acc.Frame != root || m.acc.Frame != root || l.acc.Inst.Strong() || m.acc.Inst.Strong() || a.traits.peers != nil || !a.blocks.Complete() || len(a.blocks.Others) > 0 {
		return nil, false
	}
	first, second := l, m
	if !a.executedBefore(first.acc.Inst, second.acc.Inst) {
		first, second = m, l
	}
	if !a.executedBefore(first.acc.Inst, second.acc.Inst) || first.acc.Inst.Guard != nil || a.between(first.acc.Inst, second.acc.Inst, waitsForBlock) {
		return nil, false
	}
	needs, ok := a.othersWrite(first)
	if !ok {
		return nil, false
	}
	writes := make(map[*rewrite.Inst]bool)
	for _, w := range a.mayWrite(first) {
		if w.acc.Frame != root {
			return nil, false
		}
		writes[w.acc.Inst] = true
	}
	return needs, !a.between(first.acc.Inst, second.acc.Inst, func(in *rewrite.Inst) bool { return writes[in] })
}

// between reports whether a thread may execute a certain instruction of the kernel itself between its last execution of first and the
// next of second.
func (a *analysis) between(first, second *rewrite.Inst, certain func(*rewrite.Inst) bool) bool {
	root := a.kernel.Root
	again := func(in *rewrite.Inst) bool { return in == first }
	return slices.ContainsFunc(root.Func.Insts, func(in *rewrite.Inst) bool {
		return root.Reached(in) && certain(in) && root.Leads(first, in, again) && root.Leads(in, second, again)
	})
}

// othersWrite returns whether no thread can write to what another thread of its block loads, in the same barrier interval, and with
// which facts.
func (a *analysis) othersWrite(l *item) ([]string, bool) {
	if l.own == nil {
		l.own = &kept{ok: true}
		for _, w := range a.mayWrite(l) {
			if a.ordered(l, w, IntraBlock) == expr.False {
				continue
			}
			r, distance, needed := a.relate(l, w)
			if r == apart {
				l.own.needs = append(l.own.needs, needed...)
				continue
			}
			if r != related || async(w) {
				l.own.ok = false
				break
			}
			q := &pairQuery{a: a, x: l, y: w, kind: anyThread, order: expr.True, distance: distance, bytes: true}
			goal, bounds := q.exact()
			met := a.solve(goal, bounds, cheap|noModel)
			if !met.unsat {
				l.own.ok = false
				break
			}
			l.own.needs = append(l.own.needs, slices.Concat(needed, q.used(met.core))...)
		}
	}
	return l.own.needs, l.own.ok
}

// Loads of one thread that return one value, as no other thread writes what they read in between.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// unchanged reports whether two weak loads of shared memory by one thread, of the same bytes, return one value, and
// with which facts: between them the thread has no barrier and no write that may be to the bytes of the first, and no
// other thread of the block can write to those in the barrier interval.
func (m contents) unchanged(l, n2 *item) ([]string, bool) {
	root := m.kernel.Root
	if l == n2 || l.obj.space != isa.SpaceShared || l.acc.Frame != root || n2.acc.Frame != root ||
		l.acc.Inst.Strong() || n2.acc.Inst.Strong() || m.traits.peers != nil || !m.blocks.Complete() ||
		len(m.blocks.Others) > 0 {
		return nil, false
	}
	first, second := l, n2
	if !m.executedBefore(first.acc.Inst, second.acc.Inst) {
		first, second = n2, l
	}
	if !m.executedBefore(first.acc.Inst, second.acc.Inst) || first.acc.Inst.Guard != nil ||
		m.between(first.acc.Inst, second.acc.Inst, waitsForBlock) {
		return nil, false
	}
	needs, ok := m.othersWrite(first)
	if !ok {
		return nil, false
	}
	writes := make(map[*rewrite.Inst]bool)
	for _, w := range m.mayWrite(first) {
		if w.acc.Frame != root {
			return nil, false
		}
		writes[w.acc.Inst] = true
	}
	return needs, !m.between(first.acc.Inst, second.acc.Inst, func(in *rewrite.Inst) bool { return writes[in] })
}

// exclusive says whether no other thread writes to what a load reads, and by which facts.
type exclusive struct {
	ok    bool
	needs []string
}

// othersWrite returns whether no thread can write to what another thread of its block loads, in the same barrier
// interval, and with which facts.
func (m contents) othersWrite(l *item) ([]string, bool) {
	own := m.sync.own[l]
	if own == nil {
		own = &exclusive{ok: true}
		m.sync.own[l] = own
		m.findExclusive(l, own)
	}
	return own.needs, own.ok
}

func (m contents) findExclusive(l *item, own *exclusive) {
	for _, w := range m.mayWrite(l) {
		if m.ordered(l, w, IntraBlock) == expr.False {
			continue
		}
		r, distance, needed := m.relate(l, w)
		if r == apart {
			own.needs = append(own.needs, needed...)
			continue
		}
		if r != related || async(w) {
			own.ok = false
			return
		}
		q := &conflict{m: m, x: l, y: w, kind: anyThread, order: expr.True, distance: distance, bytes: true}
		goal, bounds := q.exact()
		met := m.Solve(goal, bounds, query.Cheap|query.NoModel)
		if !met.Unsat {
			own.ok = false
			return
		}
		own.needs = append(own.needs, slices.Concat(needed, q.used(met.Core))...)
	}
}

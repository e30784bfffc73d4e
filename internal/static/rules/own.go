// Loads of one thread that return one value, as no other thread writes what they read in between.

package rules

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// unchanged reports whether two weak loads of shared memory by one thread, of the same bytes, return one value, and
// with which facts: between them the thread has no barrier and no write that may be to the bytes of the first, and no
// other thread of the block can write to those in the barrier interval.
func (m Contents) unchanged(l, n2 *kernel.Item) ([]string, bool) {
	root := m.Kernel.Root
	if l == n2 || l.Object.Space != isa.SpaceShared || l.Access.Frame != root || n2.Access.Frame != root ||
		l.Access.Inst.Strong() || n2.Access.Inst.Strong() || m.Traits.Peers != nil || !m.Blocks.Complete() ||
		len(m.Blocks.Others) > 0 {
		return nil, false
	}
	first, second := l, n2
	if !m.ExecutedBefore(first.Access.Inst, second.Access.Inst) {
		first, second = n2, l
	}
	if !m.ExecutedBefore(first.Access.Inst, second.Access.Inst) || first.Access.Inst.Guard != nil ||
		m.Between(first.Access.Inst, second.Access.Inst, kernel.WaitsForBlock) {
		return nil, false
	}
	needs, ok := m.othersWrite(first)
	if !ok {
		return nil, false
	}
	writes := make(map[*rewrite.Inst]bool)
	for _, w := range m.MayWrite(first) {
		if w.Access.Frame != root {
			return nil, false
		}
		writes[w.Access.Inst] = true
	}
	return needs, !m.Between(first.Access.Inst, second.Access.Inst, func(in *rewrite.Inst) bool { return writes[in] })
}

// exclusive says whether no other thread writes to what a load reads, and by which facts.
type exclusive struct {
	ok    bool
	needs []string
}

// othersWrite returns whether no thread can write to what another thread of its block loads, in the same barrier
// interval, and with which facts.
func (m Contents) othersWrite(l *kernel.Item) ([]string, bool) {
	own := m.sync.own[l]
	if own == nil {
		own = &exclusive{ok: true}
		m.sync.own[l] = own
		m.findExclusive(l, own)
	}
	return own.needs, own.ok
}

func (m Contents) findExclusive(l *kernel.Item, own *exclusive) {
	for _, w := range m.MayWrite(l) {
		if m.Ordered(l, w, kernel.IntraBlock) == expr.False {
			continue
		}
		needs, apart := m.neverMeet(l, w, kernel.AnyThread)
		if !apart {
			own.ok = false
			return
		}
		own.needs = append(own.needs, needs...)
	}
}

// neverMeet returns whether accesses of two threads of a kind of race never touch a common byte, whatever orders them,
// and with which facts.
func (m Contents) neverMeet(l, w *kernel.Item, kind kernel.Kind) (needs []string, ok bool) {
	r, distance, needed := m.Relate(l, w)
	if r == kernel.Apart {
		return needed, true
	}
	if r != kernel.Related || kernel.Async(w) {
		return nil, false
	}
	q := &Conflict{Contents: m, X: l, Y: w, Kind: kind, Order: expr.True, Distance: distance, Bytes: true}
	goal, bounds := q.Exact()
	met := m.Solve(goal, bounds, query.Cheap|query.NoModel)
	return slices.Concat(needed, q.Used(met.Core)), met.Unsat
}

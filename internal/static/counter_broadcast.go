// The broadcast of a counter of blocks: one thread increments the counter and stores the result in shared memory, and
// the other threads of the block load it after a barrier.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// lastByFlag is last for a thread that has read, after a barrier, what the incrementing thread has stored in shared
// memory.
func (c *counter) lastByFlag(it *item) bool {
	a := c.synchronisation
	for _, l := range a.items {
		if l.chosen || l.acc.Kind != isa.AccessLoad || l.acc.Space != isa.SpaceShared || l.acc.Frame != it.acc.Frame ||
			!a.executedBefore(l.acc.Inst, it.acc.Inst) || a.again(l.acc.Inst) {
			continue
		}
		loaded, w := a.readBy(l, it.cond.Vars()), c.soleStore(l)
		if loaded == nil || w == nil || w.chosen {
			continue
		}
		value := w.acc.Frame.Operand(w.acc.Inst, w.acc.Value)
		found := a.readBy(c.raise, value.Vars())
		if found == nil || !c.publishes(w, l) {
			continue
		}
		bits := 8 * l.acc.ElemSize
		same := expr.Eq(expr.Wrap(loaded, bits, false).Instance(1), expr.Wrap(value, bits, false).Instance(2))
		if c.prove(it.formulas(1), same, c.less(found.Instance(2))) {
			return true
		}
	}
	return false
}

// soleStore returns the store that is the only source of what a load may find, by the thread that increments the
// counter, after that; nil if there is none.
func (c *counter) soleStore(l *item) *item {
	var store *item
	for _, w := range c.items {
		if !w.acc.Writes() {
			continue
		}
		rel, _, _ := c.relate(l, w)
		if rel == apart {
			continue
		}
		in := w.acc.Inst
		if store != nil || rel != related || w.acc.Kind != isa.AccessStore || async(w) || w.acc.Frame != l.acc.Frame ||
			in.Guard != nil || w.acc.Value < 0 || w.acc.Value >= len(in.Operands) {
			return nil
		}
		if !w.addr.Uniform() || !w.addr.Equal(l.addr) || w.acc.ElemSize != l.acc.ElemSize || !w.acc.Single() ||
			l.acc.Size != w.acc.Size {
			return nil
		}
		store = w
	}
	if store == nil || !c.executedBefore(c.raise.acc.Inst, store.acc.Inst) || c.again(store.acc.Inst) {
		return nil
	}
	return store
}

// publishes reports whether a barrier separates the store, after the acquire of the storing thread, from the load, and
// whether each block with the load has a store.
func (c *counter) publishes(w, l *item) bool {
	a := c.synchronisation
	return slices.ContainsFunc(a.stops(), func(b *rewrite.Inst) bool {
		return a.executedBefore(b, l.acc.Inst) && a.executesLater(w.acc.Inst, b) && !a.leads(b, w.acc.Inst) &&
			c.acquires(b)
	}) && c.stored(w, l)
}

// stored reports whether the first thread of a block executes a store if a thread of the block executes a load: all
// threads reach the single branch that decides about the store.
func (c *counter) stored(w, l *item) bool {
	a := c.synchronisation
	g := a.kernel.Func.CFG()
	at := a.kernel.Root.Block(w.acc.Inst)
	for at.IDom != nil && g.PostDominates(at, at.IDom) {
		at = at.IDom
	}
	branch := at.IDom
	if branch == nil {
		return at == g.Blocks[0]
	}
	if !g.PostDominates(branch, g.Blocks[0]) || len(branch.Succs) != 2 {
		return false
	}
	way := slices.IndexFunc(branch.Succs, func(s *rewrite.Block) bool { return g.PostDominates(at, s) })
	last := g.Func.Insts[branch.End-1]
	if way < 0 || last.Guard == nil || last.BranchIndex() >= 0 {
		return false
	}
	taken := a.kernel.Root.Guard(last)
	if way == 1 {
		taken = expr.Not(taken)
	}
	first := taken.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if len(v.Name) == 5 && v.Name[:4] == "tid." {
			return expr.Const(0)
		}
		return nil
	}})
	return first.Uniform() && c.prove(l.formulas(1), expr.Not(first))
}

// The broadcast of a counter of blocks: one thread increments the counter and stores the result in shared memory, and
// the other threads of the block load it after a barrier.

package rules

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// lastByFlag is last for a thread that has read, after a barrier, what the incrementing thread has stored in shared
// memory.
func (c *counter) lastByFlag(it *kernel.Item) bool {
	a := c.synchronisation
	for _, l := range a.Items {
		if l.Chosen || l.Access.Kind != isa.AccessLoad || l.Access.Space != isa.SpaceShared ||
			l.Access.Frame != it.Access.Frame ||
			!a.ExecutedBefore(l.Access.Inst, it.Access.Inst) || a.Again(l.Access.Inst) {
			continue
		}
		loaded, w := readBy(a.Model, l, it.Cond.Vars()), c.soleStore(l)
		if loaded == nil || w == nil || w.Chosen {
			continue
		}
		value := w.Access.Frame.Operand(w.Access.Inst, w.Access.Value)
		found := readBy(a.Model, c.raise, value.Vars())
		if found == nil || !c.publishes(w, l, it.Access.Inst) {
			continue
		}
		bits := 8 * l.Access.ElemSize
		same := expr.Eq(expr.Wrap(loaded, bits, false).Instance(1), expr.Wrap(value, bits, false).Instance(2))
		if c.prove(it.Formulas(1), same, c.less(found.Instance(2))) {
			return true
		}
	}
	return false
}

// soleStore returns the store that is the only source of what a load may find, by the thread that increments the
// counter, after that; nil if there is none.
func (c *counter) soleStore(l *kernel.Item) *kernel.Item {
	var store *kernel.Item
	for _, w := range c.Items {
		if !w.Access.Writes() {
			continue
		}
		rel, _, _ := c.relate(l, w)
		if rel == kernel.Apart {
			continue
		}
		in := w.Access.Inst
		if store != nil || rel != kernel.Related || w.Access.Kind != isa.AccessStore || kernel.Async(w) ||
			w.Access.Frame != l.Access.Frame ||
			in.Guard != nil || w.Access.Value < 0 || w.Access.Value >= len(in.Operands) {
			return nil
		}
		if !w.Addr.Uniform() || !w.Addr.Equal(l.Addr) || w.Access.ElemSize != l.Access.ElemSize || !w.Access.Single() ||
			l.Access.Size != w.Access.Size {
			return nil
		}
		store = w
	}
	if store == nil || !c.ExecutedBefore(c.raise.Access.Inst, store.Access.Inst) || c.Again(store.Access.Inst) {
		return nil
	}
	return store
}

// publishes reports whether a barrier separates the store, after the acquire of the storing thread, from the load, and
// whether each block with the load has a store. A fence.sc may also be behind the load, before an instruction.
func (c *counter) publishes(w, l *kernel.Item, at *rewrite.Inst) bool {
	a := c.synchronisation
	return slices.ContainsFunc(a.Stops(), func(b *rewrite.Inst) bool {
		return a.ExecutedBefore(b, l.Access.Inst) && a.ExecutesLater(w.Access.Inst, b) && !a.Leads(b, w.Access.Inst) &&
			(c.acquires(b) || c.sc && c.fences(l.Access.Inst, at, isa.Sem.Acquires))
	}) && c.stored(w, l)
}

// stored reports whether the first thread of a block executes a store if a thread of the block executes a load: all
// threads reach the single branch that decides about the store.
func (c *counter) stored(w, l *kernel.Item) bool {
	a := c.synchronisation
	g := a.Kernel.Func.CFG()
	at := a.Kernel.Root.Block(w.Access.Inst)
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
	taken := a.Kernel.Root.Guard(last)
	if way == 1 {
		taken = expr.Not(taken)
	}
	first := taken.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if len(v.Name) == 5 && v.Name[:4] == "tid." {
			return expr.Const(0)
		}
		return nil
	}})
	return first.Uniform() && c.prove(l.Formulas(1), expr.Not(first))
}

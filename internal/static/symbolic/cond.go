// Path conditions: what holds in every thread that reaches an instruction.

package symbolic

import (
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Cond returns a condition that holds in every thread that reaches an instruction; it includes the guard of the
// instruction and the conditions of the calls that lead to it.
func (f *Frame) Cond(in *rewrite.Inst) *expr.Bool {
	return expr.All(f.Enter(), f.block(f.CFG.BlockOf[in.Index]), f.guard(in))
}

// Enter returns a condition that holds in every thread that enters the frame.
func (f *Frame) Enter() *expr.Bool {
	if f.Parent == nil {
		return expr.True
	}
	return expr.All(f.Parent.Cond(f.Call), f.chosen())
}

// block returns a condition that holds in every thread that reaches a block of the function.
func (f *Frame) block(b *rewrite.Block) *expr.Bool {
	if c := f.conds[b.Index]; c != nil {
		return c
	}
	f.conds[b.Index] = expr.True // while it is computed
	c := f.between(b, nil)
	f.conds[b.Index] = c
	return c
}

// between returns a condition that holds on every path from block from to a later block b that it dominates; for nil,
// from the function's start.
func (f *Frame) between(b, from *rewrite.Block) *expr.Bool {
	var conds []*expr.Bool
	for b != from && b != nil && b.IDom != nil {
		f.Kernel.work++
		if f.sole(b.IDom, b) {
			conds = append(conds, f.edgeOr(b.IDom, b))
		} else if c := f.joined(b); c != nil {
			conds = append(conds, c)
		}
		b = b.IDom
	}
	return expr.All(conds...)
}

// joined returns the condition that one of the edges into a block was taken. It returns nil if there are too many, if
// one belongs to a loop, and for a block that all paths lead to.
func (f *Frame) joined(b *rewrite.Block) *expr.Bool {
	if f.CFG.PostDominates(b, b.IDom) || f.inner[b.Index] != f.inner[b.IDom.Index] {
		return nil
	}
	for _, p := range b.Preds {
		if f.CFG.Reached(p) && f.inner[p.Index] != f.inner[b.Index] {
			return nil
		}
	}
	return f.entered(b)
}

// Left returns a condition on what loops carried in their last round that holds in every thread that reaches an
// instruction behind them, or behind a branch around them. Cond has what follows from a single way out of a loop.
func (f *Frame) Left(in *rewrite.Inst) *expr.Bool {
	var conds []*expr.Bool
	for b := f.CFG.BlockOf[in.Index]; b != nil && b.IDom != nil; b = b.IDom {
		if !f.sole(b.IDom, b) && f.behind(b) {
			if c := f.entered(b); c != nil {
				conds = append(conds, c)
			}
		}
	}
	return expr.All(conds...)
}

// behind reports whether ways to a block from its immediate dominator leave a loop.
func (f *Frame) behind(b *rewrite.Block) bool {
	for _, p := range b.Preds {
		for x := p; x != nil && x != b.IDom; x = x.IDom {
			if l := f.inner[x.Index]; l != nil && !f.InLoop(b, l) {
				return true
			}
		}
	}
	return false
}

// entered returns the condition that one of the edges into a block was taken, as joined does. Where an edge leaves a
// loop, the condition is on the loop's last round.
func (f *Frame) entered(b *rewrite.Block) *expr.Bool {
	if len(b.Preds) > MaxAlike || f.headed(b) != nil {
		return nil
	}
	var ways []*expr.Bool
	for _, p := range b.Preds {
		if !f.CFG.Reached(p) {
			continue
		}
		if f.CFG.Dominates(b, p) {
			return nil
		}
		c := f.edgeOr(p, b)
		for x := p; x != b.IDom && x != nil; x = x.IDom {
			if f.sole(x.IDom, x) {
				c = expr.All(c, f.edgeOr(x.IDom, x))
			}
		}
		ways = append(ways, c)
	}
	c := expr.Any(ways...)
	if c.Size() > 200 {
		return nil
	}
	return c
}

// edge returns the condition under which control passes from one block to another; false when the branch has more than
// two successors.
func (f *Frame) edge(from, to *rewrite.Block) (*expr.Bool, bool) {
	if len(from.Succs) == 1 {
		return expr.True, true
	}
	if from.Start == from.End || len(from.Succs) != 2 || from.Succs[0] == from.Succs[1] {
		return expr.True, false
	}
	last := f.Func.Insts[from.End-1]
	if last.Guard == nil || last.BranchIndex() >= 0 {
		return expr.True, false
	}
	if to == from.Succs[1] { // the fall-through successor is last
		return expr.Not(f.guard(last)), true
	}
	return f.guard(last), true
}

// Taken returns a condition that holds in every thread in which control passes from one block to another.
func (f *Frame) Taken(from, to *rewrite.Block) *expr.Bool { return f.edgeOr(from, to) }

// edgeOr is edge, or true where the condition is not known.
func (f *Frame) edgeOr(from, to *rewrite.Block) *expr.Bool {
	c, _ := f.edge(from, to)
	return c
}

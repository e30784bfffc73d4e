// Natural loops.

package rewrite

import (
	"maps"
	"math"
	"slices"
)

// Loop is a natural loop: the blocks that reach a back edge to Header without
// passing Header. Loops with one header are one loop.
type Loop struct {
	Header *Block
	Blocks []*Block // in source order, Header included
	Parent *Loop    // innermost enclosing loop, nil for an outermost
	Depth  int      // 1 for an outermost loop
}

// Loops returns the natural loops in source order of their headers. Cycles without
// a dominating header (irreducible) are not natural loops.
func (g *CFG) Loops() []*Loop {
	var loops []*Loop
	for _, h := range g.Blocks {
		var latches []*Block
		for _, p := range h.Preds {
			if g.Dominates(h, p) {
				latches = append(latches, p)
			}
		}
		if len(latches) > 0 {
			loops = append(loops, g.naturalLoop(h, latches))
		}
	}
	nest(loops)
	return loops
}

// Innermost returns the innermost loop of each block, by index, nil for blocks in none.
func (g *CFG) Innermost() []*Loop {
	loops := make([]*Loop, len(g.Blocks))
	for _, l := range g.Loops() {
		for _, b := range l.Blocks {
			if in := loops[b.Index]; in == nil || in.Depth < l.Depth {
				loops[b.Index] = l
			}
		}
	}
	return loops
}

// naturalLoop returns the loop of the back edges from the latches to h.
func (g *CFG) naturalLoop(h *Block, latches []*Block) *Loop {
	return &Loop{Header: h, Blocks: g.LoopBlocks(h, latches, math.MaxInt)}
}

// LoopBlocks returns, in source order, the blocks of the natural loop of the back edges from the latches to h: h, and
// the blocks that reach a latch without passing h. It returns nil when those have more than limit instructions.
func (g *CFG) LoopBlocks(h *Block, latches []*Block, limit int) []*Block {
	in, length := map[*Block]bool{h: true}, h.End-h.Start
	for work := slices.Clone(latches); len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if in[b] || !g.Reached(b) {
			continue
		}
		in[b] = true
		if length += b.End - b.Start; length > limit {
			return nil
		}
		work = append(work, b.Preds...)
	}
	blocks := slices.Collect(maps.Keys(in))
	slices.SortFunc(blocks, func(a, b *Block) int { return a.Index - b.Index })
	return blocks
}

// nest finds parents and depths: of two loops that share a block the smaller is
// inside the larger.
func nest(loops []*Loop) {
	bySize := slices.Clone(loops)
	slices.SortStableFunc(bySize, func(a, b *Loop) int { return len(b.Blocks) - len(a.Blocks) })
	inner := make(map[*Block]*Loop) // innermost loop so far
	for _, l := range bySize {
		l.Parent = inner[l.Header]
		l.Depth = 1
		if l.Parent != nil {
			l.Depth = l.Parent.Depth + 1
		}
		for _, b := range l.Blocks {
			inner[b] = l
		}
	}
}

// Invariant returns the outermost loop around in, such that the registers of in's n-th operand change neither in it nor
// in the loops inside it around in. A value computed from the operand can then be computed on the edges into that loop
// instead. It returns nil if the operand changes in the innermost loop, or there is no loop.
func (f *Func) Invariant(in *Inst, n int) *Loop {
	if n >= len(in.Operands) {
		return nil
	}
	u := f.Uniformity()
	b := f.CFG().BlockOf[in.Index]
	var found *Loop
	for l := u.loops[b.Index]; l != nil; l = l.Parent {
		fixed := true
		in.Operands[n].EachReg(func(r *Reg) {
			v := f.SSA().Use(in, r)
			fixed = fixed && v != NoValue && !inLoop(u.loops, l, f.SSA().Values[v].Block)
		})
		if !fixed {
			break
		}
		found = l
	}
	return found
}

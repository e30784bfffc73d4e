package emu

import "github.com/ptxsan/ptxsan/rewrite"

// Jumps backwards are where turns may end and where it is looked for threads that spin.
// Compilers put what is executed seldom at the end of a function, from where it jumps back
// to the middle: that is no loop, and goes unnoticed. Of each cycle at least one jump counts.

// flagLoop marks a branch that counts as a jump backwards.
const flagLoop instFlags = 1 << 20

// loops marks the branches of a body, whose targets are in place: those to a block through
// which everything comes to them; and where cycles are left, as loops that are entered at
// several places or that fall into their beginning, all that jump backwards in one.
func (d *decoder) loops(b *body) {
	cfg := b.src.CFG()
	left := d.cycles(b)
	for i := range b.src.Insts {
		for pc := b.starts[i]; pc < b.starts[i+1]; pc++ {
			c := &d.fn.code[pc]
			if c.src != int32(b.first+i) || c.flags&flagBranch == 0 || c.tgt > pc {
				continue
			}
			from := cfg.BlockOf[i]
			to := b.successorAt(from, c.tgt)
			if cfg.Degenerate || to == nil || cfg.Dominates(to, from) || left[to.Index] == left[from.Index] {
				c.flags |= flagLoop
			}
		}
	}
}

// successorAt is the successor of a block that begins at pc.
func (b *body) successorAt(from *rewrite.Block, pc int32) *rewrite.Block {
	for _, to := range from.Succs {
		if to.Start < len(b.src.Insts) && b.starts[to.Start] == pc {
			return to
		}
	}
	return nil
}

// counts reports whether going from a block to another is a jump backwards to a block
// through which everything comes to the first, or by an instruction of which all jumps
// backwards count.
func (d *decoder) counts(b *body, from, to *rewrite.Block) bool {
	cfg := b.src.CFG()
	if to == cfg.Exit || from == cfg.Exit || from.End == from.Start {
		return false
	}
	pc := b.starts[from.End] - 1 // the branch, if there is one
	target := b.starts[to.Start]
	c := &d.fn.code[pc]
	switch {
	case target > pc:
		return false
	case c.flags&flagBranch != 0:
		return c.tgt == target && cfg.Dominates(to, from)
	}
	return c.flags&flagControl != 0 // brx
}

// cycles numbers the blocks of a body so that those have the same number that are in a
// cycle without a jump that counts (Tarjan, "Depth-first search and linear graph
// algorithms", SIAM J. Comput. 1972: strongly connected components).
func (d *decoder) cycles(b *body) []int {
	type visit struct {
		block *rewrite.Block
		next  int // of its successors
	}
	blocks := b.src.CFG().Blocks
	var path []visit // from where the search began
	var open []int   // blocks that may be in a cycle with one on the path
	order, low, number := make([]int, len(blocks)), make([]int, len(blocks)), make([]int, len(blocks))
	seen := 0
	enter := func(b *rewrite.Block) {
		seen++
		order[b.Index], low[b.Index] = seen, seen
		path, open = append(path, visit{block: b}), append(open, b.Index)
	}
	for _, root := range blocks {
		if order[root.Index] == 0 {
			enter(root)
		}
		for len(path) > 0 {
			v := &path[len(path)-1]
			at := v.block.Index
			if v.next < len(v.block.Succs) {
				to := v.block.Succs[v.next]
				v.next++
				switch {
				case d.counts(b, v.block, to):
				case order[to.Index] == 0:
					enter(to)
				case number[to.Index] == 0:
					low[at] = min(low[at], order[to.Index])
				}
				continue
			}
			if path = path[:len(path)-1]; len(path) > 0 {
				up := path[len(path)-1].block.Index
				low[up] = min(low[up], low[at])
			}
			for k := len(open) - 1; low[at] == order[at] && number[at] == 0; k-- {
				number[open[k]] = order[at]
				open = open[:k]
			}
		}
	}
	return number
}

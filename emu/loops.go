package emu

import "github.com/ptxsan/ptxsan/rewrite"

// Jumps backwards are where turns may end and where it is looked for threads that spin.
// Compilers put what is executed seldom at the end of a function, from where it jumps back
// to the middle: that is no loop, and goes unnoticed. Of each cycle at least one jump counts.

// flagLoop marks a branch that counts as a jump backwards.
const flagLoop instFlags = 1 << 20

// loops marks the branches of a body, whose targets are in place.
func (d *decoder) loops(b *body) {
	cfg := b.src.CFG()
	all := cfg.Degenerate || d.missed(b)
	for i := range b.src.Insts {
		for pc := b.starts[i]; pc < b.starts[i+1]; pc++ {
			c := &d.fn.code[pc]
			if c.src != int32(b.first+i) || c.flags&flagBranch == 0 || c.tgt > pc {
				continue
			}
			if all || b.closes(cfg.BlockOf[i], c.tgt) {
				c.flags |= flagLoop
			}
		}
	}
}

// closes reports whether a jump backwards from the end of block from to pc goes on with a
// loop: it is to a block through which everything comes to it.
func (b *body) closes(from *rewrite.Block, pc int32) bool {
	cfg := b.src.CFG()
	for _, to := range from.Succs {
		if to != cfg.Exit && b.starts[to.Start] == pc {
			return cfg.Dominates(to, from)
		}
	}
	return true
}

// missed reports whether there are cycles in a body without a jump that counts by what
// closes says: loops that are entered at several places or that fall into their beginning.
func (d *decoder) missed(b *body) bool {
	cfg := b.src.CFG()
	const (
		unseen = iota
		open   // on the path from where the search began
		done
	)
	state := make([]int, len(cfg.Blocks))
	type visit struct {
		block *rewrite.Block
		next  int // of its successors
	}
	for _, root := range cfg.Blocks {
		if state[root.Index] != unseen {
			continue
		}
		state[root.Index] = open
		for path := []visit{{block: root}}; len(path) > 0; {
			v := &path[len(path)-1]
			if v.next == len(v.block.Succs) {
				state[v.block.Index] = done
				path = path[:len(path)-1]
				continue
			}
			to := v.block.Succs[v.next]
			v.next++
			switch {
			case d.counts(b, v.block, to):
			case state[to.Index] == open:
				return true
			case state[to.Index] == unseen:
				state[to.Index] = open
				path = append(path, visit{block: to})
			}
		}
	}
	return false
}

// counts reports whether going from a block to another is a jump that counts.
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
	return c.flags&flagControl != 0 // brx, of which all count
}

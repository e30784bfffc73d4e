// Meeting points of the sides of a branch.

package rewrite

// This file searches the regions behind a branch for its joins.

// MaxJoinSearch bounds the blocks in the regions of all branches of a function together, as
// far as their joins are looked for: a function with thousands of branches that may end
// the thread has as many regions of thousands of blocks. Further branches have no join but
// their immediate post-dominator.
const MaxJoinSearch = 1 << 22

// meetingPoints are the blocks, up to the immediate post-dominator of b, that paths from
// different successors of b reach without sharing a block before, and without passing b
// again: those that b dominates immediately among the blocks between, and that are entered
// on several ways. It sets the rank of the blocks between.
func (p *partFinder) meetingPoints(b *Block) []*Block {
	blocks, succs, preds := p.region(b)
	p.regions += len(blocks)
	order, idom := dominators(0, succs, preds)
	p.setRanks(b, blocks, order)
	var out []*Block
	for n := 1; n < len(blocks); n++ {
		if idom[n] == 0 && entered(n, idom, preds[n]) {
			out = append(out, blocks[n])
		}
	}
	return out
}

// setRanks ranks the blocks of a region of b by the order in which lanes come to them from
// b. In the order of the whole function, the exit of a loop may stand before b although b
// is in the loop, and thus lanes go round again before they come there.
func (p *partFinder) setRanks(b *Block, blocks []*Block, order []int) {
	for i, n := range order {
		p.rank[blocks[n].Index] = i
	}
	p.rank[p.end[b.Index].Index] = len(order) // all come there last, whatever the order of a cycle
}

// entered reports whether there are several ways to n: from predecessors that n does not
// dominate.
func entered(n int, idom, preds []int) bool {
	ways := 0
	for _, p := range preds {
		for p != 0 && p != n {
			p = idom[p]
		}
		if p == 0 {
			ways++
		}
	}
	return ways > 1
}

// region is b and the blocks that paths from it reach up to its immediate post-dominator,
// and the edges among them but those back to b, by place in blocks.
func (p *partFinder) region(b *Block) (blocks []*Block, succs, preds [][]int) {
	end := p.end[b.Index]
	blocks = append([]*Block{b}, p.walk(b.Succs, b, end)...)
	blocks = append(blocks, end)
	for i, n := range blocks {
		p.place[n.Index] = i
	}
	succs, preds = make([][]int, len(blocks)), make([][]int, len(blocks))
	for i, n := range blocks {
		if n == end {
			continue
		}
		for _, s := range n.Succs {
			if s != b {
				k := p.place[s.Index]
				succs[i], preds[k] = append(succs[i], k), append(preds[k], i)
			}
		}
	}
	return blocks, succs, preds
}

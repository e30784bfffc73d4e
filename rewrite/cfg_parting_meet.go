// Meeting points of the sides of a branch.

package rewrite

// MaxJoinSearch limits the total number of blocks in the regions of a function's branches whose joins are searched: a
// function with thousands of branches that may end the thread has as many regions of thousands of blocks. Further
// branches have their immediate post-dominator as the only join.
const MaxJoinSearch = 1 << 22

// meetingPoints returns the blocks, up to the immediate post-dominator of b, that paths from different successors of b
// reach without a common block before, and without passing b again. These are the blocks of the region that b dominates
// immediately and that are entered on several ways. It also ranks the blocks of the region.
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

// setRanks ranks the blocks of b's region by the order in which lanes reach them from b. In the order of the whole
// function, the exit of a loop may precede b although b is in the loop, in which case lanes go round again before they
// reach it.
func (p *partFinder) setRanks(b *Block, blocks []*Block, order []int) {
	for i, n := range order {
		p.rank[blocks[n].Index] = i
	}
	p.rank[p.end[b.Index].Index] = len(order) // all paths reach it last, whatever the order within a cycle
}

// entered reports whether there are several ways to n: from predecessors that n does not dominate.
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

// region returns b and the blocks that paths from it reach up to its immediate post-dominator, and the edges among them
// except those back to b, as indices in blocks.
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

// Joins: blocks at which the sides of a divergent branch may reconverge.

package rewrite

// joinFinder finds where the sides of a branch may meet. It keeps its tables between branches, so that a search costs
// no more than the blocks that it visits.
type joinFinder struct {
	g     *CFG
	round int
	seen  []int // last round that visited each block
	label []int // label of each block in this round: see of
	join  []int // last round in which each block was a join
	work  []*Block
}

func newJoinFinder(g *CFG) *joinFinder {
	n := len(g.Blocks)
	return &joinFinder{g: g, seen: make([]int, n), label: make([]int, n), join: make([]int, n)}
}

// of returns the indices of the blocks, up to b's immediate post-dominator, that paths
// from different successors of b reach without sharing a block before, and without
// passing b again. Every block gets a label: the successor or join that all paths to
// it come through last.
func (j *joinFinder) of(b *Block) []int {
	if len(b.Succs) == 2 {
		for k, s := range b.Succs {
			if s == b.IPDom && !j.g.Dominates(b.Succs[1-k], b) {
				return []int{s.Index} // one side only: nothing else can meet
			}
		}
	}
	j.round++
	first, last := j.visit(b)
	for _, s := range b.Succs {
		j.label[s.Index] = s.Index
	}
	for changed := true; changed; {
		changed = false
		for _, n := range j.g.rpo[first : last+1] {
			if n != b && j.seen[n.Index] == j.round && j.join[n.Index] != j.round && j.update(n, b) {
				changed = true
			}
		}
	}
	var out []int
	for _, n := range j.g.rpo[first : last+1] {
		if j.join[n.Index] == j.round {
			out = append(out, n.Index)
		}
	}
	return out
}

// noLabel marks blocks that no label has reached.
const noLabel = -1

// visit marks the blocks that paths from b reach up to its immediate post-dominator,
// without b, and returns the range of their places in reverse postorder.
func (j *joinFinder) visit(b *Block) (first, last int) {
	first, last = len(j.g.rpo), -1
	j.work = append(j.work[:0], b.Succs...)
	for len(j.work) > 0 {
		n := j.work[len(j.work)-1]
		j.work = j.work[:len(j.work)-1]
		if n == b || j.seen[n.Index] == j.round {
			continue
		}
		j.seen[n.Index], j.label[n.Index] = j.round, noLabel
		first, last = min(first, j.g.order[n.Index]), max(last, j.g.order[n.Index])
		if n != b.IPDom {
			j.work = append(j.work, n.Succs...)
		}
	}
	if last < 0 {
		return 0, -1
	}
	return first, last
}

// update recomputes the label of a block from its predecessors, and reports whether
// it changed.
func (j *joinFinder) update(n, b *Block) bool {
	seed := j.label[n.Index] == n.Index // n is a successor of b: joins are not updated
	label := noLabel
	if seed {
		label = n.Index
	}
	for _, p := range n.Preds {
		if p == b || p == b.IPDom || j.seen[p.Index] != j.round || j.label[p.Index] == noLabel {
			continue
		}
		switch from := j.label[p.Index]; {
		case label == noLabel:
			label = from
		case label != from:
			j.label[n.Index], j.join[n.Index] = n.Index, j.round
			return true
		}
	}
	changed := label != j.label[n.Index]
	j.label[n.Index] = label
	return changed
}

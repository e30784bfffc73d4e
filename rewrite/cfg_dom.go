// Dominators and post-dominators.

package rewrite

import "slices"

// dominance computes IDom, IPDom and the reverse postorder.
//
// Post-dominators are those of the graph with the edges into the virtual exit, and
// one more edge to the exit from every endless region (a set of blocks that reach
// each other and nothing else): from its last block in source order, which
// for a loop is as a rule the block with the back edge. So branches inside an
// endless loop have a post-dominator inside the loop, and every block has one.
func (g *CFG) dominance() {
	n := len(g.Blocks)
	succs, preds := make([][]int, n), make([][]int, n)
	for i, b := range g.Blocks {
		succs[i], preds[i] = indices(b.Succs), indices(b.Preds)
	}
	order, idom := dominators(0, succs, preds)
	g.order = make([]int, n)
	for place, i := range order {
		g.order[i] = place
		g.rpo = append(g.rpo, g.Blocks[i])
		if idom[i] >= 0 {
			g.Blocks[i].IDom = g.Blocks[idom[i]]
		}
	}
	exit := g.Exit.Index
	for _, b := range endless(succs, exit) {
		succs[b] = append(succs[b], exit)
		preds[exit] = append(preds[exit], b)
	}
	_, ipdom := dominators(exit, preds, succs)
	for i, d := range ipdom {
		if d >= 0 {
			g.Blocks[i].IPDom = g.Blocks[d]
		}
	}
	for i, t := range treeOrder(idom) {
		g.Blocks[i].dom = t
	}
	for i, t := range treeOrder(ipdom) {
		g.Blocks[i].pdom = t
	}
}

// interval is a node's place in a tree: a contains b when b is below a or is a.
type interval struct{ first, last int }

func (a interval) contains(b interval) bool { return a.first <= b.first && b.last <= a.last }

// treeOrder numbers the nodes of a forest given by parents, -1 for roots.
func treeOrder(parent []int) []interval {
	kids := make([][]int, len(parent))
	var work []int
	for v, p := range parent {
		if p >= 0 {
			kids[p] = append(kids[p], v)
		} else {
			work = append(work, v)
		}
	}
	out := make([]interval, len(parent))
	clock := 0
	const leave = -1 // work holds ^v for "v is finished"
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v <= leave {
			out[^v].last = clock
			continue
		}
		clock++
		out[v].first = clock
		work = append(work, ^v)
		work = append(work, kids[v]...)
	}
	return out
}

func indices(blocks []*Block) []int {
	out := make([]int, len(blocks))
	for i, b := range blocks {
		out[i] = b.Index
	}
	return out
}

// dominators computes immediate dominators from root by the algorithm of Lengauer
// and Tarjan with path compression (simple version, O(m log n)). The results are
// the reached nodes in reverse postorder, and for every node its immediate
// dominator, -1 for the root and nodes not reached.
func dominators(root int, succs, preds [][]int) (order, idom []int) {
	d := newDomTree(root, succs)
	for i := len(d.vertex) - 1; i > 0; i-- {
		w := d.vertex[i]
		for _, v := range preds[w] {
			if d.num[v] >= 0 {
				d.semi[w] = min(d.semi[w], d.semi[d.eval(v)])
			}
		}
		s := d.vertex[d.semi[w]]
		d.bucket[s] = append(d.bucket[s], w)
		p := d.parent[w]
		d.ancestor[w] = p
		for _, v := range d.bucket[p] {
			d.idom[v] = p
			if u := d.eval(v); d.semi[u] < d.semi[v] {
				d.idom[v] = u
			}
		}
		d.bucket[p] = nil
	}
	for _, w := range d.vertex[1:] {
		if d.idom[w] != d.vertex[d.semi[w]] {
			d.idom[w] = d.idom[d.idom[w]]
		}
	}
	return d.order, d.idom
}

// domTree is the working state of dominators; all slices are indexed by node
// except vertex (by preorder number) and order.
type domTree struct {
	vertex, order          []int
	num, semi              []int // preorder number, -1 when not reached; semidominator's number
	parent, ancestor, best []int
	bucket                 [][]int
	idom                   []int
}

func newDomTree(root int, succs [][]int) *domTree {
	n := len(succs)
	d := &domTree{
		num: filled(n), semi: filled(n), parent: filled(n), ancestor: filled(n), best: filled(n),
		idom: filled(n), bucket: make([][]int, n),
	}
	type frame struct{ node, next int }
	visit := func(v, parent int) frame {
		d.num[v], d.semi[v] = len(d.vertex), len(d.vertex)
		d.vertex = append(d.vertex, v)
		d.parent[v], d.best[v] = parent, v
		return frame{v, 0}
	}
	stack := []frame{visit(root, -1)}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.next == len(succs[top.node]) {
			d.order = append(d.order, top.node)
			stack = stack[:len(stack)-1]
			continue
		}
		v := succs[top.node][top.next]
		top.next++
		if d.num[v] < 0 {
			stack = append(stack, visit(v, top.node))
		}
	}
	slices.Reverse(d.order)
	return d
}

func filled(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

// eval returns the node with the least semidominator on the forest path above v. It
// compresses the path, without recursion since paths may be as long as the function.
func (d *domTree) eval(v int) int {
	if d.ancestor[v] < 0 {
		return v
	}
	var path []int
	for u := v; d.ancestor[d.ancestor[u]] >= 0; u = d.ancestor[u] {
		path = append(path, u)
	}
	for _, u := range slices.Backward(path) {
		a := d.ancestor[u]
		if d.semi[d.best[a]] < d.semi[d.best[u]] {
			d.best[u] = d.best[a]
		}
		d.ancestor[u] = d.ancestor[a]
	}
	return d.best[v]
}

// Dominates reports whether every path from the entry to b goes through a. A block
// dominates itself. Blocks that the entry does not reach are dominated by none other.
func (g *CFG) Dominates(a, b *Block) bool { return a.dom.contains(b.dom) }

// PostDominates reports whether every path from b to the exit goes through a.
func (g *CFG) PostDominates(a, b *Block) bool { return a.pdom.contains(b.pdom) }

// Reached reports whether the entry reaches b.
func (g *CFG) Reached(b *Block) bool { return b.IDom != nil || b.Index == 0 }

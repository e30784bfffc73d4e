// Explanations of executions that are not sequentially consistent.

package weakmem

import "slices"

// Reordered is two accesses of one thread, in program order, that other threads have seen in the other order.
type Reordered struct{ First, Second int }

// Remedy is what would forbid an execution.
type Remedy uint8

// Remedies: fences between the accesses of each pair.
const (
	NoRemedy Remedy = iota // no fence forbids it: a weak access takes part
	FenceAcqRel
	FenceSC
)

// Explanation says why an execution is not sequentially consistent. Cycle is the accesses of the cycle, Scope the
// narrowest scope that includes their threads.
type Explanation struct {
	Pairs  []Reordered
	Cycle  []int
	Remedy Remedy
	Scope  Scope
}

// maxExplained is the maximum number of operations of an execution that is explained.
const maxExplained = 512

// Explain returns the accesses that were seen out of order in an execution that is not sequentially consistent: the
// steps in program order of a shortest cycle of program order, reads-from, coherence order and from-reads (Shasha and
// Snir, Efficient and Correct Execution of Parallel Programs that Share Memory, TOPLAS 1988). The remedy is the weakest
// kind of fence that, put between the two accesses of each pair with a scope, makes the axioms forbid the execution.
// There are no pairs if there is no such cycle; ok is false if the execution is too long or incomplete.
func (g *Graph) Explain() (x Explanation, ok bool) {
	if len(g.events) > maxExplained || !g.Consistent() ||
		slices.ContainsFunc(g.events, func(e event) bool { return e.Kind <= Write && !e.done() }) {
		return x, false
	}
	cycle := g.cycle()
	x.Cycle, x.Scope = cycle, CTA
	for k, i := range cycle {
		j := cycle[(k+1)%len(cycle)]
		a, b := &g.events[i], &g.events[j]
		if a.thread == b.thread && i < j && a.pair != j {
			x.Pairs = append(x.Pairs, Reordered{max(i, a.pair), j})
		}
		switch {
		case a.Thread.Block == b.Thread.Block:
		case a.Thread.Cluster == b.Thread.Cluster:
			x.Scope = max(x.Scope, Cluster)
		default:
			x.Scope = GPU
		}
	}
	for _, remedy := range []Remedy{FenceAcqRel, FenceSC} {
		with := g.fenced(x.Pairs, Op{
			Kind: Fence, Strong: true, Scope: x.Scope, Acquires: true, Releases: true,
			SC: remedy == FenceSC,
		})
		if !with.Consistent() && !with.Exceeded() {
			x.Remedy = remedy
			break
		}
	}
	return x, true
}

// follows returns, for each access, those that it precedes in a sequentially consistent order.
func (g *Graph) follows() matrix {
	n := len(g.events)
	m := newMatrix(n)
	later := func(v, w int) bool { // in coherence order
		return g.witness.has(v, w) || !g.witness.has(w, v) && g.events[v].serial < g.events[w].serial
	}
	for i := range g.events {
		a := &g.events[i]
		for j := range g.events {
			b := &g.events[j]
			switch {
			case i == j || !a.done() || !b.done():
			case a.thread == b.thread && i < j:
				m.set(i, j)
			case a.thread == b.thread || !a.At.overlaps(b.At):
			case a.Kind == Write && b.Kind == Write && later(i, j), a.Kind == Write && b.Kind == Read &&
				slices.Contains(b.from, i):
				m.set(i, j)
			case a.Kind == Read && b.Kind == Write:
				for k, w := range a.from {
					if b.At.covers(a.At, k) && w != j && (w == Initial || w >= 0 && later(w, j)) {
						m.set(i, j)
					}
				}
			}
		}
	}
	return m
}

// done reports whether an operation is an access that is complete.
func (e *event) done() bool {
	return e.Kind == Write && e.performed || e.Kind == Read && !slices.Contains(e.from, unresolved)
}

// cycle returns a shortest cycle, nil if there is none.
func (g *Graph) cycle() (best []int) {
	m, n := g.follows(), len(g.events)
	for start := range n {
		from := slices.Repeat([]int{-1}, n)
		queue := []int{start}
		for k := 0; k < len(queue) && from[start] < 0; k++ {
			m.each(queue[k], func(j int) {
				if from[j] < 0 {
					from[j] = queue[k]
					queue = append(queue, j)
				}
			})
		}
		if from[start] < 0 {
			continue
		}
		path := []int{start}
		for at := from[start]; at != start; at = from[at] {
			path = append(path, at)
		}
		if slices.Reverse(path[1:]); best == nil || len(path) < len(best) {
			best = path
		}
	}
	return best
}

// fenced returns the graph with a fence after the first access of each pair.
func (g *Graph) fenced(pairs []Reordered, fence Op) *Graph {
	h := NewGraph()
	at := make([]int, len(g.events))
	for i := range g.events {
		at[i] = h.Add(g.events[i].Op)
		if slices.ContainsFunc(pairs, func(p Reordered) bool { return p.First == i }) {
			fence.Thread = g.events[i].Thread
			h.Add(fence)
		}
	}
	for i := range g.events {
		e, to := &g.events[i], &h.events[at[i]]
		to.performed, to.serial = e.performed, e.serial
		if e.pair >= 0 {
			to.pair = at[e.pair]
		}
		for k, w := range e.from {
			if to.from[k] = w; w >= 0 {
				to.from[k] = at[w]
			}
		}
	}
	for _, p := range g.before {
		h.Order(at[p[0]], at[p[1]])
	}
	for _, f := range g.finals {
		h.SetLast(f.at, at[f.write])
	}
	return h
}

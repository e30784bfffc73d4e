// The axioms: whether a graph can be completed to an execution that the model allows.

package weakmem

import (
	"math/bits"
	"slices"
)

// includes reports whether the scope of a includes the thread of b.
func (a *event) includes(b *event) bool {
	switch a.Scope {
	case CTA:
		return a.Thread.Block == b.Thread.Block
	case Cluster:
		return a.Thread.Cluster == b.Thread.Cluster
	}
	return a.Scope != NoScope
}

// morally reports whether two operations are morally strong (PTX ISA 8.7.2, "Morally strong operations"): related in
// program order, or strong with scopes that include each other; two memory operations also overlap completely.
func (g *Graph) morally(i, j int) bool {
	a, b := &g.events[i], &g.events[j]
	if i == j || a.Kind <= Write && b.Kind <= Write && a.At != b.At {
		return false
	}
	return a.thread == b.thread || a.Strong && b.Strong && a.includes(b) && b.includes(a)
}

// Consistent reports whether there are a coherence order and a Fence-SC order with which the axioms hold (PTX ISA
// 8.10). It reports that there are none once too many have been tried for the graph (Exceeded).
func (g *Graph) Consistent() bool {
	c := &check{g: g, n: len(g.events)}
	c.observe()
	base := newMatrix(c.n)
	c.threads(base)
	for _, p := range g.before {
		base.set(p[0], p[1])
	}
	c.synchronise(base)
	base.close(c.n)
	return c.fences(base)
}

// check is one examination of a graph.
type check struct {
	g     *Graph
	n     int
	again bool // an order has failed
	// observed has, for each write, the reads that it precedes in observation order (8.9.2).
	observed matrix
	reads    []int // resolved
	writes   []int // performed
}

// observe determines the observation order.
func (c *check) observe() {
	c.observed = newMatrix(c.n)
	for i := range c.g.events {
		e := &c.g.events[i]
		switch {
		case e.Kind == Write && e.performed:
			c.writes = append(c.writes, i)
		case e.Kind == Read && e.resolvedSome():
			c.reads = append(c.reads, i)
		}
	}
	for _, r := range c.reads {
		for _, w := range c.g.events[r].from {
			if w >= 0 && c.g.morally(r, w) {
				c.observed.set(w, r)
			}
		}
	}
	// Through atomic operations: W precedes Z, and Z precedes R.
	for changed := true; changed; {
		changed = false
		for _, w := range c.writes {
			c.observed.each(w, func(r int) {
				z := c.g.events[r].pair
				if z < 0 {
					return
				}
				c.observed.each(z, func(later int) {
					if !c.observed.has(w, later) {
						c.observed.set(w, later)
						changed = true
					}
				})
			})
		}
	}
}

func (e *event) resolvedSome() bool {
	for _, w := range e.from {
		if w != unresolved {
			return true
		}
	}
	return false
}

// threads adds program order.
func (c *check) threads(m matrix) {
	last := make([]int, len(c.g.counts))
	for i := range last {
		last[i] = -1
	}
	for i := range c.g.events {
		t := c.g.events[i].thread
		if last[t] >= 0 {
			m.set(last[t], i)
		}
		last[t] = i
	}
}

// synchronise adds the pairs of release and acquire patterns that synchronise (8.8, "Release and Acquire Patterns";
// 8.9.3).
func (c *check) synchronise(m matrix) {
	for _, w := range c.writes {
		if !c.g.events[w].Strong {
			continue
		}
		var first []int
		c.observed.each(w, func(r int) {
			if !c.g.events[r].Strong || c.g.events[r].Discards {
				return
			}
			if first == nil {
				first = c.releases(w)
			}
			for _, x := range first {
				for _, y := range c.acquires(r) {
					if c.g.morally(x, y) {
						m.set(x, y)
					}
				}
			}
		})
	}
}

// releases returns the first operations of the release patterns that end with a strong write.
func (c *check) releases(write int) []int {
	list := []int{}
	w := &c.g.events[write]
	if w.Releases {
		list = append(list, write)
	}
	for i := range write {
		e := &c.g.events[i]
		if e.thread == w.thread && e.Releases && (e.Kind == Fence || e.Kind == Write && e.performed && e.At == w.At) {
			list = append(list, i)
		}
	}
	return list
}

// acquires returns the last operations of the acquire patterns that begin with a strong read.
func (c *check) acquires(read int) (list []int) {
	r := &c.g.events[read]
	if r.Acquires {
		list = append(list, read)
	}
	for i := read + 1; i < c.n; i++ {
		e := &c.g.events[i]
		if e.thread == r.thread && e.Acquires && (e.Kind == Fence || e.Kind == Read && e.At == r.At) {
			list = append(list, i)
		}
	}
	return list
}

// causes reports whether one operation precedes another one on an overlapping location in causality order (8.9.5).
func (c *check) causes(base matrix, a, b int) bool {
	if base.has(a, b) {
		return true
	}
	for w, word := range c.observed.row(a) {
		for ; word != 0; word &= word - 1 {
			r := w*64 + bits.TrailingZeros64(word)
			if base.has(r, b) && c.g.events[r].At.overlaps(c.g.events[b].At) {
				return true
			}
		}
	}
	return false
}

// coherent determines what the axioms Coherence, Causality and Atomicity demand of the coherence order, and tries the
// rest.
func (c *check) coherent(base matrix) bool {
	co := newMatrix(c.n)
	for _, v := range c.writes {
		for _, w := range c.writes {
			if v != w && c.g.events[v].At.overlaps(c.g.events[w].At) && c.causes(base, v, w) {
				co.set(v, w)
			}
		}
	}
	var never [][2]int
	for _, r := range c.reads {
		bad, forced := c.causal(base, r, co)
		if bad {
			return c.failed()
		}
		never = append(never, forced...)
	}
	atomic, ok := c.atomicity(co)
	if !ok || !c.last(co, &never) {
		return false
	}
	co.close(c.n)
	return c.complete(co, never, atomic)
}

// causal applies the axioms Causality and single-copy atomicity to a read: it returns pairs of writes of which the
// first must not precede the second, and adds to co where one must precede the other.
func (c *check) causal(base matrix, read int, co matrix) (bad bool, never [][2]int) {
	r := &c.g.events[read]
	for _, w := range r.from { // single-copy atomicity (8.10.5)
		if w < 0 || !c.g.morally(read, w) {
			continue
		}
		for _, from := range r.from {
			switch {
			case from == w || from == unresolved:
			case from == Initial:
				return true, nil
			case c.g.morally(from, w):
				co.set(w, from)
			default:
				never = append(never, [2]int{from, w})
			}
		}
	}
	for b, from := range r.from {
		if from == unresolved || b > 0 && from == r.from[b-1] && c.alike(r.At, b) {
			continue
		}
		if from >= 0 && c.causes(base, read, from) {
			return true, nil
		}
		for _, w := range c.writes {
			if w == from || !c.g.events[w].At.covers(r.At, b) || !c.causes(base, w, read) {
				continue
			}
			switch {
			case from == Initial:
				return true, nil
			case c.g.morally(from, w):
				co.set(w, from)
			default:
				never = append(never, [2]int{from, w})
			}
		}
	}
	return false, never
}

// alike reports whether the writes that cover a byte of a range are those that cover the byte before it.
func (c *check) alike(at Range, b int) bool {
	for _, w := range c.writes {
		if e := &c.g.events[w]; e.At.covers(at, b) != e.At.covers(at, b-1) {
			return false
		}
	}
	return true
}

// between is a demand of the axiom Atomicity: write is not both after from and before the atomic operation.
type between struct{ from, write, atomic int }

// atomicity returns the demands of the axiom Atomicity (8.10.4).
func (c *check) atomicity(co matrix) (list []between, ok bool) {
	for _, r := range c.reads {
		a := c.g.events[r].pair
		if a < 0 || !c.g.events[a].performed {
			continue
		}
		for b, from := range c.g.events[r].from {
			if from == unresolved || b > 0 && from == c.g.events[r].from[b-1] {
				continue
			}
			for _, w := range c.writes {
				switch {
				case w == a || w == from || !c.g.morally(w, r) || !c.g.morally(w, a):
				case from == Initial:
					co.set(a, w)
				default:
					list = append(list, between{from, w, a})
				}
			}
		}
	}
	return list, true
}

// last applies the choices of last writes.
func (c *check) last(co matrix, never *[][2]int) bool {
	for _, f := range c.g.finals {
		for _, w := range c.writes {
			switch {
			case w == f.write || !c.g.events[w].At.overlaps(f.at):
			case c.g.morally(w, f.write):
				co.set(w, f.write)
			default:
				*never = append(*never, [2]int{f.write, w})
			}
		}
	}
	return true
}

// complete orders the morally strong writes that are not ordered yet (axiom Coherence, 8.10.1), and reports whether one
// of the orders fulfils the demands. co is transitive.
func (c *check) complete(co matrix, never [][2]int, atomic []between) bool {
	for _, w := range c.writes {
		if co.has(w, w) {
			return c.failed()
		}
	}
	for _, p := range never {
		if co.has(p[0], p[1]) {
			return c.failed()
		}
	}
	for _, d := range atomic {
		after, before := co.has(d.from, d.write), co.has(d.write, d.atomic)
		switch {
		case after && before:
			return c.failed()
		case after && !co.has(d.atomic, d.write):
			co.addClosed(c.n, d.atomic, d.write)
			return c.complete(co, never, atomic)
		case before && c.g.morally(d.from, d.write) && !co.has(d.write, d.from):
			co.addClosed(c.n, d.write, d.from)
			return c.complete(co, never, atomic)
		}
	}
	for i, v := range c.writes {
		for _, w := range slices.Backward(c.writes[:i]) { // those before w follow from it
			if co.has(v, w) || co.has(w, v) || !c.g.morally(v, w) {
				continue
			}
			one := co.clone()
			one.addClosed(c.n, w, v)
			if c.complete(one, never, atomic) {
				return true
			}
			if c.g.Exceeded() {
				return false
			}
			co.addClosed(c.n, v, w)
			return c.complete(co, never, atomic)
		}
	}
	c.g.witness = co
	return true
}

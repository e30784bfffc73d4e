// Coherence order and the axioms that depend on it.

package axioms

// coherence calls yield with each coherence order that the axioms allow. Coherence order relates writes that are
// morally strong or in causality order, and what follows by transitivity; other orders allow less.
func (c *candidate) coherence(yield func(co *relation)) {
	var co relation
	var pairs [][2]int
	for a, e := range c.events {
		for b, f := range c.events {
			if e.kind != write || f.kind != write || a == b || !e.overlaps(f) {
				continue
			}
			if c.cause.has(a, b) || e.thread < 0 { // axiom Coherence
				co.add(a, b)
			}
			if a < b && c.strong.has(a, b) && e.thread >= 0 {
				pairs = append(pairs, [2]int{a, b})
			}
		}
	}
	c.orient(&co, pairs, yield)
}

// orient decides the order of the first pair that has none.
func (c *candidate) orient(co *relation, pairs [][2]int, yield func(*relation)) {
	if c.stop != nil && c.stop() || !co.acyclic(c.n) {
		return
	}
	for i, p := range pairs {
		if co.has(p[0], p[1]) || co.has(p[1], p[0]) {
			continue
		}
		for _, q := range [][2]int{p, {p[1], p[0]}} {
			next := *co
			next.add(q[0], q[1])
			c.orient(&next, pairs[i+1:], yield)
		}
		return
	}
	if c.consistent(co) {
		yield(co)
	}
}

// consistent reports whether the remaining axioms hold.
func (c *candidate) consistent(co *relation) bool {
	fr := c.fromReads(co)
	return c.causal(fr) && c.atomic(co, fr) && c.scPerLocation(co, fr)
}

// fromReads returns the part of communication order from reads to writes that overwrite what they have read.
func (c *candidate) fromReads(co *relation) *relation {
	var fr relation
	for r, list := range c.from {
		for _, s := range list {
			for b, w := range c.events {
				if w.kind == write && w.at == s.w.at && w.lo < s.hi && s.lo < w.hi && co.has(s.w.index, b) {
					fr.add(r, b)
				}
			}
		}
	}
	return &fr
}

// causal is the axiom Causality: communication order does not contradict causality order.
func (c *candidate) causal(fr *relation) bool {
	ok := true
	check := func(a, b int) { ok = ok && !c.cause.has(b, a) }
	c.rf.each(c.n, check)
	fr.each(c.n, check)
	return ok
}

// atomic is the axiom Atomicity: single-copy atomicity, and that of read-modify-write operations.
func (c *candidate) atomic(co, fr *relation) bool {
	for r, list := range c.from {
		for _, s := range list {
			for _, other := range list {
				if c.strong.has(s.w.index, r) && co.has(other.w.index, s.w.index) {
					return false
				}
			}
		}
	}
	for r, e := range c.events {
		if e.kind != read || e.rmw == nil {
			continue
		}
		for w, f := range c.events {
			if f.kind == write && f != e.rmw && c.strong.has(r, w) && fr.has(r, w) && co.has(w, e.rmw.index) {
				return false
			}
		}
	}
	return true
}

// scPerLocation is the axiom SC-per-Location: program order between overlapping operations and communication between
// morally strong ones has no cycle.
func (c *candidate) scPerLocation(co, fr *relation) bool {
	var all relation
	add := func(a, b int) {
		if c.strong.has(a, b) {
			all.add(a, b)
		}
	}
	c.rf.each(c.n, add)
	co.each(c.n, add)
	fr.each(c.n, add)
	c.po.each(c.n, func(a, b int) {
		e, f := c.events[a], c.events[b]
		if e.overlaps(f) && e.address == f.address && e.proxy == f.proxy {
			all.add(a, b)
		}
	})
	return all.acyclic(c.n)
}

// races calls yield with conflicting operations of different threads that are neither morally strong nor in causality
// order.
func (c *candidate) races(yield func(later, earlier *event)) {
	for a, e := range c.events {
		for b, f := range c.events[:a] {
			if e.overlaps(f) && (e.kind == write || f.kind == write) && e.thread != f.thread && e.thread >= 0 &&
				f.thread >= 0 &&
				!c.strong.has(a, b) && !c.cause.has(a, b) && !c.cause.has(b, a) {
				yield(e, f)
			}
		}
	}
}

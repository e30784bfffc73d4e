// Candidate executions: events with what does not depend on values, and the causality order that follows from what
// reads read.

package axioms

import "github.com/ptxsan/ptxsan/internal/litmus"

// candidate is an execution of one trace for each thread.
type candidate struct {
	test   *litmus.Test
	wide   bool
	events []*event
	n      int

	po      relation // program order, from initial values to all
	strong  relation // morally strong
	fences  [][2]int // pairs of morally strong fence.sc operations of two threads
	meeting relation // barriers that synchronise

	stop func() bool // reports whether the enumeration has to end; nil for never

	from [][]source // by event: where each segment of a read is from
	// Relations of the execution:
	rf, fenceSC, observed, base, cause relation
}

// source is a segment of the bytes of a read, and the write that it reads from.
type source struct {
	lo, hi int
	w      *event
}

// newCandidate returns the candidate of traces, or nil if their barriers do not meet.
func newCandidate(t *litmus.Test, traces []*trace) *candidate {
	c := &candidate{test: t, wide: t.Wide()}
	for _, l := range t.Locations {
		if l.Of == nil {
			c.add(&event{kind: write, thread: -1, at: l, address: l, hi: l.Size, value: constant(l.Initial)})
		}
	}
	for _, tr := range traces {
		for _, e := range tr.events {
			c.add(e)
		}
	}
	c.n = len(c.events)
	if c.n > maxEvents {
		panic("BUG: too many events")
	}
	for a, e := range c.events {
		for b, f := range c.events {
			if f.thread >= 0 && (e.thread < 0 || e.thread == f.thread && a < b) {
				c.po.add(a, b)
			}
		}
	}
	for a, e := range c.events {
		for b, f := range c.events {
			if a != b && c.morallyStrong(e, f) {
				c.strong.add(a, b)
				if a < b && e.sc && f.sc && e.thread != f.thread {
					c.fences = append(c.fences, [2]int{a, b})
				}
			}
		}
	}
	if !c.meet() {
		return nil
	}
	c.from = make([][]source, c.n)
	return c
}

func (c *candidate) add(e *event) {
	e.index = len(c.events)
	c.events = append(c.events, e)
}

// morallyStrong implements section "Morally Strong Operations".
func (c *candidate) morallyStrong(e, f *event) bool {
	if e.kind > fence || f.kind > fence {
		return false
	}
	inOrder := c.po.has(e.index, f.index) || c.po.has(f.index, e.index)
	if !inOrder && (!e.strong || !f.strong || !c.includes(e, f) || !c.includes(f, e)) {
		return false
	}
	if e.proxy != f.proxy {
		return false
	}
	return !e.memory() || !f.memory() || e.sameBytes(f)
}

// includes reports whether the scope of an event includes the thread of another one.
func (c *candidate) includes(e, f *event) bool {
	a, b := c.test.Threads[e.thread], c.test.Threads[f.thread]
	switch e.scope {
	case "cta":
		return a.SameCTA(b)
	case "cluster":
		return a.SameCluster(b)
	case "gpu":
		return a.GPU == b.GPU
	}
	return true
}

func (c *candidate) sameCTA(e, f *event) bool {
	return e.thread < 0 || f.thread < 0 || c.test.Threads[e.thread].SameCTA(c.test.Threads[f.thread])
}

// order computes causality order from what the reads read and the order of fences. It returns false if base causality
// order contradicts Fence-SC order (axiom Fence-SC).
func (c *candidate) order() bool {
	c.rf, c.observed = relation{}, relation{}
	for r, list := range c.from {
		for _, s := range list {
			c.rf.add(s.w.index, r)
			if c.strong.has(s.w.index, r) {
				c.observed.add(s.w.index, r)
			}
		}
	}
	for a, e := range c.events {
		if e.rmw != nil && e.kind == read {
			c.observed.add(a, e.rmw.index)
		}
	}
	c.observed.close(c.n)
	c.base = c.po
	c.base.join(&c.fenceSC, c.n)
	c.base.join(&c.meeting, c.n)
	c.synchronise()
	c.base.close(c.n)
	for _, p := range c.fences {
		if c.base.has(p[0], p[1]) && c.base.has(p[1], p[0]) {
			return false
		}
	}
	c.cause = *c.preserved()
	writes := c.observed
	for a, e := range c.events {
		if e.kind != write { // observation order begins with a write
			writes[a] = 0
		}
	}
	c.cause.join(writes.then(&c.cause, c.n), c.n)
	return true
}

// pattern is a release or acquire pattern: its first or last operation, and its write or read.
type pattern struct{ end, access int }

// patterns returns the patterns of an execution (section "Release and Acquire Patterns").
func (c *candidate) patterns() (releases, acquires []pattern) {
	for a, e := range c.events {
		if e.kind == write && e.releases {
			releases = append(releases, pattern{a, a})
		}
		if e.kind == read && e.acquires {
			acquires = append(acquires, pattern{a, a})
		}
		for b, f := range c.events {
			if e.thread < 0 || !c.po.has(a, b) {
				continue
			}
			sameLocation := e.overlaps(f) && e.address == f.address
			if f.kind == write && f.strong && e.releases && (e.kind == fence || e.kind == write && sameLocation) {
				releases = append(releases, pattern{a, b})
			}
			if e.kind == read && e.strong && !e.red &&
				f.acquires && (f.kind == fence || f.kind == read && sameLocation) {
				acquires = append(acquires, pattern{b, a})
			}
		}
	}
	return releases, acquires
}

// synchronise adds synchronizes-with to base causality order.
func (c *candidate) synchronise() {
	releases, acquires := c.patterns()
	for _, x := range releases {
		for _, y := range acquires {
			if c.observed.has(x.access, y.access) && c.strong.has(x.end, y.end) {
				c.base.add(x.end, y.end)
			}
		}
	}
}

// preserved returns proxy-preserved base causality order.
func (c *candidate) preserved() *relation {
	var r relation
	c.base.each(c.n, func(a, b int) {
		e, f := c.events[a], c.events[b]
		if e.overlaps(f) && c.preserves(e, f) {
			r.add(a, b)
		}
	})
	return &r
}

// preserves reports whether e precedes f, as it does in base causality order, across proxies.
func (c *candidate) preserves(e, f *event) bool {
	if e.thread < 0 || e.address == f.address && e.proxy == f.proxy && (e.proxy == litmus.Generic || c.sameCTA(e, f)) {
		return true
	}
	for _, from := range c.crossings(e, false) {
		for _, to := range c.crossings(f, true) {
			if e.address == f.address && c.precedes(from, to) {
				return true
			}
			for _, x := range c.events {
				if x.kind == proxyFence && x.proxy == litmus.Alias && c.precedes(from, x) && c.precedes(x, to) {
					return true
				}
			}
		}
	}
	return false
}

func (c *candidate) precedes(e, f *event) bool { return e == f || c.base.has(e.index, f.index) }

// crossings returns the fences by which an access becomes one of the generic proxy, or follows one: the access itself
// if it is.
func (c *candidate) crossings(e *event, before bool) []*event {
	if e.proxy == litmus.Generic {
		return []*event{e}
	}
	var list []*event
	for _, x := range c.events {
		if x.kind != proxyFence || x.proxy != e.proxy || !c.sameCTA(x, e) {
			continue
		}
		if before && c.base.has(x.index, e.index) || !before && c.base.has(e.index, x.index) {
			list = append(list, x)
		}
	}
	return list
}

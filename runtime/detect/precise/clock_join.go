// Lazy joins of clocks released by fences: the vector clock is made when a thread acquires it.

package precise

import (
	"math/bits"
	"slices"
)

// part is the release of lanes of a unit at one time: their clock, and their own accesses. A clock that includes those accesses
// includes the rest, so two numbers tell whether it includes the part.
type part struct {
	snapshot
	unit  unit
	lanes uint32
}

// parts is the list of the parts of a join.
type parts struct {
	list []part
	of   [2]part // backing array of short lists
}

// maxParts is the number of parts that a join keeps separate.
const maxParts = 8

// knownTo reports whether clock c includes the part.
func (p *part) knownTo(c *clock) bool {
	for m := p.lanes; m != 0; m &= m - 1 {
		if !c.includes(p.unit, bits.TrailingZeros32(m), p.at) {
			return false
		}
	}
	return true
}

// includesThread reports whether a part includes the accesses of a thread up to a time.
func (p *part) includesThread(u unit, lane int, at stamp) bool {
	return p.unit == u && p.lanes>>lane&1 != 0 && p.at >= at || p.clock.includes(u, lane, at)
}

// includes reports whether part p includes part q.
func (p *part) includes(q *part) bool {
	for m := q.lanes; m != 0; m &= m - 1 {
		if !p.includesThread(q.unit, bits.TrailingZeros32(m), q.at) {
			return false
		}
	}
	return true
}

// join is the least upper bound of a clock and some parts.
type join struct {
	clock *clock
	parts []part
}

// addPart adds a part.
func (j *join) addPart(m *merges, p *part) {
	if p.clock != nil && p.clock.fenced != nil {
		j.addClock(m, m.ofLanes(p.snapshot, p.unit, p.lanes)) // the clock has more than the part's own accesses
		return
	}
	if j.clock != nil && p.knownTo(j.clock) || slices.ContainsFunc(j.parts, func(q part) bool { return q.includes(p) }) {
		return
	}
	j.parts = append(slices.DeleteFunc(j.parts, func(q part) bool { return p.includes(&q) }), *p)
	if len(j.parts) > maxParts {
		j.clock = j.get(m)
	}
}

// addClock adds a clock, which may be a lazy join itself.
func (j *join) addClock(m *merges, c *clock) {
	switch {
	case c == nil || c == j.clock:
	case j.clock == nil:
		j.clock = c
	case c.parts == nil:
		j.clock = m.merge(j.clock.made(m), c)
	default:
		for i := range c.parts.list {
			j.addPart(m, &c.parts.list[i])
		}
	}
}

// get returns the clock of a join and resets the join.
func (j *join) get(m *merges) *clock {
	c, list := j.clock, j.parts
	j.clock, j.parts = nil, list[:0]
	if len(list) == 0 {
		return c
	}
	var of [maxParts]part // parts of c that the others do not include
	n := 0
	if c != nil && c.parts != nil {
		for _, x := range c.parts.list {
			if !slices.ContainsFunc(list, func(p part) bool { return p.includes(&x) }) {
				of[n] = x
				n++
			}
		}
	}
	if c != nil && c.parts == nil || n+len(list) > maxParts {
		c = c.made(m)
		for i := range list {
			p := &list[i]
			c = m.merge(c, m.ofLanes(p.snapshot, p.unit, p.lanes))
		}
		return c
	}
	made := new(struct {
		join clock
		kept parts
	})
	made.join.parts, made.kept.list = &made.kept, append(append(made.kept.of[:0], of[:n]...), list...)
	return &made.join
}

// partsInclude reports whether one of the parts includes the accesses of a thread up to a time.
func (c *clock) partsInclude(u unit, lane int, at stamp) bool {
	for i := range c.parts.list {
		if c.parts.list[i].includesThread(u, lane, at) {
			return true
		}
	}
	return false
}

// made returns c with its tree made, if c is a lazy join.
func (c *clock) made(m *merges) *clock {
	if c == nil || c.parts == nil || c.known != nil {
		return c
	}
	var all *clock
	for i := range c.parts.list {
		p := &c.parts.list[i]
		all = m.merge(all, m.ofLanes(p.snapshot, p.unit, p.lanes))
	}
	c.known, c.fenced = all.tree(), all.fenced
	return c
}

// joined returns the join of two clocks, either of which may be a lazy join.
func (m *merges) joined(a, b *clock) *clock {
	if a == nil || a == b {
		return b
	}
	j := join{clock: a}
	j.addClock(m, b)
	return j.get(m)
}

// includes reports whether clock c includes clock x, either of which may be a lazy join.
func (m *merges) includes(c, x *clock) bool {
	switch {
	case c == x || x == nil:
		return true
	case c == nil:
		return false
	case x.parts == nil:
		return m.hasAll(c.made(m), x)
	}
	for i := range x.parts.list {
		if !x.parts.list[i].knownTo(c) {
			return false
		}
	}
	return true
}

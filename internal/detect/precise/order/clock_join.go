// Lazy joins of clocks released by fences: the vector clock is made when a thread acquires it.

package order

import (
	"math/bits"
	"slices"
)

// Part is the release of lanes of a unit at one time: their clock, and their own accesses. A clock that includes those
// accesses includes the rest, so two numbers tell whether it includes the part.
type Part struct {
	Snapshot
	Unit  Unit
	Lanes uint32
}

// parts is the list of the parts of a join.
type parts struct {
	list []Part
	of   [2]Part // backing array of short lists
}

// maxParts is the number of parts that a join keeps separate.
const maxParts = 8

// knownTo reports whether clock c includes the part.
func (p *Part) knownTo(c *Clock) bool {
	for m := p.Lanes; m != 0; m &= m - 1 {
		if !c.Includes(p.Unit, bits.TrailingZeros32(m), p.At) {
			return false
		}
	}
	return true
}

// includesThread reports whether a part includes the accesses of a thread up to a time.
func (p *Part) includesThread(u Unit, lane int, at Stamp) bool {
	return p.Unit == u && p.Lanes>>lane&1 != 0 && p.At >= at || p.Clock.Includes(u, lane, at)
}

// includes reports whether part p includes part q.
func (p *Part) includes(q *Part) bool {
	for m := q.Lanes; m != 0; m &= m - 1 {
		if !p.includesThread(q.Unit, bits.TrailingZeros32(m), q.At) {
			return false
		}
	}
	return true
}

// Join is the least upper bound of a clock and some parts.
type Join struct {
	clock *Clock
	parts []Part
}

// AddPart adds a part.
func (j *Join) AddPart(m *Merges, p *Part) {
	if p.Clock != nil && p.Clock.Fenced != nil {
		j.AddClock(m, m.OfLanes(p.Snapshot, p.Unit, p.Lanes)) // the clock has more than the part's own accesses
		return
	}
	if j.clock != nil && p.knownTo(j.clock) || slices.ContainsFunc(j.parts,
		func(q Part) bool { return q.includes(p) }) {
		return
	}
	j.parts = append(slices.DeleteFunc(j.parts, func(q Part) bool { return p.includes(&q) }), *p)
	if len(j.parts) > maxParts {
		j.clock = j.Get(m)
	}
}

// AddClock adds a clock, which may be a lazy join itself.
func (j *Join) AddClock(m *Merges, c *Clock) {
	switch {
	case c == nil || c == j.clock:
	case j.clock == nil:
		j.clock = c
	case c.parts == nil:
		j.clock = m.Merge(j.clock.Made(m), c)
	default:
		for i := range c.parts.list {
			j.AddPart(m, &c.parts.list[i])
		}
	}
}

// Get returns the clock of a join and resets the join.
func (j *Join) Get(m *Merges) *Clock {
	c, list := j.clock, j.parts
	j.clock, j.parts = nil, list[:0]
	if len(list) == 0 {
		return c
	}
	var of [maxParts]Part // parts of c that the others do not include
	n := 0
	if c != nil && c.parts != nil {
		for _, x := range c.parts.list {
			if !slices.ContainsFunc(list, func(p Part) bool { return p.includes(&x) }) {
				of[n] = x
				n++
			}
		}
	}
	if c != nil && c.parts == nil || n+len(list) > maxParts {
		c = c.Made(m)
		for i := range list {
			p := &list[i]
			c = m.Merge(c, m.OfLanes(p.Snapshot, p.Unit, p.Lanes))
		}
		return c
	}
	made := new(struct {
		join Clock
		kept parts
	})
	made.join.parts, made.kept.list = &made.kept, append(append(made.kept.of[:0], of[:n]...), list...)
	return &made.join
}

// partsInclude reports whether one of the parts includes the accesses of a thread up to a time.
func (c *Clock) partsInclude(u Unit, lane int, at Stamp) bool {
	for i := range c.parts.list {
		if c.parts.list[i].includesThread(u, lane, at) {
			return true
		}
	}
	return false
}

// Made returns c with its tree made, if c is a lazy join.
func (c *Clock) Made(m *Merges) *Clock {
	if c == nil || c.parts == nil || c.Known != nil {
		return c
	}
	var all *Clock
	for i := range c.parts.list {
		p := &c.parts.list[i]
		all = m.Merge(all, m.OfLanes(p.Snapshot, p.Unit, p.Lanes))
	}
	c.Known, c.Fenced = all.Tree(), all.Fenced
	return c
}

// Joined returns the join of two clocks, either of which may be a lazy join.
func (m *Merges) Joined(a, b *Clock) *Clock {
	if a == nil || a == b {
		return b
	}
	j := Join{clock: a}
	j.AddClock(m, b)
	return j.Get(m)
}

// Includes reports whether clock c includes clock x, either of which may be a lazy join.
func (m *Merges) Includes(c, x *Clock) bool {
	switch {
	case c == x || x == nil:
		return true
	case c == nil:
		return false
	case x.parts == nil:
		return m.hasAll(c.Made(m), x)
	}
	for i := range x.parts.list {
		if !x.parts.list[i].knownTo(c) {
			return false
		}
	}
	return true
}

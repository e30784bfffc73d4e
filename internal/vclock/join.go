// The join of two clocks.

package vclock

import "math/bits"

// Join returns the least upper bound of two clocks. If one includes the other, it returns that one and allocates
// nothing.
func Join(a, b *Clock) *Clock { return (*Builder)(nil).join(a, b) }

func (to *Builder) join(a, b *Clock) *Clock {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	case a.level > b.level && a.holds(b.base):
		return to.joinInto(a, b)
	case b.level > a.level && b.holds(a.base):
		return to.joinInto(b, a)
	case a.level != b.level || a.base != b.base:
		return to.opens(joinApart(a, b))
	case a.floor >= b.top:
		return a
	case b.floor >= a.top:
		return b
	}
	if b.open {
		a, b = b, a
	}
	switch {
	case a.level == 0:
		return to.joinLanes(a, b)
	case a.level == blockLevel && (a.isDense() || b.isDense() || areCrowded(a, b)):
		return to.joinUnits(a, b)
	case a.open && a.floor >= b.floor:
		return to.joinOpen(a, b)
	}
	return to.joinKids(a, b)
}

// joinInto joins a node with one of a range within one of its slots.
func (to *Builder) joinInto(n, part *Clock) *Clock {
	if n.floor >= part.top {
		return n
	}
	if n.isDense() {
		return to.joinRow(n, part)
	}
	i := n.slot(part.base)
	return to.replaceKid(n, i, to.join(n.kid(i), part))
}

// replaceKid returns a node with kid as the node of slot i, which is the join of the one before with something.
func (to *Builder) replaceKid(n *Clock, i uint32, kid *Clock) *Clock {
	at, old := n.index(i), n.kid(i)
	switch {
	case n.open:
		n.put(i, kid)
		return n
	case kid == old:
		return n
	}
	size := len(n.kids)
	if old == nil {
		size++
	}
	out, kids := withKids(size)
	out.base, out.level, out.floor, out.top, out.which = n.base, n.level, n.floor, max(n.top, kid.top), n.which|1<<i
	out.kids = append(append(append(kids, n.kids[:at]...), kid), n.kids[at+1+len(n.kids)-size:]...)
	return to.opens(out)
}

// Add returns the join of a clock with the time of one thread, as Join does with what Threads returns.
func (to *Builder) Add(c *Clock, x Entry) *Clock {
	switch {
	case c == nil || c.level == 0 || !c.holds(x.Unit):
	case c.floor >= x.At:
		return c
	case c.isDense():
		if i := c.slot(x.Unit); c.which>>i&1 != 0 {
			return to.addToRow(c, i, x.Lane, x.At)
		}
	case c.level > blockLevel:
		if i := c.slot(x.Unit); c.which>>i&1 != 0 {
			return to.replaceKid(c, i, to.Add(c.kid(i), x))
		}
	}
	return to.join(c, Threads(x.Unit, 1<<x.Lane, x.At))
}

// withKids returns a new node with room for n kids, which is part of the same allocation if they are few.
func withKids(n int) (*Clock, []*Clock) {
	switch {
	case n == 1:
		made := new(struct {
			Clock
			room [1]*Clock
		})
		return &made.Clock, made.room[:0]
	case n <= 4:
		made := new(struct {
			Clock
			room [4]*Clock
		})
		return &made.Clock, made.room[:0]
	}
	return new(Clock), make([]*Clock, 0, n)
}

// joinApart joins nodes of disjoint ranges.
func joinApart(a, b *Clock) *Clock {
	level := max(a.level, b.level) + 1
	for (a.base^b.base)>>(RadixBits*level) != 0 {
		level++
	}
	if a.base > b.base {
		a, b = b, a
	}
	n := &Clock{
		base: a.base >> (RadixBits * level) << (RadixBits * level), level: level, top: max(a.top, b.top),
		kids: []*Clock{a, b},
	}
	n.which = 1<<n.slot(a.base) | 1<<n.slot(b.base)
	return n
}

// joinKids joins two nodes of the same range of several units. It allocates only when the result is known to differ
// from both.
func (to *Builder) joinKids(a, b *Clock) *Clock {
	var made *Clock
	out := Clock{base: a.base, level: a.level, floor: max(a.floor, b.floor), top: max(a.top, b.top)}
	isA, isB := out.floor == a.floor, out.floor == b.floor
	i, j := 0, 0 // next indices in kids
	for m := a.which | b.which; m != 0; m &= m - 1 {
		bit := m & -m
		var x, y *Clock
		like, done := b, j // the operand that the result equals so far, if it equals one
		if isA {
			like, done = a, i
		}
		if a.which&bit != 0 {
			x = a.kids[i]
			i++
		}
		if b.which&bit != 0 {
			y = b.kids[j]
			j++
		}
		k := to.join(x, y)
		if k.top <= out.floor {
			k = nil // the floor covers it
		}
		isA, isB = isA && k == x, isB && k == y
		if out.kids == nil && !isA && !isB {
			made, out.kids = withKids(bits.OnesCount32(a.which | b.which))
			out.kids = append(out.kids, like.kids[:done]...)
			out.which = like.which & (bit - 1)
		}
		if out.kids != nil && k != nil {
			out.which, out.kids = out.which|bit, append(out.kids, k)
		}
	}
	switch {
	case isA:
		return a
	case isB:
		return b
	}
	if made == nil {
		made = new(Clock)
	}
	*made = out
	return to.opens(made)
}

// joinLanes joins two nodes of a unit.
func (to *Builder) joinLanes(a, b *Clock) *Clock {
	if a.lanes == nil && b.lanes == nil {
		if n := to.joinFew(a, b); n != nil {
			return n
		}
	}
	var roomA, roomB, lanes [Radix]Time
	ofA, ofB := a.times(&roomA), b.times(&roomB)
	var beyondA, beyondB Time // 0 as long as no lane has a later time in the result than in that operand
	for i := range lanes {
		x, y := ofA[i], ofB[i]
		latest := max(x, y)
		beyondA |= latest - x
		beyondB |= latest - y
		lanes[i] = latest
	}
	switch {
	case beyondA == 0:
		return a
	case beyondB == 0:
		return b
	}
	return to.opens(ofLanes(a.base, &lanes))
}

// joinFew joins two nodes of a unit if the result is one of them, or needs no array of times; otherwise it returns nil.
func (to *Builder) joinFew(a, b *Clock) *Clock {
	old := a
	if a.top < b.top {
		a, b = b, a
	}
	floor := max(a.floor, b.floor)
	switch further := b.which &^ a.which; { // threads whose time may be later in b
	case b.top <= a.floor, further == 0 && floor == a.floor:
		return a
	case a.top == b.top && a.which&^b.which == 0 && floor == b.floor:
		return b
	case a.top == b.top:
		return to.unit(old, few(a.base, floor, a.top, a.which|b.which))
	case further == 0, b.top <= floor:
		return to.unit(old, few(a.base, floor, a.top, a.which))
	}
	return nil
}

// Acquires of one operation at several locations, joined by releasing operation.

package barracuda

import (
	"math"
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/detect/internal/vclock"
)

// The lanes of an operation often acquire, at consecutive words, what the lanes of an earlier operation have released there. That
// operation may have acquired from a third one, and so on. All releases by one operation include the clock that its path had before
// the operation. A thread that acquires some of them therefore needs that clock once, and the set of lanes that have released. A
// gathering collects these lanes for each releasing operation, also of the releases that those have acquired, and joins one clock
// for each operation at the end. The clock of a single release is not built.
type gathering struct {
	slots [gatherSlots]gathered
	used  uint64 // slots that are not empty
}

// gathered is the releases of an operation that are to be joined.
type gathered struct {
	by    *threadClock // the operation, nil for none
	lanes uint32       // the lanes of that operation from which the current operation acquires
	known uint32       // lanes of that operation: before the acquire, the clock of the acquiring path included what they release
}

const gatherSlots = 64

// gatherLanes is the number of lanes at different locations from which on acquires are gathered. With few lanes, it is better to
// build the clocks of releases that have acquired others, since the next acquire at the location uses them.
var gatherLanes = 4

// mostAcquired is the maximum number of releases in a chain, in which each has acquired the next one. The clock of one is built in
// place of a longer chain.
var mostAcquired = uint8(16)

// add collects release a, which a path acquires. The clock of the path is before without the acquires of the operation, and after
// with those that are joined so far. add reports whether release a is news: not in before.
func (g *gathering) add(before *threadClock, a *releasedClock, after *threadClock, to *builders) bool {
	if a == nil || a == before.seen {
		return false
	}
	if a == after.seen {
		return true
	}
	if a.vc == nil && a.taken && a.acquired != nil { // acquired repeatedly
		a.clocks(&to.released)
	}
	x := a
	for x != nil {
		s := &g.slots[x.slot]
		if s.by == x.by && (s.known|s.lanes)&x.lanes == 0 && x.vc == nil {
			s.lanes |= x.lanes
			x = x.acquired
			continue
		}
		switch {
		case x.by == nil || x.by.local == math.MaxUint32:
			after.join(x.clocks(&to.released), &to.thread)
		case s.by != x.by:
			if g.begin(s, x, before, after, to) {
				continue
			}
		case s.known&x.lanes != 0:
			if x == a {
				return false
			}
		case x.lanes&^s.lanes != 0:
			after.join(x.clocks(&to.released), &to.thread)
		}
		break
	}
	a.taken, after.seen = true, a
	return true
}

// begin gives a slot to the operation of release a. It first joins the releases in the slot, unless a includes them because it is a
// later release by the same threads. It returns false if the releases in the slot include a for that reason; they keep the slot.
func (g *gathering) begin(s *gathered, a *releasedClock, before, after *threadClock, to *builders) bool {
	warp := s.lanes != 0 && s.by.id == a.by.id
	switch {
	case warp && s.by.local > a.by.local && a.lanes&^s.by.mask == 0:
		return false
	case warp && s.by.local < a.by.local && s.lanes&^a.by.mask == 0:
	case s.lanes != 0:
		s.join(after, to)
	}
	known := before.reached(a.by.id, a.by.mask, a.by.local)
	*s = gathered{by: a.by, known: known}
	g.used |= 1 << a.slot
	return true
}

// join joins the releases in a slot.
func (s *gathered) join(after *threadClock, to *builders) {
	after.join(s.by.rest, &to.thread)
	after.join(s.by.own(s.lanes), &to.thread)
}

// end joins all that has been collected.
func (g *gathering) end(after *threadClock, to *builders) {
	for ; g.used != 0; g.used &= g.used - 1 {
		s := &g.slots[bits.TrailingZeros64(g.used)]
		if s.lanes != 0 {
			s.join(after, to)
		}
		*s = gathered{}
	}
}

// reached returns those lanes of a warp for which the vector clock v has an entry of at least clock.
func (v *threadClock) reached(id, lanes, clock uint32) uint32 {
	switch {
	case id == v.id:
		found := uint32(0)
		for m := lanes; m != 0; m &= m - 1 {
			if v.at(noLane, id, first(m)) >= clock {
				found |= m & -m
			}
		}
		return found
	case id>>fanoutBits == v.id>>fanoutBits && v.block >= clock:
		return lanes
	}
	return lanes & v.rest.Reached(vclock.Unit(id), vclock.Time(clock))
}

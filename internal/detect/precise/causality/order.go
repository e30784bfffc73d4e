// Order and conflict: causality order, proxies, moral strength, observation.

package causality

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Precedes reports whether the access of another lane in an entry is ordered before the access of lane.
func (d *Threads) Precedes(a *Access, e *accesses.Entry, x *accesses.Class, other, lane int) bool {
	if d.MayBePerformed(x) && d.performedBefore(e, other) {
		return true
	}
	if c := d.Crossing(a, e, x); c != accesses.CrossesNothing {
		return d.crossed(a, e, c, other, lane)
	}
	if e.Unit == a.Unit && other == lane && (a.Async == abi.Synchronous || e.At >= a.Began) {
		return true // made by the same thread, or by the same asynchronous operation
	}
	if e.Unit == a.Warp.Unit && other == lane {
		return true // before the asynchronous operation was started
	}
	c := a.Warp.Of(lane)
	return (c != nil && c.IncludesEager(e.Unit, other, e.At) || other == lane && a.Warp.partHas(e.Unit, lane, e.At, false)) &&
		!d.unguarded(a, e, other, lane)
}

// follows reports whether a barrier of all threads of the block is known to separate an access from an earlier entry of
// that block. The vector clock of each lane shows the same, but takes longer to look up.
func (a *Access) follows(e *accesses.Entry) bool {
	return e.At <= a.met && (e.Unit^a.Unit)>>radixBits == 0
}

// AllPrecede reports whether an entry is ordered before an access for any choice of lanes. The test is conservative:
// false may mean unknown.
func (d *Threads) AllPrecede(a *Access, e *accesses.Entry, x *accesses.Class) bool {
	if c, one := a.clock(); one {
		return d.allOrderedBy(a, e, x, c, 0)
	}
	return a.follows(e) && d.Crossing(a, e, x) == accesses.CrossesNothing
}

// AllPrecedeLane reports whether an entry is ordered before the access of a lane. The test is conservative.
func (d *Threads) AllPrecedeLane(a *Access, e *accesses.Entry, x *accesses.Class, lane int) bool {
	return d.allOrderedBy(a, e, x, a.Warp.Of(lane), lane)
}

// allOrderedBy reports whether an entry is ordered before an access by lanes, or a lane, with a clock.
func (d *Threads) allOrderedBy(a *Access, e *accesses.Entry, x *accesses.Class, mine *clock, lane int) bool {
	c := d.Crossing(a, e, x)
	if c == accesses.CrossesNothing && a.follows(e) {
		return true
	}
	if mine == nil || !d.LockSets.None() {
		return false
	}
	if c != accesses.CrossesNothing {
		return a.allCrossed(mine, e, c)
	}
	k := d.knownOf(mine, e.Unit, lane)
	if k.least >= e.At || x.Async == abi.Synchronous {
		return k.least >= e.At
	}
	if k.at != e.At {
		k.at, k.lanes = e.At, mine.Reached(e.Unit, e.At)
	}
	return e.Mask&^k.lanes == 0
}

// NonePrecedes reports whether no lane of an entry is ordered before an access by other lanes, whatever these are. The
// test is conservative: false may mean unknown.
func (d *Threads) NonePrecedes(a *Access, e *accesses.Entry, x *accesses.Class) bool {
	c, one := a.clock()
	return one && d.noneOrderedBy(a, e, x, c, 0)
}

// NonePrecedesLane reports whether no other lane of an entry is ordered before the access of a lane. The test is
// conservative: false may mean unknown.
func (d *Threads) NonePrecedesLane(a *Access, e *accesses.Entry, x *accesses.Class, lane int) bool {
	return d.noneOrderedBy(a, e, x, a.Warp.Of(lane), lane)
}

// noneOrderedBy reports whether no lane of an entry is ordered before an access by other lanes, with a clock.
func (d *Threads) noneOrderedBy(a *Access, e *accesses.Entry, x *accesses.Class, mine *clock, lane int) bool {
	return !a.Warp.hasPartOf(e.Unit) && !d.MayBePerformed(x) && d.Crossing(a, e, x) == accesses.CrossesNothing &&
		(mine == nil || d.knownOf(mine, e.Unit, lane).before(e.At))
}

// clock returns the vector clock of all lanes of an access, if they are known to have one.
func (a *Access) clock() (c *clock, one bool) {
	switch {
	case a.Warp.Apart == 0:
		return a.Warp.Clock, true
	case a.Ev == nil || a.Ev.Mask&(a.Ev.Mask-1) != 0:
		return nil, false
	}
	return a.Warp.Of(bits.TrailingZeros32(a.Ev.Mask)), true
}

// knownTimes is what a clock includes of a unit: the accesses of all lanes up to a time, of some lane up to a later one,
// and of certain lanes up to a time between the two.
type knownTimes struct {
	of          *clock
	unit        unit
	least, most stamp // most is 0 if it has not been asked for
	at          stamp // 0 for none
	lanes       uint32
}

// before reports whether the clock includes no access of the unit up to a time.
func (k *knownTimes) before(at stamp) bool {
	if k.most == 0 {
		k.most = k.of.Most(k.unit)
	}
	return k.most < at
}

// knownOf returns the times of the clock of a lane, or of all lanes, for a unit, from a cache.
func (d *Threads) knownOf(c *clock, u unit, lane int) *knownTimes {
	x := &d.known[uint32(u)*0x9e3779b1>>(32-knownBits)^uint32(lane)]
	if x.of != c || x.unit != u {
		*x = knownTimes{of: c, unit: u, least: c.Least(u)}
	}
	return x
}

const knownBits = 6

// Crossing returns what orders an entry before an access. A grid that a thread launches reads afresh what was written
// before.
func (d *Threads) Crossing(a *Access, e *accesses.Entry, x *accesses.Class) accesses.Crossing {
	c := x.Crossing(a.Class)
	if (c == accesses.CrossesByEnd || c == accesses.CrossesByMapFence) && d.PlaceOf(e.Unit).Grid != a.Warp.At.Grid {
		return accesses.CrossesNothing
	}
	return c
}

// crossed reports whether the access of another lane in an entry is ordered before the access of lane, which it takes
// crossing c.
func (d *Threads) crossed(a *Access, e *accesses.Entry, c accesses.Crossing, other, lane int) bool {
	mine := a.Warp.Of(lane)
	switch {
	case c == accesses.CrossesByEnd:
		return false
	case c == accesses.CrossesByMapFence:
		return mine != nil && d.mapAcquired(a.Warp, lane, e, other)
	case other == lane && a.Warp.partHas(e.Unit, lane, e.At, true):
		return true
	case mine == nil:
		return false
	case mine.Fenced.Includes(e.Unit, other, e.At):
		return true
	}
	return c == accesses.CrossesOpen && a.Warp.Handed.Includes(e.Unit, other, e.At) &&
		mine.Includes(e.Unit, other, e.At)
}

// allCrossed reports whether an entry is ordered before an access of lanes with one clock, whichever lanes these are, if
// that takes crossing c.
func (a *Access) allCrossed(mine *clock, e *accesses.Entry, c accesses.Crossing) bool {
	switch {
	case c == accesses.CrossesByEnd, c == accesses.CrossesByMapFence: // of which it is unknown
		return false
	case mine.Fenced.Least(e.Unit) >= e.At:
		return true
	}
	return c == accesses.CrossesOpen && a.Warp.Handed.Least(e.Unit) >= e.At && mine.Least(e.Unit) >= e.At
}

// MorallyStrong reports whether an entry and an access that overlap are morally strong (PTX ISA, "Morally Strong
// Operations"). Accesses are aligned, so scalars of one size that overlap do so completely.
func (d *Threads) MorallyStrong(a *Access, e *accesses.Entry, x *accesses.Class) bool {
	if !x.Strong || !a.Strong || x.Proxy != a.Proxy || x.Scalar != a.Scalar && d.Model.OneSize {
		return false
	}
	return accesses.Mutual(x.Reach, &d.PlaceOf(e.Unit).Place, a.Reach, &a.Warp.At.Place)
}

// PlaceOf returns the place of a unit's threads: their block, cluster and grid.
func (d *Threads) PlaceOf(u unit) *Place {
	p := d.Places[u>>radixBits]
	if p.Owners != nil {
		return d.Places[p.Owners[u%radix]>>radixBits]
	}
	return p
}

// OwnerOf returns the warp of a unit: for an asynchronous operation, the warp that started it.
func (d *Threads) OwnerOf(u unit) unit {
	if p := d.Places[u>>radixBits]; p.Owners != nil {
		return p.Owners[u%radix]
	}
	return u
}

// SameWrite reports whether two lanes store the same value to the same location with the current instruction. Lanes are
// handled in order, and a lane's store replaces its earlier entries, so the entry of an earlier lane is by this
// instruction.
func (d *Threads) SameWrite(a *Access, e *accesses.Entry, other, lane int) bool {
	ev := a.Ev
	return e.Unit == a.Unit && e.Class == a.Index && e.At == a.At && a.Kind == abi.AccessStore && !a.Strong &&
		other < lane && ev.Mask>>other&1 != 0 && ev.Addr[other] == ev.Addr[lane] &&
		ev.Valued && ev.New[other] == ev.New[lane]
}

// Order and conflict: causality order, proxies, moral strength, observation.

package precise

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// precedes reports whether the access of another lane in an entry is ordered before the access of lane.
func (d *Detector) precedes(a *access, e *entry, x *accesses.Class, other, lane int) bool {
	if c := d.crossing(a, e, x); c != accesses.CrossesNothing {
		return d.crossed(a, e, c, other, lane)
	}
	if e.unit == a.unit && other == lane && (a.Async == abi.Synchronous || e.at >= a.began) {
		return true // made by the same thread, or by the same asynchronous operation
	}
	if e.unit == a.warp.unit && other == lane {
		return true // before the asynchronous operation was started
	}
	c := a.warp.of(lane)
	return c != nil && c.IncludesEager(e.unit, other, e.at) && !d.unguarded(a, e, other, lane)
}

// follows reports whether a barrier of all threads of the block is known to separate an access from an earlier entry of
// that block. The vector clock of each lane shows the same, but takes longer to look up.
func (a *access) follows(e *entry) bool {
	return e.at <= a.met && (e.unit^a.unit)>>radixBits == 0
}

// allPrecede reports whether an entry is ordered before an access for any choice of lanes. The test is conservative:
// false may mean unknown.
func (d *Detector) allPrecede(a *access, e *entry, x *accesses.Class) bool {
	c := d.crossing(a, e, x)
	if c == accesses.CrossesNothing && a.follows(e) {
		return true
	}
	if a.warp.apart != 0 || a.warp.clock == nil || !d.lockSets.none() {
		return false
	}
	if c != accesses.CrossesNothing {
		return d.allCrossed(a, e, c)
	}
	if a.cachedUnit != e.unit {
		a.cachedUnit, a.cachedTime = e.unit, a.warp.clock.Least(e.unit)
	}
	return a.cachedTime >= e.at
}

// crossing returns what orders an entry before an access. A grid that a thread launches reads afresh what was written
// before.
func (d *threads) crossing(a *access, e *entry, x *accesses.Class) accesses.Crossing {
	c := x.Crossing(a.Class)
	if (c == accesses.CrossesByEnd || c == accesses.CrossesByMapFence) && d.placeOf(e.unit).Grid != a.warp.at.Grid {
		return accesses.CrossesNothing
	}
	return c
}

// crossed reports whether the access of another lane in an entry is ordered before the access of lane, which it takes
// crossing c.
func (d *Detector) crossed(a *access, e *entry, c accesses.Crossing, other, lane int) bool {
	mine := a.warp.of(lane)
	switch {
	case c == accesses.CrossesByEnd || mine == nil:
		return false
	case c == accesses.CrossesByMapFence:
		return d.mapAcquired(a.warp, lane, e, other)
	case mine.Fenced.Includes(e.unit, other, e.at):
		return true
	}
	return c == accesses.CrossesOpen && a.warp.handed.Includes(e.unit, other, e.at) &&
		mine.Includes(e.unit, other, e.at)
}

// allCrossed is crossed for any choice of lanes, of a warp with one clock.
func (d *Detector) allCrossed(a *access, e *entry, c accesses.Crossing) bool {
	mine := a.warp.clock
	switch {
	case c == accesses.CrossesByEnd, c == accesses.CrossesByMapFence: // of which it is unknown
		return false
	case mine.Fenced.Least(e.unit) >= e.at:
		return true
	}
	return c == accesses.CrossesOpen && a.warp.handed.Least(e.unit) >= e.at && mine.Least(e.unit) >= e.at
}

// morallyStrong reports whether an entry and an access that overlap are morally strong (PTX ISA, "Morally Strong
// Operations"). Accesses are aligned, so scalars of one size that overlap do so completely.
func (d *Detector) morallyStrong(a *access, e *entry, x *accesses.Class) bool {
	if !x.Strong || !a.Strong || x.Proxy != a.Proxy || x.Scalar != a.Scalar && d.model.oneSize {
		return false
	}
	return accesses.Mutual(x.Reach, &d.placeOf(e.unit).Place, a.Reach, &a.warp.at.Place)
}

// placeOf returns the place of a unit's threads: their block, cluster and grid.
func (d *threads) placeOf(u unit) *place {
	p := d.places[u>>radixBits]
	if p.owners != nil {
		return d.places[p.owners[u%radix]>>radixBits]
	}
	return p
}

// ownerOf returns the warp of a unit: for an asynchronous operation, the warp that started it.
func (d *threads) ownerOf(u unit) unit {
	if p := d.places[u>>radixBits]; p.owners != nil {
		return p.owners[u%radix]
	}
	return u
}

// conflict reports the race of an access with another lane's access in an entry, which is not ordered before it,
// morally strong or observed. at is an address that both accessed.
func (d *Detector) conflict(a *access, e *entry, other, lane int, at uint64) {
	open := d.crossing(a, e, &d.classes[e.class]) == accesses.CrossesOpen
	if d.guarded(a, e, other, lane) || open && d.tensor.addresses[d.sharedKey(a.warp, at&^(wordBytes-1))] {
		return
	}
	d.evidence.Race(&evidence.Finding{
		First: e.class, Second: a.index, FirstUnit: e.unit, SecondUnit: a.unit,
		FirstLane: uint8(other), SecondLane: uint8(lane), At: at, Since: e.at,
		Harmless: d.sameWrite(a, e, other, lane),
	})
}

// sameWrite reports whether two lanes store the same value to the same location with the current instruction. Lanes are
// handled in order, and a lane's store replaces its earlier entries, so the entry of an earlier lane is by this
// instruction.
func (d *Detector) sameWrite(a *access, e *entry, other, lane int) bool {
	ev := a.ev
	return e.unit == a.unit && e.class == a.index && e.at == a.at && a.Kind == abi.AccessStore && !a.Strong &&
		other < lane && ev.Mask>>other&1 != 0 && ev.Addr[other] == ev.Addr[lane] &&
		ev.Valued && ev.New[other] == ev.New[lane]
}

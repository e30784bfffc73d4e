// An index of the observations of a location by the warp that made the reads.

package causality

import (
	"iter"
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
)

// observationIndex finds the observations by a unit, and the units of a block that have made any.
type observationIndex struct {
	slots   map[unit]int32     // index in units
	units   []unit             // that have, or had, any
	by      []unitObservations // for each unit
	blocks  map[uint32][]int32 // for each block: indices in units
	entered int                // number of observations in the index
}

// unitObservations is the observations by one unit, in order. Those of one lane, of which there may be few among
// hundreds, can be found without a look at the others.
type unitObservations struct {
	list []listedObservation
	// 1 more than the index of the latest by each lane, of those by few lanes; and of the latest by many lanes. 0 if
	// there is none.
	latest [radix]int32
	wide   int32
}

// listedObservation is a observation in the list of a location.
type listedObservation struct {
	at     int32 // index in the location's list
	before int32 // 1 more than the index, in the list of the unit, of the latest earlier observation that may be by one of the lanes
	lanes  uint32
}

// findableLanes is the largest number of lanes of a observation that is found by each of its lanes.
const findableLanes = 2

// add adds a observation.
func (u *unitObservations) add(at int32, lanes uint32) {
	n, before := int32(len(u.list)), u.wide
	if bits.OnesCount32(lanes) > findableLanes {
		before, u.wide = n, n+1
	} else {
		for m := lanes; m != 0; m &= m - 1 {
			latest := &u.latest[bits.TrailingZeros32(m)]
			before, *latest = max(before, *latest), n+1
		}
	}
	u.list = append(u.list, listedObservation{at, before, lanes})
}

// previous returns the index of the latest observation by a lane among the first n in the list of the unit, -1 if there
// is none.
func (u *unitObservations) previous(lane, n int) int {
	if n == len(u.list) {
		n = int(max(u.latest[lane], u.wide))
	}
	for ; n > 0 && u.list[n-1].lanes>>lane&1 == 0; n-- {
	}
	return n - 1
}

// extendIndex enters the observations added since the last call.
func (s *Observations) extendIndex() {
	if s.index == nil {
		s.index = &observationIndex{slots: make(map[unit]int32), blocks: make(map[uint32][]int32)}
	}
	x := s.index
	for ; x.entered < len(s.List); x.entered++ {
		r := &s.List[x.entered]
		slot := x.slot(r.Unit)
		x.by[slot].add(int32(x.entered), r.Lanes)
	}
}

// empty removes all observations from the index, which may be nil. The units stay, most of which will have observations
// again.
func (x *observationIndex) empty() {
	if x == nil {
		return
	}
	for slot := range x.by {
		x.by[slot] = unitObservations{list: x.by[slot].list[:0]}
	}
	x.entered = 0
}

// slot returns the index of a unit, which it enters if it is new.
func (x *observationIndex) slot(u unit) int32 {
	slot, known := x.slots[u]
	if !known {
		slot = int32(len(x.units))
		x.slots[u], x.blocks[uint32(u>>radixBits)] = slot, append(x.blocks[uint32(u>>radixBits)], slot)
		x.units, x.by = append(x.units, u), append(x.by, unitObservations{})
	}
	return slot
}

// knownTo yields the index in units of the unit own and of each unit that the clock c has a time for. It may yield an
// index twice. c must not be nil. Of few units, each is looked up in the clock.
func (x *observationIndex) knownTo(c *clock, own unit, few int) iter.Seq[int32] {
	return func(yield func(slot int32) bool) {
		if len(x.units) > few {
			x.eachKnown(c, own, yield)
			return
		}
		for slot, u := range x.units {
			if (u == own || c.Most(u) != 0) && !yield(int32(slot)) {
				return
			}
		}
	}
}

// eachKnown is knownTo for more units. It walks the clock in place of the list of units: after a barrier of a block,
// the clock has times for the units of that block only.
func (x *observationIndex) eachKnown(c *clock, own unit, yield func(slot int32) bool) {
	one := func(u unit) bool {
		slot, known := x.slots[u]
		return !known || yield(slot)
	}
	if !one(own) {
		return
	}
	for ; c.Before != nil; c = c.Before {
		if c.Kind&order.IsJoin == 0 && !one(c.By.Unit) || !x.eachIn(c.Known, one, yield) {
			return
		}
	}
	x.eachIn(c.Known, one, yield)
}

// eachIn calls one or yield for the units that a tree has a time for, until the function returns false. It reports
// whether that never happened.
func (x *observationIndex) eachIn(known *vclock.Clock, one func(u unit) bool, yield func(slot int32) bool) bool {
	return known.EachKnown(func(first unit, count uint64) bool {
		switch count {
		case 1:
			return one(first)
		case radix:
			return each(x.blocks[uint32(first>>radixBits)], yield)
		}
		for slot, u := range x.units {
			if u >= first && uint64(u-first) < count && !yield(int32(slot)) {
				return false
			}
		}
		return true
	})
}

// each calls f for the elements of a list until it returns false, and reports whether it never did.
func each(list []int32, f func(int32) bool) bool {
	for _, x := range list {
		if !f(x) {
			return false
		}
	}
	return true
}

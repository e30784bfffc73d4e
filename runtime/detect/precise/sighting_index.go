// An index of the sightings of a location by the warp that made the reads.

package precise

import (
	"iter"

	"github.com/ptxsan/ptxsan/runtime/detect/internal/vclock"
)

// sightingIndex finds the sightings by a unit, and the units of a block that have made any.
type sightingIndex struct {
	slots   map[unit]int32     // index in units
	units   []unit             // that have, or had, any
	by      [][]listed         // for each unit: its sightings, in order
	blocks  map[uint32][]int32 // for each block: indices in units
	entered int                // number of sightings in the index
}

// listed is a sighting in the list of a location. It contains the lanes so that a search for those of one lane, of which there may
// be few among hundreds, need not load the others.
type listed struct {
	at    int32 // index in the list
	lanes uint32
}

// fewUnits is the number of units up to which each of them is looked up in the clock of an access.
var fewUnits = 32

// extendIndex enters the sightings added since the last call.
func (s *sightings) extendIndex() {
	if s.index == nil {
		s.index = &sightingIndex{slots: make(map[unit]int32), blocks: make(map[uint32][]int32)}
	}
	x := s.index
	for ; x.entered < len(s.list); x.entered++ {
		r := &s.list[x.entered]
		slot := x.slot(r.unit)
		x.by[slot] = append(x.by[slot], listed{int32(x.entered), r.lanes})
	}
}

// empty removes all sightings from the index, which may be nil. The units stay, most of which will have sightings again.
func (x *sightingIndex) empty() {
	if x == nil {
		return
	}
	for slot := range x.by {
		x.by[slot] = x.by[slot][:0]
	}
	x.entered = 0
}

// slot returns the index of a unit, which it enters if it is new.
func (x *sightingIndex) slot(u unit) int32 {
	slot, known := x.slots[u]
	if !known {
		slot = int32(len(x.units))
		x.slots[u], x.blocks[uint32(u>>radixBits)] = slot, append(x.blocks[uint32(u>>radixBits)], slot)
		x.units, x.by = append(x.units, u), append(x.by, nil)
	}
	return slot
}

// knownTo yields the index in units of the unit own and of each unit that the clock c has a time for. It may yield an index twice.
// c must not be nil.
func (x *sightingIndex) knownTo(c *clock, own unit) iter.Seq[int32] {
	return func(yield func(slot int32) bool) {
		if len(x.units) > fewUnits {
			x.eachKnown(c, own, yield)
			return
		}
		for slot, u := range x.units {
			if (u == own || c.most(u) != 0) && !yield(int32(slot)) {
				return
			}
		}
	}
}

// eachKnown is knownTo for more than fewUnits units. It walks the clock in place of the list of units: after a barrier of a block,
// the clock has times for the units of that block only.
func (x *sightingIndex) eachKnown(c *clock, own unit, yield func(slot int32) bool) {
	one := func(u unit) bool {
		slot, known := x.slots[u]
		return !known || yield(slot)
	}
	if !one(own) {
		return
	}
	for ; c.before != nil; c = c.before {
		if c.kind&isJoin == 0 && !one(c.by.unit) || !x.eachIn(c.known, one, yield) {
			return
		}
	}
	x.eachIn(c.known, one, yield)
}

// eachIn calls one or yield for the units that a tree has a time for, until the function returns false. It reports whether that never happened.
func (x *sightingIndex) eachIn(known *vclock.Clock, one func(u unit) bool, yield func(slot int32) bool) bool {
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

// Sightings: strong reads that observed writes of others, by which these precede what follows the reads.

package precise

import (
	"math/bits"
	"unsafe"
)

// sighting is a read of a location, by each of some lanes, that observes the strong writes from since to upTo.
type sighting struct {
	unit        unit
	lanes       uint32
	from        uint8 // lane of the write at since
	meanwhile   bool  // upTo is when it happened: other lanes have written with the same instruction
	at          stamp
	event       uint32 // Detector.events at that time
	since, upTo stamp
}

// sightings are those of a location, in order.
type sightings struct {
	list  []sighting
	next  int            // length at which to look for what need not be kept
	index *sightingIndex // nil until somebody asks for one of many
}

// sightingIndex finds the sightings of a unit.
type sightingIndex struct {
	of     map[unit]int32 // index in the list, from 1 on, of the latest
	before []int32        // of each sighting: the same for the one before it by the unit
	units  []unit         // that have any
}

// fewSightings are so few that no index is made of them.
const fewSightings = 16

func (s *sightings) add(d *Detector, x sighting) {
	if n := len(s.list); n > 0 && s.list[n-1].stands(&x) {
		return
	}
	if cap(s.list) == 0 {
		s.list = make([]sighting, 0, 4)
	}
	s.list = append(s.list, x)
	d.uses(unsafe.Sizeof(x))
	if len(s.list) > max(s.next, 4*radix) {
		s.prune(d)
	}
}

// stands reports whether a later read adds nothing.
func (r *sighting) stands(later *sighting) bool {
	return r.unit == later.unit && later.lanes&^r.lanes == 0 && r.since == later.since && r.from == later.from && r.upTo == later.upTo && (!r.meanwhile || later.meanwhile)
}

// prune keeps the latest two of each thread.
func (s *sightings) prune(d *Detector) {
	d.subsumed.reset(2 * len(s.list))
	kept := len(s.list)
	for i := len(s.list) - 1; i >= 0; i-- {
		x := s.list[i]
		once := d.subsumed.of(subsumptionKey{unit: x.unit})
		again := *once & x.lanes
		*once |= x.lanes
		twice := d.subsumed.of(subsumptionKey{unit: x.unit, diagonal: true})
		x.lanes &^= *twice
		*twice |= again
		if x.lanes != 0 {
			kept--
			s.list[kept] = x
		}
	}
	s.list = s.list[:copy(s.list, s.list[kept:])]
	s.next, s.index = 2*len(s.list), nil
}

// addSighting is a strong read by each of some lanes of the access that the writes from since to last precede in
// observation order.
func (loc *location) addSighting(d *Detector, a *access, lanes uint32) {
	if loc.seen == nil {
		loc.seen = new(sightings)
	}
	loc.seen.add(d, sighting{unit: a.warp.unit, lanes: lanes, meanwhile: loc.last == d.now, at: a.at, event: d.events, since: loc.since, from: loc.from, upTo: loc.last})
}

// observed is those of some lanes of e whose writes a read has observed that precedes the access
// of a lane: the writes then precede the access in causality order (PTX ISA, "Causality order").
func (d *Detector) observed(a *access, e *entry, others uint32, lane int, at uint64) (found uint32) {
	s := d.global
	if a.shared {
		s = d.clusterOf(a.warp).memory
	}
	if !s.synced {
		return 0
	}
	d.line(s, at).overlapping(at, 1, func(loc *location) {
		if loc.seen == nil {
			return
		}
		loc.seen.before(d, a, lane, func(r *sighting, by int) bool {
			found |= r.lanesOf(e, others&^found, by)
			return found == others
		})
	})
	return found
}

// observedBefore is observed for one lane.
func (d *Detector) observedBefore(a *access, e *entry, other, lane int, at uint64) bool {
	return d.observed(a, e, 1<<other, lane, at) != 0
}

// lanesOf is those of some lanes of an entry whose writes the read by a lane has observed. Of one
// instruction the lanes act in order.
func (r *sighting) lanesOf(e *entry, others uint32, by int) uint32 {
	if e.at < r.since || e.at > r.upTo {
		return 0
	}
	if e.at == r.since {
		others &= ^uint32(0) << r.from
	}
	if e.at == r.upTo && r.meanwhile && e.unit == r.unit {
		others &= 1<<by - 1
	}
	return others
}

// before calls f for the sightings by reads that precede the access of a lane, with the last of the lanes whose reads do, until
// it returns true.
func (s *sightings) before(d *Detector, a *access, lane int, f func(r *sighting, by int) bool) {
	if len(s.list) <= fewSightings {
		for i := range s.list {
			if r := &s.list[i]; d.isSeenBefore(a, r, lane, f) {
				return
			}
		}
		return
	}
	s.extendIndex()
	if c := a.warp.of(lane); c == nil {
		s.beforeBy(d, a, lane, a.warp.unit, f)
	} else {
		for _, u := range s.index.units {
			if (u == a.warp.unit || c.most(u) != 0) && s.beforeBy(d, a, lane, u, f) {
				return
			}
		}
	}
}

// beforeBy is before for the sightings of a unit. It reports whether f has returned true.
func (s *sightings) beforeBy(d *Detector, a *access, lane int, by unit, f func(r *sighting, by int) bool) bool {
	for i := s.index.of[by]; i != 0; i = s.index.before[i-1] {
		if d.isSeenBefore(a, &s.list[i-1], lane, f) {
			return true
		}
	}
	return false
}

// isSeenBefore calls f for a sighting if a read of it precedes the access of a lane, and reports whether f has returned true.
func (d *Detector) isSeenBefore(a *access, r *sighting, lane int, f func(r *sighting, by int) bool) bool {
	by := d.lastPreceding(a, r, lane)
	return by >= 0 && f(r, by)
}

// extendIndex enters the sightings since the last time.
func (s *sightings) extendIndex() {
	if s.index == nil {
		s.index = &sightingIndex{of: make(map[unit]int32)}
	}
	x := s.index
	for i := len(x.before); i < len(s.list); i++ {
		u := s.list[i].unit
		before := x.of[u]
		if before == 0 {
			x.units = append(x.units, u)
		}
		x.before = append(x.before, before)
		x.of[u] = int32(i + 1)
	}
}

// lastPreceding is the last of the lanes of a sighting whose read is ordered before the access of lane, or is
// made by it; -1 if there is none.
func (d *Detector) lastPreceding(a *access, r *sighting, lane int) int {
	c := a.warp.of(lane)
	for m := r.lanes; m != 0; {
		by := 31 - bits.LeadingZeros32(m)
		m &^= 1 << by
		switch {
		case r.unit == a.warp.unit && by == lane:
			if r.event != d.events { // and not by the access itself
				return by
			}
		case c != nil && c.includes(r.unit, by, r.at):
			return by
		}
	}
	return -1
}

// Sightings: strong reads that observed writes of others, by which these precede what follows the reads.

package precise

import "unsafe"

// sighting is a read of a location that observes the strong writes from since to upTo.
type sighting struct {
	unit        unit
	lane        uint8
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

// sightingIndex finds the sightings of a thread.
type sightingIndex struct {
	of     map[thread]int32 // index in the list, from 1 on, of the latest
	before []int32          // of each sighting: the same for the one before it by the thread
	units  []unit           // that have any
	known  map[unit]bool    // the same
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
	return r.unit == later.unit && r.lane == later.lane && r.since == later.since && r.from == later.from && r.upTo == later.upTo && (!r.meanwhile || later.meanwhile)
}

// prune keeps the latest two of each thread.
func (s *sightings) prune(d *Detector) {
	d.subsumed.reset(len(s.list))
	kept := len(s.list)
	for i := len(s.list) - 1; i >= 0; i-- {
		count := d.subsumed.of(subsumptionKey{unit: s.list[i].unit, shift: int32(s.list[i].lane)})
		if *count++; *count <= 2 {
			kept--
			s.list[kept] = s.list[i]
		}
	}
	s.list = s.list[:copy(s.list, s.list[kept:])]
	s.next, s.index = 2*len(s.list), nil
}

// addSighting is a strong read of a thread that the writes from since to last precede in
// observation order.
func (loc *location) addSighting(d *Detector, a *access, t thread) {
	loc.seen.add(d, sighting{unit: t.unit, lane: t.lane, meanwhile: loc.last == d.now, at: a.at, event: d.events, since: loc.since, from: loc.from, upTo: loc.last})
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
		loc.seen.before(d, a, lane, func(r *sighting) bool {
			found |= r.lanesOf(e, others&^found)
			return found == others
		})
	})
	return found
}

// observedBefore is observed for one lane.
func (d *Detector) observedBefore(a *access, e *entry, other, lane int, at uint64) bool {
	return d.observed(a, e, 1<<other, lane, at) != 0
}

// lanesOf is those of some lanes of an entry whose writes the read has observed. Of one
// instruction the lanes act in order.
func (r *sighting) lanesOf(e *entry, others uint32) uint32 {
	if e.at < r.since || e.at > r.upTo {
		return 0
	}
	if e.at == r.since {
		others &= ^uint32(0) << r.from
	}
	if e.at == r.upTo && r.meanwhile && e.unit == r.unit {
		others &= 1<<r.lane - 1
	}
	return others
}

// before calls f for the sightings by reads that precede the access of a lane, until it returns
// true.
func (s *sightings) before(d *Detector, a *access, lane int, f func(*sighting) bool) {
	if len(s.list) <= fewSightings {
		for i := range s.list {
			if d.readPrecedes(a, &s.list[i], lane) && f(&s.list[i]) {
				return
			}
		}
		return
	}
	s.extendIndex()
	me := thread{a.warp.unit, uint8(lane)}
	if s.beforeBy(d, a, lane, me, f) {
		return
	}
	c := a.warp.of(lane)
	if c == nil {
		return
	}
	for _, u := range s.index.units {
		if c.most(u) == 0 {
			continue
		}
		for i := range uint8(radix) {
			if t := (thread{u, i}); t != me && s.beforeBy(d, a, lane, t, f) {
				return
			}
		}
	}
}

// beforeBy is before for the sightings of a thread. It reports whether f has returned true.
func (s *sightings) beforeBy(d *Detector, a *access, lane int, by thread, f func(*sighting) bool) bool {
	for i := s.index.of[by]; i != 0; i = s.index.before[i-1] {
		if r := &s.list[i-1]; d.readPrecedes(a, r, lane) && f(r) {
			return true
		}
	}
	return false
}

// extendIndex enters the sightings since the last time.
func (s *sightings) extendIndex() {
	if s.index == nil {
		s.index = &sightingIndex{of: make(map[thread]int32), known: make(map[unit]bool)}
	}
	x := s.index
	for i := len(x.before); i < len(s.list); i++ {
		r := &s.list[i]
		by := thread{r.unit, r.lane}
		x.before = append(x.before, x.of[by])
		x.of[by] = int32(i + 1)
		if !x.known[r.unit] {
			x.known[r.unit] = true
			x.units = append(x.units, r.unit)
		}
	}
}

// readPrecedes reports whether a read is ordered before the access of lane, or is
// made by it.
func (d *Detector) readPrecedes(a *access, r *sighting, lane int) bool {
	if r.unit == a.warp.unit && int(r.lane) == lane {
		return r.event != d.events // and not by the access itself
	}
	c := a.warp.of(lane)
	return c != nil && c.includes(r.unit, int(r.lane), r.at)
}

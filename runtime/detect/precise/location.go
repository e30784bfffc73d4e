// Locations: scalars that are accessed strongly.

package precise

import "unsafe"

// location is a scalar that is accessed strongly, by which threads may synchronise.
type location struct {
	addr uint64
	next *location // another one that begins in the same word

	releases releases // of the release patterns whose writes precede a read of it in observation order
	// Of fence.sc before strong writes and reads, which precede in Fence-SC order those
	// after conflicting accesses that come later.
	writes, reads releases
	own           map[thread]*patterns
	seen          sightings // the reads that observed writes of others

	writer thread // of the latest write, the zero one when that was no strong one
	// Strong writes from since to last precede, in observation order, the next read:
	// each but the first is by an atomic operation that read the one before.
	since, last  stamp
	from         uint8  // lane of the write at since
	version      uint32 // of writer and releases, counted from 1
	size         uint8
	reach        reach          // of the latest write
	lastClass    uint32         // that made it
	knew         *clock         // what its thread knew
	fenced       *fences        // and had fenced
	synchronises bool           // an access has shown that threads synchronise by it
	history      *strongHistory // nil unless there may be warnings, and when signals is set
}

type thread struct {
	unit unit
	lane uint8
}

// patterns is what a thread has begun at a location.
type patterns struct {
	released *release // by release operations
	seen     acquired // by strong reads
}

// locations are those that begin in the words of a line.
type locations struct {
	at    [lineWords]*location
	sizes uint8 // of all of them together: each is a power of two
}

// find is the location, nil when it has not been accessed strongly.
func (l *line) find(addr, size uint64) *location {
	if l.synced == nil {
		return nil
	}
	loc := l.synced.at[addr%lineBytes/wordBytes]
	for loc != nil && (loc.addr != addr || uint64(loc.size) != size) {
		loc = loc.next
	}
	return loc
}

// location is the location, made when there is none.
func (l *line) location(d *Detector, s *shadow, addr, size uint64) *location {
	loc := l.find(addr, size)
	if loc == nil {
		if l.synced == nil {
			l.synced = new(locations)
		}
		first := &l.synced.at[addr%lineBytes/wordBytes]
		loc = d.newLocation()
		loc.addr, loc.size, loc.next = addr, uint8(size), *first
		*first, s.synced = loc, true
		l.synced.sizes |= uint8(size)
	}
	return loc
}

// overlapping calls f for the locations that share a byte with a range within the line.
func (l *line) overlapping(addr, size uint64, f func(*location)) {
	if l.synced == nil {
		return
	}
	const widest = 16
	from := addr % lineBytes / wordBytes
	for i := max(from, widest/wordBytes) - widest/wordBytes; i <= min((addr%lineBytes+size-1)/wordBytes, lineWords-1); i++ {
		for loc := l.synced.at[i]; loc != nil; loc = loc.next {
			if loc.addr < addr+size && addr < loc.addr+uint64(loc.size) {
				f(loc)
			}
		}
	}
}

// overwrite notes that bytes are written, at location except or weakly.
func (l *line) overwrite(addr, size uint64, except *location) {
	if except != nil && uint64(l.synced.sizes) == size {
		return // locations of one size overlap completely or not at all
	}
	l.overlapping(addr, size, func(loc *location) {
		if loc != except {
			loc.writer, loc.releases = thread{}, releases{}
			loc.version++
		}
	})
}

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
	list []sighting
	next int // length at which to look for what need not be kept
}

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
	s.next = 2 * len(s.list)
}

// addSighting is a strong read of a thread that the writes from since to last precede in
// observation order.
func (loc *location) addSighting(d *Detector, a *access, t thread) {
	loc.seen.add(d, sighting{unit: t.unit, lane: t.lane, meanwhile: loc.last == d.now, at: a.at, event: d.events, since: loc.since, from: loc.from, upTo: loc.last})
}

// observedBefore reports whether a read that precedes the access of lane has observed
// what another lane of e wrote: the write then precedes the access in causality order
// (PTX ISA, "Causality order").
func (d *Detector) observedBefore(a *access, e *entry, other, lane int, at uint64) (found bool) {
	s := d.global
	if a.shared {
		s = d.clusterOf(a.warp).memory
	}
	if !s.synced {
		return false
	}
	d.line(s, at).overlapping(at, 1, func(loc *location) {
		for i := range loc.seen.list {
			found = found || loc.seen.list[i].of(e, other) && d.readPrecedes(a, &loc.seen.list[i], lane)
		}
	})
	return found
}

// of reports whether a read has observed what a lane of an entry wrote. Of one instruction
// the lanes act in order.
func (r *sighting) of(e *entry, lane int) bool {
	switch {
	case e.at < r.since, e.at == r.since && lane < int(r.from), e.at > r.upTo:
		return false
	}
	return e.at < r.upTo || !r.meanwhile || e.unit != r.unit || lane < int(r.lane)
}

// readPrecedes reports whether a read is ordered before the access of lane, or is
// made by it.
func (d *Detector) readPrecedes(a *access, r *sighting, lane int) bool {
	if r.unit == a.warp.unit && int(r.lane) == lane {
		return r.event != d.events // and not by the access itself
	}
	c := a.warp.of(lane)
	return c != nil && c.known.At(r.unit, int(r.lane)) >= r.at
}

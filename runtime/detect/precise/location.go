package precise

// location is a scalar that is accessed strongly, by which threads may synchronise.
type location struct {
	addr, size uint64
	next       *location // another one that begins in the same word

	writer *warp // of the latest write, nil when that was no strong one
	lane   int
	reach  reach
	heads  heads // of the release patterns whose writes precede a read of it in observation order
	// Of fence.sc before strong writes and reads, which precede in Fence-SC order those
	// after conflicting accesses that come later.
	writes, reads heads
	own           map[thread]*patterns
	version       uint32 // of writer and heads, counted from 1

	// Strong writes are counted. Those from start on precede in observation order
	// whoever reads now: each but the first is by an atomic operation that read the one
	// before.
	count, start uint32
	since        stamp     // of the write that is number start
	made         sightings // the writes
	seen         sightings // the reads of them
}

type thread struct {
	unit unit
	lane uint8
}

// patterns is what a thread has begun at a location.
type patterns struct {
	released [reaches]*clock // by release operations, by reach
	seen     observed        // by strong reads
	// The latest read: of a location that has not changed since, the same instruction
	// learns nothing more.
	version, what uint32
}

// locations are those that begin in the words of a line.
type locations [lineWords]*location

// find is the location, nil when it has not been accessed strongly.
func (l *line) find(addr, size uint64) *location {
	if l.synced == nil {
		return nil
	}
	loc := l.synced[addr%lineBytes/wordBytes]
	for loc != nil && (loc.addr != addr || loc.size != size) {
		loc = loc.next
	}
	return loc
}

// location is the location, made when there is none.
func (l *line) location(s *shadow, addr, size uint64) *location {
	loc := l.find(addr, size)
	if loc == nil {
		if l.synced == nil {
			l.synced, s.synced = new(locations), true
		}
		first := &l.synced[addr%lineBytes/wordBytes]
		loc = &location{addr: addr, size: size, next: *first, version: 1}
		*first = loc
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
		for loc := l.synced[i]; loc != nil; loc = loc.next {
			if loc.addr < addr+size && addr < loc.addr+loc.size {
				f(loc)
			}
		}
	}
}

// overwrite notes that bytes are written, at location except or weakly.
func (l *line) overwrite(addr, size uint64, except *location) {
	l.overlapping(addr, size, func(loc *location) {
		if loc != except {
			loc.writer, loc.heads = nil, heads{}
			loc.version++
		}
	})
}

// sighting is a write of a location, or a read that observes the writes from and to.
type sighting struct {
	thread
	at       stamp
	event    uint32 // Detector.events at that time
	from, to uint32
}

// sightings are those of a location, in order.
type sightings struct {
	list []sighting
	next int // length at which to look for what need not be kept
}

func (s *sightings) add(d *Detector, x sighting) {
	if n := len(s.list); n > 0 && s.list[n-1].thread == x.thread && (s.list[n-1].to == x.to || s.list[n-1].at == x.at && x.from <= s.list[n-1].to+1) {
		s.list[n-1].to = x.to
		return
	}
	s.list = append(s.list, x)
	d.uses(sightingBytes)
	if len(s.list) > max(s.next, 4*radix) {
		s.prune(d)
	}
}

const sightingBytes = 24

// prune keeps the latest two of each thread.
func (s *sightings) prune(d *Detector) {
	d.seen.reset(len(s.list))
	kept := len(s.list)
	for i := len(s.list) - 1; i >= 0; i-- {
		count := d.seen.of(dominator{unit: s.list[i].unit, shift: int32(s.list[i].lane)})
		if *count++; *count <= 2 {
			kept--
			s.list[kept] = s.list[i]
		}
	}
	s.list = s.list[:copy(s.list, s.list[kept:])]
	s.next = 2 * len(s.list)
}

// wrote counts a strong write of a thread.
func (loc *location) wrote(d *Detector, t thread) {
	loc.count++
	loc.made.add(d, sighting{t, d.now, d.events, loc.count, loc.count})
}

// sees is a strong read of a thread that the writes from start on precede in
// observation order.
func (loc *location) sees(d *Detector, t thread) {
	loc.seen.add(d, sighting{t, d.now, d.events, loc.start, loc.count})
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
	writer := thread{e.unit, uint8(other)}
	d.line(s, at).overlapping(at, 1, func(loc *location) {
		number := uint32(0)
		for i := range loc.made.list {
			if w := &loc.made.list[i]; w.thread == writer && w.at == e.at {
				number = w.to
			}
		}
		for i := range loc.seen.list {
			r := &loc.seen.list[i]
			if number != 0 && r.from <= number && number <= r.to && d.readPrecedes(a, r, lane) {
				found = true
			}
		}
	})
	return found
}

// readPrecedes reports whether a read is ordered before the access of lane, or is
// made by it.
func (d *Detector) readPrecedes(a *access, r *sighting, lane int) bool {
	if r.unit == a.warp.unit && int(r.lane) == lane {
		return r.event != d.events // and not by the access itself
	}
	c := a.warp.of(lane)
	return c != nil && c.known.known(r.unit, int(r.lane)) >= r.at
}

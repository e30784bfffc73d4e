// Locations: scalars that are accessed strongly.

package precise

// location is a scalar that is accessed strongly, by which threads may synchronise.
type location struct {
	addr uint64
	next *location // another one that begins in the same word

	releases releases // of the release patterns whose writes precede a read of it in observation order
	// Of fence.sc before strong writes and reads, which precede in Fence-SC order those
	// after conflicting accesses that come later.
	writes, reads fenceOrder
	own           *patterns
	seen          *sightings // the reads that observed writes of others; nil when there are none

	writer thread // of the latest write, the zero one when that was no strong one
	// Strong writes from since to last precede, in observation order, the next read:
	// each but the first is by an atomic operation that read the one before.
	since, last  stamp
	version      uint32 // of writer and releases, counted from 1
	lastClass    uint32 // of the latest write
	reach        reach  // of that
	from         uint8  // lane of the write at since
	size         uint8
	synchronises bool           // an access has shown that threads synchronise by it
	knew         *clock         // what the thread of the latest write knew
	fenced       *fences        // and had fenced
	history      *strongHistory // nil unless there may be warnings, and when signals is set
}

type thread struct {
	unit unit
	lane uint8
}

// patterns is what a thread has begun at a location, and those of other threads after the first.
type patterns struct {
	by       thread
	released *release             // by release operations
	seen     acquired             // by strong reads
	others   map[thread]*patterns // nil when there are none
}

// ownOf is what a thread has begun at a location, nil for nothing.
func (loc *location) ownOf(t thread) *patterns {
	if p := loc.own; p == nil || p.by == t {
		return p
	}
	return loc.own.others[t]
}

// pattern is what a thread has begun at a location, for callers that change it.
func (d *slabs) pattern(loc *location, t thread) *patterns {
	p := loc.ownOf(t)
	if p != nil {
		return p
	}
	p = d.patterns.next()
	p.by = t
	switch first := loc.own; {
	case first == nil:
		loc.own = p
	case first.others == nil:
		first.others = map[thread]*patterns{t: p}
	default:
		first.others[t] = p
	}
	return p
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

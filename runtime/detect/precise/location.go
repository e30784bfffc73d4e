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

// Locations: the synchronisation state of scalars that are accessed strongly.

package precise

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
)

// location is a scalar that is accessed strongly, through which threads may synchronise.
type location struct {
	addr uint64
	next *location // next location that begins in the same word

	lastStore
	past *pasts // nil unless memory is weak
	// The fence.sc before strong writes, and before strong reads. In Fence-SC order they precede those after later
	// conflicting accesses.
	writes, reads fenceOrder
	own           *patterns
	seen          *observations // reads that observed other threads' writes; nil if there are none

	version      uint32 // counts changes of writer and releases, from 1
	size         uint8
	synchronises bool              // an access has shown that threads synchronise through the location
	history      *evidence.History // nil unless there may be warnings, and when signals is set
}

// lastStore is what the latest write of a location makes of it.
type lastStore struct {
	releases releases // by release patterns whose writes precede a read of the location in observation order
	writer   thread   // thread of the latest write, zero if that write was not strong
	// The strong writes from since to last precede the next read in observation order: each but the first is by an
	// atomic operation that read the one before.
	since, last stamp
	lastClass   uint32         // of the latest write
	reach       accesses.Reach // reach of that write
	from        uint8          // lane of the write at since
	chained     bool           // the fence.sc before the writes from since on are not recorded (fence_chain.go)
	writerClock *clock         // clock of the writer at the latest write
	fenced      *fences        // the writer's fences at that write
}

// isBlank reports whether nothing is known of a location, or there is none: at most, that threads synchronise through
// it.
func (loc *location) isBlank() bool {
	return loc == nil || *loc == location{
		addr: loc.addr, size: loc.size, version: loc.version, seen: loc.seen,
		synchronises: loc.synchronises,
	} &&
		(loc.seen == nil || len(loc.seen.list) == 0)
}

// setWriter makes a strong write whose scope includes all threads the latest of a location, and releases there what the
// thread's fences have prepared.
func (loc *location) setWriter(by thread, at stamp, class uint32, c *clock, f *fences) {
	loc.writer, loc.reach, loc.lastClass = by, accesses.ReachAll, class
	loc.since, loc.last, loc.from = at, at, by.Lane
	loc.writerClock, loc.fenced, loc.releases = c, f, releases{}
	if f != nil && !f.fenced.isNone() {
		loc.releases.latest = source{by, f.fenced}
	}
}

// setSynchronises records that threads synchronise through a location.
func (loc *location) setSynchronises() {
	loc.synchronises = true
	if loc.history != nil {
		loc.history.ForgetWarnings()
		loc.history = nil
	}
}

// patterns holds the release and acquire patterns that a thread has begun at a location, and those of other threads.
type patterns struct {
	by       thread
	released *release             // by release operations
	seen     acquired             // by strong reads
	others   map[thread]*patterns // nil when there are none
}

// ownOf returns the patterns that a thread has begun at a location, nil for none.
func (loc *location) ownOf(t thread) *patterns {
	if p := loc.own; p == nil || p.by == t {
		return p
	}
	return loc.own.others[t]
}

// pattern returns the patterns of a thread at a location, for callers that change them.
func (d *slabs) pattern(loc *location, t thread) *patterns {
	p := loc.ownOf(t)
	if p != nil {
		return p
	}
	p = d.patterns.Next()
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

// locations holds the locations that begin in the words of a line.
type locations struct {
	at    [lineWords]*location
	sizes uint8 // union of the sizes of all of them, each a power of two
}

// find returns a location, nil if it has not been accessed strongly.
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

// location returns a location, and makes it if missing.
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
	before := uint64(l.synced.sizes-1) / wordBytes // no location is larger than the sum of all sizes
	from := addr % lineBytes / wordBytes
	for i := max(from, before) - before; i <= min((addr%lineBytes+size-1)/wordBytes, lineWords-1); i++ {
		for loc := l.synced.at[i]; loc != nil; loc = loc.next {
			if loc.addr-addr < size || addr-loc.addr < uint64(loc.size) {
				f(loc)
			}
		}
	}
}

// overwrite ends the releases of the locations that a write overlaps: all if it is weak (except is nil), else all but
// its own.
func (l *line) overwrite(d *Detector, addr, size uint64, except *location) {
	if except != nil && uint64(l.synced.sizes) == size {
		return // locations of one size overlap completely or not at all
	}
	l.overlapping(addr, size, func(loc *location) {
		if loc != except {
			loc.keep(d)
			loc.endChain(d)
			loc.writer, loc.releases = thread{}, releases{}
			loc.version++
		}
	})
}

// Locations: the synchronisation state of scalars that are accessed strongly.

package causality

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
)

// Location is a scalar that is accessed strongly, through which threads may synchronise.
type Location struct {
	Addr uint64
	Next *Location // next location that begins in the same word

	lastStore
	past *pasts // nil unless memory is weak
	// The fence.sc before strong writes, and before strong reads. In Fence-SC order they precede those after later
	// conflicting accesses.
	Writes, Reads fenceOrder
	Own           *patterns
	Seen          *Observations // reads that observed other threads' writes; nil if there are none

	Version      uint32 // counts changes of writer and releases, from 1
	Size         uint8
	Synchronises bool              // an access has shown that threads synchronise through the location
	History      *evidence.History // nil unless there may be warnings, and when signals is set
}

// lastStore is what the latest write of a location makes of it.
type lastStore struct {
	Releases Releases // by release patterns whose writes precede a read of the location in observation order
	Writer   thread   // thread of the latest write, zero if that write was not strong
	// The strong writes from since to last precede the next read in observation order: each but the first is by an
	// atomic operation that read the one before.
	Since, Last stamp
	LastClass   uint32         // of the latest write
	Reach       accesses.Reach // reach of that write
	From        uint8          // lane of the write at since
	Chained     bool           // the fence.sc before the writes from since on are not recorded (fence_chain.go)
	WriterClock *clock         // clock of the writer at the latest write
	Fenced      *Fences        // the writer's fences at that write
}

// IsBlank reports whether nothing is known of a location, or there is none: at most, that threads synchronise through
// it.
func (loc *Location) IsBlank() bool {
	return loc == nil || *loc == Location{
		Addr: loc.Addr, Size: loc.Size, Version: loc.Version, Seen: loc.Seen,
		Synchronises: loc.Synchronises,
	} &&
		(loc.Seen == nil || len(loc.Seen.List) == 0)
}

// SetWriter makes a strong write whose scope includes all threads the latest of a location, and releases there what the
// thread's fences have prepared.
func (loc *Location) SetWriter(by thread, at stamp, class uint32, c *clock, f *Fences) {
	loc.Writer, loc.Reach, loc.LastClass = by, accesses.ReachAll, class
	loc.Since, loc.Last, loc.From = at, at, by.Lane
	loc.WriterClock, loc.Fenced, loc.Releases = c, f, Releases{}
	if f != nil && !f.Fenced.IsNone() {
		loc.Releases.latest = source{by, f.Fenced}
	}
}

// SetSynchronises records that threads synchronise through a location.
func (loc *Location) SetSynchronises() {
	loc.Synchronises = true
	if loc.History != nil {
		loc.History.ForgetWarnings()
		loc.History = nil
	}
}

// patterns holds the release and acquire patterns that a thread has begun at a location, and those of other threads.
type patterns struct {
	by       thread
	released *release             // by release operations
	seen     Acquired             // by strong reads
	others   map[thread]*patterns // nil when there are none
}

// ownOf returns the patterns that a thread has begun at a location, nil for none.
func (loc *Location) ownOf(t thread) *patterns {
	if p := loc.Own; p == nil || p.by == t {
		return p
	}
	return loc.Own.others[t]
}

// pattern returns the patterns of a thread at a location, for callers that change them.
func (d *Slabs) pattern(loc *Location, t thread) *patterns {
	p := loc.ownOf(t)
	if p != nil {
		return p
	}
	p = d.patterns.Next()
	p.by = t
	switch first := loc.Own; {
	case first == nil:
		loc.Own = p
	case first.others == nil:
		first.others = map[thread]*patterns{t: p}
	default:
		first.others[t] = p
	}
	return p
}

// Writes that threads have observed before an access.

package compare

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
)

// timesWritten returns the times of the strong writes in the histories of the words of a location, in order, and of
// those of this instruction, which are not in them yet. There may be others.
func (d *Checker) timesWritten(a *causality.Access, loc *causality.Location) (times []stamp) {
	note := func(e *accesses.Entry, reads bool) {
		if !reads && d.Classes.List[e.Class].Strong {
			times = append(times, e.At)
		}
	}
	l := d.Line(d.shadowUnder(a), loc.Addr)
	l.Whole.Each(note)
	if l.Words != nil {
		l.Words.Each(int(loc.Addr%lineBytes/wordBytes), int(loc.Size+wordBytes-1)/wordBytes, func(h *shadow.History) {
			h.Each(note)
			if h.More != nil && h.More.Bytes != nil {
				for i := range h.More.Bytes {
					h.More.Bytes[i].Each(note)
				}
			}
		})
	}
	times = append(times, d.Now)
	slices.Sort(times)
	return times
}

// PruneSeen prunes the observations of a location if they are many; a is an access to it.
func (d *Checker) PruneSeen(a *causality.Access, loc *causality.Location) {
	if loc.Seen != nil && loc.Seen.IsLong(&d.Tuning) {
		loc.Seen.Prune(&d.Threads, d.timesWritten(a, loc))
	}
}

// shadowUnder returns the shadow of the memory that an access accesses.
func (d *Checker) shadowUnder(a *causality.Access) *shadow.Memory {
	if a.Shared {
		return d.MemoryOf(a.Warp).Shadow
	}
	return d.Global
}

// Observed returns those lanes in others whose writes, recorded in e, were observed by a read that is ordered before
// the access of lane. Such a write precedes the access in causality order (PTX ISA, "Causality order").
func (d *Checker) Observed(a *causality.Access, e *accesses.Entry, others uint32, lane int, at uint64) (found uint32) {
	s := d.shadowUnder(a)
	if !s.Synced {
		return 0
	}
	d.Line(s, at).Overlapping(at, 1, func(loc *causality.Location) {
		if loc.Seen != nil {
			found |= loc.Seen.Observed(&d.Threads, a, e, others, lane) |
				loc.Seen.OlderObserved(&d.Threads, a, e, others, lane)
		}
	})
	return found
}

// mayHaveObserved reports whether a read of a location that is ordered before the access of lane may have observed a
// write that a block made at time since or later. The function written reports whether one of the writes in question
// was made between two times; if it is nil, all writes are in question. The clock of the lane must include nothing that
// the block did at time since or later. The answer may be true although there is no such read.
func (d *Checker) mayHaveObserved(a *causality.Access, lane int, at uint64, since stamp,
	written func(from, to stamp) bool,
) (may bool) {
	s := d.shadowUnder(a)
	if !s.Synced {
		return false
	}
	d.Line(s, at).Overlapping(at, 1, func(loc *causality.Location) {
		switch seen := loc.Seen; {
		case may || seen == nil:
		case len(seen.Older) > 0, seen.Across && a.Warp.Of(lane) != nil:
			may = true // by a thread of another block that the clock has a time for
		default: // reads by threads of the block that wrote are later than since
			may = seen.MayBeBy(d.Events, a.Warp.Unit, lane) &&
				(written == nil || seen.HaveObserved(d.Events, a.Warp.Unit, lane, since, written))
		}
	})
	return may
}

// mayHaveObservedEntry reports whether a read that is ordered before the access of lane may have observed a write
// recorded in e. It does not look at the reads one by one.
func (d *Checker) mayHaveObservedEntry(a *causality.Access, e *accesses.Entry, lane int, at uint64) bool {
	c := a.Warp.Of(lane)
	return c != nil && c.MostInBlock(e.Unit) >= e.At || d.mayHaveObserved(a, lane, at, e.At, nil)
}

// The locations in a line of the shadow.

package shadow

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
)

// locations holds the locations that begin in the words of a line.
type locations struct {
	at    [lineWords]*causality.Location
	sizes uint8 // union of the sizes of all of them, each a power of two
}

// Find returns a location, nil if it has not been accessed strongly.
func (l *Line) Find(addr, size uint64) *causality.Location {
	if l.Synced == nil {
		return nil
	}
	loc := l.Synced.at[addr%lineBytes/wordBytes]
	for loc != nil && (loc.Addr != addr || uint64(loc.Size) != size) {
		loc = loc.Next
	}
	return loc
}

// Location returns a location, and makes it if missing.
func (l *Line) Location(d *Record, s *Memory, addr, size uint64) *causality.Location {
	loc := l.Find(addr, size)
	if loc == nil {
		if l.Synced == nil {
			l.Synced = new(locations)
		}
		first := &l.Synced.at[addr%lineBytes/wordBytes]
		loc = d.newLocation()
		loc.Addr, loc.Size, loc.Next = addr, uint8(size), *first
		*first, s.Synced = loc, true
		l.Synced.sizes |= uint8(size)
	}
	return loc
}

// Overlapping calls f for the locations that share a byte with a range within the line.
func (l *Line) Overlapping(addr, size uint64, f func(*causality.Location)) {
	if l.Synced == nil {
		return
	}
	before := uint64(l.Synced.sizes-1) / wordBytes // no location is larger than the sum of all sizes
	from := addr % lineBytes / wordBytes
	for i := max(from, before) - before; i <= min((addr%lineBytes+size-1)/wordBytes, lineWords-1); i++ {
		for loc := l.Synced.at[i]; loc != nil; loc = loc.Next {
			if loc.Addr-addr < size || addr-loc.Addr < uint64(loc.Size) {
				f(loc)
			}
		}
	}
}

// Overwrite ends the releases of the locations that a write overlaps: all if it is weak (except is nil), else all but
// its own.
func (l *Line) Overwrite(d *Record, addr, size uint64, except *causality.Location) {
	if except != nil && uint64(l.Synced.sizes) == size {
		return // locations of one size overlap completely or not at all
	}
	l.Overlapping(addr, size, func(loc *causality.Location) {
		if loc != except {
			loc.Keep(&d.Threads)
			loc.EndChain(&d.Threads)
			loc.Writer, loc.Releases = thread{}, causality.Releases{}
			loc.Version++
		}
	})
}

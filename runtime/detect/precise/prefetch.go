// Loading of what lanes at addresses far apart look at, for all of them at a time.

package precise

import "math/bits"

// Lanes that access memory in no order look at a line, a history and perhaps a location each, none of which
// is in the processor's cache when the launch uses much memory. Lane by lane, each of these loads waits for
// the one before. What the lanes of an access look at is loaded for all of them first: these loads do not
// depend on each other, so that the processor waits for them together.

// prefetchLanes is how many lanes an access has apart, and prefetchPages of how many pages the shadow is, at least, for
// a prefetch: a smaller shadow is in the cache.
var prefetchLanes, prefetchPages = 8, 32

// prefetch loads what lanes in mask of an access look at in the shadow, if they are many, apart, and the shadow is large.
func (d *Detector) prefetch(a *access, s *shadow, mask uint32) {
	ev := a.ev
	if s.pages.Len() < prefetchPages || bits.OnesCount32(mask&^(ev.Next|ev.Same)) < prefetchLanes {
		return
	}
	var lines [radix]*line
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if p := s.pages.Find(ev.Addr[lane] / pageBytes); p != nil {
			lines[lane] = &p[ev.Addr[lane]/lineBytes%pageLines]
		}
	}
	loaded := uint32(0)
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if l := lines[lane]; l != nil {
			first := ev.Addr[lane] % lineBytes
			loaded += l.load(first/wordBytes, (first+uint64(a.size)-1)/wordBytes)
		}
	}
	d.prefetched = loaded
}

// load loads what there is of the words from one to another, and returns something of it, so that the compiler keeps
// the loads.
func (l *line) load(from, to uint64) (something uint32) {
	something = l.generation
	for w := from; w <= to && w < lineWords; w++ {
		if l.words != nil {
			h := &l.words[w] // in two lines of the cache perhaps
			something += h.write.mask
			if h.more != nil {
				something++
			}
		}
		if l.cells != nil {
			something += uint32(l.cells[w].unit)
		}
	}
	if l.synced != nil && l.synced.at[from] != nil {
		loc := l.synced.at[from]
		something += uint32(loc.addr) + uint32(loc.last)
	}
	return something
}

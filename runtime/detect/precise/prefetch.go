// Prefetching: the shadow of lanes at scattered addresses is loaded for all lanes at a time.

package precise

import "math/bits"

// Each lane of a scattered access reads a line, a history and perhaps a location, none of which is in the processor's cache if
// the launch uses much memory. Handled lane by lane, each of these loads waits for the one before. The loads for all lanes are
// therefore made first: they do not depend on each other, so their latencies overlap.

// prefetches reports whether there is so much state that prefetching pays.
func (d *Detector) prefetches() bool {
	return d.used >= d.tuning.prefetchState && d.tuning.takes(prefetches)
}

// prefetch loads the shadow that the lanes in mask need, each for an access of size bytes, if there is much state and many lanes
// are in starts. Those begin runs of lanes with consecutive addresses.
func (d *Detector) prefetch(s *shadow, at *addresses, mask, starts uint32, size uint64) {
	if !d.prefetches() || bits.OnesCount32(starts) < d.tuning.prefetchLanes {
		return
	}
	var lines [radix]*line
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		addr := at.of(lane)
		if p := s.pages.Find(addr / pageBytes); p != nil {
			lines[lane] = &p[addr/lineBytes%pageLines]
		}
	}
	loaded := uint32(0)
	var further [radix]*more
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if l := lines[lane]; l != nil {
			further[lane] = l.load(at.of(lane)%lineBytes, size, &loaded)
		}
	}
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if x := further[lane]; x != nil && x.bytes != nil {
			loaded += x.bytes[at.of(lane)%wordBytes].write.mask
		}
	}
	d.prefetched = loaded
}

// load loads the shadow of size bytes of the line, from offset at on. It adds a loaded value to loaded, so that the compiler
// keeps the loads. It returns the further entries of the last word, nil for none.
func (l *line) load(at, size uint64, loaded *uint32) (further *more) {
	something := l.generation
	from := at / wordBytes
	if owned := l.ownedWords(); owned != nil {
		something += uint32(owned[at*uint64(len(owned))/lineBytes].unit)
	}
	for w := from; w <= (at+size-1)/wordBytes && w < lineWords; w++ {
		if l.words != nil {
			h := &l.words[w] // may straddle two cache lines
			something += h.write.mask
			further = h.more
		}
		if l.cells != nil {
			something += uint32(l.cells[w].unit)
		}
	}
	if l.synced != nil && l.synced.at[from] != nil {
		loc := l.synced.at[from]
		something += uint32(loc.addr) + uint32(loc.last)
	}
	*loaded += something
	return further
}

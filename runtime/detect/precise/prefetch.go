// Loading of what lanes at addresses far apart look at, for all of them at a time.

package precise

import "math/bits"

// Lanes that access memory in no order look at a line, a history and perhaps a location each, none of which
// is in the processor's cache when the launch uses much memory. Lane by lane, each of these loads waits for
// the one before. What the lanes of an access look at is loaded for all of them first: these loads do not
// depend on each other, so that the processor waits for them together.

// prefetchLanes is how many lanes an access has apart, and prefetchState how many bytes the detector's state has, at least,
// for a prefetch: less is in the cache.
var prefetchLanes, prefetchState = 8, uint64(1 << 20)

// prefetch loads what lanes in mask that access size bytes each look at in the shadow, if there is much state and many lanes are in
// starts: their addresses do not follow from that of the lane before.
func (d *Detector) prefetch(s *shadow, at *addresses, mask, starts uint32, size uint64) {
	if d.used < prefetchState || bits.OnesCount32(starts) < prefetchLanes {
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

// load loads what there is of size bytes from one of the line on, and adds something of it to loaded, so that the compiler
// keeps the loads. It returns what there is more of the last of the words, nil for nothing.
func (l *line) load(at, size uint64, loaded *uint32) (further *more) {
	something := l.generation
	from := at / wordBytes
	for w := from; w <= (at+size-1)/wordBytes && w < lineWords; w++ {
		if l.words != nil {
			h := &l.words[w] // in two lines of the cache perhaps
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

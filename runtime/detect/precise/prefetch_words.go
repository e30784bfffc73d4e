// Prefetching for strong accesses: the state of words that have histories and locations of their own.

package precise

import "math/bits"

// Words through which threads synchronise have a location, lists of accesses and of sightings, and a released clock. A launch with
// thousands of such words does not keep them in the processor's cache, although neighbouring lanes may access neighbouring words.

// wordStates holds pointers to the state of the words that the lanes of an access need, in the order of dependent loads.
type wordStates struct {
	n         int
	histories [radix]*history
	locations [radix]*location
	further   [radix]*more
	seen      [radix]*sightings
	released  [radix]*release
	clocks    [radix]*clock
}

// prefetchWords loads the state of the words that the lanes of a strong access need, if there is much state.
func (d *Detector) prefetchWords(a *access, s *shadow) {
	if !a.strong || !d.prefetches() || !s.synced {
		return
	}
	mask := a.ev.Mask &^ a.ev.Same
	if bits.OnesCount32(mask) < d.tuning.prefetchLanes {
		return
	}
	x := &d.wordStates
	if x.find(s, &a.ev.Addr, mask); x.n < d.tuning.prefetchLanes {
		return
	}
	d.prefetched = x.loadLocations() + x.loadLists() + x.loadClocks()
}

// find sets the histories and locations of the words of the lanes in mask that have a location.
func (x *wordStates) find(s *shadow, addr *[radix]uint64, mask uint32) {
	x.n = 0
	p, number := (*page)(nil), ^uint64(0)
	for m := mask; m != 0; m &= m - 1 {
		at := addr[bits.TrailingZeros32(m)]
		if n := at / pageBytes; n != number {
			p, number = s.pages.Find(n), n
		}
		if p == nil {
			continue
		}
		l, word := &p[at/lineBytes%pageLines], at%lineBytes/wordBytes
		if l.words == nil || l.synced == nil || l.synced.at[word] == nil {
			continue
		}
		x.histories[x.n], x.locations[x.n] = &l.words[word], l.synced.at[word]
		x.n++
	}
}

// loadLocations loads the histories and the locations. It returns something that depends on what it has loaded, so that the
// compiler keeps the loads, as the other methods do.
func (x *wordStates) loadLocations() (loaded uint32) {
	for i := range x.n {
		h, loc := x.histories[i], x.locations[i]
		x.further[i], x.seen[i], x.released[i] = h.more, loc.seen, loc.releases.latest.by
		loaded += h.write.mask + loc.lastClass
	}
	return loaded
}

// loadLists loads the ends of the lists of accesses and of sightings, to which the access is likely to add, and the latest releases.
func (x *wordStates) loadLists() (loaded uint32) {
	for i := range x.n {
		x.clocks[i] = nil
		if f := x.released[i]; f != nil {
			x.clocks[i] = f[reachAll].clock
		}
		if more := x.further[i]; more != nil {
			loaded += more.writes.lastMask() + more.reads.lastMask()
		}
		if seen := x.seen[i]; seen != nil && len(seen.list) > 0 {
			loaded += seen.list[len(seen.list)-1].lanes
		}
	}
	return loaded
}

// lastMask returns the lanes of the last entry.
func (l *log) lastMask() uint32 {
	if n := len(l.entries); n > 0 {
		return l.entries[n-1].mask
	}
	return 0
}

// loadClocks loads the clocks of the latest releases.
func (x *wordStates) loadClocks() (loaded uint32) {
	for i := range x.n {
		if c := x.clocks[i]; c != nil {
			loaded += uint32(c.at)
		}
	}
	return loaded
}

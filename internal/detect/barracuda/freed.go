// Memory that kernels free.

package barracuda

import "slices"

// Nobody asks any more what threads have done to memory that is freed: an access that comes later is an error of its
// own, or is to memory that has been allocated again at the same address, of which nothing is known at first. So
// metadata and synchronisation variables of freed memory are dropped. A free and an allocation order no threads, as for
// precise.

// byteRange is a range of addresses, last included: it may end where the addresses do.
type byteRange struct{ first, last uint64 }

// freed returns what a Free frees; ok is false if that is nothing.
func (op *Op) freed() (r byteRange, ok bool) {
	if op.Mask == 0 || op.Bytes == 0 {
		return r, false
	}
	r.first = op.Addr[first(op.Mask)]
	r.last = max(r.first+uint64(op.Bytes)-1, r.first)
	return r, true
}

// free drops what is known of the memory that a Free frees, in all running grids: a thread may free what the grid that
// has launched its own grid has allocated.
func (d *Detector) free(op *Op) {
	r, ok := op.freed()
	if !ok {
		return
	}
	for _, g := range d.grids {
		g.syncs.forget(r)
	}
	for _, m := range d.check.grids {
		d.check.freed(&m.global, r)
	}
}

// freed drops the accesses to a range of memory, and the pages that have no others.
func (c *checker) freed(sh *shadow, r byteRange) {
	sh.pages.Trim(r.first>>pageBits, r.last>>pageBits, func(n uint64, p *page) bool {
		from, to := r.within(n, pageBits)
		if to-from == pageBytes || !p.forget(from, to) {
			c.pages--
			c.spare.keepPage(p)
			return false
		}
		return true
	})
}

// within returns the part of the range on page n, without to, as offsets. Pages have 1<<pageBits bytes.
func (r byteRange) within(n uint64, pageBits int) (from, to uint64) {
	base, size := n<<pageBits, uint64(1)<<pageBits
	if r.first > base {
		from = r.first - base
	}
	return from, min(r.last-base, size-1) + 1
}

// forget drops the accesses to the bytes from from to to-1 of the page, as far as they have cells of their own. It
// reports whether there are others.
func (p *page) forget(from, to uint64) (others bool) {
	first, end := int(from+1<<p.cellBits-1)>>p.cellBits, int(to>>p.cellBits)
	for _, e := range p.all() {
		if *e == nil {
			continue
		}
		for i := first; i < end; i++ {
			(*e).put(i, 0)
		}
		others = others || !(*e).empty()
	}
	return others
}

// empty reports whether no cell has an access.
func (e *epochs) empty() bool {
	return !slices.ContainsFunc(e.cells, func(m accessRef) bool { return m != 0 })
}

// forget drops the S_x of the words in a range of global memory. Those of locations that are not aligned stay: no
// instruction synchronises through one.
func (s *syncVars) forget(r byteRange) {
	s.global.Trim(r.first>>syncPageBits, r.last>>syncPageBits, func(n uint64, p *syncPage) (others bool) {
		from, to := r.within(n, syncPageBits)
		for i, l := range p {
			if l == nil {
				continue
			}
			left := false
			for k, x := range l {
				if x == 0 {
					continue
				}
				if at := uint64(i)<<syncLineBits + uint64(k)<<wordBits; at < from || at >= to {
					left = true
					continue
				}
				l[k] = 0
				s.drop(x)
			}
			if !left {
				p[i] = nil
			}
			others = others || left
		}
		return others
	})
}

// drop makes the S_x of a location that of none. Its entries can be made anew, unless other locations have found no
// room yet: they share one S_x, which has to stay theirs.
func (s *syncVars) drop(n syncRef) {
	x := s.numbered(n)
	if s.others == nil {
		s.room += 1 + x.count() + len(x.clusters)
	}
	*x = syncVar{rareVar: &noRare}
	s.dropped = append(s.dropped, n)
}

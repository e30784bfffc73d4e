package barracuda

// Shadow memory (section 4.3.3): a page table, whose pages hold the metadata of
// pageBytes bytes of memory each, as arrays that are made when first needed. Metadata
// are kept for each byte; as long as a page has been accessed in aligned words only, the
// four bytes of a word share a cell, which loses nothing.
const (
	pageBits  = 12
	pageBytes = 1 << pageBits
	wordBits  = 2
)

// page is R_x and W_x of the bytes of a page.
type page struct {
	cellBits uint    // log2 of the bytes of a cell: wordBits or 0
	writes   *epochs // W_x
	reads    *epochs // R_x
	atomics  *epochs // atomic operations since the last write
	polls    *epochs // atomic reads since then
	narrow   narrow  // the same for those that do not reach the grid
}

// narrow is atomic accesses that may race with others.
type narrow struct{ atomics, polls *epochs }

func (p *page) cells() int { return pageBytes >> p.cellBits }

// split gives every byte a cell.
func (p *page) split() {
	const parts = 1 << wordBits
	p.cellBits = 0
	for _, e := range []**epochs{&p.writes, &p.reads, &p.atomics, &p.polls, &p.narrow.atomics, &p.narrow.polls} {
		if *e != nil {
			*e = (*e).spread(parts)
		}
	}
}

// ensure makes the array when there is none.
func (p *page) ensure(e **epochs) *epochs {
	if *e == nil {
		*e = newEpochs(p.cells())
	}
	return *e
}

// shadow is the page table of global memory, or of the shared memory of a cluster.
type shadow struct {
	pages  map[uint64]*page
	recent [recentPages]struct { // looked up, by number modulo
		page *page
		at   uint64
	}
}

// recentPages is a power of two.
const recentPages = 8

// page is the page of an address, and the offset there. Unless a new one may be made,
// it may be nil.
func (s *shadow) page(addr uint64, may bool) (p *page, off uint64, made bool) {
	n := addr >> pageBits
	r := &s.recent[n&(recentPages-1)]
	if r.page == nil || r.at != n {
		p := s.pages[n]
		if p == nil {
			if !may {
				return nil, 0, false
			}
			if s.pages == nil {
				s.pages = make(map[uint64]*page)
			}
			p, made = &page{cellBits: wordBits}, true
			s.pages[n] = p
		}
		r.page, r.at = p, n
	}
	return r.page, addr & (pageBytes - 1), made
}

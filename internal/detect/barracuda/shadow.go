// Shadow memory: pages of metadata by address.

package barracuda

import "github.com/ptxsan/ptxsan/internal/pagetable"

// Shadow memory (section 4.3.3) is a page table. A page holds the metadata of pageBytes bytes of memory, in arrays that
// are allocated on first use. Metadata are kept for each byte. As long as a page has been accessed in aligned words
// only, the four bytes of a word share a cell, which loses nothing.
const (
	pageBits  = 12
	pageBytes = 1 << pageBits
	wordBits  = 2
)

// page is R_x and W_x of the bytes of a page.
type page struct {
	number   uint64  // address >> pageBits
	cellBits uint    // log2 of the bytes of a cell: wordBits or 0
	writes   *epochs // W_x
	reads    *epochs // R_x
	atomics  *epochs // atomic operations since the last write
	polls    *epochs // atomic operations that only read, since the last write
	narrow   narrow  // the same for atomic operations whose scope is not the grid
	arrays   int     // number of arrays allocated
	spare    *spare
}

// narrow holds atomic accesses that may race with other atomic accesses.
type narrow struct{ atomics, polls *epochs }

func (p *page) cells() int { return pageBytes >> p.cellBits }

// split gives every byte its own cell.
func (p *page) split() {
	const parts = 1 << wordBits
	p.cellBits = 0
	for _, e := range p.all() {
		if *e != nil {
			*e = (*e).spread(parts)
		}
	}
}

// ensure allocates an array unless it exists.
func (p *page) ensure(e **epochs) *epochs {
	if *e == nil {
		*e = p.spare.take(p.cells())
		p.arrays++
	}
	return *e
}

// all returns pointers to the arrays of a page.
func (p *page) all() [6]**epochs {
	return [...]**epochs{&p.writes, &p.reads, &p.atomics, &p.polls, &p.narrow.atomics, &p.narrow.polls}
}

// spare holds free arrays of words, such as those of the shared memory of blocks that have ended.
type spare struct {
	words    []*epochs
	accesses accessTable // of all arrays
}

// maxSpare limits the number of free arrays: each takes up to 5 KiB, and the memory of its sets.
const maxSpare = 1 << 11

// take returns an empty array of that many cells.
func (s *spare) take(cells int) *epochs {
	if n := len(s.words) - 1; n >= 0 && cells == pageBytes>>wordBits {
		e := s.words[n]
		s.words = s.words[:n]
		e.clear()
		return e
	}
	return newEpochs(cells, &s.accesses)
}

// keep takes the arrays of a shadow that is no longer needed.
func (s *spare) keep(sh *shadow) {
	for _, p := range sh.pages.All {
		s.keepPage(p)
	}
}

// keepPage takes the arrays of a page that is no longer needed.
func (s *spare) keepPage(p *page) {
	if p.cellBits != wordBits {
		return
	}
	for _, e := range p.all() {
		if *e != nil && len(s.words) < maxSpare {
			s.words = append(s.words, *e)
		}
	}
}

// shadow is the page table of global memory, or of the shared memory of a cluster.
type shadow struct{ pages pagetable.Table[page] }

// page returns the page of an address, and the offset in it. If the page does not exist, it makes one if may is set,
// and otherwise returns nil.
func (s *shadow) page(addr uint64, may bool, from *spare) (p *page, off uint64, made bool) {
	n := addr >> pageBits
	if p = s.pages.Find(n); p == nil {
		if !may {
			return nil, 0, false
		}
		p, made = &page{number: n, cellBits: wordBits, spare: from}, true
		s.pages.Add(n, p)
	}
	return p, addr & (pageBytes - 1), made
}

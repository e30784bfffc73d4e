// Labels of memory: of words, in pages.

package labels

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/pagetable"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

const (
	pageShift = 12
	pageBytes = 1 << pageShift
	wordBytes = 4
)

// page has the labels of the words of a page. A word whose label has no bytes was not written.
type page struct {
	words  [pageBytes / wordBytes]label
	seeded bool // a word may have a seed of the launch
}

// space is memory with addresses of its own.
type space struct {
	pages  pagetable.Table[page]
	recent [recentPages]recentPage // by the lower bits of their numbers
	all    []*page                 // of memory that does not outlive its block
	free   *[]*page                // empty pages, nil for memory that outlives blocks
	seeded []*page                 // that may have seeds of the launch
}

// recentPages is the number of pages that are found without a look-up.
const recentPages = 32

// recentPage is a page and its number.
type recentPage struct {
	number uint64
	page   *page
}

// page returns the page of an address, nil if nothing there was written and it must not be made.
func (s *space) page(addr uint64, create bool) *page {
	n := addr >> pageShift
	at := &s.recent[n%recentPages]
	if at.number == n && at.page != nil {
		return at.page
	}
	p := s.pages.Find(n)
	if p == nil {
		if !create {
			return nil
		}
		p = s.empty()
		s.pages.Add(n, p)
	}
	*at = recentPage{n, p}
	return p
}

// empty returns a page without labels.
func (s *space) empty() *page {
	if s.free == nil {
		return new(page)
	}
	p := new(page)
	if last := len(*s.free) - 1; last >= 0 {
		p, *s.free = (*s.free)[last], (*s.free)[:last]
	}
	s.all = append(s.all, p)
	return p
}

// bytesOf returns the mask of the bytes from one address to another of the word that contains the first.
func bytesOf(from, to uint64) label {
	low, high := from%wordBytes, min(to-(from-from%wordBytes), wordBytes)
	return (label(1)<<high - 1) &^ (label(1)<<low - 1)
}

// read returns the union of the labels of n bytes, and the first byte that was not written, ok if there is one.
func (s *space) read(addr, n uint64) (l label, first uint64, ok bool) {
	for end := addr + n; addr < end; {
		to := min(end, (addr|(pageBytes-1))+1)
		if p := s.page(addr, false); p != nil {
			part, at, found := p.read(addr, to)
			if l |= part; found && !ok {
				first, ok = at, true
			}
		} else if !ok {
			first, ok = addr, true
		}
		addr = to
	}
	return l &^ allBytes, first, ok
}

// read is space.read for bytes of the page, with the bits that say which of them were written.
func (p *page) read(from, to uint64) (l label, first uint64, ok bool) {
	words, written := p.words[from%pageBytes/wordBytes:(to-1)%pageBytes/wordBytes+1], allBytes
	for _, w := range words {
		l |= w
		written &= w
	}
	if written == allBytes {
		return l, 0, false
	}
	for i, w := range words {
		here := max(from, from&^(wordBytes-1)+uint64(i)*wordBytes)
		if bytesOf(here, to)&^(w>>bytesShift) != 0 {
			return l, here, true
		}
	}
	return l, 0, false
}

// write sets the labels of n bytes. With keep, what was there remains part of the value. The bit strongOnly of the
// label counts where the bytes have not been written by anything else.
func (s *space) write(addr, n uint64, l label, keep bool) {
	for end := addr + n; addr < end; {
		p, to := s.page(addr, true), min(end, (addr|(pageBytes-1))+1)
		if !p.seeded && l&(seeds|shift) != 0 {
			p.seeded, s.seeded = true, append(s.seeded, p)
		}
		for addr < to {
			w, next := &p.words[addr%pageBytes/wordBytes], (addr|(wordBytes-1))+1
			m, x := bytesOf(addr, to)<<bytesShift, l
			if *w&strongOnly == 0 && m&^*w == 0 {
				x &^= strongOnly
			}
			if keep || *w&allBytes&^m != 0 {
				*w |= x | m
			} else {
				*w = x | m
			}
			addr = next
		}
	}
}

// drop forgets everything. The pages are free again.
func (s *space) drop() {
	for _, p := range s.all {
		*p = page{}
		*s.free = append(*s.free, p)
	}
	*s = space{free: s.free}
}

// forget gives n bytes their initial contents.
func (s *space) forget(addr, n uint64) {
	for end := addr + n; addr < end; {
		to := min(end, (addr|(pageBytes-1))+1)
		p := s.page(addr, false)
		if p == nil {
			addr = to
			continue
		}
		for ; addr < to; addr = (addr | (wordBytes - 1)) + 1 {
			w := &p.words[addr%pageBytes/wordBytes]
			if *w &^= bytesOf(addr, to) << bytesShift; *w < 1<<bytesShift {
				*w = 0
			}
		}
		addr = to
	}
}

// Memory has the labels of a device's global memory, which outlive launches. Listeners for several programs share it.
type Memory struct {
	space
	objects objectTable
	given   []detect.Region // the objects, as the last launch has named them
	regions []detect.Region // the same in order of their addresses
	last    detect.Region   // the object that was last looked for
	bits    label           // its label, 0 if it was not asked for
	blank   bool            // nothing has written its initial contents, if bits are not 0
	heap    []detect.Region // allocated by threads
	unknown map[uint64]bool // by base, objects that launches have written which nobody followed
	// Unwritten reports whether an object, by its base, has contents that nothing has written; nil for none.
	Unwritten func(base uint64) bool
}

// NewMemory returns the memory of a device on which nothing has been executed.
func NewMemory() *Memory { return &Memory{} }

// Wrote says that the host has written memory.
func (m *Memory) Wrote(addr, size uint64) {
	m.forget(addr, size)
	for _, r := range m.regions {
		if m.unknown[r.Base] && addr <= r.Base && r.Base+r.Size <= addr+size {
			delete(m.unknown, r.Base)
			m.last = detect.Region{}
		}
	}
}

// Unfollowed says that launches that no listener followed may have written objects: their contents may depend on the
// order of threads.
func (m *Memory) Unfollowed(objects []detect.Region) {
	if m.unknown == nil {
		m.unknown = make(map[uint64]bool)
	}
	for _, r := range objects {
		m.forget(r.Base, r.Size)
		m.unknown[r.Base] = true
	}
	m.last = detect.Region{}
}

// DependsOnOrder reports whether what is in memory may depend on the order of threads in an earlier launch, as the host
// would read it.
func (m *Memory) DependsOnOrder(addr, size uint64) bool {
	return m.label(addr, size)&(earlier|unwritten|seeds) != 0
}

// label returns the label of n bytes, that of the object included where they have their initial contents.
func (m *Memory) label(addr, n uint64) label {
	l, first, own := m.read(addr, n)
	if own {
		l |= m.object(first)
	}
	return l
}

// set sets the objects in memory. What is new has its initial contents.
func (m *Memory) set(regions []detect.Region) {
	m.last = detect.Region{}
	if slices.Equal(regions, m.given) {
		return
	}
	list := slices.Clone(regions)
	m.given = slices.Clone(regions)
	slices.SortFunc(list, func(a, b detect.Region) int {
		if a.Base < b.Base {
			return -1
		}
		return b2i(a.Base > b.Base)
	})
	old := make(map[detect.Region]bool, len(m.regions))
	for _, r := range m.regions {
		old[r] = true
	}
	for _, r := range list {
		if !old[r] && len(m.regions) > 0 {
			m.forget(r.Base, r.Size)
			delete(m.unknown, r.Base)
		}
	}
	m.regions = list
}

// named reports whether an address is in one of the objects, and remembers which.
func (m *Memory) named(addr uint64) bool {
	if addr-m.last.Base < m.last.Size {
		return true
	}
	i, found := slices.BinarySearchFunc(m.regions, addr, func(r detect.Region, a uint64) int {
		switch {
		case r.Base > a:
			return 1
		case a-r.Base >= r.Size:
			return -1
		}
		return 0
	})
	if found {
		m.last, m.bits = m.regions[i], 0
	}
	return found
}

// unwritten reports whether the initial contents at an address are not known to have been written.
func (m *Memory) unwritten(addr uint64) bool {
	if !m.named(addr) {
		return m.allocated(addr)
	}
	m.object(addr)
	return m.blank
}

// allocated reports whether threads have allocated the memory at an address.
func (m *Memory) allocated(addr uint64) bool {
	return slices.ContainsFunc(m.heap, func(r detect.Region) bool { return addr-r.Base < r.Size })
}

// object returns the bit of the object with an address; of memory that threads have allocated, that of memory not
// written.
func (m *Memory) object(addr uint64) label {
	if m.named(addr) {
		if m.bits == 0 {
			m.bits = m.objects.label(m.last.Base)
			m.blank = m.Unwritten != nil && m.Unwritten(m.last.Base)
			if m.unknown[m.last.Base] {
				m.bits |= earlier
			}
		}
		return m.bits
	}
	if m.allocated(addr) {
		return unwritten
	}
	return m.objects.label(addr &^ (pageBytes - 1)) // of no name
}

// allocate says that a thread has allocated memory.
func (m *Memory) allocate(addr, size uint64) {
	m.forget(addr, size)
	m.heap = append(m.heap, detect.Region{Base: addr, Size: size})
}

// settle replaces the seeds of a launch in memory: those that vary by the bit for all earlier launches.
func (m *Memory) settle(varies label) {
	for _, p := range m.seeded {
		p.seeded = false
		for i, w := range p.words {
			if w&(varies|shift) != 0 {
				w |= earlier
			}
			p.words[i] = w &^ (seeds | shift | strongOnly)
		}
	}
	m.seeded = m.seeded[:0]
}

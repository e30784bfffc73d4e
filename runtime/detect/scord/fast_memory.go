// Metadata memory: pages of lines by address, and the lines accessed last.

package scord

import (
	"maps"

	"github.com/ptxsan/ptxsan/runtime/hugepage"
)

const (
	pageBits   = 10 // log2 of the lines of a page of metadata
	partBits   = 5  // log2 of the lines whose cells are made together
	recentBits = 8  // log2 of the pages that are found without a map lookup
	aliases    = 16 // granules that share an entry with metadata caching

	recentHash = 0x9e3779b97f4a7c15 // multiplier

	outsideIndex = ^uint64(0) // index of granules without an entry
)

// page is the metadata of consecutive lines. The zero page describes lines that have not been accessed.
type page struct {
	lines [1 << pageBits]run
	parts [1 << (pageBits - partBits)]*part // of cells of spread lines; nil for none
}

// part has the cells of consecutive lines, 4 KB: a kernel may access many small allocations, each of which has a page.
type part [1 << (partBits + lineBits)]cell

// part returns the place of the part with a granule's cell.
func (p *page) part(g uint64) **part {
	return &p.parts[g>>(partBits+lineBits)%(1<<(pageBits-partBits))]
}

// recent caches a page lookup.
type recent struct {
	n    uint64
	page *page // nil for none
}

// memory is the metadata in memory: an entry for every granule or, with metadata caching, a direct-mapped cache of entries.
type memory struct {
	last    recent
	recent  [1 << recentBits]recent
	pages   map[uint64]*page
	idle    []*page // free pages of earlier kernels
	divided pool[line]
	records records

	index    uint64            // of the entry that lookup returned
	counters map[uint64]uint32 // number of releases at the access that an entry describes; nil without the option

	// For the cache:
	entries uint64            // 0 without a cache
	shift   uint              // log2 of the granules of a page of memory
	frames  map[uint64]uint64 // physical pages, assigned in the order of first use
	tag     uint32            // of the entry that lookup returned
	outside cell
}

// forget makes all granules unaccessed.
func (m *memory) forget() {
	for p := range maps.Values(m.pages) {
		m.idle = append(m.idle, p)
	}
	clear(m.pages)
	m.last, m.recent = recent{n: ^uint64(0)}, [len(m.recent)]recent{}
	m.divided.again()
	m.records.reset()
}

// reset forgets everything. There are granules granules in the device's memory, of 1<<shift bytes each; with caching there is one
// entry for sixteen of them.
func (m *memory) reset(o *Options, granules uint64, shift uint) {
	if m.pages == nil {
		m.pages = make(map[uint64]*page)
	}
	m.forget()
	m.index, m.tag, m.counters = 0, 0, nil
	if o.Release {
		m.counters = make(map[uint64]uint32)
	}
	if o.Cache {
		m.entries = max(1, (granules+aliases-1)/aliases)
		m.frames, m.shift = make(map[uint64]uint64), 12-shift
	}
}

// lookup returns the cell of a granule. With caching, it evicts the entry of another granule at the same index.
func (m *memory) lookup(granule uint64) *cell {
	if m.entries == 0 {
		m.index = granule
		return m.cell()
	}
	p := m.physical(granule)
	m.index, m.tag = p%m.entries, uint32(min(p/m.entries, aliases))
	if m.tag == aliases { // allocated by the kernel, which has no metadata
		delete(m.counters, outsideIndex)
		m.outside = 0
		return &m.outside
	}
	c := m.cell()
	if m.records.entry(c.record()).tag() != m.tag {
		*c = 0
		delete(m.counters, m.index)
	}
	return c
}

// cell returns the cell at m.index.
func (m *memory) cell() *cell {
	return &m.cells(m.index >> lineBits)[m.index&(1<<lineBits-1)]
}

// counter returns the key, in counters, of the entry that lookup returned.
func (m *memory) counter() uint64 {
	if m.tag == aliases {
		return outsideIndex
	}
	return m.index
}

// tagged returns an entry with its tag, as it is stored.
func (m *memory) tagged(e entry) entry {
	return e&^(tagMask<<tagShift) | entry(m.tag&tagMask)<<tagShift
}

// physical returns the number of a granule in the device's physical memory.
func (m *memory) physical(granule uint64) uint64 {
	frame, ok := m.frames[granule>>m.shift]
	if !ok {
		frame = uint64(len(m.frames))
		m.frames[granule>>m.shift] = frame
	}
	return frame<<m.shift | granule&(1<<m.shift-1)
}

// page returns the page of line n.
func (m *memory) page(n uint64) *page {
	if n>>pageBits != m.last.n {
		m.turn(n >> pageBits)
	}
	return m.last.page
}

// spread returns the cell of a granule; nil if it has none or its page has not been accessed lately.
func (m *memory) spread(g uint64) *cell {
	n := g >> (lineBits + pageBits)
	r := &m.recent[n*recentHash>>(64-recentBits)]
	if r.n != n || r.page == nil {
		return nil
	}
	p := *r.page.part(g)
	if p == nil {
		return nil
	}
	return &p[g%(1<<(partBits+lineBits))]
}

// line returns line n.
func (m *memory) line(n uint64) *run { return &m.page(n).lines[n%(1<<pageBits)] }

// turn makes page n the current one.
func (m *memory) turn(n uint64) {
	r := &m.recent[n*recentHash>>(64-recentBits)]
	if r.n != n || r.page == nil {
		*r = recent{n, m.made(n)}
	}
	m.last = *r
}

// made returns page n, which it makes if missing.
func (m *memory) made(n uint64) *page {
	p := m.pages[n]
	if p != nil {
		return p
	}
	if last := len(m.idle) - 1; last < 0 {
		p = hugepage.Object(new(page))
	} else {
		p = m.idle[last]
		m.idle = m.idle[:last]
		clear(p.lines[:])
		for _, cells := range p.parts {
			if cells != nil {
				clear(cells[:])
			}
		}
	}
	m.pages[n] = p
	return p
}

// divide gives the granules in set of a whole line the run r.
func (m *memory) divide(line *run, set uint32, r run) {
	at, l := m.divided.take()
	l[0].used, l[0].set, l[0].run, l[1].set, l[1].run = 2, set, r, ^set, *line
	*line = lineDivided | run(at)
}

// drop drops the metadata of the granules from first to last, which are all that have been accessed in their pages.
func (m *memory) drop(first, last uint64) {
	for n := first >> (lineBits + pageBits); n <= last>>(lineBits+pageBits); n++ {
		p := m.pages[n]
		if p == nil {
			continue
		}
		for _, r := range p.lines {
			if r < lineSpread && !r.whole() {
				m.divided.give(r.place())
			}
		}
		delete(m.pages, n)
		m.idle = append(m.idle, p)
		m.recent[n*recentHash>>(64-recentBits)] = recent{}
		if m.last.n == n {
			m.last = recent{n: ^uint64(0)}
		}
	}
}

// of returns the cells of line n of the page.
func (p *page) of(n uint64) *cells {
	g := n << lineBits
	return (*cells)((*p.part(g))[g%(1<<(partBits+lineBits)):])
}

// cells converts line n to the spread form, and returns its cells.
func (m *memory) cells(n uint64) *cells {
	p := m.page(n)
	line := &p.lines[n%(1<<pageBits)]
	if cells := p.part(n << lineBits); *cells == nil {
		*cells = hugepage.Object(new(part))
	}
	c := p.of(n)
	switch was := *line; {
	case was == lineSpread:
		return c
	case !was.whole():
		m.divided.at(was.place()).spread(c)
		m.divided.give(was.place())
	case was.record() == none:
		for k := range c {
			c[k] = cell(unaccessed << laneBits)
		}
	case was.step() == 0:
		for k := range c {
			c[k] = cell(was)
		}
	default:
		for k := range c {
			c[k] = was.cell(uint64(k))
		}
	}
	*line = lineSpread
	return c
}

// gather converts the spread line n to the whole or divided form if possible.
func (m *memory) gather(n uint64) {
	p := m.page(n)
	g, ok := gathered(p.of(n))
	if !ok {
		return
	}
	*p.of(n) = cells{}
	line := &p.lines[n%(1<<pageBits)]
	if g[0].used == 1 {
		*line = g[0].run
		return
	}
	at, l := m.divided.take()
	*l = g
	*line = lineDivided | run(at)
}

// unite converts a divided line, with metadata l, to the whole form if it has one kind left.
func (m *memory) unite(line *run, l *line) {
	if l[0].used == 1 {
		m.divided.give(line.place())
		*line = l[0].run
	}
}

package detect

import "maps"

const (
	scordPageBits   = 10 // lines of a page of metadata
	scordRecentBits = 8  // pages that are found without a map
	scordAliases    = 16 // granules that share an entry with metadata caching

	outsideIndex = ^uint64(0) // of what has no entry
)

// scordPage is the metadata of consecutive lines. Of one that has no line which is spread
// all is zero but for those accessed.
type scordPage struct {
	lines [1 << scordPageBits]scordRun
	cells *[1 << (scordPageBits + scordLineBits)]scordCell // of lines that are spread; nil for none
}

// scordRecent is a page that has been looked up.
type scordRecent struct {
	n    uint64
	page *scordPage // nil for none
}

// scordMemory is the metadata in memory: an entry for every granule or, with metadata
// caching, a direct-mapped cache.
type scordMemory struct {
	last    scordRecent
	recent  [1 << scordRecentBits]scordRecent
	pages   map[uint64]*scordPage
	idle    []*scordPage // of earlier kernels
	divided scordPool[scordLine]
	records scordRecords

	index    uint64            // of the entry that lookup returned
	counters map[uint64]uint32 // of releases, at the access that the entry describes; nil without the option

	// Of the cache:
	entries uint64            // 0 without
	shift   uint              // granules of a page of memory, as a power of two
	frames  map[uint64]uint64 // physical pages, given out in the order in which memory is touched
	tag     uint32            // of the entry that lookup returned
	outside scordCell
}

// forget makes all granules what they are when nothing has been accessed.
func (m *scordMemory) forget() {
	for p := range maps.Values(m.pages) {
		m.idle = append(m.idle, p)
	}
	clear(m.pages)
	m.last, m.recent = scordRecent{n: ^uint64(0)}, [len(m.recent)]scordRecent{}
	m.divided.again()
	m.records.reset()
}

// reset forgets everything. The granules are those of the device's memory, of bytes
// 1<<shift each; with caching there is one entry for sixteen of them.
func (m *scordMemory) reset(o *ScoRDOptions, granules uint64, shift uint) {
	if m.pages == nil {
		m.pages = make(map[uint64]*scordPage)
	}
	m.forget()
	m.index, m.tag, m.counters = 0, 0, nil
	if o.Release {
		m.counters = make(map[uint64]uint32)
	}
	if o.Cache {
		m.entries = max(1, (granules+scordAliases-1)/scordAliases)
		m.frames, m.shift = make(map[uint64]uint64), 12-shift
	}
}

// lookup is the cell of a granule. What it says is of that granule: an entry of another
// one that has the same place in the cache is lost.
func (m *scordMemory) lookup(granule uint64) *scordCell {
	if m.entries == 0 {
		m.index = granule
		return m.cell()
	}
	p := m.physical(granule)
	m.index, m.tag = p%m.entries, uint32(min(p/m.entries, scordAliases))
	if m.tag == scordAliases { // allocated by the kernel: there are no metadata for it
		delete(m.counters, outsideIndex)
		m.outside = 0
		return &m.outside
	}
	c := m.cell()
	if m.records.entries[c.record()].tag() != m.tag {
		*c = 0
		delete(m.counters, m.index)
	}
	return c
}

// cell is the cell at m.index.
func (m *scordMemory) cell() *scordCell {
	return &m.cells(m.index >> scordLineBits)[m.index&(1<<scordLineBits-1)]
}

// counter is the key in counters of the entry that lookup returned.
func (m *scordMemory) counter() uint64 {
	if m.tag == scordAliases {
		return outsideIndex
	}
	return m.index
}

// tagged is an entry as it is stored.
func (m *scordMemory) tagged(e scordEntry) scordEntry {
	return e&^(tagMask<<tagShift) | scordEntry(m.tag&tagMask)<<tagShift
}

// physical is the number of a granule in the device's memory.
func (m *scordMemory) physical(granule uint64) uint64 {
	frame, ok := m.frames[granule>>m.shift]
	if !ok {
		frame = uint64(len(m.frames))
		m.frames[granule>>m.shift] = frame
	}
	return frame<<m.shift | granule&(1<<m.shift-1)
}

// page is the page of line n.
func (m *scordMemory) page(n uint64) *scordPage {
	if n>>scordPageBits != m.last.n {
		m.turn(n >> scordPageBits)
	}
	return m.last.page
}

// line is line n.
func (m *scordMemory) line(n uint64) *scordRun { return &m.page(n).lines[n%(1<<scordPageBits)] }

// turn makes page n the last one.
func (m *scordMemory) turn(n uint64) {
	r := &m.recent[n*0x9e3779b97f4a7c15>>(64-scordRecentBits)]
	if r.n != n || r.page == nil {
		*r = scordRecent{n, m.made(n)}
	}
	m.last = *r
}

// made is page n, which may have to be made.
func (m *scordMemory) made(n uint64) *scordPage {
	p := m.pages[n]
	if p != nil {
		return p
	}
	if last := len(m.idle) - 1; last < 0 {
		p = new(scordPage)
	} else {
		p = m.idle[last]
		m.idle = m.idle[:last]
		clear(p.lines[:])
	}
	m.pages[n] = p
	return p
}

// divide makes the granules in set of a whole line like r.
func (m *scordMemory) divide(line *scordRun, set uint32, r scordRun) {
	at, l := m.divided.take()
	l.kinds, l.sets[0], l.kind[0], l.sets[1], l.kind[1] = 2, set, r, ^set, *line
	*line = scordDivided | scordRun(at)
}

// of is the cells of line n of the page.
func (p *scordPage) of(n uint64) *scordCells {
	return (*scordCells)(p.cells[n%(1<<scordPageBits)<<scordLineBits:])
}

// cells is the cells of line n, which has them from now on.
func (m *scordMemory) cells(n uint64) *scordCells {
	p := m.page(n)
	line := &p.lines[n%(1<<scordPageBits)]
	if p.cells == nil {
		p.cells = new([1 << (scordPageBits + scordLineBits)]scordCell)
	}
	c := p.of(n)
	switch was := *line; {
	case was == scordSpread:
		return c
	case !was.whole():
		m.divided.at(was.place()).spread(c)
		m.divided.give(was.place())
	case was.step() == 0:
		for k := range c {
			c[k] = scordCell(was)
		}
	default:
		for k := range c {
			c[k] = was.cell(uint64(k))
		}
	}
	*line = scordSpread
	return c
}

// gather has line n, which is spread, do without cells when it can.
func (m *scordMemory) gather(n uint64) {
	p := m.page(n)
	g, ok := gathered(p.of(n))
	if !ok {
		return
	}
	line := &p.lines[n%(1<<scordPageBits)]
	if g.kinds == 1 {
		*line = g.kind[0]
		return
	}
	at, l := m.divided.take()
	*l = g
	*line = scordDivided | scordRun(at)
}

// unite makes a line that is divided, as l says, whole when it can be.
func (m *scordMemory) unite(line *scordRun, l *scordLine) {
	if l.kinds == 1 {
		m.divided.give(line.place())
		*line = l.kind[0]
	}
}

package detect

import "maps"

const (
	scordPageBits   = 10 // lines of a page of metadata
	scordRecentBits = 8  // pages that are found without a map
	scordAliases    = 16 // granules that share an entry with metadata caching

	outsideIndex = ^uint64(0) // of what has no entry
)

// scordPage is the metadata of consecutive lines.
type scordPage [1 << scordPageBits]scordCell

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
	spread  scordPool[scordCells]

	index    uint64            // of the entry that lookup returned
	counters map[uint64]uint32 // of releases, at the access that the entry describes; nil without the option

	// Of the cache:
	entries uint64            // 0 without
	shift   uint              // granules of a page of memory, as a power of two
	frames  map[uint64]uint64 // physical pages, given out in the order in which memory is touched
	tag     uint32            // of the entry that lookup returned
	outside scordCell
}

// reset forgets everything. The granules are those of the device's memory, of bytes
// 1<<shift each; with caching there is one entry for sixteen of them.
func (m *scordMemory) reset(o *ScoRDOptions, granules uint64, shift uint) {
	idle := m.idle
	for p := range maps.Values(m.pages) {
		idle = append(idle, p)
	}
	*m = scordMemory{last: scordRecent{n: ^uint64(0)}, pages: make(map[uint64]*scordPage), idle: idle, divided: m.divided.again(), spread: m.spread.again()}
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
		m.outside = scordFreshCell
		return &m.outside
	}
	c := m.cell()
	if c.entry.tag() != m.tag {
		*c = scordFreshCell
		delete(m.counters, m.index)
	}
	return c
}

// cell is the cell at m.index.
func (m *scordMemory) cell() *scordCell {
	return &m.cells(m.line(m.index >> scordLineBits))[m.index&(1<<scordLineBits-1)]
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

// line is the cell of line n.
func (m *scordMemory) line(n uint64) *scordCell {
	if n>>scordPageBits != m.last.n {
		m.turn(n >> scordPageBits)
	}
	return &m.last.page[n%(1<<scordPageBits)]
}

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
	}
	for i := range p {
		p[i] = scordFreshCell
	}
	m.pages[n] = p
	return p
}

// divide makes the granules in set of a whole line like c.
func (m *scordMemory) divide(line *scordCell, set uint32, c scordCell) {
	at, l := m.divided.take()
	l.kinds, l.sets[0], l.kind[0], l.sets[1], l.kind[1] = 2, set, c, ^set, *line
	*line = scordCell{scordDivided, scordMark(at)}
}

// cells is the cells of a line, which has them from now on.
func (m *scordMemory) cells(line *scordCell) *scordCells {
	if line.entry == scordSpread {
		return m.spread.at(uint32(line.mark))
	}
	at, c := m.spread.take()
	if line.whole() {
		for k := range c {
			c[k] = *line
		}
	} else {
		m.divided.at(uint32(line.mark)).spread(c)
		m.divided.give(uint32(line.mark))
	}
	*line = scordCell{scordSpread, scordMark(at)}
	return c
}

// gather has a line that is spread do without cells when it can.
func (m *scordMemory) gather(line *scordCell) {
	was := uint32(line.mark)
	g, ok := gathered(m.spread.at(was))
	if !ok {
		return
	}
	m.spread.give(was)
	at, l := m.divided.take()
	*l = g
	*line = scordCell{scordDivided, scordMark(at)}
	m.unite(line, l)
}

// unite makes a line that is divided, as l says, whole when it can be.
func (m *scordMemory) unite(line *scordCell, l *scordLine) {
	if l.kinds == 1 {
		m.divided.give(uint32(line.mark))
		*line = l.kind[0]
	}
}

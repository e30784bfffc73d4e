package detect

import "slices"

const (
	scordPageBits  = 10 // granules of a page of metadata
	scordChunkBits = 10 // pages of a chunk
	scordAliases   = 16 // granules that share an entry with metadata caching

	scordRecentBits = 6 // chunks that are found without a map

	outsideIndex = ^uint64(0) // of what has no entry
)

// scordPage is the metadata of consecutive granules.
type scordPage struct {
	spread uint32                                            // lines whose granules have a cell each
	cells  *[1 << (scordPageBits - scordLineBits)]scordCells // of those lines, nil when there has been none
	lines  [1 << (scordPageBits - scordLineBits)]scordLine   // the others
}

// scordCells is a cell for each granule of a line.
type scordCells [1 << scordLineBits]scordCell

// cellsOf is the cells of line i, which has them from now on.
func (p *scordPage) cellsOf(i uint64) *scordCells {
	if p.cells == nil {
		p.cells = new([len(p.lines)]scordCells)
	}
	if p.spread>>i&1 == 0 {
		p.spread |= 1 << i
		p.lines[i].spread(&p.cells[i])
	}
	return &p.cells[i]
}

// gather has line i do without cells when it can.
func (p *scordPage) gather(i uint64) {
	if l, ok := gathered(&p.cells[i]); ok {
		p.lines[i] = l
		p.spread &^= 1 << i
	}
}

// scordMemory is the metadata in memory: an entry for every granule or, with metadata
// caching, a direct-mapped cache.
type scordMemory struct {
	chunks   map[uint64]*scordChunk
	recent   [1 << scordRecentBits]scordRecent
	idle     []*scordPage      // of earlier kernels
	index    uint64            // of the entry that lookup returned
	counters map[uint64]uint32 // of releases, at the access that the entry describes; nil without the option

	// Of the cache:
	entries uint64            // 0 without
	shift   uint              // granules of a page of memory, as a power of two
	frames  map[uint64]uint64 // physical pages, given out in the order in which memory is touched
	tag     uint32            // of the entry that lookup returned
	outside scordPage
}

// scordChunk is consecutive pages.
type scordChunk [1 << scordChunkBits]*scordPage

// scordRecent is a chunk that has been looked up.
type scordRecent struct {
	n     uint64
	chunk *scordChunk // nil for none
}

// reset forgets everything. The granules are those of the device's memory, of bytes
// 1<<shift each; with caching there is one entry for sixteen of them.
func (m *scordMemory) reset(o *ScoRDOptions, granules uint64, shift uint) {
	idle := m.idle
	for _, c := range m.chunks {
		idle = append(idle, slices.DeleteFunc(c[:], func(p *scordPage) bool { return p == nil })...)
	}
	*m = scordMemory{chunks: make(map[uint64]*scordChunk), idle: idle}
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
		c := &m.outside.cellsOf(0)[0]
		*c = scordFreshCell
		return c
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
	return &m.page(m.index).cellsOf(lineOf(m.index))[m.index&(1<<scordLineBits-1)]
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

// page is where the metadata of a granule are, without metadata caching.
func (m *scordMemory) page(granule uint64) *scordPage {
	n := granule >> (scordPageBits + scordChunkBits)
	// Allocations lie 4 GiB apart: numbers of chunks differ in high bits.
	r := &m.recent[(n^n>>10)&(1<<scordRecentBits-1)]
	if n == r.n && r.chunk != nil {
		if p := r.chunk[granule>>scordPageBits&(1<<scordChunkBits-1)]; p != nil {
			return p
		}
	}
	return m.made(granule)
}

// lineOf is the line of its page that a granule is in.
func lineOf(granule uint64) uint64 {
	return granule >> scordLineBits & (1<<(scordPageBits-scordLineBits) - 1)
}

// made is page when it may have to be made.
func (m *scordMemory) made(granule uint64) *scordPage {
	n := granule >> (scordPageBits + scordChunkBits)
	c := m.chunks[n]
	if c == nil {
		c = new(scordChunk)
		m.chunks[n] = c
	}
	m.recent[(n^n>>10)&(1<<scordRecentBits-1)] = scordRecent{n, c}
	p := &c[granule>>scordPageBits&(1<<scordChunkBits-1)]
	if *p == nil {
		*p = m.fresh()
	}
	return *p
}

// fresh is a page of fresh granules.
func (m *scordMemory) fresh() *scordPage {
	last := len(m.idle) - 1
	if last < 0 {
		return new(scordPage)
	}
	p := m.idle[last]
	m.idle = m.idle[:last]
	p.spread = 0
	clear(p.lines[:])
	return p
}

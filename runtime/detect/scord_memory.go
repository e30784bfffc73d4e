package detect

import "github.com/ptxsan/ptxsan/runtime/abi"

// scordCell is an entry with what reports need beside it, and what section VI adds.
type scordCell struct {
	diff    scordEntry // from a fresh entry, so that memory need not be initialised
	site    uint32     // of the access that the entry describes
	block   uint32     // linear
	counter uint32     // of releases, at that access
	lane    uint8
	access  abi.AccessKind
}

func (c *scordCell) entry() scordEntry    { return c.diff ^ scordFresh }
func (c *scordCell) set(entry scordEntry) { c.diff = entry ^ scordFresh }

const (
	scordPageBits = 10 // granules of a page of metadata
	scordAliases  = 16 // granules that share an entry with metadata caching
)

type scordPage [1 << scordPageBits]scordCell

// scordMemory is the metadata in memory: an entry for every granule or, with metadata
// caching, a direct-mapped cache.
type scordMemory struct {
	pages map[uint64]*scordPage
	last  *scordPage
	lastN uint64
	index uint64 // of the entry that lookup returned

	// Of the cache:
	entries uint64            // 0 without
	shift   uint              // granules of a page of memory, as a power of two
	frames  map[uint64]uint64 // physical pages, given out in the order in which memory is touched
	tag     uint32            // of the entry that lookup returned
	outside scordCell
}

// reset forgets everything. The granules are those of the device's memory, of bytes
// 1<<shift each; with caching there is one entry for sixteen of them.
func (m *scordMemory) reset(cache bool, granules uint64, shift uint) {
	*m = scordMemory{pages: make(map[uint64]*scordPage), lastN: ^uint64(0)}
	if cache {
		m.entries = max(1, (granules+scordAliases-1)/scordAliases)
		m.frames, m.shift = make(map[uint64]uint64), 12-shift
	}
}

// lookup is the entry for a granule. What it says is of that granule: an entry of
// another one that has the same place in the cache is lost.
func (m *scordMemory) lookup(granule uint64) *scordCell {
	m.index = granule
	if m.entries == 0 {
		return m.cell()
	}
	p := m.physical(granule)
	m.index, m.tag = p%m.entries, uint32(min(p/m.entries, scordAliases))
	if m.tag == scordAliases { // allocated by the kernel: there are no metadata for it
		m.outside = scordCell{}
		return &m.outside
	}
	c := m.cell()
	if c.entry().tag() != m.tag {
		*c = scordCell{}
	}
	return c
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

// cell is the entry at m.index.
func (m *scordMemory) cell() *scordCell {
	n := m.index >> scordPageBits
	if n != m.lastN {
		page := m.pages[n]
		if page == nil {
			page = new(scordPage)
			m.pages[n] = page
		}
		m.last, m.lastN = page, n
	}
	return &m.last[m.index&(1<<scordPageBits-1)]
}

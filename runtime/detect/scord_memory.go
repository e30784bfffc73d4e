package detect

import "github.com/ptxsan/ptxsan/runtime/abi"

const (
	scordPageBits = 10 // granules of a page of metadata
	scordAliases  = 16 // granules that share an entry with metadata caching

	scordRecentBits = 8

	outsideIndex = ^uint64(0) // of what has no entry
)

// scordRecent is a page that has been looked up.
type scordRecent struct {
	n    uint64
	page *scordPage // nil for none
}

// scordPage is the entries of consecutive granules, each array by itself: an access of
// a warp mostly is to a row of granules in the same state. It has no pointers, so that
// the garbage collector need not look into it.
type scordPage struct {
	diffs [1 << scordPageBits]scordEntry // from a fresh entry, so that memory need not be initialised
	marks [1 << scordPageBits]scordMark
}

// scordMark says what reports need to know of the access that an entry describes:
//
//	63-32 block, linear  31-7 site  6-5 kind of access  4-0 lane
type scordMark uint64

// markOf is the mark of an access of lane 0, which is to be added.
func markOf(ev *abi.Event) scordMark {
	site := ev.Site
	if site >= 1<<25 {
		site = 0 // unknown
	}
	return scordMark(ev.Block)<<32 | scordMark(site)<<7 | scordMark(ev.Access)<<5
}

func (m scordMark) block() uint32          { return uint32(m >> 32) }
func (m scordMark) site() uint32           { return uint32(m) >> 7 }
func (m scordMark) access() abi.AccessKind { return abi.AccessKind(m >> 5 & 3) }
func (m scordMark) lane() uint32           { return uint32(m & 31) }

// scordCell is the entry of a granule with what is beside it.
type scordCell struct {
	scordMark
	entry scordEntry
}

// cell is everything about entry i.
func (p *scordPage) cell(i uint64) scordCell {
	return scordCell{scordMark: p.marks[i], entry: p.diffs[i] ^ scordFresh}
}

// forget makes entry i a fresh one.
func (p *scordPage) forget(i uint64) {
	p.diffs[i], p.marks[i] = 0, 0
}

// alike is how many of the n entries from i on are the same as the first.
func (p *scordPage) alike(i, n uint64) uint64 {
	row := p.diffs[i : i+n]
	for k, d := range row {
		if d != row[0] {
			return uint64(k)
		}
	}
	return n
}

// scordMemory is the metadata in memory: an entry for every granule or, with metadata
// caching, a direct-mapped cache.
type scordMemory struct {
	pages    map[uint64]*scordPage
	recent   [1 << scordRecentBits]scordRecent // by number of the page, the lowest bits
	index    uint64                            // of the entry that lookup returned
	counters map[uint64]uint32                 // of releases, at the access that the entry describes; nil without the option

	// Of the cache:
	entries uint64            // 0 without
	shift   uint              // granules of a page of memory, as a power of two
	frames  map[uint64]uint64 // physical pages, given out in the order in which memory is touched
	tag     uint32            // of the entry that lookup returned
	outside scordPage
}

// reset forgets everything. The granules are those of the device's memory, of bytes
// 1<<shift each; with caching there is one entry for sixteen of them.
func (m *scordMemory) reset(o *ScoRDOptions, granules uint64, shift uint) {
	*m = scordMemory{pages: make(map[uint64]*scordPage)}
	if o.Release {
		m.counters = make(map[uint64]uint32)
	}
	if o.Cache {
		m.entries = max(1, (granules+scordAliases-1)/scordAliases)
		m.frames, m.shift = make(map[uint64]uint64), 12-shift
	}
}

// lookup is the entry for a granule, by page and index. What it says is of that
// granule: an entry of another one that has the same place in the cache is lost.
func (m *scordMemory) lookup(granule uint64) (*scordPage, uint64) {
	if m.entries == 0 {
		m.index = granule
		return m.page()
	}
	p := m.physical(granule)
	m.index, m.tag = p%m.entries, uint32(min(p/m.entries, scordAliases))
	if m.tag == scordAliases { // allocated by the kernel: there are no metadata for it
		m.outside.forget(0)
		delete(m.counters, outsideIndex)
		return &m.outside, 0
	}
	page, i := m.page()
	if (page.diffs[i] ^ scordFresh).tag() != m.tag {
		page.forget(i)
		delete(m.counters, m.index)
	}
	return page, i
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

// page is where the entry at m.index is.
func (m *scordMemory) page() (*scordPage, uint64) {
	n := m.index >> scordPageBits
	r := &m.recent[n&(1<<scordRecentBits-1)]
	if n != r.n || r.page == nil {
		*r = scordRecent{n, m.made(n)}
	}
	return r.page, m.index & (1<<scordPageBits - 1)
}

// made is page n, which is made when it is first asked for.
func (m *scordMemory) made(n uint64) *scordPage {
	p := m.pages[n]
	if p == nil {
		p = new(scordPage)
		m.pages[n] = p
	}
	return p
}

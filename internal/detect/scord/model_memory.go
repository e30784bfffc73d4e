// Metadata memory: an entry for each granule, or the software cache of entries.

package scord

import "github.com/ptxsan/ptxsan/internal/pagetable"

const (
	pageBits = 10 // log2 of the granules of a page of metadata
	aliases  = 16 // granules that share an entry with metadata caching

	outsideIndex = ^uint64(0) // index of granules without an entry
)

// record is the metadata of a granule: the hardware's entry, and what reports need of the access that the entry
// describes.
type record struct {
	entry entry
	mark  mark
}

// page is the metadata of consecutive granules.
type page [1 << pageBits]record

// memory is the metadata in memory: an entry for every granule or, with metadata caching, a direct-mapped cache of
// entries.
type memory struct {
	pages    pagetable.Table[page]
	last     *page             // page of the latest look-up, nil for none
	number   uint64            // number of last
	counters map[uint64]uint32 // number of releases at the access that an entry describes, by index; nil without the option

	index uint64 // of the entry that lookup returned

	// For the cache:
	entries uint64            // 0 without a cache
	shift   uint              // log2 of the granules of a page of memory
	frames  map[uint64]uint64 // physical pages, assigned in the order of first use
	tag     uint32            // of the entry that lookup returned
	outside record
}

// newMemory returns metadata of which no granule has been accessed. There are granules granules in the device's memory,
// of 1<<shift bytes each; with caching there is one entry for sixteen of them.
func newMemory(o *Options, granules uint64, shift uint) memory {
	m := memory{}
	if o.Release {
		m.counters = make(map[uint64]uint32)
	}
	if o.Cache {
		m.entries = max(1, (granules+aliases-1)/aliases)
		m.frames, m.shift = make(map[uint64]uint64), 12-shift
	}
	return m
}

// lookup returns the record of a granule. With caching, it evicts the entry of another granule at the same index.
func (m *memory) lookup(granule uint64) *record {
	if m.entries == 0 {
		m.index = granule
		return m.record()
	}
	p := m.physical(granule)
	m.index, m.tag = p%m.entries, uint32(min(p/m.entries, aliases))
	if m.tag == aliases { // allocated by the kernel, which has no metadata
		delete(m.counters, outsideIndex)
		m.outside = record{entry: fresh}
		return &m.outside
	}
	r := m.record()
	if r.entry.tag() != m.tag {
		*r = record{entry: fresh}
		delete(m.counters, m.index)
	}
	return r
}

// counter returns the key, in counters, of the entry that lookup returned.
func (m *memory) counter() uint64 {
	if m.tag == aliases {
		return outsideIndex
	}
	return m.index
}

// record returns the record at m.index.
func (m *memory) record() *record {
	if n := m.index >> pageBits; m.last == nil || n != m.number {
		m.last, m.number = m.page(n), n
	}
	return &m.last[m.index%(1<<pageBits)]
}

// page returns page n, which it makes if missing.
func (m *memory) page(n uint64) *page {
	p := m.pages.Find(n)
	if p == nil {
		p = new(page)
		for i := range p {
			p[i].entry = fresh
		}
		m.pages.Add(n, p)
	}
	return p
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

// drop drops the metadata of the granules from first to last, which are all that have been accessed in their pages.
func (m *memory) drop(first, last uint64) {
	m.pages.Trim(first>>pageBits, last>>pageBits, func(uint64, *page) bool { return false })
	m.last = nil
}

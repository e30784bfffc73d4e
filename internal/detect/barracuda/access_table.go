// The table of accesses that epochs refer to, by 32-bit references.

package barracuda

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/hugepage"
)

// accessTable holds the accesses that cells of shadow memory refer to. Lanes of a warp that access memory with one
// instruction share an entry, and a cell keeps the number of the entry and its lane in four bytes.
type accessTable struct {
	list  []tableEntry // element 0 is ⊥
	least int          // length at which unreferenced accesses are dropped for the first time
	limit int          // length at which they are dropped next
	most  int          // maximal number of accesses at a time
	lost  uint64       // accesses not recorded for lack of room
}

// tableEntry is an epoch c@t without the lane of t, and the instruction.
type tableEntry struct{ clock, warp, site uint32 }

// before reports whether an access is by a warp, at a clock before clock.
func (x *tableEntry) before(warp, clock uint32) bool { return x.warp == warp && x.clock < clock }

// accessRef is the content of a cell: the number of an entry and the lane, or the number of a set of accesses and
// inSet; 0 for ⊥.
type accessRef uint32

const (
	refLaneBits = 6       // bits for the lane
	inSet       = 1 << 5  // in place of the lane, for a set of concurrent accesses
	maxEntries  = 1 << 26 // limit of the numbers of a reference
	manyEntries = 1 << 20 // number of entries from which unreferenced ones are dropped
	laneMask    = 1<<refLaneBits - 1
)

func newRef(number uint32, lane int) accessRef { return accessRef(number<<refLaneBits | uint32(lane)) }

func (m accessRef) number() uint32 { return uint32(m) >> refLaneBits }
func (m accessRef) lane() uint8    { return uint8(m & laneMask) }
func (m accessRef) isSet() bool    { return m&inSet != 0 }

func newAccessTable() accessTable { return accessTable{least: manyEntries, most: maxEntries} }

// begin drops all accesses.
func (p *accessTable) begin() {
	p.list, p.limit, p.lost = append(p.list[:0], tableEntry{}), p.least, 0
}

// add returns the number of a new access, 0 if there is no room.
func (p *accessTable) add(clock, warp, site uint32) uint32 {
	n := len(p.list)
	if n >= p.most {
		p.lost++
		return 0
	}
	if n == cap(p.list) {
		p.grow()
	}
	p.list = append(p.list, tableEntry{clock, warp, site})
	return uint32(n)
}

// grow doubles the capacity: append would grow large tables by a quarter, and copy them often.
func (p *accessTable) grow() {
	p.list = hugepage.Slice(slices.Grow(p.list, max(len(p.list), 1)))
}

// epoch returns the epoch of a reference that is not to a set.
func (p *accessTable) epoch(m accessRef) epoch {
	x := &p.list[m.number()]
	return epoch{clock: x.clock, warp: x.warp, site: x.site, lane: m.lane()}
}

// tidy drops accesses that no cell refers to, if there are many accesses.
func (c *checker) tidy() {
	p := &c.spare.accesses
	if len(p.list) < p.limit {
		return
	}
	kept, to := []tableEntry{{}}, make([]uint32, len(p.list))
	rename := func(m *accessRef) {
		n := m.number()
		if n == 0 || m.isSet() {
			return
		}
		if to[n] == 0 {
			to[n] = uint32(len(kept))
			kept = append(kept, p.list[n])
		}
		*m = newRef(to[n], int(m.lane()))
	}
	for _, mem := range c.grids {
		mem.global.refs(rename)
		for _, sh := range mem.shared {
			sh.refs(rename)
		}
	}
	p.list, p.limit = kept, max(p.least, 2*len(kept))
}

// refs calls do for the reference of each cell that has its own.
func (sh *shadow) refs(do func(*accessRef)) {
	for _, p := range sh.pages.All {
		for _, e := range p.all() {
			if *e == nil {
				continue
			}
			for i := range (*e).cells {
				do(&(*e).cells[i])
			}
		}
	}
}

// Compact metadata of consecutive cells that one warp has accessed with a constant stride.

package barracuda

import (
	"cmp"
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/detect/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/hugepage"
)

// group holds the accesses of one kind to groupCells consecutive cells. The cells are accessed together if cell i of the group is
// accessed by lane (key+i)>>shift of the warp.
type group struct {
	state groupState
	shift uint8  // log2 of the number of cells that a lane accesses
	key   uint16 // for the first cell: lane<<shift, plus its index among the lane's cells
	clock uint32 // as in epoch
	warp  uint32
	site  uint32
	cells *[groupCells]accessRef // if mixed
}

// groupState is the representation of a group.
type groupState uint8

const (
	groupEmpty  groupState = iota
	groupOne               // one epoch for all cells
	groupShared            // one set for all cells, as if the lane of the first cell had accessed them all
	groupMixed             // each cell has its own epoch
)

const (
	groupBits  = 5
	groupCells = 1 << groupBits
)

// lane returns the lane that accesses cell i of the page.
func (g *group) lane(i int) int { return (int(g.key) + i&(groupCells-1)) >> g.shift }

// lanes returns the lanes that access the group.
func (g *group) lanes() uint32 {
	from, to := g.key>>g.shift, (g.key+groupCells-1)>>g.shift
	return uint32(1<<(to+1) - 1<<from)
}

// alike reports whether the lanes of a row access the cells of the group at cell at of the page as the group's own accesses did.
func (g *group) alike(r *row, at int) bool { return g.shift == r.shift && g.key == r.key(at) }

// putGroup makes the accesses of a row the only ones to a group.
func (e *epochs) putGroup(at int, a *access, r *row) {
	e.resetCells(at*groupCells, (at+1)*groupCells)
	g := &e.groups[at]
	g.state, g.shift, g.key, g.clock, g.warp, g.site = groupOne, r.shift, r.key(at), a.local, a.id, a.site
}

// resetCells sets cells of one group to ⊥, the minimal epoch.
func (e *epochs) resetCells(i, end int) {
	at := i / groupCells
	g := &e.groups[at]
	whole := end-i == groupCells
	switch {
	case g.state == groupEmpty:
		return
	case g.state == groupShared && whole:
		e.drop(g.warp)
	case !whole:
		e.mix(at)
	}
	if g.state == groupMixed && (!whole || e.shared()) {
		for ; i < end; i++ {
			e.put(i, 0)
		}
	}
	if whole {
		g.state = groupEmpty
	}
}

// mix gives each cell of a group its own epoch.
func (e *epochs) mix(at int) {
	if g := &e.groups[at]; g.state != groupMixed {
		e.scatter(g)
	}
}

// scatter is mix for a group that is not mixed.
func (e *epochs) scatter(g *group) {
	e.accesses.scattered++
	if g.cells == nil {
		g.cells = hugepage.Object(new([groupCells]accessRef))
	}
	number := uint32(0)
	if g.state == groupOne {
		number = e.accesses.add(g.clock, g.warp, g.site)
	}
	for i := range g.cells {
		c := &g.cells[i]
		switch g.state {
		case groupEmpty:
			*c = 0
		case groupOne:
			*c = newRef(number, g.lane(i))
		case groupShared:
			s, n := e.take()
			s.copy(e.set(g.warp))
			list := s.runs().list
			for k := range list {
				list[k].mask = 1 << g.lane(i)
			}
			*c = newRef(n, inSet)
		}
	}
	if g.state == groupShared {
		e.drop(g.warp)
	}
	g.state = groupMixed
}

// inflateGroup replaces the epoch of a group by a set, and returns the set.
func (e *epochs) inflateGroup(g *group) *epochSet {
	s, at := e.take()
	s.start(g.warp, g.lanes()&-g.lanes(), g.clock, g.site)
	g.state, g.warp = groupShared, at
	return s
}

// before reports whether all accesses to cells of one group precede a, or do not race with it because both are atomic. The test
// is conservative: if it returns false, the rules for cells decide.
func (c *earlier) before(i, end int, a *access) bool {
	g := &c.groups[i/groupCells]
	switch g.state {
	case groupEmpty:
		return true
	case groupOne:
		return c.comesBefore(g.warp, g.clock, g.site, g.lanes(), a)
	case groupShared:
		return c.setBefore(c.set(g.warp), g.lanes(), a)
	}
	cells := c.part(i, end)
	for _, m := range cells {
		switch {
		case a.continues(m):
		case m.isSet():
			if !c.setBefore(c.set(m.number()), 0, a) {
				return false
			}
		default:
			x := c.accesses.epoch(m)
			if !c.comesBefore(x.warp, x.clock, x.site, 1<<x.lane, a) {
				return false
			}
		}
	}
	return true
}

// setBefore is before for the accesses of a set, by lanes, or if that is 0, by the set's own lanes.
func (c *earlier) setBefore(s *epochSet, lanes uint32, a *access) bool {
	peers, own := c.peers(a), a.id&^(fanout-1)
	for i := range s.near[:s.count] {
		x := &s.near[i]
		if peers && x.warp-own < fanout { // in scope
			continue
		}
		if !c.comesBefore(x.warp, x.clock, x.site, cmp.Or(lanes, x.lanes), a) {
			return false
		}
	}
	if !s.more {
		return true
	}
	s.older.settle()
	for at := s.older.start(); at.more(); {
		r := at.run()
		at.next()
		if peers && r.within(own) { // and all those up to another block
			at.seek(own + fanout)
			continue
		}
		if !c.runBefore(r, lanes, a) {
			return false
		}
	}
	return true
}

// runBefore is setBefore for a run of a set.
func (c *earlier) runBefore(r *epochRun, lanes uint32, a *access) bool {
	for w := r.warp; w != r.end(); w++ {
		if !c.comesBefore(w, r.clock, r.site, cmp.Or(lanes, r.mask), a) {
			return false
		}
	}
	return true
}

// comesBefore is before for one access by lanes of a warp.
func (c *earlier) comesBefore(warp, clock, site, lanes uint32, a *access) bool {
	return c.peers(a) && a.inScope(warp, site) || a.follows(warp, clock, lanes)
}

// peers reports whether a and the earlier accesses are both atomic.
func (c *earlier) peers(a *access) bool { return c.kind >= Atomic && a.atomicKind() }

// part returns the cells i to end of a mixed group.
func (e *epochs) part(i, end int) []accessRef {
	at := i / groupCells * groupCells
	return e.groups[i/groupCells].cells[i-at : end-at]
}

// follows reports whether an access by lanes of a warp at a clock precedes a, as far as the clocks of whole warps show it.
func (a *access) follows(warp, clock, lanes uint32) bool {
	if warp == a.id {
		return lanes&^a.mask == 0 && clock < a.local || lanes&a.mask == 0 && a.outside.reach(lanes, clock)
	}
	return clock <= a.least(warp)
}

// least returns the smallest clock that the threads of a have for a thread of another warp.
func (a *access) least(warp uint32) uint32 {
	if a.known && warp == a.knownWarp {
		return a.knownLeast
	}
	n := uint32(0)
	if warp>>fanoutBits == a.id>>fanoutBits {
		n = a.block
	}
	if a.rest != nil {
		n = max(n, uint32(a.rest.Least(vclock.Unit(warp))))
	}
	a.known, a.knownWarp, a.knownLeast = true, warp, n
	return n
}

// row is a run of consecutive lanes of an operation that access consecutive memory within a page. It may be a single lane.
type row struct {
	from, to int   // cells of the page, without to
	shift    uint8 // log2 of the number of cells that a lane accesses
	base     int   // lane(i) is (base+i)>>shift
}

func (r *row) lane(i int) int { return (r.base + i) >> r.shift }

// key is group.key for a group that the row covers.
func (r *row) key(at int) uint16 { return uint16(r.base + at*groupCells) }

// newRow returns the row of lanes from lane on that begins at an offset in a page with cells of 1<<cellBits bytes. It has length
// bytes in all, and bytes bytes for each lane: a power of two of cells.
func newRow(cellBits uint, off, length uint64, bytes uint32, lane int) row {
	shift := uint(bits.TrailingZeros32(bytes)) - cellBits
	from := int(off >> cellBits)
	return row{from: from, to: from + int(length>>cellBits), shift: uint8(shift), base: lane<<shift - from}
}

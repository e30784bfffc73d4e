// Loading of what lanes at addresses far apart look at, for all of them at a time.

package barracuda

import "math/bits"

// Lanes that access memory in no order look at a page, a group and a cell each, none of which is in the
// processor's cache when the launch uses much memory. Lane by lane, each of these loads waits for the one before. What
// the lanes of an operation look at is loaded for all of them first, so that the processor waits for the loads together.

// prefetchLanes is how many lanes an operation has apart, and prefetchPages how many pages there are in use, at least, for
// a prefetch: less metadata is in the cache.
var prefetchLanes, prefetchPages = 8, 64

// isScattered reports whether the lanes of an operation are worth a prefetch among so many pages.
func (op *Op) isScattered(pages int) bool {
	return pages >= prefetchPages && bits.OnesCount32(op.Mask&^op.Next) >= prefetchLanes
}

// prefetch loads what the lanes of an operation look at in the shadow.
func (s *shard) prefetch(sh *shadow, op *Op) {
	var pages [fanout]*page
	for m := op.Mask; m != 0; m &= m - 1 {
		i := first(m)
		pages[i] = sh.pages.Find(op.Addr[i] >> pageBits)
	}
	for m := op.Mask; m != 0; m &= m - 1 {
		i := first(m)
		if p := pages[i]; p != nil {
			cell := int(op.Addr[i]&(pageBytes-1)) >> p.cellBits
			s.prefetched += p.writes.load(cell) + p.reads.load(cell) + p.atomics.load(cell)
		}
	}
}

// load loads what there is of a cell, and returns something of it, so that the compiler keeps the load.
func (e *epochs) load(cell int) uint32 {
	if e == nil {
		return 0
	}
	g := &e.groups[cell/groupCells]
	if g.cells == nil {
		return g.clock
	}
	return uint32(g.cells[cell%groupCells])
}

// prefetch loads the synchronisation variables of the lanes of an operation.
func (s *syncVars) prefetch(op *Op) {
	for m := op.Mask; m != 0; m &= m - 1 {
		if x := s.made(keyOf(op, first(m))); x != nil {
			s.prefetched += uint32(x.blocks.first.block)
		}
	}
}

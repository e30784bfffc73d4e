// Prefetching: the metadata of lanes at scattered addresses is loaded for all lanes at a time.

package barracuda

import "math/bits"

// Each lane of a scattered access reads a page, a group and a cell, none of which is in the processor's cache if the launch uses
// much memory. Handled lane by lane, each of these loads waits for the one before. They are therefore made for all lanes first,
// so that their latencies overlap.

// prefetchLanes is the number of scattered lanes of an operation, and prefetchPages the number of pages in use, from which on
// prefetching pays. Less metadata stays in the cache.
var prefetchLanes, prefetchPages = 8, 64

// isScattered reports whether prefetching pays for an operation and that number of pages.
func (op *Op) isScattered(pages int) bool {
	return pages >= prefetchPages && bits.OnesCount32(op.Mask&^op.Next) >= prefetchLanes
}

// prefetch loads the metadata that an operation needs.
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
			s.prefetched += p.writes.load(cell) + p.reads.load(cell) + p.atomics.load(cell) + p.polls.load(cell) + p.narrow.atomics.load(cell)
		}
	}
}

// load loads the metadata of a cell and returns a part of it, so that the compiler keeps the load.
func (e *epochs) load(cell int) uint32 {
	if e == nil {
		return 0
	}
	g := &e.groups[cell/groupCells]
	if g.cells == nil {
		return g.clock
	}
	m := g.cells[cell%groupCells]
	if m.isSet() {
		return e.set(m.number()).near[0].clock
	}
	return uint32(m)
}

// prefetch loads the synchronisation variables of the lanes of an operation, and what was released there last.
func (s *syncVars) prefetch(op *Op) {
	var released [fanout]*releasedClock
	for m := op.Mask; m != 0; m &= m - 1 {
		i := first(m)
		if x := s.made(keyOf(op, i)); x != nil {
			released[i] = x.global
		}
	}
	for m := op.Mask; m != 0; m &= m - 1 {
		if a := released[first(m)]; a != nil && a.by != nil {
			s.prefetched += a.by.local
		}
	}
}

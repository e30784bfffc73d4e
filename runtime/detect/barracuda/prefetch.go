// Prefetching: the metadata of lanes at scattered addresses is loaded for all lanes at a time.

package barracuda

import "math/bits"

// Each lane of a scattered access reads a page, a group and a cell, or a page, a line, a synchronisation variable and a release. None of
// these is in the processor's cache if the launch uses much memory. Handled lane by lane, each of these loads waits for the one before.
// They are therefore made for all lanes first, so that their latencies overlap.

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

// Empty objects that prefetch reads in place of missing ones. Nothing writes to them.
var (
	noLines   syncPage
	noVars    syncLine
	noRelease = releasedClock{by: new(threadClock)}
)

// prefetch loads, for each lane of an operation, the S_x of its location and the latest release in it. It stores the numbers of these S_x
// in found. Each loop makes one load for every lane, and none depends on another lane's. A missing page, line, release or clock is
// replaced by an empty one: without a branch on it, the processor starts the loads of most lanes before the first load ends.
func (s *syncVars) prefetch(memory *syncPages, op *Op) {
	if s.used == 0 {
		s.found = [fanout]syncRef{}
		return
	}
	var pages [fanout]*syncPage
	for m := op.Mask; m != 0; m &= m - 1 {
		i := first(m)
		if pages[i] = memory.Find(op.Addr[i] >> syncPageBits); pages[i] == nil {
			pages[i] = &noLines
		}
	}
	var lines [fanout]*syncLine
	for m := op.Mask; m != 0; m &= m - 1 {
		i := first(m)
		l := pages[i][op.Addr[i]>>syncLineBits%uint64(len(noLines))]
		if l == nil {
			l = &noVars
		}
		lines[i] = l
	}
	for m := op.Mask; m != 0; m &= m - 1 {
		i := first(m)
		s.found[i] = lines[i][op.Addr[i]>>wordBits%uint64(len(noVars))]
	}
	var released [fanout]*releasedClock
	for m := op.Mask; m != 0; m &= m - 1 {
		i := first(m)
		a := s.numbered(s.found[i]).global
		if a == nil {
			a = &noRelease
		}
		released[i] = a
	}
	var by [fanout]*threadClock
	for m := op.Mask; m != 0; m &= m - 1 {
		i := first(m)
		c := released[i].by
		if c == nil {
			c = noRelease.by
		}
		by[i] = c
	}
	loaded := uint32(0)
	for m := op.Mask; m != 0; m &= m - 1 {
		loaded += by[first(m)].local
	}
	s.prefetched = loaded
}

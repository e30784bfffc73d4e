// Vector clocks and fences of warps when they accessed shared memory, for the cells there.

package precise

import "math/bits"

// Barriers change the clocks of all threads of a block, often after a few accesses, and the cells of shared memory are empty then
// (shadow_generation.go). A warp therefore has a list of its contexts in the current generation, for all lanes together. While its
// lanes have different contexts, its accesses to shared memory are not entered in cells.

// sharedContexts holds the contexts of a warp in a generation of its shared memory.
type sharedContexts struct {
	generation uint32
	limit      int  // length of the list at which to drop unused ones
	known      bool // alike holds for the current context, which is in the list if it is alike
	alike      bool // the lanes have the same context
	list       []context
}

// sharedContextsOf returns the contexts of a warp in the current generation of its shared memory.
func (d *Detector) sharedContextsOf(u unit) []context {
	if w := d.warpOfUnit(u); w != nil {
		return w.inShared.list
	}
	return nil
}

// noteShared records the context of a warp before an access to its shared memory, and reports whether cells can hold the access.
func (d *Detector) noteShared(w *warp, s *shadow, live uint32) bool {
	x := &w.inShared
	if x.generation != s.generation {
		*x = sharedContexts{generation: s.generation, list: x.list[:0]}
	}
	if !x.known {
		x.known, x.alike = true, !s.async && w.haveOneContext(live)
		if x.alike {
			x.add(d, s, d.context(w, bits.TrailingZeros32(live)))
		}
	}
	return x.alike
}

// haveOneContext reports whether lanes have the same clock and fences.
func (w *warp) haveOneContext(lanes uint32) bool {
	first := bits.TrailingZeros32(lanes)
	clock, fences := w.of(first), w.pendingOf(first).fences
	for lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1 {
		if lane := bits.TrailingZeros32(lanes); w.of(lane) != clock || w.pendingOf(lane).fences != fences {
			return false
		}
	}
	return true
}

// add adds a context to those of a warp.
func (x *sharedContexts) add(d *Detector, s *shadow, now context) {
	if n := len(x.list); n > 0 && x.list[n-1].clock == now.clock && x.list[n-1].fences == now.fences {
		return
	}
	x.list = append(x.list, now)
	if len(x.list) > max(d.tuning.sharedContexts, x.limit) {
		held := d.useContexts(s)
		x.list = dropUnused(x.list)
		x.limit = max(2*len(x.list), held/4)
	}
}

// sharedCells counts the accesses of a class to shared memory that cells have held, and those of them that have been exposed. Where
// the lanes of a warp exchange values without barriers, all soon are, and cells do not pay.
type sharedCells struct{ entered, exposed uint64 }

// sharedCellsPay reports whether accesses of a class to shared memory are worth entering in cells.
func (d *Detector) sharedCellsPay(class uint32) bool {
	switch {
	case !d.tuning.takes(cellsInShared):
		return false
	case int(class) >= len(d.sharedCells):
		return true
	}
	x := d.sharedCells[class]
	return x.entered < d.tuning.sharedAccesses || x.exposed < x.entered/2
}

// countCells counts accesses by lanes that have been entered in cells.
func (d *Detector) countCells(a *access, lanes uint32) {
	if !a.Shared {
		return
	}
	if n := int(a.index) + 1 - len(d.sharedCells); n > 0 {
		d.sharedCells = append(d.sharedCells, make([]sharedCells, n)...)
	}
	d.sharedCells[a.index].entered += uint64(bits.OnesCount32(lanes))
}

// countExposed counts the accesses to a word of shared memory that is exposed.
func (d *Detector) countExposed(x *orderedCell) {
	for i := range x.list[:x.n] {
		d.sharedCells[x.list[i].class].exposed++
	}
}

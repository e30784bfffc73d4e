// Compaction of journals: atomic operations of ended blocks that others subsume are dropped.

package precise

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Suppose that a block has ended without a fence, a release or an arrival that other blocks could wait for. Then no running
// thread is ordered after its atomic operations except by observation, and a thread that has observed one of several on a word
// has observed those before it. So whatever races with one of them races with the first or the last one by the same instruction,
// and the others are dropped.

// compact drops the atomic operations in a region's journal that others subsume.
func (d *Detector) compact(r *region) {
	if r.mode != counting || r.memory != d.global || d.grids != 1 || d.model.fencesOrder {
		return
	}
	k := compaction{region: r, first: wordSet{}, last: wordSet{}}
	old := r.chunks
	for _, c := range slices.Backward(old) {
		for i := c.n - 1; i >= 0; i-- {
			k.look(d, c, &c.records[i])
		}
	}
	d.regions.bytes -= r.taken
	d.used -= uint64(r.taken)
	r.chunks, r.taken = nil, 0
	for _, c := range old {
		for i := range c.n {
			k.keep(d, c, &c.records[i])
		}
		d.freeChunks = append(d.freeChunks, c)
	}
	d.regions.bytes += r.taken
	d.uses(r.taken)
}

// compaction is the state while a journal is compacted.
type compaction struct {
	*region
	first, last wordSet
	// latest has an element for each access that is over, the last access first: the lanes that are the last ones to access their word.
	latest []uint32
	at     [radix]uint64
}

// look finds out, from the end of the journal on, which accesses of a record are the last ones to their words.
func (k *compaction) look(d *Detector, c *chunk, x *record) {
	if !d.isOver(x) {
		return
	}
	for n := x.times; n > 0; n-- {
		k.latest = append(k.latest, k.last.addLanes(x, c.addressesOf(x, n-1, k.size, &k.at), true))
	}
}

// keep adds the accesses of a record to the new journal, those that are over only if they are the first or the last ones to a word.
func (k *compaction) keep(d *Detector, c *chunk, several *record) {
	for n := range several.times {
		x := several.nth(n)
		c.addressesOf(several, n, k.size, &k.at)
		if d.isOver(&x) {
			end := len(k.latest) - 1
			x.mask = k.latest[end] | k.first.addLanes(&x, &k.at, false)
			x.next &= x.mask & (x.mask << 1)
			x.same &= x.mask & (x.mask << 1)
			x.wrote &= x.mask
			k.latest = k.latest[:end]
		}
		if x.mask != 0 {
			k.add(d, &x, &addresses{each: &k.at}, c.clocks[x.clock])
		}
	}
}

// isOver reports whether a record is a plain atomic operation of a block that has ended and has released nothing.
func (d *Detector) isOver(x *record) bool {
	p := d.placeOf(x.unit)
	return p.home == nil && !p.mayRelease && x.wrote&x.mask == x.mask && x.atomic == abi.AtomicOther
}

// addressesOf sets at to the offsets, within the window, that the lanes of a record access by access number n.
func (c *chunk) addressesOf(x *record, n, size uint32, at *[radix]uint64) *[radix]uint64 {
	offset := uint64(0)
	offsets := c.offsets[x.first:]
	for m := x.mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		switch bit := uint32(1) << lane; {
		case x.next&bit != 0:
			offset += uint64(size)
		case x.same&bit == 0:
			offset, offsets = uint64(offsets[0]+n*x.stride), offsets[1:]
		}
		at[lane] = offset
	}
	return at
}

// wordSet is a set of words of a window, one bit for each. The words are those that an instruction has accessed.
type wordSet map[wordPage]*[wordPageBytes / wordBytes / 64]uint64

const wordPageBytes = 1 << 16

type wordPage struct{ class, number uint32 }

// page returns the words of a page, which it adds if missing.
func (s wordSet) page(key wordPage) *[wordPageBytes / wordBytes / 64]uint64 {
	page := s[key]
	if page == nil {
		page = new([wordPageBytes / wordBytes / 64]uint64)
		s[key] = page
	}
	return page
}

// addLanes adds the words that the lanes of a record access, from the last lane to the first if back is set, and returns the
// lanes whose words were new.
func (s wordSet) addLanes(x *record, at *[radix]uint64, back bool) (fresh uint32) {
	var known wordPage
	var page *[wordPageBytes / wordBytes / 64]uint64 // the page whose key is known
	for m := x.mask; m != 0; {
		lane := bits.TrailingZeros32(m)
		if back {
			lane = 31 - bits.LeadingZeros32(m)
		}
		m &^= 1 << lane
		if key := (wordPage{x.class, uint32(at[lane] / wordPageBytes)}); page == nil || key != known {
			known, page = key, s.page(key)
		}
		i := at[lane] % wordPageBytes / wordBytes
		if bit := uint64(1) << (i % 64); page[i/64]&bit == 0 {
			page[i/64] |= bit
			fresh |= 1 << lane
		}
	}
	return fresh
}

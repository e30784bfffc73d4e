// Compaction of journals: atomic operations of ended blocks that others subsume are dropped.

package deferred

import (
	"math/bits"
	"slices"
)

// Suppose that a block has ended without a fence, a release or an arrival that other blocks could wait for. Then no
// running thread is ordered after its atomic operations except by observation, and a thread that has observed one of
// several on a word has observed those before it. So whatever races with one of them races with the first or the last
// one by the same instruction, and the others are dropped.

// Compact drops the atomic operations on words of size bytes that others subsume. isOver reports whether an operation
// is one of a block that has ended.
func (j *Journal) Compact(pool *ChunkPool, size uint32, isOver func(x *Record) bool) {
	k := compaction{Journal: j, size: size, isOver: isOver, first: wordSet{}, last: wordSet{}}
	old := j.Chunks
	for _, c := range slices.Backward(old) {
		for i := c.N - 1; i >= 0; i-- {
			k.look(c, &c.Records[i])
		}
	}
	j.Chunks, j.Taken = nil, 0
	for _, c := range old {
		for i := range c.N {
			k.keep(pool, c, &c.Records[i])
		}
		pool.free = append(pool.free, c)
	}
}

// compaction is the state while a journal is compacted.
type compaction struct {
	*Journal
	size        uint32
	isOver      func(x *Record) bool
	first, last wordSet
	// latest has an element for each access that is over, the last access first: the lanes that are the last ones to
	// access their word.
	latest []uint32
	at     [radix]uint64
}

// look finds out, from the end of the journal on, which accesses of a record are the last ones to their words.
func (k *compaction) look(c *Chunk, x *Record) {
	if !k.isOver(x) {
		return
	}
	for n := x.Times; n > 0; n-- {
		k.latest = append(k.latest, k.last.addLanes(x, c.AddressesOf(x, n-1, k.size, &k.at), true))
	}
}

// keep adds the accesses of a record to the new journal, those that are over only if they are the first or the last
// ones to a word.
func (k *compaction) keep(pool *ChunkPool, c *Chunk, several *Record) {
	for n := range several.Times {
		x := several.nth(n)
		c.AddressesOf(several, n, k.size, &k.at)
		if k.isOver(&x) {
			end := len(k.latest) - 1
			x.Mask = k.latest[end] | k.first.addLanes(&x, &k.at, false)
			x.Next &= x.Mask & (x.Mask << 1)
			x.Same &= x.Mask & (x.Mask << 1)
			x.Wrote &= x.Mask
			k.latest = k.latest[:end]
		}
		if x.Mask != 0 {
			k.Add(pool, &x, &Addresses{Each: &k.at}, c.Clocks[x.Clock])
		}
	}
}

// AddressesOf sets at to the offsets, within the window, that the lanes of a record access by access number n.
func (c *Chunk) AddressesOf(x *Record, n, size uint32, at *[radix]uint64) *[radix]uint64 {
	offset := uint64(0)
	offsets := c.offsets[x.first:]
	for m := x.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		switch bit := uint32(1) << lane; {
		case x.Next&bit != 0:
			offset += uint64(size)
		case x.Same&bit == 0:
			offset, offsets = uint64(offsets[0]+n*x.stride), offsets[1:]
		}
		at[lane] = offset
	}
	return at
}

// wordSet is a set of words of a window, one bit for each. The words are those that an instruction has accessed.
type wordSet map[wordPage]*[wordPageBytes / WordBytes / 64]uint64

const wordPageBytes = 1 << 16

type wordPage struct{ class, number uint32 }

// page returns the words of a page, which it adds if missing.
func (s wordSet) page(key wordPage) *[wordPageBytes / WordBytes / 64]uint64 {
	page := s[key]
	if page == nil {
		page = new([wordPageBytes / WordBytes / 64]uint64)
		s[key] = page
	}
	return page
}

// addLanes adds the words that the lanes of a record access, from the last lane to the first if back is set, and
// returns the lanes whose words were new.
func (s wordSet) addLanes(x *Record, at *[radix]uint64, back bool) (fresh uint32) {
	var known wordPage
	var page *[wordPageBytes / WordBytes / 64]uint64 // the page whose key is known
	for m := x.Mask; m != 0; {
		lane := bits.TrailingZeros32(m)
		if back {
			lane = 31 - bits.LeadingZeros32(m)
		}
		m &^= 1 << lane
		if key := (wordPage{x.Class, uint32(at[lane] / wordPageBytes)}); page == nil || key != known {
			known, page = key, s.page(key)
		}
		i := at[lane] % wordPageBytes / WordBytes
		if bit := uint64(1) << (i % 64); page[i/64]&bit == 0 {
			page[i/64] |= bit
			fresh |= 1 << lane
		}
	}
	return fresh
}

// Owners of words: the block that updates a word with atomic operations of block scope.

package precise

import (
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Atomic operations of block scope are morally strong only with those of their own block. As long as no other block accesses the
// words that a block updates this way, the accesses of a region are deferred like those whose scope includes all threads.

// owners holds the owners of the words of a window, by the upper bits of the offset.
type owners struct {
	pages   map[uint32]*ownerPage
	number  uint32 // number of latest
	latest  *ownerPage
	spreads int // number of groups that have an array with the owner of each word
}

const (
	ownerPageWords  = 1 << 15
	ownerGroupWords = 32
)

// ownerPage holds the owners of the words of a page, in groups.
type ownerPage [ownerPageWords / ownerGroupWords]ownerGroup

// ownerGroup holds for each word of a group its owner: 0, or the number of the block that has accessed it, with narrowOwner set if it
// did so with block scope, or manyOwners.
type ownerGroup struct {
	one   uint32                   // the owner of words
	words uint32                   // those that have an owner
	each  *[ownerGroupWords]uint32 // the owner of each word if the words have had several, in place of one and words; else nil
}

const (
	narrowOwner = 1 << 31
	manyOwners  = narrowOwner - 1 // several blocks have accessed the word, all with a wider scope
)

// page returns the owners of a page's words.
func (o *owners) page(d *Detector, n uint32) *ownerPage {
	if o.latest == nil || o.number != n {
		if o.number, o.latest = n, o.pages[n]; o.latest == nil {
			o.latest = new(ownerPage)
			o.pages[n] = o.latest
			d.uses(unsafe.Sizeof(ownerPage{}))
		}
	}
	return o.latest
}

// claim records that a block accesses a word, and reports whether the access is morally strong with all earlier ones.
func claim(owner *uint32, block uint32, narrow bool) bool {
	switch {
	case *owner == 0:
		*owner = block
	case *owner&^narrowOwner == block:
	case narrow || *owner&narrowOwner != 0:
		return false
	default:
		*owner = manyOwners
	}
	if narrow {
		*owner |= narrowOwner
	}
	return true
}

// claim records that a block accesses words of a counting region by the lanes in mask, and reports whether the access is morally
// strong with all earlier ones. The lanes in next access the word after that of the lane before. Shared memory needs no owners.
func (d *Detector) claim(r *region, x *accessClass, block, mask, next uint32, at *addresses) bool {
	narrow := x.reach != reachAll
	if r.memory != d.global || r.owners == nil && !narrow {
		return true
	}
	if r.owners == nil {
		if r.looked {
			return false
		}
		r.owners = &owners{pages: make(map[uint32]*ownerPage)}
		d.claimJournal(r)
	}
	starts := mask
	if x.size == wordBytes {
		starts &^= next
	}
	return r.owners.claimAll(d, block, mask, starts, at, narrow)
}

// claimAll claims the words of all lanes in mask, a row at a time. The lanes in starts begin rows.
func (o *owners) claimAll(d *Detector, block, mask, starts uint32, at *addresses, narrow bool) bool {
	for m := mask; m != 0; {
		row := m
		if later := starts & m & (m - 1); later != 0 {
			row &= later&-later - 1
		}
		if !o.claimRow(d, uint32(at.of(bits.TrailingZeros32(m))), uint32(bits.OnesCount32(row)), block, narrow) {
			return false
		}
		m &^= row
	}
	return true
}

// claimRow claims n consecutive words from an offset on. Usually the block owns all words of their groups already.
func (o *owners) claimRow(d *Detector, offset, n, block uint32, narrow bool) bool {
	known := block
	if narrow {
		known |= narrowOwner
	}
	at := offset / wordBytes
	for n > 0 {
		first := at % ownerGroupWords
		here := min(n, ownerGroupWords-first)
		g := &o.page(d, at/ownerPageWords)[at%ownerPageWords/ownerGroupWords]
		switch words := uint32(1<<here-1) << first; {
		case g.each == nil && (g.one == known || g.words == 0):
			g.one = known
			g.words |= words
		default:
			if g.each == nil {
				o.spread(d, g)
			}
			if !g.claim(words, block, narrow) {
				return false
			}
		}
		at, n = at+here, n-here
	}
	return true
}

// claim claims words of a group one by one.
func (g *ownerGroup) claim(words, block uint32, narrow bool) bool {
	for ; words != 0; words &= words - 1 {
		if !claim(&g.each[bits.TrailingZeros32(words)], block, narrow) {
			return false
		}
	}
	return true
}

// spread gives a group an array with the owner of each word.
func (o *owners) spread(d *Detector, g *ownerGroup) {
	g.each = new([ownerGroupWords]uint32)
	o.spreads++
	d.uses(unsafe.Sizeof(*g.each))
	for m := g.words; m != 0; m &= m - 1 {
		g.each[bits.TrailingZeros32(m)] = g.one
	}
}

// bytes returns the memory of the pages and groups.
func (o *owners) bytes() uintptr {
	return uintptr(len(o.pages))*unsafe.Sizeof(ownerPage{}) + uintptr(o.spreads)*unsafe.Sizeof([ownerGroupWords]uint32{})
}

// claimJournal claims the words in a region's journal, whose accesses all have a scope that includes all threads.
func (d *Detector) claimJournal(r *region) {
	var at [radix]uint64
	for _, c := range r.chunks {
		for k := range c.n {
			x := &c.records[k]
			for n := range x.times {
				c.addressesOf(x, n, r.size, &at)
				for m := x.mask; m != 0; m &= m - 1 {
					r.owners.claimRow(d, uint32(at[bits.TrailingZeros32(m)]), 1, uint32(x.unit>>radixBits), false)
				}
			}
		}
	}
}

// counts reports whether an atomic operation is morally strong with all others like it; in memory that several blocks access, as
// long as claim agrees.
func (d *Detector) counts(x *accessClass) bool {
	if x.reach == reachBlock && x.code == 0 && x.strong && x.proxy == abi.ProxyGeneric && !d.clustered {
		return x.scalar == x.size
	}
	return x.code == x.size
}

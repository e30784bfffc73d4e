// Owners of words: the block that updates a word with atomic operations of block scope.

package deferred

import (
	"math/bits"
	"unsafe"
)

// Owners holds the owners of the words of a window, by the upper bits of the offset.
type Owners struct {
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

// ownerGroup holds for each word of a group its owner: 0, or the number of the block that has accessed it, with
// narrowOwner set if it did so with block scope, or manyOwners.
type ownerGroup struct {
	one   uint32                   // the owner of words
	words uint32                   // those that have an owner
	each  *[ownerGroupWords]uint32 // the owner of each word if the words have had several, in place of one and words; else nil
}

const (
	narrowOwner = 1 << 31
	manyOwners  = narrowOwner - 1 // several blocks have accessed the word, all with a wider scope
)

// NewOwners returns no owners.
func NewOwners() *Owners { return &Owners{pages: make(map[uint32]*ownerPage)} }

// page returns the owners of a page's words.
func (o *Owners) page(n uint32) *ownerPage {
	if o.latest == nil || o.number != n {
		if o.number, o.latest = n, o.pages[n]; o.latest == nil {
			o.latest = new(ownerPage)
			o.pages[n] = o.latest
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

// ClaimAll claims the words of all lanes in mask, a row at a time. The lanes in starts begin rows.
func (o *Owners) ClaimAll(block, mask, starts uint32, at *Addresses, narrow bool) bool {
	for m := mask; m != 0; {
		row := m
		if later := starts & m & (m - 1); later != 0 {
			row &= later&-later - 1
		}
		if !o.ClaimRow(uint32(at.Of(bits.TrailingZeros32(m))), uint32(bits.OnesCount32(row)), block, narrow) {
			return false
		}
		m &^= row
	}
	return true
}

// ClaimRow claims n consecutive words from an offset on. Usually the block owns all words of their groups already.
func (o *Owners) ClaimRow(offset, n, block uint32, narrow bool) bool {
	known := block
	if narrow {
		known |= narrowOwner
	}
	at := offset / WordBytes
	for n > 0 {
		first := at % ownerGroupWords
		here := min(n, ownerGroupWords-first)
		g := &o.page(at / ownerPageWords)[at%ownerPageWords/ownerGroupWords]
		switch words := uint32(1<<here-1) << first; {
		case g.each == nil && (g.one == known || g.words == 0):
			g.one = known
			g.words |= words
		default:
			if g.each == nil {
				o.spread(g)
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
func (o *Owners) spread(g *ownerGroup) {
	g.each = new([ownerGroupWords]uint32)
	o.spreads++
	for m := g.words; m != 0; m &= m - 1 {
		g.each[bits.TrailingZeros32(m)] = g.one
	}
}

// Bytes returns the memory of the pages and groups.
func (o *Owners) Bytes() uintptr {
	return uintptr(len(o.pages))*unsafe.Sizeof(ownerPage{}) + uintptr(o.spreads)*unsafe.Sizeof([ownerGroupWords]uint32{})
}

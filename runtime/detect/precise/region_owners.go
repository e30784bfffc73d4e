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
	pages  map[uint32]*ownerPage
	number uint32 // number of latest
	latest *ownerPage
}

const (
	ownerPageWords  = 1 << 12
	ownerGroupWords = 32
)

// ownerPage holds for each word its owner: 0, or the number of the block that has accessed it, with narrowOwner set if it did so
// with block scope, or manyOwners.
type ownerPage struct {
	words [ownerPageWords]uint32
	whole [ownerPageWords / ownerGroupWords]uint32 // the owner of all words of a group; 0 if there are several, or none
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
		page := o.page(d, at/ownerPageWords)
		here := min(n, ownerGroupWords-at%ownerGroupWords)
		if page.whole[at%ownerPageWords/ownerGroupWords] != known && !page.claim(at%ownerPageWords, here, known) {
			return false
		}
		at, n = at+here, n-here
	}
	return true
}

// claim claims n words of one group from number at on for the owner known.
func (p *ownerPage) claim(at, n, known uint32) bool {
	changed := false
	for i, owner := range p.words[at:][:n] {
		if owner == known {
			continue
		}
		word := &p.words[at+uint32(i)]
		if !claim(word, known&^narrowOwner, known&narrowOwner != 0) {
			return false
		}
		changed = changed || *word != owner
	}
	if changed {
		p.joinGroup(at/ownerGroupWords, known)
	}
	return true
}

// joinGroup notes whether all words of a group, one of which has changed, have the owner known.
func (p *ownerPage) joinGroup(group, known uint32) {
	p.whole[group] = known
	for _, owner := range p.words[group*ownerGroupWords:][:ownerGroupWords] {
		if owner != known {
			p.whole[group] = 0
			return
		}
	}
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

// Elements of a window that have been stored to once.

package deferred

import (
	"math/bits"
	"unsafe"
)

// StoredElements is the set of elements of a window that have been stored to, by the upper bits of their number. An
// element is a word, or part of one if the first store to the region was of less.
type StoredElements struct {
	size   uint32 // of an element, in bytes: 1, 2 or 4
	pages  map[uint32]*storedPage
	number uint32 // number of latest
	latest *storedPage
}

const storedPageElements = 1 << 15

// storedPage has one bit for each element.
type storedPage [storedPageElements / 32]uint32

// NewStored returns no elements, for a region to which the first store is of size bytes.
func NewStored(size uint32) *StoredElements {
	return &StoredElements{size: min(size, WordBytes), pages: make(map[uint32]*storedPage)}
}

// Bytes returns the memory of the pages.
func (o *StoredElements) Bytes() uintptr { return uintptr(len(o.pages)) * unsafe.Sizeof(storedPage{}) }

// page returns the bits of a page.
func (o *StoredElements) page(n uint32) *storedPage {
	if o.latest == nil || o.number != n {
		if o.number, o.latest = n, o.pages[n]; o.latest == nil {
			o.latest = new(storedPage)
			o.pages[n] = o.latest
		}
	}
	return o.latest
}

// Claim marks the elements that the lanes in mask store to, and reports whether none was marked before and all are
// whole. Otherwise the marks are of no further use.
func (o *StoredElements) Claim(size, mask uint32, at *Addresses) bool {
	if size < o.size {
		return false
	}
	shift := uint32(bits.TrailingZeros32(o.size))
	for m := mask; m != 0; m &= m - 1 {
		offset := uint32(at.Of(bits.TrailingZeros32(m)))
		if offset%size != 0 {
			return false
		}
		element := offset >> shift
		these, all := uint32(1<<(size>>shift)-1)<<(element%32),
			&o.page(element / storedPageElements)[element%storedPageElements/32]
		if *all&these != 0 {
			return false
		}
		*all |= these
	}
	return true
}

// Regions in which each element is stored to once.

package precise

import (
	"math/bits"
	"unsafe"
)

// Kernels that scatter their results store to each element once, and read none of that memory in the same launch. Such stores
// race with nothing. One bit for each element shows that a store is the first: it is deferred, and the memory gets no history.

// storedElements is the set of elements of a window that have been stored to, by the upper bits of their number. An element is
// a word, or part of one if the first store to the region was of less.
type storedElements struct {
	size   uint32 // of an element, in bytes: 1, 2 or 4
	pages  map[uint32]*storedPage
	number uint32 // number of latest
	latest *storedPage
}

const storedPageElements = 1 << 15

// storedPage has one bit for each element.
type storedPage [storedPageElements / 32]uint32

// page returns the bits of a page.
func (o *storedElements) page(d *Detector, n uint32) *storedPage {
	if o.latest == nil || o.number != n {
		if o.number, o.latest = n, o.pages[n]; o.latest == nil {
			o.latest = new(storedPage)
			o.pages[n] = o.latest
			d.uses(unsafe.Sizeof(storedPage{}))
		}
	}
	return o.latest
}

// storesElements reports whether accesses of a class are weak stores of 1, 2, 4, ... or 32 bytes.
func (x *accessClass) storesElements() bool {
	return x.writes() && !x.strong && x.size <= lineBytes/4 && x.size&(x.size-1) == 0
}

// isScattered reports whether the runs of consecutive lanes in mask are short on average. The lanes in follow access the element
// of the lane before, or the next one.
func isScattered(mask, follow uint32) bool {
	return bits.OnesCount32(mask) < fewLanes*bits.OnesCount32(mask&^follow)
}

// claimElements marks the elements of a region that the lanes in mask store to, and reports whether none was marked before and
// all are whole. Otherwise the marks are of no further use.
func (d *Detector) claimElements(r *region, size, mask uint32, at *addresses) bool {
	if r.stored == nil {
		r.stored = &storedElements{size: min(size, wordBytes), pages: make(map[uint32]*storedPage)}
	}
	o := r.stored
	if size < o.size {
		return false
	}
	shift := uint32(bits.TrailingZeros32(o.size))
	for m := mask; m != 0; m &= m - 1 {
		offset := uint32(at.of(bits.TrailingZeros32(m)))
		if offset%size != 0 {
			return false
		}
		element := offset >> shift
		these, all := uint32(1<<(size>>shift)-1)<<(element%32), &o.page(d, element/storedPageElements)[element%storedPageElements/32]
		if *all&these != 0 {
			return false
		}
		*all |= these
	}
	return true
}

// Lines of a window of which a journal has accesses.

package deferred

import (
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/runtime/detect/internal/pagetable"
)

// CountedLines is the set of lines of a window of which the journal of a mixed region has accesses.
type CountedLines struct {
	pages pagetable.Table[countedPage] // by the upper bits of the line's number
}

const countedPageLines = 1 << 12

// countedPage has one bit for each line.
type countedPage [countedPageLines / 32]uint32

// Bytes returns the memory of the pages.
func (o *CountedLines) Bytes() uintptr { return uintptr(o.pages.Len()) * unsafe.Sizeof(countedPage{}) }

// has reports whether the line at an offset in the window is in the set.
func (o *CountedLines) has(offset uint32) bool {
	line := offset / LineBytes
	p := o.pages.Find(uint64(line / countedPageLines))
	return p != nil && p[line%countedPageLines/32]>>(line%32)&1 != 0
}

// Add adds the line at an offset in the window.
func (o *CountedLines) Add(offset uint32) {
	line := offset / LineBytes
	n := uint64(line / countedPageLines)
	p := o.pages.Find(n)
	if p == nil {
		p = new(countedPage)
		o.pages.Add(n, p)
	}
	p[line%countedPageLines/32] |= 1 << (line % 32)
}

// TouchedBy reports whether an access of size bytes by the lanes in mask touches a line of the set.
func (o *CountedLines) TouchedBy(mask uint32, size uint64, at *Addresses) bool {
	for ; mask != 0; mask &= mask - 1 {
		addr := at.Of(bits.TrailingZeros32(mask))
		if o.has(uint32(addr)) || o.has(uint32(addr+size-1)) {
			return true
		}
	}
	return false
}

// Regions in which each element is stored to once.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/detect/precise/deferred"
)

// Kernels that scatter their results store to each element once, and read none of that memory in the same launch. Such stores
// race with nothing. One bit for each element shows that a store is the first: it is deferred, and the memory gets no history.

// storesElements reports whether accesses of a class are weak stores of 1, 2, 4, ... or 32 bytes.
func storesElements(x *accesses.Class) bool {
	return x.Writes() && !x.Strong && x.Size <= lineBytes/4 && x.Size&(x.Size-1) == 0
}

// isScattered reports whether the runs of consecutive lanes in mask are short on average. The lanes in follow access the element
// of the lane before, or the next one.
func isScattered(mask, follow uint32) bool {
	return bits.OnesCount32(mask) < fewLanes*bits.OnesCount32(mask&^follow)
}

// claimElements marks the elements of a region that the lanes in mask store to, and reports whether none was marked before and
// all are whole.
func (d *Detector) claimElements(r *region, size, mask uint32, at *deferred.Addresses) bool {
	if r.stored == nil {
		r.stored = deferred.NewStored(size)
	}
	before := r.stored.Bytes()
	first := r.stored.Claim(size, mask, at)
	d.uses(r.stored.Bytes() - before)
	return first
}

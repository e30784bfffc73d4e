// What regions defer besides weak reads: stores to elements of their own, and atomic operations.

package shadow

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Kernels that scatter their results store to each element once, and read none of that memory in the same launch. Such
// stores race with nothing. One bit for each element shows that a store is the first: it is deferred, and the memory
// gets no history.

// StoresElements reports whether accesses of a class are weak stores of 1, 2, 4, ... or 32 bytes.
func StoresElements(x *accesses.Class) bool {
	return x.Writes() && !x.Strong && x.Size <= lineBytes/4 && x.Size&(x.Size-1) == 0
}

// isScattered reports whether the runs of consecutive lanes in mask are short on average. The lanes in follow access
// the element of the lane before, or the next one.
func isScattered(mask, follow uint32) bool {
	return bits.OnesCount32(mask) < FewLanes*bits.OnesCount32(mask&^follow)
}

// ClaimElements marks the elements of a region that the lanes in mask store to, and reports whether none was marked
// before and all are whole.
func (d *Record) ClaimElements(r *Region, size, mask uint32, at *deferred.Addresses) bool {
	if r.stored == nil {
		r.stored = deferred.NewStored(size)
	}
	before := r.stored.Bytes()
	first := r.stored.Claim(size, mask, at)
	d.Used.Add(r.stored.Bytes() - before)
	return first
}

// Atomic operations of block scope are morally strong only with those of their own block. As long as no other block
// accesses the words that a block updates this way, the accesses of a region are deferred like those whose scope
// includes all threads.

// Claim records that a block accesses words of a counting region by the lanes in mask, and reports whether the access
// is morally strong with all earlier ones. The lanes in next access the word after that of the lane before. Shared
// memory needs no owners.
func (d *Record) Claim(r *Region, x *accesses.Class, block, mask, next uint32, at *deferred.Addresses) bool {
	narrow := x.Reach != accesses.ReachAll
	if r.Memory != d.Global || r.owners == nil && !narrow {
		return true
	}
	if r.owners == nil {
		if r.looked {
			return false
		}
		r.owners = deferred.NewOwners()
		d.claimJournal(r)
	}
	starts := mask
	if x.Size == wordBytes {
		starts &^= next
	}
	before := r.owners.Bytes()
	agrees := r.owners.ClaimAll(block, mask, starts, at, narrow)
	d.Used.Add(r.owners.Bytes() - before)
	return agrees
}

// claimJournal claims the words in a region's journal, whose accesses all have a scope that includes all threads.
func (d *Record) claimJournal(r *Region) {
	defer func() { d.Used.Add(r.owners.Bytes()) }()
	var at [radix]uint64
	for _, c := range r.Chunks {
		for k := range c.N {
			x := &c.Records[k]
			for n := range x.Times {
				c.AddressesOf(x, n, r.Size, &at)
				for m := x.Mask; m != 0; m &= m - 1 {
					r.owners.ClaimRow(uint32(at[bits.TrailingZeros32(m)]), 1, uint32(x.Unit>>radixBits), false)
				}
			}
		}
	}
}

// counts reports whether an atomic operation is morally strong with all others like it; in memory that several blocks
// access, as long as claim agrees.
func (d *Record) counts(x *accesses.Class) bool {
	if x.Reach == accesses.ReachBlock && x.Code == 0 && x.Strong && x.Proxy == abi.ProxyGeneric && !d.Clustered {
		return x.Scalar == x.Size
	}
	return x.Code == x.Size
}

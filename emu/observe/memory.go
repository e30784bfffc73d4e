// Costs of memory accesses: bank conflicts and sectors.

package observe

import "math/bits"

// How a warp's accesses map to the banks of shared memory and to the sectors of
// global memory.

const (
	banks      = 32 // of shared memory (CUDA C++ Programming Guide, "Shared Memory")
	bankBytes  = 4
	rowBytes   = banks * bankBytes // what shared memory delivers at a time
	sectorSize = 32                // bytes of a global memory transaction (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory")
)

// wavefronts is how many times shared memory must be read or written to serve the
// lanes in mask, and how many times if no two different words were in one bank.
// Lanes are served 128 bytes at a time: all, or 16 of 8 bytes each, or 8 of 16.
func wavefronts(addrs *[32]uint64, mask uint32, size int) (n, ideal int) {
	per := 32
	if size > bankBytes {
		per = max(1, rowBytes/size)
	}
	for lane := 0; lane < 32; lane += per {
		part := mask & uint32((uint64(1)<<per-1)<<lane)
		if part == 0 {
			continue
		}
		if size > rowBytes { // more than a row for one lane
			rows := (size + rowBytes - 1) / rowBytes
			n, ideal = n+rows, ideal+rows
			continue
		}
		n += conflicts(addrs, part, size)
		ideal++
	}
	return n, ideal
}

// conflicts is the largest number of different words of one bank that the lanes in
// mask, which cover a row at most, access.
func conflicts(addrs *[32]uint64, mask uint32, size int) int {
	var words [2 * banks]uint64 // twice: misaligned accesses reach into another word
	n := 0
	for ; mask != 0; mask &= mask - 1 {
		a := addrs[bits.TrailingZeros32(mask)]
		for w := a / bankBytes; w <= (a+uint64(size)-1)/bankBytes && n < len(words); w++ {
			words[n] = w
			n++
		}
	}
	var inBank [banks]int
	most := 0
	for i, w := range words[:n] {
		if contains(words[:i], w) {
			continue
		}
		b := w % banks
		inBank[b]++
		most = max(most, inBank[b])
	}
	return most
}

func contains(words []uint64, w uint64) bool {
	for _, v := range words {
		if v == w {
			return true
		}
	}
	return false
}

// sectors is how many aligned pieces of 32 bytes the lanes in mask touch, and how
// many different bytes they access.
func sectors(addrs *[32]uint64, mask uint32, size int) (n, bytes uint64) {
	var sorted [32]uint64
	k := 0
	for ; mask != 0; mask &= mask - 1 {
		a := addrs[bits.TrailingZeros32(mask)]
		i := k
		for ; i > 0 && sorted[i-1] > a; i-- {
			sorted[i] = sorted[i-1]
		}
		sorted[i] = a
		k++
	}
	end, next := uint64(0), uint64(0) // of bytes and sectors counted so far
	for _, a := range sorted[:k] {
		stop := a + uint64(size)
		bytes += stop - min(stop, max(a, end))
		end = max(end, stop)
		first, last := max(a/sectorSize, next), (stop-1)/sectorSize
		if last >= first {
			n += last - first + 1
			next = last + 1
		}
	}
	return n, bytes
}

func popcount(m uint32) int { return bits.OnesCount32(m) }

// Costs of memory accesses: bank conflicts and sectors.

package observe

import "math/bits"

// The mapping of a warp's accesses to the banks of shared memory and to the sectors of global memory.

const (
	banks      = 32 // of shared memory (CUDA C++ Programming Guide, "Shared Memory")
	bankBytes  = 4
	rowBytes   = banks * bankBytes // bytes that shared memory delivers at a time
	sectorSize = 32                // bytes of a global memory transaction (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory")
)

// wavefronts returns the number of passes in which shared memory serves the lanes in mask, and the number without bank
// conflicts. A pass serves lanes with 128 bytes in total: all, or 16 with 8 bytes each, or 8 with 16.
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
		if size > rowBytes { // one lane accesses more than a row
			rows := (size + rowBytes - 1) / rowBytes
			n, ideal = n+rows, ideal+rows
			continue
		}
		n += conflicts(addrs, part, size)
		ideal++
	}
	return n, ideal
}

// conflicts returns the largest number of different words of one bank that the lanes in mask access; they cover at most
// a row.
func conflicts(addrs *[32]uint64, mask uint32, size int) int {
	var words [2 * banks]uint64 // twice, because misaligned accesses span two words
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

// sectors returns the number of aligned 32-byte sectors that the lanes in mask access, and the number of different
// bytes.
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
	end, next := uint64(0), uint64(0) // ends of the bytes and sectors counted so far
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

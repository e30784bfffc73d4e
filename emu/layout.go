package emu

import "math/bits"

// Sizes and alignments of variables are numbers of the program. Their sums are made here,
// where they cannot overflow.

// tooFar is the offset of what lies too far away to be anywhere: the limits on memory are
// smaller, so that those who compare with them need not know it.
const tooFar = 1 << 62

// placeAfter puts something of a size and an alignment, a power of two, behind the offset top.
// The result is where it begins and ends, tooFar at most.
func placeAfter(top, size, align uint64) (at, end uint64) {
	at, over := bits.Add64(top, align-1, 0)
	if at &^= align - 1; over != 0 || at > tooFar {
		return tooFar, tooFar
	}
	if end, over = bits.Add64(at, size, 0); over != 0 || end > tooFar {
		end = tooFar
	}
	return at, end
}

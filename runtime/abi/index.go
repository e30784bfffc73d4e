// Linear and three-dimensional indices of blocks and threads.

package abi

// Index3 returns the three-dimensional index for a linear one in a grid or block of the given extent, x fastest.
// Extents of 0 count as 1.
func Index3(linear uint64, extent [3]uint32) [3]uint32 {
	x, y := uint64(max(extent[0], 1)), uint64(max(extent[1], 1))
	return [3]uint32{uint32(linear % x), uint32(linear / x % y), uint32(linear / x / y)}
}

// Volume returns the number of blocks or threads in an extent. Extents of 0 count as 1.
func Volume(extent [3]uint32) uint64 {
	return uint64(max(extent[0], 1)) * uint64(max(extent[1], 1)) * uint64(max(extent[2], 1))
}

// CommonLock reports whether two Bloom filters of locks, each with two ways of 8 bits, may have a lock in common: both
// ways must have a common bit.
func CommonLock(a, b uint16) bool {
	both := a & b
	return both&0xff != 0 && both&0xff00 != 0
}

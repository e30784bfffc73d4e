// Shapes of launches: extents, and indices of blocks and threads.

package detect

import "github.com/ptxsan/ptxsan/runtime/abi"

// LaunchShape is what the detector must know about a launch.
type LaunchShape struct {
	Grid, Block [3]uint32
	Cluster     [3]uint32 // blocks of a cluster; zeros without clusters
	// LargestAllocation is the size in bytes of the largest memory object that the
	// kernel may access.
	LargestAllocation uint64
	// Memory is the size in bytes of all memory objects together, each in whole pages
	// of 4 KiB.
	Memory uint64
	// Shared is the size in bytes of a block's shared memory, static and dynamic.
	Shared uint64
	// Backoff makes threads that find metadata locked wait longer each time, which keeps
	// memory traffic down on a GPU. Where there is no traffic, as in the emulator, it is
	// enough that they let others work.
	Backoff bool
	// Slots is one more than the highest slot number in use, for devices whose
	// addresses are slot<<32 | offset. 0 means flat addresses, as on a GPU: the
	// metadata table then covers LargestAllocation, which should be the amount of
	// memory in use, and wraps around.
	Slots uint64
	// SlotStep is a number that the numbers of all slots in use are multiples of, 0 for 1.
	SlotStep uint64
	// Apart: with slots, the offsets of memory objects in their slots tell them apart. The
	// table is as large as the objects, then, not as large as the slots in use.
	Apart bool
}

// BlockAt is the index of a block of the launch, from its linear one, x fastest.
func (s *LaunchShape) BlockAt(linear uint64) [3]uint32 { return abi.Index3(linear, s.Grid) }

// ThreadAt is the index of a thread in its block, from its linear one, x fastest.
func (s *LaunchShape) ThreadAt(linear uint32) [3]uint32 { return abi.Index3(uint64(linear), s.Block) }

// Threads is the number of threads of a block.
func (s *LaunchShape) Threads() uint64 { return abi.Volume(s.Block) }

// Blocks is the number of blocks of the grid.
func (s *LaunchShape) Blocks() uint64 { return abi.Volume(s.Grid) }

// Clustered reports whether a cluster may have several blocks.
func (s *LaunchShape) Clustered() bool {
	return s.Cluster != [3]uint32{} && s.Cluster != [3]uint32{1, 1, 1}
}

// ClusterOf is the linear index, x fastest, of the cluster of a block; without clusters
// that of the block.
func (s *LaunchShape) ClusterOf(block uint64) uint64 {
	if !s.Clustered() {
		return block
	}
	x, y := uint64(s.Grid[0]), uint64(s.Grid[1])
	dim := func(i int) uint64 { return uint64(s.Cluster[i]) }
	cx, cy, cz := block%x/dim(0), block/x%y/dim(1), block/x/y/dim(2)
	return cx + x/dim(0)*(cy+y/dim(1)*cz)
}

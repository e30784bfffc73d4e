// Shapes of launches: extents, and indices of blocks and threads.

package detect

import "github.com/ptxsan/ptxsan/runtime/abi"

// LaunchShape is the size of a launch and of its memory, as an in-kernel detector needs it.
type LaunchShape struct {
	Grid, Block [3]uint32
	Cluster     [3]uint32 // blocks of a cluster; zeros without clusters
	// LargestAllocation is the size in bytes of the largest memory object that the kernel may access.
	LargestAllocation uint64
	// Memory is the total size in bytes of all memory objects, each rounded up to pages of 4 KiB.
	Memory uint64
	// Shared is the size in bytes of a block's shared memory, static and dynamic.
	Shared uint64
	// Backoff makes threads that find metadata locked wait longer each time, which reduces memory traffic on a GPU. In
	// the emulator, yielding to other threads suffices.
	Backoff bool
	// Slots is one more than the highest slot number in use, for devices whose addresses are slot<<32 | offset. 0 means
	// flat addresses, as on a GPU: the metadata table then covers LargestAllocation, which should be the amount of
	// memory in use, and wraps around.
	Slots uint64
	// SlotStep divides the numbers of all slots in use; 0 stands for 1.
	SlotStep uint64
	// Apart says that, with slots, the memory objects have disjoint offsets in their slots. The table then has the size
	// of the objects, not of the slots in use.
	Apart bool
	// Heap says that kernels may allocate memory, and that with slots it may be in any of them. Each allocation begins
	// in a slot of its own, and its offset there is above those of earlier ones until the offsets start over.
	Heap bool
}

// BlockAt returns the index of a block of the launch from its linear index, x fastest.
func (s *LaunchShape) BlockAt(linear uint64) [3]uint32 { return abi.Index3(linear, s.Grid) }

// ThreadAt returns the index of a thread in its block from its linear index, x fastest.
func (s *LaunchShape) ThreadAt(linear uint32) [3]uint32 { return abi.Index3(uint64(linear), s.Block) }

// Threads returns the number of threads of a block.
func (s *LaunchShape) Threads() uint64 { return abi.Volume(s.Block) }

// Blocks returns the number of blocks of the grid.
func (s *LaunchShape) Blocks() uint64 { return abi.Volume(s.Grid) }

// Clustered reports whether a cluster may have several blocks.
func (s *LaunchShape) Clustered() bool {
	return s.Cluster != [3]uint32{} && s.Cluster != [3]uint32{1, 1, 1}
}

// RankOf returns the position of a block in its cluster, x fastest; without clusters 0.
func (s *LaunchShape) RankOf(block uint64) uint32 {
	if !s.Clustered() {
		return 0
	}
	at, rank, step := abi.Index3(block, s.Grid), uint32(0), uint32(1)
	for i, n := range s.Cluster {
		n = max(n, 1)
		rank += at[i] % n * step
		step *= n
	}
	return rank
}

// BlockIn returns the linear index of the block with a rank in the cluster of another block.
func (s *LaunchShape) BlockIn(block uint64, rank uint32) uint64 {
	at, in := abi.Index3(block, s.Grid), abi.Index3(uint64(rank), s.Cluster)
	for i, n := range s.Cluster {
		at[i] += in[i] - at[i]%max(n, 1)
	}
	return uint64(at[0]) + uint64(s.Grid[0])*(uint64(at[1])+uint64(s.Grid[1])*uint64(at[2]))
}

// ClusterOf returns the linear index, x fastest, of a block's cluster; without clusters that of the block.
func (s *LaunchShape) ClusterOf(block uint64) uint64 {
	if !s.Clustered() {
		return block
	}
	x, y := uint64(s.Grid[0]), uint64(s.Grid[1])
	dim := func(i int) uint64 { return uint64(s.Cluster[i]) }
	cx, cy, cz := block%x/dim(0), block/x%y/dim(1), block/x/y/dim(2)
	return cx + x/dim(0)*(cy+y/dim(1)*cz)
}

// Proofs that blocks are independent, and the workers that execute them.

package state

import (
	"sync"

	"github.com/ptxsan/ptxsan/emu/internal/commute"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
)

// Independence is the proof that the blocks of a launch are independent.
type Independence struct {
	AllocationUses
	Written     []*gmem.Allocation
	Apart       []*gmem.Allocation // by instruction of the kernel: the allocation in which its accesses touch only bytes that no other block touches; nil if there is none
	Commutative []commute.Op       // by instruction of the kernel
	// Writes returns ranges that contain what the blocks from first to before end may write.
	Writes func(first, end uint64) []Extent
	// Prepare prepares a worker to execute parts. runParts cannot refer to the decoder, which refers to instructions
	// that launch grids, and thus to runParts.
	Prepare func(worker *Machine)
}

// Extent is a range of an allocation.
type Extent struct {
	A      *gmem.Allocation
	Lo, Hi uint64 // offsets
}

// WorkerPool is the workers of a machine: machines that share its memory. They have their own code, because decoded
// instructions cache the memory that they accessed last.
type WorkerPool []*Machine

// Blocks stay independent of each other if an allocation is accessed only by commutative operations
// (emu/internal/commute) of one kind and width. Every worker applies them to a private copy, which is zero at first and
// is merged into memory at the end. Whether such an operation changes memory depends only on its operand, so that
// Engine.Progress is the same for any number of workers.

// AllocationUses records how the blocks use each allocation: by loads, or by one commutative operation. The first use
// decides.
type AllocationUses struct {
	Mu    sync.RWMutex
	Of    map[*gmem.Allocation]commute.Op // the zero value means loads
	Limit uint64                          // maximum size in bytes of an allocation with private copies
}

// PrivateSum is a worker's private copy of an allocation, which accumulates its commutative operations.
type PrivateSum struct {
	commute.Op
	Data []byte
}

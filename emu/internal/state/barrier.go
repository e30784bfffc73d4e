// Barriers of a block and operations among lanes of a warp that wait for each other.

package state

import (
	"sync"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Barriers of the block: bar.sync, bar.arrive, bar.red and their barrier.* spellings (PTX ISA, "Parallel
// Synchronization and Communication Instructions: bar, barrier").
//
// Where the manual is silent, or hardware does more than it requires, the emulator does the following:
//   - Barriers count threads, as since Volta, under every policy.
//   - A barrier without a count expects the threads of the block that have not exited, as hardware does.
//   - At a barrier with a count, lanes that have exited, or that hold no thread of the block, count together with the
//     first live lane of their warp, since counts are multiples of the warp size. A count of all threads of the block is
//     the same as no count.
//   - Arrivals by different instructions at one barrier match each other, except within a warp when the instruction is
//     .aligned (bar.* always is): that is barrier divergence.
//   - A barrier that cannot complete because all other threads wait elsewhere or have exited is barrier divergence.

// NumBarriers is the number of barriers of a block.
const NumBarriers = 16

// Barrier is the state of one barrier of a block.
type Barrier struct {
	Arrived   int
	Need      int // expected threads, 0 when the instructions specify no count
	Waiting   []*Group
	PassedBy  []Lanes     // by warp: the lanes that arrived by bar.arrive at a barrier with a count, and those counted as exited
	Kind      BarrierKind // operation of the waiting threads: bar.sync or a reduction
	KindKnown bool        // a thread waits, so that kind is valid
	Popc      uint32
	And, Or   bool
}

// BarrierKind is the operation of an instruction at a barrier.
type BarrierKind uint8

// BarrierOp is a decoded barrier instruction.
type BarrierOp struct {
	Kind    BarrierKind
	Aligned bool
	// Constant says that id and count are constants: all threads name the same barrier and count.
	Constant bool
	Plain    bool // bar.sync of a constant barrier, without a count
	Zero     bool // bar.sync 0 without a count, as __syncthreads
	ID       Slot
	Count    Slot          // 0 when absent
	Pred     Slot          // of a reduction
	Dst      Slot          // of a reduction
	Around   *rewrite.Inst // code that threads execute which go around the barrier; nil if there is none
}

// Operations that lanes of a warp execute together: shfl.sync, vote.sync, match.sync, redux.sync, elect.sync and
// bar.warp.sync. A lane waits until all lanes of its membermask that have not exited execute the operation "with the
// same qualifiers and same membermask value" (PTX ISA, e.g. "Data Movement and Conversion Instructions: shfl.sync").
// They may execute it by different instructions: __shfl_xor_sync in both arms of a branch is valid (CUDA C++
// Programming Guide, "Independent Thread Scheduling"). Operations with .aligned meet in one instruction only, in any
// activation.

// SyncOp is a decoded operation.
type SyncOp struct {
	Members Slot   // membermask
	Matches string // opcode and qualifiers: operations with the same text meet. Empty: only the same instruction does.
	Orders  bool   // Orders memory: bar.warp.sync, and what query.HandsOver holds for
	// Reads and writes are the registers that are copied when lanes come from several activations or instructions.
	// Operations that match have as many of each, and the reads of one of them are different registers.
	Reads, Writes []SlotRange
	// Ready, for an operation that waits for more than lanes, reports whether it can be executed, given a lane of a
	// frame. When the result may have changed, RetrySyncs is called.
	Ready  func(x *Engine, f *Frame, lane int) bool
	Awaits string        // text for faults: what its lanes wait for in that case
	Around *rewrite.Inst // code that lanes execute which go around the operation; nil if there is none
	// Body executes the operation for the lanes in part, all in x.frame.
	Body func(x *Engine, in *Inst, part Lanes)
}

// SyncWait is a group waiting in an operation for other lanes.
type SyncWait struct {
	G       *Group
	Op      *SyncOp
	In      *Inst
	Members Lanes
}

// BarrierMisuse is a use of a barrier, or of an operation among lanes, that is undefined although it is complete.
type BarrierMisuse struct {
	Kind MisuseKind
	At   *rewrite.Inst
	// Other is the second place of SplitBarrier, which comes later in the source, and of SkippedBarrier the first
	// instruction of the code that the missing threads execute instead. It is nil for LeftBarrier.
	Other *rewrite.Inst
}

// MisuseKind is a kind of BarrierMisuse.
type MisuseKind uint8

// BarrierMisuses has the misuses of a launch, and of the grids that it launches.
type BarrierMisuses struct {
	Mu   sync.Mutex
	Seen map[BarrierMisuse]bool
}

// PassedBarrier is an aligned barrier for all threads of the block that threads have passed, and how many have, the
// last time. If there is no listener, warps that take turns pass barriers in assembly, which does not count.
type PassedBarrier struct {
	Op      *BarrierOp
	Threads int
}

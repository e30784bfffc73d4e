package emu

import "github.com/ptxsan/ptxsan/rewrite"

// Listener observes execution at warp granularity. Events and what they point to
// are valid during the call only. A machine without a listener pays one
// predictable branch per memory access.
//
// Embed NopListener to implement only what is of interest.
type Listener interface {
	// Access is called for accesses in the order in which they take effect, and before
	// anything else happens that is told. Memory may have changed by then, or may not.
	Access(ev *AccessEvent)
	// Fence is called for membar, fence and the like.
	Fence(ev *SyncEvent)
	// Barrier is called when lanes arrive at a barrier of their block, when it is
	// complete and for everybody whom that lets go on, and for warp-level
	// synchronisation when it has succeeded.
	Barrier(ev *BarrierEvent)
	// Mbarrier is called when lanes have performed an operation on an mbarrier.
	Mbarrier(ev *MbarrierEvent)
	// Async is called for groups of asynchronous operations and for the end of those
	// that tell an mbarrier.
	Async(ev *AsyncEvent)
	// Branch is called when threads of a warp that ran together part, and when they
	// meet again.
	Branch(ev *BranchEvent)
	// Heap is called when device code has allocated memory or is about to free it.
	Heap(ev *HeapEvent)
	BeginKernel(kernel string, grid, block Dim3)
	EndKernel(kernel string)
	BeginBlock(block Dim3)
	EndBlock(block Dim3)
}

// StepListener is a Listener that also observes every instruction. It does not
// change what the program does nor how threads interleave, but makes the emulator
// slower, by half at least; other listeners pay one predictable branch for each
// instruction that is not plain arithmetic.
type StepListener interface {
	Listener
	// Step is called before an instruction is executed, and before the events that
	// it causes. An instruction that waits is executed once. An indirect call is
	// executed by all threads for the first callee, and again by those that have
	// another one.
	Step(ev *StepEvent)
}

// ValueListener is a Listener that may want to know what accesses write.
type ValueListener interface {
	Listener
	// WantsValues says whether AccessEvent.Values must be filled in. The answer is always
	// the same.
	WantsValues() bool
}

// SharedListener is a Listener that may have no use for accesses to shared memory.
type SharedListener interface {
	Listener
	// WantsShared says whether Access must be called for instructions with the state
	// space .shared. The answer is always the same. Accesses at generic addresses are
	// told wherever they go.
	WantsShared() bool
}

// SiteListener is a Listener that may have no use for the accesses of some instructions.
type SiteListener interface {
	Listener
	// WantsSite says whether Access must be called for an instruction. The answer is always
	// the same.
	WantsSite(*rewrite.Inst) bool
}

// LaneListener is a Listener that may have no use for operations among the lanes of a warp.
type LaneListener interface {
	Listener
	// WantsLanes says whether Barrier must be called with WarpSync for operations that are no
	// barriers: shfl.sync, vote.sync and the like. The answer is always the same.
	WantsLanes() bool
}

// BranchListener is a Listener that may have no use for branches.
type BranchListener interface {
	Listener
	// WantsBranches says whether Branch must be called. The answer is always the same.
	WantsBranches() bool
}

// StepEvent is one instruction executed by a group of threads of a warp.
type StepEvent struct {
	Inst  *rewrite.Inst
	Block Dim3
	Warp  uint32 // within the block
	// Live is the threads of the warp that have not exited, Active those that run
	// together in this step, Mask those of them for which the guard holds.
	Live, Active, Mask uint32
}

// GridListener is a Listener that also observes grids launched by threads. Their
// BeginKernel and EndKernel are nested in those of the grid that launched them: all of
// a child grid happens between the two.
type GridListener interface {
	Listener
	// LaunchGrid is called when a thread launches a grid, which sees what the thread
	// has seen and done.
	LaunchGrid(ev *GridEvent)
	// BeginGrid is called before BeginKernel of a grid that a thread launched.
	BeginGrid(grid uint64)
	// JoinGrids is called when a thread has waited for all grids that its block has
	// launched (cudaDeviceSynchronize).
	JoinGrids(ev *SyncEvent)
}

// NopListener ignores every event.
type NopListener struct{}

// Access implements Listener.
func (NopListener) Access(*AccessEvent) {}

// Fence implements Listener.
func (NopListener) Fence(*SyncEvent) {}

// Barrier implements Listener.
func (NopListener) Barrier(*BarrierEvent) {}

// Mbarrier implements Listener.
func (NopListener) Mbarrier(*MbarrierEvent) {}

// Async implements Listener.
func (NopListener) Async(*AsyncEvent) {}

// Branch implements Listener.
func (NopListener) Branch(*BranchEvent) {}

// Heap implements Listener.
func (NopListener) Heap(*HeapEvent) {}

// BeginKernel implements Listener.
func (NopListener) BeginKernel(string, Dim3, Dim3) {}

// EndKernel implements Listener.
func (NopListener) EndKernel(string) {}

// BeginBlock implements Listener.
func (NopListener) BeginBlock(Dim3) {}

// EndBlock implements Listener.
func (NopListener) EndBlock(Dim3) {}

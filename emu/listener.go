package emu

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Listener observes execution at warp granularity. Events and what they point to
// are valid during the call only. A machine without a listener pays one
// predictable branch per memory access.
//
// Embed NopListener to implement only what is of interest.
type Listener interface {
	// Access is called before memory changes.
	Access(ev *AccessEvent)
	// Fence is called for membar, fence and the like.
	Fence(ev *SyncEvent)
	// Barrier is called when lanes arrive at a barrier of their block, and for
	// warp-level synchronisation when it has succeeded.
	Barrier(ev *BarrierEvent)
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

// GridEvent is the launch of a grid by the thread in Mask.
type GridEvent struct {
	SyncEvent
	Grid   uint64 // counts the grids launched by threads, from 1
	Kernel string
	// Tail says that the grid begins after all other threads of the launching grid,
	// and all other grids that those launched, have ended.
	Tail bool
}

// AccessEvent is one warp-level memory access. Scope and semantics are in
// Inst.Decoded; an instruction that copies memory causes two events, and one
// that copies a tile of a tensor two for every piece that is consecutive on both sides.
type AccessEvent struct {
	Inst  *rewrite.Inst
	Block Dim3
	Warp  uint32 // within the block
	Mask  uint32
	Addrs *[32]uint64 // generic addresses of the lanes in Mask
	Kind  isa.AccessKind
	Size  int       // bytes that a lane accesses at its address; 0 when that is only where a matrix begins
	Space isa.Space // of a generic access: where the first lane's address lies
}

// SyncEvent is a fence executed by the lanes in Mask.
type SyncEvent struct {
	Inst  *rewrite.Inst
	Block Dim3
	Warp  uint32
	Mask  uint32
}

// BarrierEvent is an arrival at a barrier of the block, the completion of one, or
// a synchronisation among lanes of a warp.
type BarrierEvent struct {
	SyncEvent
	Kind BarrierKind
	ID   uint32 // of a block barrier
}

// BarrierKind says what happened.
type BarrierKind uint8

// Kinds of barrier events.
const (
	BarrierArrive   BarrierKind = iota // lanes arrive, and wait unless the instruction is an arrive
	BarrierComplete                    // all have arrived; Mask and Warp are those of the last
	WarpSync                           // the lanes of Mask have synchronised
	ClusterArrive                      // lanes arrive at the barrier of their cluster
	ClusterWait                        // lanes wait at the barrier of their cluster
)

// NopListener ignores every event.
type NopListener struct{}

// Access implements Listener.
func (NopListener) Access(*AccessEvent) {}

// Fence implements Listener.
func (NopListener) Fence(*SyncEvent) {}

// Barrier implements Listener.
func (NopListener) Barrier(*BarrierEvent) {}

// BeginKernel implements Listener.
func (NopListener) BeginKernel(string, Dim3, Dim3) {}

// EndKernel implements Listener.
func (NopListener) EndKernel(string) {}

// BeginBlock implements Listener.
func (NopListener) BeginBlock(Dim3) {}

// EndBlock implements Listener.
func (NopListener) EndBlock(Dim3) {}

// observe reports a memory access of the running group. Only call it when
// x.listener is not nil.
func (x *exec) observe(in *inst, ac *access, m lanes, addrs *[32]uint64) {
	space := ac.space
	if space == isa.SpaceNone {
		space = x.m.mem.spaceOf(addrs[m.first()])
	}
	x.listener.Access(&AccessEvent{
		Inst: x.frame.fn.src.Insts[in.src], Block: x.cta.index, Warp: uint32(x.warp.index),
		Mask: uint32(m), Addrs: addrs, Kind: ac.kind, Size: int(ac.size), Space: space,
	})
}

// observeStep reports that the group of the lanes in active executes in, the lanes
// in m of them with a guard that holds.
func (x *exec) observeStep(in *inst, active, m lanes) {
	x.step = StepEvent{
		Inst: x.frame.fn.src.Insts[in.src], Block: x.cta.index, Warp: uint32(x.warp.index),
		Live: uint32(x.warp.live), Active: uint32(active), Mask: uint32(m),
	}
	x.steps.Step(&x.step)
}

// observeSync is the event of the running group's lanes in m at in.
func (x *exec) observeSync(in *inst, m lanes) SyncEvent {
	return SyncEvent{
		Inst: x.frame.fn.src.Insts[in.src], Block: x.cta.index, Warp: uint32(x.warp.index), Mask: uint32(m),
	}
}

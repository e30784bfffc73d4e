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
	// Interest says which events are needed. It is called when the machine is made, and
	// the answer is always the same. A listener beside others (observe.Tee) is also
	// notified of what the others need.
	Interest() Interest
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

// Interest says which events a Listener needs. The emulator does not make events that
// its listener does not need, which makes runs faster.
type Interest struct {
	Needs
	// Site reports whether accesses by an instruction are needed; nil for those by all. The
	// emulator asks while it decodes, and the answer is always the same.
	Site func(*rewrite.Inst) bool
}

// Needs are the kinds and parts of events that not every Listener needs.
type Needs struct {
	Values   bool // AccessEvent.Values
	Shared   bool // accesses by instructions with the state space .shared; those at generic addresses come in any case
	Branches bool // Branch
	Lanes    bool // Barrier with WarpSync for operations that are no barriers: shfl.sync, vote.sync and the like
}

// Union is the interest of two listeners to one run.
func (a Interest) Union(b Interest) Interest {
	// Without names of fields: with a field that is forgotten here, this does not compile.
	u := Interest{Needs{a.Values || b.Values, a.Shared || b.Shared, a.Branches || b.Branches, a.Lanes || b.Lanes}, nil}
	if a.Site != nil && b.Site != nil {
		u.Site = func(in *rewrite.Inst) bool { return a.Site(in) || b.Site(in) }
	}
	return u
}

// NeedsSite reports whether accesses by an instruction are needed.
func (a *Interest) NeedsSite(in *rewrite.Inst) bool { return a.Site == nil || a.Site(in) }

// needsAccess reports whether an access by an instruction to a space is needed.
func (a *Interest) needsAccess(in *rewrite.Inst, space isa.Space) bool {
	return a.NeedsSite(in) && (a.Shared || space != isa.SpaceShared || in.Access.Space == isa.SpaceNone)
}

// needsSync reports whether an event of a barrier is needed.
func (a *Interest) needsSync(ev *BarrierEvent) bool {
	return a.Lanes || ev.Kind != WarpSync || ev.Inst.Instr.Class == isa.ClassBarrier
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

// Interest implements Listener: types that embed a NopListener are notified of all events,
// of accesses without values.
func (NopListener) Interest() Interest {
	return Interest{Needs: Needs{Shared: true, Branches: true, Lanes: true}}
}

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

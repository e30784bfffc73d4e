// Events: what a listener receives, and how it says what it needs.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// SyncEvent is something that the lanes in Mask of a warp do; by itself, a fence.
type SyncEvent struct {
	Inst    *rewrite.Inst
	Block   Dim3
	Cluster uint64 // linear index of the block's cluster; without clusters that of the block
	Warp    uint32 // within the block
	Mask    uint32
	Live    uint32 // threads of the warp that have not exited
}

// AccessEvent is one warp-level memory access. Scope and semantics are in
// Inst.Decoded; an instruction that copies memory causes two events, and one
// that copies a tile of a tensor two for every piece that is consecutive on both sides.
// A surface access is one event for each lane, the fetch of a texture one for each texel
// that a lane reads.
type AccessEvent struct {
	SyncEvent
	// Addrs are the generic addresses of the lanes in Mask. An address in shared memory
	// means the same for all blocks of a cluster, and something else in another one.
	Addrs *[32]uint64
	// Next are the lanes whose address is Size bytes beyond that of the lane before,
	// Same those whose address is the same; the lane before is in Mask too.
	Next, Same uint32
	Kind       isa.AccessKind
	Size       int       // bytes that a lane accesses at its address
	Space      isa.Space // where the addresses lie: a generic access to several spaces is one event for each
	// Async says that the access is part of an asynchronous operation, which Op
	// numbers: one number for the lanes of a warp.
	Async AsyncKind
	Op    uint64
	Pipe  Pipe // of an AsyncTensor operation
	// Values is what the access writes. It is nil for loads, asynchronous operations
	// and what has no registers to write from, and unless the listener needs values (Needs).
	Values *Values
}

// Values is what the lanes of an access write, the low eight bytes of each.
type Values struct {
	New  [32]uint64
	Old  [32]uint64 // of read-modify-write operations: found in memory
	Done uint32     // lanes that have written: not those of a compare-and-swap that failed
	Wide bool       // lanes write more than eight bytes
}

// BarrierEvent is an arrival at a barrier of the block or cluster, the completion of
// one, or a synchronisation among lanes of a warp.
type BarrierEvent struct {
	SyncEvent
	Kind  BarrierKind
	ID    uint32 // of a block barrier
	Count uint32 // threads that a block barrier expects, 0 for all of the block
	Waits bool   // of an arrival: the lanes do not go on before the barrier is complete
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
	BarrierPass                        // lanes that have waited go on, after BarrierComplete
	ClusterPass                        // lanes go on whose wait at the barrier of the cluster is over
)

// MbarrierEvent is an operation on an mbarrier.
type MbarrierEvent struct {
	SyncEvent
	Kind  MbarrierKind
	Addrs *[32]uint64 // generic addresses of the lanes' objects
	// Phases are the parities of the phases that were in progress when the lanes'
	// operations took effect; of a wait, of those that were complete.
	Phases uint32
}

// MbarrierKind says what was done.
type MbarrierKind uint8

// Operations on an mbarrier.
const (
	MbarrierInit MbarrierKind = iota
	MbarrierInval
	MbarrierArrive
	MbarrierExpect     // expect-tx by itself
	MbarrierComplete   // complete-tx by itself
	MbarrierCopyArrive // an arrival when the lane's cp.async operations are complete
	MbarrierWait       // the lanes of Mask have found their phase complete
)

// AsyncEvent is about asynchronous operations.
type AsyncEvent struct {
	SyncEvent
	Kind   AsyncEventKind
	Of     AsyncKind
	Op     uint64 // AsyncDone: the operation, as in AccessEvent, of the lane in Mask
	Signal uint64 // AsyncDone: generic address of the mbarrier on which the operation completes
	Phase  uint32 // AsyncDone: parity of the mbarrier's phase in progress
	// Pending are the numbers of the latest groups that AsyncWait does not wait for.
	Pending *[32]uint32
	Read    bool // AsyncWait waits until the sources have been read only
}

// AsyncKind says how the end of an asynchronous operation is waited for.
type AsyncKind uint8

// Kinds of asynchronous operations.
const (
	Synchronous       AsyncKind = iota
	AsyncCopies                 // groups of cp.async
	AsyncBulk                   // bulk groups
	AsyncMatrices               // groups of wgmma
	AsyncSignals                // an mbarrier
	AsyncTensor                 // an mbarrier, by tcgen05.commit
	AsyncTensorLoads            // tcgen05.wait::ld
	AsyncTensorStores           // tcgen05.wait::st
)

// Pipe says with which others an operation of tcgen05 is executed in the order of the program (PTX
// ISA, "Pipelined tcgen05 Instructions").
type Pipe struct {
	Kind PipeKind
	Pair bool // .cta_group::2
	// Shape tells accumulators and shapes of products apart.
	Shape uint64
}

// PipeKind is the kind of an operation of tcgen05.
type PipeKind uint8

// Kinds of operations.
const (
	PipeNone PipeKind = iota
	PipeMultiply
	PipeCopy
	PipeCopyRows // tcgen05.cp.4x256b
	PipeShift
)

// AsyncEventKind says what happened.
type AsyncEventKind uint8

// Kinds of asynchronous events.
const (
	AsyncCommit AsyncEventKind = iota // the lanes' open group of that kind ends
	AsyncWait                         // the lanes' groups are complete, but the latest ones
	AsyncDone                         // an operation has written and completes on its mbarrier
)

// BranchEvent is threads of a warp that part or meet.
type BranchEvent struct {
	SyncEvent        // Mask: the threads that part, or that run together from now on
	Meet      bool   // they meet
	Taken     uint32 // of diverging lanes: the ones that go together to one of the targets
}

// HeapEvent is malloc or free in device code, by one thread.
type HeapEvent struct {
	SyncEvent
	Addr uint64
	Size uint64 // 0 for free
	// Tensor says that columns of tensor memory are allocated, in all lanes: Addr is that of the
	// first, Size the bytes that they take in each.
	Tensor bool
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
	// Access is called for accesses in the order in which they take effect, before any later
	// event. Memory may have changed by then, or may not.
	Access(ev *AccessEvent)
	// Fence is called for membar, fence and the like.
	Fence(ev *SyncEvent)
	// Barrier is called when lanes arrive at a barrier of their block, when the barrier is
	// complete, for the groups that go on then, and for warp-level synchronisation when it has
	// succeeded.
	Barrier(ev *BarrierEvent)
	// Mbarrier is called when lanes have performed an operation on an mbarrier.
	Mbarrier(ev *MbarrierEvent)
	// Async is called for groups of asynchronous operations and for the end of those
	// that complete on an mbarrier.
	Async(ev *AsyncEvent)
	// Branch is called when threads of a warp that ran together diverge, and when they
	// reconverge.
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

// PartsListener is a Listener that can be notified of a launch in parts. A part is some blocks, which notice nothing of the blocks of
// other parts: what one block writes to device memory, no other block accesses. The parts are executed in parallel, and are the same for any number of
// goroutines.
type PartsListener interface {
	Listener
	// Divides reports whether launches of a kernel may come in parts. If not, they come as a whole.
	Divides(kernel *rewrite.Func) bool
	// Divide is called after BeginKernel of a launch that comes in parts. It returns a listener for each of so many goroutines.
	Divide(kernel *rewrite.Func, goroutines int) []PartListener
	// Unite ends that. When it is not ok, what the parts were notified of did not happen, and the launch comes as a whole.
	Unite(ok bool)
}

// PartListener is notified of some of the parts of a launch, one after the other, but not of the launch: neither BeginKernel nor
// EndKernel is called.
type PartListener interface {
	Listener
	BeginPart(number uint64)
	// EndPart reports whether the listener has noticed nothing that matters. If it has, no more parts begin, and after Unite the launch comes as a
	// whole, whatever else it shows then.
	EndPart() bool
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
	// Skips allows the emulator to call only BeginKernel and EndKernel for a launch when Site needs none of its accesses.
	// The emulator may then execute blocks of the launch in parallel.
	Skips bool
	// Used has the emulator leave threads out of accesses by weak loads that do not use what is loaded, for all listeners: compilers
	// let threads execute such loads that the program keeps from them (rewrite.Inst.Demand).
	Used bool
}

// Union is the interest of two listeners to one run.
func (a Interest) Union(b Interest) Interest {
	// Without names of fields: with a field that is forgotten here, this does not compile.
	u := Interest{Needs{a.Values || b.Values, a.Shared || b.Shared, a.Branches || b.Branches, a.Lanes || b.Lanes, a.Skips && b.Skips, a.Used || b.Used}, nil}
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

// NeedsLaunch reports whether other events than BeginKernel and EndKernel are needed of launches of a kernel that calls nothing.
func (a *Interest) NeedsLaunch(f *rewrite.Func) bool {
	return !a.Skips || slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool {
		return slices.ContainsFunc(in.Accesses, func(ac isa.Access) bool {
			return ac.Space != isa.SpaceLocal && ac.Space != isa.SpaceParam && a.needsAccess(in, ac.Space)
		})
	})
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

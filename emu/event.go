// Events: the data that listeners receive, and the interface by which they declare which events they need.

package emu

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// SyncEvent is an operation of the lanes in Mask of a warp. As an event of its own it is a fence.
type SyncEvent struct {
	Inst    *rewrite.Inst
	Block   Dim3
	Cluster uint64 // linear index of the block's cluster; without clusters, of the block
	Warp    uint32 // within the block
	Mask    uint32
	Live    uint32 // threads of the warp that have not exited
}

// AccessEvent is one warp-level memory access. Scope and semantics are in Inst.Decoded. An instruction that copies memory causes
// two events; one that copies a tensor tile causes two for every piece that is contiguous in source and destination. A surface
// access causes one event for each lane, a texture fetch one for each texel that a lane reads.
type AccessEvent struct {
	SyncEvent
	// Addrs are the generic addresses of the lanes in Mask. A shared-memory address denotes the same byte for all blocks of a
	// cluster, but a different one in another cluster.
	Addrs *[32]uint64
	// Next are the lanes whose address is Size bytes beyond that of the preceding lane, Same those with the same address as the
	// preceding lane; that lane is in Mask too.
	Next, Same uint32
	Kind       isa.AccessKind
	Size       int       // bytes that a lane accesses at its address
	Scalar     int       // bytes of an element of a tensor that is reduced into; 0 where the instruction tells
	Space      isa.Space // state space of the addresses: a generic access to several spaces is one event for each
	// Async says that the access is part of an asynchronous operation. Op is the operation's number, one for all lanes of the
	// warp.
	Async abi.AsyncKind
	Op    uint64
	Pipe  abi.Pipe // pipeline of an AsyncTensor operation
	Map   bool     // an asynchronous operation reads its tensor map, through the proxy of tensor maps
	// Values are the written values. It is nil for loads, for asynchronous operations, for writes that do not come from
	// registers, and unless the listener needs values (abi.Needs).
	Values *Values
	// Ages, of a strong access under weak memory, has for each lane the number of stores to the location after the one returned, as
	// in abi.Event; nil if all lanes have returned the latest store.
	Ages *[32]uint64
	// Again says that the access has had an event before it was known what it returns: this one says so.
	Again bool
}

// Values holds the values of an access by lane. Of stores of more than eight bytes, New has a fingerprint of the bytes.
type Values struct {
	New  [32]uint64
	Old  [32]uint64 // values that read-modify-write operations found in memory
	Done uint32     // lanes that have written: excludes those whose compare-and-swap failed
	Wide bool       // lanes write more than eight bytes
}

// BarrierEvent is the arrival of lanes at a barrier of the block or cluster, the completion of a barrier, or a synchronisation
// among lanes of a warp.
type BarrierEvent struct {
	SyncEvent
	Kind  BarrierKind
	ID    uint32 // of a block barrier
	Count uint32 // threads that a block barrier expects, 0 for all of the block
	Waits bool   // of an arrival: the lanes wait until the barrier is complete
}

// BarrierKind is the kind of a BarrierEvent.
type BarrierKind uint8

// Kinds of barrier events.
const (
	BarrierArrive   BarrierKind = iota // lanes arrive, and wait unless the instruction is an arrive
	BarrierComplete                    // all expected threads have arrived; Mask and Warp are those of the last arrival
	WarpSync                           // the lanes of Mask have synchronised
	ClusterArrive                      // lanes arrive at the barrier of their cluster
	ClusterWait                        // lanes wait at the barrier of their cluster
	BarrierPass                        // lanes that have waited continue, after BarrierComplete
	ClusterPass                        // lanes continue whose wait at the cluster barrier has ended
)

// MbarrierEvent is an operation on an mbarrier.
type MbarrierEvent struct {
	SyncEvent
	Kind  MbarrierKind
	Addrs *[32]uint64 // generic addresses of the lanes' objects
	// Phases are the parities of the phases in progress when the lanes' operations took effect; for a wait, of the completed
	// phases.
	Phases uint32
}

// MbarrierKind is the kind of an operation on an mbarrier.
type MbarrierKind uint8

// Operations on an mbarrier.
const (
	MbarrierInit MbarrierKind = iota
	MbarrierInval
	MbarrierArrive
	MbarrierExpect     // a separate expect-tx
	MbarrierComplete   // a separate complete-tx
	MbarrierCopyArrive // an arrival that happens when the lane's cp.async operations are complete
	MbarrierWait       // the lanes in Mask have found their phase complete
)

// AsyncEvent is a commit, wait or completion of asynchronous operations.
type AsyncEvent struct {
	SyncEvent
	Kind   AsyncEventKind
	Of     abi.AsyncKind
	Op     uint64 // AsyncDone: the number of the operation, as in AccessEvent, of the lane in Mask
	Signal uint64 // AsyncDone: generic address of the mbarrier on which the operation completes
	Phase  uint32 // AsyncDone: parity of the phase in progress of the mbarrier
	// Pending are the numbers of the latest groups that AsyncWait does not wait for, by lane.
	Pending *[32]uint32
	Read    bool // AsyncWait waits only until the sources have been read
}

// AsyncEventKind is the kind of an AsyncEvent.
type AsyncEventKind uint8

// Kinds of asynchronous events.
const (
	AsyncCommit AsyncEventKind = iota // the lanes' open group of that kind is committed
	AsyncWait                         // the lanes' groups are complete, except the latest ones
	AsyncDone                         // an operation has written its data and completes on its mbarrier
)

// BranchEvent is the divergence or reconvergence of threads of a warp.
type BranchEvent struct {
	SyncEvent        // Mask: the threads that diverge, or that execute together from now on
	Meet      bool   // the threads reconverge
	Taken     uint32 // of diverging lanes: those that continue together at one of the targets
}

// HeapEvent is a malloc or free in device code, by one thread.
type HeapEvent struct {
	SyncEvent
	Addr, Size uint64 // of the memory
	Freed      bool   // the memory is about to be freed
	// Tensor says that columns of tensor memory are allocated, in all lanes: Addr is the address of the first, Size their bytes
	// in each lane.
	Tensor bool
}

// GridEvent is the launch of a grid by the thread in Mask.
type GridEvent struct {
	SyncEvent
	Grid   uint64 // numbers the grids launched by threads, from 1
	Kernel string
	// Stream is the stream that the grid is put into: each of its grids begins after the one before has ended.
	Stream uint64
}

// Listener observes execution at warp granularity. Events and the data that they point to are valid only during the call. Without
// a listener, a machine spends one predictable branch per memory access.
//
// Types that embed NopListener need to implement only some of the methods.
type Listener interface {
	// Interest returns the events that the listener needs. It is called when the machine is made, and must always return the
	// same. A listener that is combined with others (observe.Tee) also receives the events that the others need.
	Interest() Interest
	// Access is called for accesses in the order in which they take effect, before any later event. Memory may already have
	// changed at that time.
	Access(ev *AccessEvent)
	// Fence is called for membar, fence and similar instructions.
	Fence(ev *SyncEvent)
	// Barrier is called when lanes arrive at a barrier of their block, when the barrier is complete, for the groups that then
	// continue, and for warp-level synchronisation that has completed.
	Barrier(ev *BarrierEvent)
	// Mbarrier is called when lanes have performed an operation on an mbarrier.
	Mbarrier(ev *MbarrierEvent)
	// Async is called for groups of asynchronous operations and when an operation completes on an mbarrier.
	Async(ev *AsyncEvent)
	// Branch is called when threads of a warp diverge, and when they reconverge.
	Branch(ev *BranchEvent)
	// Heap is called when device code has allocated memory or is about to free it.
	Heap(ev *HeapEvent)
	BeginKernel(kernel string, grid, block Dim3)
	EndKernel(kernel string)
	BeginBlock(block Dim3)
	EndBlock(block Dim3)
}

// StepListener is a Listener that also observes every instruction. It does not change the program's results or interleaving, but
// makes the emulator slower, by half at least. Without one, the cost is one predictable branch for each instruction that is not
// plain arithmetic.
type StepListener interface {
	Listener
	// Step is called before an instruction is executed, and before the events that it causes. An instruction that waits is
	// executed once. An indirect call is executed by all threads for the first callee, and again by the threads that have another
	// callee.
	Step(ev *StepEvent)
}

// PartsListener is a Listener that can be notified of a launch in parts. A part is a set of blocks that are independent of the
// blocks of other parts: no block accesses bytes of device memory that another block writes. The parts are executed in parallel,
// and are the same for any number of goroutines.
type PartsListener interface {
	Listener
	// Divides reports whether launches of a kernel may be divided into parts.
	Divides(kernel *rewrite.Func) bool
	// Divide is called after BeginKernel of a launch in parts. It returns a listener for each of the given number of goroutines.
	Divide(kernel *rewrite.Func, goroutines int) []PartListener
	// Unite ends the division. If ok is false, the events of the parts did not happen, and the launch is repeated as a whole.
	Unite(ok bool)
}

// PartListener is notified of some of the parts of a launch, one after the other, but not of the launch: neither BeginKernel nor
// EndKernel is called.
type PartListener interface {
	Listener
	BeginPart(number uint64)
	// EndPart reports whether the listener has no findings. If it has any, no more parts begin, and after Unite the launch is
	// repeated as a whole.
	EndPart() bool
}

// Interest is the set of events that a Listener needs. The emulator does not make events that its listener does not need, which
// makes runs faster.
type Interest struct {
	abi.Needs
	// Site reports whether accesses by an instruction are needed; nil means all. The emulator calls it while decoding. It must
	// always return the same.
	Site func(*rewrite.Inst) bool
}

// Union returns the interest of two listeners to one run.
func (a Interest) Union(b Interest) Interest {
	u := Interest{Needs: a.Needs.Union(b.Needs)}
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

// NeedsLaunch reports whether events other than BeginKernel and EndKernel are needed for launches of a kernel that calls nothing.
func (a *Interest) NeedsLaunch(f *rewrite.Func) bool {
	return !a.Skips || slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool {
		return slices.ContainsFunc(in.Accesses, func(ac isa.Access) bool {
			return ac.Space != isa.SpaceLocal && ac.Space != isa.SpaceParam && a.needsAccess(in, ac.Space)
		})
	})
}

// NeedsBarrier reports whether a barrier event, of a kind and an instruction, is needed.
func (a *Interest) NeedsBarrier(kind BarrierKind, in *rewrite.Inst) bool {
	switch kind {
	case BarrierArrive:
		return !a.NoArrivals
	case BarrierPass:
		return !a.NoPasses
	case WarpSync:
		return a.Lanes || in.Instr.Class == isa.ClassBarrier || in.Proxy() == isa.ProxyTensorMap || query.HandsOver(in)
	}
	return true
}

// StepEvent is one instruction executed by a group of threads of a warp.
type StepEvent struct {
	Inst  *rewrite.Inst
	Block Dim3
	Warp  uint32 // within the block
	// Live are the threads of the warp that have not exited, Active those that execute this step together, Mask those of them
	// whose guard is true.
	Live, Active, Mask uint32
}

// GridListener is a Listener that also observes grids launched by threads. Their BeginKernel and EndKernel are nested in those of
// the launching grid: all events of a child grid are between the two.
type GridListener interface {
	Listener
	// LaunchGrid is called when a thread launches a grid. Earlier operations of the thread happen before the grid.
	LaunchGrid(ev *GridEvent)
	// BeginGrid is called before BeginKernel of a grid that a thread launched.
	BeginGrid(grid uint64)
	// JoinGrids is called when a thread has waited for all grids that its block has launched (cudaDeviceSynchronize).
	JoinGrids(ev *SyncEvent)
}

// DependenceListener is a Listener that also observes griddepcontrol.
type DependenceListener interface {
	Listener
	// Depend is called when threads have waited for the grids on which theirs depends, or let grids that depend on theirs begin.
	Depend(ev *SyncEvent)
}

// NopListener ignores every event.
type NopListener struct{}

// Interest implements Listener: types that embed a NopListener receive all events, with accesses without values.
func (NopListener) Interest() Interest {
	return Interest{Needs: abi.Needs{Shared: true, Branches: true, Lanes: true}}
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

// fingerprint hashes the next eight bytes that each lane stores into the lane's entry of values, for stores of more than the eight bytes
// that a row has. Lanes that store equal bytes get equal entries. Lanes that store other bytes get equal entries with a probability of
// 2^-64.
func fingerprint(values, rest *vector.Row) {
	for i := range values {
		high, low := bits.Mul64(values[i]^0x9e3779b97f4a7c15, rest[i]^0xbf58476d1ce4e5b9)
		values[i] = (high ^ low) + 0x94d049bb133111eb*values[i] // the sum keeps the first value when the product is 0
	}
}

// Events of the emulator, as listening detectors receive them.

package abi

import "unsafe"

// Event is one thing that a warp, or the machine, does to memory or for
// synchronisation: what detectors on the host consume, whoever produced it. Its
// size is fixed and it holds no pointers, so that a producer can use one again and
// again. Fields that do not belong to the kind are unspecified, and so are the
// elements of arrays outside Mask.
//
// A grid that a thread launched runs in one piece: all of its events come between
// its EventKernelBegin and EventKernelEnd, in the middle of the grid that launched it.
//
// The order of events is that in which the operations took effect. Atomic
// operations come after they have happened, other accesses and fences before,
// which nobody can tell apart.
type Event struct {
	Kind EventKind

	// Of every event of a warp:

	Site    uint32 // Site.ID of the instruction, 0 unknown
	Block   uint64 // linear index in the grid, x fastest
	Cluster uint64 // linear index of the block's cluster; without clusters that of the block
	Warp    uint32 // within the block
	Mask    uint32 // lanes concerned
	Live    uint32 // lanes that have not exited

	// Of accesses:

	Space  Space
	Access AccessKind
	Atomic AtomicOp
	Sem    Semantics // of fences too; SemNone for proxy fences
	Scope  Scope     // of fences too; ScopeNone for weak accesses and proxy fences
	Proxy  Proxy     // of proxy fences too; of EventKernelBegin it is ProxyAsync if something in the program uses that
	Async  AsyncKind // of commits and waits too
	Wide   bool      // lanes write more than eight bytes: New and Old are the low ones
	Valued bool      // New, and for read-modify-write operations Old, are known
	Bytes  uint32    // per lane; 0 when only the beginning of a matrix is known
	Scalar uint32    // bytes of one element of a vector; 0 when the access is no vector
	// Reduces says that a read-modify-write operation returns nothing, so that its
	// read forms no acquire pattern (PTX ISA, "Release and Acquire Patterns").
	Reduces bool
	Wrote   uint32 // lanes that have written: not those of a compare-and-swap that failed
	// Next are the lanes whose address is Bytes beyond that of the lane before, Same those
	// whose address is the same; the lane before is in Mask too.
	Next, Same uint32
	Op         uint64 // number of the asynchronous operation; with the lane it identifies it
	Pipe       Pipe   // of an AsyncTensor operation

	// Of barriers of blocks and groups of asynchronous operations:

	Barrier  uint32 // id of a barrier of the block
	Expected uint32 // threads that it expects, 0 for all of the block
	Mode     BarrierMode

	Signal uint64 // EventAsyncDone: address of the mbarrier

	// Phases of mbarriers are told apart by parity, lane by lane: the phase in progress
	// when the operation took effect, or of EventMbarrierPass the one that was complete.
	Phases uint32

	// What each lane has, of some kinds of events:

	Addr    [WarpLanes]uint64 // generic addresses; of mbarriers too. One in shared memory is the cluster's
	New     [WarpLanes]uint64 // values written
	Old     [WarpLanes]uint64 // values found by read-modify-write operations
	Pending [WarpLanes]uint32 // EventAsyncWait: latest groups that are not waited for
}

// hasLanes are the kinds of events with something for each lane.
const hasLanes = 1<<EventKernelBegin | 1<<EventAccess | 1<<EventMbarrierInit | 1<<EventMbarrierInval | 1<<EventMbarrierArrive |
	1<<EventMbarrierExpect | 1<<EventMbarrierComplete | 1<<EventMbarrierCopyArrive | 1<<EventMbarrierPass | 1<<EventAsyncCommit |
	1<<EventAsyncWait | 1<<EventAsyncDone | 1<<EventAlloc | 1<<EventFree | 1<<EventTensorAlloc

// Brief is an event without what each lane has.
type Brief [unsafe.Offsetof(Event{}.Addr) / 8]uint64

// Brief is all that there is to an event, nil if lanes have something.
func (ev *Event) Brief() *Brief {
	if hasLanes>>ev.Kind&1 != 0 {
		return nil
	}
	return (*Brief)(unsafe.Pointer(ev))
}

// SetBrief makes ev the event that b was made of.
func (ev *Event) SetBrief(b *Brief) { *(*Brief)(unsafe.Pointer(ev)) = *b }

// EventKind says what happened.
type EventKind uint8

// Kinds of events.
const (
	EventNone        EventKind = iota
	EventKernelBegin           // grid Op, which a thread launched, or that of the host, 0
	EventKernelEnd
	EventBlockBegin // Block only
	EventBlockEnd   // Block only
	EventAccess
	EventFence
	EventBarrierArrive   // at a barrier of the block
	EventBarrierComplete // all have arrived, the last of them Mask of Warp, or others have exited; Site is 0
	EventBarrierPass     // lanes that waited go on
	EventWarpSync        // the lanes of Mask have synchronised; Sem is SemAcqRel when that orders memory
	EventClusterArrive
	EventClusterWait
	EventClusterPass // the phase is complete and the lanes go on
	EventMbarrierInit
	EventMbarrierInval
	EventMbarrierArrive
	EventMbarrierExpect
	EventMbarrierComplete
	EventMbarrierCopyArrive // an arrival when the lane's cp.async operations are complete
	EventMbarrierPass       // a wait has found its phase complete
	EventAsyncCommit
	EventAsyncWait    // the groups are complete; Mode is BarrierRead when their sources have been read only
	EventAsyncDone    // operation Op of the lane in Mask has written, and completes on Signal
	EventDiverge      // the lanes of Mask part; Wrote is those that go together to one target
	EventConverge     // the lanes of Mask run together from now on
	EventAlloc        // Addr and Bytes, by the lane in Mask
	EventFree         // Addr
	EventLaunch       // the thread in Mask launches grid Op
	EventJoin         // the thread in Mask has waited for the grids that its block launched
	EventTensorAlloc  // the lane in Mask has allocated Bytes from Addr on in each lane of tensor memory
	EventTensorBefore // tcgen05.fence::before_thread_sync
	EventTensorAfter  // tcgen05.fence::after_thread_sync
)

// Space is where the addresses lie. A generic access of lanes to several spaces is an
// event for each.
type Space uint8

// Spaces.
const (
	SpaceOther Space = iota
	SpaceGlobal
	SpaceShared
	SpaceConst
	SpaceTensor // of a cluster: block, lane and column
	Spaces      = int(SpaceTensor) + 1
)

// String is the word of reports.
func (s Space) String() string { return [...]string{"other", "global", "shared", "const", "tensor"}[s] }

// AccessKind says how memory is accessed.
type AccessKind uint8

// Access kinds.
const (
	AccessLoad AccessKind = iota
	AccessStore
	AccessRMW
)

// String is the word of reports.
func (k AccessKind) String() string { return [...]string{"read", "write", "atomic"}[k] }

// Writes reports whether memory may change.
func (k AccessKind) Writes() bool { return k != AccessLoad }

// Atomic reports whether an access with semantics s is an atomic operation. An edit of a
// tensor map reads and writes, but is weak (PTX ISA, "tensormap.replace").
func (k AccessKind) Atomic(s Semantics) bool { return k == AccessRMW && s != SemWeak }

// AtomicOp is the operation of a read-modify-write access, as far as detectors
// tell them apart.
type AtomicOp uint8

// Operations.
const (
	AtomicOther AtomicOp = iota
	AtomicCAS
	AtomicExch
)

// Semantics are those of the PTX memory consistency model.
type Semantics uint8

// Semantics.
const (
	SemNone Semantics = iota
	SemWeak
	SemVolatile
	SemMMIO
	SemRelaxed
	SemAcquire
	SemRelease
	SemAcqRel
	SemSC
)

// Acquires reports whether the semantics include acquire.
func (s Semantics) Acquires() bool { return s == SemAcquire || s >= SemAcqRel }

// Releases reports whether the semantics include release.
func (s Semantics) Releases() bool { return s >= SemRelease }

// Scope is the set of threads that an operation synchronises with, narrow to wide.
type Scope uint8

// Scopes.
const (
	ScopeNone Scope = iota
	ScopeCTA
	ScopeCluster
	ScopeGPU
	ScopeSys
)

// Proxy is the way in which memory is accessed (PTX ISA, "Proxies").
type Proxy uint8

// Proxies.
const (
	ProxyGeneric Proxy = iota
	ProxyAsync
	ProxyTexture
	ProxyTensorMap
	ProxyAlias // of fences only: between virtual addresses of one location
)

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
	AsyncKinds                  // how many there are
)

// TensorLaneBytes is how many addresses a lane of tensor memory takes, TensorLanes how many lanes there
// are; the lanes of a block follow each other.
const (
	TensorLaneBytes = 2048
	TensorLanes     = 128
)

// Pipe says with which others an operation of tcgen05 is executed in the order of the program (PTX
// ISA, "Pipelined tcgen05 Instructions").
type Pipe struct {
	Kind  PipeKind
	Pair  bool   // .cta_group::2
	Shape uint64 // tells accumulators and shapes of products apart
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

// BarrierMode says how lanes take part.
type BarrierMode uint8

// Modes.
const (
	BarrierSync   BarrierMode = iota // arrive and wait
	BarrierArrive                    // arrive and go on
	BarrierReduce                    // arrive, wait, reduce a predicate
	BarrierRead                      // asynchronous groups: sources only
)

// Events of the emulator, as listeners receive them.

package abi

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Event is one operation of a warp or of the machine on memory or for synchronisation, which listeners consume. Its
// size is fixed and it contains no pointers, so that producers can reuse events. Fields that do not belong to the kind
// are unspecified, and so are the elements of arrays outside Mask.
//
// A grid that a thread launched is executed without interruption: all of its events come between its EventKernelBegin
// and EventKernelEnd, among the events of the grid that launched it.
//
// Events are in the order in which the operations took effect. The event of an atomic operation comes after the
// operation; those of other accesses and of fences come before, which makes no observable difference.
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
	Sem    Semantics // also of fences; SemNone for proxy fences
	Scope  Scope     // also of fences; ScopeNone for weak accesses and proxy fences
	Proxy  Proxy     // also of proxy fences; of EventKernelBegin it is ProxyAsync if the program uses that proxy
	Async  AsyncKind // also of commits and waits
	Wide   bool      // lanes write more than eight bytes: New has a fingerprint of them
	Valued bool      // New, and for read-modify-write operations Old, are known
	Bytes  uint32    // per lane; 0 if only the beginning of a matrix is known
	Scalar uint32    // bytes of one element of a vector; 0 for a scalar
	Piece  uint32    // bytes that an asynchronous operation accesses at a time: reports have these; 0 for all
	// Reduces says that a read-modify-write operation returns no value, so that its read is no part of an acquire
	// pattern (PTX ISA, "Release and Acquire Patterns").
	Reduces bool
	// Again says that the access has had an event before it was known what it returns, under weak memory: this one says
	// so.
	Again bool
	Wrote uint32 // lanes that have written; lanes whose compare-and-swap failed have not
	// Next has the lanes whose address is Bytes above that of the previous lane, Same those with the previous lane's
	// address. The previous lane is also in Mask.
	Next, Same uint32
	Op         uint64 // number of the asynchronous operation; with the lane it identifies it
	Pipe       Pipe   // of an AsyncTensor operation

	// Of barriers of blocks and groups of asynchronous operations:

	Barrier  uint32 // id of a barrier of the block
	Expected uint32 // number of threads that it expects, 0 for the whole block
	Mode     BarrierMode

	Signal uint64 // EventAsyncDone: address of the mbarrier; Bytes are those that the operation completes there

	Form MbarrierForm // of operations on mbarriers

	// Phases has one bit per lane, the parity of the mbarrier phase: the phase in progress when the operation took
	// effect, or of EventMbarrierPass the completed phase.
	Phases uint32

	// Values per lane, of some kinds of events:

	Addr [WarpLanes]uint64 // generic addresses, also of mbarriers. Addresses in shared memory are in the cluster's window
	New  [WarpLanes]uint64 // values written
	Old  [WarpLanes]uint64 // values read by read-modify-write operations
	// Pending is the number of latest groups that EventAsyncWait does not wait for, the arrivals that EventMbarrierInit
	// expects and EventMbarrierArrive makes (with FormExpects the bytes that it expects), and the bytes of
	// EventMbarrierExpect and EventMbarrierComplete.
	Pending [WarpLanes]uint32

	// Ages, under weak memory, has for each lane the number of stores to the location after the one that a strong
	// access has returned, AgeUnknown if what it returned is not one store to exactly that location: byte i of a lane
	// is that of element i, byte MaxAge that of all from there on. It is nil if all accesses have returned the latest
	// store.
	Ages *[WarpLanes]uint64
}

// AgeUnknown is the age of what is not one store to exactly the location of an access.
const AgeUnknown = 255

// MaxAge is the last element of an access that has an age of its own.
const MaxAge = 7

// hasLanes is the set of event kinds with values per lane.
const hasLanes = 1<<EventKernelBegin | 1<<EventAccess | 1<<EventMbarrierInit | 1<<EventMbarrierInval | 1<<EventMbarrierArrive |
	1<<EventMbarrierExpect | 1<<EventMbarrierComplete | 1<<EventMbarrierCopyArrive | 1<<EventMbarrierPass | 1<<EventAsyncCommit |
	1<<EventAsyncWait | 1<<EventAsyncDone | 1<<EventAlloc | 1<<EventFree | 1<<EventTensorAlloc | 1<<EventLaunch

// Brief is an event without its values per lane.
type Brief [unsafe.Offsetof(Event{}.Addr) / 8]uint64

// Brief returns the event without its values per lane, nil if the kind has such values.
func (ev *Event) Brief() *Brief {
	if hasLanes>>ev.Kind&1 != 0 {
		return nil
	}
	return (*Brief)(unsafe.Pointer(ev))
}

// SetBrief sets ev to the event from which b was made.
func (ev *Event) SetBrief(b *Brief) { *(*Brief)(unsafe.Pointer(ev)) = *b }

// EventKind is the kind of an event.
type EventKind uint8

// Kinds of events.
const (
	EventNone        EventKind = iota
	EventKernelBegin           // beginning of grid Op, launched by a thread, or with Op 0 by the host; Addr: extents of grid and block, and the number of blocks of a cluster
	EventKernelEnd
	EventBlockBegin // Block only
	EventBlockEnd   // Block only
	EventAccess
	EventFence
	EventBarrierArrive   // at a barrier of the block
	EventBarrierComplete // all threads have arrived, the last of them Mask of Warp, or the others have exited; Site is 0
	EventBarrierPass     // lanes that waited continue
	EventWarpSync        // the lanes of Mask have synchronised; Sem is SemAcqRel if that orders memory
	EventClusterArrive
	EventClusterWait
	EventClusterPass // the phase is complete and the lanes continue
	EventMbarrierInit
	EventMbarrierInval
	EventMbarrierArrive
	EventMbarrierExpect
	EventMbarrierComplete
	EventMbarrierCopyArrive // an arrival when the lane's cp.async operations are complete
	EventMbarrierPass       // a wait has found its phase complete
	EventAsyncCommit
	EventAsyncWait    // the groups are complete; with Mode BarrierRead, only the reads of their sources are
	EventAsyncDone    // operation Op of the lane in Mask has written, and signals completion on Signal
	EventDiverge      // the lanes of Mask diverge; Wrote has those that branch to the same target
	EventConverge     // the lanes of Mask have converged
	EventAlloc        // Addr and Bytes, by the lane in Mask
	EventFree         // Addr and Bytes of memory that the lane in Mask is about to free
	EventLaunch       // the thread in Mask launches grid Op, of the module's function Addr[1], into the stream Addr[0], as device code numbers streams
	EventJoin         // the thread in Mask has waited for the grids that its block launched
	EventTensorAlloc  // the lane in Mask has allocated Bytes from Addr in each lane of tensor memory
	EventTensorBefore // tcgen05.fence::before_thread_sync
	EventTensorAfter  // tcgen05.fence::after_thread_sync
	EventDepend       // griddepcontrol: with Mode BarrierSync, the lanes have waited for the grids before, else they let dependent grids begin
)

// Space is the state space of the addresses: SpaceGlobal, SpaceShared, SpaceConst or SpaceTensor. A generic access of
// lanes to several spaces has an event for each space.
type Space = isa.Space

// Spaces. An address in tensor memory, that of a cluster, consists of block, lane and column.
const (
	SpaceGlobal = isa.SpaceGlobal
	SpaceShared = isa.SpaceShared
	SpaceConst  = isa.SpaceConst
	SpaceTensor = isa.SpaceTensor
)

// AccessKind says how memory is accessed.
type AccessKind uint8

// Access kinds.
const (
	AccessLoad AccessKind = iota
	AccessStore
	AccessRMW
)

// String returns the name in reports.
func (k AccessKind) String() string { return [...]string{"read", "write", "atomic"}[k] }

// Writes reports whether the access may write memory.
func (k AccessKind) Writes() bool { return k != AccessLoad }

// Atomic reports whether an access with semantics s is an atomic operation. An edit of a
// tensor map reads and writes, but is weak (PTX ISA, "tensormap.replace").
func (k AccessKind) Atomic(s Semantics) bool { return k == AccessRMW && s != SemWeak }

// AtomicOp is the operation of a read-modify-write access, if detectors distinguish it.
type AtomicOp uint8

// Operations.
const (
	AtomicOther AtomicOp = iota
	AtomicCAS
	AtomicExch
)

// Semantics are those of the PTX memory consistency model.
type Semantics = isa.Sem

// Semantics.
const (
	SemNone     = isa.SemNone
	SemWeak     = isa.SemWeak
	SemVolatile = isa.SemVolatile
	SemMMIO     = isa.SemMMIO
	SemRelaxed  = isa.SemRelaxed
	SemAcquire  = isa.SemAcquire
	SemRelease  = isa.SemRelease
	SemAcqRel   = isa.SemAcqRel
	SemSC       = isa.SemSC
)

// Scope is the set of threads that an operation synchronises with.
type Scope = isa.Scope

// Scopes, narrow to wide.
const (
	ScopeNone    = isa.ScopeNone
	ScopeCTA     = isa.ScopeCTA
	ScopeCluster = isa.ScopeCluster
	ScopeGPU     = isa.ScopeGPU
	ScopeSys     = isa.ScopeSys
)

// Proxy is the way in which memory is accessed (PTX ISA, "Proxies").
type Proxy = isa.Proxy

// Proxies. ProxyAlias is only that of fences.
const (
	ProxyGeneric   = isa.ProxyGeneric
	ProxyAlias     = isa.ProxyAlias
	ProxyAsync     = isa.ProxyAsync
	ProxyTexture   = isa.ProxyTexture
	ProxySurface   = isa.ProxySurface
	ProxyTensorMap = isa.ProxyTensorMap
	ProxyAny       = isa.ProxyAny
	ProxyReadOnly  = isa.ProxyReadOnly
)

// MbarrierForm is a set of variants of an operation on an mbarrier.
type MbarrierForm uint8

// Variants.
const (
	FormExpects     MbarrierForm = 1 << iota // .expect_tx: one arrival, which expects bytes
	FormDrops                                // mbarrier.arrive_drop
	FormIncomplete                           // .noComplete
	FormUncounted                            // .noinc: the arrival is one of those that the phase expects anyway
	FormConditional                          // a wait for the conditional phase
	FormReports                              // initialisation with layout::v1
)

// AsyncKind says by which operation threads wait for an asynchronous operation.
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
	AsyncKinds                  // number of kinds
)

// TensorLaneBytes is the size of a lane of tensor memory in addresses, TensorLanes the number of lanes. The lanes of a
// block have consecutive addresses.
const (
	TensorLaneBytes = 2048
	TensorLanes     = 128
)

// Pipe says which tcgen05 operations execute in program order with one another (PTX ISA, "Pipelined tcgen05
// Instructions").
type Pipe struct {
	Kind  PipeKind
	Pair  bool   // .cta_group::2
	Shape uint64 // identifies the accumulator and the shape of a product
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

// BarrierMode says how lanes take part in a barrier.
type BarrierMode uint8

// Modes.
const (
	BarrierSync   BarrierMode = iota // arrive and wait
	BarrierArrive                    // arrive without waiting
	BarrierReduce                    // arrive, wait, reduce a predicate
	BarrierRead                      // asynchronous groups: sources only
)

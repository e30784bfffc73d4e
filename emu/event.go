package emu

import (
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
	Size       int       // bytes that a lane accesses at its address; 0 when that is only where a matrix begins
	Space      isa.Space // where the addresses lie: a generic access to several spaces is one event for each
	// Async says that the access is part of an asynchronous operation, which Op
	// numbers: one number for the lanes of a warp.
	Async AsyncKind
	Op    uint64
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
	Signal uint64 // AsyncDone: generic address of the mbarrier that is told
	Phase  uint32 // AsyncDone: parity of the mbarrier's phase in progress
	// Pending are the numbers of the latest groups that AsyncWait does not wait for.
	Pending *[32]uint32
	Read    bool // AsyncWait waits until the sources have been read only
}

// AsyncKind says how the end of an asynchronous operation is waited for.
type AsyncKind uint8

// Kinds of asynchronous operations.
const (
	Synchronous   AsyncKind = iota
	AsyncCopies             // groups of cp.async
	AsyncBulk               // bulk groups
	AsyncMatrices           // groups of wgmma
	AsyncSignals            // an mbarrier
)

// AsyncEventKind says what happened.
type AsyncEventKind uint8

// Kinds of asynchronous events.
const (
	AsyncCommit AsyncEventKind = iota // the lanes' open group of that kind ends
	AsyncWait                         // the lanes' groups are complete, but the latest ones
	AsyncDone                         // an operation has written and tells its mbarrier
)

// BranchEvent is threads of a warp that part or meet.
type BranchEvent struct {
	SyncEvent        // Mask: the threads that part, or that run together from now on
	Meet      bool   // they meet
	Taken     uint32 // of those who part: the ones that go together to one of the targets
}

// HeapEvent is malloc or free in device code, by one thread.
type HeapEvent struct {
	SyncEvent
	Addr uint64
	Size uint64 // 0 for free
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

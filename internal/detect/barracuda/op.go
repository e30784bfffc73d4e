// Operations: the input of the detector, whatever produces it.

package barracuda

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Op is one operation of a warp, of a block or of the machine, and the input of the detector. It is the warp-level form
// of the paper's trace operations (section 3.1); every operation of a warp that accesses memory or synchronises ends in
// endi.
//
// There are three producers of Ops: the records that instrumented kernels write, the events of the emulator
// (FromEvents), and trace files (Reader). The Ops of one warp come in program order, and those on one synchronisation
// location in the order in which they took effect.
//
// An Op holds no pointers, and producers reuse it. Fields that do not belong to the kind, and array elements outside
// Mask, are unspecified.
type Op struct {
	Kind  Kind
	Site  uint32 // abi.Site.ID of the instruction, 0 unknown
	Block uint64 // linear index in the grid, x fastest
	// Cluster is the linear index of the block's cluster, or of the block if there are no clusters.
	Cluster uint64
	Warp    uint32 // within the block
	Mask    uint32 // lanes that execute the operation
	Live    uint32 // lanes of the warp that have not exited; 0 if unknown

	// Then is, for If, the set of lanes of Mask that go to one target of the branch.
	Then uint32

	// For Read, Write, Atomic, AtomicRead and Sync; Bytes and Addr also for Free:

	Order  Order
	Reach  Scope     // of atomic and volatile accesses: their scope
	Strong bool      // relaxed, volatile or stronger, or atomic
	Space  abi.Space // SpaceGlobal or SpaceShared; other spaces are not checked
	Valued bool      // Value is set
	Bytes  uint32    // bytes per lane; 0 for Sync

	// For Arrive and Complete:

	Barrier uint32 // number of the barrier of the block, or ClusterBarrier
	// Expected is the number of threads that complete the barrier. 0 means for Arrive that a Complete will follow, and
	// for Complete all threads of the block.
	Expected uint32
	Goes     bool // Arrive: the lanes go on without waiting (bar.arrive)

	Addr  [abi.WarpLanes]uint64 // generic addresses
	Value [abi.WarpLanes]uint64 // for Write: the low eight bytes written
}

// ClusterBarrier is the number, in Arrive and Pass, of the barrier of the cluster.
const ClusterBarrier = 1 << 16

// Kind is the kind of an operation.
type Kind uint8

// Kinds of operations.
const (
	KindNone    Kind = iota
	Read             // rd, or an acquire if Order says so
	Write            // wr, or a release
	Atomic           // atm, or an acquire, release or both
	AtomicRead       // an atomic operation that does not write
	Sync             // acquires or releases Addr without accessing memory, as mbarriers do
	If               // the lanes of Mask diverge
	Else             // the lanes of Mask begin the else path; they may have done so at the branch already
	Fi               // the lanes of Mask reconverge
	WarpSync         // the lanes of Mask have synchronised (bar.warp.sync)
	Arrive           // at a barrier of the block or cluster
	Pass             // the lanes pass a barrier of the cluster, which is complete
	Complete         // all threads have arrived at Barrier, or exited; not of a warp
	Exit             // the lanes of Mask exit
	BlockBegin       // not of a warp
	BlockEnd         // not of a warp
	KernelBegin      // a grid begins, launched by a thread or by the host
	KernelEnd
	Free // the lane of Mask frees Bytes bytes of global memory from its Addr on; not of a warp
	kindEnd
)

// Order says how an access synchronises. It is zero for a plain access.
type Order struct {
	Acquire, Release bool
	Scope            Scope
}

// synchronises reports whether the operation is an acquire or a release.
func (o Order) synchronises() bool { return o.Acquire || o.Release }

// Scope is the set of threads that an acquire or release reaches.
type Scope uint8

// Scopes. The paper has those of blocks and grids; that of clusters is newer.
const (
	ScopeBlock Scope = iota
	ScopeCluster
	ScopeGlobal
)

// ScopeOf returns the detector's scope for one of PTX: system scope is global scope (section 3.1, footnote 1).
func ScopeOf(s abi.Scope) Scope {
	switch s {
	case abi.ScopeNone, abi.ScopeCTA:
		return ScopeBlock
	case abi.ScopeCluster:
		return ScopeCluster
	}
	return ScopeGlobal
}

// first returns the first lane of a non-empty mask.
func first(mask uint32) int { return bits.TrailingZeros32(mask) }

// keyOf returns the location that a lane of an operation synchronises through.
func keyOf(op *Op, lane int) syncKey {
	k := syncKey{addr: op.Addr[lane]}
	if op.Space == abi.SpaceShared {
		k.cluster, k.shared = op.Cluster, true
	}
	return k
}

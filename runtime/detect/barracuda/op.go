// Operations: the input of the detector, from whichever producer.

package barracuda

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Op is one operation of a warp, of a block or of the machine: what the detector
// consumes. It is the warp-level form of the paper's trace operations (section 3.1);
// every operation of a warp that accesses memory or synchronises ends in endi.
//
// Three producers make Ops: the records that instrumented kernels write, the
// events of the emulator (FromEvents), and trace files (Reader). Ops of one warp come
// in program order, and operations on one synchronisation location in the order in
// which they took effect.
//
// An Op holds no pointers and producers use one again and again. Fields that do not
// belong to the kind, and elements of arrays outside Mask, are unspecified.
type Op struct {
	Kind  Kind
	Site  uint32 // abi.Site.ID of the instruction, 0 unknown
	Block uint64 // linear index in the grid, x fastest
	// Cluster is the linear index of the block's cluster; without clusters that of
	// the block.
	Cluster uint64
	Warp    uint32 // within the block
	Mask    uint32 // lanes that execute the operation
	Live    uint32 // lanes of the warp that have not exited; 0 when the producer does not know

	// Then is, of If, the lanes of Mask that go together to one target of the branch.
	Then uint32

	// Of Read, Write, Atomic, AtomicRead and Sync:

	Order  Order
	Reach  Scope     // of atomic and volatile accesses: the threads with which they do not race
	Strong bool      // relaxed, volatile or stronger, and atomic operations
	Space  abi.Space // SpaceGlobal or SpaceShared; others are not checked
	Valued bool      // Value is known
	Bytes  uint32    // that each lane accesses; 0 for Sync

	// Next are lanes whose address is Bytes beyond that of the lane before, which is in Mask
	// too; fewer than there are when the producer does not know. Checking is faster then.
	Next uint32

	// Of Arrive and Complete:

	Barrier uint32 // number of the barrier of the block, or ClusterBarrier
	// Expected is the number of threads that complete the barrier. 0 means, of Arrive,
	// that a Complete will name; of Complete, all threads of the block.
	Expected uint32
	Goes     bool // Arrive: the lanes go on without waiting (bar.arrive)

	Addr  [abi.WarpLanes]uint64 // generic addresses
	Value [abi.WarpLanes]uint64 // of Write: the low eight bytes written
}

// ClusterBarrier is the number, in Arrive and Pass, of the barrier of the cluster.
const ClusterBarrier = 1 << 16

// Kind is the kind of an operation.
type Kind uint8

// Kinds of operations.
const (
	KindNone    Kind = iota
	Read             // rd, or an acquire when Order says so
	Write            // wr, or a release
	Atomic           // atm, or an acquire, release or both
	AtomicRead       // an atomic operation that does not write
	Sync             // acquires or releases Addr without accessing memory, as mbarriers do
	If               // the lanes of Mask part
	Else             // the lanes of Mask begin the else path; the branch itself may have begun it already
	Fi               // the lanes of Mask run together from now on
	WarpSync         // the lanes of Mask have synchronised (bar.warp.sync)
	Arrive           // at a barrier of the block or cluster
	Pass             // the lanes go on after a barrier of the cluster, which is complete
	Complete         // all threads have arrived at Barrier, or exited; no warp
	Exit             // the lanes of Mask end
	BlockBegin       // no warp
	BlockEnd         // no warp
	KernelBegin      // a grid that a thread has launched, or that of the host
	KernelEnd
	kindEnd
)

// Order says how an access synchronises. A plain access does not.
type Order struct {
	Acquire, Release bool
	Scope            Scope
}

// synchronises reports whether the operation is an acquire or a release.
func (o Order) synchronises() bool { return o.Acquire || o.Release }

// Scope is how far an acquire or release reaches.
type Scope uint8

// Scopes. The paper has those of blocks and grids; clusters are newer.
const (
	ScopeBlock Scope = iota
	ScopeCluster
	ScopeGlobal
)

// ScopeOf is the scope that the detector makes of one of PTX: the system's is global
// (section 3.1, footnote 1).
func ScopeOf(s abi.Scope) Scope {
	switch s {
	case abi.ScopeNone, abi.ScopeCTA:
		return ScopeBlock
	case abi.ScopeCluster:
		return ScopeCluster
	}
	return ScopeGlobal
}

// findNext sets Next.
func (op *Op) findNext() {
	next := uint32(0)
	for i, a := range op.Addr[1:] {
		if a-op.Addr[i] == uint64(op.Bytes) {
			next |= 2 << i
		}
	}
	op.Next = next & op.Mask & (op.Mask << 1)
}

// first is the first lane of a mask that is not empty.
func first(mask uint32) int { return bits.TrailingZeros32(mask) }

// keyOf is the location that a lane of an operation synchronises on.
func keyOf(op *Op, lane int) syncKey {
	k := syncKey{addr: op.Addr[lane]}
	if op.Space == abi.SpaceShared {
		k.cluster, k.shared = op.Cluster, true
	}
	return k
}

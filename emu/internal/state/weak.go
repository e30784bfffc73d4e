// Weak memory of a launch: loads that are resolved late, values, explanations.

package state

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Memory is a memory consistency model.
type Memory uint8

// WeakMemory is the memory of a launch under the model of the manual.
type WeakMemory struct {
	Lazy    bool // loads are resolved when their value is needed
	Long    bool // there are too many operations
	Dead    bool // no execution of the model is like this
	Rng     RNG  // draws stores
	Graph   *weakmem.Graph
	Initial map[ByteAt]byte // bytes before the launch, of those that stores have changed
	Lists   map[ThreadPos]*DeferredList
	Arrived map[PhaseOf][]int // arrivals at a barrier that is not complete, as operations

	Objects int // the last operation on an mbarrier, plus one

	Sources []*rewrite.Inst // of the operations of the graph
	Explain bool            // the graph is recorded, though it does not decide

	History *weakmem.History // unless lazy
	Meets   map[PhaseOf][]*weakmem.Agent
	Left    []*weakmem.Agent   // of a barrier, while it is completed
	Spare   [][]*weakmem.Agent // for meets
	Agents  int32
	Rows    [3]Vec64 // operands of an atomic operation of one lane, during the operation
	Row     WeakRow
	Touched map[uint64]bool // allocations in which something has been stored, by address
}

// ByteAt is a byte of memory: space 0 is global memory, others are the shared memory of blocks.
type ByteAt struct{ Space, Addr uint64 }

// PhaseOf is a barrier of a block, or with number ClusterPhase that of a cluster.
type PhaseOf struct {
	At     uint64
	Number uint32
}

// Element is one element of an access: a part of memory, and where its bytes are.
type Element struct {
	At          weakmem.Range
	P           unsafe.Pointer
	Read, Write int // operations, -1 for none
	Reg         WeakValue
}

// A load is deferred: its registers have no value until another instruction needs it. An instruction that only computes
// is deferred while one of its operands has no value; a store or an atomic operation is deferred while its data have
// none. All other instructions, branches and addresses need the values of their operands. An instruction also needs the
// values of the registers that it overwrites, and of those that a deferred instruction still has to read. A back edge
// and the end of a function need all values. An exchange stores before its read is resolved, since its data do not
// depend on what it reads. So a store that follows a load can be performed before the load is resolved, and no store is
// performed before the loads that it depends on.

// Incomplete is an instruction of a thread that is not complete.
type Incomplete struct {
	Frame      *Frame
	Uses, Defs []*rewrite.Reg
	Elements   []Element // of an access; finish needs all their reads resolved
	Atomic     bool
	Strong     bool
	Lane       int
	Early      func()        // stores, before the reads are resolved, what does not depend on them; nil when it is done
	Emit       func()        // emits its event; nil when that is done
	Again      func()        // emits it again; nil for what is complete when its event is emitted
	Behind     []*Incomplete // complete weak loads that follow it; their events wait for what its read acquires
	Unknown    func()        // notes values of its event that are not known yet
	Wanted     bool          // a store depends on it, or it is one
	Seen       int           // Graph.Serial when a store was last chosen from those so far; -1 for never
	Finish     func()        // completes it when all that it uses and its reads are resolved
}

// DeferredList is the incomplete instructions of a thread, in program order.
type DeferredList struct {
	Ops    []*Incomplete
	Stands bool // the thread needs a value that it has not got
}

// Draw chooses one of n stores at random, every second time the newest, which is last.
func (w *WeakMemory) Draw(n int) int {
	if n == 1 || w.Rng.Below(2) == 0 {
		return n - 1
	}
	return w.Rng.Below(n)
}

// Explanations of runs under weak memory: which accesses were seen out of order.

// Explanation says why a run is not sequentially consistent. It is empty if the run is, or if it is too long to be
// explained.
type Explanation struct {
	// Pairs are accesses of one thread, in program order, which other threads have seen in the other order.
	Pairs []Reordering
	// Fence is the fence that, between the two accesses of each pair, makes the manual's axioms forbid the run; empty
	// if none does, since a weak access takes part.
	Fence string
	// Accesses are all those that take part, Scope the narrowest scope that includes their threads.
	Accesses []*rewrite.Inst
	Scope    isa.Scope
	// Sequential says that all of the run was examined and that it is sequentially consistent.
	Sequential bool
}

// Reordering is two accesses of a thread.
type Reordering struct {
	First, Second *rewrite.Inst
	Thread        ThreadPos
}

// WeakPhase is a phase of a barrier that is complete: what precedes all that its threads do behind it.
type WeakPhase struct {
	Met     weakmem.Met
	Arrived []int // operations, if they are recorded
}

// WeakRow is the memory and the operands of the lanes of an access, while it is performed.
type WeakRow struct {
	At        [WarpSize]unsafe.Pointer
	B, C, Old Vec64
}

// WeakValue is one of the scalars that an access reads or writes: a register, or bits of one that holds packed values.
type WeakValue struct {
	Operand
	Shift, Bits int // Bits is 0 for all of the register
}

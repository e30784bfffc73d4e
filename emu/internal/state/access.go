// A decoded memory access and what its bounds were proved with.

package state

import (
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// The translation of a lane's address to memory, and the faults of invalid addresses.

// Access is a decoded memory operand, as used by the bodies of ld, st, atom and red.
type Access struct {
	Space  isa.Space
	Off    uint64
	Size   uint64 // bytes accessed by a lane
	Scalar uint64 // bytes of an element of a tensor that is reduced into; 0 where the instruction tells
	Piece  uint64 // bytes that an asynchronous operation accesses at a time; 0 for all
	Kind   isa.AccessKind
	// Cluster says that shared memory of other blocks may be accessed: by generic and .shared::cluster addresses.
	Cluster bool
	Async   abi.AsyncKind // the access is part of an asynchronous operation
	// TensorMap says that such an operation reads its tensor map.
	TensorMap bool
	Object    bool // the access is an operation on an mbarrier
	Silent    bool // the listener does not need the access
	Aside     bool // the access is an observer's
	// For listeners: the registers that a store writes, as values of type elem. noted says that the body records the
	// values (a read-modify-write operation).
	Stores []Operand
	Elem   isa.Type
	Noted  bool
	// Redo computes the values that a read-modify-write operation has written. For the lanes in m, which found old in
	// memory, it replaces the operands b by the written values, and returns the lanes that wrote.
	Redo func(b, c, old *Vec64, m Lanes) Lanes
	// Compares says that the operation writes only where it finds an expected value (compare-and-swap).
	Compares bool
	Overrun  *rewrite.Var    // the named variable, if the access is certainly beyond it, else nil
	Origin   *Origin         // the variable that the access must stay within, nil if that is not checked
	Booked   *AccessProof    // the allocation that the access goes to according to a proof, nil without a proof
	Cache    gmem.AllocCache // last device allocation accessed
	// For Config.Uninitialised: the load or exchange whose registers may become undefined, nil for accesses that use
	// what they read; the registers that are live after it; and whether the caller copies the state of the memory read
	// (carry).
	Value   *rewrite.Inst
	Live    rewrite.RegSet
	Carried bool
}

// Config.Variables: shared and local variables and kernel parameters are adjacent in memory, and an index that is too
// large for one accesses the next. Where the program shows which variable an address was derived from (address.Roots),
// accesses must be within it.

// Origin is the variable that the address of an access was derived from.
type Origin struct {
	V      *rewrite.Var
	Fn     *Function
	Locals map[*rewrite.Var]uint64 // offsets in the activation of fn
}

// MaxSink is the size of the largest access that can be redirected to Engine.Sink.
const MaxSink = 64

// Booking verifies proofs about the allocations that accesses go to (address.Exempt). The machine compares each time
// that an instruction accesses a different allocation than its last one, which it has to look up anyway.
type Booking struct {
	// Root returns the proved root of the address operand of an instruction, with kind RootUnknown if there is no
	// proof.
	Root func(in *rewrite.Inst, operand int) address.Root
	// Strayed is the first access to a different allocation; nil if there is none.
	Strayed *rewrite.Inst
}

// AccessProof is the proof about one access.
type AccessProof struct {
	Inst    *rewrite.Inst
	Root    address.Root
	To      *gmem.Allocation // allocation in the current launch; nil if there is none
	Current *Launch
}

// The decoder's state: a function body, its registers and constants, joins.

package state

import (
	"github.com/ptxsan/ptxsan/emu/internal/inlining"
	"github.com/ptxsan/ptxsan/emu/internal/lifetime"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Direct calls of short functions are inlined: the callee's instructions are decoded in place of the call, into the
// frame of the caller. The callee's registers have slots there, the same for all its calls at that depth. A parameter
// that is stored once and only loaded needs neither the store nor the loads (package calls): its register in the callee
// is the one that the caller stores. The same holds for a result that is stored once, at the end, and loaded by the
// caller immediately (the first, if there are several): its register in the callee is the one that the caller loads, or
// is copied to that if an argument uses it too. Omitted instructions are still counted (FlagNothing). Callees share
// slots, because their registers hold no values between calls. Registers of different widths do not share slots,
// because the lanes may have diverged and each lane's part of a slot must stay separate.
//
// Calls under a guard are not inlined, nor calls of all but very short functions in inlined ones, nor functions with an
// instruction that needs an activation of its own (inlining.Inlinable). Inlining is the same with all listeners,
// because schedules depend on it; an omitted instruction is still a step for a StepListener. Under Config.Uninitialised
// and Config.Variables nothing is inlined, so that all stores of the program are executed.

// Body is a source function decoded into a function: the function itself, or an inlined callee.
type Body struct {
	Src    *rewrite.Func
	Place  *InlinedAt // the inlined call; nil for the function itself
	Outer  *Body      // the body that contains the call
	Regs   []Slot     // slots by rewrite.Reg.Index, as Decoder.Regs
	First  int        // index of its first instruction in Function.Sources
	Starts []int32    // index of each instruction's code, then of the end of the body

	// By index of the instruction: inlined calls, and the loads and stores of parameters that are omitted.
	Inlined map[int]*inlining.Inlined
	Passed  map[int]bool
	Direct  map[*rewrite.Inst]*inlining.Direct // calls that are not inlined
	Copied  map[int]*rewrite.Inst              // by index: a store of a result that is decoded as a copy, and the caller's load whose register it writes

	Read []bool // by rewrite.Reg.Index: whether an instruction reads the register; nil until reads is called
}

// InlinedAt is a call in place of which a function was decoded.
type InlinedAt struct {
	Call  *rewrite.Inst
	Outer *InlinedAt // where the calling function was inlined, nil if it was not
	Depth int        // number of enclosing inlined calls
}

// SharedSlots has the register slots of functions of which only one executes at a time.
type SharedSlots struct {
	Own  map[*rewrite.Func]*Registers
	Free map[int][]Slot // by width: slots that the next function may use as well
}

// Allocation of slots. A compiler uses each virtual register once or twice; registers that are never live at the same
// place share a slot, so that the register file of a warp stays in the cache. Lanes of a warp may be at different
// places, but each has its own part of the slot.

// Registers are the slots of a function's registers, by index, and the copies that are omitted because original and
// copy have the same slot.
type Registers struct {
	Slots  []Slot
	Copies []lifetime.Copy
	Fixed  []int // the instructions that the preface executes
}

// Divergence and reconvergence under the lockstep policy (rewrite.Reconvergence). Most branches have one join, which
// all lanes reach that do not exit before: it is in the instruction, as under the other policies. The other branches
// have a reconvergence.

// Reconvergence describes a branch under the lockstep policy: its joins, and the side that runs first.
type Reconvergence struct {
	Joins      []JoinPoint // outermost first
	TakenFirst bool        // the lanes that jump run first
}

// JoinPoint is a join of a reconvergence.
type JoinPoint struct {
	PC      int32
	Partial bool // lanes may bypass it
}

// Decoder translates one function into flat code. The decode functions of instructions (DecodeFunc) resolve their
// operands through it.
type Decoder struct {
	M     *Machine
	Fn    *Function
	Body  *Body  // current body; in the end that of fn itself
	Regs  []Slot // of the body, by rewrite.Reg.Index
	Fixed []int  // instructions of fn that its preface executes
	Top   Slot   // first free byte of the register file

	Temps    map[int]*Temporaries // by width
	Bodies   []*Body              // all decoded bodies
	Nested   []SharedSlots        // registers of inlined functions, by depth
	Inlined  int                  // instructions of inlined functions
	StackTop uint64               // offset of the next stack variable

	Consts     map[ConstKey]Slot
	LaneConsts map[Vec32]Slot // constants with a separate value for each lane
	Specials   map[SpecialReg]Slot
	Stack      map[*rewrite.Var]uint64 // offsets of stack variables
	Refs       map[StackRef]Slot
	Shared     map[SharedRef]Slot
	Read       map[*rewrite.Func]rewrite.RegSet // of programs

	Pre     []Inst         // instructions emitted before the current one
	Barrier *BarrierOp     // of the current instruction
	Silent  bool           // the listener does not need the accesses of the current instruction
	Indexed []*IndexBranch // their targets are indices of source instructions until link
}

// Temporaries are slots for intermediate values; the first used ones are in use.
type Temporaries struct {
	Slots []Slot
	Used  int
}

// ConstKey identifies a constant of a frame by width and value.
type ConstKey struct {
	Bits int
	Val  uint64
}

// IndexBranch is a decoded brx.idx.
type IndexBranch struct {
	Index   Slot
	Targets []int32
}

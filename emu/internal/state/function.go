// Decoded functions, their activation frames and what they call.

package state

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/guard"
	"github.com/ptxsan/ptxsan/emu/internal/undefined"
	"github.com/ptxsan/ptxsan/rewrite"
)

// CallSite is a decoded call instruction.
type CallSite struct {
	Callee *Function // nil for an external or indirect call
	Extern ExternFn
	Target Slot // 64-bit slot with the callee's address (indirect calls)
	Args   []StackVar
	Rets   []StackVar
}

// ExternFn is a function of the device runtime, such as vprintf. It is called for the lanes in m and reads its
// arguments through the call site.
type ExternFn func(x *Engine, in *Inst, c *CallSite, m Lanes)

// LaunchReuse is storage that the blocks of a launch leave to the next launch of the same kernel: register files,
// Shared memory and other allocations. Reuse does not affect programs.
type LaunchReuse struct {
	Block  Dim3
	Shared uint64
	Ctas   []*CTA
	Groups []*Group
	Joins  []*Join
}

// Function is a decoded function: its code, and the layout of its frames.
type Function struct {
	Src   *rewrite.Func
	Index int    // position in Machine.functions
	Code  []Inst // branch targets, joins and program counters index this
	// Sources are the instructions that code was decoded from: those of src, then those of inlined functions.
	Sources []Source
	Bodies  []*Body // the function itself, then inlined ones, in the order of their code, each after the bodies around it
	Addr    uint64  // address of the function

	FrameSize     uintptr // bytes of the register file
	Constants     []Constant
	Specials      []Special
	BlockSpecials []Special // those of specials that are equal for all threads of a block
	StackRefs     []StackRef
	Zeroed        []SlotRange // registers that may be read before they are written

	// StackSize is the number of bytes of a thread's stack that an activation needs: .local and .param variables of the
	// body, formal parameters and return values.
	StackSize uint64
	Fresh     uint64     // bytes at the beginning of the activation's stack that nothing has written when it begins
	Dynamic   Slot       // slot with the bytes taken by alloca, by lane; 0 without alloca
	Params    []StackVar // formal parameters
	Returns   []StackVar // formal return values

	// Live[pc] lists the registers live at the target of a backward branch.
	Live map[int32]*LiveSet
	// Barriers[pc] is the barrier operation at pc; it may be shorter than code.
	Barriers []*BarrierOp

	// Reconvergences are, by pc, those of the branches that need more than one join; only under the lockstep policy.
	Reconvergences map[int32]*Reconvergence

	Vector     *VectorCode // the code's program in assembly
	Preface    *Function   // Code that a warp executes before its first block of a launch; nil if there is none
	Calls      []*Function // direct callees and functions whose address is taken
	Inlined    []*Function // callees of inlined calls
	WasInlined bool        // a decoded function has inlined a call of this one
	SharedRefs []SharedRef
	Stored     *LaunchReuse // storage from the last launch of the kernel, nil for none

	Formals     []Param // offsets of a kernel's parameters in the parameter block
	FormalBytes uint64  // size of the parameter block
	Shared      *SharedLayout
}

// Source is an instruction, the inlined call that it was decoded in place of, nil for none, and whether it is an
// observer's.
type Source struct {
	In    *rewrite.Inst
	At    *InlinedAt
	Aside bool
}

// Constant is a slot preloaded with one value for all lanes, or with a value for each lane.
type Constant struct {
	Slot Slot
	Bits int // 1, 32 or 64
	Val  uint64
	Each *Vec32 // a value for each lane, instead of val
}

// Special is a slot preloaded with a special register of the warp.
type Special struct {
	Slot Slot
	Reg  SpecialReg
	Bits int // of the slot: 1, 32 or 64
	SpecialValue
}

// StackRef is a slot preloaded with the address of a stack variable.
type StackRef struct {
	Slot Slot
	Wide bool
	Off  uint64 // from the frame's stack base
}

// SharedRef is a slot preloaded with the address of a shared variable, which depends on the kernel.
type SharedRef struct {
	Slot Slot
	Wide bool
	V    *rewrite.Var
	Off  uint64
}

// SlotRange is one register, for copying and comparing.
type SlotRange struct {
	Slot Slot
	Lane uint8 // bytes per lane; 0 for a predicate word
}

// LiveSet is the registers live at one place, by width.
type LiveSet struct{ Preds, R32, R64 []Slot }

// StackVar is a formal parameter or return value: its place in the stack of the activation, or the register that holds
// it.
type StackVar struct {
	Off, Size uint64
	Reg       Operand // .reg parameters only
	IsReg     bool
}

// Frame is one activation of a function, shared by the lanes that entered it together.
type Frame struct {
	Regs   unsafe.Pointer // register file, 64-byte aligned, Function.FrameSize bytes
	Fn     *Function
	Memory *guard.Block // holds the register file

	StackBase uint64 // offset of this activation in every lane's stack
	Live      Lanes  // lanes that have not returned
	Depth     int
	Caller    *Frame // nil for the kernel's own frame
	Site      *CallSite
	Ret       *Join // join of the returning lanes; nil for the kernel's own frame
	Warp      *Warp
	Serial    uint64 // number of this activation
	Launch    uint64 // Launch.ID of the last use
	FilledFor uint64 // Warp.Serial for which special registers were filled in, 0 for none yet
	Next      *Frame // in a free list
	Undefined undefined.Registers
	Async     AsyncRegisters // nil unless something may be wrong with some
}

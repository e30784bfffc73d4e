// Decoded instructions, register files and values in memory.

package state

import (
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// This file has what bodies of instructions see: the layout of registers, the fields of a decoded instruction, values
// in memory.
//
// Memory as bodies see it: device memory is Engine.M.Dev.Mem; shared memory is Engine.CTA.Shared, addressed from
// CTA.SharedBase; the local memory of lane i is Engine.Warp.Stack[i*StackStride:][:StackStride], addressed from 0;
// kernel parameters are Engine.L.Params. A body that finds an access out of bounds or misaligned calls faults.Raise and
// returns immediately. A body that accesses global, shared or generic memory first calls events.EmitAccess, if
// Engine.Listener is set.

// WarpSize is the number of lanes of a warp.
const WarpSize = 32

// Lanes is a set of lanes of a warp, bit i for lane i.
type Lanes uint32

// AllLanes is the set of all lanes.
const AllLanes = ^Lanes(0)

// First returns the lowest lane of a non-empty set.
func (m Lanes) First() int { return bits.TrailingZeros32(uint32(m)) & (WarpSize - 1) }

// Count returns the number of lanes in the set.
func (m Lanes) Count() int { return bits.OnesCount32(uint32(m)) }

// Has reports whether lane i is in the set.
func (m Lanes) Has(i int) bool { return m>>(uint(i)&31)&1 != 0 }

// Slot is a byte offset into a frame's register file. The register file is a structure of arrays: a value of up to 32
// bits is a [32]uint32, a 64-bit value a [32]uint64, a 128-bit value two consecutive [32]uint64 (low half first), a
// predicate one lanes word. A value narrower than 32 bits has upper bits zero, whatever its type: signed readers
// sign-extend it.
//
// Constants, addresses of variables and special registers are slots too, filled in when the frame is made, so that
// every operand has this one form. Slot 0 is a predicate that is always true.
type Slot uint32

// SlotTrue is the predicate slot that is always true: the guard of an
// unpredicated instruction.
const SlotTrue Slot = 0

// Vec32 is one register of all lanes.
type Vec32 = [WarpSize]uint32

// Vec64 is one 64-bit register of all lanes.
type (
	Vec64 = [WarpSize]uint64
)

// R32 returns the register at s, of up to 32 bits.
func (f *Frame) R32(s Slot) *Vec32 { return (*Vec32)(unsafe.Add(f.Regs, uintptr(s))) }

// R64 returns the 64-bit register at s.
func (f *Frame) R64(s Slot) *Vec64 { return (*Vec64)(unsafe.Add(f.Regs, uintptr(s))) }

// R128 returns the low and the high half of the 128-bit register at s.
func (f *Frame) R128(s Slot) (lo, hi *Vec64) { return f.R64(s), f.R64(s + 8*WarpSize) }

// P returns the predicate register at s.
func (f *Frame) P(s Slot) *Lanes { return (*Lanes)(unsafe.Add(f.Regs, uintptr(s))) }

// Peek reads a value of type t, low word first, zero-extended.
func Peek(p unsafe.Pointer, t isa.Type) [2]uint64 {
	switch t.Bits() {
	case 8:
		return [2]uint64{uint64(*(*uint8)(p))}
	case 16:
		return [2]uint64{uint64(*(*uint16)(p))}
	case 32:
		return [2]uint64{uint64(*(*uint32)(p))}
	case 64:
		return [2]uint64{*(*uint64)(p)}
	}
	return *(*[2]uint64)(p)
}

// Poke writes a value of type t and reports whether memory changed.
func Poke(p unsafe.Pointer, t isa.Type, v [2]uint64) bool {
	old := Peek(p, t)
	switch t.Bits() {
	case 8:
		*(*uint8)(p) = uint8(v[0])
	case 16:
		*(*uint16)(p) = uint16(v[0])
	case 32:
		*(*uint32)(p) = uint32(v[0])
	case 64:
		*(*uint64)(p) = v[0]
	default:
		*(*[2]uint64)(p) = v
	}
	return Peek(p, t) != old
}

// BodyFunc executes one instruction for the lanes in m, the active lanes whose guard is true; m is never empty. It must
// not change the registers of other lanes. A body that needs more than the fields of inst is a closure made at decode
// time.
type BodyFunc func(x *Engine, in *Inst, m Lanes)

// Inst is a decoded instruction. d is the destination, a, b, c are the sources. The meaning of these and of imm is
// agreed between the decode function and the body.
type Inst struct {
	Body     BodyFunc
	Imm      int64
	D        Slot
	A, B, C  Slot
	Guard    Slot
	GuardXor Lanes // all ones for a negated guard
	Tgt      int32 // branch target, index into Function.Code
	Src      int32 // index into Function.Sources, -1 for none
	Flags    InstFlags
	Op       vector.Op   // the operation that computes the same in assembly; Slow for none
	Form     *VectorForm // further properties of the operation in assembly, nil for none
}

// InstFlags tell the engine how to execute an instruction. All flags are declared here.
type InstFlags uint32

const (
	// FlagVisible marks an operation that other threads can observe: there is a scheduling point before it.
	FlagVisible InstFlags = 1 << iota
	// FlagFaults marks an instruction whose body may call Raise.
	FlagFaults
	// FlagControl marks an instruction whose body sets the next pc of its group: branches, calls, returns, barriers and
	// other waiting operations.
	FlagControl
	// FlagBlockEnd marks the last instruction of a basic block.
	FlagBlockEnd
	// FlagBranch marks a direct branch: tgt is the target, imm the pc where its two sides reconverge, JoinAtReturn if
	// that is in the caller. The engine executes it without calling a body.
	FlagBranch
	// FlagStep marks the first instruction of each source instruction if there is a StepListener. An instruction with
	// any flag is executed outside of the innermost loop.
	FlagStep
	// FlagResumable marks an instruction whose body executes lanes one by one, in ascending order, and stops at the
	// first that faults: it can be executed again for the remaining lanes.
	FlagResumable
	// FlagNothing marks an instruction that is only counted: in assembly it has no operation, except at targets of
	// branches.
	FlagNothing
	// FlagLoop marks a branch that is a back edge (package program).
	FlagLoop
	// FlagCounted marks a back edge of a loop with a counter (counterOf): a is the register with the counter's step, 0
	// when the step is constant.
	FlagCounted
)

// Wrote records that memory changed (any space). Writing a value that is already there is not a change: spin detection
// depends on this.
func (x *Engine) Wrote() { x.Progress++ }

// Changed is wrote for the memory of an access.
func (x *Engine) Changed(ac *Access) {
	if ac.Aside {
		x.Aside++
		return
	}
	x.Wrote()
}

// DecodeFunc decodes one PTX instruction. It resolves operands through d, selects the body by the instruction's types,
// and returns an instruction with body, d, a, b, c, imm set; the caller sets the other fields. If the instruction is
// not emulated, it returns an error made with d.unsupported.
type DecodeFunc func(d *Decoder, in *rewrite.Inst) (Inst, error)

// Operand is a resolved register operand or constant.
type Operand struct {
	Slot Slot
	// Typ is the declared type of the register, which may be wider than the instruction's type (ld, st, cvt); for
	// constants the instruction's type.
	Typ isa.Type
}

// Wide reports whether the operand's slot is a vec64.
func (o Operand) Wide() bool { return o.Typ.Bits() == 64 }

// MemOperand is a resolved memory operand: every lane accesses r64(base)[lane]+off. A 32-bit base register has been
// zero-extended into a temporary, and the address of a named variable is a constant slot.
type MemOperand struct {
	// Space is the accessed state space: SpaceNone for generic addresses. Kernel parameters are SpaceParam (offsets
	// into Launch.Params). The .param variables of device functions and of calls are in the thread's stack and have
	// SpaceLocal.
	Space isa.Space
	Base  Slot
	Off   int64
}

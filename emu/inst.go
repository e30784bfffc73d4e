// Decoded instructions, register files, and the state that instruction bodies see.

package emu

import (
	"context"
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// This file is the contract between the engine and the lane bodies (sem_*.go):
// how registers are laid out, what a decoded instruction holds, and what a body
// may ask of its surroundings.
//
// Memory as bodies see it: device memory is engine.m.mem; shared memory is
// engine.cta.shared, addressed from cta.sharedBase; the local memory of lane i is
// engine.warp.stack[i*stackStride:][:stackStride], addressed from 0; kernel
// parameters are engine.l.params. A body that finds an access out of bounds or
// misaligned calls engine.raise and returns at once. A body that touches global,
// shared or generic memory calls engine.emitAccess first when engine.listener is set.

// warpSize is the number of lanes of a warp.
const warpSize = 32

// lanes is a set of lanes of a warp, bit i for lane i.
type lanes uint32

// allLanes is the full set.
const allLanes = ^lanes(0)

// first is the lowest lane of a non-empty set.
func (m lanes) first() int { return bits.TrailingZeros32(uint32(m)) & (warpSize - 1) }

// count is the number of lanes in the set.
func (m lanes) count() int { return bits.OnesCount32(uint32(m)) }

// has reports whether lane i is in the set.
func (m lanes) has(i int) bool { return m>>(uint(i)&31)&1 != 0 }

// slot is a byte offset into a frame's register file. The register file is
// struct of arrays: a value of up to 32 bits is a [32]uint32, a 64-bit value a
// [32]uint64, a 128-bit value two consecutive [32]uint64 (low half first), a
// predicate one lanes word. A value narrower than 32 bits is held with its upper
// bits zero, whatever its type: signed readers extend it themselves.
//
// Constants, addresses of variables and special registers are slots as well,
// filled when the frame is made, so that every operand has this one form.
// Slot 0 is a predicate that is always true.
type slot uint32

// slotTrue is the predicate slot that is always true: the guard of an
// unpredicated instruction.
const slotTrue slot = 0

// vec32 and vec64 are one register of all lanes.
type (
	vec32 = [warpSize]uint32
	vec64 = [warpSize]uint64
)

// r32 is the register at s, of up to 32 bits.
func (f *frame) r32(s slot) *vec32 { return (*vec32)(unsafe.Add(f.regs, uintptr(s))) }

// r64 is the 64-bit register at s.
func (f *frame) r64(s slot) *vec64 { return (*vec64)(unsafe.Add(f.regs, uintptr(s))) }

// r128 is the low and the high half of the 128-bit register at s.
func (f *frame) r128(s slot) (lo, hi *vec64) { return f.r64(s), f.r64(s + 8*warpSize) }

// p is the predicate register at s.
func (f *frame) p(s slot) *lanes { return (*lanes)(unsafe.Add(f.regs, uintptr(s))) }

// bodyFunc executes one instruction for the lanes in m, which is never empty: they
// are the active lanes whose guard holds. It must leave the registers of all
// other lanes as they are. A body that needs more than the fields of inst is a
// closure made at decode time.
type bodyFunc func(x *engine, in *inst, m lanes)

// inst is a decoded instruction. D is the destination, A, B, C the sources; what
// they and Imm mean is between the decode function and the body.
type inst struct {
	body     bodyFunc
	imm      int64
	d        slot
	a, b, c  slot
	guard    slot
	guardXor lanes // all ones for a negated guard
	tgt      int32 // branch target, index into function.code
	src      int32 // index into function.sources, -1 for none
	flags    instFlags
	op       vector.Op   // what computes the same in assembly; Slow for nothing
	form     *vectorForm // what else there is to say about it, nil for nothing
}

// instFlags say what the engine must do around an instruction. All of them are declared here.
type instFlags uint32

const (
	// flagVisible marks an operation that other threads can observe: a
	// scheduling point stands before it.
	flagVisible instFlags = 1 << iota
	// flagFaults marks an instruction whose body may call engine.raise.
	flagFaults
	// flagControl marks an instruction whose body decides where its group goes
	// on: branches, calls, returns, barriers and other waiting operations.
	flagControl
	// flagBlockEnd marks the last instruction of a basic block.
	flagBlockEnd
	// flagBranch marks a direct branch: tgt is the target, imm the pc where its two
	// sides meet again, joinAtReturn when that is in the caller. The engine performs
	// it without calling a body.
	flagBranch
	// flagStep marks the first instruction of each source instruction when there is a
	// StepListener. Having a flag takes it out of the innermost loop.
	flagStep
	// flagResumable marks an instruction whose body handles lanes one by one, in
	// ascending order, and stops at the first that faults: it can be executed again for
	// the lanes above.
	flagResumable
	// flagNothing marks an instruction that only counts: in assembly, nothing stands for it
	// but at targets of branches.
	flagNothing
	// flagLoop marks a branch that counts as a jump backwards.
	flagLoop
	// flagCounted marks one of a loop with a counter (counterOf): a is the register with the counter's step, 0 when that is
	// a constant.
	flagCounted
)

// engine is what lane bodies see of a running launch. One goroutine owns it.
type engine struct {
	frame *frame   // of the running group
	warp  *warp    // of the running group
	cta   *cta     // of the running group
	m     *Machine // device memory, configuration
	l     *launch  // the launch

	emitter
	recorder  roundRecorder
	recording bool // the running group's round is being recorded
	// progress counts events after which another thread may find something
	// changed: writes that changed a value, exits, barrier arrivals. Bodies that
	// write memory call wrote when a byte changed.
	progress uint64
	fault    *Fault // just raised, and not survived; the launch ends with it
	faults   []*Fault
	// faultLane is the lane of fault. Accesses without memory are made to sink.
	faultLane int
	sink      [maxSink / 8]uint64

	sched   scheduler
	running *group // whose turn it is
	quantum int    // scheduling points left in this turn
	yield   bool   // the group gives up the rest of its turn
	stats   Stats

	ctx    context.Context
	nested error // of a grid that a thread launched: the launch ends with it

	special specialContext // of the launch, and of the warp and lane in fillSpecials

	matrices matrix.Buffers
	pieces   []transfer // an empty list with room for those of a tensor copy
	texels   texels     // of the instruction that reads a texture

	vec *vectorRunner // nil when everything runs in Go
}

// wrote records that memory changed (any space). Writing the value that is
// already there is not a change: spinning threads are told apart from working
// ones by this.
func (x *engine) wrote() { x.progress++ }

// decodeFunc decodes one PTX instruction. It resolves operands through d, picks
// the body by the instruction's types, and returns an instruction with body, d,
// a, b, c, imm set; the caller fills in the rest. An error is for what is not
// emulated and should be made with d.unsupported.
type decodeFunc func(d *decoder, in *rewrite.Inst) (inst, error)

// operand is a resolved register operand or constant.
type operand struct {
	slot slot
	// typ is the declared type of the register, which may be wider than the
	// instruction's type (ld, st, cvt); for constants the instruction's type.
	typ isa.Type
}

// wide reports whether the operand's slot is a vec64.
func (o operand) wide() bool { return o.typ.Bits() == 64 }

// memOperand is a resolved memory operand: every lane accesses r64(base)[lane]+off.
// A base register of 32 bits has been zero-extended into a temporary, the
// address of a named variable is a constant slot.
type memOperand struct {
	// space is the space accessed: SpaceNone for generic addresses. Kernel
	// parameters are SpaceParam (offsets into launch.params). The .param
	// variables of device functions and of calls live in the thread's stack and
	// come as SpaceLocal.
	space isa.Space
	base  slot
	off   int64
}

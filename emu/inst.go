// Decoded instructions, register files, values in memory, and the state of the engine that instruction bodies use.

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

// This file is the interface between the engine and the instruction bodies (sem_*.go): the layout of registers, the
// fields of a decoded instruction, and the state that a body may use.
//
// Memory as bodies see it: device memory is engine.m.mem; shared memory is engine.cta.shared, addressed from
// cta.sharedBase; the local memory of lane i is engine.warp.stack[i*stackStride:][:stackStride], addressed from 0;
// kernel parameters are engine.l.params. A body that finds an access out of bounds or misaligned calls engine.raise and
// returns immediately. A body that accesses global, shared or generic memory calls engine.emitAccess first if
// engine.listener is set.

// warpSize is the number of lanes of a warp.
const warpSize = 32

// lanes is a set of lanes of a warp, bit i for lane i.
type lanes uint32

// allLanes is the set of all lanes.
const allLanes = ^lanes(0)

// first returns the lowest lane of a non-empty set.
func (m lanes) first() int { return bits.TrailingZeros32(uint32(m)) & (warpSize - 1) }

// count returns the number of lanes in the set.
func (m lanes) count() int { return bits.OnesCount32(uint32(m)) }

// has reports whether lane i is in the set.
func (m lanes) has(i int) bool { return m>>(uint(i)&31)&1 != 0 }

// slot is a byte offset into a frame's register file. The register file is a structure of arrays: a value of up to 32
// bits is a [32]uint32, a 64-bit value a [32]uint64, a 128-bit value two consecutive [32]uint64 (low half first), a
// predicate one lanes word. A value narrower than 32 bits has upper bits zero, whatever its type: signed readers
// sign-extend it.
//
// Constants, addresses of variables and special registers are slots too, filled in when the frame is made, so that
// every operand has this one form. Slot 0 is a predicate that is always true.
type slot uint32

// slotTrue is the predicate slot that is always true: the guard of an
// unpredicated instruction.
const slotTrue slot = 0

// vec32 and vec64 are one register of all lanes.
type (
	vec32 = [warpSize]uint32
	vec64 = [warpSize]uint64
)

// r32 returns the register at s, of up to 32 bits.
func (f *frame) r32(s slot) *vec32 { return (*vec32)(unsafe.Add(f.regs, uintptr(s))) }

// r64 returns the 64-bit register at s.
func (f *frame) r64(s slot) *vec64 { return (*vec64)(unsafe.Add(f.regs, uintptr(s))) }

// r128 returns the low and the high half of the 128-bit register at s.
func (f *frame) r128(s slot) (lo, hi *vec64) { return f.r64(s), f.r64(s + 8*warpSize) }

// p returns the predicate register at s.
func (f *frame) p(s slot) *lanes { return (*lanes)(unsafe.Add(f.regs, uintptr(s))) }

// peek reads a value of type t, low word first, zero-extended.
func peek(p unsafe.Pointer, t isa.Type) [2]uint64 {
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

// poke writes a value of type t and reports whether memory changed.
func poke(p unsafe.Pointer, t isa.Type, v [2]uint64) bool {
	old := peek(p, t)
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
	return peek(p, t) != old
}

// bodyFunc executes one instruction for the lanes in m, the active lanes whose guard is true; m is never empty. It must
// not change the registers of other lanes. A body that needs more than the fields of inst is a closure made at decode
// time.
type bodyFunc func(x *engine, in *inst, m lanes)

// inst is a decoded instruction. d is the destination, a, b, c are the sources. The meaning of these and of imm is
// agreed between the decode function and the body.
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
	op       vector.Op   // the operation that computes the same in assembly; Slow for none
	form     *vectorForm // further properties of the operation in assembly, nil for none
}

// instFlags tell the engine how to execute an instruction. All flags are declared here.
type instFlags uint32

const (
	// flagVisible marks an operation that other threads can observe: there is a scheduling point before it.
	flagVisible instFlags = 1 << iota
	// flagFaults marks an instruction whose body may call engine.raise.
	flagFaults
	// flagControl marks an instruction whose body sets the next pc of its group: branches, calls, returns, barriers and
	// other waiting operations.
	flagControl
	// flagBlockEnd marks the last instruction of a basic block.
	flagBlockEnd
	// flagBranch marks a direct branch: tgt is the target, imm the pc where its two sides reconverge, joinAtReturn if
	// that is in the caller. The engine executes it without calling a body.
	flagBranch
	// flagStep marks the first instruction of each source instruction if there is a StepListener. An instruction with
	// any flag is executed outside of the innermost loop.
	flagStep
	// flagResumable marks an instruction whose body executes lanes one by one, in ascending order, and stops at the
	// first that faults: it can be executed again for the remaining lanes.
	flagResumable
	// flagNothing marks an instruction that is only counted: in assembly it has no operation, except at targets of
	// branches.
	flagNothing
	// flagLoop marks a branch that is a back edge (decode_loops.go).
	flagLoop
	// flagCounted marks a back edge of a loop with a counter (counterOf): a is the register with the counter's step, 0
	// when the step is constant.
	flagCounted
)

// engine is the state of a running launch, as bodies see it. One goroutine owns it.
type engine struct {
	frame *frame   // of the running group
	warp  *warp    // of the running group
	cta   *cta     // of the running group
	m     *machine // device memory, configuration
	l     *launch  // the launch

	emitter
	recorder  roundRecorder
	recording bool // the recorder records a loop round of the running group
	// progress counts events after which another thread may observe a change: writes that changed a value, exits,
	// barrier arrivals. Bodies that write memory call wrote when a byte changed.
	progress uint64
	aside    uint64 // the writes of observers that changed a value: these are not progress
	fault    *Fault // a fault that ends the launch
	faults   []*Fault
	// faultLane is the lane of fault. sink receives accesses that have no memory.
	faultLane int
	sink      [maxSink / 8]uint64
	storing   *rewrite.Inst // the store that is executed, if registers have undefined bits

	sched   scheduler
	running *group // group whose turn it is
	quantum int    // scheduling points left in this turn
	yield   bool   // the group yields the rest of its turn
	stats   Stats

	ctx    context.Context
	nested error // error of a grid launched by a thread, which ends the launch

	special     specialContext // values for the launch and, in fillSpecials, for the warp and lane
	blockValues []blockValue   // of function.blockSpecials of the kernel, for the block that starts

	matrices matrix.Buffers
	pieces   []transfer // an empty list with capacity for the pieces of a tensor copy

	weak *weakMemory // nil under sequential consistency

	vec *vectorRunner // nil when everything runs in Go
}

// wrote records that memory changed (any space). Writing a value that is already there is not a change: spin detection
// depends on this.
func (x *engine) wrote() { x.progress++ }

// changed is wrote for the memory of an access.
func (x *engine) changed(ac *access) {
	if ac.aside {
		x.aside++
		return
	}
	x.wrote()
}

// decodeFunc decodes one PTX instruction. It resolves operands through d, selects the body by the instruction's types,
// and returns an instruction with body, d, a, b, c, imm set; the caller sets the other fields. If the instruction is
// not emulated, it returns an error made with d.unsupported.
type decodeFunc func(d *decoder, in *rewrite.Inst) (inst, error)

// operand is a resolved register operand or constant.
type operand struct {
	slot slot
	// typ is the declared type of the register, which may be wider than the instruction's type (ld, st, cvt); for
	// constants the instruction's type.
	typ isa.Type
}

// wide reports whether the operand's slot is a vec64.
func (o operand) wide() bool { return o.typ.Bits() == 64 }

// memOperand is a resolved memory operand: every lane accesses r64(base)[lane]+off. A 32-bit base register has been
// zero-extended into a temporary, and the address of a named variable is a constant slot.
type memOperand struct {
	// space is the accessed state space: SpaceNone for generic addresses. Kernel parameters are SpaceParam (offsets
	// into launch.params). The .param variables of device functions and of calls are in the thread's stack and have
	// SpaceLocal.
	space isa.Space
	base  slot
	off   int64
}

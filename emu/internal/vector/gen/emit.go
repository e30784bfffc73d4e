// Emitting handlers: registers, operands, the code around a handler.

package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Registers that every handler keeps: RDI is the Context, R8 the register file, R9 the instruction, R11 the lanes, RSI
// the sites. All others are free, including R14 and X15, which the wrappers of assembly functions restore.

// Offsets of the fields of Context, Join, Inst, Site and Note; TestLayout checks them.
const (
	ctxRegs, ctxCode, ctxSites                            = 0, 8, 16
	ctxAt, ctxMask, ctxExit, ctxRest, ctxStop             = 24, 28, 32, 36, 40
	ctxChanged                                            = 44
	ctxExecuted, ctxLimit, ctxVisible, ctxProgress        = 48, 56, 64, 80
	spinProgress, spinVisits, spinNext                    = 88, 96, 104
	spinPC, spinWitness, spinValue, spinBits, spinMask    = 112, 116, 120, 124, 128
	spinKnown                                             = 132
	ctxJoins, ctxDepth, ctxRoom, ctxLow, ctxUnder         = 136, 280, 284, 288, 292
	ctxCounted, ctxThreads, ctxAside                      = 296, 304, 312
	ctxLanes, ctxNotes, ctxNoted, ctxNoteRoom             = 320, 448, 456, 460
	ctxLastNote, ctxActive                                = 464, 468
	ctxTurns, ctxTurn, ctxRing, ctxLeft, ctxFirst         = 472, 480, 484, 488, 492
	ctxMayReturn, ctxRounds, ctxOthers, ctxRoundPC        = 496, 500, 504, 508
	ctxArrived, ctxReturned, ctxPassed                    = 512, 516, 520
	ctxBlocks, ctxStart, ctxValues, ctxValuesAt           = 524, 528, 536, 544
	ctxSpecialBytes, ctxSpecials                          = 548, 552
	ctxShared, ctxSharedBytes                             = 568, 576
	turnRegs, turnVisible, turnKnown, turnAt, turnFrom    = 0, 8, 16, 20, 24
	turnPC, turnNoted, turnTaken, turnSz                  = 28, 32, 36, 40
	joinPC, joinExpected, joinArrived, joinSz             = 0, 4, 8, 12
	inFull, inMasked, inOne                               = 0, 8, 16
	inD, inA, inB, inC, inE                               = 24, 28, 32, 36, 40
	inSite, inCount, inPC, inTarget, inOther, inImm, inSz = 44, 48, 52, 56, 60, 64, 72
	siteBase, siteLimit, sitePtr, siteStride              = 0, 8, 16, 24
	notePC, noteMask, noteEven, noteBase, noteStep        = 0, 4, 8, 16, 24
	noteSz, rowBytes                                      = 32, 256
)

// Values of vector.Exit.
const (
	exitSlow = iota
	exitRest
	exitCount
	exitStop
	exitBack
	exitLimit
	exitTurns
	exitNote
)

const nosplit = attr.NOSPLIT | attr.NOFRAME

// current is the variant being emitted, of operation or run currentOp; masked says whether its code is for some of the
// lanes.
var (
	current   variant
	currentOp string
	masked    bool
)

// The registers that hold the offsets of operands, as offsets() loads them.
var rD, rA, rB, rC, rE = RDX, RAX, RBX, RCX, R10

var labels int

// label makes a name unique within the file.
func label(s string) string { labels++; return fmt.Sprintf("%s%d", s, labels) }

func ctx(off int) Mem { return Mem{Base: RDI, Disp: off} }
func in(off int) Mem  { return Mem{Base: R9, Disp: off} }

// at returns the memory disp bytes into the register whose offset r holds.
func at(r Register, disp int) Mem { return Mem{Base: R8, Index: r, Scale: 1, Disp: disp} }

// offsets loads the offsets of the destination and of n sources.
func offsets(n int) {
	src := []struct {
		off int
		r   GPPhysical
	}{{inA, RAX}, {inB, RBX}, {inC, RCX}, {inE, R10}}
	for _, s := range src[:n] {
		MOVL(in(s.off), s.r.As32())
	}
	MOVL(in(inD), EDX)
	if one {
		findLane()
	}
}

// put32 stores a vector of 32-bit values as part c of the destination; it uses Y14 and Y15.
func put32(c int, v VecPhysical) {
	if one {
		VMOVD(v, lane32(rD))
		return
	}
	d := at(rD, 32*c)
	if !masked {
		VMOVDQU(v, d)
		return
	}
	VMOVDQU(ctx(ctxLanes+32*c), Y15)
	VMOVDQU(d, Y14)
	VPBLENDVB(Y15, v, Y14, Y14)
	VMOVDQU(Y14, d)
}

// put64 is put32 for 64-bit values.
func put64(c int, v VecPhysical) {
	if one {
		VMOVQ(v, lane64(rD))
		return
	}
	d := at(rD, 32*c)
	if !masked {
		VMOVDQU(v, d)
		return
	}
	VPMOVSXDQ(ctx(ctxLanes+16*c), Y15)
	VMOVDQU(d, Y14)
	VPBLENDVB(Y15, v, Y14, Y14)
	VMOVDQU(Y14, d)
}

// parts emits f for each of the n parts of a register. If only some of the first eight lanes execute the instruction,
// as where one thread works for its block, the other parts are skipped. For one lane there is one part.
func parts(n int, f func(c int)) {
	if one {
		f(0)
		return
	}
	done := label("done")
	for c := range n {
		if masked && c == n/4 {
			TESTL(U32(^uint32(0xff)), R11L)
			JEQ(LabelRef(done))
		}
		f(c)
	}
	if masked {
		Label(done)
	}
}

// each32 emits f for each of the four parts of a 32-bit destination; f leaves the result in Y0, or in X0 for one lane.
func each32(sources int, f func(c int)) func() {
	return func() {
		offsets(sources)
		parts(4, func(c int) {
			f(c)
			put32(c, y0)
		})
	}
}

// loop32 is each32 with a loop over the parts, for operations of hundreds of instructions: f computes the part at the
// offsets. It uses R12 and R13.
func loop32(sources int, f func()) func() {
	if sources > 3 {
		panic("BUG: gen: loop32 of more than three sources")
	}
	return func() {
		part, all := label("part"), label("all")
		offsets(sources)
		XORL(R12L, R12L)
		MOVL(U32(4*32), R13L)
		if masked {
			TESTL(U32(^uint32(0xff)), R11L)
			JNE(LabelRef(all))
			MOVL(U32(32), R13L)
			Label(all)
		}
		Label(part)
		f()
		if masked {
			VMOVDQU(Mem{Base: RDI, Index: R12, Scale: 1, Disp: ctxLanes}, Y15)
			VMOVDQU(at(rD, 0), Y14)
			VPBLENDVB(Y15, Y0, Y14, Y0)
		}
		VMOVDQU(Y0, at(rD, 0))
		for _, r := range []GPPhysical{RDX, RAX, RBX, RCX}[:1+sources] {
			ADDQ(Imm(32), r)
		}
		ADDL(Imm(32), R12L)
		CMPL(R12L, R13L)
		JNE(LabelRef(part))
	}
}

// each64 is each32 for the eight parts of a 64-bit destination.
func each64(sources int, f func(c int)) func() {
	return func() {
		offsets(sources)
		parts(8, func(c int) {
			f(c)
			put64(c, y0)
		})
	}
}

// dispatch jumps to a handler of the instruction at R9. The field is that of the handler's address, which determines
// the variant: inFull, inMasked or inOne.
func dispatch(field int) {
	Instruction(&ir.Instruction{Opcode: "JMP", Operands: []Op{in(field)}, IsTerminal: true})
}

// dispatchSome is dispatch after R11 has been reduced to some of the lanes.
func dispatchSome() {
	expandLanes()
	dispatchPart()
}

// dispatchPart is dispatch for the lanes in R11, which are not all.
func dispatchPart() {
	several := label("several")
	BLSRL(R11L, EAX)
	JNE(LabelRef(several))
	dispatch(inOne)
	Label(several)
	dispatch(inMasked)
}

// next continues with the next instruction.
func next() {
	ADDQ(Imm(inSz), R9)
	dispatchSame()
}

// dispatchSame is dispatch for the same lanes as before.
func dispatchSame() {
	switch {
	case aliases["masked"+currentOp] == "full"+currentOp:
		part := label("part")
		CMPL(R11L, I8(-1))
		JNE(LabelRef(part))
		dispatch(inFull)
		Label(part)
		dispatchPart()
	case current.masked && aliases["one"+currentOp] == "masked"+currentOp:
		dispatchPart()
	default:
		dispatch(current.field)
	}
}

// leave returns to Go.
func leave(exit int) {
	MOVL(U32(exit), ctx(ctxExit))
	SUBQ(ctx(ctxCode), R9)
	MOVL(R9L, ctx(ctxAt))
	VZEROUPPER()
	RET()
}

// jump continues at the offset in a field of the instruction.
func jump(field int) {
	MOVL(in(field), EAX)
	MOVQ(ctx(ctxCode), R9)
	ADDQ(RAX, R9)
}

// decrement decrements the instruction's counter, or returns to Go if that is 0.
func decrement() {
	paid := label("paid")
	MOVL(in(inCount), EAX)
	SUBQ(Imm(1), Mem{Base: RDI, Index: RAX, Scale: 1})
	JGE(LabelRef(paid))
	ADDQ(Imm(1), Mem{Base: RDI, Index: RAX, Scale: 1})
	leave(exitCount)
	Label(paid)
}

// expandLanes sets ctx.lanes to the lanes in R11.
func expandLanes() {
	VMOVD(R11L, X0)
	VPBROADCASTD(X0, Y0)
	for c := range 4 {
		lanesOfY0(c)
		VMOVDQU(Y2, ctx(ctxLanes+32*c))
	}
}

// lanesOfY0 sets Y2 to part c of the set of lanes that is in each value of Y0; it uses Y1.
func lanesOfY0(c int) {
	VMOVDQU(bitOfLane().Offset(32*c), Y1)
	VPAND(Y0, Y1, Y2)
	VPCMPEQD(Y1, Y2, Y2)
}

// Constants are emitted when they are first used, outside of functions.
var constants = map[string]Mem{}

func constant(name string, bytes int, emit func(i int)) Mem {
	m, ok := constants[name]
	if !ok {
		m = GLOBL(name, attr.RODATA|attr.NOPTR)
		for i := range bytes {
			emit(i)
		}
		constants[name] = m
	}
	return m
}

// all32 returns a vector with v in every 32-bit value.
func all32(v uint32) Mem {
	return constant(fmt.Sprintf("all32_%08x", v), 8, func(i int) { DATA(4*i, U32(v)) })
}

// all64 returns a vector with v in every 64-bit value.
func all64(v uint64) Mem {
	return constant(fmt.Sprintf("all64_%016x", v), 4, func(i int) { DATA(8*i, U64(v)) })
}

// bitOfLane returns a vector with bit i set in its 32-bit value i.
func bitOfLane() Mem {
	return constant("bitOfLane", 32, func(i int) { DATA(4*i, U32(1<<i)) })
}

// multiples returns a vector with i*step in its 64-bit value i.
func multiples(step int) Mem {
	return constant(fmt.Sprintf("multiples%d", step), 16, func(i int) { DATA(8*i, U64(uint64(i*step))) })
}

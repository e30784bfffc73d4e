// Handlers of divergence and reconvergence.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Lanes that diverge at a branch and reconverge: Context.Joins records the lanes that only have to wait at the join,
// and the others continue.

// Values of vector.Inst.B of conditional branches, and of Other of those that compare.
const (
	waitsNobody = iota
	waitsTaken
	waitsOthers
)

// part continues with some of the lanes after a divergence in which the lanes in EAX jump. waits is the offset of the
// instruction's field that holds one of the constants above, and ahead is the PC of the branch minus the PC of the
// instruction. The code returns to Go if the field is waitsNobody, or if there is no room to record the waiting lanes.
func part(waits, ahead int) {
	others, goes, full := label("others"), label("goes"), label("full")
	known := label("known")
	MOVL(in(waits), ECX)
	TESTL(ECX, ECX)
	JEQ(LabelRef(full))
	// RBX waits, RDX continues; R10 is the offset from PC to the next instruction.
	MOVL(EAX, EDX)
	XORL(R11L, EDX)
	MOVL(EAX, EBX)
	MOVL(U32(1), R10L)
	CMPL(ECX, Imm(waitsOthers))
	JNE(LabelRef(goes))
	XCHGL(EBX, EDX)
	SUBQ(in(inImm), R10)
	Label(goes)
	noteWaiting(known, full)
	Label(known)
	MOVL(in(inPC), EAX)
	if ahead > 0 {
		ADDQ(Imm(uint64(ahead)), RAX)
	}
	LEAQ(Mem{Base: RAX, Disp: 1}, R13)
	passed()
	ADDQ(R10, RAX)
	NEGQ(RAX)
	MOVQ(RAX, ctx(ctxExecuted))
	MOVL(EDX, R11L)
	MOVL(EDX, ctx(ctxMask))
	CMPL(ECX, Imm(waitsOthers))
	JEQ(LabelRef(others))
	ADDQ(Imm(inSz), R9)
	dispatchSome()
	Label(others)
	jump(inTarget)
	dispatchSome()
	Label(full)
	leave(exitSlow)
}

// noteWaiting makes the lanes in RBX wait at E: at the innermost join, if it is there, or at a new one.
func noteWaiting(done, full string) {
	fresh := label("fresh")
	MOVL(in(inE), EAX)
	MOVL(ctx(ctxDepth), R12L)
	CMPL(EAX, ctx(ctxStop))
	JNE(LabelRef(fresh))
	TESTL(R12L, R12L) // if 0, the join is not in Joins
	JEQ(LabelRef(full))
	ORL(EBX, innermost(R12, joinArrived))
	JMP(LabelRef(done))
	Label(fresh)
	CMPL(R12L, ctx(ctxRoom))
	JCC(LabelRef(full))
	ADDQ(Imm(joinSz), R12)
	MOVL(R12L, ctx(ctxDepth))
	MOVL(EAX, innermost(R12, joinPC))
	MOVL(R11L, innermost(R12, joinExpected))
	MOVL(EBX, innermost(R12, joinArrived))
	MOVL(EAX, ctx(ctxStop))
}

// innermost returns a field of the last join; depth is the size in bytes of the joins.
func innermost(depth Register, field int) Mem {
	return Mem{Base: RDI, Index: depth, Scale: 1, Disp: ctxJoins - joinSz + field}
}

// passed counts the instructions before PC R13 for the lanes in R11. Afterwards, Executed has to be set for the
// following instructions.
func passed() {
	ADDQ(ctx(ctxExecuted), R13)
	ADDQ(R13, ctx(ctxCounted))
	SUBQ(R13, ctx(ctxLimit))
	POPCNTL(R11L, R14L)
	IMULQ(R13, R14)
	ADDQ(R14, ctx(ctxThreads))
}

// stop makes the lanes join those that wait here, and returns to Go if more are expected.
func stop() {
	on := label("on")
	stopUnless(on)
	Label(on)
	next()
}

// stopUnless is stop; it jumps to on if the lanes need not join others here.
func stopUnless(on string) {
	meet, parent, wait, off, all := label("meet"), label("parent"), label("wait"), label("off"), label("all")
	MOVL(in(inPC), EAX)
	CMPL(EAX, ctx(ctxStop))
	JNE(LabelRef(on))
	MOVQ(RAX, R13)
	passed()
	MOVQ(RAX, RCX)
	NEGQ(RCX)
	MOVQ(RCX, ctx(ctxExecuted))
	MOVL(ctx(ctxDepth), R12L)
	MOVL(ctx(ctxUnder), EDX)
	Label(meet)
	TESTL(R12L, R12L)
	JEQ(LabelRef(wait))
	MOVL(innermost(R12, joinArrived), EBX)
	ORL(R11L, EBX)
	CMPL(EBX, innermost(R12, joinExpected))
	JNE(LabelRef(wait))
	MOVL(EBX, R11L)
	SUBL(Imm(joinSz), R12L)
	JEQ(LabelRef(parent))
	MOVL(innermost(R12, joinPC), ECX)
	CMPL(ECX, EAX)
	JEQ(LabelRef(meet))
	JMP(LabelRef(off))
	Label(parent)
	MOVL(EDX, ECX)
	CMPL(ECX, EAX)
	JEQ(LabelRef(wait))
	Label(off)
	met()
	MOVL(ECX, ctx(ctxStop))
	CMPL(R11L, I8(-1))
	JEQ(LabelRef(all))
	ADDQ(Imm(inSz), R9)
	dispatchSome()
	Label(all)
	ADDQ(Imm(inSz), R9)
	dispatch(inFull)
	Label(wait)
	met()
	MOVL(EAX, ctx(ctxStop))
	leave(exitStop)
}

// met records the lanes in R11 and the remaining joins, R12.
func met() {
	low := label("low")
	MOVL(R11L, ctx(ctxMask))
	MOVL(R12L, ctx(ctxDepth))
	CMPL(R12L, ctx(ctxLow))
	JCC(LabelRef(low))
	MOVL(R12L, ctx(ctxLow))
	Label(low)
}

// Handlers of instructions that end the turn of a warp: barriers and returns.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// barrierZero is vector.BarrierZero, maxSpecials is vector.MaxSpecials.
const (
	barrierZero = 1
	maxSpecials = 4
)

// barrier is the handler of a barrier that ends the turn of a warp: the next warp begins its turn. If all other warps
// wait, the turn goes on instead. The handler returns to Go if this is the last turn, if lanes of the warp wait at a
// join, if the counter of scheduling points is 0, or if the turns could disagree about the barrier.
func barrier() {
	slow, spent, passes, ends := label("slow"), label("spent"), label("passes"), label("ends")
	currentTurn(slow)
	CMPQ(ctx(ctxVisible), Imm(0))
	JLE(LabelRef(spent))
	CMPL(ctx(ctxRounds), Imm(0))
	JEQ(LabelRef(ends))
	CMPL(ctx(ctxReturned), Imm(0))
	JNE(LabelRef(slow))
	sameBarrier(slow)
	MOVL(ctx(ctxArrived), EBX)
	CMPL(EBX, ctx(ctxOthers))
	JEQ(LabelRef(passes))
	Label(ends)
	CMPL(ctx(ctxLeft), Imm(0))
	JEQ(LabelRef(slow))
	INCL(ctx(ctxArrived))
	countTurn()
	nextTurn()
	Label(passes)
	SUBQ(Imm(1), ctx(ctxVisible))
	ADDQ(Imm(2), ctx(ctxProgress))
	MOVL(U32(0), ctx(ctxArrived))
	INCL(ctx(ctxPassed))
	next()
	Label(slow)
	leave(exitSlow)
	Label(spent)
	leave(exitCount)
}

// sameBarrier jumps to slow unless the warp is at barrier 0, by the instruction at which the others have arrived, if
// any have.
func sameBarrier(slow string) {
	first, same := label("first"), label("same")
	CMPL(in(inD), Imm(barrierZero))
	JNE(LabelRef(slow))
	MOVL(in(inPC), EBX)
	CMPL(ctx(ctxArrived), Imm(0))
	JEQ(LabelRef(first))
	CMPL(EBX, ctx(ctxRoundPC))
	JNE(LabelRef(slow))
	JMP(LabelRef(same))
	Label(first)
	MOVL(EBX, ctx(ctxRoundPC))
	Label(same)
}

// returns is the handler of a return that ends the turn of a warp and its kernel: the next warp begins its turn, or the
// first warp of the next block. It returns to Go if lanes of the warp wait at a join, if the limit of instructions is
// reached, if warps wait at a barrier, and after the last turn.
func returns() {
	slow, may, last, over := label("slow"), label("may"), label("last"), label("over")
	currentTurn(slow)
	CMPL(ctx(ctxMayReturn), Imm(0))
	JEQ(LabelRef(slow))
	CMPL(ctx(ctxRounds), Imm(0))
	JEQ(LabelRef(may))
	CMPL(ctx(ctxArrived), Imm(0))
	JNE(LabelRef(slow))
	Label(may)
	countTurn()
	CMPQ(RAX, ctx(ctxLimit))
	JGE(LabelRef(slow))
	CMPL(ctx(ctxLeft), Imm(0))
	JEQ(LabelRef(last))
	MOVL(ctx(ctxReturned), EBX)
	CMPL(EBX, ctx(ctxOthers))
	JEQ(LabelRef(over))
	INCL(ctx(ctxReturned))
	nextTurn()
	Label(over)
	CMPL(ctx(ctxBlocks), Imm(0))
	JEQ(LabelRef(last))
	nextBlock()
	Label(last)
	CMPL(ctx(ctxReturned), Imm(0))
	JEQ(LabelRef(slow))
	CMPL(ctx(ctxArrived), Imm(0))
	JNE(LabelRef(slow))
	endTurn()
	INCQ(ctx(ctxExecuted))
	leave(exitTurns)
	Label(slow)
	leave(exitSlow)
}

// currentTurn sets RDX to the address of the current turn. It jumps to slow if lanes wait at a join, or if there are no
// turns.
func currentTurn(slow string) {
	CMPL(ctx(ctxRing), Imm(0))
	JEQ(LabelRef(slow))
	CMPL(ctx(ctxDepth), Imm(0))
	JNE(LabelRef(slow))
	MOVL(ctx(ctxTurn), EDX)
	ADDQ(ctx(ctxTurns), RDX)
}

// countTurn sets RAX to the number of instructions executed up to and including the current one.
func countTurn() {
	MOVL(in(inPC), EAX)
	INCQ(RAX)
	ADDQ(ctx(ctxExecuted), RAX)
}

// endTurn stores the outcome of the turn at RDX.
func endTurn() {
	MOVL(in(inPC), EBX)
	MOVL(EBX, Mem{Base: RDX, Disp: turnPC})
	MOVL(ctx(ctxNoted), EBX)
	MOVL(EBX, Mem{Base: RDX, Disp: turnNoted})
	INCL(Mem{Base: RDX, Disp: turnTaken})
	INCQ(ctx(ctxProgress))
}

// nextTurn emits code that ends the turn at RDX, up to which RAX instructions have been executed, and begins the one
// after it. The next turn of the warp that ends its turn begins at the next instruction.
func nextTurn() {
	on := label("turn")
	endTurn()
	LEAQ(Mem{Base: R9, Disp: inSz}, RBX)
	SUBQ(ctx(ctxCode), RBX)
	MOVL(EBX, Mem{Base: RDX, Disp: turnAt})
	MOVL(in(inPC), EBX)
	INCL(EBX)
	MOVL(EBX, Mem{Base: RDX, Disp: turnFrom})
	DECL(ctx(ctxLeft))
	ADDQ(Imm(turnSz), RDX)
	MOVL(ctx(ctxTurn), EBX)
	ADDL(Imm(turnSz), EBX)
	CMPL(EBX, ctx(ctxRing))
	JNE(LabelRef(on))
	XORL(EBX, EBX)
	MOVQ(ctx(ctxTurns), RDX)
	Label(on)
	MOVL(EBX, ctx(ctxTurn))
	beginTurn()
}

// beginTurn begins the turn at RDX.
func beginTurn() {
	MOVQ(Mem{Base: RDX, Disp: turnRegs}, R8)
	MOVQ(R8, ctx(ctxRegs))
	MOVQ(Mem{Base: RDX, Disp: turnVisible}, RBX)
	MOVQ(RBX, ctx(ctxVisible))
	MOVL(Mem{Base: RDX, Disp: turnKnown}, EBX)
	MOVL(EBX, ctx(spinKnown))
	MOVL(Mem{Base: RDX, Disp: turnAt}, EBX)
	MOVQ(ctx(ctxCode), R9)
	ADDQ(RBX, R9)
	MOVL(Mem{Base: RDX, Disp: turnFrom}, EBX)
	SUBQ(RBX, RAX)
	MOVQ(RAX, ctx(ctxExecuted))
	dispatchSame()
}

// nextBlock emits code that ends the turn at RDX, the last one of its block, and begins the first turn of the next
// block, which has the same warps.
func nextBlock() {
	reset := label("reset")
	endTurn()
	MOVQ(ctx(ctxTurns), RDX)
	MOVL(ctx(ctxRing), R13L)
	ADDQ(RDX, R13)
	MOVL(ctx(ctxStart), EBX)
	MOVQ(RDX, R12)
	Label(reset)
	MOVL(EBX, Mem{Base: R12, Disp: turnAt})
	MOVL(U32(0), Mem{Base: R12, Disp: turnFrom})
	ADDQ(Imm(turnSz), R12)
	CMPQ(R12, R13)
	JNE(LabelRef(reset))
	blockValues()
	clearShared()
	DECL(ctx(ctxBlocks))
	DECL(ctx(ctxLeft))
	MOVL(ctx(ctxLeft), EBX)
	MOVL(EBX, ctx(ctxFirst))
	XORL(EBX, EBX)
	MOVL(EBX, ctx(ctxTurn))
	MOVL(EBX, ctx(ctxReturned))
	MOVL(EBX, ctx(ctxPassed))
	beginTurn()
}

// blockValues stores the next values of the special registers to the register files of the turns from RDX to before
// R13.
func blockValues() {
	special, warp, done := label("special"), label("warp"), label("done")
	MOVL(ctx(ctxValuesAt), R15L)
	ADDQ(ctx(ctxValues), R15)
	ADDL(Imm(4*maxSpecials), ctx(ctxValuesAt))
	XORL(R14L, R14L)
	Label(special)
	CMPL(R14L, ctx(ctxSpecialBytes))
	JEQ(LabelRef(done))
	MOVL(Mem{Base: RDI, Index: R14, Scale: 1, Disp: ctxSpecials}, EBX)
	VPBROADCASTD(Mem{Base: R15, Index: R14, Scale: 1}, Y0)
	MOVQ(RDX, R12)
	Label(warp)
	MOVQ(Mem{Base: R12, Disp: turnRegs}, R8)
	for c := range 4 {
		VMOVDQU(Y0, at(RBX, 32*c))
	}
	ADDQ(Imm(turnSz), R12)
	CMPQ(R12, R13)
	JNE(LabelRef(warp))
	ADDL(Imm(4), R14L)
	JMP(LabelRef(special))
	Label(done)
}

// clearShared clears the shared memory of the block: none, or 32 bytes or more.
func clearShared() {
	loop, last, none := label("clear"), label("last"), label("none")
	MOVL(ctx(ctxSharedBytes), ECX)
	TESTL(ECX, ECX)
	JEQ(LabelRef(none))
	MOVQ(ctx(ctxShared), R12)
	LEAQ(Mem{Base: R12, Index: RCX, Scale: 1, Disp: -32}, R13)
	VPXOR(Y0, Y0, Y0)
	Label(loop)
	CMPQ(R12, R13)
	JCC(LabelRef(last))
	VMOVDQU(Y0, Mem{Base: R12})
	ADDQ(Imm(32), R12)
	JMP(LabelRef(loop))
	Label(last)
	VMOVDQU(Y0, Mem{Base: R13})
	Label(none)
}

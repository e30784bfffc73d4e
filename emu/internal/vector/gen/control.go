// Handlers of branches, loops and guards.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// control returns the operations of control flow. In C, guards and conditional branches have the value to exclusive-or
// with the predicate A: all ones to negate it.
func control() []operation {
	return []operation{
		always(operation{"Slow", func() { leave(exitSlow) }, true}),
		{"Stop", stop, true},
		{"Guard", func() { guard(false) }, true},
		{"GuardVisible", func() { guard(true) }, true},
		always(operation{"Unguard", unguard, true}),
		{"Jump", func() { taken() }, true},
		{"JumpBack", func() { takenBack() }, true},
		{"Branch", func() { branch(taken) }, true},
		{"BranchBack", func() { branch(takenBack) }, true},
		always(operation{"Barrier", barrier, true}),
		always(operation{"Return", returns, true}),
	}
}

// enter is the function that Go calls.
func enter() {
	TEXT("enter", nosplit, "func(c *byte)")
	Load(Param("c"), RDI)
	MOVQ(ctx(ctxRegs), R8)
	MOVQ(ctx(ctxSites), RSI)
	MOVL(ctx(ctxActive), R11L)
	MOVL(ctx(ctxAt), EAX)
	MOVQ(ctx(ctxCode), R9)
	ADDQ(RAX, R9)
	CMPL(R11L, I8(-1))
	JNE(LabelRef("some"))
	dispatch(inFull)
	Label("some")
	dispatchSome()
}

// condition sets EAX to the lanes where the predicate holds, and the flags.
func condition() {
	MOVL(in(inA), EAX)
	MOVL(at(RAX, 0), EAX)
	XORL(in(inC), EAX)
	ANDL(R11L, EAX)
}

// guard continues with the next instruction if the guard is true for all lanes, at Target if for none, and at Other
// with fewer lanes if for some. A visible instruction decrements the counter itself; the guard decrements it if the
// instruction is skipped.
func guard(visible bool) {
	none, some := label("none"), label("some")
	if visible {
		can := label("can")
		CMPQ(ctx(ctxVisible), Imm(0))
		JGT(LabelRef(can))
		leave(exitCount)
		Label(can)
	}
	condition()
	JEQ(LabelRef(none))
	CMPL(EAX, R11L)
	JNE(LabelRef(some))
	next()
	Label(none)
	if visible {
		SUBQ(Imm(1), ctx(ctxVisible))
	}
	jump(inTarget)
	dispatch(current.field)
	Label(some)
	MOVL(EAX, R11L)
	jump(inOther)
	dispatchSome()
}

// unguard makes all lanes continue at Target.
func unguard() {
	some := label("some")
	jump(inTarget)
	MOVL(ctx(ctxMask), R11L)
	CMPL(R11L, I8(-1))
	JNE(LabelRef(some))
	dispatch(inFull)
	Label(some)
	dispatchSome()
}

// branch jumps if the predicate holds for all lanes, and falls through if it holds for none. Otherwise the lanes
// diverge.
func branch(taken func()) {
	condition()
	branchOf(taken, inB, 0)
}

// branchOf is branch after condition; waits and ahead are as for part.
func branchOf(taken func(), waits, ahead int) {
	none, some := label("none"), label("some")
	JEQ(LabelRef(none))
	CMPL(EAX, R11L)
	JNE(LabelRef(some))
	taken()
	Label(none)
	next()
	Label(some)
	part(waits, ahead)
}

// taken executes the jump.
func taken() {
	MOVQ(in(inImm), RCX)
	ADDQ(RCX, ctx(ctxExecuted))
	jump(inTarget)
	dispatch(current.field)
}

// firstVisit is the first visit of a loop since progress at which spin detection checks, as in
// emu/internal/sched/spin.go.
const firstVisit = 2

// Values of vector.Inst.D of back edges, and the largest step.
const (
	uncounted = iota
	counted

	maxStep = 1 << 24
)

// takenBack executes a back edge: unless the limit is reached, it counts as a visit of the target and as a scheduling
// point.
func takenBack() {
	look, moved, pay, spent, visit := label("look"), label("moved"), label("pay"), label("spent"), label("visit")
	MOVL(in(inD), EDX)
	MOVQ(in(inImm), RCX)
	ADDQ(ctx(ctxExecuted), RCX)
	MOVQ(RCX, ctx(ctxExecuted))
	jump(inTarget)
	MOVL(in(inPC), EAX)
	ADDQ(RAX, RCX)
	unlessCounted(visit)
	CMPQ(RCX, ctx(ctxLimit))
	JLT(LabelRef(pay))
	leave(exitLimit)
	Label(visit)
	CMPQ(RCX, ctx(ctxLimit))
	JGE(LabelRef(look))
	MOVQ(ctx(ctxProgress), RBX)
	CMPQ(RBX, ctx(spinProgress))
	JNE(LabelRef(moved))
	MOVQ(ctx(spinVisits), RBX)
	INCQ(RBX)
	CMPQ(RBX, ctx(spinNext))
	JCC(LabelRef(look))
	CMPL(EAX, ctx(spinPC))
	other := label("other")
	JNE(LabelRef(other))
	CMPL(R11L, ctx(spinMask))
	JNE(LabelRef(other))
	MOVL(ctx(spinWitness), EDX)
	MOVL(at(RDX, 0), EDX)
	XORL(ctx(spinValue), EDX)
	TESTL(EDX, ctx(spinBits))
	JEQ(LabelRef(look))
	Label(other)
	MOVQ(RBX, ctx(spinVisits))
	Label(pay)
	SUBQ(Imm(1), ctx(ctxVisible))
	JLE(LabelRef(spent))
	dispatch(current.field)
	Label(moved)
	CMPL(EAX, ctx(spinKnown))
	JEQ(LabelRef(look))
	MOVQ(RBX, ctx(spinProgress))
	XORL(EBX, EBX)
	MOVQ(RBX, ctx(spinVisits))
	MOVL(U32(firstVisit), EBX)
	MOVQ(RBX, ctx(spinNext))
	MOVL(U32(^uint32(0)), ctx(spinPC))
	JMP(LabelRef(pay))
	Label(look)
	leave(exitBack)
	Label(spent)
	leave(exitCount)
}

// unlessCounted jumps to visit if spin detection has to check a back edge; EDX holds vector.Inst.D of the branch. It
// falls through if the loop has a counter.
func unlessCounted(visit string) {
	known := label("known")
	CMPL(EDX, Imm(counted))
	JEQ(LabelRef(known))
	JCS(LabelRef(visit))
	if masked {
		TESTL(U32(1), R11L)
		JEQ(LabelRef(visit))
	}
	MOVL(at(RDX, 0), EBX)
	DECL(EBX)
	CMPL(EBX, U32(maxStep))
	JCC(LabelRef(visit))
	Label(known)
}

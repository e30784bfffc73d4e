// Handlers of 64-bit division.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// divisions64 returns the division of 64-bit integers, lane by lane.
func divisions64() []operation {
	return severals([]operation{
		{"DivU64", func() { divide64(false, false) }, false},
		{"RemU64", func() { divide64(false, true) }, false},
		{"DivS64", func() { divide64(true, false) }, false},
		{"RemS64", func() { divide64(true, true) }, false},
	})
}

// divide64 computes the quotient or the remainder. Division by zero gives all ones as quotient, and the dividend as
// remainder. RAX is the dividend and the quotient, RCX the divisor, RDX the remainder, R10 a lane of the remaining ones
// in RBX.
func divide64(signed, remainder bool) {
	for _, o := range []struct {
		field int
		r     GPPhysical
	}{{inA, R12}, {inB, R13}, {inD, R14}} {
		MOVL(in(o.field), o.r.As32())
		ADDQ(R8, o.r)
	}
	MOVL(R11L, EBX)
	lane := func(r Register) Mem { return Mem{Base: r, Index: R10, Scale: 8} }
	loop, wide, special, zero, divided := label("lane"), label("wide"), label("special"), label("zero"),
		label("divided")
	none := label("none")
	if masked {
		TESTL(EBX, EBX)
		JEQ(LabelRef(none))
	}
	Label(loop)
	TZCNTL(EBX, R10L)
	MOVQ(lane(R12), RAX)
	MOVQ(lane(R13), RCX)
	LEAQ(Mem{Base: RCX, Disp: 1}, RDX)
	CMPQ(RDX, Imm(1))
	JLS(LabelRef(special)) // 0 or -1
	MOVQ(RAX, RDX)
	ORQ(RCX, RDX)
	SHRQ(U8(32), RDX)
	JNE(LabelRef(wide))
	DIVL(ECX)
	JMP(LabelRef(divided))

	Label(wide)
	if signed {
		CQO()
		IDIVQ(RCX)
	} else {
		XORL(EDX, EDX)
		DIVQ(RCX)
	}
	JMP(LabelRef(divided))

	Label(special)
	TESTQ(RCX, RCX)
	JEQ(LabelRef(zero))
	if signed {
		NEGQ(RAX) // the processor cannot divide the least number
		XORL(EDX, EDX)
		JMP(LabelRef(divided))
	} else {
		JMP(LabelRef(wide))
	}

	Label(zero)
	MOVQ(RAX, RDX)
	MOVQ(U64(^uint64(0)), RAX)

	Label(divided)
	result := RAX
	if remainder {
		result = RDX
	}
	MOVQ(result, lane(R14))
	BLSRL(EBX, EBX)
	JNE(LabelRef(loop))
	if masked {
		Label(none)
	}
}

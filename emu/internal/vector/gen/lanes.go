package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lanes is operations among the lanes of a warp. B is the register that says which lanes
// take part: unless they are just those that execute the operation, it is left to Go.
func lanes() []operation {
	vote := func(body func()) func() {
		return func() {
			together()
			MOVL(in(inA), EAX)
			MOVL(at(RAX, 0), EAX)
			ANDL(R11L, EAX)
			body()
		}
	}
	return []operation{
		{"ActiveMask", func() { pay(); everywhere(R11L) }, false},
		{"Ballot", vote(func() { everywhere(EAX) }), false},
		{"VoteAll", vote(func() { verdict(func(yes string) { CMPL(EAX, R11L); JEQ(LabelRef(yes)) }) }), false},
		{"VoteAny", vote(func() { verdict(func(yes string) { TESTL(EAX, EAX); JNE(LabelRef(yes)) }) }), false},
		{"MatchAny64", matchAny, false},
	}
}

// together leaves unless B is the executing lanes in each of them; then it pays.
func together() {
	on := label("together")
	MOVL(in(inB), ECX)
	VMOVD(R11L, X0)
	VPBROADCASTD(X0, Y0)
	for c := range 4 {
		VPXOR(at(RCX, 32*c), Y0, Y1)
		if masked {
			VPAND(ctx(ctxLanes+32*c), Y1, Y1)
		}
		if c == 0 {
			VMOVDQA(Y1, Y2)
			continue
		}
		VPOR(Y1, Y2, Y2)
	}
	VPTEST(Y2, Y2)
	JEQ(LabelRef(on))
	leave(exitSlow)
	Label(on)
	pay()
}

// everywhere stores r in all lanes of the destination.
func everywhere(r GPPhysical) {
	VMOVD(r, X0)
	VPBROADCASTD(X0, Y0)
	MOVL(in(inD), EDX)
	for c := range 4 {
		put32(c, Y0)
	}
}

// verdict stores in the predicate D whether jump jumps, having EAX, the lanes where
// operand A is true.
func verdict(jump func(yes string)) {
	yes, done := label("yes"), label("voted")
	MOVL(in(inD), EDX)
	MOVL(R11L, ECX)
	jump(yes)
	NOTL(ECX)
	ANDL(ECX, at(RDX, 0))
	JMP(LabelRef(done))
	Label(yes)
	ORL(ECX, at(RDX, 0))
	Label(done)
}

// matchAny stores in each lane which lanes have its value of A. Values that ascend, as
// addresses do, differ.
func matchAny() {
	done := label("matched")
	together()
	MOVL(in(inA), EAX)
	MOVL(in(inD), EDX)
	if !masked {
		no := label("unordered")
		ascending(no)
		for c := range 4 {
			VMOVDQU(bitOfLane().Offset(32*c), Y0)
			put32(c, Y0)
		}
		JMP(LabelRef(done))
		Label(no)
	}
	loop, several, next := label("loop"), label("several"), label("next")
	LEAQ(at(RAX, 0), R12)
	LEAQ(at(RDX, 0), R13)
	MOVL(R11L, EBX) // whose value has not been looked for
	Label(loop)
	TZCNTL(EBX, R10L)
	lanesEqual()
	ANDL(R11L, ECX)
	XORL(ECX, EBX)
	BLSRL(ECX, EAX)
	JNE(LabelRef(several))
	MOVL(ECX, Mem{Base: R13, Index: R10, Scale: 4})
	JMP(LabelRef(next))
	Label(several)
	VMOVD(ECX, X0)
	VPBROADCASTD(X0, Y0)
	for c := range 4 {
		lanesOfY0(c)
		VPMASKMOVD(Y0, Y2, Mem{Base: R13, Disp: 32 * c})
	}
	Label(next)
	TESTL(EBX, EBX)
	JNE(LabelRef(loop))
	Label(done)
}

// ascending jumps to no unless each lane's value of register RAX is greater, as a signed
// number, than that of the lane before.
func ascending(no string) {
	all := Y3
	for c := range 8 {
		VMOVDQU(at(RAX, 32*c), Y1)
		if c == 0 {
			VPCMPGTQ(at(RAX, -8), Y1, all)
			VPOR(firstOf4(), all, all)
			continue
		}
		VPCMPGTQ(at(RAX, 32*c-8), Y1, Y2)
		VPAND(Y2, all, all)
	}
	VMOVMSKPD(all, ECX)
	CMPL(ECX, Imm(15))
	JNE(LabelRef(no))
}

// lanesEqual sets ECX to the lanes whose 64-bit value at R12 is that of lane R10.
func lanesEqual() {
	VPBROADCASTQ(Mem{Base: R12, Index: R10, Scale: 8}, Y0)
	for c := 7; c >= 0; c-- {
		VPCMPEQQ(Mem{Base: R12, Disp: 32 * c}, Y0, Y1)
		if c == 7 {
			VMOVMSKPD(Y1, ECX)
			continue
		}
		SHLL(U8(4), ECX)
		VMOVMSKPD(Y1, EAX)
		ORL(EAX, ECX)
	}
}

// firstOf4 has all bits of the first of four 64-bit values.
func firstOf4() Mem {
	return constant("firstOf4", 4, func(i int) {
		if i == 0 {
			DATA(0, U64(1<<64-1))
			return
		}
		DATA(8*i, U64(0))
	})
}

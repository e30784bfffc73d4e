// Handlers of operations among lanes: shuffles, votes, matches.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lanes returns operations among the lanes of a warp. B is the register with the membermask: if it differs from the
// executing lanes, Go executes the operation.
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
	return append(scalars([]operation{
		{"ActiveMask", func() { decrement(); everywhere(R11L) }, false},
		{"Ballot", vote(func() { everywhere(EAX) }), false},
		{"VoteAll", vote(func() { verdict(func(yes string) { CMPL(EAX, R11L); JEQ(LabelRef(yes)) }) }), false},
		{"VoteAny", vote(func() { verdict(func(yes string) { TESTL(EAX, EAX); JNE(LabelRef(yes)) }) }), false},
		{"MatchAny64", matchAny, false},
		{"WarpSync", together, false},
		{"Fence", decrement, false},
	}), severals([]operation{{"ShuffleIdx32", shuffle, false}})...)
}

// together returns to Go unless B equals the executing lanes in each of them; then it decrements the counter.
func together() {
	on := label("together")
	MOVL(in(inB), ECX)
	if one {
		findLane()
		CMPL(R11L, lane32(RCX))
		JEQ(LabelRef(on))
		leave(exitSlow)
		Label(on)
		decrement()
		return
	}
	VMOVD(R11L, X0)
	VPBROADCASTD(X0, Y0)
	parts(4, func(c int) {
		VPXOR(at(RCX, 32*c), Y0, Y1)
		if masked {
			VPAND(ctx(ctxLanes+32*c), Y1, Y1)
		}
		if c == 0 {
			VMOVDQA(Y1, Y2)
			return
		}
		VPOR(Y1, Y2, Y2)
	})
	VPTEST(Y2, Y2)
	JEQ(LabelRef(on))
	leave(exitSlow)
	Label(on)
	decrement()
}

// everywhere stores r in all lanes of the destination.
func everywhere(r GPPhysical) {
	if one {
		findLane()
		MOVL(in(inD), EDX)
		MOVL(r, lane32(RDX))
		return
	}
	VMOVD(r, X0)
	VPBROADCASTD(X0, Y0)
	MOVL(in(inD), EDX)
	parts(4, func(c int) { put32(c, Y0) })
}

// verdict stores in the predicate D whether jump jumps; EAX is the lanes where operand A is true.
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

// matchAny stores in each lane the lanes with its value of A. Ascending values, such as addresses, are all different.
// If other values have the same high half, as addresses in one allocation, their low halves are compared, all lanes at
// once.
func matchAny() {
	done, apart := label("matched"), label("apart")
	together()
	if one {
		everywhere(R11L)
		return
	}
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
	LEAQ(at(RAX, 0), R12)
	LEAQ(at(RDX, 0), R13)
	if masked {
		several := label("several")
		BLSRL(R11L, ECX)
		JNE(LabelRef(several))
		TZCNTL(R11L, R10L)
		MOVL(R11L, Mem{Base: R13, Index: R10, Scale: 4})
		JMP(LabelRef(done))
		Label(several)
	}
	MOVL(R11L, EBX) // lanes whose value has not been compared yet
	lowHalves(apart)
	matchLow()
	JMP(LabelRef(done))
	Label(apart)
	matchWide()
	Label(done)
}

// shuffle stores in each lane the value of A in the lane that C specifies, or 0 if that lane does not take part.
func shuffle() {
	together()
	MOVL(in(inA), EAX)
	MOVL(in(inC), ECX)
	MOVL(in(inD), EDX)
	table := [4]VecPhysical{Y4, Y5, Y6, Y7}
	for c := range 4 {
		VMOVDQU(at(RAX, 32*c), table[c])
	}
	if masked {
		VMOVD(R11L, X10)
		VPBROADCASTD(X10, Y10)
	}
	for c := range 4 {
		VMOVDQU(at(RCX, 32*c), Y0)
		VPSLLD(Imm(28), Y0, Y8) // of bit 3, where a blend looks
		VPSLLD(Imm(27), Y0, Y9)
		VPERMD(Y4, Y0, Y1)
		VPERMD(Y5, Y0, Y2)
		VBLENDVPS(Y8, Y2, Y1, Y1)
		VPERMD(Y6, Y0, Y2)
		VPERMD(Y7, Y0, Y3)
		VBLENDVPS(Y8, Y3, Y2, Y2)
		VBLENDVPS(Y9, Y2, Y1, Y1)
		if masked {
			VPAND(all32(31), Y0, Y0)
			VPSRLVD(Y0, Y10, Y0)
			VPSLLD(Imm(31), Y0, Y0)
			VPSRAD(Imm(31), Y0, Y0)
			VPAND(Y0, Y1, Y1)
		}
		put32(c, Y1)
	}
}

// keys are the low halves of the 32 values at R12, cells the results of matchLow, and equal the lanes with one value.
var (
	keys  = [4]VecPhysical{Y4, Y5, Y6, Y7}
	cells = [4]VecPhysical{Y8, Y9, Y10, Y11}
	equal = [4]VecPhysical{Y1, Y2, Y3, Y12}
)

// lowHalves loads keys, or jumps to apart if lanes have different high halves.
func lowHalves(apart string) {
	TZCNTL(R11L, R10L)
	VPBROADCASTD(Mem{Base: R12, Index: R10, Scale: 8, Disp: 4}, Y0)
	VPCMPEQD(Y13, Y13, Y13)
	VPXOR(Y3, Y3, Y3)
	for c := range 4 {
		VMOVDQU(Mem{Base: R12, Disp: 64 * c}, Y1)
		next := Mem{Base: R12, Disp: 64*c + 32}
		VSHUFPS(U8(0x88), next, Y1, keys[c])
		VPERMQ(U8(0xd8), keys[c], keys[c])
		VSHUFPS(U8(0xdd), next, Y1, Y2)
		VPERMQ(U8(0xd8), Y2, Y2)
		VPCMPEQD(Y2, Y0, Y2)
		if masked {
			VPANDN(ctx(ctxLanes+32*c), Y2, Y2)
		} else {
			VPANDN(Y13, Y2, Y2)
		}
		VPOR(Y2, Y3, Y3)
	}
	VPTEST(Y3, Y3)
	JNE(LabelRef(apart))
}

// fewValues is the number of values that matchLow compares one after the other, each among the remaining lanes. If
// there are more, it compares the value of each lane, which is more work but without dependencies.
const fewValues = 4

// matchLow is matchAny for values that differ in keys only.
func matchLow() {
	done, few, many, each := label("done"), label("few"), label("many"), label("each")
	VMOVDQU(inOrder(), Y14)
	MOVL(U32(fewValues), EAX)
	Label(few)
	TZCNTL(EBX, R10L)
	keysEqual()
	VMOVD(ECX, X15)
	VPBROADCASTD(X15, Y15)
	for c := range 4 {
		VPBLENDVB(equal[c], Y15, cells[c], cells[c])
	}
	DECL(EAX)
	JEQ(LabelRef(many))
	XORL(ECX, EBX)
	JNE(LabelRef(few))
	for c := range 4 {
		put32(c, cells[c])
	}
	JMP(LabelRef(done))
	Label(many)
	MOVL(R11L, EBX)
	Label(each)
	TZCNTL(EBX, R10L)
	BLSRL(EBX, EBX)
	keysEqual()
	MOVL(ECX, Mem{Base: R13, Index: R10, Scale: 4})
	TESTL(EBX, EBX)
	JNE(LabelRef(each))
	Label(done)
}

// keysEqual sets ECX to the lanes whose key is that of lane R10, and sets equal. It uses Y0, Y13 and Y15, and Y14 is
// inOrder.
func keysEqual() {
	VPBROADCASTD(Mem{Base: R12, Index: R10, Scale: 8}, Y0)
	for c := range 4 {
		VPCMPEQD(keys[c], Y0, equal[c])
	}
	VPACKSSDW(equal[1], equal[0], Y13)
	VPACKSSDW(equal[3], equal[2], Y15)
	VPACKSSWB(Y15, Y13, Y13)
	VPERMD(Y13, Y14, Y13)
	VPMOVMSKB(Y13, ECX)
	ANDL(R11L, ECX)
}

// inOrder is the permutation of the quarters of two pairs of packed vectors after which the values of the vectors are
// in order.
func inOrder() Mem {
	order := [8]uint32{0, 4, 1, 5, 2, 6, 3, 7}
	return constant("inOrder", 8, func(i int) { DATA(4*i, U32(order[i])) })
}

// matchWide is matchAny for any values.
func matchWide() {
	loop, several, next := label("loop"), label("several"), label("next")
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
}

// ascending jumps to no unless each lane's value of register RAX is greater, as a signed number, than that of the
// previous lane.
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

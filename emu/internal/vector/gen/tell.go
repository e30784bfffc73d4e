package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// tells is what stands before memory operations that somebody wants to know of.
func tells() []operation {
	return []operation{
		{"Tell", func() { tell(false) }, true},
		{"TellWindow", func() { tell(true) }, true},
	}
}

// tell leaves with the addresses of an access: A plus Imm, and how those of
// neighbouring lanes relate, where B is the size of the access. In a window, an address
// is cut to 32 bits and C stands above them. Nothing is told that cannot be paid.
func tell(window bool) {
	can := label("can")
	MOVL(in(inCount), EAX)
	CMPQ(Mem{Base: RDI, Index: RAX, Scale: 1}, Imm(0))
	JGT(LabelRef(can))
	leave(exitCount)
	Label(can)
	MOVL(in(inA), EAX)
	VPBROADCASTQ(in(inImm), Y0)
	MOVL(in(inB), ECX)
	VMOVQ(RCX, X1)
	VPBROADCASTQ(X1, Y1)
	VPXOR(Y2, Y2, Y2)
	if window {
		MOVL(in(inC), ECX)
		SHLQ(Imm(32), RCX)
		VMOVQ(RCX, X3)
		VPBROADCASTQ(X3, Y3)
	}
	before, here := Y4, Y5
	VPXOR(before, before, before)
	XORL(EBX, EBX)
	XORL(EDX, EDX)
	for c := 7; c >= 0; c-- {
		// From the last lanes to the first, so that bits are shifted to their place.
		tellPart(c, window, before, here)
		SHLL(U8(4), EBX)
		SHLL(U8(4), EDX)
		VMOVMSKPD(Y6, ECX)
		ORL(ECX, EBX)
		VMOVMSKPD(Y7, ECX)
		ORL(ECX, EDX)
	}
	LEAL(Mem{Base: R11, Index: R11, Scale: 1}, ECX) // lanes after one that takes part
	ANDL(R11L, ECX)
	ANDL(ECX, EBX)
	ANDL(ECX, EDX)
	MOVL(EBX, ctx(ctxNext))
	MOVL(EDX, ctx(ctxSame))
	MOVL(R11L, ctx(ctxRest))
	leave(exitTell)
}

// tellPart notes addresses 4c to 4c+3; Y6 is where they are Y1 more than those of the
// lanes before, Y7 where they are the same. Those of lane -1 are never looked at.
func tellPart(c int, window bool, before, here VecPhysical) {
	address(c, window, here)
	VMOVDQU(here, ctx(ctxAddrs+32*c))
	if c > 0 {
		address(c-1, window, before)
	}
	VPERM2I128(Imm(0x21), here, before, Y6) // the high half of before, the low one of here
	VPALIGNR(Imm(8), Y6, here, Y6)
	VPSUBQ(Y6, here, Y6)
	VPCMPEQQ(Y6, Y2, Y7)
	VPCMPEQQ(Y6, Y1, Y6)
}

// address makes v the addresses of lanes 4c to 4c+3.
func address(c int, window bool, v VecPhysical) {
	VPADDQ(at(RAX, 32*c), Y0, v)
	if window {
		VPAND(all64(1<<32-1), v, v)
		VPADDQ(Y3, v, v)
	}
}

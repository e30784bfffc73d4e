// Handlers of integer arithmetic.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// m32 and m64 return the part of a source that corresponds to part c of a 32-bit or 64-bit destination, if the source
// has the same width.
func m32(r Register, c int) Mem { return at(r, 32*c) }
func m64(r Register, c int) Mem { return at(r, 32*c) }

// half returns the part of a 32-bit source that corresponds to part c of a 64-bit destination.
func half(r Register, c int) Mem { return at(r, 16*c) }

// bin32 returns an operation on Y0, which holds the first source, and the second source.
func bin32(f func(b Op)) func() {
	return each32(2, func(c int) {
		load32(rA, c, y0)
		f(src32(rB, c))
	})
}

// un32 returns an operation on Y0.
func un32(f func()) func() {
	return each32(1, func(c int) {
		load32(rA, c, y0)
		f()
	})
}

func nothing() {}

// low16 keeps the low halves of Y0.
func low16() { VPAND(all32(0xffff), y0, y0) }

// short returns a 32-bit operation whose result is cut to 16 bits.
func short(f func(b Op)) func() {
	return bin32(func(b Op) { f(b); low16() })
}

// integers returns the operations on 32 bits and fewer. 16-bit values have their upper bits zero, before and after.
func integers() []operation {
	add := func(b Op) { VPADDD(b, y0, y0) }
	sub := func(b Op) { VPSUBD(b, y0, y0) }
	mul := func(b Op) { VPMULLD(b, y0, y0) }
	return append(scalars([]operation{
		{"Mov32", un32(nothing), false},
		{"Add32", bin32(add), false},
		{"Sub32", bin32(sub), false},
		{"Mul32", bin32(mul), false},
		{"Add16", short(add), false},
		{"Sub16", short(sub), false},
		{"Mul16", short(mul), false},
		{"MulWideS16", each32(2, func(c int) {
			signed16(rA, c, y0)
			signed16(rB, c, y1)
			VPMULLD(y1, y0, y0)
		}), false},
		{"Mad32", each32(3, mad32), false},
		{"Mad16", each32(3, func(c int) { mad32(c); low16() }), false},
		{"MulHiU32", mulHi(func(a, b, d Op) { VPMULUDQ(a, b, d) }), false},
		{"MulHiS32", mulHi(func(a, b, d Op) { VPMULDQ(a, b, d) }), false},
		{"And32", bin32(func(b Op) { VPAND(b, y0, y0) }), false},
		{"AndAdd32", andAdd32, false},
		{"Or32", bin32(func(b Op) { VPOR(b, y0, y0) }), false},
		{"Xor32", bin32(func(b Op) { VPXOR(b, y0, y0) }), false},
		{"Not32", un32(func() { VPXOR(all32(^uint32(0)), y0, y0) }), false},
		{"Not16", un32(func() { VPXOR(all32(0xffff), y0, y0) }), false},
		{"Neg32", un32(func() { VPXOR(y1, y1, y1); VPSUBD(y0, y1, y0) }), false},
		{"Abs32", un32(func() { VPABSD(y0, y0) }), false},
		{"MinS32", bin32(func(b Op) { VPMINSD(b, y0, y0) }), false},
		{"MaxS32", bin32(func(b Op) { VPMAXSD(b, y0, y0) }), false},
		{"MinU32", bin32(func(b Op) { VPMINUD(b, y0, y0) }), false},
		{"MaxU32", bin32(func(b Op) { VPMAXUD(b, y0, y0) }), false},
		{"Shl32", bin32(func(b Op) { VPSLLVD(b, y0, y0) }), false},
		{"ShrU32", bin32(func(b Op) { VPSRLVD(b, y0, y0) }), false},
		{"ShrS32", bin32(func(b Op) { VPSRAVD(b, y0, y0) }), false},
		{"Shl16", short(func(b Op) { VPSLLVD(b, y0, y0) }), false},
		{"ShrS16", each32(2, func(c int) {
			signed16(rA, c, y0)
			VPSRAVD(src32(rB, c), y0, y0)
			low16()
		}), false},
		{"Low16", un32(low16), false},
		{"Low8", un32(func() { VPAND(all32(0xff), y0, y0) }), false},
		{"Sign16", un32(func() { VPSLLD(U8(16), y0, y0); VPSRAD(U8(16), y0, y0) }), false},
		{"Sign8", un32(func() { VPSLLD(U8(24), y0, y0); VPSRAD(U8(24), y0, y0) }), false},
		{"Pack32", bin32(func(b Op) { low16(); VMOVDQU(b, y1); VPSLLD(U8(16), y1, y1); VPOR(y1, y0, y0) }), false},
		{"Unpack32", unpack32, false},
		{"Select32", selects(4, put32, func(r Register, c int) Mem { return at(r, 32*c) }), false},
	}), []operation{
		{"MovPred", func() { offsets(1); MOVL(at(rA, 0), EAX); putPred() }, false},
		{"NotPred", func() { offsets(1); MOVL(at(rA, 0), EAX); NOTL(EAX); putPred() }, false},
		{"AndPred", preds(func(m, r Op) { ANDL(m, r) }), false},
		{"OrPred", preds(func(m, r Op) { ORL(m, r) }), false},
		{"XorPred", preds(func(m, r Op) { XORL(m, r) }), false},
	}...)
}

// andAdd32 stores the bits that A and B have in common to D, and their sum with C to E. C is not D.
func andAdd32() {
	offsets(4)
	MOVQ(RDX, R12)
	parts(4, func(c int) {
		load32(rA, c, y0)
		VPAND(src32(rB, c), y0, y0)
		MOVQ(R12, RDX)
		put32(c, y0)
		VPADDD(src32(rC, c), y0, y0)
		MOVQ(rE, RDX)
		put32(c, y0)
	})
}

// mad32 computes A*B+C in Y0.
func mad32(c int) {
	load32(rA, c, y0)
	VPMULLD(src32(rB, c), y0, y0)
	VPADDD(src32(rC, c), y0, y0)
}

// unpack32 stores the low halves of A to B, and the high halves to C.
func unpack32() {
	offsets(3)
	parts(4, func(c int) {
		load32(rA, c, y0)
		VPSRLD(U8(16), y0, y1)
		low16()
		MOVQ(RBX, RDX)
		put32(c, y0)
		MOVQ(RCX, RDX)
		put32(c, y1)
	})
}

// signed16 reads 16-bit values as signed.
func signed16(r Register, c int, v VecPhysical) {
	load32(r, c, v)
	VPSLLD(U8(16), v, v)
	VPSRAD(U8(16), v, v)
}

// mulHi computes the upper halves of products.
func mulHi(mul func(a, b, d Op)) func() {
	return each32(2, func(c int) {
		load32(rA, c, y0)
		load32(rB, c, y1)
		VPSRLQ(U8(32), y0, y2)
		VPSRLQ(U8(32), y1, y3)
		mul(y1, y0, y0)
		mul(y3, y2, y2)
		VPSRLQ(U8(32), y0, y0)
		VPBLENDD(U8(0xaa), y2, y0, y0)
	})
}

// selects computes A where predicate C holds, else B.
func selects(n int, put func(int, VecPhysical), src func(Register, int) Mem) func() {
	return func() {
		offsets(3)
		if one {
			selectOne(n)
			return
		}
		VPBROADCASTD(at(rC, 0), Y5)
		parts(n, func(c int) {
			if n == 4 {
				VMOVDQU(bitOfLane().Offset(32*c), Y2)
			} else {
				VPMOVZXDQ(bitOfLane().Offset(16*c), Y2)
			}
			VPAND(Y5, Y2, Y1)
			if n == 4 {
				VPCMPEQD(Y2, Y1, Y1)
			} else {
				VPCMPEQQ(Y2, Y1, Y1)
			}
			VMOVDQU(src(rB, c), Y0)
			VPBLENDVB(Y1, src(rA, c), Y0, Y0)
			put(c, Y0)
		})
	}
}

// selectOne is selects for one lane.
func selectOne(n int) {
	TESTL(R11L, at(rC, 0))
	CMOVLEQ(rB.As32(), rA.As32())
	if n == 4 {
		MOVL(lane32(rA), EAX)
		MOVL(EAX, lane32(rD))
		return
	}
	MOVQ(lane64(rA), RAX)
	MOVQ(RAX, lane64(rD))
}

// preds returns an operation on predicates A and B.
func preds(f func(m, r Op)) func() {
	return func() {
		offsets(2)
		MOVL(at(rA, 0), EAX)
		f(at(rB, 0), EAX)
		putPred()
	}
}

// putPred stores the lanes in EAX to the destination.
func putPred() {
	if masked {
		MOVL(at(rD, 0), EBX)
		XORL(EBX, EAX)
		ANDL(R11L, EAX)
		XORL(EBX, EAX)
	}
	MOVL(EAX, at(rD, 0))
}

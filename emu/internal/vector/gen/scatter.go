// Loads and stores at scattered addresses.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Accesses of all lanes of a half warp at addresses without a pattern. One check tests whether all are in the site.
// Then each is a load of the address and the access itself, one after the other without a branch. Gather instructions
// are slower than that, and for some of the lanes slower than one access at a time (Zen 5, with AVX2 and AVX-512).

// scattered checks whether the lanes of the half access only the site, aligned; then address a is at R10 + a. It jumps
// to no otherwise.
func scattered(a access, no string) {
	VMOVQ(R13, X0)
	VPBROADCASTQ(X0, Y0)
	LEAQ(Mem{Base: RCX, Disp: -1}, R10)
	VMOVQ(R10, X1)
	VPBROADCASTQ(X1, Y1)
	offsets, beyond := Y2, Y3 // collect bits
	for j := range 4 {
		o, b := Y4, Y5
		if j == 0 {
			o, b = offsets, beyond
		}
		VPADDQ(Mem{Base: R12, Disp: 32 * j}, Y0, o)
		VPSUBQ(o, Y1, b) // negative for offsets from the limit to 2^63
		if j > 0 {
			VPOR(o, offsets, offsets)
			VPOR(b, beyond, beyond)
		}
	}
	VPOR(offsets, beyond, beyond)
	VMOVMSKPD(beyond, EAX)
	TESTL(EAX, EAX)
	JNE(LabelRef(no))
	if a.size > 1 {
		VPTEST(all64(uint64(a.size-1)), offsets)
		JNE(LabelRef(no))
	}
	LEAQ(Mem{Base: R15, Index: R13, Scale: 1}, R10)
}

// scatteredAt returns the memory that lane i of the half accesses; it uses RAX.
func scatteredAt(i int) Mem {
	MOVQ(Mem{Base: R12, Disp: 8 * i}, RAX)
	return Mem{Base: R10, Index: RAX, Scale: 1}
}

// loadScattered loads values from anywhere in the site.
func loadScattered(a access, done string) {
	no := label("notScattered")
	scattered(a, no)
	for i := range 16 {
		extended(a, scatteredAt(i))
		storeFrom(a, RAX, Mem{Base: RDX, Disp: a.regBytes() * i})
	}
	JMP(LabelRef(done))
	Label(no)
}

// storeScattered stores values to anywhere in the site. If several lanes store to one place, the last one wins.
func storeScattered(a access, done string) {
	no := label("notScattered")
	scattered(a, no)
	for i := range 16 {
		loadTo(a, Mem{Base: RDX, Disp: a.regBytes() * i}, R8)
		exchange(a, R8, scatteredAt(i), RSI)
		ORQ(RSI, R14)
	}
	JMP(LabelRef(done))
	Label(no)
}

// exchange stores v; changed becomes the bits of memory that it changed.
func exchange(a access, v GPPhysical, m Mem, changed GPPhysical) {
	switch a.size {
	case 8:
		MOVQ(m, changed)
		XORQ(v, changed)
		MOVQ(v, m)
	case 4:
		MOVL(m, changed.As32())
		XORL(v.As32(), changed.As32())
		MOVL(v.As32(), m)
	case 2:
		MOVWLZX(m, changed.As32())
		XORL(v.As32(), changed.As32())
		MOVWLZX(changed.As16(), changed.As32())
		MOVW(v.As16(), m)
	default:
		MOVBLZX(m, changed.As32())
		XORL(v.As32(), changed.As32())
		MOVBLZX(changed.As8(), changed.As32())
		MOVB(v.As8(), m)
	}
}

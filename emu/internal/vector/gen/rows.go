// Rows: addresses of lanes with a constant distance.

package main

import (
	"math/bits"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Fast address patterns of memory operations. If only some of the lanes of a half warp execute one, the addresses of
// other lanes are ignored, and their memory is not accessed.

// rows checks whether the lanes of the half access consecutive values, all in the site and aligned; then RAX is the
// offset of the first. It jumps to no otherwise.
func rows(a access, h int, no string) {
	if masked {
		someRows(a, h, no)
		return
	}
	MOVQ(Mem{Base: R12}, RAX)
	MOVQ(Mem{Base: R12, Disp: 8}, R10)
	SUBQ(RAX, R10)
	CMPQ(R10, Imm(uint64(a.size)))
	JNE(LabelRef(no))
	VMOVQ(RAX, X0)
	VPBROADCASTQ(X0, Y0)
	for j := range 4 {
		VPADDQ(multiples(a.size).Offset(32*j), Y0, Y1)
		if j == 0 {
			VPXOR(Mem{Base: R12}, Y1, Y2)
			continue
		}
		VPXOR(Mem{Base: R12, Disp: 32 * j}, Y1, Y1)
		VPOR(Y1, Y2, Y2)
	}
	VPTEST(Y2, Y2)
	JNE(LabelRef(no))
	ADDQ(R13, RAX)
	within(a, 15*a.size, no)
}

// same checks whether all lanes of the half access one value.
func same(a access, h int, no string) {
	if masked {
		someSame(a, h, no)
		return
	}
	VPBROADCASTQ(Mem{Base: R12}, Y0)
	for j := range 4 {
		if j == 0 {
			VPXOR(Mem{Base: R12}, Y0, Y2)
			continue
		}
		VPXOR(Mem{Base: R12, Disp: 32 * j}, Y0, Y1)
		VPOR(Y1, Y2, Y2)
	}
	VPTEST(Y2, Y2)
	JNE(LabelRef(no))
	MOVQ(Mem{Base: R12}, RAX)
	ADDQ(R13, RAX)
	within(a, 0, no)
}

// within checks the offsets RAX and RAX+more.
func within(a access, more int, no string) {
	CMPQ(RAX, RCX)
	JCC(LabelRef(no))
	if more > 0 {
		LEAQ(Mem{Base: RAX, Disp: more}, R10)
		CMPQ(R10, RCX)
		JCC(LabelRef(no))
	}
	if a.size > 1 {
		TESTB(U8(a.size-1), AL)
		JNE(LabelRef(no))
	}
}

// parts returns the number of vectors in the half of a register that is as wide as memory.
func (a access) parts() int { return 16 * a.size / 32 }

// lanesTo sets v to the lanes of part j of the half warp, as wide as their values.
func (a access) lanesTo(h, j int, v VecPhysical) {
	if a.wide {
		wideLanes(h, j, v)
		return
	}
	VMOVDQU(ctx(ctxLanes+64*h+32*j), v)
}

// wideLanes is lanesTo for addresses and 64-bit values.
func wideLanes(h, j int, v VecPhysical) { VPMOVSXDQ(ctx(ctxLanes+64*h+16*j), v) }

// old loads part j of the data register to v.
func (a access) old(j int, v VecPhysical) VecPhysical {
	VMOVDQU(Mem{Base: RDX, Disp: 32 * j}, v)
	return v
}

// maskedMove loads or stores the values of some lanes.
func (a access) maskedMove(from Op, mask VecPhysical, to Op) {
	if a.wide {
		VPMASKMOVQ(from, mask, to)
	} else {
		VPMASKMOVD(from, mask, to)
	}
}

// storeSome stores the values in v of the lanes of part j that are in RBX, and in mask. It does not access the memory
// of other lanes, because another processor may be storing there. A partial store of a vector is slow, and so is
// loading it again. It uses R10.
func (a access) storeSome(j int, v, mask VecPhysical) {
	n := 32 / a.size
	lanes := uint32(1<<n-1) << (n * j)
	all, stored := label("all"), label("stored")
	MOVL(EBX, R10L)
	ANDL(U32(lanes), R10L)
	JEQ(LabelRef(stored))
	CMPL(R10L, U32(lanes))
	JEQ(LabelRef(all))
	a.maskedMove(v, mask, hostAt(32*j))
	JMP(LabelRef(stored))
	Label(all)
	VMOVDQU(v, hostAt(32*j))
	Label(stored)
}

// onlyOne jumps to lane if RBX has one lane, for which no pattern has to be recognised.
func onlyOne(a access, lane string) {
	if masked && !a.local {
		BLSRL(EBX, R10L)
		JEQ(LabelRef(lane))
	}
}

// someRows is rows for the lanes in RBX. RAX becomes the offset that lane 0 of the half would have.
func someRows(a access, h int, no string) {
	log := uint64(bits.TrailingZeros(uint(a.size)))
	TZCNTL(EBX, R10L)
	MOVQ(Mem{Base: R12, Index: R10, Scale: 8}, RAX)
	SHLQ(Imm(log), R10)
	SUBQ(R10, RAX)
	VMOVQ(RAX, X0)
	VPBROADCASTQ(X0, Y0)
	for j := range 4 {
		VPADDQ(multiples(a.size).Offset(32*j), Y0, Y1)
		differing(h, j, Y1)
	}
	VPTEST(Y2, Y2)
	JNE(LabelRef(no))
	ADDQ(R13, RAX)
	ADDQ(RAX, R10)
	CMPQ(R10, RCX)
	JCC(LabelRef(no))
	BSRL(EBX, R10L)
	SHLQ(Imm(log), R10)
	ADDQ(RAX, R10)
	CMPQ(R10, RCX)
	JCC(LabelRef(no))
	TESTB(U8(a.size-1), AL)
	JNE(LabelRef(no))
}

// someSame is same for the lanes in RBX.
func someSame(a access, h int, no string) {
	TZCNTL(EBX, R10L)
	MOVQ(Mem{Base: R12, Index: R10, Scale: 8}, RAX)
	VMOVQ(RAX, X0)
	VPBROADCASTQ(X0, Y0)
	for j := range 4 {
		differing(h, j, Y0)
	}
	VPTEST(Y2, Y2)
	JNE(LabelRef(no))
	ADDQ(R13, RAX)
	within(a, 0, no)
}

// differing adds to Y2 the bits in which part j of the lanes' addresses differs from v; it uses Y1.
func differing(h, j int, v VecPhysical) {
	VPXOR(Mem{Base: R12, Disp: 32 * j}, v, Y1)
	wideLanes(h, j, Y4)
	if j == 0 {
		VPAND(Y4, Y1, Y2)
		return
	}
	VPAND(Y4, Y1, Y1)
	VPOR(Y1, Y2, Y2)
}

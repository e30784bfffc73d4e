// Handlers for one lane.

package main

import (
	"cmp"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// If one lane works for its warp or block, such as the holder of a lock, a handler loads, computes and stores one
// value, with a third of the instructions of the handler for some of the lanes. Values stored by one handler are loaded
// by the next with the same width, because loading a vector that has just been partly stored is slow.

// scalar is the set of operations, by name, with code for one lane. The handler for one lane of other operations has
// the code for some of the lanes.
var scalar = map[string]bool{}

// scalars adds operations to scalar, and returns them.
func scalars(ops []operation) []operation {
	for _, o := range ops {
		scalar[o.name] = true
	}
	return ops
}

// one says whether the emitted code is for one lane: its values are in the lowest part of a vector, and R14 and R15 are
// the addresses of the lane in a register of 32 and of 64 bits with offset 0.
var one bool

// The vectors used by code for any number of lanes.
var y0, y1, y2, y3, y4, y5, y6, y7, y8, y9 VecPhysical

// aliases names, for handlers that are not emitted, the handler of another variant or operation that does the same.
var aliases = map[string]string{}

// emitted returns the handler that is emitted for a handler.
func emitted(handler string) string { return cmp.Or(aliases[handler], handler) }

// severals makes the handlers for one lane aliases of the masked handlers: these operations have no code for one lane.
// It returns the operations.
func severals(ops []operation) []operation {
	for _, o := range ops {
		aliases["one"+o.name] = "masked" + o.name
	}
	return ops
}

// always makes the masked handler and the handler for one lane of an operation aliases of the handler for a full warp,
// since the code of the operation does not depend on the lanes. It returns the operation.
func always(o operation) operation {
	aliases["masked"+o.name], aliases["one"+o.name] = "full"+o.name, "full"+o.name
	return o
}

// setVariant sets the variant to emit, of an operation or run.
func setVariant(v variant, op string) {
	current, currentOp, masked, one = v, op, v.masked, v.one && scalar[op]
	y0, y1, y2, y3, y4, y5, y6, y7, y8, y9 = Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9
	if one {
		y0, y1, y2, y3, y4, y5, y6, y7, y8, y9 = X0, X1, X2, X3, X4, X5, X6, X7, X8, X9
	}
}

// findLane sets R14 and R15.
func findLane() {
	TZCNTL(R11L, R14L)
	LEAQ(Mem{Base: R8, Index: R14, Scale: 8}, R15)
	LEAQ(Mem{Base: R8, Index: R14, Scale: 4}, R14)
}

// lane32 and lane64 return the memory operand with the lane's value of a PTX register of 32 or 64 bits; r holds the
// register's offset in the register file.
func lane32(r Register) Mem { return Mem{Base: R14, Index: r, Scale: 1} }
func lane64(r Register) Mem { return Mem{Base: R15, Index: r, Scale: 1} }

// load32 and load64 load part c of a source, or the lane's value.
func load32(r Register, c int, v VecPhysical) {
	if one {
		VMOVD(lane32(r), v)
		return
	}
	VMOVDQU(m32(r, c), v)
}

func load64(r Register, c int, v VecPhysical) {
	if one {
		VMOVQ(lane64(r), v)
		return
	}
	VMOVDQU(m64(r, c), v)
}

// operands are the vectors for the lane's values as operands, by the register with the offset of the source.
var operands = map[Register]VecPhysical{rA: X12, rB: X13, rC: X14, rE: X15}

// src32 and src64 return part c of a source, or the lane's value, as an operand.
func src32(r Register, c int) Op {
	if one {
		VMOVD(lane32(r), operands[r])
		return operands[r]
	}
	return m32(r, c)
}

func src64(r Register, c int) Op {
	if one {
		VMOVQ(lane64(r), operands[r])
		return operands[r]
	}
	return m64(r, c)
}

// halfOf returns the part of a 32-bit source that corresponds to part c of a 64-bit destination, or the lane's value,
// as an operand.
func halfOf(r Register, c int) Op {
	if one {
		return src32(r, c)
	}
	return half(r, c)
}

// widen and widenSigned load that part and extend it.
func widen(r Register, c int, v VecPhysical) {
	if one {
		VMOVD(lane32(r), v)
		return
	}
	VPMOVZXDQ(half(r, c), v)
}
func widenSigned(r Register, c int, v VecPhysical) { VPMOVSXDQ(halfOf(r, c), v) }

// accessOne emits a memory operation of one lane on n values: for f, R10 is the lane and RAX the host's address of the
// first value. If the address is out of the site's bounds or misaligned, Go executes the operation.
func accessOne(a access, n int, f func()) {
	slow, done := label("slow"), label("done")
	begin()
	MOVL(R11L, EBX)
	MOVL(in(inA), R12L)
	ADDQ(R8, R12)
	laneOffset(a.size*n, slow)
	addStride(a, 0)
	LEAQ(hostAt(0), RAX)
	if a.local {
		restore()
	}
	f()
	JMP(LabelRef(done))
	Label(slow)
	MOVL(R11L, ctx(ctxRest))
	leave(exitRest)
	Label(done)
}

// register returns the value of lane R10 in the register that a field names; it uses RDX.
func register(a access, field int) Mem {
	MOVL(in(field), EDX)
	ADDQ(R8, RDX)
	return a.lane(RDX)
}

// loadOne loads n values to D, B, C and E.
func loadOne(a access, n int) {
	accessOne(a, n, func() {
		if n == 1 {
			extended(a, Mem{Base: RAX})
			storeFrom(a, RAX, register(a, inD))
			return
		}
		for k := range n {
			loadPart(a, Mem{Base: RAX, Disp: k * a.size}, R14, register(a, loadedFields[k]))
		}
	})
}

// storeOne stores n values of B, C, D and E. R14 collects the bits that change.
func storeOne(a access, n int) {
	accessOne(a, n, func() {
		XORL(R14L, R14L)
		for k := range n {
			loadTo(a, register(a, storedFields[k]), R12)
			exchange(a, R12, Mem{Base: RAX, Disp: k * a.size}, RBX)
			ORQ(RBX, R14)
		}
		progress()
	})
}

// atomicOne executes an atomic operation; op computes the new value.
func atomicOne(a access, op func(h int, lane Register)) {
	accessOne(a, 1, func() {
		MOVL(in(inB), EDX)
		ADDQ(R8, RDX)
		MOVL(in(inD), R12L)
		ADDQ(R12, R8)
		atomicLane(a, 0, R10, Mem{Base: RAX}, op)
		XORQ(RSI, R14)
		progress()
		restore()
	})
}

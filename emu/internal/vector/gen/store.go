package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// store emits a store of one value. Storing what is there already is no progress.
func store(a access) {
	begin()
	XORL(R14L, R14L)
	halves(inB, a.regBytes(), func(h int, slow string) {
		done := label("stored")
		if a.size == a.regBytes() && !a.local {
			storeRow(a, h, done)
		}
		if !a.local && !masked {
			storeScattered(a, done)
		}
		loop := label("lane")
		Label(loop)
		laneOffset(a.size, slow)
		addStride(a, h)
		storeLane(a)
		BLSRL(EBX, EBX)
		JNE(LabelRef(loop))
		Label(done)
	}, progress)
	progress()
	restore()
}

// storeLane stores the data of lane R10 at offset RAX.
func storeLane(a access) {
	if a.wide {
		MOVQ(a.lane(RDX), R10)
	} else {
		MOVL(a.lane(RDX), R10L)
	}
	exchange(a, R10, hostAt(0), R8)
	ORQ(R8, R14)
}

// progress counts a store that changed something.
func progress() {
	none := label("unchanged")
	TESTQ(R14, R14)
	JEQ(LabelRef(none))
	INCQ(ctx(ctxProgress))
	Label(none)
}

// storeRow stores consecutive values.
func storeRow(a access, h int, done string) {
	no := label("noRow")
	rows(a, h, no)
	VPXOR(Y3, Y3, Y3)
	for j := range a.parts() {
		VMOVDQU(Mem{Base: RDX, Disp: 32 * j}, Y0)
		if masked {
			a.lanesTo(h, j, Y1)
			a.maskedMove(hostAt(32*j), Y1, Y2)
			VPXOR(Y2, Y0, Y2)
			VPAND(Y1, Y2, Y2)
			a.maskedMove(Y0, Y1, hostAt(32*j))
		} else {
			VPXOR(hostAt(32*j), Y0, Y2)
			VMOVDQU(Y0, hostAt(32*j))
		}
		VPOR(Y2, Y3, Y3)
	}
	VPTEST(Y3, Y3)
	JEQ(LabelRef(done))
	ORL(Imm(1), R14L)
	JMP(LabelRef(done))
	Label(no)
}

// operandLane is a value of lane R10 of the operand in a field, by way of a register.
func operandLane(a access, field, h int, r GPPhysical) Mem {
	MOVL(in(field), r.As32())
	ADDQ(R8, r)
	return Mem{Base: r, Index: R10, Scale: uint8(a.regBytes()), Disp: 16 * a.regBytes() * h}
}

// loadVector loads n values to D, B, C and E.
func loadVector(a access, n int) {
	begin()
	halves(0, 0, func(h int, slow string) {
		loop, done := label("lane"), label("loaded")
		loadVectorOnce(a, n, h, done)
		Label(loop)
		laneOffset(a.size*n, slow)
		LEAQ(hostAt(0), RAX)
		for k := range n {
			d := operandLane(a, []int{inD, inB, inC, inE}[k], h, RDX)
			m := Mem{Base: RAX, Disp: k * a.size}
			if a.wide {
				MOVQ(m, R14)
				MOVQ(R14, d)
			} else {
				MOVL(m, R14L)
				MOVL(R14L, d)
			}
		}
		BLSRL(EBX, EBX)
		JNE(LabelRef(loop))
		Label(done)
	}, nothing)
}

// loadVectorOnce loads the same n values for all lanes.
func loadVectorOnce(a access, n, h int, done string) {
	no := label("notSame")
	same(access{size: a.size * n}, h, no)
	for k := range n {
		MOVL(in([]int{inD, inB, inC, inE}[k]), EDX)
		LEAQ(at(RDX, 16*a.regBytes()*h), RDX)
		broadcastTo(a, h, hostAt(k*a.size))
	}
	JMP(LabelRef(done))
	Label(no)
}

// storeVector stores n values of B, C, D and E.
func storeVector(a access, n int) {
	begin()
	XORL(R14L, R14L)
	halves(0, 0, func(h int, slow string) {
		loop := label("lane")
		Label(loop)
		laneOffset(a.size*n, slow)
		LEAQ(hostAt(0), RAX)
		for k := range n {
			s := operandLane(a, []int{inB, inC, inD, inE}[k], h, RDX)
			m := Mem{Base: RAX, Disp: k * a.size}
			if a.wide {
				MOVQ(s, RDX)
				MOVQ(m, RSI)
				XORQ(RDX, RSI)
				MOVQ(RDX, m)
			} else {
				MOVL(s, EDX)
				MOVL(m, ESI)
				XORL(EDX, ESI)
				MOVL(EDX, m)
			}
			ORQ(RSI, R14)
		}
		BLSRL(EBX, EBX)
		JNE(LabelRef(loop))
	}, progress)
	progress()
	restore()
}

// atomics is read-modify-write operations, lane after lane. No other thread of the
// host runs the program, so that nothing needs to be locked.
func atomics() []operation {
	var ops []operation
	for _, wide := range []bool{false, true} {
		a, bits := access{size: 4}, "32"
		if wide {
			a, bits = access{size: 8, wide: true}, "64"
		}
		for _, o := range []struct {
			name string
			op   func(keep string)
		}{
			{"Add", func(string) { pick(wide, ADDL, ADDQ, R14, RSI) }},
			{"And", func(string) { pick(wide, ANDL, ANDQ, R14, RSI) }},
			{"Or", func(string) { pick(wide, ORL, ORQ, R14, RSI) }},
			{"Xor", func(string) { pick(wide, XORL, XORQ, R14, RSI) }},
			{"MinS", func(string) { compare(wide); pick(wide, CMOVLLT, CMOVQLT, R14, RSI) }},
			{"MaxS", func(string) { compare(wide); pick(wide, CMOVLGT, CMOVQGT, R14, RSI) }},
			{"MinU", func(string) { compare(wide); pick(wide, CMOVLCS, CMOVQCS, R14, RSI) }},
			{"MaxU", func(string) { compare(wide); pick(wide, CMOVLHI, CMOVQHI, R14, RSI) }},
		} {
			ops = append(ops, operation{"Atom" + o.name + bits, func() { atomic(a, noRow, func(_ int, keep string) { o.op(keep) }) }, false})
		}
		ops = append(ops, operation{"AtomExch" + bits, func() { atomic(a, exchangeRow, func(int, string) {}) }, false})
		ops = append(ops, operation{"AtomCas" + bits, func() {
			atomic(a, noRow, func(h int, keep string) {
				compare(wide)
				JNE(LabelRef(keep))
				MOVL(in(inC), ESI)
				ADDQ(ctx(ctxRegs), RSI)
				loadTo(a, Mem{Base: RSI, Index: R10, Scale: uint8(a.regBytes()), Disp: 16 * a.regBytes() * h}, RSI)
			})
		}, false})
	}
	return ops
}

// pick emits the instruction of 32 or 64 bits.
func pick(wide bool, l, q func(a, b Op), a, b GPPhysical) {
	if wide {
		q(a, b)
	} else {
		l(a.As32(), b.As32())
	}
}

// compare compares the old value with operand B.
func compare(wide bool) { pick(wide, CMPL, CMPQ, R14, RSI) }

func loadTo(a access, m Mem, r GPPhysical) {
	if a.wide {
		MOVQ(m, r)
	} else {
		MOVL(m, r.As32())
	}
}

func storeFrom(a access, r GPPhysical, m Mem) {
	if a.wide {
		MOVQ(r, m)
	} else {
		MOVL(r.As32(), m)
	}
}

// atomic emits an operation that makes the new value in RSI of the old one in R14
// and operand B in RSI, or jumps to keep. R8 is the half of the destination. Before that,
// row does what it can.
func atomic(a access, row func(a access, h int, done string), op func(h int, keep string)) {
	begin()
	MOVL(U32(0), ctx(ctxChanged))
	halves(inB, a.regBytes(), func(h int, slow string) {
		loop, keep, done := label("lane"), label("keep"), label("exchanged")
		MOVL(in(inD), R10L)
		LEAQ(at(R10, 16*a.regBytes()*h), R8)
		row(a, h, done)
		Label(loop)
		laneOffset(a.size, slow)
		ADDQ(R15, RAX)
		loadTo(a, Mem{Base: RAX}, R14)
		loadTo(a, a.lane(RDX), RSI)
		op(h, keep)
		pick(a.wide, CMPL, CMPQ, RSI, R14)
		JEQ(LabelRef(keep))
		storeFrom(a, RSI, Mem{Base: RAX})
		MOVL(U32(1), ctx(ctxChanged)) // no read-modify-write for each lane
		Label(keep)
		storeFrom(a, R14, a.lane(R8))
		BLSRL(EBX, EBX)
		JNE(LabelRef(loop))
		Label(done)
	}, atomicProgress)
	atomicProgress()
	restore()
}

func noRow(access, int, string) {}

// exchangeRow exchanges consecutive values.
func exchangeRow(a access, h int, done string) {
	no := label("noRow")
	rows(a, h, no)
	VPXOR(Y3, Y3, Y3)
	for j := range a.parts() {
		d := Mem{Base: R8, Disp: 32 * j}
		VMOVDQU(Mem{Base: RDX, Disp: 32 * j}, Y0)
		if masked {
			a.lanesTo(h, j, Y4)
			a.maskedMove(hostAt(32*j), Y4, Y1)
			a.maskedMove(Y0, Y4, hostAt(32*j))
			VPXOR(Y0, Y1, Y2)
			VPAND(Y4, Y2, Y2)
			a.maskedMove(Y1, Y4, d)
		} else {
			VMOVDQU(hostAt(32*j), Y1)
			VMOVDQU(Y0, hostAt(32*j))
			VPXOR(Y0, Y1, Y2)
			VMOVDQU(Y1, d)
		}
		VPOR(Y2, Y3, Y3)
	}
	VPTEST(Y3, Y3)
	JEQ(LabelRef(done))
	MOVL(U32(1), ctx(ctxChanged))
	JMP(LabelRef(done))
	Label(no)
}

// atomicProgress is progress for atomic operations.
func atomicProgress() {
	MOVL(ctx(ctxChanged), R14L)
	progress()
}

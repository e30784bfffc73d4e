// Handlers of atomic operations.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Read-modify-write operations use registers as other memory operations do, and these: R14 is the old value, RSI
// operand B and then the new value, R8 the half of the destination. No other thread of the host runs the program, so
// that locks are not needed.

// atomicOp is a read-modify-write operation: scalar computes the new value; row, if there is such an instruction,
// computes the new values in Y1 from old ones in Y0 and operands in Y1.
type atomicOp struct {
	name   string
	scalar func(wide bool)
	row    func(wide bool)
}

var atomicOps = []atomicOp{
	{"Add", func(w bool) { pick(w, ADDL, ADDQ, R14, RSI) }, func(w bool) { pickRow(w, VPADDD, VPADDQ) }},
	{"And", func(w bool) { pick(w, ANDL, ANDQ, R14, RSI) }, func(bool) { VPAND(Y0, Y1, Y1) }},
	{"Or", func(w bool) { pick(w, ORL, ORQ, R14, RSI) }, func(bool) { VPOR(Y0, Y1, Y1) }},
	{"Xor", func(w bool) { pick(w, XORL, XORQ, R14, RSI) }, func(bool) { VPXOR(Y0, Y1, Y1) }},
	{"Exch", func(bool) {}, func(bool) {}},
	{"MinS", func(w bool) { compare(w); pick(w, CMOVLLT, CMOVQLT, R14, RSI) }, nil},
	{"MaxS", func(w bool) { compare(w); pick(w, CMOVLGT, CMOVQGT, R14, RSI) }, nil},
	{"MinU", func(w bool) { compare(w); pick(w, CMOVLCS, CMOVQCS, R14, RSI) }, nil},
	{"MaxU", func(w bool) { compare(w); pick(w, CMOVLHI, CMOVQHI, R14, RSI) }, nil},
}

// atomics returns these operations, and compare-and-swap, of both widths.
func atomics() []operation {
	var ops []operation
	for _, wide := range []bool{false, true} {
		a, bits := access{size: 4}, "32"
		if wide {
			a, bits = access{size: 8, wide: true}, "64"
		}
		for _, o := range atomicOps {
			ops = append(ops, operation{"Atom" + o.name + bits, func() {
				atomic(a, o.row, nil, func(int, Register) { o.scalar(wide) })
			}, false})
		}
		ops = append(ops, operation{"AtomCas" + bits, func() {
			atomic(a, nil, casSame, func(h int, lane Register) { swap(a, h, lane) })
		}, false})
		add := atomicOps[0]
		for _, v := range variants[1:] { // which have no code for scattered addresses
			aliases[v.name+"AtomAddUnread"+bits] = v.name + "AtomAdd" + bits
		}
		ops = append(ops, operation{"AtomAddUnread" + bits, func() {
			atomic(a, add.row, addScattered, func(int, Register) { add.scalar(wide) })
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

// pickRow emits the 32- or 64-bit instruction on the old values and the operands.
func pickRow(wide bool, l, q func(...Op)) {
	if wide {
		q(Y0, Y1, Y1)
	} else {
		l(Y0, Y1, Y1)
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

// swap makes operand C the new value of a lane of the half if the old one is operand B.
func swap(a access, h int, lane Register) {
	differs, done := label("differs"), label("swapped")
	compare(a.wide)
	JNE(LabelRef(differs))
	MOVL(in(inC), ESI)
	ADDQ(ctx(ctxRegs), RSI)
	loadTo(a, Mem{Base: RSI, Index: lane, Scale: uint8(a.regBytes()), Disp: 16 * a.regBytes() * h}, RSI)
	JMP(LabelRef(done))
	Label(differs)
	MOVQ(R14, RSI)
	Label(done)
}

// atomic emits an operation; op computes the new value of a lane of the half. special, unless nil, is tried before
// atomicScattered.
func atomic(a access, row func(wide bool), special func(a access, h int, done string), op func(h int, lane Register)) {
	if one {
		atomicOne(a, op)
		return
	}
	begin()
	MOVL(U32(0), ctx(ctxChanged))
	halves(inB, a.regBytes(), func(h int, slow string) {
		done, loop := label("performed"), label("lane")
		MOVL(in(inD), R10L)
		LEAQ(at(R10, 16*a.regBytes()*h), R8)
		onlyOne(a, loop)
		if row != nil {
			atomicRow(a, h, row, done)
		}
		if special != nil {
			special(a, h, done)
		}
		if !masked {
			atomicScattered(a, h, op, done)
		}
		Label(loop)
		laneOffset(a.size, slow)
		ADDQ(R15, RAX)
		atomicLane(a, h, R10, Mem{Base: RAX}, op)
		pick(a.wide, CMPL, CMPQ, RSI, R14)
		keep := label("keep")
		JEQ(LabelRef(keep))
		MOVL(U32(1), ctx(ctxChanged)) // no read-modify-write of this field for each lane
		Label(keep)
		BLSRL(EBX, EBX)
		JNE(LabelRef(loop))
		Label(done)
	}, atomicProgress)
	atomicProgress()
	restore()
}

// atomicLane executes the operation of a lane of the half on m.
func atomicLane(a access, h int, lane Register, m Mem, op func(h int, lane Register)) {
	loadTo(a, m, R14)
	loadTo(a, Mem{Base: RDX, Index: lane, Scale: uint8(a.regBytes())}, RSI)
	op(h, lane)
	storeFrom(a, RSI, m)
	storeFrom(a, R14, Mem{Base: R8, Index: lane, Scale: uint8(a.regBytes())})
}

// atomicRow executes the operations of the lanes of the half at once, on consecutive values.
func atomicRow(a access, h int, row func(wide bool), done string) {
	no, same := label("noRow"), label("unchanged")
	rows(a, h, no)
	VPXOR(Y3, Y3, Y3)
	for j := range a.parts() {
		m, d := hostAt(32*j), Mem{Base: R8, Disp: 32 * j}
		if masked {
			a.lanesTo(h, j, Y4)
			a.maskedMove(m, Y4, Y0)
			VMOVDQU(Mem{Base: RDX, Disp: 32 * j}, Y1)
			row(a.wide)
			a.storeSome(j, Y1, Y4)
			VMOVDQU(d, Y2)
			VPBLENDVB(Y4, Y0, Y2, Y2)
			VMOVDQU(Y2, d)
			VPXOR(Y0, Y1, Y1)
			VPAND(Y4, Y1, Y1)
		} else {
			VMOVDQU(m, Y0)
			VMOVDQU(Mem{Base: RDX, Disp: 32 * j}, Y1)
			row(a.wide)
			VMOVDQU(Y1, m)
			VMOVDQU(Y0, d)
			VPXOR(Y0, Y1, Y1)
		}
		VPOR(Y1, Y3, Y3)
	}
	VPTEST(Y3, Y3)
	JEQ(LabelRef(same))
	MOVL(U32(1), ctx(ctxChanged))
	Label(same)
	JMP(LabelRef(done))
	Label(no)
}

// atomicScattered executes the operations of all lanes of the half one after the other, without a check for each. R11
// counts them in the meantime, and RBX collects the bits that change.
func atomicScattered(a access, h int, op func(h int, lane Register), done string) {
	no, loop, same := label("notScattered"), label("each"), label("unchanged")
	scattered(a, no)
	XORL(R11L, R11L)
	XORL(EBX, EBX)
	Label(loop)
	MOVQ(Mem{Base: R12, Index: R11, Scale: 8}, RAX)
	ADDQ(R10, RAX)
	atomicLane(a, h, R11, Mem{Base: RAX}, op)
	XORQ(R14, RSI)
	ORQ(RSI, RBX)
	INCL(R11L)
	CMPL(R11L, Imm(16))
	JNE(LabelRef(loop))
	MOVL(I32(-1), R11L)
	TESTQ(RBX, RBX)
	JEQ(LabelRef(same))
	MOVL(U32(1), ctx(ctxChanged))
	Label(same)
	JMP(LabelRef(done))
	Label(no)
}

// addScattered adds the operands of all lanes of the half to memory anywhere in the site. The old values are not
// stored: the program does not read them.
func addScattered(a access, h int, done string) {
	if masked {
		return
	}
	no, same := label("notScattered"), label("unchanged")
	scattered(a, no)
	for i := range 16 {
		loadTo(a, Mem{Base: RDX, Disp: a.regBytes() * i}, R14)
		m := scatteredAt(i)
		if a.wide {
			ADDQ(R14, m)
		} else {
			ADDL(R14L, m)
		}
	}
	VMOVDQU(Mem{Base: RDX}, Y0)
	for j := 1; j < a.parts(); j++ {
		VPOR(Mem{Base: RDX, Disp: 32 * j}, Y0, Y0)
	}
	VPTEST(Y0, Y0) // adding 0 changes nothing
	JEQ(LabelRef(same))
	MOVL(U32(1), ctx(ctxChanged))
	Label(same)
	JMP(LabelRef(done))
	Label(no)
}

// casSame executes compare-and-swap of all lanes of the half on one word, as by threads that wait for a lock, if they
// have the same operands: the first lane finds the old value, and the others the one that it leaves.
func casSame(a access, h int, done string) {
	if a.wide {
		return
	}
	no, back, fails := label("notSame"), label("unlike"), label("fails")
	same(a, h, no)
	XORL(R10L, R10L)
	if masked {
		TZCNTL(EBX, R10L)
	}
	MOVL(a.lane(RDX), ESI)
	alike(a, h, ESI, no)
	MOVL(in(inC), EDX)
	operandHalf(a, h)
	MOVL(a.lane(RDX), R14L)
	alike(a, h, R14L, back)
	MOVL(hostAt(0), EDX)
	CMPL(EDX, ESI)
	JNE(LabelRef(fails))
	MOVL(R14L, hostAt(0))
	found(a, h)
	MOVL(EDX, a.lane(R8))
	CMPL(EDX, R14L)
	JEQ(LabelRef(done))
	MOVL(U32(1), ctx(ctxChanged))
	JMP(LabelRef(done))
	Label(fails)
	VMOVD(EDX, X0)
	VPBROADCASTD(X0, Y0)
	found(a, h)
	JMP(LabelRef(done))
	Label(back)
	MOVL(in(inB), EDX)
	operandHalf(a, h)
	Label(no)
}

// operandHalf turns the offset of a register in RDX into the address of its half.
func operandHalf(a access, h int) {
	ADDQ(ctx(ctxRegs), RDX)
	if h > 0 {
		ADDQ(Imm(uint64(16*a.regBytes())), RDX)
	}
}

// alike jumps to no unless all lanes of the half have v in the register at RDX. It sets all values of Y0 to v.
func alike(a access, h int, v GPPhysical, no string) {
	VMOVD(v, X0)
	VPBROADCASTD(X0, Y0)
	for j := range a.parts() {
		VPXOR(Mem{Base: RDX, Disp: 32 * j}, Y0, Y1)
		if masked {
			a.lanesTo(h, j, Y4)
			VPAND(Y4, Y1, Y1)
		}
		if j == 0 {
			VMOVDQA(Y1, Y2)
		} else {
			VPOR(Y1, Y2, Y2)
		}
	}
	VPTEST(Y2, Y2)
	JNE(LabelRef(no))
}

// found stores Y0 as the old value of the lanes of the half.
func found(a access, h int) {
	for j := range a.parts() {
		v, d := Y0, Mem{Base: R8, Disp: 32 * j}
		if masked {
			a.lanesTo(h, j, Y1)
			VMOVDQU(d, Y2)
			VPBLENDVB(Y1, Y0, Y2, Y2)
			v = Y2
		}
		VMOVDQU(v, d)
	}
}

// atomicProgress is progress for atomic operations.
func atomicProgress() {
	MOVL(ctx(ctxChanged), R14L)
	progress()
}

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Loads and stores of two or four values, which follow each other in memory and are in
// as many registers.

// The fields that name the registers.
var (
	loadedFields = [...]int{inD, inB, inC, inE}
	storedFields = [...]int{inB, inC, inD, inE}
)

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
		if !masked {
			loadTuples(a, n, h, done)
		}
		Label(loop)
		laneOffset(a.size*n, slow)
		LEAQ(hostAt(0), RAX)
		for k := range n {
			d := operandLane(a, loadedFields[k], h, RDX)
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
	restore()
}

// loadVectorOnce loads the same n values for all lanes.
func loadVectorOnce(a access, n, h int, done string) {
	no := label("notSame")
	same(access{size: a.size * n}, h, no)
	for k := range n {
		MOVL(in(loadedFields[k]), EDX)
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
		loop, done := label("lane"), label("stored")
		if !masked {
			storeTuples(a, n, h, done)
		}
		Label(loop)
		laneOffset(a.size*n, slow)
		LEAQ(hostAt(0), RAX)
		for k := range n {
			s := operandLane(a, storedFields[k], h, RDX)
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
		Label(done)
	}, progress)
	progress()
	restore()
}

// tuplePlaces has pointers to the halves of the registers that the fields name; R8 is
// one of them when there are four.
func tuplePlaces(a access, n, h int, fields [4]int) []GPPhysical {
	places := []GPPhysical{RDX, RBX, RSI, R8}[:n]
	for k, p := range places {
		MOVL(in(fields[k]), EAX)
		LEAQ(at(RAX, 16*a.regBytes()*h), p)
	}
	return places
}

// loadTuples loads the tuples of all lanes of the half from anywhere in the site: those
// of as many lanes at a time as a vector of 16 bytes has values.
func loadTuples(a access, n, h int, done string) {
	no := label("notScattered")
	scattered(access{size: a.size * n}, no)
	places := tuplePlaces(a, n, h, loadedFields)
	lanes := 16 / a.size
	x := []VecPhysical{X0, X1, X2, X3}
	for first := 0; first < 16; first += lanes {
		for l := range lanes {
			if a.size*n == 8 {
				VMOVQ(scatteredAt(first+l), x[l])
			} else {
				VMOVDQU(scatteredAt(first+l), x[l])
			}
		}
		transpose(a)
		for k, p := range places {
			VMOVDQU(x[k], Mem{Base: p, Disp: first * a.size})
		}
	}
	JMP(LabelRef(done))
	Label(no)
}

// storeTuples stores the tuples of all lanes of the half to anywhere in the site. Of
// lanes that store to one place, the last one wins.
func storeTuples(a access, n, h int, done string) {
	no := label("notScattered")
	scattered(access{size: a.size * n}, no)
	places := tuplePlaces(a, n, h, storedFields)
	lanes := 16 / a.size
	x := []VecPhysical{X0, X1, X2, X3}
	VPXOR(X8, X8, X8)
	for first := 0; first < 16; first += lanes {
		for k, p := range places {
			VMOVDQU(Mem{Base: p, Disp: first * a.size}, x[k])
		}
		if a.size*n == 8 { // two tuples in a vector
			VPUNPCKHDQ(X1, X0, X2)
			VPUNPCKLDQ(X1, X0, X0)
			VMOVDQU(X2, X1)
		} else {
			transpose(a)
		}
		for l := range lanes {
			if a.size*n == 8 {
				if l%2 == 0 {
					VMOVQ(x[l/2], R8)
				} else {
					VPEXTRQ(Imm(1), x[l/2], R8)
				}
				exchange(access{size: 8}, R8, scatteredAt(first+l), RSI)
				ORQ(RSI, R14)
				continue
			}
			m := scatteredAt(first + l)
			VPXOR(m, x[l], X9)
			VPOR(X9, X8, X8)
			VMOVDQU(x[l], m)
		}
	}
	same := label("unchanged")
	VPTEST(X8, X8)
	JEQ(LabelRef(same))
	ORL(Imm(1), R14L)
	Label(same)
	JMP(LabelRef(done))
	Label(no)
}

// transpose exchanges the rows and columns of the values in X0 to X3, or of 64 bits in
// X0 and X1.
func transpose(a access) {
	if a.wide {
		VPUNPCKHQDQ(X1, X0, X2)
		VPUNPCKLQDQ(X1, X0, X0)
		VMOVDQU(X2, X1)
		return
	}
	VPUNPCKLDQ(X1, X0, X4)
	VPUNPCKHDQ(X1, X0, X5)
	VPUNPCKLDQ(X3, X2, X6)
	VPUNPCKHDQ(X3, X2, X7)
	VPUNPCKLQDQ(X6, X4, X0)
	VPUNPCKHQDQ(X6, X4, X1)
	VPUNPCKLQDQ(X7, X5, X2)
	VPUNPCKHQDQ(X7, X5, X3)
}

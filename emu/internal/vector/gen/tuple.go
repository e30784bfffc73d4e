// Handlers of loads and stores of vectors.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Loads and stores of two or four values, which are consecutive in memory and in separate registers.

// The fields with the registers of a tuple.
var (
	loadedFields = [...]int{inD, inB, inC, inE}
	storedFields = [...]int{inB, inC, inD, inE}
)

// operandLane returns the value of lane R10 of the operand in a field; it uses r.
func operandLane(a access, field, h int, r GPPhysical) Mem {
	MOVL(in(field), r.As32())
	ADDQ(R8, r)
	return Mem{Base: r, Index: R10, Scale: uint8(a.regBytes()), Disp: 16 * a.regBytes() * h}
}

// loadVector loads n values to D, B, C and E.
func loadVector(a access, n int) {
	if one {
		loadOne(a, n)
		return
	}
	begin()
	halves(0, 0, func(h int, slow string) {
		done := label("loaded")
		switch {
		case a.narrow():
			loadPacked(a, n, h, done)
		case masked:
			loadVectorOnce(a, n, h, done)
		default:
			loadVectorOnce(a, n, h, done)
			loadTuples(a, n, h, done)
		}
		tupleLanes(a, n, h, loadedFields, slow, func(m, r Mem) { loadPart(a, m, R14, r) })
		Label(done)
	}, nothing)
	restore()
}

// narrow reports whether a register has more bits than a value in memory.
func (a access) narrow() bool { return a.size < a.regBytes() }

// loadPart loads a value of a tuple to a register; it uses v.
func loadPart(a access, m Mem, v GPPhysical, r Mem) {
	switch a.size {
	case 1:
		MOVBLZX(m, v.As32())
	case 2:
		MOVWLZX(m, v.As32())
	default:
		loadTo(a, m, v)
	}
	storeFrom(a, v, r)
}

// tupleLanes emits f for the values of each lane's tuple, one by one, with their place in memory and in the register.
func tupleLanes(a access, n, h int, fields [4]int, slow string, f func(m, r Mem)) {
	loop := label("lane")
	Label(loop)
	laneOffset(a.size*n, slow)
	LEAQ(hostAt(0), RAX)
	for k := range n {
		r := operandLane(a, fields[k], h, RDX)
		f(Mem{Base: RAX, Disp: k * a.size}, r)
	}
	BLSRL(EBX, EBX)
	JNE(LabelRef(loop))
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

// loadPacked loads consecutive tuples of narrow values, with at most 32 bits each, of all lanes of the half: as words,
// of which each register gets a part.
func loadPacked(a access, n, h int, done string) {
	bytes := a.size * n
	if masked || bytes > 4 {
		return
	}
	no := label("notRow")
	rows(access{size: bytes}, h, no)
	for k := range n {
		MOVL(in(loadedFields[k]), EDX)
		for j := range 2 {
			words := hostAt(8 * bytes * j)
			if bytes == 2 {
				VPMOVZXWD(words, Y0)
			} else {
				VMOVDQU(words, Y0)
			}
			if k > 0 {
				VPSRLD(Imm(uint64(8*a.size*k)), Y0, Y0)
			}
			if k < n-1 || bytes == 2 {
				VPAND(all32(1<<(8*a.size)-1), Y0, Y0)
			}
			VMOVDQU(Y0, Mem{Base: R8, Index: RDX, Scale: 1, Disp: 64*h + 32*j})
		}
	}
	JMP(LabelRef(done))
	Label(no)
}

// storeVector stores n values of B, C, D and E.
func storeVector(a access, n int) {
	if one {
		storeOne(a, n)
		return
	}
	begin()
	XORL(R14L, R14L)
	halves(0, 0, func(h int, slow string) {
		done := label("stored")
		if !masked && !a.narrow() {
			storeTuples(a, n, h, done)
		}
		tupleLanes(a, n, h, storedFields, slow, func(m, r Mem) {
			loadTo(a, r, RDX)
			exchange(a, RDX, m, RSI)
			ORQ(RSI, R14)
		})
		Label(done)
	}, progress)
	progress()
	restore()
}

// tuplePlaces sets registers to pointers to the halves of the registers that the fields name; R8 is one of them if
// there are four.
func tuplePlaces(a access, n, h int, fields [4]int) []GPPhysical {
	places := []GPPhysical{RDX, RBX, RSI, R8}[:n]
	for k, p := range places {
		MOVL(in(fields[k]), EAX)
		LEAQ(at(RAX, 16*a.regBytes()*h), p)
	}
	return places
}

// tupleValues are the vectors for the values of some lanes' tuples.
var tupleValues = [...]VecPhysical{X0, X1, X2, X3}

// tuples emits f for the tuples of all lanes of the half, which may be anywhere in the site: for as many lanes at a
// time as a vector of 16 bytes has values, from first on. The registers are at places.
func tuples(a access, n, h int, fields [4]int, done string, f func(first, lanes int, places []GPPhysical), end func()) {
	no := label("notScattered")
	scattered(access{size: a.size * n}, no)
	places := tuplePlaces(a, n, h, fields)
	lanes := 16 / a.size
	for first := 0; first < 16; first += lanes {
		f(first, lanes, places)
	}
	end()
	JMP(LabelRef(done))
	Label(no)
}

// loadTuples loads the tuples of all lanes of the half.
func loadTuples(a access, n, h int, done string) {
	tuples(a, n, h, loadedFields, done, func(first, lanes int, places []GPPhysical) {
		for l := range lanes {
			if a.size*n == 8 {
				VMOVQ(scatteredAt(first+l), tupleValues[l])
			} else {
				VMOVDQU(scatteredAt(first+l), tupleValues[l])
			}
		}
		transpose(a)
		for k, p := range places {
			VMOVDQU(tupleValues[k], Mem{Base: p, Disp: first * a.size})
		}
	}, nothing)
}

// storeTuples stores the tuples of all lanes of the half. If several lanes store to one place, the last one wins.
func storeTuples(a access, n, h int, done string) {
	changed := X8
	VPXOR(changed, changed, changed)
	tuples(a, n, h, storedFields, done, func(first, lanes int, places []GPPhysical) {
		for k, p := range places {
			VMOVDQU(Mem{Base: p, Disp: first * a.size}, tupleValues[k])
		}
		if a.size*n == 8 {
			storePairs(first, lanes)
			return
		}
		transpose(a)
		for l := range lanes {
			m, v := scatteredAt(first+l), tupleValues[l]
			VPXOR(m, v, X9)
			VPOR(X9, changed, changed)
			VMOVDQU(v, m)
		}
	}, func() {
		same := label("unchanged")
		VPTEST(changed, changed)
		JEQ(LabelRef(same))
		ORL(Imm(1), R14L)
		Label(same)
	})
}

// storePairs stores tuples of 8 bytes; X0 has the first values and X1 the second.
func storePairs(first, lanes int) {
	VPUNPCKHDQ(X1, X0, X2)
	VPUNPCKLDQ(X1, X0, X0)
	VMOVDQU(X2, X1)
	for l := range lanes {
		if l%2 == 0 {
			VMOVQ(tupleValues[l/2], R8)
		} else {
			VPEXTRQ(Imm(1), tupleValues[l/2], R8)
		}
		exchange(access{size: 8}, R8, scatteredAt(first+l), RSI)
		ORQ(RSI, R14)
	}
}

// transpose exchanges the rows and columns of the values in X0 to X3, or of 64-bit values in X0 and X1.
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

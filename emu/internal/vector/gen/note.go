// Handlers that note accesses and fences for a listener.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// notes returns the operations before memory operations of which a listener is notified. They append an entry to
// Context.Notes: R12 is the entry, R13 the register with the addresses, RCX the size of the access.
func notes() []operation {
	return append(scalars([]operation{
		{"NoteAccess", func() { note(false) }, false},
		{"NoteWindow", func() { note(true) }, false},
		{"NoteFence", noteFence, false},
	}), []operation{
		{"NoteValue32", func() { noteValue(false) }, false},
		{"NoteValue64", func() { noteValue(true) }, false},
		{"NotePart32", notePart, false},
	}...)
}

// note appends an entry for an access: its addresses are A plus Imm, its size is B. In a window, an address is
// truncated to 32 bits and C is its upper half. If the counter of the instruction is 0, the access is not noted.
func note(window bool) {
	can, uneven, noted := label("can"), label("uneven"), label("noted")
	MOVL(in(inCount), EAX)
	CMPQ(Mem{Base: RDI, Index: RAX, Scale: 1}, Imm(0))
	JGT(LabelRef(can))
	leave(exitCount)
	Label(can)
	roomForNote()
	MOVL(R12L, ctx(ctxLastNote))
	beginNote()
	MOVL(in(inA), R13L)
	ADDQ(R8, R13)
	MOVL(in(inB), ECX)
	if one {
		TZCNTL(R11L, R10L)
		MOVQ(Mem{Base: R13, Index: R10, Scale: 8}, RBX)
		XORL(EDX, EDX)
		noteEvenAddresses(window, noted) // a single address is even
		Label(noted)
		return
	}
	if masked {
		someStep(uneven)
	} else {
		MOVQ(Mem{Base: R13}, RBX)
		MOVQ(Mem{Base: R13, Disp: 8}, RDX)
		SUBQ(RBX, RDX)
		IMUL3Q(Imm(31), RDX, RAX) // fast check that excludes most uneven addresses
		ADDQ(RBX, RAX)
		CMPQ(RAX, Mem{Base: R13, Disp: 8 * 31})
		JNE(LabelRef(uneven))
	}
	evenly(uneven)
	noteEvenAddresses(window, uneven)
	next()
	Label(uneven)
	noteUnevenAddresses(window)
}

// noteFence appends an entry for a fence, which has no addresses, and executes it: it decrements the counter of the
// instruction.
func noteFence() {
	roomForNote()
	decrement()
	beginNote()
	setEven(1)
	ADDL(Imm(noteSz), ctx(ctxNoted))
}

// roomForNote sets R12 to the offset of the next entry. It returns to Go if there is no room for it.
func roomForNote() {
	room := label("room")
	MOVL(ctx(ctxNoted), R12L)
	CMPL(R12L, ctx(ctxNoteRoom))
	JLS(LabelRef(room))
	MOVL(R11L, ctx(ctxRest))
	leave(exitNote)
	Label(room)
}

// beginNote sets R12, the offset of an entry, to its address, and the instruction and the lanes of the entry.
func beginNote() {
	ADDQ(ctx(ctxNotes), R12)
	MOVL(in(inPC), EAX)
	MOVL(EAX, entry(notePC))
	MOVL(R11L, entry(noteMask))
}

// setEven sets whether the addresses are even, and initialises the fields that Go sets.
func setEven(even int32) { MOVQ(I32(even), entry(noteEven)) }

// entry returns a field of the entry.
func entry(off int) Mem { return Mem{Base: R12, Disp: off} }

// someStep sets RDX to a candidate for the distance of the addresses of the lanes in R11, and RBX to the address that
// lane 0 would have. If the first two lanes are adjacent, it is their distance, else 0 or the size. It uses R10.
func someStep(uneven string) {
	one, same, next := label("one"), label("same"), label("next")
	TZCNTL(R11L, R10L)
	MOVQ(Mem{Base: R13, Index: R10, Scale: 8}, RBX)
	XORL(EDX, EDX)
	BLSRL(R11L, EAX)
	JEQ(LabelRef(one))
	TZCNTL(EAX, EAX)
	MOVQ(Mem{Base: R13, Index: RAX, Scale: 8}, R14)
	SUBQ(RBX, R14)
	JEQ(LabelRef(same))
	MOVQ(R14, RDX)
	SUBL(R10L, EAX)
	CMPL(EAX, Imm(1))
	JEQ(LabelRef(next))
	IMULQ(RCX, RAX)
	CMPQ(RAX, R14)
	JNE(LabelRef(uneven))
	MOVQ(RCX, RDX)
	Label(next)
	IMULQ(RDX, R10)
	SUBQ(R10, RBX)
	BSRL(R11L, EAX) // fast check that excludes most uneven addresses
	MOVQ(Mem{Base: R13, Index: RAX, Scale: 8}, R14)
	IMULQ(RDX, RAX)
	ADDQ(RBX, RAX)
	CMPQ(RAX, R14)
	JNE(LabelRef(uneven))
	Label(same)
	Label(one)
}

// evenly jumps to uneven unless the address of each lane i in R11 is RBX + i*RDX. It uses RAX.
func evenly(uneven string) {
	if masked {
		VMOVQ(RBX, X0)
		VPBROADCASTQ(X0, Y0)
	} else {
		VPBROADCASTQ(Mem{Base: R13}, Y0)
	}
	VMOVQ(RDX, X1)
	VPBROADCASTQ(X1, Y1)
	VPMULUDQ(multiples(1), Y1, Y2) // for a step of more than 32 bits, lane 1 differs
	VPADDQ(Y2, Y0, Y0)
	VPSLLQ(Imm(2), Y1, Y1)
	even := laneSet{Y2, Y3, Y4}
	for c := range 8 {
		even.collect(c, func(v VecPhysical) { VPCMPEQQ(Mem{Base: R13, Disp: 32 * c}, Y0, v) })
		if c < 7 {
			VPADDQ(Y1, Y0, Y0)
		}
	}
	even.lanes(EAX)
	ANDNL(R11L, EAX, EAX)
	JNE(LabelRef(uneven))
}

// noteEvenAddresses notes addresses RBX + i*RDX + Imm, unless they reach beyond the window.
func noteEvenAddresses(window bool, uneven string) {
	ADDQ(in(inImm), RBX)
	if window {
		MOVL(EBX, EAX) // truncate
		MOVQ(RAX, RBX)
		IMUL3Q(Imm(31), RDX, RAX)
		ADDQ(RBX, RAX)
		SHRQ(Imm(32), RAX)
		JNE(LabelRef(uneven))
		MOVL(in(inC), EAX)
		SHLQ(Imm(32), RAX)
		ADDQ(RAX, RBX)
	}
	MOVQ(RBX, entry(noteBase))
	MOVQ(RDX, entry(noteStep))
	setEven(1)
	ADDL(Imm(noteSz), ctx(ctxNoted))
}

// noteUnevenAddresses notes the addresses one by one, and the relations of adjacent lanes.
func noteUnevenAddresses(window bool) {
	VPBROADCASTQ(in(inImm), Y0)
	VMOVQ(RCX, X1)
	VPBROADCASTQ(X1, Y1)
	VPXOR(Y2, Y2, Y2)
	if window {
		MOVL(in(inC), EAX)
		SHLQ(Imm(32), RAX)
		VMOVQ(RAX, X3)
		VPBROADCASTQ(X3, Y3)
	}
	here, before := Y4, Y7
	rotated, last := Y5, Y6
	next, same := laneSet{Y8, Y9, Y10}, laneSet{Y11, Y12, Y13}
	for c := range 8 {
		address(c, window, here)
		VMOVDQU(here, entry(noteSz+32*c))
		VPERMQ(Imm(0x93), here, rotated) // lane 3, 0, 1, 2
		if c > 0 {
			VPBLENDD(Imm(3), last, rotated, before)
		} else {
			before = rotated // lane -1 is masked out
		}
		VPSUBQ(before, here, here)
		next.collect(c, func(v VecPhysical) { VPCMPEQQ(here, Y1, v) })
		same.collect(c, func(v VecPhysical) { VPCMPEQQ(here, Y2, v) })
		before, rotated, last = Y7, last, rotated
	}
	next.lanes(EBX)
	same.lanes(EDX)
	LEAL(Mem{Base: R11, Index: R11, Scale: 1}, ECX) // lanes after one that takes part
	ANDL(R11L, ECX)
	ANDL(ECX, EBX)
	ANDL(ECX, EDX)
	MOVL(EBX, entry(noteBase))
	MOVL(EDX, entry(noteBase+4))
	setEven(0)
	ADDL(U32(noteSz+rowBytes), ctx(ctxNoted))
}

// laneSet is the registers for making a set of lanes from eight vectors of 64-bit values, all ones or zero, of four
// lanes each.
type laneSet [3]VecPhysical

// collect adds the vector of lanes 4c to 4c+3, which f makes; c must be in order. Narrower values are packed in each
// half of a register separately.
func (s laneSet) collect(c int, f func(v VecPhysical)) {
	if c%2 == 0 {
		f(s[0])
		return
	}
	f(Y14)
	if c%4 == 1 {
		VPACKSSDW(Y14, s[0], s[1])
		return
	}
	VPACKSSDW(Y14, s[0], Y14)
	if c == 3 {
		VPACKSSWB(Y14, s[1], s[2])
		return
	}
	VPACKSSWB(Y14, s[1], Y14)
	VPACKSSWB(Y14, s[2], s[0]) // two bytes of a lane to one
}

// lanes sets r to the set. Its quarters have two of every four lanes, of one half.
func (s laneSet) lanes(r Op) {
	VPERMQ(Imm(0xd8), s[0], s[0])
	VPSHUFB(pairsInTurn(), s[0], s[0])
	VPMOVMSKB(s[0], r)
}

// pairsInTurn selects two bytes of the first half of 16, two of the second, and so on.
func pairsInTurn() Mem {
	return constant("pairsInTurn", 32, func(i int) {
		DATA(i, U8(i%16/4*2+i%2+i/2%2*8))
	})
}

// address sets v to the addresses of lanes 4c to 4c+3.
func address(c int, window bool, v VecPhysical) {
	VPADDQ(Mem{Base: R13, Disp: 32 * c}, Y0, v)
	if window {
		VPAND(all64(1<<32-1), v, v)
		VPADDQ(Y3, v, v)
	}
}

// noteValue adds register A, masked with Imm, to the entry.
func noteValue(wide bool) {
	eachNoted(wide, func(c int) { VMOVDQU(Y0, entry(32*c)) })
	ADDL(U32(rowBytes), ctx(ctxNoted))
}

// notePart combines register A, masked with Imm and shifted by B bits, with the latest value of the entry.
func notePart() {
	VMOVD(in(inB), X2)
	eachNoted(false, func(c int) {
		last := entry(32*c - rowBytes)
		VPSLLQ(X2, Y0, Y0)
		VPOR(last, Y0, Y0)
		VMOVDQU(Y0, last)
	})
}

// eachNoted emits f with the values of lanes 4c to 4c+3 of register A, masked with Imm, in Y0.
func eachNoted(wide bool, f func(c int)) {
	MOVL(ctx(ctxNoted), R12L)
	ADDQ(ctx(ctxNotes), R12)
	MOVL(in(inA), EAX)
	VPBROADCASTQ(in(inImm), Y1)
	for c := range 8 {
		if wide {
			VPAND(at(RAX, 32*c), Y1, Y0)
		} else {
			VPMOVZXDQ(at(RAX, 16*c), Y0)
			VPAND(Y1, Y0, Y0)
		}
		f(c)
	}
}

// Handlers of stores.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// store emits a store of one value. Storing a value that is already there is not progress.
func store(a access) {
	if one {
		storeOne(a, 1)
		return
	}
	begin()
	XORL(R14L, R14L)
	halves(inB, a.regBytes(), func(h int, slow string) {
		done, loop := label("stored"), label("lane")
		onlyOne(a, loop)
		if a.size == a.regBytes() && !a.local {
			storeRow(a, h, done)
		}
		if !a.local && !masked {
			storeScattered(a, done)
		}
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

// progress counts a store that changed memory, in the counter that vector.Inst.Target says.
func progress() {
	none := label("unchanged")
	TESTQ(R14, R14)
	JEQ(LabelRef(none))
	MOVL(in(inTarget), R14L)
	INCQ(Mem{Base: RDI, Index: R14, Scale: 1})
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
			a.storeSome(j, Y0, Y1)
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

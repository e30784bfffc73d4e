// Handlers of loads of the same value for all lanes.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// loadParam loads one value for all lanes, at Imm in the site, which is known to be in bounds.
func loadParam(a access) {
	MOVL(in(inSite), ECX)
	ADDQ(RSI, RCX)
	MOVQ(Mem{Base: RCX, Disp: sitePtr}, R15)
	ADDQ(in(inImm), R15)
	if one {
		loadForLane(a, Mem{Base: R15}, inD)
		return
	}
	MOVL(in(inD), EDX)
	if a.wide {
		VPBROADCASTQ(Mem{Base: R15}, Y0)
		for c := range 8 {
			put64(c, Y0)
		}
		return
	}
	VPBROADCASTD(Mem{Base: R15}, Y0)
	for c := range 4 {
		put32(c, Y0)
	}
}

// loadUniform loads n values for all lanes, from the address Imm on.
func loadUniform(a access, n int) {
	done, slow := label("loaded"), label("slow")
	begin()
	CMPQ(R13, RCX)
	JCC(LabelRef(slow))
	TESTB(U8(a.size*n-1), R13B)
	JNE(LabelRef(slow))
	ADDQ(R15, R13)
	for k := range n {
		if one {
			loadForLane(a, Mem{Base: R13, Disp: k * a.size}, loadedFields[k])
			continue
		}
		MOVL(in(loadedFields[k]), EDX)
		if a.wide {
			VPBROADCASTQ(Mem{Base: R13, Disp: k * a.size}, Y0)
			parts(8, func(c int) { put64(c, Y0) })
		} else {
			VPBROADCASTD(Mem{Base: R13, Disp: k * a.size}, Y0)
			parts(4, func(c int) { put32(c, Y0) })
		}
	}
	JMP(LabelRef(done))
	Label(slow)
	MOVL(R11L, ctx(ctxRest))
	leave(exitRest)
	Label(done)
}

// loadForLane loads a value for the one lane, to the register that a field names.
func loadForLane(a access, m Mem, field int) {
	loadTo(a, m, RAX)
	TZCNTL(R11L, R10L)
	storeFrom(a, RAX, register(a, field))
}

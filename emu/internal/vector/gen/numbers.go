// Numbers of matrices: conversions of elements to and from double precision, and transposition.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// widenings are the functions that convert elements to doubles: each converts the data at an address to four floats in
// X0.
var widenings = []struct {
	name  string
	bytes int // of four elements
	body  func(m Mem)
}{
	{"widenF16", 8, func(m Mem) { VCVTPH2PS(m, reg.X0) }},
	{"widenBF16", 8, func(m Mem) { VPMOVZXWD(m, reg.X0); VPSLLD(U8(16), reg.X0, reg.X0) }},
	{"widenTF32", 16, func(m Mem) { VMOVUPS(m, reg.X0); VANDPS(all32(0xffffe000), reg.X0, reg.X0) }},
	{"widenF32", 16, func(m Mem) { VMOVUPS(m, reg.X0) }},
}

// numbers writes the conversions.
func numbers() {
	for _, w := range widenings {
		load := function(w.name, "func(to *float64, from *byte, count uint64)",
			w.name+" converts count elements, a multiple of four.")
		to, from, count := load("to", reg.RDI), load("from", reg.RSI), load("count", reg.RCX)
		Label("four")
		w.body(Mem{Base: from})
		VCVTPS2PD(reg.X0, reg.Y0)
		VMOVUPD(reg.Y0, Mem{Base: to})
		ADDQ(Imm(uint64(w.bytes)), from)
		ADDQ(Imm(32), to)
		SUBQ(Imm(4), count)
		JNZ(LabelRef("four"))
		VZEROUPPER()
		RET()
	}
	narrowF32()
	widenPairs()
	narrowPairs()
	transposition()
}

// floatsOf rounds the doubles at m to floats in X0; NaN results are canonical.
func floatsOf(m Mem) {
	VCVTPD2PSY(m, reg.X0)
	VCMPPS(U8(cmpNan), reg.X0, reg.X0, reg.X3)
	VBLENDVPS(reg.X3, all32(nan32), reg.X0, reg.X0)
}

func narrowF32() {
	load := function("narrowF32", "func(to *byte, from *float64, count uint64)",
		"narrowF32 rounds count doubles, a multiple of four.")
	to, from, count := load("to", reg.RDI), load("from", reg.RSI), load("count", reg.RCX)
	Label("four")
	floatsOf(Mem{Base: from})
	VMOVUPS(reg.X0, Mem{Base: to})
	ADDQ(Imm(32), from)
	ADDQ(Imm(16), to)
	SUBQ(Imm(4), count)
	JNZ(LabelRef("four"))
	VZEROUPPER()
	RET()
}

// widenPairs converts two registers of floats of a warp. A quad of lanes has eight adjacent floats: the first register
// has those with even indices.
func widenPairs() {
	load := function("widenPairs", "func(to *float64, stride uint64, even, odd *[32]uint32)",
		"widenPairs converts eight rows of eight floats.")
	to, stride := load("to", reg.RDI), bytesOf(load("stride", reg.RSI))
	even, odd := load("even", reg.RBX), load("odd", reg.RCX)
	for row := range 8 {
		VMOVUPS(Mem{Base: even, Disp: 16 * row}, reg.X0)
		VMOVUPS(Mem{Base: odd, Disp: 16 * row}, reg.X1)
		VUNPCKLPS(reg.X1, reg.X0, reg.X2)
		VUNPCKHPS(reg.X1, reg.X0, reg.X3)
		VCVTPS2PD(reg.X2, reg.Y2)
		VCVTPS2PD(reg.X3, reg.Y3)
		VMOVUPD(reg.Y2, Mem{Base: to})
		VMOVUPD(reg.Y3, Mem{Base: to, Disp: 32})
		ADDQ(stride, to)
	}
	VZEROUPPER()
	RET()
}

// narrowPairs is the inverse of widenPairs.
func narrowPairs() {
	load := function("narrowPairs", "func(even, odd *[32]uint32, from *float64, stride uint64)",
		"narrowPairs rounds eight rows of eight doubles.")
	even, odd := load("even", reg.RBX), load("odd", reg.RCX)
	from, stride := load("from", reg.RSI), bytesOf(load("stride", reg.RDI))
	for row := range 8 {
		floatsOf(Mem{Base: from})
		VMOVAPS(reg.X0, reg.X4)
		floatsOf(Mem{Base: from, Disp: 32})
		VSHUFPS(U8(0b10001000), reg.X0, reg.X4, reg.X1)
		VSHUFPS(U8(0b11011101), reg.X0, reg.X4, reg.X2)
		VMOVUPS(reg.X1, Mem{Base: even, Disp: 16 * row})
		VMOVUPS(reg.X2, Mem{Base: odd, Disp: 16 * row})
		ADDQ(stride, from)
	}
	VZEROUPPER()
	RET()
}

// transposition writes transpose, in blocks of four by four.
func transposition() {
	load := function("transpose", "func(to, from *float64, rows, columns, strideTo, strideFrom uint64)",
		"transpose writes rows by columns doubles, multiples of four, as columns by rows.")
	to, from := load("to", reg.RDI), load("from", reg.RSI)
	rows := load("rows", reg.RDX)
	strideTo, strideFrom := bytesOf(load("strideTo", reg.R8)), bytesOf(load("strideFrom", reg.R9))
	columns, out, at := reg.RCX, reg.R10, reg.R11
	toThird, fromThird := reg.R12, reg.R13
	LEAQ(Mem{Base: strideTo, Index: strideTo, Scale: 2}, toThird)
	LEAQ(Mem{Base: strideFrom, Index: strideFrom, Scale: 2}, fromThird)
	Label("rows")
	MOVQ(to, out)
	MOVQ(from, at)
	load("columns", columns)
	Label("block")
	VMOVUPD(Mem{Base: at}, reg.Y0)
	VMOVUPD(Mem{Base: at, Index: strideFrom, Scale: 1}, reg.Y1)
	VMOVUPD(Mem{Base: at, Index: strideFrom, Scale: 2}, reg.Y2)
	VMOVUPD(Mem{Base: at, Index: fromThird, Scale: 1}, reg.Y3)
	VUNPCKLPD(reg.Y1, reg.Y0, reg.Y4)
	VUNPCKHPD(reg.Y1, reg.Y0, reg.Y5)
	VUNPCKLPD(reg.Y3, reg.Y2, reg.Y6)
	VUNPCKHPD(reg.Y3, reg.Y2, reg.Y7)
	VPERM2F128(U8(0x20), reg.Y6, reg.Y4, reg.Y0)
	VPERM2F128(U8(0x20), reg.Y7, reg.Y5, reg.Y1)
	VPERM2F128(U8(0x31), reg.Y6, reg.Y4, reg.Y2)
	VPERM2F128(U8(0x31), reg.Y7, reg.Y5, reg.Y3)
	VMOVUPD(reg.Y0, Mem{Base: out})
	VMOVUPD(reg.Y1, Mem{Base: out, Index: strideTo, Scale: 1})
	VMOVUPD(reg.Y2, Mem{Base: out, Index: strideTo, Scale: 2})
	VMOVUPD(reg.Y3, Mem{Base: out, Index: toThird, Scale: 1})
	LEAQ(Mem{Base: out, Index: strideTo, Scale: 4}, out)
	ADDQ(Imm(32), at)
	SUBQ(Imm(4), columns)
	JNZ(LabelRef("block"))
	ADDQ(Imm(32), to)
	LEAQ(Mem{Base: from, Index: strideFrom, Scale: 4}, from)
	SUBQ(Imm(4), rows)
	JNZ(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

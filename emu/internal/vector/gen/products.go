// Products of rows with matrices, in double precision.

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// productBlocks are how many registers of four sums a turn of addProducts keeps.
var productBlocks = []struct {
	name string
	regs int
}{{"32", 8}, {"8", 2}}

// products writes addProducts: to each of columns sums, a multiple of eight, it adds k products of an
// element of a row and one of the column of a matrix, in order, each rounded before it is added.
func products() {
	TEXT("addProducts", nosplit, "func(sums, a, b *float64, columns, k, stride uint64)")
	Pragma("noescape")
	Doc("addProducts adds to each sum the products of a row of k elements and of a column of b.")
	load := func(name string, r reg.GPPhysical) reg.GPPhysical {
		Load(Param(name), r)
		return r
	}
	sums, a, b := load("sums", reg.RDI), load("a", reg.RSI), load("b", reg.RBX)
	columns, k, stride := load("columns", reg.RCX), load("k", reg.RDX), load("stride", reg.R8)
	row, at, left := reg.R9, reg.R10, reg.R11
	SHLQ(Imm(3), stride)
	of := func(i int) reg.VecPhysical {
		return []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7}[i]
	}
	for i, block := range productBlocks {
		next := "end"
		if i+1 < len(productBlocks) {
			next = "block" + productBlocks[i+1].name
		}
		Label("block" + block.name)
		CMPQ(columns, U32(4*block.regs))
		JL(LabelRef(next))
		for r := range block.regs {
			VMOVUPD(Mem{Base: sums, Disp: 32 * r}, of(r))
		}
		MOVQ(a, row)
		MOVQ(b, at)
		MOVQ(k, left)
		Label("step" + block.name)
		VBROADCASTSD(Mem{Base: row}, reg.Y15)
		for r := range block.regs {
			VMULPD(Mem{Base: at, Disp: 32 * r}, reg.Y15, reg.Y14)
			VADDPD(reg.Y14, of(r), of(r))
		}
		ADDQ(Imm(8), row)
		ADDQ(stride, at)
		DECQ(left)
		JNZ(LabelRef("step" + block.name))
		for r := range block.regs {
			VMOVUPD(of(r), Mem{Base: sums, Disp: 32 * r})
		}
		ADDQ(U32(32*block.regs), sums)
		ADDQ(U32(32*block.regs), b)
		SUBQ(U32(4*block.regs), columns)
		JMP(LabelRef("block" + block.name))
	}
	Label("end")
	VZEROUPPER()
	RET()
}

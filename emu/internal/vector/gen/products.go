// Products of matrices, in double precision.

package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// productRows are the numbers of rows of eight sums that an iteration of addProducts keeps in registers.
var productRows = []int{4, 1}

// function starts a function that Go calls with a signature, and returns a function that loads a parameter.
func function(name, signature, doc string) func(name string, r reg.GPPhysical) reg.GPPhysical {
	TEXT(name, nosplit, signature)
	Pragma("noescape")
	Doc(doc)
	return func(name string, r reg.GPPhysical) reg.GPPhysical {
		Load(Param(name), r)
		return r
	}
}

// bytesOf converts a number of 8-byte elements to bytes.
func bytesOf(r reg.GPPhysical) reg.GPPhysical {
	SHLQ(Imm(3), r)
	return r
}

// products writes addProducts: to each of rows by columns sums, where columns is a multiple of eight, it adds k
// products of an element of a's row and one of b's column, in order. The distances of rows are strides.
func products() {
	load := function("addProducts", "func(sums, a, b *float64, rows, columns, k, strideSums, strideA, strideB uint64)",
		"addProducts adds to each sum the products of a row of a and of a column of b.")
	sums, a, b := load("sums", reg.RDI), load("a", reg.RSI), load("b", reg.RBX)
	columns, k := load("columns", reg.RCX), load("k", reg.RDX)
	strideSums, strideA, strideB := bytesOf(load("strideSums", reg.R8)), bytesOf(load("strideA", reg.R9)),
		bytesOf(load("strideB", reg.R10))
	left, to, row, at, rows := reg.R11, reg.R12, reg.R13, reg.R14, reg.RAX
	third := reg.R15
	LEAQ(Mem{Base: strideA, Index: strideA, Scale: 2}, third)
	Label("columns")
	MOVQ(sums, to)
	MOVQ(a, row)
	load("rows", rows)
	for i, n := range productRows {
		turn, next := fmt.Sprintf("rows%d", n), "block"
		if i+1 < len(productRows) {
			next = fmt.Sprintf("rows%d", productRows[i+1])
		}
		Label(turn)
		CMPQ(rows, Imm(uint64(n)))
		JL(LabelRef(next))
		eachRow(n, to, strideSums, func(r, half int, m Mem) { VMOVUPD(m, sumsIn(r, half)) })
		MOVQ(b, at)
		MOVQ(k, left)
		Label(turn + "step")
		VMOVUPD(Mem{Base: at}, reg.Y8)
		VMOVUPD(Mem{Base: at, Disp: 32}, reg.Y9)
		for r := range n {
			VBROADCASTSD([]Mem{
				{Base: row},
				{Base: row, Index: strideA, Scale: 1},
				{Base: row, Index: strideA, Scale: 2},
				{Base: row, Index: third, Scale: 1},
			}[r], reg.Y10)
			VFMADD231PD(reg.Y8, reg.Y10, sumsIn(r, 0))
			VFMADD231PD(reg.Y9, reg.Y10, sumsIn(r, 1))
		}
		ADDQ(Imm(8), row)
		ADDQ(strideB, at)
		DECQ(left)
		JNZ(LabelRef(turn + "step"))
		eachRow(n, to, strideSums, func(r, half int, m Mem) { VMOVUPD(sumsIn(r, half), m) })
		LEAQ(Mem{Base: to, Index: strideSums, Scale: uint8(n)}, to)
		LEAQ(Mem{Base: k, Index: k, Scale: 1}, left) // back to the beginning of the row
		SHLQ(Imm(2), left)
		SUBQ(left, row)
		LEAQ(Mem{Base: row, Index: strideA, Scale: uint8(n)}, row)
		SUBQ(Imm(uint64(n)), rows)
		JMP(LabelRef(turn))
	}
	Label("block")
	ADDQ(Imm(64), sums)
	ADDQ(Imm(64), b)
	SUBQ(Imm(8), columns)
	JNZ(LabelRef("columns"))
	VZEROUPPER()
	RET()
}

// sumsIn returns the register with four of the eight sums of row r.
func sumsIn(r, half int) reg.VecPhysical {
	return []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7}[2*r+half]
}

// eachRow calls f for the halves of n rows of eight sums, stride apart.
func eachRow(n int, to, stride reg.GPPhysical, f func(r, half int, m Mem)) {
	for r := range n {
		m := Mem{Base: to}
		switch r {
		case 1, 2:
			m.Index, m.Scale = stride, uint8(r)
		case 3:
			LEAQ(Mem{Base: to, Index: stride, Scale: 2}, reg.R11)
			m = Mem{Base: reg.R11, Index: stride, Scale: 1}
		}
		f(r, 0, m)
		m.Disp = 32
		f(r, 1, m)
	}
}

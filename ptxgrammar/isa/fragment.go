// Registers of matrix fragments, by shape and type.

package isa

import (
	"strconv"
	"strings"
)

// Shape is the size of a matrix multiplication D = A*B + C: A is MxK, B is KxN, C
// and D are MxN. For a single matrix (ldmatrix) it is MxN, and K is 0.
type Shape struct{ M, N, K int }

// ParseShape parses m16n8k16 or m8n8.
func ParseShape(s string) (Shape, bool) {
	var sh Shape
	ok := true
	number := func(letter string) int {
		rest, found := strings.CutPrefix(s, letter)
		end := 0
		for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
			end++
		}
		n, err := strconv.Atoi(rest[:end])
		ok = ok && found && err == nil
		s = rest[end:]
		return n
	}
	sh.M, sh.N = number("m"), number("n")
	if s != "" {
		sh.K = number("k")
	}
	return sh, ok && s == ""
}

// Shape returns the matrix shape that the instruction names; ok is false for others.
func (d *Decoded) Shape() (sh Shape, ok bool) {
	for _, m := range d.Mods {
		if sh, ok = ParseShape(m); ok {
			return sh, true
		}
	}
	return Shape{}, false
}

const (
	warpLanes  = WarpSize
	groupLanes = 4 * WarpSize // a warpgroup, PTX ISA 9.7.15.1
	regBits    = 32
)

// fragment returns the type and number of the registers with a thread's part of the matrix operand named a, b, c, d or
// r (PTX ISA 9.7.14.4, 9.7.14.5, 9.7.15, 9.7.16). The type is that of one register: f16x2 holds two elements, and b32
// as many as fit.
func (d *Decoded) fragment(operand string) (Type, int) {
	sh, _ := d.Shape()
	switch d.Instr.Name {
	case "mma":
		return d.mmaFragment(operand, sh)
	case "wmma":
		return d.wmmaFragment(operand, sh)
	case "wgmma":
		return d.wgmmaFragment(operand, sh)
	case "ldmatrix", "stmatrix":
		return B32, d.matrixRegs(sh)
	case "tcgen05":
		return B32, d.tensorRegs(operand)
	case "spcompress", "spdecompress":
		return B32, d.sparseRegs(operand)
	}
	panic("BUG: isa: fragment of " + d.Instr.Name)
}

// fragmentRegs returns the registers of a lane: elements are divided among lanes and packed.
func fragmentRegs(t Type, elements, lanes int) (Type, int) {
	perLane := elements / lanes
	switch t {
	case F16:
		return F16x2, perLane / 2
	case F32, F64, S32:
		return t, perLane
	}
	return B32, perLane * containerBits(t) / regBits
}

// containerBits returns the width in bits in which an element is stored; f6 types are stored in bytes.
func containerBits(t Type) int {
	switch t {
	case E3M2, E2M3:
		return 8
	}
	return t.Bits()
}

// matrixElements returns the number of elements of operand a, b, c or d.
func matrixElements(operand string, sh Shape) int {
	switch operand {
	case "a":
		return sh.M * sh.K
	case "b":
		return sh.K * sh.N
	}
	return sh.M * sh.N
}

// mmaFragment returns the fragment of mma, which names the types of d, a, b and c in this order.
func (d *Decoded) mmaFragment(operand string, sh Shape) (Type, int) {
	t := d.Types[strings.Index("dabc", operand)]
	elements := matrixElements(operand, sh)
	if operand == "a" && (d.Has("sp") || d.Has("sp::ordered_metadata")) {
		elements /= 2 // half of A's elements are zero and not stored
	}
	if sh == (Shape{8, 8, 4}) && t != F64 {
		elements *= 4 // four multiplications at once, one per quad pair
	}
	if t == E2M1 && d.Form.slot("kind") >= 0 && d.Mod("kind") != "kind::mxf4" && d.Mod("kind") != "kind::mxf4nvf4" {
		elements *= 2 // in bytes beside 6-bit and 8-bit types
	}
	return fragmentRegs(t, elements, warpLanes)
}

// wmmaFragment returns the fragment of wmma. wmma.mma names the types of d and c, or of d, a, b and c; wmma.load and
// wmma.store name that of their matrix.
func (d *Decoded) wmmaFragment(operand string, sh Shape) (Type, int) {
	if operand == "r" {
		operand = d.Mod("frag")
		return wmmaRegs(operand, d.Types[0], sh)
	}
	if len(d.Types) == 4 {
		return wmmaRegs(operand, d.Types[strings.Index("dabc", operand)], sh)
	}
	switch operand {
	case "d":
		return wmmaRegs(operand, d.Types[0], sh)
	case "c":
		return wmmaRegs(operand, d.Types[1], sh)
	}
	return wmmaRegs(operand, F16, sh)
}

// wmmaRegs returns the registers of a wmma fragment. The f16 fragments of A and B have eight registers in every shape,
// so that lanes hold elements twice (PTX ISA 9.7.14.4.1).
func wmmaRegs(operand string, t Type, sh Shape) (Type, int) {
	if t == F16 && (operand == "a" || operand == "b") {
		return F16x2, 8
	}
	return fragmentRegs(t, matrixElements(operand, sh), warpLanes)
}

// wgmmaFragment returns the fragment of wgmma.mma_async, which names the types of d, a and b. b is always in shared
// memory; of a sparse a, half of the elements are stored.
func (d *Decoded) wgmmaFragment(operand string, sh Shape) (Type, int) {
	if operand == "d" {
		return fragmentRegs(d.Types[0], matrixElements("d", sh), groupLanes)
	}
	elements := matrixElements("a", sh)
	if d.Has("sp") {
		elements /= 2
	}
	t := d.Types[1]
	if t == F16 {
		return F16x2, elements / groupLanes / 2
	}
	return fragmentRegs(t, elements, groupLanes)
}

// multiplier returns the number in x4.
func (d *Decoded) multiplier() int {
	n, _ := strconv.Atoi(strings.TrimPrefix(d.Mod("num"), "x"))
	return n
}

// matrixRegs returns the registers of ldmatrix and similar instructions. An m8n8 matrix of 16-bit elements takes one
// register of each lane, an m16n16 matrix of bytes two (PTX ISA 9.7.14.5.15).
func (d *Decoded) matrixRegs(sh Shape) int {
	const rowBytes = 16 // an m8n8.b16, m8n16.b8 or m16n8.b8 matrix has 128 bytes
	if sh.M*sh.N > 8*rowBytes {
		return 2 * d.multiplier()
	}
	return d.multiplier()
}

// MatrixRows returns how many lanes, from the first on, give addresses of rows of matrices to ldmatrix and stmatrix, 0
// for other instructions. A lane accesses its row, of at most 16 bytes: rows of narrower elements have fewer (PTX ISA,
// "ldmatrix", "stmatrix").
func (d *Decoded) MatrixRows() (lanes, bytes int) {
	if d.Instr.Name != "ldmatrix" && d.Instr.Name != "stmatrix" {
		return 0, 0
	}
	sh, _ := d.Shape()
	return 8 * d.matrixRegs(sh), 16
}

// tensorRegs returns the registers of tcgen05 loads and stores: num times the number of 32-bit columns per lane of the
// shape (PTX ISA 9.7.16.8.1). Of values that are compressed, two of four remain, with two bits each that say which.
func (d *Decoded) tensorRegs(operand string) int {
	switch operand {
	case "mdata":
		return words(2 * d.multiplier() / 2)
	case "cdata":
		return d.multiplier() / 2
	}
	switch d.Mod("shape") {
	case "16x128b":
		return 2 * d.multiplier()
	case "16x256b":
		return 4 * d.multiplier()
	}
	return d.multiplier()
}

// words returns the number of registers for so many bits.
func words(bits int) int { return (bits + regBits - 1) / regBits }

// sparseRegs returns the registers of the operands of spcompress and spdecompress (tables 37 and 39 of PTX ISA 9.4):
// the elements of a sparse vector, which are some of those of a dense one, and the index of each.
func (d *Decoded) sparseRegs(operand string) int {
	elem, index := bitsOf(d.Mod("elemsize")), bitsOf(d.Mod("idxsize"))
	sparse, dense := sparsity(d.Mod("spfactor"))
	n := d.multiplier()
	if d.Instr.Name == "spcompress" { // each repetition makes a register
		n *= regBits / elem / sparse
	}
	switch operand {
	case "mdata":
		return words(sparse * index * n)
	case "cdata":
		return words(sparse * elem * n)
	}
	return words(dense * elem * n)
}

// bitsOf returns 8 for b8.
func bitsOf(mod string) int {
	n, _ := strconv.Atoi(mod[1:])
	return n
}

// sparsity returns 2 and 4 for sp::2:4.
func sparsity(mod string) (sparse, dense int) {
	s, d, _ := strings.Cut(strings.TrimPrefix(mod, "sp::"), ":")
	sparse, _ = strconv.Atoi(s)
	dense, _ = strconv.Atoi(d)
	return sparse, dense
}

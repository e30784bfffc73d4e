// Fragments: the elements of a matrix that each lane holds.

package matrix

import "github.com/ptxsan/ptxsan/ptxgrammar/isa"

// The element of a matrix in each register of each lane (PTX ISA, "Matrix Fragments" of mma, ldmatrix and movmatrix).

// warpSize is the number of lanes of a warp.
const warpSize = 32

// Fragment describes how a warp holds one operand of a matrix instruction: every lane has Regs registers with Per
// elements each.
type Fragment struct {
	Rows, Cols int
	Regs, Per  int
	// At returns the position in the matrix of element j of register r of a lane.
	At func(lane, r, j int) (row, col int)

	places [][warpSize]int32 // by register and element, once Placed
}

// Placed returns the fragment with a table in place of calls of At.
func (g Fragment) Placed() Fragment {
	table := make([][warpSize]int32, g.Regs*g.Per)
	for i := range table {
		table[i] = *g.Places(i/g.Per, i%g.Per)
	}
	g.places = table
	return g
}

// Places returns the index in a Matrix, row by row, of element j of register r of each lane.
func (g *Fragment) Places(r, j int) *[warpSize]int32 {
	if g.places != nil {
		return &g.places[r*g.Per+j]
	}
	var at [warpSize]int32
	for lane := range at {
		row, col := g.At(lane, r, j)
		at[lane] = int32(row*g.Cols + col)
	}
	return &at
}

// Elements calls f for every element that the lanes hold, possibly more than once for the same element.
func (g *Fragment) Elements(f func(lane, r, j, row, col int)) {
	for lane := range warpSize {
		for r := range g.Regs {
			for j := range g.Per {
				row, col := g.At(lane, r, j)
				f(lane, r, j, row, col)
			}
		}
	}
}

// PerRegister returns the number of elements of a type in a register. (In accumulators of mma only f16 elements share a
// register.)
func PerRegister(t isa.Type) int { return max(1, 32/t.Bits()) }

// FragmentA returns the m by k multiplicand of mma: each quad of lanes holds a row, each register consecutive columns,
// and every other register the row eight below.
func FragmentA(m, k int, t isa.Type) Fragment {
	per := PerRegister(t)
	return Fragment{Rows: m, Cols: k, Regs: m * k / (warpSize * per), Per: per, At: func(lane, r, j int) (int, int) {
		row, col := lane/4, lane%4*per+j
		if m == 16 {
			return row + 8*(r&1), col + r>>1*4*per
		}
		return row, col + r*4*per
	}}
}

// FragmentB returns the k by 8 multiplicand of mma: each quad of lanes holds a column.
func FragmentB(k int, t isa.Type) Fragment {
	per := PerRegister(t)
	return Fragment{Rows: k, Cols: 8, Regs: k * 8 / (warpSize * per), Per: per, At: func(lane, r, j int) (int, int) {
		return lane%4*per + j + r*4*per, lane / 4
	}}
}

// FragmentC returns the m by 8 accumulator of mma: each quad of lanes holds a row and the one eight below it, each lane
// two adjacent elements.
func FragmentC(m int, t isa.Type) Fragment {
	if t == isa.F16 { // both elements in one register
		return Fragment{Rows: m, Cols: 8, Regs: m * 8 / (2 * warpSize), Per: 2, At: func(lane, r, j int) (int, int) {
			return lane/4 + 8*r, lane%4*2 + j
		}}
	}
	return Fragment{Rows: m, Cols: 8, Regs: m * 8 / warpSize, Per: 1, At: func(lane, r, _ int) (int, int) {
		return lane/4 + r>>1*8, lane%4*2 + r&1
	}}
}

// The fragments of mma.m8n8k4 with .f16 multiplicands, which computes four products at once: one for each quad and the
// quad 16 lanes above. The rows of the four matrices follow each other.

func quadPairRow(lane int) int { return lane % 16 / 4 * 8 }

func upper(lane int) int { return lane / 16 * 4 }

// QuadPairA returns the fragment of the matrix A of an operation of quad pairs.
func QuadPairA(rowMajor bool) Fragment {
	return Fragment{Rows: 32, Cols: 4, Regs: 2, Per: 2, At: func(lane, r, j int) (int, int) {
		i, base := 2*r+j, quadPairRow(lane)+upper(lane)
		if rowMajor {
			return base + lane%4, i
		}
		return base + i, lane % 4
	}}
}

// QuadPairB returns the fragment of the matrix B of an operation of quad pairs.
func QuadPairB(rowMajor bool) Fragment {
	return Fragment{Rows: 16, Cols: 8, Regs: 2, Per: 2, At: func(lane, r, j int) (int, int) {
		i, base := 2*r+j, quadPairRow(lane)/2
		if rowMajor {
			return base + lane%4, i + upper(lane)
		}
		return base + i, lane%4 + upper(lane)
	}}
}

// QuadPairC returns the fragment of the matrix C or D of an operation of quad pairs.
func QuadPairC(t isa.Type) Fragment {
	if t == isa.F16 {
		return Fragment{Rows: 32, Cols: 8, Regs: 4, Per: 2, At: func(lane, r, j int) (int, int) {
			return quadPairRow(lane) + upper(lane) + lane%4, 2*r + j
		}}
	}
	return Fragment{Rows: 32, Cols: 8, Regs: 8, Per: 1, At: func(lane, i, _ int) (int, int) {
		return quadPairRow(lane) + upper(lane) + lane&1 + i&2, i&4 + lane&2 + i&1
	}}
}

// OpaqueFragment returns a fragment of wmma, whose layout the manual leaves open: here the elements follow each other
// from lane to lane, starting over if the registers hold more elements than the matrix has.
func OpaqueFragment(rows, cols, regs, per int) Fragment {
	return Fragment{Rows: rows, Cols: cols, Regs: regs, Per: per, At: func(lane, r, j int) (int, int) {
		q := ((lane*regs+r)*per + j) % (rows * cols)
		return q / cols, q % cols
	}}
}

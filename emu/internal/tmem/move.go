// Data movement shapes: the cells that loads, stores and copies access.

package tmem

import "github.com/ptxsan/ptxsan/emu/internal/diag"

// Move is the pattern of a tcgen05.ld or tcgen05.st (PTX ISA, "Data Movement Shape").
type Move struct {
	Shape string // as in the modifier
	Regs  int    // registers per thread
	// Packed says that a register holds the lower halves of two neighbouring cells.
	Packed bool
	Split  int // for 16x32bx2: columns between its halves
}

// Lanes returns the number of lanes of the pattern.
func (v *Move) Lanes() int {
	if v.Shape == "32x32b" {
		return Quarter
	}
	return Quarter / 2
}

// Place returns the cell for register r of a thread of the warp, relative to the address; for a packed register the
// first of two.
func (v *Move) Place(thread, r int) (lane, column int) {
	switch v.Shape {
	case "32x32b":
		lane, column = thread, r
	case "16x64b":
		lane, column = thread/4+thread%2*8, thread/2%2+r*2
	case "16x128b":
		lane, column = thread/4+r%2*8, thread%4+r/2*4
	case "16x256b":
		lane, column = thread/4+r/2%2*8, thread%4*2+r%2+r/4*8
	case "16x32bx2":
		lane, column = thread%16, r
	}
	if v.Packed {
		column *= 2
	}
	if v.Shape == "16x32bx2" {
		column += thread / 16 * v.Split
	}
	return lane, column
}

// Adjacent returns how many registers of a thread, from register r on, have adjacent cells of one lane.
func (v *Move) Adjacent(r int) int {
	width := 1
	if v.Packed {
		width = 2
	}
	lane, column := v.Place(0, r)
	for n := 1; r+n < v.Regs; n++ {
		if l, c := v.Place(0, r+n); l != lane || c != column+n*width {
			return n
		}
	}
	return v.Regs - r
}

// Span returns the number of columns of each half of the pattern; shapes other than 16x32bx2 have one half.
func (v *Move) Span() int {
	n := v.Regs
	switch v.Shape {
	case "16x64b":
		n *= 2
	case "16x128b":
		n *= 2
	case "16x256b":
		n *= 2
	}
	if v.Packed {
		n *= 2
	}
	return n
}

// Own returns the address of an access by a warp, given by its number within the warpgroup: lanes of the first quarter
// stand for those at the same place of the warp's own quarter. The manual gives each warp its quarter ("Access
// restrictions"), and GPUs add it to such addresses, on which TIRx and DeepGEMM rely.
func (v *Move) Own(a Addr, warp int) Addr {
	if a.Lane() < Quarter {
		a += Addr(warp*Quarter) << 16
	}
	return a
}

// Check returns a violation if an access of the pattern at an address is invalid for a warp, given by its number within
// the warpgroup.
func (v *Move) Check(m *Memory, a Addr, warp int) *diag.Violation {
	lanes, first := v.Lanes(), a.Lane()
	switch {
	case first/Quarter != warp:
		return diag.Violationf("tensor-memory",
			"lanes %d to %d of tensor memory, of which warp %d of a warpgroup can access %d to %d",
			first, first+lanes-1, warp, warp*Quarter, warp*Quarter+Quarter-1)
	case first%lanes != 0:
		return diag.Violationf("misaligned", "lane %d of tensor memory, expected a multiple of %d", first, lanes)
	}
	if bad := m.Check(first, lanes, a.Column(), v.Span()); bad != nil || v.Shape != "16x32bx2" {
		return bad
	}
	return m.Check(first, lanes, a.Column()+v.Split, v.Span())
}

// Load returns register r of a thread.
func (v *Move) Load(m *Memory, a Addr, thread, r int) uint32 {
	lane, column := v.Place(thread, r)
	if !v.Packed {
		return m.Row(a.Lane()+lane, a.Column()+column, 1)[0]
	}
	two := m.Row(a.Lane()+lane, a.Column()+column, 2)
	return two[0]&0xffff | two[1]<<16
}

// Store stores register r of a thread.
func (v *Move) Store(m *Memory, a Addr, thread, r int, val uint32) {
	lane, column := v.Place(thread, r)
	if !v.Packed {
		m.Row(a.Lane()+lane, a.Column()+column, 1)[0] = val
		return
	}
	two := m.Row(a.Lane()+lane, a.Column()+column, 2)
	two[0], two[1] = val&0xffff, val>>16
}

// Copy is the pattern of a tcgen05.cp: rows of shared memory, each copied to one lane or several.
type Copy struct {
	Rows    int // of the source
	Slices  int // 16-byte slices in each row
	targets func(row int) []int
}

// CopyOf returns the pattern of a shape and a multicast modifier, nil for none.
func CopyOf(shape, multicast string) *Copy {
	every := func(step int) func(int) []int {
		return func(row int) (lanes []int) {
			for l := row; l < Lanes; l += step {
				lanes = append(lanes, l)
			}
			return lanes
		}
	}
	switch shape + " " + multicast {
	case "128x256b ":
		return &Copy{128, 2, every(Lanes)}
	case "128x128b ":
		return &Copy{128, 1, every(Lanes)}
	case "4x256b ": // a row for each quarter of the lanes
		return &Copy{4, 2, func(row int) []int { return []int{row * Quarter} }}
	case "64x128b warpx2::02_13":
		return &Copy{64, 1, every(64)}
	case "64x128b warpx2::01_23":
		return &Copy{64, 1, func(row int) []int {
			first := row/Quarter*64 + row%Quarter
			return []int{first, first + Quarter}
		}}
	case "32x128b warpx4":
		return &Copy{32, 1, every(Quarter)}
	}
	return nil
}

// Targets returns the lanes, relative to that of the address, to which a row is copied.
func (c *Copy) Targets(row int) []int { return c.targets(row) }

// Columns returns the number of written columns.
func (c *Copy) Columns() int { return c.Slices * 4 }

// Span returns the number of lanes from the first to the last written one.
func (c *Copy) Span() int { return c.targets(c.Rows - 1)[len(c.targets(c.Rows-1))-1] + 1 }

// Expand decompresses 16 elements of 4 or 6 bits, padded to 16 bytes, into bytes, which hold them in the middle (PTX
// ISA, "Optional Decompression").
func Expand(slice [4]uint32, bits int) (out [4]uint32) {
	for i := range 16 {
		at := i * bits
		v := uint64(slice[at/32]) >> (at % 32)
		if at%32+bits > 32 {
			v |= uint64(slice[at/32+1]) << (32 - at%32)
		}
		out[i/4] |= uint32(v) & (1<<bits - 1) << ((8 - bits) / 2) << (i % 4 * 8)
	}
	return out
}

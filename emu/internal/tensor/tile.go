// Tiles: the mapping of bytes of a tensor to bytes of a tile in shared memory.

package tensor

// Piece is a run of bytes of one row of a tile. Its bytes are consecutive in the tensor and in the tile, unless the
// swizzle permutes the row's units: see Swap.
type Piece struct {
	Tile   uint64 // shared address
	Tensor uint64 // generic address of the part in the tensor
	Bytes  uint64 // in the tile
	Packed uint64 // in the tensor: the same number, except for elements with gaps in the tile
	Inside bool   // the tensor contains these elements
	// Swap, if not 0, says that unit u of the tensor's bytes is unit u^Swap of the tile's.
	Swap int
}

// Unit is the size of a unit in bytes.
const Unit = unit

// Pieces calls f for the pieces of the tile at a shared address, row by row: the tile of the box whose first element
// has the coordinates at. It stops when f returns false.
func (p *Image) Pieces(at [MaxRank]int32, tile uint64, f func(Piece) bool) {
	p.boxRows(at, tile, func(row tensorRow, tile uint64) bool { return p.rowPieces(row, int64(at[0]), tile, f) })
}

// Rows is Pieces, but does not split swizzled rows that are completely in the tensor.
func (p *Image) Rows(at [MaxRank]int32, tile uint64, f func(Piece) bool) {
	first := int64(at[0])
	size := int64(p.ElemType().Size())
	swap := p.Swizzle != 0 && p.Swizzle != mode96 && p.Atomicity == atom16 && p.Packing() == PackedNot && first >= 0 &&
		first+int64(p.Box[0]) <= int64(p.Dims[0])
	p.boxRows(at, tile, func(row tensorRow, tile uint64) bool {
		if !swap || !row.inside {
			return p.rowPieces(row, first, tile, f)
		}
		n := p.rowBytes()
		return f(Piece{
			Tile: tile, Tensor: row.addr + uint64(first*size), Bytes: n, Packed: n, Inside: true,
			Swap: int(tile >> 7 & (1<<p.Swizzle - 1)),
		})
	})
}

// boxRows calls f for each row of the box with its address in the tile, until f returns false.
func (p *Image) boxRows(at [MaxRank]int32, tile uint64, f func(row tensorRow, tile uint64) bool) {
	var n [MaxRank]uint64 // of the row
	for {
		var index [MaxRank]int64
		for d := range p.Dimensions() {
			index[d] = int64(at[d]) + int64(n[d])*int64(p.Steps[d])
		}
		if !f(p.rowAt(index), tile) {
			return
		}
		tile += p.rowBytes()
		d := 1
		for ; d < p.Dimensions(); d++ {
			if n[d]++; n[d] < p.rows(d) {
				break
			}
			n[d] = 0
		}
		if d >= p.Dimensions() {
			return
		}
	}
}

// tensorRow is one row of the tensor.
type tensorRow struct {
	addr   uint64 // address of its first element
	inside bool
}

// rowAt returns the row with these indices; the first index is ignored.
func (p *Image) rowAt(index [MaxRank]int64) tensorRow {
	row := tensorRow{p.Addr, true}
	for d := 1; d < p.Dimensions(); d++ {
		row.inside = row.inside && 0 <= index[d] && index[d] < int64(p.Dims[d])
		row.addr += uint64(index[d]) * p.Strides[d-1]
	}
	return row
}

// rowPieces calls f for the pieces of one row of the tile, from element first of a row of the tensor on: it is split at
// the ends of the tensor, and into units if they are swizzled.
func (p *Image) rowPieces(row tensorRow, first int64, tile uint64, f func(Piece) bool) bool {
	g := p.grain()
	size, box, end := g.tile, int64(p.Box[0])/g.elements, int64(p.Dims[0])/g.elements
	first /= g.elements
	for i := int64(0); i < box; {
		next := box
		inside := row.inside && 0 <= first+i && first+i < end
		switch {
		case first+i < 0:
			next = min(next, -first)
		case first+i < end:
			next = min(next, end-first)
		}
		if p.Swizzle != 0 {
			u := p.kept()
			next = min(next, (i*size/u+1)*u/size)
		}
		if g.tensor != size {
			next = i + 1
		}
		piece := Piece{
			Tile: p.swizzled(tile + uint64(i*size)), Tensor: row.addr + uint64((first+i)*g.tensor),
			Bytes: uint64((next - i) * size), Packed: uint64((next - i) * g.tensor), Inside: inside,
		}
		if !f(piece) {
			return false
		}
		i = next
	}
	return true
}

// The codes of the bytes that the 128-byte swizzle keeps together (PTX ISA, tensormap.replace).
const (
	atom16 = iota
	atom32
	atom32Flip8
	atom64
	atoms
)

// kept returns the minimum number of bytes of a swizzled row that stay adjacent.
func (p *Image) kept() int64 {
	if p.Atomicity == atom32Flip8 {
		return unit / 2
	}
	return unit
}

// PieceBytes returns the size of the pieces of a row that is in the tensor, in the tile and in the tensor.
func (p *Image) PieceBytes() (tile, tensor uint64) {
	switch g := p.grain(); {
	case g.tensor != g.tile:
		return uint64(g.tile), uint64(g.tensor)
	case p.Swizzle != 0:
		return uint64(p.kept()), uint64(p.kept())
	}
	return p.rowBytes(), p.rowBytes()
}

// swizzled returns the swizzled form of a shared address (PTX ISA, "Swizzling Modes"): the number of its line of 128
// bytes changes the number of its 16-byte unit, in as many bits as the units of a row need; or the number of its atom
// of 32 or 64 bytes.
func (p *Image) swizzled(addr uint64) uint64 {
	line := addr >> 7
	switch p.Atomicity {
	case atom32:
		return addr ^ (line&3)<<5
	case atom32Flip8:
		return addr ^ (line&3)<<5 ^ (line&1)<<3
	case atom64:
		return addr ^ (line&1)<<6
	}
	units := uint64(1) << p.Swizzle // of a row
	if p.Swizzle == mode96 {
		units = 2
	}
	return addr ^ (line&(units-1))<<4
}

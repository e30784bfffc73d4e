package tensor

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// imageOf encodes a map and reads it again.
func imageOf(t *testing.T, m *Map) *Image {
	t.Helper()
	b, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	p, err := MapAt(b)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// byteOf is where a byte of a tile comes from.
type byteOf struct {
	addr   uint64
	inside bool
}

// bytesOf collects pieces, byte by byte.
func bytesOf(t *testing.T, each func(f func(Piece) bool)) map[uint64]byteOf {
	t.Helper()
	out := make(map[uint64]byteOf)
	each(func(p Piece) bool {
		for i := range p.Bytes {
			if _, twice := out[p.Tile+i]; twice {
				t.Fatalf("byte %#x of the tile is written twice", p.Tile+i)
			}
			b := byteOf{inside: p.Inside}
			if p.Inside {
				b.addr = p.Tensor + (i ^ uint64(p.Swap)*Unit)
			}
			out[p.Tile+i] = b
		}
		return true
	})
	return out
}

// atoms128 are the manual's tables of the 128-byte swizzles with larger atoms (PTX ISA, "Swizzling
// Modes"): which unit of 16 bytes is where, line by line.
var atoms128 = map[Swizzle][][8]uint64{
	Swizzle128Atom32: {{0, 1, 2, 3, 4, 5, 6, 7}, {2, 3, 0, 1, 6, 7, 4, 5}, {4, 5, 6, 7, 0, 1, 2, 3}, {6, 7, 4, 5, 2, 3, 0, 1}},
	Swizzle128Atom64: {{0, 1, 2, 3, 4, 5, 6, 7}, {4, 5, 6, 7, 0, 1, 2, 3}},
}

// swizzledAt is the manual's swizzling (PTX ISA, "Swizzling Modes"): bits 4 and up of the
// address are exchanged by those from bit 7 on, one, two or three of them.
func swizzledAt(addr uint64, s Swizzle) uint64 {
	if s == Swizzle96 {
		s = Swizzle32
	}
	if s > Swizzle128 {
		line, flip := addr/128, uint64(0)
		if s == Swizzle128Atom32Flip8 {
			s, flip = Swizzle128Atom32, line%2*8
		}
		table := atoms128[s]
		return line*128 + table[line%uint64(len(table))][addr/16%8]*16 + addr%16 ^ flip
	}
	mask := uint64(1)<<s - 1
	return addr ^ (addr>>7&mask)<<4
}

// Tiles of random maps, element by element: element (i, j, ...) of a tile is element
// at + i*steps of the tensor, in rows of the box's first dimension; what lies outside the tensor
// is filled (PTX ISA, "Tiled mode").
func TestPieces(t *testing.T) {
	types := []isa.Type{isa.U8, isa.F16, isa.F32, isa.U64}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := &Map{Type: types[r.IntN(len(types))], Addr: 1 << 20, Swizzle: Swizzle(r.IntN(8))}
		size := uint64(m.Type.Size())
		row := uint64(16) << r.IntN(4)
		if m.Swizzle != SwizzleNone {
			row = 16 << min(m.Swizzle, Swizzle128)
		}
		if m.Swizzle == Swizzle96 {
			row = 96
		}
		rank := 1 + r.IntN(4)
		for d := range rank {
			m.Dims, m.Steps = append(m.Dims, uint32(1+r.IntN(40))), append(m.Steps, uint32(1+r.IntN(3)))
			box := uint32(1 + r.IntN(6))
			if d == 0 {
				box = uint32(row / size)
			}
			m.Box = append(m.Box, box)
		}
		stride := uint64(512)
		for range rank - 1 {
			m.Strides, stride = append(m.Strides, stride), stride*64
		}
		if m.Box[0] > maxBox {
			continue
		}
		p := imageOf(t, m)
		var at [MaxRank]int32
		for d := range rank {
			at[d] = int32(r.IntN(50) - 10)
		}
		const tile = 0x800
		got := bytesOf(t, func(f func(Piece) bool) { p.Pieces(at, tile, f) })
		if rows := bytesOf(t, func(f func(Piece) bool) { p.Rows(at, tile, f) }); !maps.Equal(rows, got) {
			t.Fatalf("seed %d, %+v at %v: Rows are other bytes than Pieces", seed, m, at)
		}
		if uint64(len(got)) != p.TileBytes() {
			t.Fatalf("seed %d: %d bytes, expected %d", seed, len(got), p.TileBytes())
		}
		next := uint64(tile)
		var walk func(d int, addr uint64, inside bool)
		walk = func(d int, addr uint64, inside bool) {
			step, count := int64(m.Steps[d]), (int64(m.Box[d])+int64(m.Steps[d])-1)/int64(m.Steps[d])
			if d == 0 { // the element stride of the first dimension has no effect
				step, count = 1, int64(m.Box[0])
			}
			for i := range count {
				index := int64(at[d]) + i*step
				in := inside && index >= 0 && index < int64(m.Dims[d])
				if d > 0 {
					walk(d-1, addr+uint64(index)*m.Strides[d-1], in)
					continue
				}
				for b := range size {
					want := byteOf{inside: in}
					if in {
						want.addr = addr + uint64(index)*size + b
					}
					if have := got[swizzledAt(next, m.Swizzle)]; have != want {
						t.Fatalf("seed %d, %+v at %v: byte %#x is %+v, expected %+v", seed, m, at, next, have, want)
					}
					next++
				}
			}
		}
		walk(rank-1, m.Addr, true)
	}
}

// Pieces and Column stop when the function returns false.
func TestPiecesStop(t *testing.T) {
	p := imageOf(t, &Map{Type: isa.F32, Addr: 16, Dims: []uint32{8, 8}, Box: []uint32{4, 4}})
	n := 0
	p.Pieces([MaxRank]int32{}, 0, func(Piece) bool { n++; return n < 2 })
	if n != 2 {
		t.Errorf("%d pieces after the second was refused", n)
	}
}

// A column of the im2col modes (PTX ISA, "Im2col mode"): pixels of the bounding box from the
// coordinates on, then those of the next image; the offsets are added to each.
func TestColumn(t *testing.T) {
	m := &Map{
		Type: isa.F32, Addr: 1 << 16, Dims: []uint32{4, 5, 3},
		Column: &Column{Lower: []int32{-1}, Upper: []int32{-1}, Channels: 4, Pixels: 7},
	}
	p := imageOf(t, m)
	var got []string
	p.Column([MaxRank]int32{0, 2, 0}, [MaxRank - 2]uint16{1}, 0, 0, func(piece Piece) bool {
		if piece.Bytes != 16 || piece.Tile != uint64(len(got))*16 {
			t.Errorf("%+v", piece)
		}
		pixel := (int64(piece.Tensor) - int64(m.Addr)) / 16
		got = append(got, fmt.Sprintf("%d:%t", pixel, piece.Inside))
		return true
	})
	// Columns 2 and 3 of image 0, columns -1 to 3 of image 1, one further right each.
	if want := "3:true 4:true 5:true 6:true 7:true 8:true 9:true"; strings.Join(got, " ") != want {
		t.Errorf("%v, expected %s", got, want)
	}
	got = nil
	p.Column([MaxRank]int32{0, -1, 0}, [MaxRank - 2]uint16{}, 0, 0, func(piece Piece) bool {
		got = append(got, fmt.Sprint(piece.Inside))
		return len(got) < 2
	})
	if strings.Join(got, " ") != "false true" {
		t.Errorf("left of the image: %v", got)
	}
}

// What makes a map unusable (CUDA Driver API, cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col).
func TestEncodeRefuses(t *testing.T) {
	good := func() *Map {
		return &Map{Type: isa.F32, Addr: 1 << 16, Dims: []uint32{64, 8}, Box: []uint32{8, 4}}
	}
	if _, err := good().Encode(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Map){
		"0 dimensions, expected 1 to 5":           func(m *Map) { m.Dims = nil },
		"6 dimensions, expected 1 to 5":           func(m *Map) { m.Dims = make([]uint32, 6) },
		"a box of 1 dimension, the tensor has 2":  func(m *Map) { m.Box = m.Box[:1] },
		"both a box and a column":                 func(m *Map) { m.Column = &Column{} },
		"2 strides, expected 1":                   func(m *Map) { m.Strides = []uint64{16, 16} },
		"elements of type .s8":                    func(m *Map) { m.Type = isa.S8 },
		"address 0x10008, expected a multiple of": func(m *Map) { m.Addr += 8 },
		"dimension 1: no elements":                func(m *Map) { m.Dims[1] = 0 },
		"a box of 257 elements":                   func(m *Map) { m.Box[1] = 257 },
		"element stride 9, expected 1 to 8":       func(m *Map) { m.Steps = []uint32{1, 9} },
		"stride of 8 bytes":                       func(m *Map) { m.Strides = []uint64{8} },
		"a box with rows of 12 bytes":             func(m *Map) { m.Box[0] = 3 },
		"expected 128 with that swizzle":          func(m *Map) { m.Swizzle = Swizzle128 },
		"cannot be NaNs":                          func(m *Map) { m.Type, m.FillNaN = isa.U32, true },
		"images in 2 dimensions, expected 3 to 5": func(m *Map) { m.Box, m.Column = nil, &Column{Channels: 4, Pixels: 1} },
		"has too many elements":                   func(m *Map) { m.Dims, m.Box = []uint32{1 << 31, 1 << 31, 1}, []uint32{8, 1, 1} },
	} {
		m := good()
		change(m)
		if _, err := m.Encode(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}

// A map is made out of zeros with tensormap.replace, field by field; without one it is not
// complete (PTX ISA, "tensormap.replace").
func TestDraft(t *testing.T) {
	p, err := DraftAt(make([]byte, MapSize))
	if err != nil {
		t.Fatal(err)
	}
	set := func(name string, ord int, v uint64) {
		f := FieldNamed(name)
		if f == nil {
			t.Fatalf("no field %s", name)
		}
		p.Replace(f, ord, v)
	}
	for name, v := range map[string]uint64{"global_address": 1 << 16, "rank": 0, "elemtype": 7, "interleave_layout": 0, "swizzle_mode": 0, "fill_mode": 0} {
		set(name, 0, v)
	}
	set("box_dim", 0, 8)
	set("global_dim", 0, 64)
	if _, err = MapAt(p.Bytes()); err == nil || !strings.Contains(err.Error(), "lacks element_stride 0") {
		t.Errorf("without the last field: %v", err)
	}
	set("element_stride", 0, 1)
	whole, err := MapAt(p.Bytes())
	if err != nil || whole.Check() != nil || whole.TileBytes() != 32 || whole.ElemType() != isa.F32 {
		t.Errorf("%+v, %v, %v", whole, err, whole.Check())
	}
	if FieldNamed("pitch") != nil {
		t.Error("there is a field pitch")
	}
	other := make([]byte, MapSize)
	other[0] = 1
	if _, err := DraftAt(other); err == nil {
		t.Error("other data is taken for a map")
	}
	if _, err := MapAt(make([]byte, MapSize)); err == nil {
		t.Error("zeros are taken for a complete map")
	}
}

// Loads round tf32 elements and, with ftz, make subnormal numbers zeros.
func TestRounding(t *testing.T) {
	for _, c := range []struct {
		m    Map
		v    uint64
		want uint64
	}{
		{Map{Type: isa.TF32}, 0x3f801fff, 0x3f802000},
		{Map{Type: isa.TF32}, 0x3f800fff, 0x3f800000},
		{Map{Type: isa.F32, Ftz: true}, 0x00000001, 0},
		{Map{Type: isa.F32, Ftz: true}, 0x3f801fff, 0x3f801fff},
	} {
		c.m.Addr, c.m.Dims, c.m.Box = 16, []uint32{4}, []uint32{4}
		round := imageOf(t, &c.m).Rounding()
		if got := round([2]uint64{}, [2]uint64{c.v})[0]; got != c.want {
			t.Errorf("%s, ftz %t: %#x becomes %#x, expected %#x", c.m.Type, c.m.Ftz, c.v, got, c.want)
		}
	}
	if imageOf(t, &Map{Type: isa.F32, Addr: 16, Dims: []uint32{4}, Box: []uint32{4}}).Rounding() != nil {
		t.Error("plain f32 is rounded")
	}
}

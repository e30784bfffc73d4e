package matrix

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestValues: numbers of the formats that scale factors and narrow elements have.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		t    isa.Type
		v    uint64
		want float64
	}{
		{isa.UE8M0, 127, 1},
		{isa.UE8M0, 130, 8},
		{isa.UE8M0, 126, .5},
		{isa.UE4M3, 0x38, 1},
		{isa.UE4M3, 0xb8, 1},
		{isa.E2M1, 7, 6},
		{isa.E2M1, 9, -.5},
		{isa.E3M2, 0x3f, -28},
		{isa.E2M3, 0x1f, 7.5},
		{isa.S8, 0xff, -1},
		{isa.U8, 0xff, 255},
	} {
		if got := ValuesOf(c.t, false).At(c.v); got != c.want {
			t.Errorf("%s 0x%x: got %g, want %g", c.t, c.v, got, c.want)
		}
		if got := ValuesOf(c.t, true).At(c.v); got != -c.want {
			t.Errorf("negated %s 0x%x: got %g, want %g", c.t, c.v, got, -c.want)
		}
	}
	if x := ValuesOf(isa.UE8M0, false).At(0xff); x == x {
		t.Errorf("got %g, want NaN", x)
	}
}

// TestSlices compares whole slices with elements one by one, for every type and both signs.
func TestSlices(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, typ := range []isa.Type{isa.F16, isa.BF16, isa.TF32, isa.F32, isa.E4M3, isa.E5M2, isa.E3M2, isa.E2M3, isa.E2M1, isa.S8, isa.U8, isa.B1} {
		pers := []int{8 * SliceBytes / typ.Bits()}
		if typ.Bits() == 4 || typ.Bits() == 6 {
			pers = []int{16, 128 / typ.Bits()}
		}
		for _, per := range pers {
			for _, negate := range []bool{false, true} {
				for count := range 6 {
					from := make([][2]uint64, count)
					for i := range from {
						from[i] = [2]uint64{rng.Uint64(), rng.Uint64()}
					}
					to, v := make([]float64, count*per), ValuesOf(typ, negate)
					v.Slices(to, from, per)
					for i, got := range to {
						want := Number(typ)(Element(&from[i/per], i%per, typ.Bits()))
						if negate {
							want = -want
						}
						if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
							t.Fatalf("%s, %d slices of %d, negated %v: element %d is %v, want %v", typ, count, per, negate, i, got, want)
						}
					}
				}
			}
		}
	}
}

// TestCells compares cells of accumulators, and results of them, one by one.
func TestCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, typ := range []isa.Type{isa.F16, isa.F32, isa.S32} {
		for count := range 11 {
			cells, numbers := make([]uint32, count), make([]float64, count)
			for i := range cells {
				cells[i] = rng.Uint32()
			}
			v := ValuesOf(typ, false)
			v.Cells(numbers, cells)
			for i, got := range numbers {
				if want := v.At(uint64(cells[i]) & (1<<typ.Bits() - 1)); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
					t.Fatalf("%s: cell %d of %d is %v, want %v", typ, i, count, got, want)
				}
			}
			for _, saturate := range []bool{false, typ == isa.S32} {
				Results(cells, typ, saturate, numbers)
				for i, got := range cells {
					if want := uint32(Rounded(typ, saturate, numbers[i])); got != want {
						t.Fatalf("%s: result %d of %d is 0x%x, want 0x%x", typ, i, count, got, want)
					}
				}
			}
		}
	}
}

// TestPanels compares panels with elements where the slices have them.
func TestPanels(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, typ := range []isa.Type{isa.F16, isa.TF32, isa.E4M3, isa.E2M1} {
		for _, rows := range []int{8, 16, 24, 64} {
			for _, across := range []bool{false, true} {
				p := Panel{Rows: rows, K: 2 * 8 * SliceBytes / typ.Bits(), Per: 8 * SliceBytes / typ.Bits(), Across: across}
				lines, line := p.SliceCount()
				b := &Buffers{Slices: make([][2]uint64, lines*line)}
				for i := range b.Slices {
					b.Slices[i] = [2]uint64{rng.Uint64(), rng.Uint64()}
				}
				v := ValuesOf(typ, false)
				byRows, byColumns := p.ByRows(b, &b.A, v), p.ByColumns(b, &b.B, v)
				for row := range rows {
					for k := range p.K {
						slice, e := row*line+k/p.Per, k%p.Per
						if across {
							slice, e = k*line+row/p.Per, row%p.Per
						}
						want := v.At(Element(&b.Slices[slice], e, typ.Bits()))
						if got := []float64{byRows.Row(row, p.K)[k], byColumns.Row(k, rows)[row]}; want == want && (got[0] != want || got[1] != want) {
							t.Fatalf("%s, %+v: row %d, k %d is %v, want %v", typ, p, row, k, got, want)
						}
					}
				}
			}
		}
	}
}

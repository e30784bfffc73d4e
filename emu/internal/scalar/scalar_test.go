package scalar

import (
	"math"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Formats of floating-point types (PTX ISA, "Fundamental Types", "Alternate Floating-Point Data
// Formats"): the value of the bit patterns of 1, and that other types have no format.
func TestFormat(t *testing.T) {
	for typ, one := range map[isa.Type]uint64{
		isa.F16: 0x3c00, isa.BF16: 0x3f80, isa.TF32: 0x3f800000, isa.F32: 0x3f800000,
		isa.F64: math.Float64bits(1), isa.E4M3: 0x38, isa.E5M2: 0x3c,
		isa.E3M2: 0x0c, isa.E2M3: 0x08, isa.E2M1: 0x2,
	} {
		f := Format(typ)
		if f == nil {
			t.Errorf("%s: no format", typ)
			continue
		}
		if got := f.Float64(one); got != 1 {
			t.Errorf("%s: %#x is %g", typ, one, got)
		}
		if got := f.FromFloat64(1, num.RN); got != one {
			t.Errorf("%s: 1 is %#x", typ, got)
		}
	}
	for _, typ := range []isa.Type{isa.U32, isa.S8, isa.B64, isa.Pred} {
		if Format(typ) != nil {
			t.Errorf("%s has a format", typ)
		}
	}
}

func TestInteger(t *testing.T) {
	for _, c := range []struct {
		v    uint64
		t    isa.Type
		want int64
	}{
		{0xff, isa.U8, 255},
		{0xff, isa.S8, -1},
		{0x7f, isa.S8, 127},
		{0x80, isa.S8, -128},
		{0x8, isa.S4, -8},
		{0x7, isa.S4, 7},
		{0xf, isa.U4, 15},
		{0xffff, isa.S16, -1},
		{0x80000000, isa.S32, math.MinInt32},
		{0xffffffff, isa.U32, math.MaxUint32},
		{0xffffffffffffff80, isa.S8, -128}, // bits above the type do not count
		{1 << 63, isa.S64, math.MinInt64},
	} {
		if got := Integer(c.v, c.t); got != c.want {
			t.Errorf("%#x as %s: %d, expected %d", c.v, c.t, got, c.want)
		}
	}
}

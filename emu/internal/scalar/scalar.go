// Package scalar maps types of the instruction table to number formats of package num.
package scalar

import (
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Format returns the format of a scalar floating-point type, nil for others.
func Format(t isa.Type) *num.Format {
	switch t {
	case isa.F16:
		return num.F16
	case isa.BF16:
		return num.BF16
	case isa.TF32:
		return num.TF32
	case isa.F32:
		return num.F32
	case isa.F64:
		return num.F64
	case isa.E4M3:
		return num.E4M3
	case isa.E5M2:
		return num.E5M2
	case isa.E3M2:
		return num.E3M2
	case isa.E2M3:
		return num.E2M3
	case isa.E2M1:
		return num.E2M1
	}
	return nil
}

// Integer returns the value of an integer of type t.
func Integer(v uint64, t isa.Type) int64 {
	if t.Signed() {
		shift := 64 - t.Bits()
		return int64(v<<shift) >> shift
	}
	return int64(v)
}

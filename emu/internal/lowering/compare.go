// Comparisons of two registers, and what compilers do with their results.

package lowering

import (
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Comparison is the computation of a comparison in assembly: "less" is "greater" with swapped sources.
type Comparison struct {
	Op   vector.Op
	Swap bool
}

// Compare returns the operation of a comparison of type t, Slow if there is none.
func Compare(in *rewrite.Inst, t isa.Type) Comparison {
	cmp, _ := CompareOf(in)
	switch t {
	case isa.U16, isa.B16, isa.U32, isa.B32:
		return integerComparison(cmp, vector.SetEq32, vector.SetNe32, vector.SetGtU32, vector.SetLeU32)
	case isa.S16, isa.S32:
		return integerComparison(cmp, vector.SetEq32, vector.SetNe32, vector.SetGtS32, vector.SetLeS32)
	case isa.U64, isa.B64:
		return integerComparison(cmp, vector.SetEq64, vector.SetNe64, vector.SetGtU64, vector.SetLeU64)
	case isa.S64:
		return integerComparison(cmp, vector.SetEq64, vector.SetNe64, vector.SetGtS64, vector.SetLeS64)
	case isa.F32:
		if in.Has("ftz") {
			return floatComparisonsFtz[cmp]
		}
		return floatComparisons32[cmp]
	case isa.F16, isa.BF16: // as f32, which includes all their numbers
		if !in.Has("ftz") {
			return floatComparisons32[cmp]
		}
	case isa.F64:
		return floatComparisons64[cmp]
	}
	return Comparison{}
}

// Widening has, by narrow type, the operation that widens operands for a 32-bit comparison. Registers hold s16
// zero-extended, which does not preserve the order.
var Widening = map[isa.Type]vector.Op{isa.S16: vector.Sign16, isa.F16: vector.F32FromF16, isa.BF16: vector.F32FromBF16}

func integerComparison(cmp num.Cmp, eq, ne, gt, le vector.Op) Comparison {
	switch cmp {
	case num.Eq:
		return Comparison{eq, false}
	case num.Ne:
		return Comparison{ne, false}
	case num.Gt:
		return Comparison{gt, false}
	case num.Lt:
		return Comparison{gt, true}
	case num.Le:
		return Comparison{le, false}
	case num.Ge:
		return Comparison{le, true}
	}
	return Comparison{}
}

var floatComparisons32 = [...]Comparison{
	num.Eq: {vector.SetEqF32, false}, num.Ne: {vector.SetNeF32, false},
	num.Lt: {vector.SetLtF32, false}, num.Gt: {vector.SetLtF32, true},
	num.Le: {vector.SetLeF32, false}, num.Ge: {vector.SetLeF32, true},
	num.EqU: {vector.SetEqUF32, false}, num.NeU: {vector.SetNeUF32, false},
	num.LtU: {vector.SetLtUF32, false}, num.GtU: {vector.SetLtUF32, true},
	num.LeU: {vector.SetLeUF32, false}, num.GeU: {vector.SetLeUF32, true},
	num.Num: {vector.SetNumF32, false}, num.Nan: {vector.SetNanF32, false},
}

var floatComparisonsFtz = [...]Comparison{
	num.Eq: {vector.SetEqF32Ftz, false}, num.Ne: {vector.SetNeF32Ftz, false},
	num.Lt: {vector.SetLtF32Ftz, false}, num.Gt: {vector.SetLtF32Ftz, true},
	num.Le: {vector.SetLeF32Ftz, false}, num.Ge: {vector.SetLeF32Ftz, true},
	num.EqU: {vector.SetEqUF32Ftz, false}, num.NeU: {vector.SetNeUF32Ftz, false},
	num.LtU: {vector.SetLtUF32Ftz, false}, num.GtU: {vector.SetLtUF32Ftz, true},
	num.LeU: {vector.SetLeUF32Ftz, false}, num.GeU: {vector.SetLeUF32Ftz, true},
	num.Num: {vector.SetNumF32Ftz, false}, num.Nan: {vector.SetNanF32Ftz, false},
}

var floatComparisons64 = [...]Comparison{
	num.Eq: {vector.SetEqF64, false}, num.Ne: {vector.SetNeF64, false},
	num.Lt: {vector.SetLtF64, false}, num.Gt: {vector.SetLtF64, true},
	num.Le: {vector.SetLeF64, false}, num.Ge: {vector.SetLeF64, true},
	num.EqU: {vector.SetEqUF64, false}, num.NeU: {vector.SetNeUF64, false},
	num.LtU: {vector.SetLtUF64, false}, num.GtU: {vector.SetLtUF64, true},
	num.LeU: {vector.SetLeUF64, false}, num.GeU: {vector.SetLeUF64, true},
	num.Num: {vector.SetNumF64, false}, num.Nan: {vector.SetNanF64, false},
}

// CompareOf returns the comparison that an instruction names.
func CompareOf(in *rewrite.Inst) (op num.Cmp, found bool) {
	op = num.Eq
	for _, s := range in.Mods {
		if c, ok := num.CmpOf(s); ok {
			op, found = c, true
		}
	}
	return op, found
}

// Bool returns the operation that combines a comparison with a predicate.
func Bool(in *rewrite.Inst) vector.Op {
	switch {
	case in.Has("or"):
		return vector.OrPred
	case in.Has("xor"):
		return vector.XorPred
	}
	return vector.AndPred
}

// Pairs has the operation for a pair of operations of which the second uses the first's result as one of its two
// sources: C is the other source, E the second result. Such pairs compute addresses and test flags.
var Pairs = map[[2]vector.Op]vector.Op{
	{vector.MulWideU32, vector.Add64}: vector.MulWideAddU32,
	{vector.MulWideS32, vector.Add64}: vector.MulWideAddS32,
	{vector.And32, vector.Add32}:      vector.AndAdd32,
	{vector.And32, vector.SetEq32}:    vector.AndSetEq32,
	{vector.And32, vector.SetNe32}:    vector.AndSetNe32,
}

// ComparedBranches has the operations of forward branches on the result of the comparison before.
var ComparedBranches = map[vector.Op]vector.Op{
	vector.SetEq32: vector.SetEq32Branch, vector.SetNe32: vector.SetNe32Branch,
	vector.SetGtS32: vector.SetGtS32Branch, vector.SetLeS32: vector.SetLeS32Branch,
	vector.SetGtU32: vector.SetGtU32Branch, vector.SetLeU32: vector.SetLeU32Branch,
	vector.SetEq64: vector.SetEq64Branch, vector.SetNe64: vector.SetNe64Branch,
	vector.SetGtS64: vector.SetGtS64Branch, vector.SetLeS64: vector.SetLeS64Branch,
	vector.SetGtU64: vector.SetGtU64Branch, vector.SetLeU64: vector.SetLeU64Branch,
}

// Floating-point numbers: computed where all operands are known, and the result needs no rounding.

package hostir

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// realArithmetic gives the instructions that compute a floating-point number from two.
var realArithmetic = map[string]func(z, a, b *big.Rat) *big.Rat{
	"fadd": (*big.Rat).Add, "fsub": (*big.Rat).Sub, "fmul": (*big.Rat).Mul, "fdiv": (*big.Rat).Quo,
}

// realFunctions gives the functions of the C library, and the intrinsics, whose results need no rounding, by their
// names for double.
var realFunctions = map[string]func(f float64) float64{
	"sqrt": exactRoot, "floor": math.Floor, "ceil": math.Ceil, "trunc": math.Trunc, "round": math.Round, "fabs": math.Abs,
}

// exactRoot returns the square root of a number, no number if it has to be rounded.
func exactRoot(f float64) float64 {
	root := math.Sqrt(f)
	z := new(big.Rat).SetFloat64(root)
	if z == nil || z.Mul(z, z).Cmp(new(big.Rat).SetFloat64(f)) != 0 {
		return math.NaN()
	}
	return root
}

// number makes a floating-point value of a type; unknown for types other than float and double, for what is no number,
// and for one that the type has to round: programs may compute in wider types, and leave out a rounding before the next
// operation.
func number(f float64, t *llvm.Type) memory.Value {
	exact := t != nil && t.Kind == llvm.FloatType && (t.Bits == 64 || t.Bits == 32 && float64(float32(f)) == f)
	if !exact || math.IsNaN(f) || math.IsInf(f, 0) {
		return memory.Value{}
	}
	return memory.Value{Real: &f}
}

// rational returns a floating-point value; ok is false if it is unknown.
func rational(v memory.Value) (r *big.Rat, ok bool) {
	if v.Real == nil {
		return nil, false
	}
	r = new(big.Rat).SetFloat64(*v.Real)
	return r, r != nil
}

// realResult returns the value of an instruction that computes a floating-point number from others.
func (x *executor) realResult(in *llvm.Instr) memory.Value {
	var args []*big.Rat
	for _, a := range x.operands(in) {
		r, ok := rational(a)
		if !ok || in.Inexact {
			return memory.Value{}
		}
		args = append(args, r)
	}
	var r *big.Rat
	t := in.Type
	switch f, binary := realArithmetic[in.Op]; {
	case binary && len(args) == 2 && (in.Op != "fdiv" || args[1].Sign() != 0):
		r = f(new(big.Rat), args[0], args[1])
	case in.Op == "fneg" && len(args) == 1:
		r, t = args[0].Neg(args[0]), in.Args[0].Type
	case (in.Op == "fptrunc" || in.Op == "fpext") && len(args) == 1:
		r = args[0]
	default:
		return memory.Value{}
	}
	f, exact := r.Float64()
	if !exact {
		return memory.Value{}
	}
	return number(f, t)
}

// calculated returns the result of a function of one floating-point number; ok is false for other functions, and if the
// number is unknown.
func (x *executor) calculated(name string, in *llvm.Instr, args []memory.Value) (v memory.Value, ok bool) {
	if in.Type == nil || in.Type.Kind != llvm.FloatType || len(args) != 1 || args[0].Real == nil {
		return memory.Value{}, false
	}
	if in.Type.Bits == 32 && realFunctions[name] == nil {
		name = strings.TrimSuffix(name, "f")
	}
	f, ok := realFunctions[name]
	if !ok {
		return memory.Value{}, false
	}
	return number(f(*args[0].Real), in.Type), true
}

// compareReals returns the value of fcmp. Its predicates are those of numbers, with o or u before them, and ord and uno
// (LLVM Language Reference, "fcmp"); known values are no NaNs.
func (x *executor) compareReals(in *llvm.Instr) memory.Value {
	args := x.operands(in)
	if len(args) != 2 || len(in.Pred) < 3 || args[0].Real == nil || args[1].Real == nil {
		return memory.Value{Cond: expr.Maybe(), Bits: 1}
	}
	a, b := *args[0].Real, *args[1].Real
	holds, known := map[string]bool{
		"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b, "rd": true, "no": false,
	}[in.Pred[1:]]
	if !known {
		return memory.Value{Cond: expr.Maybe(), Bits: 1}
	}
	return memory.Value{Cond: expr.Truth(holds), Bits: 1}
}

// toReal returns an integer as a floating-point number.
func (x *executor) toReal(in *llvm.Instr) memory.Value {
	if len(in.Args) != 1 || in.Type == nil || in.Type.Kind != llvm.FloatType {
		return memory.Value{}
	}
	v := x.operand(in.Args[0])
	if !v.Known() {
		return memory.Value{}
	}
	n := v.AsSigned()
	if in.Op == "uitofp" {
		n = v.AsUnsigned()
	}
	k, ok := n.Const()
	if !ok || in.Op == "uitofp" && k.Sign() < 0 || in.Op == "sitofp" && !k.IsInt64() {
		return memory.Value{}
	}
	f, exact := new(big.Rat).SetInt(k).Float64()
	if !exact {
		return memory.Value{}
	}
	return number(f, in.Type)
}

// toInteger returns a floating-point number as an integer.
func (x *executor) toInteger(in *llvm.Instr) memory.Value {
	if len(in.Args) != 1 || in.Type == nil || in.Type.Kind != llvm.IntType {
		return memory.Value{}
	}
	v := x.operand(in.Args[0])
	if v.Real == nil {
		return memory.Value{}
	}
	return whole(*v.Real, in)
}

// whole returns a real number as an integer.
func whole(f float64, in *llvm.Instr) memory.Value {
	sign := "s"
	if in.Op == "fptoui" {
		sign = "u"
	}
	lo, hi, ok := facts.TypeRange(sign + strconv.FormatInt(in.Type.Bits, 10))
	if !ok || math.Abs(f) >= 1<<31 {
		return memory.Value{}
	}
	k, _ := new(big.Float).SetFloat64(f).Int(nil)
	if k.Cmp(lo) < 0 || k.Cmp(hi) > 0 {
		return memory.Value{}
	}
	return memory.NewConstant(k, in.Type.Bits)
}

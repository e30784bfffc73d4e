// Floating-point numbers: computed where all operands are known, and the result needs no rounding.

package hostir

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
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
func number(f float64, t *typ) value {
	exact := t != nil && t.kind == tyFloat && (t.bits == 64 || t.bits == 32 && float64(float32(f)) == f)
	if !exact || math.IsNaN(f) || math.IsInf(f, 0) {
		return value{}
	}
	return value{real: &f}
}

// rational returns a floating-point value; ok is false if it is unknown.
func (v value) rational() (r *big.Rat, ok bool) {
	if v.real == nil {
		return nil, false
	}
	r = new(big.Rat).SetFloat64(*v.real)
	return r, r != nil
}

// realResult returns the value of an instruction that computes a floating-point number from others.
func (x *executor) realResult(in *instr) value {
	var args []*big.Rat
	for _, a := range x.operands(in) {
		r, ok := a.rational()
		if !ok || in.inexact {
			return value{}
		}
		args = append(args, r)
	}
	var r *big.Rat
	t := in.typ
	switch f, binary := realArithmetic[in.op]; {
	case binary && len(args) == 2 && (in.op != "fdiv" || args[1].Sign() != 0):
		r = f(new(big.Rat), args[0], args[1])
	case in.op == "fneg" && len(args) == 1:
		r, t = args[0].Neg(args[0]), in.args[0].typ
	case (in.op == "fptrunc" || in.op == "fpext") && len(args) == 1:
		r = args[0]
	default:
		return value{}
	}
	f, exact := r.Float64()
	if !exact {
		return value{}
	}
	return number(f, t)
}

// calculated returns the result of a function of one floating-point number; ok is false for other functions, and if the
// number is unknown.
func (x *executor) calculated(name string, in *instr, args []value) (v value, ok bool) {
	if in.typ == nil || in.typ.kind != tyFloat || len(args) != 1 || args[0].real == nil {
		return value{}, false
	}
	if in.typ.bits == 32 && realFunctions[name] == nil {
		name = strings.TrimSuffix(name, "f")
	}
	f, ok := realFunctions[name]
	if !ok {
		return value{}, false
	}
	return number(f(*args[0].real), in.typ), true
}

// compareReals returns the value of fcmp. Its predicates are those of numbers, with o or u before them, and ord and uno
// (LLVM Language Reference, "fcmp"); known values are no NaNs.
func (x *executor) compareReals(in *instr) value {
	args := x.operands(in)
	if len(args) != 2 || len(in.pred) < 3 || args[0].real == nil || args[1].real == nil {
		return value{cond: expr.Maybe(), bits: 1}
	}
	a, b := *args[0].real, *args[1].real
	holds, known := map[string]bool{
		"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b, "rd": true, "no": false,
	}[in.pred[1:]]
	if !known {
		return value{cond: expr.Maybe(), bits: 1}
	}
	return value{cond: expr.Truth(holds), bits: 1}
}

// toReal returns an integer as a floating-point number.
func (x *executor) toReal(in *instr) value {
	if len(in.args) != 1 || in.typ == nil || in.typ.kind != tyFloat {
		return value{}
	}
	v := x.operand(in.args[0])
	if !v.known() {
		return value{}
	}
	n := v.asSigned()
	if in.op == "uitofp" {
		n = v.asUnsigned()
	}
	k, ok := n.Const()
	if !ok || in.op == "uitofp" && k.Sign() < 0 || in.op == "sitofp" && !k.IsInt64() {
		return value{}
	}
	f, exact := new(big.Rat).SetInt(k).Float64()
	if !exact {
		return value{}
	}
	return number(f, in.typ)
}

// toInteger returns a floating-point number as an integer.
func (x *executor) toInteger(in *instr) value {
	if len(in.args) != 1 || in.typ == nil || in.typ.kind != tyInt {
		return value{}
	}
	v := x.operand(in.args[0])
	if v.real == nil {
		return value{}
	}
	return whole(*v.real, in)
}

// whole returns a real number as an integer.
func whole(f float64, in *instr) value {
	sign := "s"
	if in.op == "fptoui" {
		sign = "u"
	}
	lo, hi, ok := facts.TypeRange(sign + strconv.FormatInt(in.typ.bits, 10))
	if !ok || math.Abs(f) >= 1<<31 {
		return value{}
	}
	k, _ := new(big.Float).SetFloat64(f).Int(nil)
	if k.Cmp(lo) < 0 || k.Cmp(hi) > 0 {
		return value{}
	}
	return constant(k, in.typ.bits)
}

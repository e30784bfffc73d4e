// Floating-point registers that hold integers: indices that programs compute in float or double.

package symbolic

import (
	"math"
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// exactBits returns how many bits the magnitude of an integer may have so that a type of IEEE 754 represents all
// integers up to it; 0 for other types.
func exactBits(t isa.Type) int {
	switch t {
	case isa.F32:
		return 24
	case isa.F64:
		return 53
	}
	return 0
}

// exact returns a number as the content of a register of a type, nil unless the type represents each value that it may
// have: an operation whose result the type represents is not rounded, in any mode (IEEE 754, 4.3).
func exact(x *expr.Int, t isa.Type) *expr.Int {
	n := exactBits(t)
	if x == nil || x.IsUnknown() || n == 0 {
		return nil
	}
	lo, hi := x.Range()
	top := new(big.Int).Lsh(big.NewInt(1), uint(n))
	if lo == nil || hi == nil || lo.CmpAbs(top) > 0 || hi.CmpAbs(top) > 0 {
		return nil
	}
	return x
}

// literal returns the integer that an immediate of a floating-point type is, nil for other numbers.
func literal(o *rewrite.Operand) *expr.Int {
	x := math.Float64frombits(o.Imm)
	if o.Single {
		x = float64(math.Float32frombits(uint32(o.Imm)))
	}
	if x != math.Trunc(x) || math.Abs(x) > 1<<53 {
		return nil
	}
	return expr.Const(int64(x))
}

// number returns the integer that a source operand of a floating-point type equals, nil where that is not known.
func (e *evaluation) number(n int, t isa.Type) *expr.Int {
	if n >= len(e.in.Operands) || exactBits(t) == 0 {
		return nil
	}
	return exact(e.f.operand(e.in, &e.in.Operands[n]).Number, t)
}

// floating evaluates an instruction that computes a floating-point number of integers, or an integer of one. It returns
// false where the result may not be an integer that the type represents.
func (e *evaluation) floating() (Value, bool) {
	to := e.in.Type(0)
	extremum := e.in.Instr.Calc == isa.CalcMin || e.in.Instr.Calc == isa.CalcMax
	if e.in.Has("sat") || extremum && (len(e.in.Operands) > 3 || e.in.Has("abs")) { // of three numbers, of magnitudes (PTX ISA, "min")
		return Value{}, false
	}
	if e.in.Instr.Calc == isa.CalcConvert {
		return e.convertNumber(to, e.in.Type(1))
	}
	x, y := e.number(1, to), e.number(2, to)
	if to.Bits() != e.bits || x == nil {
		return Value{}, false
	}
	one := map[isa.Calc]func() *expr.Int{
		isa.CalcCopy:       func() *expr.Int { return x },
		isa.CalcNegate:     func() *expr.Int { return expr.Neg(x) },
		isa.CalcAbs:        func() *expr.Int { return expr.Max(x, expr.Neg(x)) },
		isa.CalcSquareRoot: func() *expr.Int { return e.root(x) },
	}
	two := map[isa.Calc]func() *expr.Int{
		isa.CalcAdd:    func() *expr.Int { return expr.Add(x, y) },
		isa.CalcSub:    func() *expr.Int { return expr.Sub(x, y) },
		isa.CalcMul:    func() *expr.Int { return expr.Mul(x, y) },
		isa.CalcMin:    func() *expr.Int { return expr.Min(x, y) },
		isa.CalcMax:    func() *expr.Int { return expr.Max(x, y) },
		isa.CalcSelect: func() *expr.Int { return expr.Ite(e.truth(3), x, y) },
		isa.CalcMulAdd: func() *expr.Int {
			product, z := exact(expr.Mul(x, y), to), e.number(3, to)
			if product == nil || z == nil {
				return nil
			}
			return expr.Add(product, z)
		},
	}
	compute := one[e.in.Instr.Calc]
	if compute == nil && y != nil {
		compute = two[e.in.Instr.Calc]
	}
	if compute == nil {
		return Value{}, false
	}
	z := exact(compute(), to)
	return Value{Int: expr.Unknown(), Number: z}, z != nil
}

// root returns the square root of a constant square, nil for others. Only with a rounding mode is it that of IEEE 754
// (PTX ISA, "sqrt").
func (e *evaluation) root(x *expr.Int) *expr.Int {
	k, ok := x.Const()
	if !ok || k.Sign() < 0 || !e.in.Has("rn") && !e.in.Has("rz") && !e.in.Has("rm") && !e.in.Has("rp") {
		return nil
	}
	if r := new(big.Int).Sqrt(k); new(big.Int).Mul(r, r).Cmp(k) == 0 {
		return expr.Big(r)
	}
	return nil
}

// convertNumber evaluates cvt between integers and floating-point numbers. A number beyond an integer type becomes the
// type's nearest value (PTX ISA, "cvt").
func (e *evaluation) convertNumber(to, from isa.Type) (Value, bool) {
	var x *expr.Int
	switch {
	case exactBits(from) > 0:
		x = e.number(1, from)
	case integer(from):
		x = e.as(1, from)
	}
	if x == nil || x.IsUnknown() {
		return Value{}, false
	}
	if exactBits(to) > 0 {
		z := exact(x, to)
		return Value{Int: expr.Unknown(), Number: z}, z != nil && to.Bits() == e.bits
	}
	if !integer(to) || to.Bits() > e.bits || exactBits(from) == 0 {
		return Value{}, false
	}
	lo, hi := limits(to)
	return known(expr.Max(expr.Big(lo), expr.Min(x, expr.Big(hi))))
}

// limits returns the least and the greatest number of an integer type.
func limits(t isa.Type) (lo, hi *big.Int) {
	lo, hi = new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(t.Bits()))
	if t.Signed() {
		hi.Rsh(hi, 1)
		lo.Neg(hi)
	}
	return lo, hi.Sub(hi, big.NewInt(1))
}

// Constant expressions of operands and initial values.

package rewrite

import (
	"fmt"
	"math"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// Const is the value of a constant expression: an integer, or a floating-point
// number (PTX ISA 4.5, Constants).
type Const struct {
	Bits   uint64
	Float  bool // Bits holds a float64, or a float32 when Single
	Single bool // written as 0f...: not converted to double
}

// Float64 returns the value of a floating-point constant.
func (c Const) Float64() float64 {
	if c.Single {
		return float64(math.Float32frombits(uint32(c.Bits)))
	}
	return math.Float64frombits(c.Bits)
}

// warpSize is the predefined integer constant (PTX ISA 4.5.1).
const warpSize = "WARP_SZ"

// EvalConst evaluates a constant expression. Integers follow
// ptxgrammar.Module.Eval; floating-point numbers know the signs, + - * / and ?:.
// The error says what is not constant.
func EvalConst(m *ptxgrammar.Module, o *ptxgrammar.Operand) (Const, error) {
	if v, ok := m.Eval(o); ok {
		return Const{Bits: v}, nil
	}
	if o.Kind == ptxgrammar.OperandName && m.Name(o) == warpSize {
		return Const{Bits: 32}, nil
	}
	if c, ok := evalFloat(m, o); ok {
		return c, nil
	}
	return Const{}, fmt.Errorf("%q has no constant value", shown(m, o))
}

// evalFloat evaluates a floating-point expression.
func evalFloat(m *ptxgrammar.Module, o *ptxgrammar.Operand) (c Const, ok bool) {
	kids := m.Children(o)
	switch o.Kind {
	case ptxgrammar.OperandFloat:
		return Const{Bits: o.Value, Float: true, Single: o.Single}, true
	case ptxgrammar.OperandUnary:
		x, ok := evalFloat(m, &kids[0])
		switch op := m.Operator(o); {
		case op == "-" && x.Single:
			x.Bits ^= 1 << 31
		case op == "-":
			x.Bits ^= 1 << 63
		case op != "+":
			return c, false
		}
		return x, ok
	case ptxgrammar.OperandBinary:
		x, okX := evalFloat(m, &kids[0])
		y, okY := evalFloat(m, &kids[1])
		v, ok := floatArithmetic(m.Operator(o), x.Float64(), y.Float64())
		return Const{Bits: math.Float64bits(v), Float: true}, ok && okX && okY
	case ptxgrammar.OperandCond:
		cond, ok := m.Eval(&kids[0])
		if !ok {
			return c, false
		}
		if cond != 0 {
			return evalFloat(m, &kids[1])
		}
		return evalFloat(m, &kids[2])
	}
	return c, false
}

func floatArithmetic(op string, x, y float64) (float64, bool) {
	switch op {
	case "+":
		return x + y, true
	case "-":
		return x - y, true
	case "*":
		return x * y, true
	case "/":
		return x / y, true
	}
	return 0, false
}

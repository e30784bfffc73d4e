// Evaluating constant expressions.

package ptxgrammar

// warpSize is the value of the predefined constant WARP_SZ.
const warpSize = 32

// Eval returns the value of a constant integer expression in 64-bit arithmetic (PTX ISA "Constant Expressions"). The
// only name is WARP_SZ, and floating point is not allowed. Division, remainder, right shift and comparison are signed
// unless an operand is unsigned: a literal with the suffix U or above the signed range, or a cast to .u64. ok is false
// when the operand is not such an expression or divides by zero.
func (m *Module) Eval(o *Operand) (v uint64, ok bool) {
	c, ok := m.eval(o)
	return c.bits, ok
}

// constant is a 64-bit value with its type, .s64 or .u64.
type constant struct {
	bits     uint64
	unsigned bool
}

func (m *Module) eval(o *Operand) (constant, bool) {
	kids := m.Children(o)
	var vals [3]constant
	switch o.Kind {
	case OperandInt:
		text := m.OperandText(o)
		return constant{o.Value, o.Value>>63 != 0 || text[len(text)-1] == 'U'}, true
	case OperandName:
		return constant{bits: warpSize}, m.OperandText(o) == "WARP_SZ"
	case OperandUnary, OperandBinary, OperandCast, OperandCond:
		for i := range kids {
			var ok bool
			if vals[i], ok = m.eval(&kids[i]); !ok {
				return constant{}, false
			}
		}
	default:
		return constant{}, false
	}
	switch o.Kind {
	case OperandUnary:
		return evalUnary(m.Operator(o), vals[0])
	case OperandBinary:
		return evalBinary(m.Operator(o), vals[0], vals[1])
	case OperandCast:
		return evalCast(m.CastType(o), vals[0])
	}
	u := vals[1].unsigned || vals[2].unsigned
	if vals[0].bits != 0 {
		return constant{vals[1].bits, u}, true
	}
	return constant{vals[2].bits, u}, true
}

func evalCast(to string, v constant) (constant, bool) {
	switch to {
	case ".u64":
		return constant{v.bits, true}, true
	case ".s64":
		return constant{v.bits, false}, true
	}
	return constant{}, false
}

func evalUnary(op string, v constant) (constant, bool) {
	switch op {
	case "+":
		return v, true
	case "-":
		return constant{-v.bits, v.unsigned}, true
	case "~":
		return constant{^v.bits, v.unsigned}, true
	case "!":
		return truth(v.bits == 0), true
	}
	return constant{}, false
}

func truth(b bool) constant {
	if b {
		return constant{bits: 1}
	}
	return constant{}
}

func evalBinary(op string, x, y constant) (constant, bool) {
	u := x.unsigned || y.unsigned
	value := func(bits uint64) (constant, bool) { return constant{bits, u}, true }
	less := int64(x.bits) < int64(y.bits)
	if u {
		less = x.bits < y.bits
	}
	switch op {
	case "+":
		return value(x.bits + y.bits)
	case "-":
		return value(x.bits - y.bits)
	case "*":
		return value(x.bits * y.bits)
	case "&":
		return value(x.bits & y.bits)
	case "|":
		return value(x.bits | y.bits)
	case "^":
		return value(x.bits ^ y.bits)
	case "/", "%":
		return evalDivide(op, x, y, u)
	case "<<":
		return constant{x.bits << min(y.bits, 64), x.unsigned}, true
	case ">>":
		if x.unsigned {
			return constant{x.bits >> min(y.bits, 64), true}, true
		}
		return constant{uint64(int64(x.bits) >> min(y.bits, 63)), false}, true
	case "<":
		return truth(less), true
	case ">=":
		return truth(!less), true
	case ">":
		return truth(!less && x.bits != y.bits), true
	case "<=":
		return truth(less || x.bits == y.bits), true
	case "==":
		return truth(x.bits == y.bits), true
	case "!=":
		return truth(x.bits != y.bits), true
	case "&&":
		return truth(x.bits != 0 && y.bits != 0), true
	case "||":
		return truth(x.bits != 0 || y.bits != 0), true
	}
	return constant{}, false
}

func evalDivide(op string, x, y constant, unsigned bool) (constant, bool) {
	switch {
	case y.bits == 0:
		return constant{}, false
	case op == "/" && unsigned:
		return constant{x.bits / y.bits, true}, true
	case op == "/":
		return constant{uint64(int64(x.bits) / int64(y.bits)), false}, true
	case unsigned:
		return constant{x.bits % y.bits, true}, true
	}
	return constant{uint64(int64(x.bits) % int64(y.bits)), false}, true
}

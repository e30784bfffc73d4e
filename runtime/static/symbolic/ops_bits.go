// Instructions that count or reverse all bits of a register.

package symbolic

import "github.com/ptxsan/ptxsan/runtime/static/expr"

// ones evaluates popc (PTX ISA, "popc").
func (e *evaluation) ones() (Value, bool) { return e.ofBits(expr.Ones) }

// leadingZeros evaluates clz: the width for 0 (PTX ISA, "clz").
func (e *evaluation) leadingZeros() (Value, bool) {
	return e.ofBits(func(x *expr.Int, n int) *expr.Int { return expr.Sub(expr.Const(int64(n)), expr.Len(x, n)) })
}

// reversed evaluates brev (PTX ISA, "brev").
func (e *evaluation) reversed() (Value, bool) { return e.ofBits(expr.Flip) }

// ofBits evaluates a function of the bits of the source operand and their number.
func (e *evaluation) ofBits(f func(x *expr.Int, bits int) *expr.Int) (Value, bool) {
	t := e.in.Type(0)
	if !integer(t) || len(e.in.Operands) != 2 {
		return Value{}, false
	}
	return known(f(e.raw(1), t.Bits()))
}

// highest evaluates bfind: the position of the highest bit that differs from the sign of a signed number, or from 0, and with
// .shiftamt how far it is below the highest bit. There is none in 0 and in -1, for which both are 0xffffffff (PTX ISA, "bfind").
func (e *evaluation) highest() (Value, bool) {
	return e.ofBits(func(x *expr.Int, bits int) *expr.Int {
		if e.in.Type(0).Signed() {
			x = signed(x, bits)
			x = expr.Ite(expr.Lt(x, expr.Const(0)), expr.Complement(x), x)
		}
		n, none := expr.Len(x, bits), expr.Const(-1)
		if !e.in.Has("shiftamt") {
			return expr.Add(n, none)
		}
		return expr.Ite(expr.Eq(n, expr.Const(0)), none, expr.Sub(expr.Const(int64(bits)), n))
	})
}

// Instructions on the bits of registers.

package symbolic

import (
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

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

// highest evaluates bfind: the position of the highest bit that differs from the sign of a signed number, or from 0,
// and with .shiftamt how far it is below the highest bit. There is none in 0 and in -1, for which both are 0xffffffff
// (PTX ISA, "bfind").
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

func (e *evaluation) bitwise() (Value, bool) {
	t := e.in.Type(0)
	if t == isa.Pred {
		return e.logic()
	}
	if !e.plain() {
		return Value{}, false
	}
	x, y := e.raw(1), e.raw(2)
	_, xc := x.Const()
	_, yc := y.Const()
	if c, ok := signed(y, t.Bits()).Const(); ok {
		if out := e.f.Kernel.fold(e.in.Instr.Calc, x, c); out != nil {
			return known(out)
		}
	}
	if !xc && !yc { // without a mask, both are interpreted as numbers
		x, y = signedOrUnsigned(x, t.Bits()), signedOrUnsigned(y, t.Bits())
	}
	switch e.in.Instr.Calc {
	case isa.CalcAnd:
		return known(expr.And(x, y))
	case isa.CalcOr:
		return known(expr.Or(x, y))
	}
	return known(expr.Xor(x, y))
}

// signedOrUnsigned interprets a register as signed or unsigned, whichever is simpler.
func signedOrUnsigned(x *expr.Int, bits int) *expr.Int {
	if u := expr.Wrap(x, bits, false); u.Op() != expr.OpWrap {
		return u
	}
	return signed(x, bits)
}

// logic returns an operation on predicates.
func (e *evaluation) logic() (Value, bool) {
	p, q := e.truth(1), e.truth(2)
	switch e.in.Instr.Calc {
	case isa.CalcAnd:
		return Value{Bool: expr.All(p, q)}, true
	case isa.CalcOr:
		return Value{Bool: expr.Any(p, q)}, true
	}
	return Value{Bool: expr.Not(expr.Iff(p, q))}, true
}

func (e *evaluation) truth(n int) *expr.Bool {
	return truth(e.f.operand(e.in, &e.in.Operands[n]))
}

func (e *evaluation) not() (Value, bool) {
	if e.in.Type(0) == isa.Pred {
		return Value{Bool: expr.Not(e.truth(1))}, true
	}
	if !e.plain() {
		return Value{}, false
	}
	return known(expr.Complement(e.raw(1)))
}

// amount returns the amount of a shift, at most one less than the width, and the condition that it is less than the
// width: other amounts shift everything out (PTX ISA, "shl", "shr").
func (e *evaluation) amount() (*expr.Int, *expr.Bool) {
	k, bits := e.as(2, isa.U32), int64(e.bits)
	if within(k, 0, bits-1) {
		return k, expr.True
	}
	return expr.Min(k, expr.Const(bits-1)), expr.Lt(k, expr.Const(bits))
}

func (e *evaluation) shl() (Value, bool) {
	if !e.plain() {
		return Value{}, false
	}
	k, less := e.amount()
	return known(expr.Ite(less, expr.Shl(e.raw(1), k), expr.Const(0)))
}

func within(x *expr.Int, lo, hi int64) bool {
	a, b := x.Range()
	return a != nil && b != nil && a.Cmp(big.NewInt(lo)) >= 0 && b.Cmp(big.NewInt(hi)) <= 0
}

func (e *evaluation) shr() (Value, bool) {
	if !e.plain() {
		return Value{}, false
	}
	k, less := e.amount()
	if e.in.Type(0).Signed() {
		return known(shiftRight(signed(e.raw(1), e.bits), k, e.bits))
	}
	return known(expr.Ite(less, shiftUnsigned(e.raw(1), k, e.bits), expr.Const(0)))
}

// Comparisons, selections, and extraction of bit fields.

package symbolic

import (
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// selectp evaluates selp for types up to the width of modeled integers.
func (e *evaluation) selectp() (Value, bool) {
	a, b := e.f.operand(e.in, &e.in.Operands[1]), e.f.operand(e.in, &e.in.Operands[2])
	if a.Int == nil || b.Int == nil || e.in.Type(0).Bits() != e.bits {
		return Value{}, false
	}
	return known(expr.Ite(e.truth(3), a.Int, b.Int))
}

// compare evaluates setp: a comparison, combined with a predicate if there is one.
func (e *evaluation) compare() (Value, bool) {
	t := e.in.Type(0)
	var p *expr.Bool
	if c, ok := e.in.Comparison(); ok && integer(t) {
		p = comparison(c, e.raw(1), e.raw(2), t)
	} else if x, y := e.number(1, t), e.number(2, t); ok && x != nil && y != nil {
		p = ordered(c, x, y)
	} else {
		p = e.f.freshBool(e.origin(-1))
	}
	if e.half == 1 {
		p = expr.Not(p)
	}
	if len(e.in.Operands) <= 3 {
		return Value{Bool: p}, true
	}
	q := e.truth(3)
	switch e.in.Mod("BoolOp") {
	case "and":
		return Value{Bool: expr.All(p, q)}, true
	case "or":
		return Value{Bool: expr.Any(p, q)}, true
	case "xor":
		return Value{Bool: expr.Not(expr.Iff(p, q))}, true
	}
	return Value{}, false
}

// ordered compares two numbers.
func ordered(c isa.Comparison, x, y *expr.Int) *expr.Bool {
	return expr.Any(expr.All(expr.Truth(c.Less), expr.Lt(x, y)), expr.All(expr.Truth(c.Equal), expr.Eq(x, y)),
		expr.All(expr.Truth(c.Greater), expr.Gt(x, y)))
}

// comparison compares two registers as numbers of a type.
func comparison(c isa.Comparison, x, y *expr.Int, t isa.Type) *expr.Bool {
	bits := t.Bits()
	if c.Less == c.Greater { // eq, ne
		d := signed(expr.Sub(x, y), bits)
		if lo, hi := expr.Sub(x, y).Range(); lo != nil && hi != nil && lo.BitLen() <= bits && hi.BitLen() <= bits {
			d = expr.Sub(x, y) // without wrap-around if they differ by less than 2^bits
		}
		if c.Equal {
			return expr.Eq(d, expr.Const(0))
		}
		return expr.Ne(d, expr.Const(0))
	}
	if c.Greater {
		x, y = y, x
	}
	less := expr.Lt
	if c.Equal {
		less = expr.Le
	}
	if t.Signed() {
		return less(signed(x, bits), signed(y, bits))
	}
	return lessUnsigned(less, x, y, bits)
}

// lessUnsigned compares unsigned numbers, where one may be represented by a negative number: these are greater than all
// others.
func lessUnsigned(less func(x, y *expr.Int) *expr.Bool, x, y *expr.Int, bits int) *expr.Bool {
	ux, uy := expr.Wrap(x, bits, false), expr.Wrap(y, bits, false)
	if ux.Op() != expr.OpWrap && uy.Op() != expr.OpWrap {
		return less(ux, uy)
	}
	x, y = signedOrUnsigned(x, bits), signedOrUnsigned(y, bits)
	zero, big := expr.Const(0), expr.Shl(expr.Const(1), expr.Const(int64(bits)))
	both := func(a, b *expr.Int, ca, cb *expr.Bool) *expr.Bool { return expr.All(ca, cb, less(a, b)) }
	px, py, nx, ny := expr.Ge(x, zero), expr.Ge(y, zero), expr.Lt(x, zero), expr.Lt(y, zero)
	return expr.Any(both(x, y, px, py), both(x, expr.Add(y, big), px, ny), both(expr.Add(x, big), y, nx, py),
		both(x, y, nx, ny))
}

// extract evaluates bfe with constant position and length within the register.
func (e *evaluation) extract() (Value, bool) {
	pos, ok1 := e.as(2, isa.U32).Int64()
	n, ok2 := e.as(3, isa.U32).Int64()
	if !e.plain() || !ok1 || !ok2 || n < 1 || pos+n > int64(e.bits) {
		return Value{}, false
	}
	x := expr.Shr(unsigned(e.raw(1), e.bits), expr.Const(pos))
	return known(expr.Wrap(x, int(n), e.in.Type(0).Signed()))
}

// Generating expressions.

package differential

import (
	"fmt"
	"math"
	"strings"
)

// literal returns a constant; limits of ranges are frequent.
func (g *generator) literal(t scalar) string {
	if t.float {
		return g.floatLiteral(t)
	}
	var v uint64
	switch g.IntN(5) {
	case 0:
		v = uint64(g.IntN(8))
	case 1:
		v = -uint64(g.IntN(4))
	case 2:
		v = uint64(1)<<g.IntN(t.bits) - uint64(g.IntN(2))
	case 3:
		v = g.Uint64() >> g.IntN(64)
	default:
		v = uint64(g.IntN(1000))
	}
	if t.bits < 64 {
		v &= uint64(1)<<t.bits - 1
	}
	return fmt.Sprintf("(%s)%#xull", t.c, v)
}

// floatLiteral returns a number with few digits, a special one, or one with random bits.
func (g *generator) floatLiteral(t scalar) string {
	kind := g.IntN(8)
	if kind > 2 {
		return fmt.Sprintf("(%s)%d.%d", t.c, g.IntN(200)-100, g.IntN(8)*125)
	}
	return fmt.Sprintf("f%d_of(%#xull)", t.bits, g.specialFloat(t, kind))
}

// specialFloat returns the bits of a number for which implementations tend to differ: at the limits of ranges, with
// random bits, or subnormal.
func (g *generator) specialFloat(t scalar, kind int) uint64 {
	mantissa, all := 23, uint64(1)<<31-1
	if t.bits == 64 {
		mantissa, all = 52, uint64(1)<<63-1
	}
	infinity := all &^ (uint64(1)<<mantissa - 1)
	var v uint64
	switch kind {
	case 0:
		v = pickOne(g, []uint64{0, 1, 1<<mantissa - 1, 1 << mantissa, infinity - 1, infinity, all})
	case 1:
		v = g.Uint64() & all
	default:
		v = g.Uint64() & (1<<mantissa - 1)
	}
	if g.chance(2) {
		v |= all + 1
	}
	return v
}

// floatBits returns the bits of a number chosen as in floatLiteral, special ones more often.
func (g *generator) floatBits(t scalar) uint64 {
	small := float64(g.IntN(1600)-800) / 8
	switch kind := g.IntN(6); {
	case kind <= 2:
		return g.specialFloat(t, kind)
	case t.bits == 32:
		return uint64(math.Float32bits(float32(small)))
	}
	return math.Float64bits(small)
}

// expr returns an expression of a type. It has no side effects.
func (g *generator) expr(t scalar, depth int) string {
	if depth <= 0 || g.chance(6) {
		return g.operand(t)
	}
	if t.float {
		return g.floatExpr(t, depth-1)
	}
	return g.intExpr(t, depth-1)
}

// operand returns a variable or a literal.
func (g *generator) operand(t scalar) string {
	if g.chance(4) {
		return g.literal(t)
	}
	v := g.readable()
	return g.convert(v.read(), v.typ, t)
}

// readable returns a variable, an element or a parameter that can be read.
func (g *generator) readable() variable {
	if g.s.params && g.chance(6) {
		return pickOne(g, []variable{
			{expr: "p.a", typ: typeU8},
			{expr: "p.b", typ: typeI16},
			{expr: "p.c[1]", typ: typeU32},
			{expr: "p.d", typ: typeI64},
			{expr: "p.e", typ: typeF32},
			{expr: "p.f", typ: typeF64},
		})
	}
	if len(g.s.arrays) > 0 && g.chance(4) {
		return g.element(pickOne(g, g.s.arrays))
	}
	return pickOne(g, g.s.scalars)
}

// element returns an element of an array.
func (g *generator) element(a array) variable {
	index := fmt.Sprint(g.IntN(a.n))
	if !g.chance(3) {
		v := pickOne(g, g.s.scalars)
		index = fmt.Sprintf("%s & %d", g.convert(v.read(), v.typ, typeU32), a.n-1)
	}
	return variable{expr: fmt.Sprintf("%s[%s]", a.expr, index), typ: a.elem, readonly: a.readonly}
}

// writable returns a variable or an element that can be assigned to.
func (g *generator) writable() variable {
	for {
		v := pickOne(g, g.s.scalars)
		if len(g.s.arrays) > 0 && g.chance(3) {
			v = g.element(pickOne(g, g.s.arrays))
		}
		if !v.readonly {
			return v
		}
	}
}

// convert converts an expression of type from to type to.
func (g *generator) convert(e string, from, to scalar) string {
	switch {
	case from == to:
		return e
	case from.float && !to.float:
		return fmt.Sprintf("truncate<%s>(%s)", to.c, e)
	}
	return fmt.Sprintf("(%s)%s", to.c, e)
}

func (g *generator) intExpr(t scalar, depth int) string {
	sub := func() string { return g.expr(t, depth) }
	w := t.wide()
	switch g.IntN(12) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s)((%s)%s %s (%[2]s)%[5]s)", t.c, w, sub(), pickOne(g, []string{"+", "-", "*", "&", "|", "^"}), sub())
	case 3:
		return fmt.Sprintf("(%s)((%s)%s << (%s & %d))", t.c, w, sub(), g.expr(typeU32, depth), t.bits-1)
	case 4:
		return fmt.Sprintf("(%s)(%s >> (%s & %d))", t.c, sub(), g.expr(typeU32, depth), t.bits-1)
	case 5:
		return fmt.Sprintf("%s<%s>(%s, %s)", pickOne(g, []string{"quotient", "remainder_of"}), t.c, sub(), sub())
	case 6:
		return fmt.Sprintf("(%s)%s", t.c, g.condition(depth))
	case 7:
		return fmt.Sprintf("(%s ? %s : %s)", g.condition(depth), sub(), sub())
	case 8:
		return fmt.Sprintf("(%s)%s(%s)%s", t.c, pickOne(g, []string{"~", "-"}), w, sub())
	case 9:
		u := pickOne(g, commonTypes)
		return g.convert(g.expr(u, depth), u, t)
	case 10:
		return g.rotation(t)
	default:
		return g.operation(t, depth)
	}
}

// rotation returns an expression that compilers may translate to a funnel shift.
func (g *generator) rotation(t scalar) string {
	u := pickOne(g, []scalar{typeU32, typeU64})
	v, n := g.expr(u, 0), 1+g.IntN(u.bits-1)
	return g.convert(fmt.Sprintf("(%s << %d | %[1]s >> %[3]d)", v, n, u.bits-n), u, t)
}

func (g *generator) floatExpr(t scalar, depth int) string {
	sub := func() string { return g.expr(t, depth) }
	switch g.IntN(8) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", sub(), pickOne(g, []string{"+", "-", "*", "/"}), sub())
	case 3:
		return fmt.Sprintf("(%s ? %s : %s)", g.condition(depth), sub(), sub())
	case 4:
		return "(-" + sub() + ")"
	case 5:
		u := pickOne(g, commonTypes)
		return g.convert(g.expr(u, depth), u, t)
	default:
		return g.operation(t, depth)
	}
}

// condition returns a truth value in parentheses.
func (g *generator) condition(depth int) string {
	if depth > 0 && g.chance(5) {
		return fmt.Sprintf("(%s %s %s)", g.condition(depth-1), pickOne(g, []string{"&&", "||", "!="}), g.condition(depth-1))
	}
	t := pickOne(g, commonTypes)
	c := fmt.Sprintf("(%s %s %s)", g.expr(t, depth), pickOne(g, []string{"<", "<=", ">", ">=", "==", "!="}), g.expr(t, depth))
	if g.chance(4) {
		return "(!" + c + ")"
	}
	return c
}

// operation returns a call of an operation whose result has the type, or a type with as many bits.
func (g *generator) operation(t scalar, depth int) string {
	from := t
	if len(g.ops[t]) == 0 || g.chance(4) {
		from = pickOne(g, []scalar{typeU16, typeU32, typeI32, typeU64})
	}
	return g.convert(g.invoke(pickOne(g, g.ops[from]), min(depth, 1)), from, t)
}

// invoke returns a call of an operation.
func (g *generator) invoke(op operation, depth int) string {
	var args []string
	for _, a := range op.args {
		args = append(args, g.expr(a, depth))
	}
	return fmt.Sprintf("%s(%s)", op.name, strings.Join(args, ", "))
}

// Arithmetic on values, as C defines it.

package host

import (
	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

func constantOf(v value) (int64, bool) {
	if v.num == nil {
		return 0, false
	}
	return v.num.Int64()
}

// compare compares two values as C does.
func (x *executor) compare(op string, a, b value) *expr.Bool {
	n, m, _ := common(a, b)
	if k, null := constantOf(b); null && k == 0 && (a.text != nil || a.argv != nil) && expr.Operators[op].Level == expr.Operators["=="].Level {
		return expr.Truth(op == "!=")
	}
	if n == nil || n.IsUnknown() || m.IsUnknown() {
		return expr.Maybe()
	}
	return expr.Operators[op].Compare(n, m)
}

// promoted returns the type to which C promotes a narrow one.
func promoted(typ string) string {
	if bits, _ := width(typ); bits < 32 {
		return "s32"
	}
	return typ
}

// common converts two integers to the type in which C computes; nil if one is not an integer.
func common(a, b value) (n, m *expr.Int, typ string) {
	n, s := a.int()
	m, t := b.int()
	if n == nil || m == nil {
		return nil, nil, ""
	}
	s, t = promoted(s), promoted(t)
	typ = s
	sBits, sSigned := width(s)
	tBits, tSigned := width(t)
	if tBits > sBits || tBits == sBits && sSigned && !tSigned {
		typ = t
	}
	return wrapTo(n, s, typ), wrapTo(m, t, typ), typ
}

// arith computes a binary operation.
func (x *executor) arith(op string, a, b value) value {
	if a.buf != nil || b.buf != nil {
		return x.pointerArith(op, a, b)
	}
	switch {
	case a.text != nil || a.argv != nil:
		return x.moved(op, a, b)
	case (b.text != nil || b.argv != nil) && op == "+":
		return x.moved(op, b, a)
	}
	if a.real != nil || b.real != nil {
		return realArith(op, a, b)
	}
	n, m, typ := common(a, b)
	if n == nil {
		return value{}
	}
	if op == "<<" || op == ">>" { // the type is that of the first operand
		_, t := a.int()
		typ = promoted(t)
		n, _ = a.int()
		m, _ = b.int()
	}
	o := expr.Operators[op]
	if o.Integer == nil {
		return value{}
	}
	r := o.Integer(n, m)
	if _, signed := width(typ); !signed {
		r = wrapTo(r, "s64", typ)
	} else if op == "+" || op == "-" || op == "*" {
		x.inRange(r, typ)
	}
	return value{num: r, typ: typ}
}

// inRange assumes that the result of signed arithmetic is in the range of its type: otherwise the behaviour of the host is
// undefined.
func (x *executor) inRange(r *expr.Int, typ string) {
	_, hi := r.Range()
	_, most, ok := facts.TypeRange(typ)
	if !ok || !r.Uniform() || x.frame == nil {
		return
	}
	if hi == nil || hi.Cmp(most) > 0 {
		x.assume(expr.Le(r, expr.Big(most)), "", facts.Overflow, x.frame.at, false)
	}
}

func (x *executor) pointerArith(op string, a, b value) value {
	if b.buf != nil {
		if op != "+" || a.buf != nil {
			return value{}
		}
		a, b = b, a
	}
	n, _ := b.int()
	if op != "+" && op != "-" || n == nil || n.IsUnknown() || a.elem == 0 || a.off == nil {
		a.off = nil
		return a
	}
	d := expr.Mul(n, expr.Const(a.elem))
	if op == "-" {
		d = expr.Neg(d)
	}
	a.off = expr.Add(a.off, d)
	return a
}

// choose returns c ? a : b.
func (x *executor) choose(c *expr.Bool, a, b value) value {
	if v, ok := c.Const(); ok {
		if v {
			return a
		}
		return b
	}
	if a.equal(b) {
		return a
	}
	n, m, typ := common(a, b)
	if n == nil || !definite(c) {
		x.handsOut(a, b)
		return value{}
	}
	return value{num: expr.Ite(c, n, m), typ: typ}
}

func (x *executor) sizeOfType(t ctype) value {
	if size := x.kindOf(t).size; size > 0 {
		return value{num: expr.Const(size), typ: "u64"}
	}
	return value{}
}

// sizeOfValue returns sizeof for a variable, or for what a pointer points to.
func (x *executor) sizeOfValue(n *node) value {
	if n == nil {
		return value{}
	}
	pointers := 0
	for n.kind == exUnary && n.op == "*" || n.kind == exIndex {
		n = n.x
		pointers++
	}
	if n.kind != exName {
		return value{}
	}
	v := x.lookup(n.op)
	if v == nil || v.typ.name == "" {
		if x.knownType(n.op) {
			return x.sizeOfType(ctype{name: n.op})
		}
		return value{}
	}
	t := v.typ
	t.ptr -= pointers
	if t.ptr < 0 || x.st.values[v].list != nil && pointers == 0 {
		return value{}
	}
	return x.sizeOfType(t)
}

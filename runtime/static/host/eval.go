// The symbolic execution of expressions.

package host

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
)

// textOf returns the source text of an expression.
func (x *executor) textOf(n *node) string {
	if n == nil || n.from < 0 || n.to > len(x.ts) || n.from >= n.to {
		return ""
	}
	s := sourceText(x.ts[n.from:min(n.to, n.from+200)])
	if len(s) > 200 {
		s = s[:200] + "…"
	}
	return s
}

// eval executes an expression. hint names an unknown result.
func (x *executor) eval(n *node, hint string) value {
	if n == nil || !x.step() {
		return value{}
	}
	switch n.kind {
	case exNumber:
		if v, ok := whole(n.op); ok {
			return v
		}
		if k, typ, ok := number(n.op); ok {
			return value{num: expr.Big(k), typ: typ}
		}
	case exString:
		return x.literal(n)
	case exOpaque:
		x.handsOut(x.mentionedIn(n)...)
	case exName:
		return x.named(n)
	case exMember, exIndex:
		return x.load(n)
	case exUnary:
		return x.unaryValue(n, hint)
	case exPostfix:
		v := x.eval(n.x, hint)
		x.store(n.x, x.arith(n.op[:1], v, number64(1)))
		return v
	case exBinary:
		return x.binaryValue(n, hint)
	case exAssign:
		return x.assign(n)
	case exChoice:
		c := x.eval(n.x, "").bool()
		if k, ok := c.Const(); ok && k {
			return x.eval(n.y, hint)
		} else if ok {
			return x.eval(n.z, hint)
		}
		a, b := x.eval(n.y, hint), x.eval(n.z, hint)
		return x.choose(c, a, b)
	case exCast:
		v := x.eval(n.x, hint)
		if n.typ.ptr > 0 && v.to != nil {
			return v // (void **)&p
		}
		if n.typ.ptr == 0 && v.text != nil {
			x.handsOut(v)
		}
		if k := x.kindOf(n.typ); n.typ.ptr == 0 && k.typ != "" && !v.known() && v.cond == nil && v.real == nil {
			if hint == "" {
				hint = n.x.op
			}
			return x.leaf(hint, k.typ)
		}
		return x.convert(v, n.typ, hint)
	case exSizeType:
		return x.sizeOfType(n.typ)
	case exSize:
		return x.sizeOfValue(n.x)
	case exCall:
		return x.call(n, hint)
	case exLaunch:
		x.launch(n)
	case exList:
		v := value{list: []value{}}
		for _, a := range n.args {
			v.list = append(v.list, x.eval(a, hint))
		}
		return v
	}
	return value{}
}

func (x *executor) named(n *node) value {
	switch n.op {
	case "true", "false":
		return value{cond: expr.Truth(n.op == "true")}
	case "nullptr", "NULL", "EXIT_SUCCESS", "cudaSuccess":
		return number64(0)
	case "INT_MAX":
		return number64(1<<31 - 1)
	case "no_argument", "required_argument", "optional_argument": // of getopt.h
		return number64(int64(slices.Index([]string{"no_argument", "required_argument", "optional_argument"}, n.op)))
	}
	for f := x.frame; f != nil; f = nil {
		if v, ok := f.targs[n.op]; ok {
			return v
		}
	}
	if x.lookup(n.op) == nil {
		for _, f := range x.functionsOf(x.unit, n.op) {
			if !f.device && !x.pointed[f] && x.mayLaunch(f, map[*function]bool{}) {
				x.pointed[f] = true
				delete(x.done, f)
			}
		}
	}
	return x.read(x.variableOf(n.op))
}

func (x *executor) unaryValue(n *node, hint string) value {
	switch n.op {
	case "&":
		v, field := x.place(n.x)
		if v != nil {
			x.escaped[v] = true
			return value{to: v, field: field}
		}
		if n.x.kind == exIndex { // &p[i]
			return x.arith("+", x.eval(n.x.x, ""), x.eval(n.x.y, ""))
		}
		x.eval(n.x, "")
		return value{}
	case "*":
		v := x.eval(n.x, hint)
		if v.to != nil {
			return x.fieldOf(v.to, v.field)
		}
		return v.element(0)
	case "++", "--":
		v := x.arith(n.op[:1], x.eval(n.x, hint), number64(1))
		x.store(n.x, v)
		return v
	}
	v := x.eval(n.x, hint)
	num, typ := v.int()
	if v.real != nil && n.op == "-" {
		f := -*v.real
		return value{real: &f}
	}
	switch {
	case n.op == "!":
		return value{cond: expr.Not(v.bool())}
	case num == nil:
	case n.op == "-":
		return x.arith("-", value{num: expr.Const(0), typ: typ}, v)
	case n.op == "~":
		typ = promoted(typ)
		return value{num: wrapTo(expr.Complement(num), "s64", typ), typ: typ}
	case n.op == "+":
		return v
	}
	return value{}
}

func (x *executor) binaryValue(n *node, hint string) value {
	switch n.op {
	case ",":
		x.eval(n.x, "")
		return x.eval(n.y, hint)
	case "&&", "||":
		a := x.eval(n.x, "").bool()
		if k, ok := a.Const(); ok && k == (n.op == "||") {
			return value{cond: a}
		}
		before := x.st.clone()
		b := x.eval(n.y, "").bool()
		if len(x.st.path) != len(before.path) {
			x.st.path = before.path
		}
		return value{cond: expr.Operators[n.op].Logic(a, b)}
	}
	a, b := x.eval(n.x, hint), x.eval(n.y, hint)
	if expr.Operators[n.op].Compare != nil {
		return value{cond: x.compare(n.op, a, b)}
	}
	if n.op == ">>" {
		if num, _ := a.int(); num == nil { // a stream
			if v, field := x.place(n.y); v != nil && field == "" {
				x.st.values[v] = x.uninitialised(v.typ)
				x.given(v)
			} else if v != nil {
				x.setField(v, field, value{})
			}
			return a
		}
	}
	return x.arith(n.op, a, b)
}

func (x *executor) assign(n *node) value {
	hint := ""
	if v, field := x.place(n.x); v != nil {
		hint = v.name
		if field != "" {
			hint += "." + field
		}
	}
	v := x.eval(n.y, hint)
	if n.op != "=" {
		v = x.arith(strings.TrimSuffix(n.op, "="), x.eval(n.x, ""), v)
	}
	x.store(n.x, v)
	if n.x.kind == exIndex {
		return v
	}
	return x.eval(n.x, "")
}

// The symbolic execution of expressions.

package host

import (
	"strings"

	"github.com/ptxsan/ptxsan/passes/hgrd/expr"
	"github.com/ptxsan/ptxsan/passes/hgrd/facts"
)

// newVariable makes a variable.
func (x *executor) newVariable(name string, t ctype, global bool) *variable {
	x.serials++
	return &variable{name: name, typ: t, global: global, id: x.serials}
}

// lookup is the variable that a name means, nil when there is none yet.
func (x *executor) lookup(name string) *variable {
	for i := len(x.frame.scopes) - 1; i >= 0; i-- {
		if v := x.frame.scopes[i][name]; v != nil {
			return v
		}
	}
	return x.globals[name]
}

// variableOf is the variable of a name. A name that is declared nowhere is a member of an
// object, or comes from a header: it keeps its value as long as no unknown function runs.
func (x *executor) variableOf(name string) *variable {
	if v := x.lookup(name); v != nil {
		return v
	}
	v := x.newVariable(name, ctype{}, true)
	x.globals[name] = v
	x.st.values[v] = value{}
	return v
}

// textOf is the source text of an expression.
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

// eval executes an expression. The hint names a result that is not known.
func (x *executor) eval(n *node, hint string) value {
	if n == nil || !x.step() {
		return value{}
	}
	switch n.kind {
	case exNumber:
		if k, typ, ok := number(n.op); ok {
			return value{num: expr.Big(k), typ: typ}
		}
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
		a, b := x.eval(n.y, hint), x.eval(n.z, hint)
		return x.choose(c, a, b)
	case exCast:
		v := x.eval(n.x, hint)
		if n.typ.ptr > 0 && v.to != nil {
			return v // (void **)&p
		}
		if k := x.kindOf(n.typ); n.typ.ptr == 0 && k.typ != "" && !v.known() && v.cond == nil {
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
	}
	for f := x.frame; f != nil; f = nil {
		if v, ok := f.targs[n.op]; ok {
			return v
		}
	}
	if x.lookup(n.op) == nil {
		for _, f := range x.byName[n.op] {
			if !f.device && !x.pointed[f] && x.mayLaunch(f, map[*function]bool{}) {
				x.pointed[f] = true
				delete(x.done, f)
			}
		}
	}
	return x.read(x.variableOf(n.op))
}

// place is the variable that an expression is the place of, with the field in it.
func (x *executor) place(n *node) (*variable, string) {
	if n == nil {
		return nil, ""
	}
	switch n.kind {
	case exName:
		if _, isTemplate := x.frame.targs[n.op]; isTemplate {
			return nil, ""
		}
		return x.variableOf(n.op), ""
	case exMember:
		if n.x.kind == exName && n.x.op == "this" {
			return x.variableOf(n.op), ""
		}
		v, field := x.place(n.x)
		if v == nil {
			return nil, ""
		}
		if to := x.st.values[v].to; to != nil && field == "" { // p->name
			v, field = to, x.st.values[v].field
		}
		if field != "" {
			field += "."
		}
		return v, field + n.op
	case exUnary:
		if n.op == "*" {
			v := x.eval(n.x, "")
			return v.to, v.field
		}
	}
	return nil, ""
}

// load is the value at a place.
func (x *executor) load(n *node) value {
	if n.kind == exIndex {
		x.eval(n.x, "")
		i := x.eval(n.y, "")
		v := x.eval(n.x, "")
		if k, ok := constantOf(i); ok && v.list != nil && k >= 0 && k < int64(len(v.list)) {
			return v.list[k]
		}
		return value{}
	}
	v, field := x.place(n)
	if v == nil {
		x.eval(n.x, "")
		return value{}
	}
	return x.fieldOf(v, field)
}

func constantOf(v value) (int64, bool) {
	if v.num == nil {
		return 0, false
	}
	return v.num.Int64()
}

// fieldOf is a field of a variable. That of a known struct gets a value when it is first
// asked for, which it keeps.
func (x *executor) fieldOf(v *variable, field string) value {
	if field == "" {
		return x.read(v)
	}
	whole := x.st.values[v]
	first, rest, nested := strings.Cut(field, ".")
	if whole.of == nil {
		return value{}
	}
	if f, ok := whole.fields[first]; ok && !f.empty() {
		if !nested {
			return f
		}
		return f.fields[rest]
	}
	for i := range whole.of.fields {
		d := &whole.of.fields[i]
		if d.name != first || nested || d.array {
			continue
		}
		f := x.uninitialised(d.typ)
		if k := x.kindOf(d.typ); f.empty() && d.typ.ptr == 0 && k.typ != "" {
			f = x.leaf(v.name+"."+first, k.typ)
		}
		x.setField(v, first, f)
		return f
	}
	return value{}
}

func (x *executor) setField(v *variable, field string, f value) {
	whole := x.st.values[v]
	fields := make(map[string]value, len(whole.fields)+1)
	for name, old := range whole.fields {
		fields[name] = old
	}
	first, rest, nested := strings.Cut(field, ".")
	if nested {
		inner := make(map[string]value)
		for name, old := range fields[first].fields {
			inner[name] = old
		}
		inner[rest] = f
		f = value{of: fields[first].of, fields: inner}
	}
	fields[first] = f
	whole.fields = fields
	x.st.values[v] = whole
}

// store changes what is at a place.
func (x *executor) store(n *node, val value) {
	v, field := x.place(n)
	switch {
	case v == nil:
		if n != nil && n.kind == exIndex { // an element of an array: all of it is unknown
			if a, f := x.place(n.x); a != nil && f == "" && x.st.values[a].list != nil {
				x.st.values[a] = value{}
			}
			return
		}
		x.forgetEscaped()
	case field == "":
		if x.st.values[v].of != nil && val.of == nil && val.list == nil {
			val = value{of: x.st.values[v].of, fields: map[string]value{}}
		}
		x.st.values[v] = x.convert(val, v.typ, v.name)
	default:
		t := ctype{}
		if of := x.st.values[v].of; of != nil {
			for i := range of.fields {
				if of.fields[i].name == field {
					t = of.fields[i].typ
				}
			}
			x.setField(v, field, x.convert(val, t, v.name+"."+field))
		}
	}
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
		return value{}
	case "++", "--":
		v := x.arith(n.op[:1], x.eval(n.x, hint), number64(1))
		x.store(n.x, v)
		return v
	}
	v := x.eval(n.x, hint)
	num, typ := v.int()
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
		before := x.st.clone()
		b := x.eval(n.y, "").bool()
		if len(x.st.path) != len(before.path) {
			x.st.path = before.path
		}
		if n.op == "&&" {
			return value{cond: expr.All(a, b)}
		}
		return value{cond: expr.Any(a, b)}
	}
	a, b := x.eval(n.x, hint), x.eval(n.y, hint)
	switch n.op {
	case "==", "!=", "<", "<=", ">", ">=":
		return value{cond: x.compare(n.op, a, b)}
	case ">>":
		if num, _ := a.int(); num == nil { // a stream
			if v, field := x.place(n.y); v != nil && field == "" {
				x.st.values[v] = x.uninitialised(v.typ)
			} else if v != nil {
				x.setField(v, field, value{})
			}
			return a
		}
	}
	return x.arith(n.op, a, b)
}

// compare compares two values as C does.
func (x *executor) compare(op string, a, b value) *expr.Bool {
	n, m, typ := common(a, b)
	if n == nil || n.IsUnknown() || m.IsUnknown() {
		return expr.Maybe()
	}
	_ = typ
	switch op {
	case "==":
		return expr.Eq(n, m)
	case "!=":
		return expr.Ne(n, m)
	case "<":
		return expr.Lt(n, m)
	case "<=":
		return expr.Le(n, m)
	case ">":
		return expr.Gt(n, m)
	}
	return expr.Ge(n, m)
}

// promoted is the type that C computes with in place of a narrow one.
func promoted(typ string) string {
	if bits, _ := width(typ); bits < 32 {
		return "s32"
	}
	return typ
}

// common converts two integers to the type that C computes with; nil when one is no integer.
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

// arith computes with two values.
func (x *executor) arith(op string, a, b value) value {
	if a.buf != nil || b.buf != nil {
		return x.pointerArith(op, a, b)
	}
	n, m, typ := common(a, b)
	if n == nil {
		return value{}
	}
	if op == "<<" || op == ">>" { // the type is that of the first
		_, t := a.int()
		typ = promoted(t)
		n, _ = a.int()
		m, _ = b.int()
	}
	var r *expr.Int
	switch op {
	case "+":
		r = expr.Add(n, m)
	case "-":
		r = expr.Sub(n, m)
	case "*":
		r = expr.Mul(n, m)
	case "/":
		r = expr.Div(n, m)
	case "%":
		r = expr.Rem(n, m)
	case "&":
		r = expr.And(n, m)
	case "|":
		r = expr.Or(n, m)
	case "^":
		r = expr.Xor(n, m)
	case "<<":
		r = expr.Shl(n, m)
	case ">>":
		r = expr.Shr(n, m)
	default:
		return value{}
	}
	if _, signed := width(typ); !signed {
		r = wrapTo(r, "s64", typ)
	} else if op == "+" || op == "-" || op == "*" {
		x.inRange(r, typ)
	}
	return value{num: r, typ: typ}
}

// inRange adds that the result of signed arithmetic is at most what its type holds: else the
// behaviour of the host is undefined.
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

// choose is c ? a : b.
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

// sizeOfValue is sizeof of a variable, or of what a pointer points to.
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

// forgetEscaped makes variables unknown whose address was taken.
func (x *executor) forgetEscaped() {
	for _, v := range x.ordered(x.st.values) {
		if x.escaped[v] && x.st.values[v].buf == nil {
			x.st.values[v] = x.uninitialised(v.typ)
		}
	}
}

// forgetShared makes unknown what a function that is not known may change.
func (x *executor) forgetShared() {
	for _, v := range x.ordered(x.st.values) {
		if v.global && !v.typ.konst {
			x.st.values[v] = x.uninitialised(v.typ)
		}
	}
	clear(x.st.init)
	clear(x.pure)
}

// forgetAll makes everything unknown that can change, and forgets the conditions since the
// function was called: a label is come to from elsewhere.
func (x *executor) forgetAll() {
	for _, v := range x.ordered(x.st.values) {
		if !v.typ.konst {
			x.st.values[v] = x.uninitialised(v.typ)
		}
	}
	clear(x.st.init)
	n := min(x.frame.entry, len(x.st.path))
	x.st.path = x.st.path[:n:n]
}

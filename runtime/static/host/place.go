// Places: the variables and fields denoted by expressions, and their values.

package host

import "strings"

// newVariable makes a variable.
func (x *executor) newVariable(name string, t ctype, global bool) *variable {
	x.serials++
	return &variable{name: name, typ: x.resolved(t), global: global, id: x.serials}
}

// lookup returns the variable that a name means, nil if there is none yet.
func (x *executor) lookup(name string) *variable {
	for i := len(x.frame.scopes) - 1; i >= 0; i-- {
		if v := x.frame.scopes[i][name]; v != nil {
			return v
		}
	}
	return x.globals[name]
}

// variableOf returns the variable of a name. An undeclared name is a member of an object, or comes from a header: it keeps its
// value as long as no unknown function runs.
func (x *executor) variableOf(name string) *variable {
	if v := x.lookup(name); v != nil {
		return v
	}
	v := x.newVariable(name, ctype{}, true)
	v.undeclared = true
	x.globals[name] = v
	x.st.values[v] = value{}
	return v
}

// place returns the variable denoted by an expression, with the field in it.
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

// load returns the value at a place.
func (x *executor) load(n *node) value {
	if n.kind == exIndex {
		before := x.eval(n.x, "")
		i := x.eval(n.y, "")
		if before.text != nil || before.argv != nil {
			return x.moved("+", before, i).element(0)
		}
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

// fieldOf returns a field of a variable. A field of a known struct gets a value on first use, and keeps it.
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

// store changes the value of a place.
func (x *executor) store(n *node, val value) {
	v, field := x.place(n)
	if v == nil {
		x.handsOut(val)
	}
	switch {
	case v == nil:
		if n != nil && n.kind == exIndex { // an element of an array: all elements become unknown
			if a, f := x.place(n.x); a != nil && f == "" && x.st.values[a].list != nil {
				x.st.values[a] = value{}
			}
			x.writes(n.x)
			return
		}
		x.writes(n)
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

// forgetEscaped makes variables unknown whose address was taken.
func (x *executor) forgetEscaped() {
	for _, v := range x.ordered(x.st.values) {
		if x.escaped[v] && x.st.values[v].buf == nil {
			x.st.values[v] = x.uninitialised(v.typ)
		}
	}
}

// forgetShared makes unknown what an unknown function may change.
func (x *executor) forgetShared() {
	for _, v := range x.ordered(x.st.values) {
		if v.global && !v.typ.konst {
			x.st.values[v] = x.uninitialised(v.typ)
		}
	}
	clear(x.st.init)
	clear(x.pure)
}

// forgetAll makes everything unknown that can change, and drops the conditions since the function was called: a label is
// reachable from elsewhere.
func (x *executor) forgetAll() {
	for _, v := range x.ordered(x.st.values) {
		if !v.typ.konst {
			x.st.values[v] = x.uninitialised(v.typ)
		}
	}
	x.loseStrings()
	clear(x.st.init)
	n := min(x.frame.entry, len(x.st.path))
	x.st.path = x.st.path[:n:n]
}

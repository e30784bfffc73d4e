// Branches: if and switch, and the join of the final states of their arms.

package host

import (
	"slices"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// branch executes if.
func (x *executor) branch(s *stmt) flow {
	x.frame.scopes = append(x.frame.scopes, map[string]*variable{})
	defer func() { x.frame.scopes = x.frame.scopes[:len(x.frame.scopes)-1] }()
	x.statement(s.init)
	c := x.eval(s.x, "").bool()
	if v, ok := c.Const(); ok {
		if v {
			x.skip(s.other)
			return x.block(s.body)
		}
		x.skip(s.body)
		return x.block(s.other)
	}
	before := x.st
	run := func(c *expr.Bool, text string, body []*stmt) (*state, flow) {
		x.st = x.copied(before)
		x.assume(c, text, facts.Path, s.at, true)
		f := x.block(body)
		return x.st, f
	}
	text := x.textOf(s.x)
	then, f := run(c, text, s.body)
	other, g := run(expr.Not(c), "!("+text+")", s.other)
	n := len(before.path)
	switch {
	case f == flowOn && g == flowOn:
		x.st = x.merge(then, other, c)
		x.st.path = before.path[:n:n]
		return flowOn
	case f != flowOn && g != flowOn:
		x.st = before
		return max(f, g)
	case f == flowOn:
		x.st = then
		f = g
	default:
		x.st = other
	}
	for i := n; i < len(x.st.path); i++ { // the other arm ends
		x.st.path[i].local = x.st.path[i].local && f == flowOut
	}
	return flowOn
}

// merge joins the states of two arms: values that differ depend on condition c, or are unknown if that is nil.
func (x *executor) merge(a, b *state, c *expr.Bool) *state {
	x.steps += (len(a.values) + len(b.values)) / 16
	out := &state{values: make(map[*variable]value, len(a.values)), init: make(map[*buffer]facts.Contents), path: a.path}
	if len(b.path) < len(a.path) {
		out.path = b.path
	}
	out.path = out.path[:len(out.path):len(out.path)]
	for _, v := range x.ordered(a.values) {
		va := a.values[v]
		vb, ok := b.values[v]
		if !ok {
			continue
		}
		if va.equal(vb) {
			out.values[v] = va
			continue
		}
		out.values[v] = x.either(va, vb, c, v.name, v.typ)
	}
	for _, v := range x.ordered(b.values) {
		if _, ok := a.values[v]; !ok && v.global {
			out.values[v] = b.values[v]
		}
	}
	if x.strayed {
		x.strayed = false
		x.forgetStrings(out)
	}
	for buf, i := range a.init {
		if j, ok := b.init[buf]; ok && i.Equal(j) {
			out.init[buf] = i
		}
	}
	return out
}

// either returns the join of two values.
func (x *executor) either(a, b value, c *expr.Bool, name string, t ctype) value {
	if a.known() && b.known() && a.typ == b.typ {
		if c != nil && definite(c) {
			return value{num: expr.Ite(c, a.num, b.num), typ: a.typ}
		}
		return x.leaf(name, a.typ)
	}
	x.strayed = x.strayed || a.ofCommandLine() || b.ofCommandLine()
	if a.of != nil && a.of == b.of {
		v := value{of: a.of, fields: map[string]value{}}
		for i := range a.of.fields {
			f := &a.of.fields[i]
			fa, ok := a.fields[f.name]
			fb, ok2 := b.fields[f.name]
			switch {
			case !ok || !ok2:
			case fa.equal(fb):
				v.fields[f.name] = fa
			default:
				v.fields[f.name] = x.either(fa, fb, c, name+"."+f.name, f.typ)
			}
		}
		return v
	}
	return x.uninitialised(t)
}

// choice executes switch.
func (x *executor) choice(s *stmt) flow {
	v := x.eval(s.x, "")
	entry := x.st
	body := s.body
	if len(body) == 1 && body[0].kind == stBlock {
		body = body[0].body
	}
	if from, ok := x.chosen(v, body); ok {
		return x.chosenCase(body[from:])
	}
	var out []*state
	x.frame.breaks = append(x.frame.breaks, &out)
	defer func() { x.frame.breaks = x.frame.breaks[:len(x.frame.breaks)-1] }()
	x.frame.scopes = append(x.frame.scopes, map[string]*variable{})
	defer func() { x.frame.scopes = x.frame.scopes[:len(x.frame.scopes)-1] }()
	live, others, hasDefault := false, expr.Truth(true), false
	text := x.textOf(s.x)
	for _, b := range body {
		if b.kind == stCase {
			x.st, live = x.enterCase(entry, live, v, b, text, &others, &hasDefault), true
			continue
		}
		if live && x.statement(b) != flowOn {
			live = false
		}
	}
	if live {
		out = append(out, x.st)
	}
	if !hasDefault || len(out) == 0 {
		x.st = entry.clone()
		out = append(out, x.st)
	}
	x.st = x.join(out, entry)
	return flowOn
}

// chosen returns the index in a switch's body at which a known value begins; ok is false if it is unknown.
func (x *executor) chosen(v value, body []*stmt) (from int, ok bool) {
	from = len(body)
	k, ok := constantOf(v)
	if !ok || x.args == nil {
		return from, false
	}
	for i, b := range body {
		switch {
		case b.kind != stCase:
			if contains([]*stmt{b}, stCase) && b.kind != stSwitch {
				return from, false
			}
			continue
		case b.x == nil:
			from = i
			continue
		}
		c, known := constantOf(x.eval(b.x, ""))
		if !known {
			return from, false
		}
		if c == k {
			return i, true
		}
	}
	return from, true
}

// chosenCase executes the body of a switch from a case on.
func (x *executor) chosenCase(body []*stmt) flow {
	var out []*state
	entry := x.st
	x.st = x.copied(entry)
	x.frame.breaks = append(x.frame.breaks, &out)
	f := x.block(slices.DeleteFunc(slices.Clone(body), func(b *stmt) bool { return b.kind == stCase }))
	x.frame.breaks = x.frame.breaks[:len(x.frame.breaks)-1]
	if f == flowOn {
		out = append(out, x.st)
	}
	if len(out) == 0 {
		x.st = entry
		return f
	}
	x.st = x.joined(out, entry)
	return flowOn
}

// enterCase returns the state at a case of a switch.
func (x *executor) enterCase(entry *state, live bool, v value, s *stmt, text string, others **expr.Bool, hasDefault *bool) *state {
	previous := x.st
	x.st = entry.clone()
	if s.x == nil {
		*hasDefault = true
		if !live {
			x.assume(*others, "", facts.Path, s.at, true)
		}
	} else {
		k := x.eval(s.x, "")
		c := x.compare("==", v, k)
		*others = expr.All(*others, expr.Not(c))
		if !live {
			x.assume(c, text+" == "+x.textOf(s.x), facts.Path, s.at, true)
		}
	}
	if live {
		merged := x.merge(previous, x.st, nil)
		merged.path = entry.path[:len(entry.path):len(entry.path)]
		return merged
	}
	return x.st
}

// join merges states. The conditions are those of the entry.
func (x *executor) join(list []*state, entry *state) *state {
	out := list[0]
	for _, s := range list[1:] {
		out = x.merge(out, s, nil)
	}
	out.path = entry.path[:len(entry.path):len(entry.path)]
	return out
}

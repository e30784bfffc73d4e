// Access to memory: addresses, loads and stores.

package hostir

import (
	"github.com/ptxsan/ptxsan/runtime/static/expr"
)

// address returns the value of getelementptr.
func (x *executor) address(in *instr) value {
	if len(in.args) == 0 {
		return value{}
	}
	v := x.operand(in.args[0])
	if v.to == nil {
		return value{}
	}
	t := in.typ
	for n, a := range in.args[1:] {
		i := x.operand(a).asSigned()
		if t == nil || i == nil || i.IsUnknown() || v.off == nil {
			v.off = nil
			return v
		}
		if k, ok := i.Int64(); ok {
			d, next, ok := step(t, n, k)
			if !ok {
				v.off = nil
				return v
			}
			v.off, t = expr.Add(v.off, expr.Const(d)), next
			continue
		}
		if n > 0 {
			if t = t.elem; t == nil {
				v.off = nil
				return v
			}
		}
		if t.size() == 0 {
			v.off = nil
			return v
		}
		v.off = expr.Add(v.off, expr.Mul(i, expr.Const(t.size())))
	}
	return v
}

// load returns the value of a load.
func (x *executor) load(in *instr) value {
	if in.typ == nil || len(in.args) == 0 {
		return value{}
	}
	return x.loaded(x.operand(in.args[0]), in.typ)
}

func (x *executor) loaded(p value, t *typ) value {
	size := t.size()
	if p.to == nil || p.off == nil || size == 0 {
		return value{}
	}
	at, ok := p.off.Int64()
	if !ok || p.to.kind == device {
		return value{}
	}
	if v, ok := x.st.get(p.to, at, size); ok {
		if t.kind == tyInt && t.bits == 1 && v.cond == nil {
			return value{cond: v.bool(), bits: 1}
		}
		return v
	}
	var v value
	switch {
	case t.kind == tyInt && t.bits >= 8:
		v = x.leaf(x.hint(p.to, at), t.bits, !p.to.keep)
	case t.kind == tyPointer:
		o := x.object(foreign, x.hint(p.to, at), nil)
		v = value{to: o, off: expr.Const(0)}
	}
	x.st.put(p.to, at, size, v)
	return v
}

// store executes a store.
func (x *executor) store(in *instr) {
	if len(in.args) < 2 || in.args[0].typ == nil {
		return
	}
	v, p := x.operand(in.args[0]), x.operand(in.args[1])
	size := in.args[0].typ.size()
	if p.to == nil {
		x.st.escape(v.to)
		x.st.forget(func(o *object) bool { return !o.konst && (o.kind != local || x.st.escaped[o]) })
		return
	}
	x.put(p, size, v)
}

// put stores a value at the target of a pointer.
func (x *executor) put(p value, size int64, v value) {
	x.steps += len(x.st.mem[p.to])
	if p.to.kind == device {
		delete(x.st.init, p.to)
		return
	}
	if p.to.kind != local || x.st.escaped[p.to] {
		x.st.escape(v.to)
		if p.to.kind == foreign { // other foreign objects may be the same memory
			x.st.forget(func(o *object) bool { return o != p.to && !o.konst && (o.kind == foreign || x.st.escaped[o]) })
		}
	}
	at, known := int64(0), false
	if p.off != nil {
		at, known = p.off.Int64()
	}
	if !known || size == 0 {
		x.st.escapeAll(p.to)
		delete(x.st.mem, p.to)
		return
	}
	x.st.put(p.to, at, size, v)
}

// escapeAll records that the objects to which an object points may change elsewhere.
func (s *state) escapeAll(o *object) {
	for _, c := range s.mem[o] {
		s.escape(c.v.to)
	}
}

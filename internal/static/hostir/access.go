// Access to memory: addresses, loads and stores.

package hostir

import (
	"maps"

	"github.com/ptxsan/ptxsan/internal/static/expr"
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

// load returns the value of a load. One that is atomic or volatile sees what others have written.
func (x *executor) load(in *instr) value {
	if in.typ == nil || len(in.args) == 0 {
		x.wild()
		return value{}
	}
	p := x.operand(in.args[0])
	if in.sync && (p.to == nil || x.st.reachable(p.to)) {
		x.st.forgetShared()
	}
	return x.loaded(p, in.typ)
}

func (x *executor) loaded(p value, t *typ) value {
	size := t.size()
	if p.to == nil || p.to.kind == device {
		return value{}
	}
	o, at, ok := placeOf(p)
	if !ok || size == 0 {
		x.st.escapeAll(p.to) // it may be one of the addresses there
		return value{}
	}
	if v, ok := x.st.get(o, at, size); ok {
		if !v.something() {
			x.st.escapeAll(o) // parts of addresses
		}
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
	if _, changes := x.st.pending[p.to]; !changes {
		x.st.put(p.to, at, size, v)
	}
	return v
}

// store executes a store.
func (x *executor) store(in *instr) {
	if len(in.args) < 2 || in.args[0].typ == nil {
		x.wild()
		return
	}
	x.put(x.operand(in.args[1]), in.args[0].typ.size(), x.operand(in.args[0]))
}

// put stores a value at the target of a pointer.
func (x *executor) put(p value, size int64, v value) {
	if p.to == nil {
		x.st.lost(v)
		x.st.forgetReachable()
		return
	}
	x.steps += len(x.st.mem[p.to])
	if p.to.kind == device {
		x.st.lost(v)
		delete(x.st.init, p.to)
		return
	}
	if x.st.reachable(p.to) { // objects of pointers of unknown origin may be the same memory
		x.st.lost(v)
		x.st.forget(func(o *object) bool {
			return o != p.to && x.st.reachable(o) && (o.kind == foreign || p.to.kind == foreign)
		})
	}
	maps.DeleteFunc(x.st.pure, func(q question, _ value) bool { return q.o == p.to })
	at, known := int64(0), false
	if p.off != nil {
		at, known = p.off.Int64()
	}
	if _, changes := x.st.pending[p.to]; !known || size == 0 || changes {
		x.st.lost(v)
		x.st.forgetObject(p.to)
		return
	}
	x.st.put(p.to, at, size, v)
}

// lose makes the target of a pointer unknown.
func (x *executor) lose(p value) {
	p.off = nil
	x.put(p, 0, value{})
	if p.to == nil || p.to.kind == foreign {
		clear(x.st.init)
	}
}

// wild makes everything unknown, after code that is not understood.
func (x *executor) wild() {
	for o := range x.st.mem {
		x.st.escaped[o] = true
	}
	x.st.forget(func(o *object) bool { return !o.konst })
	clear(x.st.init)
}

// Access to memory: addresses, loads and stores.

package hostir

import (
	"maps"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// address returns the value of getelementptr.
func (x *executor) address(in *llvm.Instr) memory.Value {
	if len(in.Args) == 0 {
		return memory.Value{}
	}
	v := x.operand(in.Args[0])
	if v.To == nil {
		return memory.Value{}
	}
	t := in.Type
	for n, a := range in.Args[1:] {
		i := x.operand(a).AsSigned()
		if t == nil || i == nil || i.IsUnknown() || v.Offset == nil {
			v.Offset = nil
			return v
		}
		if k, ok := i.Int64(); ok {
			d, next, ok := llvm.Step(t, n, k)
			if !ok {
				v.Offset = nil
				return v
			}
			v.Offset, t = expr.Add(v.Offset, expr.Const(d)), next
			continue
		}
		if n > 0 {
			if t = t.Elem; t == nil {
				v.Offset = nil
				return v
			}
		}
		if t.Size() == 0 {
			v.Offset = nil
			return v
		}
		v.Offset = expr.Add(v.Offset, expr.Mul(i, expr.Const(t.Size())))
	}
	return v
}

// load returns the value of a load. One that is atomic or volatile sees what others have written.
func (x *executor) load(in *llvm.Instr) memory.Value {
	if in.Type == nil || len(in.Args) == 0 {
		x.wild()
		return memory.Value{}
	}
	p := x.operand(in.Args[0])
	if in.Sync && (p.To == nil || x.st.Reachable(p.To)) {
		x.st.ForgetShared()
	}
	return x.loaded(p, in.Type)
}

func (x *executor) loaded(p memory.Value, t *llvm.Type) memory.Value {
	size := t.Size()
	if p.To == nil || p.To.Kind == memory.Device {
		return memory.Value{}
	}
	o, at, ok := placeOf(p)
	if !ok || size == 0 {
		x.st.EscapeAll(p.To) // it may be one of the addresses there
		return memory.Value{}
	}
	if v, ok := x.st.Get(o, at, size); ok {
		if !v.Something() {
			x.st.EscapeAll(o) // parts of addresses
		}
		if t.Kind == llvm.IntType && t.Bits == 1 && v.Cond == nil {
			return memory.Value{Cond: v.Bool(), Bits: 1}
		}
		return v
	}
	var v memory.Value
	switch {
	case t.Kind == llvm.IntType && t.Bits >= 8:
		v = x.leaf(x.hint(p.To, at), t.Bits, !p.To.Keep)
	case t.Kind == llvm.PointerType:
		o := x.object(memory.Foreign, x.hint(p.To, at), nil)
		v = memory.Value{To: o, Offset: expr.Const(0)}
	}
	if _, changes := x.st.Pending[p.To]; !changes {
		x.st.Put(p.To, at, size, v)
	}
	return v
}

// store executes a store.
func (x *executor) store(in *llvm.Instr) {
	if len(in.Args) < 2 || in.Args[0].Type == nil {
		x.wild()
		return
	}
	x.put(x.operand(in.Args[1]), in.Args[0].Type.Size(), x.operand(in.Args[0]))
}

// put stores a value at the target of a pointer.
func (x *executor) put(p memory.Value, size int64, v memory.Value) {
	if p.To == nil {
		x.st.Lost(v)
		x.st.ForgetReachable()
		return
	}
	x.steps += len(x.st.Mem[p.To])
	if p.To.Kind == memory.Device {
		x.st.Lost(v)
		delete(x.st.Init, p.To)
		return
	}
	if x.st.Reachable(p.To) { // objects of pointers of unknown origin may be the same memory
		x.st.Lost(v)
		x.st.Forget(func(o *memory.Object) bool {
			return o != p.To && x.st.Reachable(o) && (o.Kind == memory.Foreign || p.To.Kind == memory.Foreign)
		})
	}
	maps.DeleteFunc(x.st.Pure, func(q memory.Question, _ memory.Value) bool { return q.Object == p.To })
	at, known := int64(0), false
	if p.Offset != nil {
		at, known = p.Offset.Int64()
	}
	if _, changes := x.st.Pending[p.To]; !known || size == 0 || changes {
		x.st.Lost(v)
		x.st.ForgetObject(p.To)
		return
	}
	x.st.Put(p.To, at, size, v)
}

// lose makes the target of a pointer unknown.
func (x *executor) lose(p memory.Value) {
	p.Offset = nil
	x.put(p, 0, memory.Value{})
	if p.To == nil || p.To.Kind == memory.Foreign {
		clear(x.st.Init)
	}
}

// wild makes everything unknown, after code that is not understood.
func (x *executor) wild() {
	for o := range x.st.Mem {
		x.st.Escaped[o] = true
	}
	x.st.Forget(func(o *memory.Object) bool { return !o.Constant })
	clear(x.st.Init)
}

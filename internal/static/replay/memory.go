// Loads, stores and atomic operations of an executed thread.

package replay

import (
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// access executes loads, stores and atomic operations.
func (t *thread) access(a *activation, in *rewrite.Inst) {
	if in.Access.Space == isa.SpaceParam {
		t.param(a, in)
		return
	}
	t.forgetValue(a, in)
	for _, x := range in.Accesses {
		addr := value{}
		if !x.Indirect {
			addr = t.address(a, in, x.Addr)
		}
		if x.Space == isa.SpaceLocal {
			t.localAccess(a, in, x, addr)
			continue
		}
		t.event(a, in, x, addr, true)
		if x.Kind == isa.AccessLoad && addr.known && len(in.Accesses) == 1 {
			t.load(a, in, x, addr)
		}
	}
}

// forgetValue is forget for accesses: a thread may wait for what a strong one reads.
func (t *thread) forgetValue(a *activation, in *rewrite.Inst) { t.forget(a, in) }

// elements returns the registers that a load writes.
func elements(in *rewrite.Inst) []*rewrite.Reg {
	o := &in.Operands[0]
	if o.Kind == rewrite.OperandReg {
		return []*rewrite.Reg{o.Reg}
	}
	var out []*rewrite.Reg
	for i := range o.Elems {
		out = append(out, o.Elems[i].Reg)
	}
	return out
}

func (t *thread) load(a *activation, in *rewrite.Inst, x isa.Access, addr value) {
	if t.launch.Load == nil {
		return
	}
	for i, r := range elements(in) {
		if r == nil || r.Vec > 1 {
			continue
		}
		if bits, ok := t.launch.Load(a.frame, in, i, addr.bits+uint64(i*x.ElemSize), x.ElemSize); ok {
			a.regs[r.Index] = loaded(bits, in.Type(0), r)
		}
	}
}

// loaded returns a loaded number as a register value, extended as the type requires.
func loaded(bits uint64, t isa.Type, r *rewrite.Reg) value {
	return value{bits: r.Type.Truncate(t.Extend(bits)), known: true}
}

// localAccess executes an access to memory that is private to the thread.
func (t *thread) localAccess(a *activation, in *rewrite.Inst, x isa.Access, addr value) {
	if !addr.known {
		if x.Writes() {
			t.local = make(map[uint64]value)
		}
		return
	}
	switch x.Kind {
	case isa.AccessStore:
		for i := range uint64(x.Size) { // overlapping values are dropped
			delete(t.local, addr.bits+i)
			delete(t.local, addr.bits-i)
		}
		o := &in.Operands[x.Value]
		elems := []rewrite.Operand{*o}
		if o.Kind == rewrite.OperandVector {
			elems = o.Elems
		}
		for i := range elems {
			t.local[addr.bits+uint64(i*x.ElemSize)] = t.operand(a, in, &elems[i])
		}
	case isa.AccessLoad:
		for i, r := range elements(in) {
			if v, ok := t.local[addr.bits+uint64(i*x.ElemSize)]; ok && v.known && r != nil && r.Vec <= 1 &&
				x.ElemSize*8 == r.Type.Bits() {
				a.regs[r.Index] = value{bits: r.Type.Truncate(v.bits), known: true}
			}
		}
	}
}

// address returns an effective address.
func (t *thread) address(a *activation, in *rewrite.Inst, n int) value {
	o := &in.Operands[n]
	if o.Kind != rewrite.OperandAddr || len(o.Elems) > 0 {
		return value{}
	}
	sum := value{bits: uint64(o.Off), known: true}
	if o.Reg != nil {
		r := a.regs[o.Reg.Index]
		sum.known, sum.bits = r.known && o.Reg.Vec <= 1, sum.bits+r.bits
	}
	if v, ok := o.Sym.(*rewrite.Var); ok {
		sum.bits += t.launch.Symbol(a.frame, v)
	}
	return sum
}

// param executes an access to a parameter or an argument.
func (t *thread) param(a *activation, in *rewrite.Inst) {
	v, off, ok := t.paramPlace(a, in)
	x := in.Access
	if x.Kind == isa.AccessStore {
		if !ok {
			t.stop("an argument at an address that is not known")
			return
		}
		t.storeParam(a, in, v, off)
		return
	}
	t.forget(a, in)
	if !ok {
		return
	}
	for i, r := range elements(in) {
		if r == nil || r.Vec > 1 {
			continue
		}
		if p := t.paramValue(a.frame, v, off+int64(i*x.ElemSize), x.ElemSize); p.known {
			a.regs[r.Index] = loaded(p.bits, in.Type(0), r)
		}
	}
}

func (t *thread) storeParam(a *activation, in *rewrite.Inst, v *rewrite.Var, off int64) {
	x := in.Access
	elems := []rewrite.Operand{in.Operands[x.Value]}
	if elems[0].Kind == rewrite.OperandVector {
		elems = elems[0].Elems
	}
	frame := a.frame.ID
	for i := range elems {
		at := off + int64(i*x.ElemSize)
		for k := range t.params {
			if k.frame == frame && k.v == v && k.off < at+int64(x.ElemSize) && at < k.off+int64(k.size) {
				delete(t.params, k)
			}
		}
		t.params[paramKey{frame, v, at, x.ElemSize}] = t.operand(a, in, &elems[i])
	}
}

// paramPlace returns the parameter and the offset that an instruction names.
func (t *thread) paramPlace(a *activation, in *rewrite.Inst) (*rewrite.Var, int64, bool) {
	o := &in.Operands[in.Access.Addr]
	if v, ok := o.Sym.(*rewrite.Var); ok && o.Reg == nil {
		return v, o.Off, true
	}
	addr := t.address(a, in, in.Access.Addr)
	if !addr.known {
		return nil, 0, false
	}
	for _, p := range a.frame.Func.Params {
		if d := addr.bits - t.launch.Symbol(a.frame, p); p.Size > 0 && d < p.Size {
			return p, int64(d), true
		}
	}
	return nil, 0, false
}

// paramValue returns a part of a parameter, of an argument, or of a result.
func (t *thread) paramValue(f *symbolic.Frame, v *rewrite.Var, off int64, size int) value {
	if f.Parent == nil {
		for i, p := range f.Func.Params {
			if p == v {
				bits, ok := t.launch.Param(i, off, size)
				return value{bits: bits, known: ok}
			}
		}
	}
	if x, ok := t.params[paramKey{f.ID, v, off, size}]; ok {
		return x
	}
	return t.result(f, v, off, size)
}

// result returns a part of what a function that has returned stored in a variable of its caller.
func (t *thread) result(f *symbolic.Frame, v *rewrite.Var, off int64, size int) value {
	for i := len(f.Func.Insts) - 1; i >= 0; i-- {
		in := f.Func.Insts[i]
		c, ok := in.Call()
		if !ok {
			continue
		}
		for n := range c.Returns {
			if callee := t.called[callPlace{f, in}]; c.Returns[n].Sym == rewrite.Symbol(v) && callee != nil &&
				n < len(callee.Func.Returns) {
				return t.params[paramKey{callee.ID, callee.Func.Returns[n], off, size}]
			}
		}
	}
	return value{}
}

// Parameters: what a function reads of its own, and what calls pass and return.

package symbolic

import (
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// parameters evaluates loads from the parameter space of a frame.
type parameters struct{ *Frame }

// parameter returns the value of a load from a parameter.
func (f parameters) parameter(in *rewrite.Inst, n int) (Value, bool) {
	v, off, ok := f.place(in)
	if !ok {
		return Value{}, false
	}
	size := in.Access.ElemSize
	off += int64(n * size)
	t := in.Type(0)
	if t.Float() || size == 0 || size > 8 {
		return Value{Int: expr.Unknown()}, true
	}
	if f.Func.Formal(v) {
		if f.Parent == nil {
			return f.argument(v, off, size)
		}
		return f.passed(v, off, size)
	}
	return f.returned(in, v, off, size)
}

// place returns the parameter and offset of a load from .param, addressed directly or through a register that holds the
// parameter's address.
func (f parameters) place(in *rewrite.Inst) (*rewrite.Var, int64, bool) {
	o := &in.Operands[in.Access.Addr]
	if v, ok := o.Sym.(*rewrite.Var); ok && o.Reg == nil {
		return v, o.Off, true
	}
	if o.Kind != rewrite.OperandAddr || o.Reg == nil {
		return nil, 0, false
	}
	k, terms := f.Address(in, in.Access.Addr).Linear()
	if len(terms) != 1 || !k.IsInt64() || terms[0].X.Op() != expr.OpVar {
		return nil, 0, false
	}
	for _, p := range f.Func.Params {
		if terms[0].X.Variable().Name == paramBase+f.local(p.Name) && terms[0].Coef.IsInt64() &&
			terms[0].Coef.Int64() == 1 {
			return p, k.Int64(), true
		}
	}
	return nil, 0, false
}

// argument returns a parameter of the kernel, a part of one, or a field of a struct. All reads of a field must have the
// same size, as a variable has one value.
func (f parameters) argument(v *rewrite.Var, off int64, size int) (Value, bool) {
	for i, p := range f.Func.Params {
		if p != v {
			continue
		}
		if whole := int64(v.Type.Size()); v.Dims == nil && whole > 0 && whole <= 8 {
			x := facts.ParamVar(i, 0, int(8*whole))
			if off < 0 || off+int64(size) > whole {
				return Value{}, false
			}
			if off == 0 && int64(size) == whole {
				return Value{Int: x}, true
			}
			return Value{Int: expr.Wrap(expr.Shr(x, expr.Const(8*off)), 8*size, true)}, true
		}
		if have, ok := f.Kernel.fields[[2]int64{int64(i), off}]; ok && have != size || f.overlaps(int64(i), off, size) {
			return Value{}, false
		}
		f.Kernel.fields[[2]int64{int64(i), off}] = size
		return Value{Int: facts.ParamVar(i, off, 8*size)}, true
	}
	return Value{}, false
}

// overlaps reports whether a field read earlier overlaps another one.
func (f parameters) overlaps(i, off int64, size int) bool {
	for d := int64(-7); d < int64(size); d++ {
		if have, ok := f.Kernel.fields[[2]int64{i, off + d}]; ok && d != 0 && d+int64(have) > 0 {
			return true
		}
	}
	return false
}

// passed returns a parameter of a device function: the value that the caller stored in the argument.
func (f parameters) passed(v *rewrite.Var, off int64, size int) (Value, bool) {
	c, _ := f.Call.Call()
	for i, p := range f.Func.Params {
		if p != v || i >= len(c.Args) {
			continue
		}
		if arg, ok := c.Args[i].Sym.(*rewrite.Var); ok && c.Args[i].Kind == rewrite.OperandSymbol {
			return parameters{f.Parent}.stored(f.Call.Index, arg, off, size)
		}
		if c.Args[i].Kind == rewrite.OperandReg || c.Args[i].Kind == rewrite.OperandImm {
			return f.Parent.operand(f.Call, &c.Args[i]), off == 0
		}
	}
	return Value{}, false
}

// stored returns the value of an argument before the instruction with index before: the last store to it in the same
// block, of the same bytes.
func (f parameters) stored(before int, arg *rewrite.Var, off int64, size int) (Value, bool) {
	b := f.CFG.BlockOf[before]
	for i := before - 1; i >= b.Start; i-- {
		in := f.Func.Insts[i]
		if in.Access.Kind != isa.AccessStore || in.Access.Space != isa.SpaceParam {
			continue
		}
		o := &in.Operands[in.Access.Addr]
		if v, ok := o.Sym.(*rewrite.Var); !ok || v != arg || o.Reg != nil {
			continue
		}
		at := off - o.Off
		if at < 0 || at >= int64(in.Access.Size) || in.Guard != nil {
			if at+int64(size) > 0 && at < int64(in.Access.Size) {
				return Value{}, false
			}
			continue
		}
		if in.Access.ElemSize != size || at%int64(size) != 0 {
			return Value{}, false
		}
		return f.element(in, in.Access.Value, int(at)/size)
	}
	return Value{}, false
}

// element returns one element of a stored operand.
func (f parameters) element(in *rewrite.Inst, n, elem int) (Value, bool) {
	o := &in.Operands[n]
	if o.Kind == rewrite.OperandVector {
		if elem >= len(o.Elems) {
			return Value{}, false
		}
		o = &o.Elems[elem]
	}
	v := f.operand(in, o)
	return v, v.Int != nil
}

// returned returns a result of a call: the value stored by the callee, if only one store is possible.
func (f parameters) returned(load *rewrite.Inst, v *rewrite.Var, off int64, size int) (Value, bool) {
	for i := load.Index - 1; i >= 0; i-- {
		c, ok := f.Func.Insts[i].Call()
		if !ok {
			continue
		}
		for n := range c.Returns {
			if c.Returns[n].Sym != rewrite.Symbol(v) {
				continue
			}
			if f.Func.Insts[i].Guard != nil {
				return Value{}, false
			}
			return f.resultOf(f.kids[i], n, off, size)
		}
	}
	return Value{}, false
}

// resultOf returns a result of a call of one of several functions.
func (f parameters) resultOf(callees []*Frame, n int, off int64, size int) (out Value, ok bool) {
	for k, c := range callees {
		if n >= len(c.Func.Returns) {
			return Value{}, false
		}
		v, known := parameters{c}.result1(c.Func.Returns[n], off, size)
		if !known || v.Int == nil || v.Int.IsUnknown() {
			return Value{}, false
		}
		if k > 0 {
			v = f.choose(c.chosen(), v, out)
		}
		out = v
	}
	return out, len(callees) > 0
}

// result1 returns the value of the only store to a return parameter.
func (f parameters) result1(v *rewrite.Var, off int64, size int) (Value, bool) {
	var only *rewrite.Inst
	for _, in := range f.Func.Insts {
		if in.Access.Kind != isa.AccessStore || in.Access.Space != isa.SpaceParam || !f.Reached(in) {
			continue
		}
		o := &in.Operands[in.Access.Addr]
		at := off - o.Off
		if o.Sym != rewrite.Symbol(v) || at+int64(size) <= 0 || at >= int64(in.Access.Size) {
			continue
		}
		if only != nil || o.Reg != nil || in.Guard != nil || in.Access.ElemSize != size || at < 0 ||
			at%int64(size) != 0 {
			return Value{}, false
		}
		only = in
	}
	if only == nil {
		return Value{}, false
	}
	o := &only.Operands[only.Access.Addr]
	return f.element(only, only.Access.Value, int(off-o.Off)/size)
}

// Leaves of expressions: indices of threads and blocks, extents, parameters.

package symbolic

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Index returns the variable of a thread's or block's index: kind is "tid" or "ctaid", dim 'x',
// 'y' or 'z'. The ranges are those of PTX ISA 10.
func Index(kind string, dim byte) *expr.Int {
	_, hi := facts.Dim("n"+kind, dim).Range()
	return expr.Var(kind+"."+string(dim), 0, hi.Int64()-1)
}

// Extent returns the variable of the number of threads in a block ("ntid") or of blocks in the
// grid ("nctaid").
func Extent(kind string, dim byte) *expr.Int { return facts.Dim(kind, dim) }

// Flat returns the linear index of a thread in its block: x varies fastest (PTX ISA 10, %laneid).
func Flat() *expr.Int {
	z := expr.Mul(Index("tid", 'z'), Extent("ntid", 'y'))
	return expr.Add(Index("tid", 'x'), expr.Mul(expr.Add(Index("tid", 'y'), z), Extent("ntid", 'x')))
}

// special returns the value of a special register.
func (f *Frame) special(in *rewrite.Inst, o *rewrite.Operand) Value {
	name := o.Special.Name
	if o.Special.Dim {
		if len(o.Member) != 2 || o.Member[1] < 'x' || o.Member[1] > 'z' {
			return Value{Int: expr.Unknown()}
		}
		switch name {
		case "%tid", "%ctaid":
			return Value{Int: Index(name[1:], o.Member[1])}
		case "%ntid", "%nctaid", "%cluster_nctaid":
			return Value{Int: Extent(name[1:], o.Member[1])}
		}
	}
	if name == "%laneid" {
		return Value{Int: expr.Wrap(Flat(), 5, false)}
	}
	origin := Origin{Inst: in, What: name, Data: !o.Special.PerBlock, value: -1}
	lo, hi := typeRange(o.Special.Type)
	if !o.Special.Volatile && !o.Special.PerLane && !o.Special.PerBlock && !o.Special.Opaque {
		return Value{Int: expr.Uniform("r."+name[1:]+o.Member, lo, hi)} // the same value in the whole launch
	}
	if o.Special.Type == isa.Pred {
		return Value{Bool: f.freshBool(origin)}
	}
	return Value{Int: f.fresh(origin, o.Special.Type)}
}

// symbol returns the address of a variable, in its state space or generic, as a variable.
func (f *Frame) symbol(v *rewrite.Var) *expr.Int {
	if f.Func.Formal(v) && v.Space == isa.SpaceParam {
		return expr.Uniform(paramBase+f.local(v.Name), 0, math.MaxInt64)
	}
	switch v.Space {
	case isa.SpaceShared:
		return f.Kernel.align(expr.Uniform(SharedBase+f.scoped(f.dynamic(v)), 0, math.MaxInt32), v) // an offset in a window of that size
	case isa.SpaceLocal:
		return f.Kernel.align(expr.Var(LocalBase+f.local(v.Name), 0, math.MaxInt64), v)
	}
	return f.Kernel.align(expr.Uniform(GlobalBase+f.scoped(v), 0, math.MaxInt64), v)
}

// dynamic returns, for an array whose length the launch gives, the first such one of the module: all are at one
// address, behind the other variables. It returns other variables.
func (f *Frame) dynamic(v *rewrite.Var) *rewrite.Var {
	if v.Size > 0 || v.Func != nil {
		return v
	}
	for _, w := range f.Func.Module.Globals {
		if w.Space == isa.SpaceShared && w.Size == 0 {
			return w
		}
	}
	return v
}

// convertAddress evaluates cvta. Generic addresses in other windows than global memory are known only if they are made
// of a variable there, or of a parameter that points there: others could not be told from those in global memory.
func (e *evaluation) convertAddress() (Value, bool) {
	v, ok := e.copy()
	if s := e.in.Space; ok && !e.in.Has("to") && (s == isa.SpaceShared || s == isa.SpaceLocal || s == isa.SpaceConst) &&
		!e.f.within(v.Int, s) {
		return Value{}, false
	}
	return v, ok
}

// within reports whether an address is made of a variable in a state space, or of a parameter that points there.
func (f *Frame) within(addr *expr.Int, space isa.Space) bool {
	base := map[isa.Space]string{
		isa.SpaceShared: SharedBase, isa.SpaceLocal: LocalBase,
		isa.SpaceConst: GlobalBase,
	}[space]
	return addr != nil && slices.ContainsFunc(addr.Vars(), func(v expr.Variable) bool {
		return strings.HasPrefix(v.Name, base) || slices.ContainsFunc(f.Kernel.Func.Params, func(p *rewrite.Var) bool {
			return p.AST.Ptr != nil && p.AST.Ptr.Space == space &&
				v.Name == "p"+strconv.Itoa(slices.Index(f.Kernel.Func.Params, p))
		})
	})
}

// Prefixes of the variables that stand for addresses of variables.
const (
	GlobalBase = "g."
	SharedBase = "s."
	LocalBase  = "l."
	paramBase  = "a."
)

// scoped returns a name for a variable that is the same in all frames of a function.
func (f *Frame) scoped(v *rewrite.Var) string {
	if v.Func == nil {
		return v.Name
	}
	return v.Func.Name + "." + v.Name
}

// local returns a name that is unique to this frame.
func (f *Frame) local(name string) string { return "f" + strconv.Itoa(f.ID) + "." + name }

// parameter returns the value of a load from a parameter.
func (f *Frame) parameter(in *rewrite.Inst, n int) (Value, bool) {
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
func (f *Frame) place(in *rewrite.Inst) (*rewrite.Var, int64, bool) {
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
func (f *Frame) argument(v *rewrite.Var, off int64, size int) (Value, bool) {
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
func (f *Frame) overlaps(i, off int64, size int) bool {
	for d := int64(-7); d < int64(size); d++ {
		if have, ok := f.Kernel.fields[[2]int64{i, off + d}]; ok && d != 0 && d+int64(have) > 0 {
			return true
		}
	}
	return false
}

// passed returns a parameter of a device function: the value that the caller stored in the argument.
func (f *Frame) passed(v *rewrite.Var, off int64, size int) (Value, bool) {
	c, _ := f.Call.Call()
	for i, p := range f.Func.Params {
		if p != v || i >= len(c.Args) {
			continue
		}
		if arg, ok := c.Args[i].Sym.(*rewrite.Var); ok && c.Args[i].Kind == rewrite.OperandSymbol {
			return f.Parent.stored(f.Call.Index, arg, off, size)
		}
		if c.Args[i].Kind == rewrite.OperandReg || c.Args[i].Kind == rewrite.OperandImm {
			return f.Parent.operand(f.Call, &c.Args[i]), off == 0
		}
	}
	return Value{}, false
}

// stored returns the value of an argument before the instruction with index before: the last store to it in the same
// block, of the same bytes.
func (f *Frame) stored(before int, arg *rewrite.Var, off int64, size int) (Value, bool) {
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
func (f *Frame) element(in *rewrite.Inst, n, elem int) (Value, bool) {
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
func (f *Frame) returned(load *rewrite.Inst, v *rewrite.Var, off int64, size int) (Value, bool) {
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
func (f *Frame) resultOf(callees []*Frame, n int, off int64, size int) (out Value, ok bool) {
	for k, c := range callees {
		if n >= len(c.Func.Returns) {
			return Value{}, false
		}
		v, known := c.result1(c.Func.Returns[n], off, size)
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
func (f *Frame) result1(v *rewrite.Var, off int64, size int) (Value, bool) {
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

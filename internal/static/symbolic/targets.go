// Calls through registers: the functions that they may call.

package symbolic

import (
	"math"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// FuncBase is the prefix of the variables that stand for addresses of functions.
const FuncBase = "c."

// maxTargets limits the functions that one call may call.
const maxTargets = 16

// function returns the address of a function, which is not null.
func function(g *rewrite.Func) *expr.Int { return expr.Uniform(FuncBase+g.Name, 1, math.MaxInt64) }

// indirect finds the functions that calls through registers of a frame may call.
type indirect struct{ *Frame }

// targets returns the functions that a call through a register may call: those whose addresses are copied and selected
// into the register, or else those of the call's type with whose addresses the table starts that it is loaded from, or
// whose addresses the module takes, or else all of its type in the module. A call of a function of another type is
// undefined (PTX ISA, "call"). fault says that the register holds nothing but numbers, which are the addresses of no
// functions.
func (f indirect) targets(in *rewrite.Inst, c rewrite.Call) (list []*rewrite.Func, fault bool) {
	if c.Target == nil {
		return nil, false
	}
	fits := func(list []*rewrite.Func) []*rewrite.Func {
		return slices.DeleteFunc(slices.Clone(list), func(g *rewrite.Func) bool { return !takes(g, c) })
	}
	known, ok := f.copied(f.ssa.Use(in, c.Target))
	switch {
	case ok:
		return fits(known), len(known) == 0
	case c.Proto != nil && len(c.Proto.Funcs) > 0:
		return fits(c.Proto.Funcs), false
	}
	v, list := f.table(f.ssa.Use(in, c.Target))
	why := ""
	if list = fits(list); len(list) > 0 {
		why = "calls only functions whose addresses " + v.Name + " starts with"
	} else if list = fits(addressed(f.Func.Module)); len(list) > 0 {
		why = "calls only functions whose addresses the module takes"
	} else {
		list, why = fits(defined(f.Func.Module)), "calls only functions of the module"
	}
	if len(list) > 0 {
		f.Kernel.Assumed = append(f.Kernel.Assumed, Unknown{Frame: f.Frame, Call: in, Why: why})
	}
	return list, false
}

// copied returns the functions whose addresses may be in a register, and whether nothing else may be but numbers.
func (f indirect) copied(i int32) (list []*rewrite.Func, ok bool) {
	seen := make(map[int32]bool)
	ok = true
	var visit func(i int32)
	visit = func(i int32) {
		if i == rewrite.NoValue || seen[i] || !ok {
			ok = ok && i != rewrite.NoValue
			return
		}
		seen[i] = true
		v := &f.ssa.Values[i]
		switch {
		case v.Kind == rewrite.SSAPhi:
			for _, k := range v.In {
				visit(k)
			}
			return
		case v.Kind == rewrite.SSAEntry, v.Inst.Instr.Calc != isa.CalcCopy && v.Inst.Instr.Calc != isa.CalcSelect:
			ok = false
			return
		}
		if v.Old != rewrite.NoValue {
			visit(v.Old)
		}
		n := 1
		if v.Inst.Instr.Calc == isa.CalcSelect {
			n = 2
		}
		for j := 1; j <= n; j++ {
			o := &v.Inst.Operands[j]
			switch g, named := o.Sym.(*rewrite.Func); {
			case o.Kind == rewrite.OperandSymbol && named:
				list = add(list, g)
			case o.Kind == rewrite.OperandReg && o.Member == "" && o.Reg.Vec <= 1:
				visit(f.ssa.Use(v.Inst, o.Reg))
			case o.Kind == rewrite.OperandImm: // a call of a number, as of null, is a fault
			default:
				ok = false
			}
		}
	}
	visit(i)
	return list, ok
}

func add(list []*rewrite.Func, g *rewrite.Func) []*rewrite.Func {
	if g.Alias != nil {
		g = g.Alias
	}
	if !slices.Contains(list, g) {
		list = append(list, g)
	}
	return list
}

// addressed returns the functions whose addresses a module takes, in code or in initial values of variables.
func addressed(m *rewrite.Module) (list []*rewrite.Func) {
	for _, v := range m.Globals {
		list = append(list, started(m, v)...)
	}
	for _, g := range m.Funcs {
		for _, in := range g.Insts {
			if _, call := in.Call(); call {
				continue
			}
			for i := range in.Operands {
				if to, ok := in.Operands[i].Sym.(*rewrite.Func); ok && !to.Entry {
					list = add(list, to)
				}
			}
		}
	}
	return list
}

// started returns the functions whose addresses a variable starts with.
func started(m *rewrite.Module, v *rewrite.Var) (list []*rewrite.Func) {
	for _, g := range v.InitFuncs(m) {
		if !g.Entry {
			list = add(list, g)
		}
	}
	return list
}

// defined returns the functions of a module that have a body and are no kernels.
func defined(m *rewrite.Module) (list []*rewrite.Func) {
	for _, g := range m.Funcs {
		if !g.Entry && g.Defined() {
			list = add(list, g)
		}
	}
	return list
}

// table returns the variable of the module from which a register is loaded, and the functions whose addresses it starts
// with; nil if there is no such variable, or if the module stores to it, so that it need not be as it starts.
func (f indirect) table(i int32) (*rewrite.Var, []*rewrite.Func) {
	for i != rewrite.NoValue && f.ssa.Values[i].Kind != rewrite.SSAPhi && f.ssa.Values[i].Kind != rewrite.SSAEntry &&
		f.ssa.Values[i].Old == rewrite.NoValue {
		in := f.ssa.Values[i].Inst
		if in.Access.Kind == isa.AccessLoad {
			r := address.RootsOf(f.Func).Address(in, in.Access.Addr)
			if r.Kind != address.RootVar || slices.ContainsFunc(f.Func.Module.Funcs,
				func(g *rewrite.Func) bool { return stores(g, r.Var) }) {
				return nil, nil
			}
			return r.Var, started(f.Func.Module, r.Var)
		}
		if in.Instr.Calc != isa.CalcCopy || in.Operands[1].Kind != rewrite.OperandReg {
			return nil, nil
		}
		i = f.ssa.Use(in, in.Operands[1].Reg)
	}
	return nil, nil
}

// stores reports whether a function writes to a variable, as far as addresses are known to be derived from it.
func stores(g *rewrite.Func, v *rewrite.Var) bool {
	return slices.ContainsFunc(g.Insts, func(in *rewrite.Inst) bool {
		return in.Access.Writes() && address.RootsOf(g).Address(in, in.Access.Addr).Var == v
	})
}

// takes reports whether a function has as many arguments and results as a call passes, of the same sizes where these
// are known.
func takes(g *rewrite.Func, c rewrite.Call) bool {
	if len(g.Params) != len(c.Args) || len(g.Returns) != len(c.Returns) {
		return false
	}
	fits := func(formal *rewrite.Var, o *rewrite.Operand) bool {
		v, ok := o.Sym.(*rewrite.Var)
		return !ok || v.Size == formal.Size
	}
	for i, p := range g.Params {
		if !fits(p, &c.Args[i]) {
			return false
		}
	}
	for i, p := range g.Returns {
		if !fits(p, &c.Returns[i]) {
			return false
		}
	}
	return true
}

// chosen returns a condition that holds in every thread in which a call calls the function of this frame.
func (f *Frame) chosen() *expr.Bool {
	c, _ := f.Call.Call()
	if c.Func != nil || len(f.Parent.kids[f.Call.Index]) < 2 {
		return expr.True
	}
	return selects(f.Parent.register(f.Call, c.Target).Int, f.Func)
}

// selects returns the condition that an address is that of a function. Functions with one address are the same
// function, so that it does not matter which of them is called.
func selects(x *expr.Int, g *rewrite.Func) *expr.Bool {
	switch v := x.Variable(); {
	case v != nil && strings.HasPrefix(v.Name, FuncBase):
		if v.Name == FuncBase+g.Name {
			return expr.True
		}
		return expr.False
	case x.Op() == expr.OpIte:
		return either(x.Cond(), selects(x.Args()[0], g), selects(x.Args()[1], g))
	}
	return expr.Eq(x, function(g))
}

// settle finds the functions outside of the module, known by name, that get nothing but numbers: they are assumed to
// compute results from these, since only what they are passed leads them to memory of the kernel.
func (k *Kernel) settle() {
	k.Unknown = slices.DeleteFunc(k.Unknown, func(u Unknown) bool {
		if u.Callee == "" || !u.Frame.numbers(u.Call) {
			return false
		}
		u.Why = "calls " + u.Callee + ": it accesses no memory of the program and waits for no other thread"
		if !u.MayEnd() {
			u.Why = "calls " + u.Callee + ": it computes a result from numbers, which it returns, accesses no memory of the program and waits for no other thread"
		}
		k.Assumed = append(k.Assumed, u)
		return true
	})
}

// numbers reports whether all arguments of a call are numbers: floating-point ones, or integers of fewer than 64 bits.
func (f *Frame) numbers(call *rewrite.Inst) bool {
	c, _ := call.Call()
	b := f.Block(call)
	for i := range c.Args {
		v, ok := c.Args[i].Sym.(*rewrite.Var)
		switch {
		case !ok:
			return false
		case v.Size < 8:
			continue
		case v.Size > 8 || !slices.ContainsFunc(f.Func.Insts[b.Start:call.Index],
			func(in *rewrite.Inst) bool { return passesFloat(in, v) }):
			return false
		}
	}
	return true
}

// passesFloat reports whether an instruction stores a floating-point number as an argument.
func passesFloat(in *rewrite.Inst, arg *rewrite.Var) bool {
	if in.Access.Kind != isa.AccessStore || in.Access.Space != isa.SpaceParam ||
		in.Operands[in.Access.Addr].Sym != rewrite.Symbol(arg) {
		return false
	}
	o := in.Value()
	return in.Type(0).Float() && (o.Kind == rewrite.OperandReg && o.Reg.Type.Float() ||
		o.Kind == rewrite.OperandImm && o.Float)
}

// split reports whether threads of a block may call different functions at a call.
func (f *Frame) split(call *rewrite.Inst) bool {
	c, _ := call.Call()
	return len(f.kids[call.Index]) > 1 && f.uniformity().reg(call, c.Target)
}

// joins reports whether a function, or one that it calls, has an instruction at which threads wait for others or end:
// where threads of a block that call different functions may do so, their barriers are not compared. A function outside
// of the module is assumed not to, if it is followed at all: see settle.
func joins(g *rewrite.Func, depth int) bool {
	return slices.ContainsFunc(g.Insts, func(in *rewrite.Inst) bool {
		_, barrier := in.Barrier()
		if c, call := in.Call(); call && (c.Func == nil || depth == 0 || c.Func.Alias != nil ||
			joins(c.Func, depth-1)) {
			return true
		}
		return barrier || in.Effects()&(isa.Exits|isa.Aborts) != 0 || in.Instr.Class == isa.ClassAsync
	})
}

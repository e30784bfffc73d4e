package rewrite

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Verify checks what Load does not: the internal consistency of the view, calls
// against signatures, uses of parameters, and that registers made by passes are
// written before they are read on every path. Names and operands are Load's
// business. The error is a ptxgrammar.ErrorList.
func Verify(m *Module) error {
	v := &verifier{m: m}
	for _, f := range m.Funcs {
		if f.Defined() && len(v.errs) < maxErrors {
			v.function(f)
		}
	}
	if len(v.errs) > 0 {
		v.errs.Sort()
		return v.errs
	}
	return nil
}

type verifier struct {
	m    *Module
	errs ptxgrammar.ErrorList
}

// errorf records a problem at an instruction.
func (v *verifier) errorf(in *Inst, format string, args ...any) {
	if len(v.errs) < maxErrors {
		v.errs = append(v.errs, &ptxgrammar.Error{Pos: in.Position(), Msg: fmt.Sprintf(format, args...)})
	}
}

func (v *verifier) function(f *Func) {
	checkView(f)
	for _, in := range f.Insts {
		if c, ok := in.Call(); ok {
			v.call(in, c)
		}
		v.param(in)
	}
	v.inserted(f)
}

// checkView panics when the view is inconsistent: no input can cause that.
func checkView(f *Func) {
	for i, in := range f.Insts {
		if in.Index != i || in.Func != f || in.Decoded == nil {
			panic(fmt.Sprintf("BUG: instruction %d of %s is inconsistent", i, f.Name))
		}
	}
	for i, r := range f.Regs {
		if r.Index != i {
			panic(fmt.Sprintf("BUG: register %s of %s is not at its index", r.Name, f.Name))
		}
	}
	for _, l := range f.Labels {
		if l.Inst < 0 || l.Inst > len(f.Insts) {
			panic(fmt.Sprintf("BUG: label %s of %s is outside the body", l.Name, f.Name))
		}
	}
}

// call compares a call with the signature of its callee or prototype.
func (v *verifier) call(in *Inst, c Call) {
	var name string
	var returns, params []*Var
	switch {
	case c.Func != nil && c.Func.Entry:
		v.errorf(in, "%q is a kernel and cannot be called", c.Func.Name)
		return
	case c.Func != nil:
		name, returns, params = c.Func.Name, c.Func.Returns, c.Func.Params
	case c.Target == nil:
		v.errorf(in, "call without a function")
		return
	case c.Proto == nil:
		v.errorf(in, "call through %q needs a prototype or a list of targets", c.Target.Name)
		return
	case len(c.Proto.Funcs) > 0:
		name, returns, params = c.Proto.Name, c.Proto.Funcs[0].Returns, c.Proto.Funcs[0].Params
	default:
		v.count(in, c.Proto.Name, "arguments", len(c.Args), len(c.Proto.Params))
		v.count(in, c.Proto.Name, "results", len(c.Returns), len(c.Proto.Returns))
		return
	}
	if v.count(in, name, "arguments", len(c.Args), len(params)) {
		v.sizes(in, name, "argument", c.Args, params)
	}
	if v.count(in, name, "results", len(c.Returns), len(returns)) {
		v.sizes(in, name, "result", c.Returns, returns)
	}
}

func (v *verifier) count(in *Inst, name, what string, have, want int) bool {
	if have != want {
		v.errorf(in, "call of %q with %d %s, it has %d", name, have, what, want)
	}
	return have == want
}

// sizes compares actual with formal parameters. An unsized formal array takes any.
func (v *verifier) sizes(in *Inst, name, what string, ops []Operand, formals []*Var) {
	for i := range ops {
		have, want := uint64(0), formals[i].Size
		switch o := &ops[i]; o.Kind {
		case OperandReg:
			have = uint64(o.Reg.Type.Bits()*o.Reg.Vec) / 8
			if formals[i].Reg != nil {
				want = uint64(formals[i].Reg.Type.Bits()*formals[i].Reg.Vec) / 8
			}
		case OperandSymbol:
			if a, ok := o.Sym.(*Var); ok {
				have = a.Size
			}
		}
		if have != 0 && want != 0 && have != want {
			v.errorf(in, "call of %q: %s %d has %d bytes, expected %d", name, what, i, have, want)
		}
	}
}

// param checks accesses to .param space: kernel parameters are read-only.
func (v *verifier) param(in *Inst) {
	if !in.Access.Writes() || in.Access.Space != isa.SpaceParam || in.Access.Addr >= len(in.Operands) {
		return
	}
	p, ok := in.Operands[in.Access.Addr].Sym.(*Var)
	if ok && in.Func.Entry && in.Func.formal(p) {
		v.errorf(in, "kernel parameter %q is read-only", p.Name)
	}
}

// inserted reports registers made by a pass that may be read before they are
// written. The user's own may: what they hold then is the user's business.
func (v *verifier) inserted(f *Func) {
	if len(f.Insts) == 0 {
		return
	}
	entry := f.Liveness().In(f.CFG().Blocks[0])
	for _, r := range f.Regs {
		if entry.Has(r) && strings.HasPrefix(r.Name, "%"+stemPrefix) {
			v.errorf(f.firstUse(r), "inserted register %q may be read before it is written", r.Name)
		}
	}
}

// firstUse is the first instruction in source order that reads r.
func (f *Func) firstUse(r *Reg) *Inst {
	for _, in := range f.Insts {
		found := false
		in.Uses(func(u *Reg) { found = found || u == r })
		if found {
			return in
		}
	}
	panic("BUG: " + r.Name + " is live but never read")
}

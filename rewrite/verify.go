// The verifier of rewritten modules.

package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Verify checks what Load does not: the internal consistency of the view, calls against signatures and prototypes, uses
// of parameters, that registers made by passes are written before they are read on every path, and that inserted code
// can execute. Load checks names and operands. The error is a ptxgrammar.ErrorList; an error about an inserted line
// says which pass inserted it for which line of the user.
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
		v.errs = append(v.errs, positioned(in, "%s%s", fmt.Sprintf(format, args...), v.provenance(in)))
	}
}

// provenance returns " (inserted by PASS for line N)" for inserted instructions, else "".
func (v *verifier) provenance(in *Inst) string {
	switch o := v.m.Origin(in.Line); {
	case o.Pass == "":
		return ""
	case o.For == 0:
		return " (inserted by " + o.Pass + ")"
	default:
		return fmt.Sprintf(" (inserted by %s for line %d)", o.Pass, o.For)
	}
}

func (v *verifier) function(f *Func) {
	checkView(f)
	for _, in := range f.Insts {
		if c, ok := in.Call(); ok {
			v.call(in, c)
		}
		v.param(in)
		if in.Unknown() && v.m.Origin(in.Line).Pass != "" {
			v.errorf(in, "unknown instruction %q", in.Instr.Name)
		}
	}
	v.inserted(f)
	v.dead(f)
}

// checkView panics if the view is inconsistent, which no input can cause.
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
		name, returns, params = c.Proto.Name, v.formals(c.Proto.Returns), v.formals(c.Proto.Params)
	}
	if v.count(in, name, "arguments", len(c.Args), len(params)) {
		v.sizes(in, name, "argument", c.Args, params)
	}
	if v.count(in, name, "results", len(c.Returns), len(returns)) {
		v.sizes(in, name, "result", c.Returns, returns)
	}
}

// formals returns variables for a prototype's parameters.
func (v *verifier) formals(params []ptxgrammar.Var) []*Var {
	l := &loader{ast: v.m.AST, mod: v.m}
	list := make([]*Var, len(params))
	for i := range params {
		list[i] = l.newVar(&params[i], nil)
		if list[i].Space == isa.SpaceReg {
			list[i].Reg = &Reg{Type: params[i].Type, Vec: max(params[i].Vec, 1)}
		}
	}
	return list
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
			a, ok := o.Sym.(*Var)
			if !ok {
				break
			}
			have = a.Size
			if have == want && a.Align < formals[i].Align && formals[i].Space == isa.SpaceParam {
				v.errorf(in, "call of %q: %s %d is aligned to %d bytes, expected %d", name, what, i, a.Align,
					formals[i].Align)
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
	if ok && in.Func.Entry && in.Func.Formal(p) {
		v.errorf(in, "kernel parameter %q is read-only", p.Name)
	}
}

// inserted records errors about registers made by a pass that may be read before they are written. The user's own
// registers are not checked.
func (v *verifier) inserted(f *Func) {
	param := func(r *Reg) bool { return slices.ContainsFunc(f.Params, func(v *Var) bool { return v.Reg == r }) }
	byPass := func(r *Reg) bool { return strings.HasPrefix(r.Name, "%"+stemPrefix) && !param(r) }
	if len(f.Insts) == 0 || !slices.ContainsFunc(f.Regs, byPass) {
		return
	}
	entry := f.Liveness().In(f.CFG().Blocks[0])
	for _, r := range f.Regs {
		if entry.Has(r) && byPass(r) {
			v.errorf(f.firstUse(r), "inserted register %q may be read before it is written", r.Name)
		}
	}
}

// firstUse returns the first instruction in source order that may read r before it is
// written.
func (f *Func) firstUse(r *Reg) *Inst {
	du := f.DefUse()
	for _, in := range f.Insts {
		if _, undefined := du.Defs(in, r); undefined {
			return in
		}
	}
	panic("BUG: " + r.Name + " is live at the entry but never read")
}

// dead records errors about inserted instructions that control never reaches although it reaches the line that they
// were inserted for. Code of a library is not checked.
func (v *verifier) dead(f *Func) {
	if v.m.origins == nil || v.m.Origin(v.m.AST.File.Line(f.AST.NameAt.Start)).Pass != "" {
		return
	}
	g := f.CFG()
	for _, b := range g.Blocks[:g.Exit.Index] {
		if b.Start < b.End && len(b.Preds) == 0 && !g.Reached(b) && !v.m.Origin(f.Insts[b.Start].Line).unreached &&
			v.insertedOnly(g, b) {
			v.errorf(f.Insts[b.Start], "inserted instruction %q can never execute", f.Insts[b.Start].Text())
		}
	}
}

// insertedOnly reports whether the unreachable blocks from b on hold only inserted instructions.
func (v *verifier) insertedOnly(g *CFG, b *Block) bool {
	seen := map[*Block]bool{b: true}
	work := []*Block{b}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, in := range g.Func.Insts[b.Start:b.End] {
			if v.m.Origin(in.Line).Pass == "" {
				return false
			}
		}
		for _, s := range b.Succs {
			if !g.Reached(s) && !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return true
}

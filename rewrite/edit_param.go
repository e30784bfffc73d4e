// Additional parameters of functions and kernels.

package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// newParam is a parameter to add to a function.
type newParam struct {
	typ    isa.Type
	name   string
	actual func(call *Inst) string
}

// AddParam adds a scalar parameter at the end of f's list, in all its declarations, and an argument to every call:
// actual returns the register or immediate to pass, which must be visible at the call. The result is the parameter's
// name, for text inserted into f. It is in .param space, or a register if the other parameters of f are.
//
// Calls through a register are changed with their prototypes or lists of targets, provided that all functions that they
// may reach get the same parameters: the listed ones or, with a prototype, all functions of that signature whose
// address is taken in the module. Otherwise Apply returns an error about the call and the function that lacks the
// parameter. Callers in other modules and launches of a kernel have to be changed separately.
func (e *Editor) AddParam(f *Func, t isa.Type, hint string, actual func(call *Inst) string) (name string, err error) {
	if t.Size() == 0 || t.Size() > 8 {
		return "", fmt.Errorf("%s: a .%s cannot be a parameter", f.Name, t)
	}
	if f.Module != e.m {
		panic("BUG: AddParam to function " + f.Name + " of another module")
	}
	if e.params == nil {
		e.params, e.aliased = make(map[*Func][]newParam), aliased(e.m)
	}
	if e.aliased[f] {
		return "", fmt.Errorf("%s: no parameter can be added to %s: .alias gives it two names", symbolPosition(e.m, f),
			f.Name)
	}
	if !f.Defined() {
		return "", fmt.Errorf("%s: no parameter can be added to %s: it is defined elsewhere", symbolPosition(e.m, f),
			f.Name)
	}
	name = e.names.symbol(hint)
	if inRegisters(f) {
		name = "%" + strings.TrimLeft(name, "_")
	}
	e.params[f] = append(e.params[f], newParam{t, name, actual})
	return name, nil
}

// aliased returns the functions of a module that have two names, by either name.
func aliased(m *Module) map[*Func]bool {
	out := make(map[*Func]bool)
	for _, f := range m.Funcs {
		if f.Alias != nil {
			out[f], out[f.Alias] = true, true
		}
	}
	return out
}

// inRegisters reports whether a function has its parameters in registers (PTX 1.x).
func inRegisters(f *Func) bool {
	return slices.ContainsFunc(slices.Concat(f.Params, f.Returns), func(v *Var) bool { return v.Reg != nil })
}

// writeParams turns added parameters into changes of declarations and calls.
func (e *Editor) writeParams() {
	if len(e.params) == 0 {
		return
	}
	for i := range e.m.AST.Funcs {
		a := &e.m.AST.Funcs[i]
		if f := e.m.Func(a.Name); e.params[f] != nil {
			e.append(a.ParamsAt, a.NameAt.End, "", len(a.Params) > 0, formals(f, e.params[f]))
		}
	}
	taken := addressTaken(e.m)
	protos := make(map[*Proto]bool)
	for _, f := range e.m.Funcs {
		for _, in := range f.Insts {
			if c, ok := in.Call(); ok {
				e.passParams(in, c, taken, protos)
			}
		}
	}
}

// append queues text at the end of a parenthesised list, which may be empty, or as a new list after sep if there is
// none.
func (e *Editor) append(list ptxgrammar.Range, otherwise uint32, sep string, nonEmpty bool, text string) {
	at := list.End - 1
	switch {
	case list.Start == list.End:
		at, text = otherwise, sep+"("+text+")"
	case nonEmpty:
		text = ", " + text
	}
	e.change(ptxgrammar.Range{Start: at, End: at}, text, "AddParam")
}

// formals returns the text of added parameters.
func formals(f *Func, params []newParam) string {
	space := isa.SpaceParam
	if inRegisters(f) {
		space = isa.SpaceReg
	}
	var list []string
	for _, p := range params {
		list = append(list, fmt.Sprintf(".%s .%s %s", space, p.typ, p.name))
	}
	return strings.Join(list, ", ")
}

// addressTaken returns the functions whose address the module takes, in source order.
func addressTaken(m *Module) []*Func {
	taken := make(map[*Func]bool)
	r := &refs{m: m, visit: func(_ *ptxgrammar.Operand, s Symbol, call bool) {
		if f, ok := s.(*Func); ok && !call {
			taken[f] = true
		}
	}}
	r.all()
	var list []*Func
	for _, f := range m.Funcs {
		if taken[f] {
			list = append(list, f)
		}
	}
	return list
}

// passParams adds the arguments to one call.
func (e *Editor) passParams(in *Inst, c Call, taken []*Func, protos map[*Proto]bool) {
	callee := c.Func
	if callee == nil {
		if callee = e.sameAdditions(in, c, taken); callee == nil {
			return
		}
		if c.Proto != nil && len(c.Proto.Funcs) == 0 && !protos[c.Proto] {
			protos[c.Proto] = true
			e.prototype(c.Proto, callee)
		}
	}
	params := e.params[callee]
	if params == nil {
		return
	}
	fe, s := e.fn(in.Func), e.at(in)
	var args []string
	for _, p := range params {
		value := p.actual(in)
		if !inRegisters(callee) {
			name := fmt.Sprintf("%spass%d", e.names.stem, fe.passed)
			fe.passed++
			s.inner = append(s.inner, fmt.Sprintf(".param .%s %s;", p.typ, name),
				fmt.Sprintf("st.param.b%d [%s], %s;", p.typ.Bits(), name, value))
			value = name
		}
		args = append(args, value)
	}
	list, after := callLists(in)
	e.append(list, after, ", ", len(c.Args) > 0, strings.Join(args, ", "))
}

// sameAdditions returns one of the functions that a call through a register may reach if all of them get the same
// parameters, nil if none gets any. It is an error if only some do.
func (e *Editor) sameAdditions(in *Inst, c Call, taken []*Func) *Func {
	var reached []*Func
	if c.Proto != nil {
		reached = c.Proto.Funcs
	}
	if len(reached) == 0 {
		for _, f := range taken {
			if c.Proto == nil || sameProto(e.m, c.Proto, f) {
				reached = append(reached, f)
			}
		}
	}
	with := slices.IndexFunc(reached, func(f *Func) bool { return e.params[f] != nil })
	if with < 0 {
		return nil
	}
	want := e.params[reached[with]]
	for _, f := range reached {
		same := slices.EqualFunc(want, e.params[f], func(a, b newParam) bool { return a.typ == b.typ })
		if !same {
			_ = e.errorf(in, "%q may call %s, which gets parameters, and %s, which does not get the same", in.Text(),
				reached[with].Name, f.Name)
			return nil
		}
	}
	return reached[with]
}

// sameProto reports whether a function has the signature of a prototype.
func sameProto(m *Module, p *Proto, f *Func) bool {
	l := &loader{ast: m.AST, mod: m}
	same := func(a ptxgrammar.Var, b *Var) bool {
		v := l.newVar(&a, nil)
		return v.Size == b.Size && v.Space == b.Space
	}
	return slices.EqualFunc(p.Params, f.Params, same) && slices.EqualFunc(p.Returns, f.Returns, same)
}

// prototype adds parameters to a .callprototype.
func (e *Editor) prototype(p *Proto, callee *Func) {
	var unnamed []newParam
	for _, a := range e.params[callee] {
		unnamed = append(unnamed, newParam{typ: a.typ, name: "_"})
	}
	list, after := protoList(e.m.AST.Text(p.AST.Range), p.AST.Start)
	e.append(list, after, " ", len(p.Params) > 0, formals(callee, unnamed))
}

// protoList returns the parameter list of ".callprototype (rets) _ (params) ...", empty if there is none, and the end
// of the name before it.
func protoList(text string, start uint32) (list ptxgrammar.Range, nameEnd uint32) {
	depth, open := 0, -1
	begin := strings.Index(text, ".callprototype") + len(".callprototype")
	named := false
	for i := begin; i < len(text); i++ {
		switch ch := text[i]; {
		case ch == '(':
			if depth == 0 {
				open = i
			}
			depth++
		case ch == ')':
			depth--
			if depth == 0 && named {
				return ptxgrammar.Range{Start: start + uint32(open), End: start + uint32(i) + 1}, nameEnd
			}
		case depth == 0 && (ch == '.' || ch == ';') && named:
			return ptxgrammar.Range{}, nameEnd
		case depth == 0 && wordByte(ch):
			named = true
			nameEnd = start + uint32(i) + 1
		}
	}
	return ptxgrammar.Range{}, nameEnd
}

// callLists returns the range of a call's list of arguments, empty if there is none, and the end of the callee.
func callLists(in *Inst) (args ptxgrammar.Range, callee uint32) {
	m := in.Func.Module.AST
	for i := range in.Operands {
		switch o := &in.Operands[i]; {
		case o.Kind != OperandList && callee == 0:
			callee = m.OperandRange(o.AST).End
		case o.Kind == OperandList && callee != 0:
			return m.OperandRange(o.AST), callee
		}
	}
	return ptxgrammar.Range{}, callee
}

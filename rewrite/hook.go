// Hooks: calls with typed arguments that a pass inserts.

package rewrite

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Hook is the device function that an inserted call calls. Arguments are checked against its parameter types.
type Hook struct {
	Func *Func
	// Result names the register for the function's result, which must be one scalar; "" drops the result.
	Result string
	// Halves name 32-bit registers for the low and the high half of a 64-bit result, in addition to Result.
	Halves [2]string
}

// Arg is a typed argument of an inserted call.
type Arg struct {
	kind    argKind
	bits    uint64 // immediate
	operand int
	elem    int
	reg     *Reg
	in      *Inst // of AddrOf
}

type argKind uint8

const (
	argConst32 argKind = iota
	argConst64
	argAddr
	argValue
	argReg
	argGuard
	argAddrOf
)

// Const32 passes a 32-bit immediate.
func Const32(v uint32) Arg { return Arg{kind: argConst32, bits: uint64(v)} }

// Const64 passes a 64-bit immediate.
func Const64(v uint64) Arg { return Arg{kind: argConst64, bits: v} }

// Addr passes the effective address of the n-th operand, as a generic 64-bit
// address whatever space the instruction names.
func Addr(operand int) Arg { return Arg{kind: argAddr, operand: operand} }

// Value passes the value of the n-th operand, extended to the parameter's width: signed types are sign-extended,
// predicates are 0 or 1. With CallAfter, a destination has its value after the instruction, and a source its value
// before it.
func Value(operand int) Arg { return Arg{kind: argValue, operand: operand} }

// Elem is Value for one element of a vector operand.
func Elem(operand, elem int) Arg { return Arg{kind: argValue, operand: operand, elem: elem} }

// RegArg passes the value that a register has at the time of the call.
func RegArg(r *Reg) Arg { return Arg{kind: argReg, reg: r} }

// Guard passes 1 in lanes where the instruction's guard holds, else 0. A call
// with this argument is made in all lanes.
func Guard() Arg { return Arg{kind: argGuard} }

// AddrOf passes the effective address of the n-th operand of another instruction, with the register values at the time
// of the call. It is for calls moved out of a loop in which these registers do not change, see Func.Invariant.
func AddrOf(in *Inst, operand int) Arg { return Arg{kind: argAddrOf, in: in, operand: operand} }

// placeless checks that arguments do not depend on an instruction.
func placeless(args []Arg) error {
	for i, a := range args {
		switch a.kind {
		case argConst32, argConst64, argReg, argAddrOf:
		default:
			return fmt.Errorf("argument %d: no instruction to take it from", i)
		}
	}
	return nil
}

// CallBefore calls hook before in executes, only in lanes where in's guard holds: a guarded instruction becomes a
// branch around {call; instruction}. The call is not .uni: lanes may have diverged.
func (e *Editor) CallBefore(in *Inst, hook *Hook, args ...Arg) error {
	c := &callWriter{e: e, in: in, fe: e.fn(in.Func), s: e.at(in)}
	lines, err := c.build(hook, args)
	if err != nil {
		return e.errorf(in, "call of %s before %q: %v", hook.Func.Name, in.Text(), err)
	}
	lines = c.keepCarry(append(c.pre, lines...), c.fe.carryReader(in.Func.Insts[c.s.first], false))
	c.s.before = append(c.s.before, piece{lines, c.guard(args)})
	return nil
}

// CallAt calls hook before in executes, in all lanes whatever in's guard. Arguments can be constants, RegArg and
// AddrOf.
func (e *Editor) CallAt(in *Inst, hook *Hook, args ...Arg) error {
	lines, err := e.plainCall(in, hook, args)
	if err != nil {
		return e.errorf(in, "call of %s before %q: %v", hook.Func.Name, in.Text(), err)
	}
	s := e.at(in)
	s.before = append(s.before, piece{lines: lines})
	return nil
}

// CallAfter calls hook after in. Addresses and sources have their values before in executed, even if in overwrites
// their registers. It is an error if in is a branch, guarded or not, or never falls through: there is no place after
// it.
func (e *Editor) CallAfter(in *Inst, hook *Hook, args ...Arg) error {
	if !in.fallsThrough() || in.Branches() || in.leaves() {
		return e.errorf(in, "call of %s: nothing executes after %q", hook.Func.Name, in.Text())
	}
	c := &callWriter{e: e, in: in, fe: e.fn(in.Func), s: e.at(in), after: true}
	lines, err := c.build(hook, args)
	if err != nil {
		return e.errorf(in, "call of %s after %q: %v", hook.Func.Name, in.Text(), err)
	}
	if len(c.pre) > 0 {
		c.s.before = append(c.s.before, piece{lines: c.pre}) // harmless in lanes where the guard does not hold
	}
	lines = c.keepCarry(append(c.post, lines...), c.fe.carryReader(in.Func.Insts[c.s.last], true))
	c.s.after = append(c.s.after, piece{lines, c.guard(args)})
	return nil
}

// CallAtEntry calls hook once when f starts. Arguments can be constants and registers that earlier calls at the entry
// have written: the only ones with defined values.
func (e *Editor) CallAtEntry(f *Func, hook *Hook, args ...Arg) error {
	empty := func(a Arg) bool {
		return a.kind == argAddrOf || a.kind == argReg && !slices.Contains(e.fn(f).entryResults, a.reg.Name)
	}
	if i := slices.IndexFunc(args, empty); i >= 0 {
		return fmt.Errorf("call of %s at the entry of %s: argument %d: registers hold nothing yet", hook.Func.Name,
			f.Name, i)
	}
	lines, err := e.bareCall(f, hook, args)
	if err != nil {
		return fmt.Errorf("call of %s at the entry of %s: %w", hook.Func.Name, f.Name, err)
	}
	e.fn(f).entry = append(e.fn(f).entry, lines...)
	if hook.Result != "" {
		e.fn(f).entryResults = append(e.fn(f).entryResults, hook.Result, hook.Halves[0], hook.Halves[1])
	}
	return nil
}

// bareCall returns the statements of a call whose arguments do not depend on an instruction.
func (e *Editor) bareCall(f *Func, hook *Hook, args []Arg) ([]string, error) {
	if err := placeless(args); err != nil {
		return nil, err
	}
	c := &callWriter{e: e, fe: e.fn(f), s: &site{}}
	lines, err := c.build(hook, args)
	return append(c.pre, lines...), err
}

// callWriter writes one inserted call.
type callWriter struct {
	e     *Editor
	in    *Inst // nil at a function's entry
	fe    *funcEdit
	s     *site
	after bool
	pre   []string // computes arguments before the instruction
	post  []string // computes arguments after it
}

// guard returns the instruction on whose guard the call depends.
func (c *callWriter) guard(args []Arg) *Inst {
	for _, a := range args {
		if a.kind == argGuard {
			return nil
		}
	}
	return c.in
}

// build checks the arguments and returns the call as a block of its own.
func (c *callWriter) build(hook *Hook, args []Arg) ([]string, error) {
	params := hook.Func.Params
	if err := hook.checkResult(); err != nil {
		return nil, err
	}
	if len(args) != len(params) {
		return nil, fmt.Errorf("it takes %d arguments, got %d", len(params), len(args))
	}
	lines := []string{"{"}
	names := ""
	for i, a := range args {
		p := params[i]
		if p.Space != isa.SpaceParam || len(p.Dims) > 0 || p.Vec != 1 {
			return nil, fmt.Errorf("parameter %d is not a scalar in .param space", i)
		}
		v, err := c.arg(a, p.Type)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i, err)
		}
		name := fmt.Sprintf("%sarg%d", c.e.names.stem, i)
		lines = append(lines, fmt.Sprintf("\t.param .%s %s;", p.Type, name),
			fmt.Sprintf("\tst.param.b%d [%s], %s;", p.Type.Bits(), name, v))
		if i > 0 {
			names += ", "
		}
		names += name
	}
	if names != "" {
		names = ", (" + names + ")"
	}
	c.e.declare(hook.Func, c.fe.f.AST.Start+1)
	if len(hook.Func.Returns) == 0 {
		return append(lines, fmt.Sprintf("\tcall %s%s;", hook.Func.Name, names), "}"), nil
	}
	r, name := hook.Func.Returns[0], c.e.names.stem+"result"
	lines = append(lines, fmt.Sprintf("\t.param .%s %s;", r.Type, name),
		fmt.Sprintf("\tcall (%s), %s%s;", name, hook.Func.Name, names))
	if hook.Result != "" {
		lines = append(lines, fmt.Sprintf("\tld.param.b%d %s, [%s];", r.Type.Bits(), hook.Result, name))
	}
	if hook.Halves[0] != "" {
		lines = append(lines, fmt.Sprintf("\tmov.b64 {%s, %s}, %s;", hook.Halves[0], hook.Halves[1], hook.Result))
	}
	return append(lines, "}"), nil
}

// checkResult checks that a call can store the function's result.
func (h *Hook) checkResult() error {
	switch returns := h.Func.Returns; {
	case h.Halves[0] != "" && (h.Result == "" || len(returns) != 1 || returns[0].Type.Bits() != 64):
		return fmt.Errorf("there are no halves of a result of 64 bits")
	case len(returns) == 0 && h.Result != "":
		return fmt.Errorf("it returns nothing")
	case len(returns) == 0:
		return nil
	case len(returns) > 1 || returns[0].Space != isa.SpaceParam || len(returns[0].Dims) > 0 || returns[0].Vec != 1:
		return fmt.Errorf("it returns what is not one scalar in .param space")
	}
	return nil
}

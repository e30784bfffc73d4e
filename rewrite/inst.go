// Instructions: calls, definitions, uses, positions.

package rewrite

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Call holds the parts of a call instruction.
type Call struct {
	Func          *Func  // direct callee, nil for a call through a register
	Target        *Reg   // register that holds the callee
	Proto         *Proto // .callprototype or .calltargets of an indirect call
	Returns, Args []Operand
}

// Call returns the parts of a call instruction; ok is false for other instructions.
func (i *Inst) Call() (c Call, ok bool) {
	if i.Instr.Effects&isa.Calls == 0 {
		return c, false
	}
	ops := i.Operands
	if len(ops) > 0 && ops[0].Kind == OperandList {
		c.Returns, ops = ops[0].Elems, ops[1:]
	}
	for n := range ops {
		switch o := &ops[n]; {
		case o.Kind == OperandList:
			c.Args = o.Elems
		case o.Kind == OperandReg && c.Target == nil && c.Func == nil:
			c.Target = o.Reg
		case o.Kind == OperandSymbol:
			switch s := o.Sym.(type) {
			case *Func:
				c.Func = s
			case *Proto:
				c.Proto = s
			}
		}
	}
	return c, true
}

// Defs calls f for every register that the instruction writes.
func (i *Inst) Defs(f func(*Reg)) {
	if c, ok := i.Call(); ok {
		regsOf(c.Returns, f)
		return
	}
	for n := range i.Operands {
		if i.Role(n) == isa.RoleDst {
			i.Operands[n].EachReg(f)
		}
	}
}

// Uses calls f for every register that the instruction reads, including guard and address bases. It may call f several
// times for one register.
func (i *Inst) Uses(f func(*Reg)) {
	if i.Guard != nil {
		f(i.Guard)
	}
	if c, ok := i.Call(); ok {
		if c.Target != nil {
			f(c.Target)
		}
		regsOf(c.Args, f)
		return
	}
	for n := range i.Operands {
		if i.Role(n) != isa.RoleDst || i.Decoded.Operands[n].Spec.Reads {
			i.Operands[n].EachReg(f)
		}
	}
}

// regsOf calls f for the registers in a list of operands.
func regsOf(ops []Operand, f func(*Reg)) {
	for n := range ops {
		ops[n].EachReg(f)
	}
}

// EachReg calls f for the registers in an operand.
func (o *Operand) EachReg(f func(*Reg)) {
	if o.Reg != nil {
		f(o.Reg)
	}
	regsOf(o.Elems, f)
}

// Value returns the operand that the access loads or stores, nil if there is none, as for st.bulk (isa.Access.Value).
func (i *Inst) Value() *Operand {
	if n := i.Access.Value; i.Access.Kind != isa.AccessNone && n >= 0 && n < len(i.Operands) {
		return &i.Operands[n]
	}
	return nil
}

// Writes reports whether the instruction writes r.
func (i *Inst) Writes(r *Reg) bool {
	found := false
	i.Defs(func(d *Reg) { found = found || d == r })
	return found
}

// Branches reports whether control may continue at a label.
func (i *Inst) Branches() bool {
	return i.Instr.Effects&isa.Branches != 0 || i.Unknown() &&
		slices.ContainsFunc(i.Operands, func(o Operand) bool { return o.Kind == OperandLabel })
}

// leaves reports whether control may leave the function here other than by falling off its end: ret, exit, trap and
// calls that do not return.
func (i *Inst) leaves() bool {
	if i.Instr.Effects&isa.Terminates != 0 {
		return true
	}
	c, ok := i.Call()
	return ok && c.Func != nil && c.Func.NoReturn()
}

// fallsThrough reports whether the next instruction may execute after this one in
// the same thread without a jump.
func (i *Inst) fallsThrough() bool {
	return i.Guard != nil || i.Unknown() || !i.Branches() && !i.leaves()
}

// NoReturn reports whether the function is declared .noreturn.
func (f *Func) NoReturn() bool {
	for i := range f.AST.Perf {
		if f.AST.Perf[i].Name == ".noreturn" {
			return true
		}
	}
	return false
}

// Position returns where the instruction stands in the PTX file.
func (i *Inst) Position() ptxgrammar.Position {
	m := i.Func.Module.AST
	return m.File.Position(m.InstRange(i.AST).Start)
}

// Text returns the instruction as written, without the guard and the semicolon, in
// one line.
func (i *Inst) Text() string {
	m := i.Func.Module.AST
	r := m.InstRange(i.AST)
	r.Start = m.OpcodeRange(i.AST).Start
	return oneLine(m.Text(r))
}

// Opcode returns the opcode with its modifiers.
func (i *Inst) Opcode() string {
	m := i.Func.Module.AST
	return oneLine(m.Text(m.OpcodeRange(i.AST)))
}

// oneLine joins the lines of an instruction and drops comments, the semicolon and
// repeated blanks.
func oneLine(text string) string {
	text = strings.TrimSpace(text)
	if inOneLine(text) {
		return strings.TrimSpace(strings.TrimSuffix(text, ";"))
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		switch rest := text[i:]; {
		case strings.HasPrefix(rest, "//"):
			i += indexOr(rest, "\n")
		case strings.HasPrefix(rest, "/*"):
			i += 2 + indexOr(rest[2:], "*/") + 2
		default:
			b.WriteByte(text[i])
			i++
		}
	}
	joined := strings.Join(strings.Fields(b.String()), " ")
	return strings.TrimSpace(strings.TrimSuffix(joined, ";"))
}

// inOneLine reports whether there are no comments and blanks to be dropped.
func inOneLine(text string) bool {
	for i := range len(text) {
		if c := text[i]; c == '/' || c < ' ' || c == ' ' && text[i-1] == ' ' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// indexOr is strings.Index, or the length of s when sep is absent.
func indexOr(s, sep string) int {
	if i := strings.Index(s, sep); i >= 0 {
		return i
	}
	return len(s)
}

// Role returns how the instruction uses its n-th operand.
func (i *Inst) Role(n int) isa.Role {
	if n < len(i.Decoded.Operands) {
		return i.Decoded.Operands[n].Role
	}
	return isa.RoleNone
}

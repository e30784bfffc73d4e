// The checker: operands against the forms of the instruction table.

package rewrite

import (
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Check is Load with all the rules of the manual: beyond what Load needs to make
// sense of a text, it compares the types of operands, calls with signatures,
// instructions with .version and .target, and uses of module-scope names with the
// place of their declaration. What a compiler emits passes; the error is a
// ptxgrammar.ErrorList of at most 50 problems in order of position.
func Check(m *ptxgrammar.Module) (*Module, error) {
	mod, err := loadTree(m, loadStrict, nil)
	if err != nil {
		return nil, err
	}
	if err := Verify(mod); err != nil {
		return nil, err
	}
	return mod, nil
}

// checkOperands compares the operands of an instruction with what the instruction
// table expects at their places: kind, and size of registers (PTX ISA 9.4, Type
// Information for Instructions and Operands). checkTypes tells floats from integers.
func (l *funcLoader) checkOperands(in *Inst) {
	if in.Instr.Effects&isa.Calls != 0 {
		return // Verify compares calls with signatures
	}
	for i := range in.Operands {
		if i >= len(in.Decoded.Operands) {
			return
		}
		o, want := &in.Operands[i], &in.Decoded.Operands[i]
		if !l.checkKind(in, o, want.Role) || !l.checkSum(in, o, want.Role) || !l.checkWhole(in, o, want) {
			continue
		}
		switch o.Kind {
		case OperandPair:
			l.checkSize(in, &o.Elems[0], want.Type, 1)
			l.checkSize(in, &o.Elems[1], want.PairType, 1)
		case OperandVector:
			l.checkVector(in, o, want)
		default:
			l.checkSize(in, o, want.Whole(), want.Vec)
		}
	}
}

// checkKind compares the kind of an operand with its role.
func (l *funcLoader) checkKind(in *Inst, o *Operand, role isa.Role) bool {
	bad := func(expected string) bool {
		l.mismatch(in, o, "expected %s, got %q", expected, shown(l.ast, o.AST))
		return false
	}
	switch role {
	case isa.RoleDst:
		switch o.Kind {
		case OperandReg, OperandVector, OperandPair, OperandNone:
		default:
			return bad("a register")
		}
	case isa.RoleSrc:
		switch o.Kind {
		case OperandAddr:
			return bad("a register or constant")
		case OperandNone:
			return bad("a value")
		}
	case isa.RoleAddr:
		if o.Kind != OperandAddr && o.Kind != OperandSum {
			return bad("an address in brackets")
		}
		if o.Reg != nil && !addressable(o.Reg.Type) {
			l.mismatch(in, o, "a .%s register cannot hold the address %q", o.Reg.Type, shown(l.ast, o.AST))
			return false
		}
	case isa.RoleLabel:
		if o.Kind != OperandLabel && o.Kind != OperandReg {
			return bad("a label")
		}
	}
	return true
}

// addressable reports whether a register of type t can be the base of an address.
func addressable(t isa.Type) bool {
	return t.Bits() == 32 || t.Bits() == 64
}

// checkWhole checks that a whole vector register is used only as a vector, or in a mov that packs or unpacks one.
func (l *funcLoader) checkWhole(in *Inst, o *Operand, want *isa.OperandInfo) bool {
	vectors := in.Vec // mov.v2 has vectors on both sides
	if in.Instr.Calc != isa.CalcCopy {
		vectors = want.Vec
	} else if !in.Operands[0].wholeVector() || !in.Operands[len(in.Operands)-1].wholeVector() {
		return true
	}
	if !o.wholeVector() || vectors != 1 {
		return true
	}
	l.mismatch(in, o, "%q is a vector of %d, expected one value", o.Reg.Name, o.Reg.Vec)
	return false
}

// wholeVector reports whether the operand is a vector register without a component.
func (o *Operand) wholeVector() bool {
	return o.Kind == OperandReg && o.Member == "" && o.Reg.Vec > 1
}

// checkVector compares the elements of a vector with the number and type that the instruction expects.
func (l *funcLoader) checkVector(in *Inst, o *Operand, want *isa.OperandInfo) {
	bad := func(have, expected int, unit string) {
		l.mismatch(in, o, "%q has %d %s, expected %d", shown(l.ast, o.AST), have, unit, expected)
	}
	if want.Spec.Elems == isa.ElemsPacked {
		if bits, known := packedBits(o); known && bits != want.Type.Bits() {
			bad(bits, want.Type.Bits(), "bits")
		}
		return
	}
	if want.Vec > 0 && len(o.Elems) != want.Vec {
		bad(len(o.Elems), want.Vec, "elements")
		return
	}
	for i := range o.Elems {
		l.checkSize(in, &o.Elems[i], want.Type, 1)
	}
}

// packedBits returns the total width of all elements; known is false if one is not a register.
func packedBits(o *Operand) (bits int, known bool) {
	for i := range o.Elems {
		if o.Elems[i].Kind != OperandReg {
			return 0, false
		}
		bits += o.Elems[i].Reg.Type.Bits()
	}
	return bits, true
}

// isReg reports whether the value is that of a register, perhaps with a constant added.
func (o *Operand) isReg() bool {
	return o.Kind == OperandReg || o.Kind == OperandSum && o.Sym == nil
}

// checkSize compares a register with the type of its place: a vector as a whole or,
// where the instruction works on vectors of that many elements, or has one of vec elements there, by element.
func (l *funcLoader) checkSize(in *Inst, o *Operand, want isa.Type, vec int) {
	if !o.isReg() || want == isa.TypeNone {
		return
	}
	have := o.Reg.Type
	bits := have.Bits()
	if o.Member == "" && o.Reg.Vec != in.Vec && o.Reg.Vec != vec {
		bits *= o.Reg.Vec
	}
	switch {
	case (have == isa.Pred) != (want == isa.Pred):
	case bits == want.Bits():
		return
	case bits > want.Bits() && in.Instr.Relaxed():
		return
	case want.Bits() == 0:
		return
	}
	l.mismatch(in, o, "%q is a .%s register, expected .%s", o.Reg.Name, have, want)
}

// mismatch records an operand that does not fit, with the form that it should fit.
func (l *funcLoader) mismatch(in *Inst, o *Operand, format string, args ...any) {
	l.errorf(l.ast.OperandRange(o.AST).Start, "%s: "+format+": form %s",
		append(append([]any{in.opcode()}, args...), in.Form.Syntax())...)
}

// opcode returns the instruction's opcode with modifiers as written.
func (i *Inst) opcode() string {
	m := i.Func.Module.AST
	return m.Text(m.OpcodeRange(i.AST))
}

// shown returns the text of an operand for a message: its beginning when it is long.
func shown(m *ptxgrammar.Module, o *ptxgrammar.Operand) string {
	const atMost = 60
	text := m.OperandText(o)
	if len(text) > atMost {
		return text[:atMost] + "..."
	}
	return text
}

// The checker: types of operands.

package rewrite

import (
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// checkTypes checks the operands of an instruction whose kinds and sizes are right.
func (l *funcLoader) checkTypes(in *Inst) {
	if in.Instr.Effects&isa.Calls != 0 {
		return // Verify compares calls with signatures
	}
	for i := range min(len(in.Operands), len(in.Decoded.Operands)) {
		o, want := &in.Operands[i], &in.Decoded.Operands[i]
		switch want.Role {
		case isa.RoleAddr:
			l.checkAddress(in, o, i)
			l.checkParts(in, o, want)
		case isa.RoleSymbol:
			l.checkTargets(in, o)
		case isa.RoleDst, isa.RoleSrc:
			l.checkValue(in, o, want)
		}
	}
}

// checkTargets checks the list of a branch through an index.
func (l *funcLoader) checkTargets(in *Inst, o *Operand) {
	if p, ok := o.Sym.(*Proto); !ok || p.Labels == nil {
		l.mismatch(in, o, "%q is no list of .branchtargets", shown(l.ast, o.AST))
	}
}

// checkValue checks an operand that is read or written.
func (l *funcLoader) checkValue(in *Inst, o *Operand, want *isa.OperandInfo) {
	switch {
	case want.Spec.Constant != nil && !l.checkConstant(in, o, want.Spec.Constant):
		return
	case want.Spec.Name == "sink" && o.Kind != OperandNone:
		l.mismatch(in, o, "%q is written, but the result is discarded: expected _", shown(l.ast, o.AST))
		return
	}
	switch o.Kind {
	case OperandPair:
		l.checkPair(in, o, want)
	case OperandVector:
		for n := range o.Elems {
			l.checkType(in, &o.Elems[n], elementType(want), false)
		}
	default:
		l.checkShape(in, o, want)
		l.checkType(in, o, want.Whole(), want.Spec.Not)
	}
}

// checkConstant checks the value of an operand that must be a constant.
func (l *funcLoader) checkConstant(in *Inst, o *Operand, want *isa.Constant) bool {
	switch {
	case o.Kind == OperandImm && !want.Admits(int64(o.Imm)):
		l.mismatch(in, o, "expected %s, got %q", want, shown(l.ast, o.AST))
	case o.Kind != OperandImm:
		l.mismatch(in, o, "expected a constant, got %q", shown(l.ast, o.AST))
	default:
		return true
	}
	return false
}

// elementType returns the type of the elements of a vector, TypeNone if they have individual types.
func elementType(want *isa.OperandInfo) isa.Type {
	if want.Spec.Elems == isa.ElemsPacked {
		return isa.TypeNone
	}
	return want.Type
}

// checkPair checks d|p.
func (l *funcLoader) checkPair(in *Inst, o *Operand, want *isa.OperandInfo) {
	if want.Spec.Pair == "" {
		l.mismatch(in, o, "%q is a pair, expected one operand", shown(l.ast, o.AST))
		return
	}
	l.checkType(in, &o.Elems[0], want.Type, false)
	l.checkType(in, &o.Elems[1], want.PairType, false)
}

// checkShape checks that an operand is a pair or vector if and only if the instruction expects one.
func (l *funcLoader) checkShape(in *Inst, o *Operand, want *isa.OperandInfo) {
	have := 1
	if o.Reg != nil && o.Member == "" {
		have = o.Reg.Vec
	}
	switch {
	case want.Spec.Pair != "" && !want.Spec.PairOptional && o.Kind != OperandNone:
		l.mismatch(in, o, "%q is one operand, expected a pair %s|%s", shown(l.ast, o.AST), want.Spec.Name,
			want.Spec.Pair)
	case want.Spec.Elems == isa.ElemsFragment && want.Vec == 1 && want.Single == isa.TypeNone && o.Kind != OperandNone:
		l.mismatch(in, o, "%q is one value, expected a vector of one, {%s}", shown(l.ast, o.AST), shown(l.ast, o.AST))
	case want.Spec.Vector && want.Vec > 1 && want.Single == isa.TypeNone && have != want.Vec && o.Kind != OperandNone:
		l.mismatch(in, o, "%q is one value, expected a vector of %d", shown(l.ast, o.AST), want.Vec)
	}
}

// checkType compares one operand with the type of its place.
func (l *funcLoader) checkType(in *Inst, o *Operand, want isa.Type, not bool) {
	if o.Not && !not && want != isa.TypeNone {
		l.mismatch(in, o, "%q cannot be negated here", shown(l.ast, o.AST))
		return
	}
	if want == isa.TypeNone || want.Kind() == isa.KindOpaque {
		return
	}
	switch o.Kind {
	case OperandReg, OperandSum:
		switch {
		case o.Sym != nil:
			l.checkSymbol(in, o, want)
		case !agree(o.Reg.Type, want):
			l.mismatch(in, o, "%q is a .%s register, expected .%s", o.Reg.Name, o.Reg.Type, want)
		}
	case OperandImm:
		if o.Float && (want.Kind() == isa.KindSigned || want.Kind() == isa.KindUnsigned) {
			l.mismatch(in, o, "%q is a floating-point constant, expected .%s", shown(l.ast, o.AST), want)
		}
	case OperandSpecial:
		if o.Special.Dim && o.Member == "" {
			l.mismatch(in, o, "%q is a vector, expected one of its components such as %s.x", shown(l.ast, o.AST),
				o.Special.Name)
		} else if (o.Special.Type == isa.Pred) != (want == isa.Pred) || want.Float() {
			l.mismatch(in, o, "%q is a .%s register, expected .%s", shown(l.ast, o.AST), o.Special.Type, want)
		}
	case OperandSymbol, OperandLabel:
		l.checkSymbol(in, o, want)
	}
}

// checkSymbol checks a name used as an address: those of functions and labels can only be moved to registers.
func (l *funcLoader) checkSymbol(in *Inst, o *Operand, want isa.Type) {
	_, isVar := o.Sym.(*Var)
	switch {
	case want.Float() || want == isa.Pred || want.Bits() < 32:
		l.mismatch(in, o, "%q is an address, expected .%s", shown(l.ast, o.AST), want)
	case !isVar && in.Instr.Class != isa.ClassMove:
		l.mismatch(in, o, "%q is no variable and has no value, expected .%s", shown(l.ast, o.AST), want)
	}
}

// agree reports whether a register of the right size may be used for a type that an instruction expects (PTX ISA 9.4,
// and tables 27 and 28 in 9.4.1): bits go with everything, integers of either sign with each other, floating point with
// the same format.
func agree(have, want isa.Type) bool {
	switch {
	case have.Kind() == isa.KindBits || want.Kind() == isa.KindBits:
		return true
	case have.Float() != want.Float():
		return false
	case want.Float():
		return have == want
	}
	return true
}

// checkAddress checks the base of an address, and that a variable named there is in
// the instruction's state space.
func (l *funcLoader) checkAddress(in *Inst, o *Operand, index int) {
	if o.Reg != nil && o.Reg.Type.Float() {
		l.mismatch(in, o, "a .%s register cannot hold the address %q", o.Reg.Type, shown(l.ast, o.AST))
		return
	}
	if o.Reg != nil && o.Reg.Type.Bits() != 32 && in.TensorMemory(index) {
		l.mismatch(in, o, "a .%s register cannot hold the address %q of tensor memory, which has 32 bits", o.Reg.Type,
			shown(l.ast, o.AST))
		return
	}
	v, isVar := o.Sym.(*Var)
	if o.Sym != nil && !isVar {
		l.mismatch(in, o, "%q is not a variable", o.Sym.SymbolName())
		return
	}
	want := isa.SpaceNone
	for _, a := range []isa.Access{in.Access, in.Copy} {
		if a.Kind != isa.AccessNone && a.Addr == index {
			want = a.Space
		}
	}
	if isVar && want != isa.SpaceNone && v.Reg == nil && v.Space != want {
		l.mismatch(in, o, "%q is in .%s, not in .%s", v.Name, v.Space, want)
	}
}

// checkParts checks that an address has several parts only if the form has: [texture, {x, y}].
func (l *funcLoader) checkParts(in *Inst, o *Operand, want *isa.OperandInfo) {
	if len(o.Elems) > 0 && !strings.Contains(want.Spec.Name, ",") {
		l.mismatch(in, o, "%q has %d parts, expected one", shown(l.ast, o.AST), len(o.Elems)+1)
	}
}

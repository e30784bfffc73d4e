// The checker: declarations of variables.

package rewrite

import (
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// maxVectorBits is the width of the widest vector variable (PTX ISA 5.4.2).
const maxVectorBits = 128

// checkVar checks the declaration of a variable other than a register.
func (l *loader) checkVar(v *Var) {
	if !l.strict {
		return
	}
	l.checkVarType(v.AST)
	if len(v.AST.Dims) > 0 && v.Dims[0] < 0 && v.AST.Linkage&ptxgrammar.Extern == 0 {
		l.errorf(v.AST.NameAt.Start, "array %q has no size: expected a number, an initialiser, or .extern", v.Name)
	}
}

// checkVarType checks that variables or registers can have a type (PTX ISA 5.2): predicates must be registers, and some
// types are for instructions only.
func (l *loader) checkVarType(a *ptxgrammar.Var) {
	switch {
	case !l.strict:
	case a.Count > 0 && (len(a.Dims) > 0 || a.Init >= 0):
		l.errorf(a.NameAt.Start, "%s<%d> declares several %s, which are neither arrays nor initialised", a.Name,
			a.Count, rangeNoun(a))
	case a.Type > isa.SurfRef || a.Type == isa.TF32:
		l.errorf(a.NameAt.Start, "%q cannot have type .%s, which is of instructions only: expected a type such as .b32",
			a.Name, a.Type)
	case a.Type == isa.Pred && a.Space != isa.SpaceReg:
		l.errorf(a.NameAt.Start, "%q cannot have type .pred in .%s: predicates are registers", a.Name, a.Space)
	case a.Vec*a.Type.Bits() > maxVectorBits:
		l.errorf(a.NameAt.Start, "vector %q is wider than %d bits", a.Name, maxVectorBits)
	}
}

// checkOrder reports the use of a module-scope name before its declaration (PTX ISA
// 4.4 and 5.4: variables and functions are declared before use).
func (l *loader) checkOrder(name string, at ptxgrammar.Range) {
	if from, ok := l.declared[name]; l.strict && ok && from.Start > at.Start {
		l.errorf(at.Start, "%q is used before its declaration at line %d", name, l.line(from))
	}
}

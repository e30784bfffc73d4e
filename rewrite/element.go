// Operands that name an element of an array.

package rewrite

import (
	"math"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// element resolves array[index] (PTX ISA 6.4.2, Arrays as Operands). It is an address if the instruction accesses
// memory, elsewhere the address as a value. The index is a constant, a register, or a register plus a constant. It
// counts elements of the array's type, whatever further dimensions and .v2 or .v4 the declaration has: so does ptxas.
func (l *funcLoader) element(dst *Operand, o *ptxgrammar.Operand, role isa.Role) bool {
	at, kids := l.ast.OperandRange(o).Start, l.ast.Children(o)
	var array Operand
	if !l.name(&array, &kids[0], isa.RoleSrc) {
		return false
	}
	v, ok := array.Sym.(*Var)
	if !ok || len(v.Dims) == 0 {
		l.errorf(at, "%q is not an array and cannot be indexed", l.ast.OperandText(&kids[0]))
		return false
	}
	reg, index, ok := l.index(&kids[1])
	if !ok {
		return false
	}
	size := int64(v.Type.Size())
	if index > math.MaxInt64/size || index < math.MinInt64/size {
		l.errorf(at, "index %d of %q is out of range", index, v.Name)
		return false
	}
	dst.Sym, dst.Off = v, index*size
	switch {
	case reg != nil:
		dst.Kind, dst.Reg, dst.Scale = OperandSum, reg, size
	case role == isa.RoleAddr:
		dst.Kind = OperandAddr
	default:
		dst.Kind = OperandSymbol
	}
	return true
}

// index resolves an index: constant, %r or %r + constant. reg is nil for a constant.
func (l *funcLoader) index(o *ptxgrammar.Operand) (reg *Reg, add int64, ok bool) {
	var x Operand
	if !l.operand(&x, o, isa.RoleSrc) {
		return nil, 0, false
	}
	switch {
	case x.Kind == OperandImm && !x.Float:
		return nil, int64(x.Imm), true
	case x.Kind == OperandSum && x.Sym == nil && indexes(x.Reg):
		return x.Reg, x.Off, true
	case x.Kind == OperandReg && !x.Not && !x.Neg && x.Member == "" && indexes(x.Reg):
		return x.Reg, 0, true
	}
	l.errorf(l.ast.OperandRange(o).Start,
		"%q is not an index: expected an integer constant, a register of 32 or 64 bits, or the sum of both",
		shown(l.ast, o))
	return nil, 0, false
}

// indexes reports whether a register can be the index of an array.
func indexes(r *Reg) bool { return r.Vec == 1 && addressable(r.Type) && !r.Type.Float() }

// checkSum checks that an instruction can have array[index], or the sum of a register and a constant, as an operand of
// that role. As an address, only loads and stores can have an element of an array; as a value, only moves and
// conversions of addresses can. Lists, vectors and calls have no sums.
func (l *funcLoader) checkSum(in *Inst, o *Operand, role isa.Role) bool {
	indexed := o.AST.Kind == ptxgrammar.OperandIndex
	switch {
	case !indexed && o.Kind != OperandSum:
		return true
	case role == isa.RoleAddr && !indexed:
		l.mismatch(in, o, "expected an address in brackets, got %q", shown(l.ast, o.AST))
	case role == isa.RoleAddr && in.Instr.Calc != isa.CalcLoad && in.Instr.Calc != isa.CalcStore:
		l.mismatch(in, o, "only ld, ldu and st take an element of an array as an address, got %q", shown(l.ast, o.AST))
	case role == isa.RoleSrc && indexed && in.Instr.Calc != isa.CalcCopy && in.Instr.Calc != isa.CalcConvertAddress:
		l.mismatch(in, o, "only mov and cvta take the address of an element of an array, got %q", shown(l.ast, o.AST))
	default:
		return true
	}
	return false
}

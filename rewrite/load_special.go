// The loader: special registers.

package rewrite

import (
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// special resolves the name of a special register.
func (l *funcLoader) special(dst *Operand, o *ptxgrammar.Operand, sr isa.SpecialReg) bool {
	dst.Kind, dst.Special, dst.Member = OperandSpecial, sr, l.ast.Member(o)
	l.checkSpecial(o, sr)
	switch off, ok := isa.ReservedShared(sr.Name); {
	case ok:
		dst.Kind, dst.Sym, dst.Off = OperandSymbol, l.mod.reservedShared(), off
	case sr.Name == isa.ReservedSharedCap:
		dst.Kind, dst.Imm = OperandImm, isa.ReservedSharedSize
	}
	return l.component(o, sr.Components())
}

// reservedShared returns the reserved part of a block's shared memory as a variable. No text declares it: only the
// special registers that contain addresses of it refer to it.
func (m *Module) reservedShared() *Var {
	if m.Reserved == nil {
		m.Reserved = &Var{
			AST: &ptxgrammar.Var{Init: -1}, Name: "%reserved_smem", Space: isa.SpaceShared, Type: isa.B8, Vec: 1,
			Dims: []int64{isa.ReservedSharedSize}, Align: isa.ReservedSharedSize, Size: isa.ReservedSharedSize,
		}
	}
	return m.Reserved
}

// spreadSpecials replaces a special register that is a vector, as a source of an instruction on vectors, by the vector
// of its components: mov.v4.u32 v, %tid.
func (l *funcLoader) spreadSpecials(in *Inst) {
	for i := range in.Operands {
		o := &in.Operands[i]
		n := o.Special.Components()
		if o.Kind != OperandSpecial || o.Member != "" || n == 1 || in.Vec != n || in.Role(i) != isa.RoleSrc {
			continue
		}
		elems := l.operands(n)
		for k := range elems {
			elems[k] = Operand{Kind: OperandSpecial, AST: o.AST, Special: o.Special, Member: "." + "xyzw"[k:k+1]}
		}
		*o = Operand{Kind: OperandVector, AST: o.AST, Elems: elems}
	}
}

// Places: a symbolic name for an address that is comparable within one function.

package address

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Place identifies an address within one function: a variable, a pointer parameter or an SSA
// value, plus a constant offset. Two accesses with equal places have the same address if no
// loop iteration ends between them. Places are comparable with ==.
type Place struct {
	root  Root  // without its offset; RootUnknown if value is set
	value int32 // index of an SSA value; NoValue if root is set
	off   int64 // in bytes
}

// Place returns the place of in's n-th operand; false if the operand is no address, or the address is unknown.
func (r *Roots) Place(in *rewrite.Inst, n int) (Place, bool) {
	if n >= len(in.Operands) || in.Operands[n].Kind != rewrite.OperandAddr {
		return Place{}, false
	}
	o := &in.Operands[n]
	if root := r.Address(in, n); root.Exact {
		base := root
		base.Off = 0
		return Place{base, rewrite.NoValue, root.Off}, true
	}
	if o.Reg == nil || o.Member != "" {
		return Place{}, false
	}
	return r.follow(r.v.Use(in, o.Reg), o.Off)
}

// follow goes back from a value through copies, conversions between address spaces and additions of constants. It stops
// at phis, so it terminates: without phis no value depends on itself.
func (r *Roots) follow(val int32, off int64) (Place, bool) {
	for val != rewrite.NoValue {
		src, add, ok := offset(&r.v.Values[val])
		if !ok {
			return Place{value: val, off: off}, true
		}
		val, off = r.v.Use(r.v.Values[val].Inst, src), off+add
	}
	return Place{}, false
}

// offset returns the register that a value copies and the constant added to it, if the value is
// such a copy.
func offset(v *rewrite.SSAValue) (src *rewrite.Reg, add int64, ok bool) {
	if v.Kind != rewrite.SSAWrite || v.Old != rewrite.NoValue || len(v.Inst.Operands) < 2 {
		return nil, 0, false
	}
	ops := v.Inst.Operands
	switch v.Inst.Instr.Calc {
	case isa.CalcCopy, isa.CalcConvertAddress:
	case isa.CalcAdd:
		if !linearIn(v.Inst, v.Inst.Type(0)) || ops[2].Kind != rewrite.OperandImm {
			return nil, 0, false
		}
		add = int64(ops[2].Imm)
	default:
		return nil, 0, false
	}
	if ops[0].Kind != rewrite.OperandReg || ops[1].Kind != rewrite.OperandReg || ops[1].Reg == nil ||
		ops[1].Member != "" || ops[1].Neg {
		return nil, 0, false
	}
	return ops[1].Reg, add, true
}

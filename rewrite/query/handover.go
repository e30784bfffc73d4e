// Shuffles by which NVIDIA's cooperative groups hand on an order.

package query

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// HandsOver reports whether an instruction is a shuffle that hands on, to lanes of its warp, what an atomic operation
// in the reserved shared memory returns, which acquires. In the barriers of cooperative groups one lane so learns that
// all warps have arrived, and the others access what these have written, without bar.warp.sync: by the manual,
// shfl.sync orders no memory, but NVIDIA's library relies on it. No other code can name that memory (PTX ISA,
// "%reserved_smem_offset").
func HandsOver(in *rewrite.Inst) bool {
	if !in.Effects().Has(isa.Shuffles) || !in.Has("sync") || in.Func.Module.Reserved == nil ||
		in.Operands[1].Kind != rewrite.OperandReg {
		return false
	}
	defs, _ := in.Func.DefUse().Defs(in, in.Operands[1].Reg)
	return slices.ContainsFunc(defs, func(d *rewrite.Inst) bool {
		return d.Access.Atomic() && d.MemorySem().Acquires() &&
			inReserved(d, d.Operands[d.Access.Addr].Reg, maxReservedSteps)
	})
}

// maxReservedSteps limits the computations between a name and an address.
const maxReservedSteps = 8

// inReserved reports whether what an instruction reads from a register is an address computed from one of the reserved
// shared memory.
func inReserved(in *rewrite.Inst, r *rewrite.Reg, steps int) bool {
	if r == nil || steps == 0 {
		return false
	}
	defs, undefined := in.Func.DefUse().Defs(in, r)
	return !undefined && len(defs) > 0 && !slices.ContainsFunc(defs,
		func(d *rewrite.Inst) bool { return !derived(d, steps) })
}

// derived reports whether the result of a copy, a conversion or a sum is an address in the reserved shared memory.
func derived(d *rewrite.Inst, steps int) bool {
	switch d.Instr.Calc {
	case isa.CalcCopy, isa.CalcConvert, isa.CalcConvertAddress, isa.CalcAdd:
	default:
		return false
	}
	return slices.ContainsFunc(d.Operands[1:], func(o rewrite.Operand) bool {
		if v, ok := o.Sym.(*rewrite.Var); ok {
			return v == d.Func.Module.Reserved
		}
		return o.Kind == rewrite.OperandReg && inReserved(d, o.Reg, steps-1)
	})
}

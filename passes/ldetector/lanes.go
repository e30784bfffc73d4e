// Warp-level operations of lanes: they must not wait for lanes that have exited in the user's program, which still
// exist and wait at the end of the region.

package ldetector

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// masked reports whether an instruction waits for the lanes of a mask, its last operand.
func masked(in *rewrite.Inst) bool {
	if b, ok := in.Barrier(); ok {
		return b.Of == isa.BarrierOfWarp && len(in.Operands) > 0
	}
	return in.Instr.Class == isa.ClassWarp && in.Has("sync") && len(in.Operands) > 0
}

// callsMasked reports whether an instruction is masked, or a call of a function with one.
func callsMasked(in *rewrite.Inst) bool {
	return masked(in) || slices.ContainsFunc(calledBy([]*rewrite.Inst{in}),
		func(f *rewrite.Func) bool { return slices.ContainsFunc(f.Insts, masked) })
}

// leavesBefore reports whether a thread of a kernel may leave it without passing an instruction.
func leavesBefore(in *rewrite.Inst) bool {
	g := in.Func.CFG()
	seen, work := make([]bool, len(g.BlockOf)+1), []int{0}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if i == len(g.BlockOf) {
			return true
		}
		if seen[i] {
			continue
		}
		seen[i] = true
		b := g.BlockOf[i]
		for ; i < b.End && in.Func.Insts[i] != in; i++ {
			if leavesKernel(in.Func.Insts[i]) {
				return true
			}
		}
		if i == b.End {
			work = append(work, successors(g, b)...)
		}
	}
	return false
}

// exitsEarly reports whether lanes of a warp may exit a kernel while others will still execute an operation with a
// mask.
func exitsEarly(k *kernel) bool {
	return slices.ContainsFunc(k.f.Insts, func(in *rewrite.Inst) bool { return callsMasked(in) && leavesBefore(in) })
}

// lanes makes the operations with a mask of a function get the mask of live lanes from the library.
func (b *body) lanes() {
	for _, in := range b.f.Insts {
		if !instrument.Own(in) || !masked(in) || in.Func.Entry && !leavesBefore(in) {
			continue
		}
		m := in.Func.Module.AST
		src, mask := in.Func.Module.Source(), b.reg("lanes", isa.B32)
		operand := in.Operands[len(in.Operands)-1].AST
		whole, part := m.InstRange(in.AST), m.OperandRange(operand)
		text := fmt.Sprintf("mov.b32 %s, %s;\n", mask, m.OperandText(operand))
		call := b.call(abi.LDetectorLanes, "b32", mask, "b32 "+mask)
		if in.Guard != nil {
			past := b.ed.FreshLabel(b.f)
			call = fmt.Sprintf("%sbra %s;\n%s%s:\n", guardOf(in, true), past, call, past)
		}
		b.ed.InsertBefore(in, text+call)
		b.ed.Replace(in, string(src[whole.Start:part.Start])+mask+string(src[part.End:whole.End]))
	}
}

// Finds the instructions of a kernel that compute the same values in every block, so that a warp need execute them only
// once.

package lifetime

import "github.com/ptxsan/ptxsan/rewrite"

// Fixed returns the indices of at most most instructions of kernel f that a warp may execute once, before its first
// block. Each is the only instruction that writes its destination register, no path reads the register before it, and
// it computes the same value in every block. Fixed extends the lifetimes of these registers to the whole kernel, so
// that they share slots with no others. computes reports whether an instruction only computes its first operand, from
// constants and from known registers: those that the instructions found so far write, and copies of them.
func (l Ranges) Fixed(f *rewrite.Func, most int,
	computes func(in *rewrite.Inst, known func(*rewrite.Reg) bool) bool,
) (fixed []int) {
	writes := make([]int, len(f.Regs))
	for _, in := range f.Insts {
		in.Defs(func(r *rewrite.Reg) { writes[r.Index]++ })
	}
	unwritten := f.Liveness().In(f.CFG().Blocks[0])
	is := make([]bool, len(f.Regs))
	known := func(r *rewrite.Reg) bool { return is[r.Index] }
	for i, in := range f.Insts {
		if !computes(in, known) {
			continue
		}
		to := in.Operands[0].Reg
		life := &l[to.Index]
		if writes[to.Index] != 1 || unwritten.Has(to) || life.passed || len(fixed) == most && !life.Shared {
			continue
		}
		is[to.Index] = true
		if life.Shared { // a copy, which lives where its source does
			continue
		}
		l.extend(to.Index, 0)
		l.extend(to.Index, len(f.Insts))
		fixed = append(fixed, i)
	}
	return fixed
}

// Instructions whose results are the same in every block.

package lifetime

import "github.com/ptxsan/ptxsan/rewrite"

// Fixed returns the instructions of a kernel, by their indices, whose result a thread can compute once, before the kernel begins:
// it is the same in every execution, and nothing else is ever read from its register. The register then lives everywhere. At most
// most instructions are returned. computes reports whether an instruction computes its first operand, and nothing else, from
// constants and from registers that are known: these are copies of, or computed by, such instructions before it.
func (l Ranges) Fixed(f *rewrite.Func, most int, computes func(in *rewrite.Inst, known func(*rewrite.Reg) bool) bool) (fixed []int) {
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

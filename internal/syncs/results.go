// Results that are not in small buffers: large buffers, variables of the module, and what kernels print.

package syncs

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// digests returns the names of what results are in besides the buffers that are compared by their contents:
// buffers that are too large for that, and the variables in global memory that the kernels of the launches name. Where
// the launch file has expectations about buffers, these are the results.
func digests(s *trial.Subject) (names []string) {
	if s.Compared() == nil {
		for i := range s.Plan.File.Buffers {
			names = append(names, s.Plan.File.Buffers[i].Name)
		}
	}
	if s.Expected() {
		return names
	}
	for i := range s.Plan.Launches {
		for _, v := range session.Variables(s.Original().Func(s.Plan.KernelName(i))) {
			if v.Space == isa.SpaceGlobal && v.Func == nil && v.Size > 0 && !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	}
	return names
}

// prints reports whether a kernel of the launches may print.
func (j *judge) prints() bool {
	for i := range j.Plan.Launches {
		for _, f := range session.Reached(j.Original().Func(j.Plan.KernelName(i))) {
			if f.Name == "vprintf" || slices.ContainsFunc(f.Insts, callsPrintf) {
				return true
			}
		}
	}
	return false
}

// callsPrintf reports whether an instruction calls the function that prints.
func callsPrintf(in *rewrite.Inst) bool {
	return slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
		f, ok := o.Sym.(*rewrite.Func)
		return ok && f.Name == "vprintf"
	})
}

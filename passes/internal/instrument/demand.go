// Loads whose value only some threads use.

package instrument

import (
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// Demand returns the condition under which a thread uses the value of a load that all threads execute, if there is one
// (query.DemandOf) which a register has before the load, and a statement there can name it.
func Demand(in *rewrite.Inst) (d query.Condition, ok bool) {
	all, ok := query.DemandOf(in)
	if !ok || len(all.Any) > 1 || len(all.Ahead) > 0 || in.Guard != nil {
		return d, false
	}
	d = all.Any[0]
	another := slices.ContainsFunc(in.Func.Regs, func(r *rewrite.Reg) bool {
		return r != d.Reg &&
			r.Name == d.Reg.Name
	})
	return d, !another
}

// Demanded returns a policy under which a load that is instrumented only in the threads that use its value covers no
// other access.
func (p Policy) Demanded() Policy {
	covers := p.Covers
	p.Covers = func(first, second *rewrite.Inst) bool {
		_, some := Demand(first)
		return !some && covers(first, second)
	}
	return p
}

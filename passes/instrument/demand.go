// Loads whose value only some threads use.

package instrument

import (
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// Demand returns the condition under which a thread uses the value of a load, if there is one (rewrite.Inst.Demand) and a
// statement before the load can name its register.
func Demand(in *rewrite.Inst) (d query.Demand, ok bool) {
	if d, ok = query.DemandOf(in); !ok {
		return d, false
	}
	another := slices.ContainsFunc(in.Func.Regs, func(r *rewrite.Reg) bool { return r != d.Reg && r.Name == d.Reg.Name })
	return d, !another
}

// Demanded returns a policy under which a load that is instrumented only in the threads that use its value covers no other
// access.
func (p Policy) Demanded() Policy {
	covers := p.Covers
	p.Covers = func(first, second *rewrite.Inst) bool {
		_, some := Demand(first)
		return !some && covers(first, second)
	}
	return p
}

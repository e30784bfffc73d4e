// Values from outside of the program, which can be any, and counters while their loops run.

package hostir

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// fromOutside calls a function that returns an unknown value which the program is given.
func (x *executor) fromOutside(f func() memory.Value) memory.Value {
	before := x.outside
	x.outside = true
	defer func() { x.outside = before }()
	return f()
}

// running records that a counter has, in the iterations of its loop, each value that its bounds and step allow, if the
// loop ends only where it tests it.
func (x *executor) running(l *llvm.Loop, b *binding) {
	if v := x.vars[b.leaf.Num.Variable().Name]; v != nil {
		v.Lost = b.step == nil || !x.onlyTested(l)
	}
}

// ended records that a loop has ended: its counters have certain values then.
func (x *executor) ended(list []*binding) {
	for _, b := range list {
		if b.leaf.Num != nil {
			x.vars[b.leaf.Num.Variable().Name].Lost = true
		}
	}
}

// onlyTested reports whether one branch alone leads out of a loop, the test of its condition, which is known.
func (x *executor) onlyTested(l *llvm.Loop) bool {
	exits := 0
	for _, b := range l.Blocks {
		for _, to := range x.frame.f.Targets(b) {
			if !l.In[to] {
				exits++
			}
		}
	}
	return exits == 1 && !x.about(l).unsure
}

// followed reports whether a condition in a loop is known, and the values in it were followed or belong to its
// counters.
func (x *executor) followed(l *llvm.Loop, c *expr.Bool) bool {
	return c.Uniform() && !slices.ContainsFunc(c.Vars(), func(v expr.Variable) bool {
		own := slices.ContainsFunc(x.about(l).bound, func(b *binding) bool {
			return b.leaf.Num != nil && b.leaf.Num.Variable().Name == v.Name && !b.plain && !b.shrinks && !b.grows
		})
		return !own && x.vars[v.Name] != nil && x.vars[v.Name].Lost
	})
}

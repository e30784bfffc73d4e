// Values from outside of the program, which can be any, and counters while their loops run.

package hostir

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// fromOutside calls a function that returns an unknown value which the program is given.
func (x *executor) fromOutside(f func() value) value {
	before := x.outside
	x.outside = true
	defer func() { x.outside = before }()
	return f()
}

// running records that a counter has, in the iterations of its loop, each value that its bounds and step allow, if the
// loop ends only where it tests it.
func (x *executor) running(l *loop, b *binding) {
	if v := x.vars[b.leaf.num.Variable().Name]; v != nil {
		v.Lost = b.step == nil || !x.onlyTested(l)
	}
}

// ended records that a loop has ended: its counters have certain values then.
func (x *executor) ended(list []*binding) {
	for _, b := range list {
		if b.leaf.num != nil {
			x.vars[b.leaf.num.Variable().Name].Lost = true
		}
	}
}

// onlyTested reports whether one branch alone leads out of a loop, the test of its condition, which is known.
func (x *executor) onlyTested(l *loop) bool {
	exits := 0
	for _, b := range l.blocks {
		for _, to := range x.frame.f.targets(b) {
			if !l.in[to] {
				exits++
			}
		}
	}
	return exits == 1 && !l.unsure
}

// followed reports whether a condition in a loop is known, and the values in it were followed or belong to its
// counters.
func (x *executor) followed(l *loop, c *expr.Bool) bool {
	return c.Uniform() && !slices.ContainsFunc(c.Vars(), func(v expr.Variable) bool {
		own := slices.ContainsFunc(l.bound, func(b *binding) bool {
			return b.leaf.num != nil && b.leaf.num.Variable().Name == v.Name && !b.plain && !b.shrinks && !b.grows
		})
		return !own && x.vars[v.Name] != nil && x.vars[v.Name].Lost
	})
}

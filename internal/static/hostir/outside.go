// Values from outside of the program, which can be any, and counters while their loops run.

package hostir

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
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

// unfollow records whether the values of a counter, which are certain ones, are not followed: those that what is
// assumed of it allows are not all values that it has.
func (x *executor) unfollow(b *binding, lost bool) {
	for _, n := range []*expr.Int{b.leaf.Num, b.times.Num} {
		if n != nil {
			x.vars[n.Variable().Name].Lost = lost
		}
	}
}

// stopped records for a counter that it was not followed from where a variable in a number was not, if there is one.
func (x *executor) stopped(b *binding, n *expr.Int) {
	for _, v := range n.Vars() {
		if of := x.vars[v.Name]; of != nil && of.Lost && of.Site.Line > 0 {
			x.vars[b.leaf.Num.Variable().Name].Site = of.Site
			return
		}
	}
}

// ended records that a loop has ended: its counters have certain values then, which may be known.
func (x *executor) ended(l *llvm.Loop, list []*binding) {
	for _, b := range list {
		if b.leaf.Num != nil && (!x.about(l).certain || !b.counts()) {
			x.unfollow(b, true)
		}
	}
}

// traced reports whether the variables of a number were followed.
func (x *executor) traced(n *expr.Int) bool {
	return !slices.ContainsFunc(n.Vars(), func(v expr.Variable) bool {
		return x.vars[v.Name] != nil && x.vars[v.Name].Lost
	})
}

// onlyTested reports whether one branch alone leads out of a loop, the test of its condition, which is known.
func (x *executor) onlyTested(l *llvm.Loop) bool {
	return x.exits(l) == 1 && !x.about(l).unsure
}

// goesOnBehind reports whether one branch alone leads out of a loop, the test of its condition, which is known, but for
// those that end the program where a call of the CUDA runtime has failed.
func (x *executor) goesOnBehind(l *llvm.Loop) bool {
	n := x.exits(l)
	for _, b := range l.Blocks {
		if x.aborts[b] {
			n--
		}
	}
	return n == 1 && !x.about(l).unsure
}

// exit records that a loop is executed with a branch out of it.
func (x *executor) exit(l *llvm.Loop, b *llvm.Block, c *expr.Bool) {
	status := x.ofStatus(c)
	for _, to := range x.frame.f.Targets(b) {
		status = status && (l.In[to] || endsProgram(x.frame.f, to))
	}
	if was, again := x.aborts[b]; !again || was {
		x.aborts[b] = status
	}
	if !status && !x.followed(l, c) {
		x.about(l).unsure = true
	}
}

// endsInside records whether an iteration may end the program, in a function that it calls, under a condition that is not
// known to exclude further iterations: one that the conditions under which the loop goes on do not contradict. It reports
// whether that is new. The failure of a call of the CUDA runtime does not count.
func (x *executor) endsInside(l *llvm.Loop, since *memory.Node) (again bool) {
	about := x.about(l)
	known := func(c *expr.Bool) bool {
		return slices.ContainsFunc(about.goesOn, func(g facts.Condition) bool { return g.That.Equal(c) })
	}
	excluded := func(end *memory.Node) bool {
		last := true // of the branches on the path
		for n := end; n != nil && n != since; n = n.Before {
			not := []*expr.Bool{expr.Not(n.That)}
			if not[0].Kind() == expr.KindAll {
				not = not[0].Parts()
			}
			if last && x.ofStatus(n.That) || !slices.ContainsFunc(not, func(c *expr.Bool) bool { return !known(c) }) {
				return true
			}
			last = last && !n.Branch
		}
		return false
	}
	if about.unsure || !slices.ContainsFunc(x.ends, func(end *memory.Node) bool { return !excluded(end) }) {
		return false
	}
	about.unsure = true
	return true
}

// ofStatus reports whether a condition is one on results of calls of the CUDA runtime alone.
func (x *executor) ofStatus(c *expr.Bool) bool {
	return c.Uniform() && len(c.Vars()) > 0 &&
		!slices.ContainsFunc(c.Vars(), func(v expr.Variable) bool { return !x.statuses[v.Name] })
}

// endsProgram reports whether a block leads to a call that does not return, such as exit, and nowhere else.
func endsProgram(f *llvm.Function, b *llvm.Block) bool {
	for range 4 {
		if len(b.Instrs) > 0 && b.Instrs[len(b.Instrs)-1].Op == "unreachable" {
			return true
		}
		to := f.Targets(b)
		if len(to) != 1 {
			return false
		}
		b = to[0]
	}
	return false
}

// exits returns how many branches lead out of a loop.
func (x *executor) exits(l *llvm.Loop) (n int) {
	for _, b := range l.Blocks {
		for _, to := range x.frame.f.Targets(b) {
			if !l.In[to] {
				n++
			}
		}
	}
	return n
}

// followed reports whether a condition in a loop is known, and the values in it were followed or belong to its
// counters.
func (x *executor) followed(l *llvm.Loop, c *expr.Bool) bool {
	return c.Uniform() && !slices.ContainsFunc(c.Vars(), func(v expr.Variable) bool {
		own := slices.ContainsFunc(x.about(l).bound, func(b *binding) bool {
			return b.leaf.Num != nil && b.leaf.Num.Variable().Name == v.Name && !b.plain
		})
		return !own && x.vars[v.Name] != nil && x.vars[v.Name].Lost
	})
}

// Divergence in assembly: when lanes may diverge and reconverge there, and the joins it is lent.

package emu

import "github.com/ptxsan/ptxsan/emu/internal/vector"

// Short divergence stays in assembly. When some lanes of a group jump over code and wait at the
// join for the others, no group begins or ends. The assembly keeps the lanes that wait at each
// join in a small table; when it returns, takeJoins updates the engine's joins.

// maxLent is how many of a group's joins the assembly knows at first.
const maxLent = 4

// allowDivergence decides whether lanes may diverge and reconverge in assembly: no listener needs
// these events, and the scheduler does not choose at joins.
func (x *engine) allowDivergence() {
	if x.vec == nil {
		return
	}
	x.vec.parts, x.vec.c.Room = x.neverImpatient() && !x.interest.Branches, 0
	if x.vec.parts {
		x.vec.c.Room = vector.MaxJoins * vector.JoinBytes
	}
}

// neverImpatient reports whether the scheduler's method impatient always returns false, so that it
// need not be called. A schedule that is recorded or replayed has a choice for each call.
func (x *engine) neverImpatient() bool {
	cfg := &x.m.cfg
	if cfg.guide != nil || cfg.Record != nil || cfg.Replay != nil {
		return false
	}
	if s, ok := x.sched.(*roundScheduler); ok {
		return !s.apart
	}
	return cfg.policy().Traits().NeverImpatient
}

// lendJoins copies the innermost joins of g in its frame to the table of the assembly.
func (x *engine) lendJoins(g *group) {
	a, c := x.vec, x.vec.c
	var lent [maxLent]*join
	n, j := 0, g.join
	if a.parts {
		for ; j != nil && j.frame == g.frame && n < maxLent && !j.underPartial(); j = j.parent {
			lent[n] = j
			n++
		}
	}
	c.Under = vector.NoPC
	if j != nil && j.frame == g.frame {
		c.Under = uint32(j.pc)
	}
	c.Stop = c.Under
	if n > 0 {
		c.Stop = uint32(lent[0].pc)
	}
	for i, j := range lent[:n] {
		c.Joins[n-1-i] = vector.Join{PC: uint32(j.pc), Expected: uint32(j.expected), Arrived: uint32(j.arrived)}
	}
	c.Depth = uint32(n) * vector.JoinBytes
	c.Low = c.Depth
}

// underPartial reports whether the lanes that meet at j may bypass the next join. The assembly
// does not support that, so it must return at j.
func (j *join) underPartial() bool {
	return j.parent != nil && j.parent.partial && j.parent.frame == j.frame
}

// takeJoins updates g, whose n innermost joins were lent, from the table of the assembly.
func (x *engine) takeJoins(g *group, n int) {
	c := x.vec.c
	low, depth := int(c.Low/vector.JoinBytes), int(c.Depth/vector.JoinBytes)
	for ; n > low; n-- {
		j := g.join
		g.join = j.parent
		x.closeJoin(j)
	}
	if low > 0 { // only at the innermost join can lanes have begun to wait
		if m := lanes(c.Joins[low-1].Arrived) &^ g.join.arrived; m != 0 {
			x.wait(g.join, m)
		}
	}
	for _, j := range c.Joins[low:depth] {
		g.join = x.newJoin(g.frame, int32(j.PC), lanes(j.Expected), g.join)
		x.wait(g.join, lanes(j.Arrived))
	}
	g.mask = lanes(c.Mask)
}

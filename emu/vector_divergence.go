package emu

import "github.com/ptxsan/ptxsan/emu/internal/vector"

// Joins during a run in assembly. Lanes that part at a branch only for some of them to
// wait where the others will come, and meet again there, need nothing of the engine:
// no group ends or begins. The assembly notes in a few words who waits where; when it
// returns, the joins become what they would have been.

// maxLent is how many of a group's joins the assembly knows at first.
const maxLent = 4

// patientScheduler is a scheduler that is known never to be impatient: nobody needs to
// ask it.
type patientScheduler interface {
	patient() bool
}

func (*fairScheduler) patient() bool    { return true }
func (*pctScheduler) patient() bool     { return true }
func (s *roundScheduler) patient() bool { return !s.apart }

// letPart decides whether lanes may part and meet in assembly: nobody wants to
// know, and nobody decides.
func (x *engine) letPart() {
	if x.vec == nil {
		return
	}
	s, ok := x.sched.(patientScheduler)
	x.vec.parts, x.vec.c.Room = ok && s.patient() && !x.interest.Branches, 0
	if x.vec.parts {
		x.vec.c.Room = vector.MaxJoins * vector.JoinBytes
	}
}

// lendJoins has the assembly know the innermost joins of g in its frame.
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

// underPartial reports whether those who have met at j may come past the next join: the
// assembly does not see that, so that it has to leave at j.
func (j *join) underPartial() bool {
	return j.parent != nil && j.parent.partial && j.parent.frame == j.frame
}

// takeJoins gives g, to which n joins were lent for, the lanes and joins that it has now.
func (x *engine) takeJoins(g *group, n int) {
	c := x.vec.c
	low, depth := int(c.Low/vector.JoinBytes), int(c.Depth/vector.JoinBytes)
	for ; n > low; n-- {
		j := g.join
		g.join = j.parent
		x.closeJoin(j)
	}
	if low > 0 { // only who stands at the innermost can have begun to wait
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

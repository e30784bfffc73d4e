// Joins: reconvergence points where diverged lanes of a warp wait for each other.

package emu

import "unsafe"

// join is a reconvergence point: the immediate post-dominator of a branch, or the instruction after a call. Under the
// lockstep policy a branch may have several (decode_loops.go). Lanes that arrive wait there until all expected lanes
// have arrived. The policy limits how long they wait.
//
// Invariant: every lane of a group is in expected of each join on the group's chain, and not in arrived.
type join struct {
	frame    *frame
	pc       int32
	expected lanes  // lanes that have not passed the join yet
	arrived  lanes  // of these, the lanes that wait
	since    uint64 // warp.turns when the first of the waiting lanes arrived
	parent   *join
	// partial says that lanes may bypass the join and reach an outer one.
	partial bool
	free    bool
}

// at reports whether a group at pc of f has reached the join.
func (j *join) at(f *frame, pc int32) bool { return j != nil && j.pc == pc && j.frame == f }

// reached returns the join that a group with the innermost join j has reached at pc of f, nil if there is none.
func (j *join) reached(f *frame, pc int32) *join {
	for ; j != nil && j.frame == f; j = j.parent {
		if j.pc == pc {
			return j
		}
		if !j.partial {
			return nil
		}
	}
	return nil
}

// newJoin takes a join from the pool.
func (x *engine) newJoin(f *frame, pc int32, expected lanes, parent *join) *join {
	var j *join
	if n := len(x.l.freeJoins); n > 0 {
		j, x.l.freeJoins = x.l.freeJoins[n-1], x.l.freeJoins[:n-1]
	} else {
		j = new(join)
		x.claim(uint64(unsafe.Sizeof(*j)), "reconvergence points")
	}
	*j = join{frame: f, pc: pc, expected: expected, parent: parent}
	return j
}

// arrive makes the running group wait if it is at a join. It reports whether the group goes on: because it is not at a
// join, because all expected lanes have arrived, or because the policy does not wait.
func (x *engine) arrive(g *group) bool {
	for {
		j := g.join.reached(g.frame, g.pc)
		if j == nil {
			return true
		}
		if j != g.join {
			x.leaveUntil(g.join, j, g.mask)
			g.join = j
		}
		switch {
		case j.arrived|g.mask == j.expected:
			if j.arrived != 0 {
				x.emitMeet(g.frame, g.pc, j.expected)
			}
			g.mask, g.join = j.expected, j.parent
			x.closeJoin(j)
		case x.sched.impatient(x):
			x.leave(j, g.mask)
			g.join = j.parent
		default:
			w := g.warp
			x.wait(j, g.mask)
			x.drop(g)
			x.wake(w)
			x.resumeStranded(w)
			return false
		}
	}
}

// wait adds m to the lanes that wait at j.
func (x *engine) wait(j *join, m lanes) {
	if j.arrived == 0 {
		w := j.frame.warp
		w.joins = append(w.joins, j)
		j.since = w.turns
	}
	j.arrived |= m
}

// closeJoin recycles a join at which no lane is expected any more.
func (x *engine) closeJoin(j *join) {
	if j.arrived != 0 {
		x.forgetWaiting(j)
	}
	if j.free {
		panic("BUG: emu: join closed twice")
	}
	j.expected, j.arrived, j.free = 0, 0, true
	x.l.freeJoins = append(x.l.freeJoins, j)
}

// forgetWaiting removes j from warp.joins.
func (x *engine) forgetWaiting(j *join) {
	w := j.frame.warp
	for i, k := range w.joins {
		if k == j {
			w.joins = append(w.joins[:i], w.joins[i+1:]...)
			return
		}
	}
	panic("BUG: emu: waiting join of another warp")
}

// leave removes lanes that do not wait at j from its expected lanes. The waiting lanes resume when no other lane is
// expected.
func (x *engine) leave(j *join, m lanes) {
	j.expected &^= m
	switch j.expected {
	case 0:
		x.closeJoin(j)
	case j.arrived:
		x.resume(j)
	}
}

// leaveUntil removes lanes from all joins from j up to, but excluding, end.
func (x *engine) leaveUntil(j, end *join, m lanes) {
	for j != end {
		parent := j.parent
		x.leave(j, m)
		j = parent
	}
}

// resume makes the lanes that wait at j a ready group.
func (x *engine) resume(j *join) {
	g := x.newGroup(j.frame.warp, j.frame, j.pc, j.arrived, j.parent)
	m := j.arrived
	x.emitMeet(j.frame, j.pc, m)
	x.forgetWaiting(j)
	j.arrived = 0
	if j.expected &^= m; j.expected == 0 {
		x.closeJoin(j)
	}
	x.ready(g)
}

// release resumes the lanes that have waited for the lanes of g at joins for at least the given number of turns of the
// warp: g itself waits or spins, perhaps for them.
func (x *engine) release(g *group, turns uint64) {
	if x.sched.patience() == 0 {
		return
	}
	for j := g.join; j != nil; {
		parent := j.parent
		if j.arrived != 0 && g.warp.turns-j.since >= turns && (turns == 0 || !j.aside() || !g.source().aside) {
			x.resume(j)
		}
		j = parent
	}
}

// yieldPatience is the number of turns of the warp for which lanes wait at a join for lanes that yield: some yield only
// for a turn or two, such as for a lock that another thread holds. It does not hold for lanes that wait in an observer,
// or at its end, for lanes that yield there: an observer waits for a lock that is held for some instructions, and not
// by lanes that wait. If they went on, each would contend for the lock by itself, and the warp would not come together
// again.
const yieldPatience = 4

// aside reports whether the join is in the code of an observer, or at its end.
func (j *join) aside() bool {
	fn := j.frame.fn
	return j.pc > 0 && fn.sourceOf(fn.code[j.pc-1].src).aside
}

// awaitsObservers reports whether the join is in an observer, or at its end, and all lanes for which others wait there
// can run and execute an observer.
func (j *join) awaitsObservers() bool {
	if !j.aside() {
		return false
	}
	for _, g := range j.frame.warp.groups {
		if g.mask&j.expected != 0 && (g.state != groupReady || !g.source().aside) {
			return false
		}
	}
	return true
}

// releaseOld resumes the lanes that have waited at a join of w longer than the policy's patience. Their siblings may be
// waiting for them in a loop that also does other work, such as a detector's.
func (x *engine) releaseOld(w *warp) {
	w.turns++
	patience, observers := uint64(x.sched.patience()), uint64(x.sched.observerPatience())
	if patience == 0 {
		return
	}
	for i := 0; i < len(w.joins); i++ {
		j := w.joins[i]
		if waited := w.turns - j.since; waited > patience && (waited > observers || !j.awaitsObservers()) {
			x.resume(j)
			i = -1
		}
	}
}

// resumeStranded resumes the lanes that wait at a join if none of the expected lanes can run: those wait or spin,
// perhaps for them.
func (x *engine) resumeStranded(w *warp) {
	if x.sched.patience() == 0 {
		return
	}
	for i := 0; i < len(w.joins); i++ {
		if j := w.joins[i]; w.runnable()&j.expected == 0 {
			x.resume(j)
			i = -1
		}
	}
}

// runnable returns the lanes of ready groups.
func (w *warp) runnable() lanes {
	m := lanes(0)
	for _, g := range w.groups {
		if g.state == groupReady {
			m |= g.mask
		}
	}
	return m
}

// commonJoin returns the innermost join on both chains.
func commonJoin(a, b *join) *join {
	for ; a != nil; a = a.parent {
		for c := b; c != nil; c = c.parent {
			if c == a {
				return a
			}
		}
	}
	return nil
}

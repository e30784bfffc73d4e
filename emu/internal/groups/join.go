// Joins at which diverged lanes wait for each other.

package groups

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/state"
)

// At reports whether a group at pc of f has reached the join.
func At(j *state.Join, f *state.Frame, pc int32) bool { return j != nil && j.PC == pc && j.Frame == f }

// Reached returns the join that a group with the innermost join j has reached at pc of f, nil if there is none.
func Reached(j *state.Join, f *state.Frame, pc int32) *state.Join {
	for ; j != nil && j.Frame == f; j = j.Parent {
		if j.PC == pc {
			return j
		}
		if !j.Partial {
			return nil
		}
	}
	return nil
}

// NewJoin takes a join from the pool.
func NewJoin(x *state.Engine, f *state.Frame, pc int32, expected state.Lanes, parent *state.Join) *state.Join {
	var j *state.Join
	if n := len(x.L.FreeJoins); n > 0 {
		j, x.L.FreeJoins = x.L.FreeJoins[n-1], x.L.FreeJoins[:n-1]
	} else {
		j = new(state.Join)
		faults.Claim(x, uint64(unsafe.Sizeof(*j)), "reconvergence points")
	}
	*j = state.Join{Frame: f, PC: pc, Expected: expected, Parent: parent}
	return j
}

// Arrive makes the running group wait if it is at a join. It reports whether the group goes on: because it is not at a
// join, because all expected lanes have arrived, or because the policy does not wait.
func Arrive(x *state.Engine, g *state.Group) bool {
	for {
		j := Reached(g.Join, g.Frame, g.PC)
		if j == nil {
			return true
		}
		if j != g.Join {
			LeaveUntil(x, g.Join, j, g.Mask)
			g.Join = j
		}
		switch {
		case j.Arrived|g.Mask == j.Expected:
			if j.Arrived != 0 {
				events.EmitMeet(x, g.Frame, g.PC, j.Expected)
			}
			g.Mask, g.Join = j.Expected, j.Parent
			CloseJoin(x, j)
		case x.Sched.Impatient(x):
			leave(x, j, g.Mask)
			g.Join = j.Parent
		default:
			w := g.Warp
			Wait(x, j, g.Mask)
			Drop(x, g)
			Wake(x, w)
			ResumeStranded(x, w)
			return false
		}
	}
}

// Wait adds m to the lanes that wait at j.
func Wait(x *state.Engine, j *state.Join, m state.Lanes) {
	if j.Arrived == 0 {
		w := j.Frame.Warp
		w.Joins = append(w.Joins, j)
		j.Since = w.Turns
	}
	j.Arrived |= m
}

// CloseJoin recycles a join at which no lane is expected any more.
func CloseJoin(x *state.Engine, j *state.Join) {
	if j.Arrived != 0 {
		forgetWaiting(j)
	}
	if j.Free {
		panic("BUG: emu: join closed twice")
	}
	j.Expected, j.Arrived, j.Free = 0, 0, true
	x.L.FreeJoins = append(x.L.FreeJoins, j)
}

// forgetWaiting removes j from Warp.Joins.
func forgetWaiting(j *state.Join) {
	w := j.Frame.Warp
	for i, k := range w.Joins {
		if k == j {
			w.Joins = append(w.Joins[:i], w.Joins[i+1:]...)
			return
		}
	}
	panic("BUG: emu: waiting join of another warp")
}

// leave removes lanes that do not wait at j from its expected lanes. The waiting lanes resume when no other lane is
// expected.
func leave(x *state.Engine, j *state.Join, m state.Lanes) {
	j.Expected &^= m
	switch j.Expected {
	case 0:
		CloseJoin(x, j)
	case j.Arrived:
		resume(x, j)
	}
}

// LeaveUntil removes lanes from all joins from j up to, but excluding, end.
func LeaveUntil(x *state.Engine, j, end *state.Join, m state.Lanes) {
	for j != end {
		parent := j.Parent
		leave(x, j, m)
		j = parent
	}
}

// resume makes the lanes that wait at j a ready group.
func resume(x *state.Engine, j *state.Join) {
	g := NewGroup(x, j.Frame.Warp, j.Frame, j.PC, j.Arrived, j.Parent)
	m := j.Arrived
	events.EmitMeet(x, j.Frame, j.PC, m)
	forgetWaiting(j)
	j.Arrived = 0
	if j.Expected &^= m; j.Expected == 0 {
		CloseJoin(x, j)
	}
	Ready(x, g)
}

// Release resumes the lanes that have waited for the lanes of g at joins for at least the given number of turns of the
// warp: g itself waits or spins, perhaps for them.
func Release(x *state.Engine, g *state.Group, turns uint64) {
	if x.Sched.Patience() == 0 {
		return
	}
	for j := g.Join; j != nil; {
		parent := j.Parent
		if j.Arrived != 0 && g.Warp.Turns-j.Since >= turns && (turns == 0 || !aside(j) || !g.Source().Aside) {
			resume(x, j)
		}
		j = parent
	}
}

// YieldPatience is the number of turns of the warp for which lanes wait at a join for lanes that yield: some yield only
// for a turn or two, such as for a lock that another thread holds. It does not hold for lanes that wait in an observer,
// or at its end, for lanes that yield there: an observer waits for a lock that is held for some instructions, and not
// by lanes that wait. If they went on, each would contend for the lock by itself, and the warp would not come together
// again.
const YieldPatience = 4

// aside reports whether the join is in the code of an observer, or at its end.
func aside(j *state.Join) bool {
	fn := j.Frame.Fn
	return j.PC > 0 && fn.SourceOf(fn.Code[j.PC-1].Src).Aside
}

// awaitsObservers reports whether the join is in an observer, or at its end, and all lanes for which others wait there
// can run and execute an observer.
func awaitsObservers(j *state.Join) bool {
	if !aside(j) {
		return false
	}
	for _, g := range j.Frame.Warp.Groups {
		if g.Mask&j.Expected != 0 && (g.State != state.GroupReady || !g.Source().Aside) {
			return false
		}
	}
	return true
}

// ReleaseOld resumes the lanes that have waited at a join of w longer than the policy's patience. Their siblings may be
// waiting for them in a loop that also does other work, such as a detector's.
func ReleaseOld(x *state.Engine, w *state.Warp) {
	w.Turns++
	patience, observers := uint64(x.Sched.Patience()), uint64(x.Sched.ObserverPatience())
	if patience == 0 {
		return
	}
	for i := 0; i < len(w.Joins); i++ {
		j := w.Joins[i]
		if waited := w.Turns - j.Since; waited > patience && (waited > observers || !awaitsObservers(j)) {
			resume(x, j)
			i = -1
		}
	}
}

// ResumeStranded resumes the lanes that wait at a join if none of the expected lanes can run: those wait or spin,
// perhaps for them.
func ResumeStranded(x *state.Engine, w *state.Warp) {
	if x.Sched.Patience() == 0 {
		return
	}
	for i := 0; i < len(w.Joins); i++ {
		if j := w.Joins[i]; runnable(w)&j.Expected == 0 {
			resume(x, j)
			i = -1
		}
	}
}

// runnable returns the lanes of ready groups.
func runnable(w *state.Warp) state.Lanes {
	m := state.Lanes(0)
	for _, g := range w.Groups {
		if g.State == state.GroupReady {
			m |= g.Mask
		}
	}
	return m
}

// commonJoin returns the innermost join on both chains.
func commonJoin(a, b *state.Join) *state.Join {
	for ; a != nil; a = a.Parent {
		for c := b; c != nil; c = c.Parent {
			if c == a {
				return a
			}
		}
	}
	return nil
}

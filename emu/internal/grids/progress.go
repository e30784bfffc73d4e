// Limits of steps and back edges.

package grids

import (
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/flights"
	"github.com/ptxsan/ptxsan/emu/internal/sched"
	"github.com/ptxsan/ptxsan/emu/internal/state"
)

// BackEdge is called when g has taken a back edge to g.pc; counted says that a counter keeps g from repeating an
// earlier state there. It reports whether the turn goes on.
func BackEdge(x *state.Engine, g *state.Group, counted bool) bool {
	x.Quantum--
	if x.Stats.WarpInstructions >= x.L.CheckAt && !CheckProgress(x) {
		return false
	}
	if !counted && !sched.Visit(x, g) {
		return false
	}
	return x.Quantum > 0
}

// CheckProgress runs the periodic checks of a launch: at back edges, and before instructions that may enter or leave a
// function, since recursion needs no back edge. It reports whether the turn goes on; if not, the launch ends.
func CheckProgress(x *state.Engine) bool {
	l, n := x.L, x.Stats.WarpInstructions
	if x.Ctx.Err() != nil {
		l.Stopped = true
		return false
	}
	if n > l.MaxSteps {
		faults.RaiseHere(x, "timeout", "the kernel has not finished after %d warp instructions", l.MaxSteps)
		return false
	}
	if x.Progress != l.Seen {
		l.Seen, l.SeenAt = x.Progress, n
	} else {
		// A thread may poll for an asynchronous operation in flight, or for a grid that has not run.
		if !flights.CompleteAll(x) && RunWaiting(x) && x.Fault != nil {
			return false
		}
	}
	if x.Aside != l.SeenAside {
		l.SeenAside, l.SeenAt = x.Aside, n
	}
	if l.Stall != 0 && n-l.SeenAt > l.Stall && faults.SuspectLivelock(x) {
		return false
	}
	l.CheckAt = min(n+faults.CheckPeriod, l.MaxSteps+1)
	return true
}

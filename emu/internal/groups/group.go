// Groups of lanes: creation, split, merge.

package groups

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/state"
)

// NewGroup makes a group of the warp, ready but not queued.
func NewGroup(x *state.Engine, w *state.Warp, f *state.Frame, pc int32, mask state.Lanes, j *state.Join) *state.Group {
	var g *state.Group
	if n := len(x.L.FreeGroups); n > 0 {
		g, x.L.FreeGroups = x.L.FreeGroups[n-1], x.L.FreeGroups[:n-1]
	} else {
		g = new(state.Group)
		faults.Claim(x, uint64(unsafe.Sizeof(*g)), "groups of threads")
	}
	g.Warp, g.Frame = w, f
	g.Begin(pc, mask, j)
	return g
}

// ReleaseIdle returns the idle group of the warp and its frame to the pools.
func ReleaseIdle(x *state.Engine, w *state.Warp) {
	if g := w.Idle; g != nil {
		w.Idle = nil
		f := g.Frame
		f.Next = w.Frames[f.Fn.Index]
		w.Frames[f.Fn.Index] = f
		x.Recycle(g)
	}
}

// Drop removes a group whose lanes have moved to another group, wait at a join, or have exited.
func Drop(x *state.Engine, g *state.Group) {
	w := g.Warp
	for i, h := range w.Groups {
		if h == g {
			w.Groups = append(w.Groups[:i], w.Groups[i+1:]...)
			break
		}
	}
	if g.State != state.GroupPending {
		w.Active--
	}
	queued := g.State == state.GroupReady && g != x.Running
	g.State, g.Mask = state.GroupGone, 0
	if queued {
		return // the queue still refers to it: next recycles it
	}
	x.Recycle(g)
}

// Split moves the lanes in m from g to a new group at pc, of the same frame.
func Split(x *state.Engine, g *state.Group, m state.Lanes, pc int32, j *state.Join) *state.Group {
	g.Mask &^= m
	return NewGroup(x, g.Warp, g.Frame, pc, m, j)
}

// Wake makes the newest pending side ready when no other group of the warp is left (lockstep only).
func Wake(x *state.Engine, w *state.Warp) {
	n := len(w.Pending)
	if w.Active > 0 || n == 0 {
		return
	}
	g := w.Pending[n-1]
	w.Pending = w.Pending[:n-1]
	w.Active++
	g.State = state.GroupReady
	Ready(x, g)
}

// Merge adds to g the other ready groups of its warp at the same pc and frame.
func Merge(x *state.Engine, g *state.Group) {
	w := g.Warp
	for i := 0; i < len(w.Groups); i++ {
		h := w.Groups[i]
		if h == g || h.State != state.GroupReady || h.PC != g.PC || h.Frame != g.Frame {
			continue
		}
		absorb(x, g, h)
		i = -1 // joins may have been resumed: start over
	}
}

// absorb adds the lanes of h, at the same place, to g.
func absorb(x *state.Engine, g, h *state.Group) {
	if g.Join != h.Join {
		common := commonJoin(g.Join, h.Join)
		LeaveUntil(x, g.Join, common, g.Mask)
		LeaveUntil(x, h.Join, common, h.Mask)
		g.Join = common
	}
	m := h.Mask
	Drop(x, h)
	g.Mask |= m
	events.EmitMeet(x, g.Frame, g.PC, g.Mask)
}

// ContinueGroups lets groups that waited together continue after their instruction. Groups of one warp at one place are
// merged. It modifies its argument.
func ContinueGroups(x *state.Engine, waiting []*state.Group) {
	if x.Sched.Patience() > 0 {
		for i := range waiting {
			mergeLast(x, waiting[:i+1])
		}
	}
	ContinueWarps(x, waiting)
}

// ContinueWarps is ContinueGroups for groups of different warps; entries may be nil.
func ContinueWarps(x *state.Engine, waiting []*state.Group) {
	for _, g := range waiting {
		if g == nil {
			continue
		}
		g.PC++
		g.State = state.GroupReady
		if g != x.Running {
			Ready(x, g)
		}
	}
}

// mergeLast merges the last group of the list with an earlier one of the same warp, activation and pc, if there is one,
// and sets the entry of the absorbed group to nil. The running group is never absorbed.
func mergeLast(x *state.Engine, waiting []*state.Group) {
	last := len(waiting) - 1
	g := waiting[last]
	for i, h := range waiting[:last] {
		if h == nil || h.Warp != g.Warp || h.Frame != g.Frame || h.PC != g.PC {
			continue
		}
		if g == x.Running {
			waiting[i] = nil
			absorb(x, g, h)
		} else {
			waiting[last] = nil
			absorb(x, h, g)
		}
		return
	}
}

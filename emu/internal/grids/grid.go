// Grids that threads launch, and cooperative launches.

package grids

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/state"
)

// Alloc allocates zeroed device memory and returns its generic address.
func Alloc(d *state.Device, name string, size uint64) (uint64, error) {
	a, err := d.Mem.Alloc(name, size, false)
	if err != nil {
		return 0, err
	}
	Track(d, a)
	return a.Base, nil
}

// Track marks the contents of an allocation as uninitialised, if the device tracks that.
func Track(d *state.Device, a *gmem.Allocation) {
	if d.Tracks {
		a.Shadow = gmem.NewShadow(a.Size)
	}
}

// Enqueue adds an item, to run immediately, later, or after the end of the launch.
func Enqueue(x *state.Engine, w *state.WorkItem, tail bool) {
	g := &x.L.Grids
	if !faults.Claim(x, faults.State(w), "launched grids") {
		return
	}
	if tail {
		g.Tail = append(g.Tail, w)
		return
	}
	g.Waiting = append(g.Waiting, w)
	for atOnce := x.Sched.Eager(); x.Fault == nil && len(g.Waiting) > 0 &&
		(atOnce || len(g.Waiting) > faults.MaxPending); {
		RunWaiting(x)
	}
}

// RunWaiting runs the oldest waiting item. It reports whether there was one.
func RunWaiting(x *state.Engine) bool {
	g := &x.L.Grids
	if len(g.Waiting) == 0 {
		return false
	}
	perform(x, take(g))
	return true
}

// RunOf runs the waiting items that the threads of a block have launched.
func RunOf(x *state.Engine, block uint64) {
	g := &x.L.Grids
	var others []*state.WorkItem
	for len(g.Waiting) > 0 && x.Fault == nil {
		w := take(g)
		if w.Block != block {
			others = append(others, w)
			continue
		}
		perform(x, w)
	}
	g.Waiting = append(others, g.Waiting...)
}

// take removes and returns the oldest waiting item. The list keeps no reference to it, because an ended grid would keep
// all its child grids in memory.
func take(g *state.Grids) *state.WorkItem {
	w := g.Waiting[0]
	g.Waiting[0] = nil
	g.Waiting = g.Waiting[1:]
	return w
}

// RunTails runs the tail launches of a launch that has ended.
func RunTails(x *state.Engine) {
	for i, w := range x.L.Grids.Tail {
		x.L.Grids.Tail[i] = nil
		if x.Fault == nil {
			perform(x, w)
		}
	}
}

// perform runs one item to its end.
func perform(x *state.Engine, w *state.WorkItem) {
	faults.Unclaim(x, faults.State(w))
	x.Progress++
	if w.Launch == nil {
		w.Copy()
		return
	}
	if n := x.Stats.WarpInstructions; n > x.L.MaxSteps {
		x.Fault = &state.Fault{
			Class: "timeout", Kernel: w.Launch.Kernel.Src.Name, Count: 1,
			Message: fmt.Sprintf("the grids launched have not finished after %d warp instructions", x.L.MaxSteps),
		}
		return
	}
	runChild(x, w.Launch)
}

// runChild runs a grid as part of the launch: it continues the counts of steps, output and faults, and adds its own to
// them.
func runChild(x *state.Engine, l *state.Launch) {
	m, before := x.M, x.Stats.WarpInstructions
	l.Grids.Depth = x.L.Grids.Depth + 1
	l.Printed, l.State, l.Misuses, l.Stalled = x.L.Printed, x.L.State, x.L.Misuses, x.L.Stalled
	if m.Cfg.MaxSteps == 0 {
		l.MaxSteps = min(before+l.MaxSteps, faults.MostSteps(&m.Cfg))
	}
	l.CheckAt, l.SeenAt = min(before+faults.CheckPeriod, l.MaxSteps+1), before
	c := &state.Engine{M: m, Ctx: x.Ctx, L: l, Emitter: x.Emitter, Stats: x.Stats, Clock: x.Clock, Faults: x.Faults}
	if err := m.Run(c); err != nil {
		x.Nested = err
		x.Fault = &state.Fault{Class: "timeout", Message: err.Error(), Kernel: l.Kernel.Src.Name, Count: 1}
		return
	}
	x.Faults, x.Fault = faults.Outcome(c), c.Fault
	x.Stats, x.Clock, x.L.Printed, x.Op = c.Stats, c.Clock, l.Printed, c.Op
	took := x.Stats.WarpInstructions - before
	if m.Cfg.MaxSteps == 0 {
		x.L.MaxSteps = min(x.L.MaxSteps+took, faults.MostSteps(&m.Cfg))
	}
	x.L.CheckAt, x.L.SeenAt = x.L.CheckAt+took, x.L.SeenAt+took
}

// cooperate makes a launch cooperative. It takes a workspace, which is zeroed before each launch, until EndCooperation.
func cooperate(m *state.Machine, l *state.Launch) error {
	name := l.Kernel.Src.Name
	if l.Total > uint64(l.Limit) {
		return fmt.Errorf("kernel %s: a cooperative launch needs all of its %d blocks resident, only %d may be", name,
			l.Total, l.Limit)
	}
	if err := AllocWorkspace(m.Dev); err != nil {
		return fmt.Errorf("kernel %s: %w", name, err)
	}
	n := len(m.Dev.Workspaces) - 1
	l.Workspace, m.Dev.Workspaces = m.Dev.Workspaces[n], m.Dev.Workspaces[:n]
	return m.Dev.Mem.Write(l.Workspace, make([]byte, faults.WorkspaceSize))
}

// EndCooperation makes the workspace of a launch that has ended available for others.
func EndCooperation(d *state.Device, l *state.Launch) {
	if l.Workspace != 0 {
		d.Workspaces = append(d.Workspaces, l.Workspace)
	}
}

// AllocWorkspace allocates a workspace for a cooperative launch, unless there is one that no launch uses.
func AllocWorkspace(d *state.Device) error {
	if len(d.Workspaces) > 0 {
		return nil
	}
	addr, err := Alloc(d, "workspace of cooperative launches", faults.WorkspaceSize)
	if err != nil {
		return fmt.Errorf("workspace of cooperative launches: %w", err)
	}
	d.Workspaces = append(d.Workspaces, addr)
	d.Mem.Find(addr).Shadow = nil
	return nil
}

// Response is the 16-byte response to a request, opaque to programs: the index of the first block of the cluster, and a
// word with the outcome.
type Response [4]uint32

// Words of a response: whether a cluster was cancelled.
const (
	responseFailed   = 0x636c6330
	ResponseCanceled = 0x636c6331
)

// CancelCluster cancels the next cluster that has not started.
func CancelCluster(x *state.Engine) Response {
	l := x.L
	if l.Next == l.Total {
		return Response{3: responseFailed}
	}
	dim := l.ClusterDim()
	first := l.Grid.Over(dim).At(l.Next / dim.Count()).Times(dim)
	l.Next += dim.Count()
	x.Progress++
	return Response{first.X, first.Y, first.Z, ResponseCanceled}
}

// Groups that become ready, park and continue.

package groups

import (
	"github.com/ptxsan/ptxsan/emu/internal/state"
)

// Ready queues a group that can run.
func Ready(x *state.Engine, g *state.Group) { x.Sched.Ready(x, g) }

// Park removes the running group, which spins, from the schedule until something changes.
func Park(x *state.Engine, g *state.Group) {
	g.State = state.GroupParked
	if len(x.L.Parked) == 0 {
		x.L.ParkedAt = x.Progress
	}
	x.L.Parked = append(x.L.Parked, g)
	Release(x, g, 0)
}

// Unpark queues the parked groups if something has changed.
func Unpark(x *state.Engine) {
	l := x.L
	if len(l.Parked) == 0 || l.ParkedAt == x.Progress || x.Weak != nil && x.Weak.Lazy {
		return // the exhaustive search makes a run of its own for a load that returns a later store: this run need not go on
	}
	for _, g := range l.Parked {
		g.State = state.GroupReady
		Ready(x, g)
	}
	clear(l.Parked)
	l.Parked = l.Parked[:0]
}

// The end of threads and of their block.

package barriers

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/flights"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Exit ends the threads in m of the running group g; the others continue at the next instruction.
func Exit(x *state.Engine, g *state.Group, m state.Lanes) {
	w := g.Warp
	x.Progress++
	x.L.LastMove = x.L.Turns
	if m == g.Mask && Alone(g) {
		exitAlone(x, g)
		return
	}
	w.Live &^= m
	w.CTA.Live -= m.Count()
	g.Mask &^= m
	g.PC++
	j, f := g.Join, g.Frame
	if g.Mask == 0 {
		groups.Drop(x, g)
	}
	groups.LeaveUntil(x, j, nil, m)
	for f != nil {
		caller := f.Caller
		groups.LeaveFrame(x, f, m)
		f = caller
	}
	groups.Wake(x, w)
	groups.ResumeStranded(x, w)
	recheckSyncs(x, w)
	RetryProducts(x, w.CTA)
	recheckBarriers(x, w)
	leaveCluster(x, w, m)
	if w.CTA.Live == 0 {
		endCTA(x, w.CTA)
	}
}

// Alone reports whether the group is all that is left of its warp, in the kernel's own frame, and nothing waits for its
// threads.
func Alone(g *state.Group) bool {
	w := g.Warp
	c := w.CTA
	return g.Mask == w.Live && len(w.Groups) == 1 && g.Join == nil && g.Frame.Caller == nil &&
		len(w.Joins)+len(w.Syncs) == 0 &&
		!c.AwaitsProducts && c.Cluster.Arrived == 0 && w.Passed == 0 && NobodyWaits(c)
}

// exitAlone is exit for a group that is alone. It becomes the idle group of its warp.
func exitAlone(x *state.Engine, g *state.Group) {
	w, n := g.Warp, g.Mask.Count()
	c := w.CTA
	w.Live, w.Groups, w.Active = 0, w.Groups[:0], 0
	if g.WaitsFor != nil {
		g.WaitsFor.Out--
	}
	g.Mask, g.State, g.Frame.Live = 0, state.GroupIdle, 0
	w.Idle = g
	c.Live -= n
	c.Cluster.Live -= n
	if c.Live == 0 {
		endCTA(x, c)
	}
}

// CountEnded adds n blocks of the launch that have ended.
func CountEnded(x *state.Engine, n uint64) {
	if p := x.M.Cfg.Progress; p != nil && x.L.Grids.Depth == 0 {
		p.Ended.Add(n)
	}
}

// Limits of a launch (CUDA C++ Programming Guide, table "Technical
// Specifications per Compute Capability").
const (
	MaxBlockThreads = 1024
	MaxGridX        = 1<<31 - 1
	MaxGridYZ       = 65535
	MaxBlockXY      = 1024
	MaxBlockZ       = 64
	MaxShared       = 227 << 10 // sm_90, opt-in
)

// endCTA frees the resources of a block: all of its threads have exited.
func endCTA(x *state.Engine, c *state.CTA) {
	l := x.L
	flights.CompleteCluster(x, c.Cluster)
	flights.EndTensor(x, c)
	c.Cluster.Blocks[c.Rank] = nil
	c.Objects.Reset()
	c.Passed, c.Left = c.Passed[:0], 0
	for i, r := range l.Resident {
		if r == c {
			last := len(l.Resident) - 1
			l.Resident[i] = l.Resident[last]
			l.Resident = l.Resident[:last]
			break
		}
	}
	l.LastMove, l.TargetRunnable = l.Turns, RunnableTarget(x)
	l.Room = min(l.Room, CancelRoom)
	for _, w := range c.Warps {
		if len(w.Groups)+len(w.Joins)+len(w.Pending)+len(w.Syncs) > 0 {
			panic("BUG: emu: threads left in a block that has ended")
		}
	}
	for ; c.Used != 0; c.Used &= c.Used - 1 {
		reset(&c.Barriers[bits.TrailingZeros32(c.Used)])
	}
	l.FreeCTAs = append(l.FreeCTAs, c)
	CountEnded(x, 1)
	if x.Listener != nil {
		events.EmitMachineEvent(x, abi.EventBlockEnd, c.Linear)
	}
}

// CancelRoom is the number of resident clusters of a program that cancels clusters. It takes over their work, so most of its grid must not have started yet. A device starts
// as many clusters as fit; the emulator keeps only CancelRoom clusters resident until they make no progress.
const CancelRoom = 2

// RunnableTarget returns the initial Launch.TargetRunnable. Independent blocks run one after another: they do not wait
// for each other, and the registers of one block stay in the cache.
func RunnableTarget(x *state.Engine) int {
	if x.L.Proof != nil {
		return 1
	}
	return x.Sched.TargetRunnable()
}

// RetryProducts makes warps of a block try again that wait for products of other warps.
func RetryProducts(x *state.Engine, c *state.CTA) {
	if c.AwaitsProducts {
		c.AwaitsProducts = false
		RetrySyncs(x, c)
	}
}

// NobodyWaits reports whether no thread of the block has arrived at an incomplete barrier.
func NobodyWaits(c *state.CTA) bool {
	for u := c.Used; u != 0; u &= u - 1 {
		if c.Barriers[bits.TrailingZeros32(u)].Arrived > 0 {
			return false
		}
	}
	return true
}

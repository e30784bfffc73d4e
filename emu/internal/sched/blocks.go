// Starting blocks: admission, storage, clusters.

package sched

import (
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/guard"
	"github.com/ptxsan/ptxsan/emu/internal/state"
)

// ownCluster returns a cluster of n blocks, of which c is the first. If n is 1, it reuses the cluster of c's last use.
func ownCluster(c *state.CTA, n uint64) *state.Cluster {
	cl := c.Cluster
	if n > 1 || cl == nil {
		return &state.Cluster{}
	}
	*cl = state.Cluster{Blocks: cl.Blocks[:0], Waiting: cl.Waiting[:0]}
	return cl
}

// startCluster makes the blocks of the next cluster resident.
func startCluster(x *state.Engine) {
	l, dim := x.L, x.L.ClusterDim()
	n := dim.Count()
	base := l.Grid.Over(dim).At(l.Next / n).Times(dim)
	var cl *state.Cluster
	for rank := range n {
		c := takeCTA(x)
		if cl == nil {
			cl = ownCluster(c, n)
			cl.Linear = l.Next / n
		}
		c.Cluster, c.Rank = cl, uint32(rank)
		c.Index = base.Plus(dim.At(rank))
		c.Linear = l.Grid.Linear(c.Index)
		c.Live = int(l.Block.Count())
		cl.Blocks, cl.Live = append(cl.Blocks, c), cl.Live+c.Live
	}
	l.Next += n
	for _, c := range cl.Blocks {
		if x.Fault == nil {
			startCTA(x, c)
		}
	}
}

// Runnable groups may wait for blocks that have not started yet. After this many turns per target group, without a
// block starting or a thread ending, the target number of runnable groups doubles. Waiting groups usually change
// nothing, but a contended lock changes memory all the time.
const (
	admitStall = 8    // while memory does not change
	Patience   = 1024 // while it does
)

// Admit starts blocks. All may be resident at once, but while enough other groups can run, no more blocks are started:
// that keeps the working set small.
func Admit(x *state.Engine) {
	l := x.L
	if l.Next == l.Total || Full(l) {
		return
	}
	if x.Progress != l.Change {
		l.Change, l.LastChange = x.Progress, l.Turns
	}
	if target := uint64(l.TargetRunnable); l.Proof == nil &&
		(l.Turns-max(l.LastMove, l.LastChange) >= admitStall*target || l.Turns-l.LastMove >= Patience*target) {
		l.TargetRunnable *= 2
		l.Room *= 2
		l.LastMove = l.Turns
	}
	if waiting := len(l.Parked) + l.WaitSets.Parked; l.WaitSets.Enabled && waiting >= l.TargetRunnable &&
		x.Sched.Admits(x) {
		l.TargetRunnable *= 2 // all wait, as at a grid barrier: starting blocks one at a time would wake them in vain
	}
	StartBlocks(x)
}

// Full reports whether no further blocks may become resident: there are as many as limit or fitting allows.
func Full(l *state.Launch) bool {
	n := len(l.Resident) + int(l.ClusterDim().Count())
	return n > l.Limit || l.Fitting != 0 && len(l.Resident) > 0 && uint64(n) > l.Fitting
}

// StartBlocks starts blocks while there is room and the scheduler admits more, and reports whether it has started any.
func StartBlocks(x *state.Engine) bool {
	l := x.L
	next, blocks := l.Next, int(l.ClusterDim().Count()) // blocks that start together
	for l.Next < l.Total && !Full(l) && hasRoom(l, blocks) && x.Fault == nil && x.Sched.Admits(x) {
		startCluster(x)
	}
	return l.Next != next
}

// startCTA makes a block resident and queues its warps.
func startCTA(x *state.Engine, c *state.CTA) {
	l := x.L
	l.LastMove = l.Turns
	l.Resident = append(l.Resident, c)
	x.Warp, x.CTA = c.Warps[0], c
	again := c.Launch == l.ID && !l.Clustered()
	if c.Launch != l.ID {
		c.State = 0
		if !faults.ClaimFor(x, c, faults.BlockState(x), "shared memory") {
			return
		}
		for _, w := range c.Warps {
			w.Round = state.SpinRound{}
		}
	}
	c.Launch = l.ID
	fillBlock(x, l.Kernel, c)
	threads := int(l.Block.Count())
	for i, w := range c.Warps {
		w.Exists = state.Lanes(uint64(1)<<min(threads-i*state.WarpSize, state.WarpSize) - 1)
		w.Live = w.Exists
		w.Arrived, w.Passed, w.Awaited, w.Waits = 0, 0, state.IncompleteWait{}, state.RegisterWaits{}
		w.Round.Set = nil
		l.Serial++
		w.Serial = l.Serial
		x.Warp = w
		g := w.Idle
		if again && g != nil {
			w.Idle = nil
			groups.Reenter(x, g.Frame)
			g.Begin(0, w.Live, nil)
		} else {
			groups.ReleaseIdle(x, w)
			f := groups.EnterFrame(x, w, l.Kernel, nil)
			if x.Fault != nil {
				return
			}
			g = groups.NewGroup(x, w, f, 0, w.Live, nil)
		}
		g.Frame.Live = w.Live
		groups.FreshLocals(w, g.Frame, w.Live)
		groups.Ready(x, g)
	}
	if x.Listener != nil {
		events.EmitBlockBegin(x, c)
	}
}

// takeCTA returns storage for a block: from the pool, reset, or new.
func takeCTA(x *state.Engine) *state.CTA {
	l := x.L
	if n := len(l.FreeCTAs); n > 0 {
		c := l.FreeCTAs[n-1]
		l.FreeCTAs = l.FreeCTAs[:n-1]
		clear(c.Shared)
		c.Shadow.Reset()
		return c
	}
	if n := len(l.OldCTAs); n > 0 {
		c := l.OldCTAs[n-1]
		l.OldCTAs = l.OldCTAs[:n-1]
		return groups.Renew(c)
	}
	c := &state.CTA{Shared: guard.Bytes(l.SharedSize, 16)}
	if x.M.Cfg.Uninitialised {
		c.Shadow = gmem.NewShadow(l.SharedSize)
	}
	n := (l.Block.Count() + state.WarpSize - 1) / state.WarpSize
	for i := range int(n) {
		c.Warps = append(c.Warps, &state.Warp{CTA: c, Index: i, Frames: make([]*state.Frame, len(x.M.Functions))})
	}
	return c
}

// hasRoom reports whether another cluster of n blocks may start.
func hasRoom(l *state.Launch, n int) bool { return l.Room == 0 || len(l.Resident) < l.Room*n }

// fillBlock computes the special registers that are equal for all threads of a block.
func fillBlock(x *state.Engine, fn *state.Function, c *state.CTA) {
	s := &x.Special
	s.Ctaid, s.Linear, s.Rank = c.Index, c.Linear, uint64(c.Rank)
	for len(x.BlockValues) < len(fn.BlockSpecials) {
		x.BlockValues = append(x.BlockValues, state.BlockValue{})
	}
	for i := range fn.BlockSpecials {
		v := &x.BlockValues[i]
		s.Dim = fn.BlockSpecials[i].Reg.Dim
		v.Value = fn.BlockSpecials[i].Value(s)
		for lane := range v.Row {
			v.Row[lane] = uint32(v.Value)
		}
	}
}

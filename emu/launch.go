// One launch: its blocks, and the loop over turns.

package emu

import (
	"context"
	"errors"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/flights"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/sched"
	"github.com/ptxsan/ptxsan/emu/internal/state"
)

// runAll executes the launch. The error is the context's.
func runAll(x *state.Engine, ctx context.Context) error {
	l := x.L
	allowDivergence(x)
	for ; x.Fault == nil; l.Turns++ {
		if l.Turns%faults.ContextPeriod == 0 || l.ContextDue || l.Stopped {
			l.ContextDue = false
			switch err := ctx.Err(); {
			case errors.Is(err, context.DeadlineExceeded):
				faults.Overtime(x)
				return nil
			case err != nil:
				return err
			}
		}
		if l.Turns%pollPeriod == 0 {
			poll(x)
		}
		if l.PauseAfter != nil && l.Turns >= l.PauseAt {
			interrupt(x)
		}
		groups.Unpark(x)
		sched.WakeWaitSets(x)
		if sched.Admit(x); x.Fault != nil {
			return nil
		}
		g := x.Sched.Next(x)
		// admit counts queued groups that have merged with others since.
		if g == nil && (sched.StartBlocks(x) || flights.CompleteAll(x) || grids.RunWaiting(x) || poll(x) ||
			sched.WakeAllWaitSets(x) ||
			letOthers(x) || sched.WakeClockReaders(x) || stalled(x) || overfill(x)) {
			continue
		}
		if g == nil && len(l.Resident) > 0 {
			stuck(x)
			return nil
		}
		if g == nil {
			grids.RunTails(x)
			return nil
		}
		if !sched.Resumes(x, g) {
			continue
		}
		if len(g.Warp.Groups) > 1 && x.Sched.Merges() {
			groups.Merge(x, g)
		}
		turn(x, g, x.Sched.Quantum(x, g))
		w := x.Running.Warp
		endTurn(x, x.Running)
		if verifyTurn != nil {
			verifyTurn(x, w)
		}
	}
	return nil
}

// verifyTurn, unless nil, panics if the state of a warp or of its block is inconsistent after a turn of one of its
// groups. Tests set it, before launches begin.
var verifyTurn func(x *state.Engine, w *state.Warp)

// pollPeriod is the number of turns between two calls of Config.Poll.
const pollPeriod = 64

// poll calls Config.Poll and reports whether the host changed its memory.
func poll(x *state.Engine) bool {
	if x.M.Cfg.Poll == nil || !x.M.Cfg.Poll() {
		return false
	}
	x.Progress++
	return true
}

// stalled calls LaunchConfig.Stalled when threads spin and no group can run. It reports whether the spinning threads
// are to run again. Other launches may have run meanwhile.
func stalled(x *state.Engine) bool {
	l := x.L
	if l.Stalled == nil || len(l.Parked) == 0 {
		return false
	}
	resume := suspend(x)
	again := l.Stalled(x.Progress != l.StalledAt)
	if resume(); !again {
		return false
	}
	x.Progress++
	l.StalledAt, l.ContextDue = x.Progress, true
	return true
}

// interrupt calls LaunchConfig.Pause. If others may have changed memory, spinning threads look at it again; that is no
// change by the launch.
func interrupt(x *state.Engine) (changed bool) {
	l := x.L
	resume := suspend(x)
	changed, l.Alone = l.Pause()
	resume()
	if l.PauseAfter != nil {
		l.PauseAt = l.Turns + max(l.PauseAfter(), 1)
	}
	if changed {
		x.Progress++
		l.StalledAt++
	}
	l.ContextDue = true
	return changed
}

// letOthers calls LaunchConfig.Pause when threads wait for a clock as well: it may be long before they see the value
// that they wait for. It reports whether memory may have changed.
func letOthers(x *state.Engine) (changed bool) {
	l := x.L
	readsClock := func(g *state.Group) bool { return g.Spin.ReadsClock }
	return l.Pause != nil && slices.ContainsFunc(l.Parked, readsClock) && interrupt(x)
}

// endTurn queues or releases the group whose turn has ended, and wakes others.
func endTurn(x *state.Engine, g *state.Group) {
	x.Running = nil
	sched.EndRecording(x, g)
	sched.WakeWaitSets(x) // before g is queued, as g may undo the change that they wait for
	groups.ReleaseOld(x, g.Warp)
	switch g.State {
	case state.GroupReady:
		if x.Yield {
			groups.Release(x, g, groups.YieldPatience)
		}
		groups.Ready(x, g)
	case state.GroupGone:
		x.Recycle(g)
	}
}

// overfill starts blocks without regard to Launch.Fitting and reports whether it has started any. It is called when no
// thread of the resident blocks can run: they may wait for the blocks that have not started.
func overfill(x *state.Engine) bool {
	x.L.Fitting = 0
	return sched.StartBlocks(x)
}

package emu

import (
	"context"
	"errors"
	"fmt"
)

// How launches that do not end are found out, beyond what spin.go and stuck prove: by
// their steps, by time, and by the suspicion that those who run wait for those who
// cannot.

// checkPeriod is after how many warp instructions progress is looked at.
const checkPeriod = 1 << 20

// checkProgress is called when it is due: at jumps backwards, and before instructions that
// may leave a function or enter one, since a tree of calls needs no jump. It reports whether
// the turn goes on; when it does not, the launch ends.
func (x *exec) checkProgress() bool {
	l, n := x.l, x.stats.WarpInstructions
	if x.ctx.Err() != nil {
		l.stopped = true
		return false
	}
	if n > l.maxSteps {
		x.raiseHere("timeout", "the kernel has not finished after %d warp instructions", l.maxSteps)
		return false
	}
	if x.progress != l.seen {
		l.seen, l.seenAt = x.progress, n
	} else {
		// Perhaps somebody waits for it without saying so.
		if !x.landAll() && x.runWaiting() && x.fault != nil {
			return false
		}
	}
	if l.stall != 0 && n-l.seenAt > l.stall && x.suspicious() {
		return false
	}
	l.checkAt = min(n+checkPeriod, l.maxSteps+1)
	return true
}

// suspicious raises a fault when no thread has changed anything for long and some
// cannot go on: the others, whose registers change, are taken to wait for them.
// Threads that only compute are left alone, also when others of their warp wait to
// reconverge with them.
func (x *exec) suspicious() bool {
	ws := x.waiters()
	stuck := false
	for _, w := range ws {
		stuck = stuck || w.state != groupReady && w.state != groupPending
	}
	if !stuck {
		return false
	}
	x.raiseHere("livelock", "suspected, as no thread has changed anything for %d warp instructions: %s; a limit on steps turns this check off",
		x.stats.WarpInstructions-x.l.seenAt, x.describeWaiters(ws))
	return true
}

// overtime raises the fault of a launch whose time is over, at somebody who can run.
func (x *exec) overtime() {
	ws := x.waiters()
	if len(ws) == 0 {
		x.fault = &Fault{Class: "timeout", Message: x.timeAllowed() + " is over before a block has started", Kernel: x.l.kernel.src.Name, Count: 1}
		return
	}
	chief := ws[0]
	for _, w := range ws {
		if w.state == groupReady {
			chief = w
			break
		}
	}
	x.fail(chief.warp, chief.mask.first(), x.blameAt(chief.frame, chief.pc), "timeout", 0,
		fmt.Sprintf("the kernel has not finished in %s: %s", x.timeAllowed(), x.describeWaiters(ws)))
}

// timeAllowed names the time that is over, with the cause that the context has for its end,
// such as the option that set the time.
func (x *exec) timeAllowed() string {
	if cause := context.Cause(x.ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		return "the time allowed, " + cause.Error()
	}
	return "the time allowed"
}

// One launch: its blocks, and the loop over turns.

package emu

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/guard"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Limits of a launch (CUDA C++ Programming Guide, table "Technical
// Specifications per Compute Capability").
const (
	maxBlockThreads = 1024
	maxGridX        = 1<<31 - 1
	maxGridYZ       = 65535
	maxBlockXY      = 1024
	maxBlockZ       = 64
	maxShared       = 227 << 10 // sm_90, opt-in
)

// launch is the state of one kernel launch.
type launch struct {
	id          uint64 // numbers the launches of the machine, from 1
	number      uint64 // of a grid that a thread has launched; 0 for the host
	kernel      *function
	grid, block Dim3
	cluster     Dim3 // zero when there are no explicit clusters
	params      []byte
	shared      map[*rewrite.Var]uint64 // offsets of the kernel's shared variables
	sharedSize  uint64                  // reserved, static and dynamic
	reserved    uint64                  // bytes of reserved shared memory, before the variables
	dynamic     uint64                  // dynamic shared memory
	workspace   uint64                  // address of the workspace of a cooperative launch, else 0
	independent *independence           // proof that blocks are independent, nil if there is none
	proof       *independence           // the same, while parts that rely on it are executed
	maxSteps    uint64
	stall       uint64 // limit for warp instructions without progress, beyond which livelock is suspected; 0 for none
	checkAt     uint64 // warp instructions at which checkProgress is next due
	seen        uint64 // engine.progress at the last check that found it changed
	seenAside   uint64 // engine.aside at the last check that found it changed
	seenAt      uint64 // warp instructions at the last of these checks
	stopped     bool   // a turn has ended because the context is done
	contextDue  bool   // several turns have been taken in one run, between which the context was to be examined
	printed     uint64 // bytes of vprintf output
	misuses     *barrierMisuses

	next           uint64 // linear index of the next block to start
	total          uint64
	resident       []*cta // blocks started and not ended, in no particular order
	limit          int    // maximum number of resident blocks
	largest        uint64 // most bytes of state that one block has claimed (see claimFor)
	fitting        uint64 // maximum number of resident blocks that follows from largest and Limits.ThreadState, 0 for none
	targetRunnable int    // while fewer groups can run, more blocks are started
	room           int    // maximum number of resident clusters, 0 for no limit: see cancelRoom
	lastMove       uint64 // turn at which a block last started or a thread last ended
	turns          uint64

	change     uint64 // engine.progress after the last turn that changed it
	lastChange uint64 // that turn

	parked    []*group
	parkedAt  uint64 // engine.progress when the first of them was parked
	stalledAt uint64 // engine.progress after the last stall
	waitSets  waitSets

	grids grids // launched by threads of this launch

	freeJoins  []*join
	freeGroups []*group
	freeCTAs   []*cta
	freeStacks map[uint64][][]byte // by bytes per thread
	oldCTAs    []*cta              // of an earlier launch
	serial     uint64              // number of the latest warp or activation
	state      uint64              // bytes claimed by the launch and the launches around it: see claim
}

// Runnable groups may wait for blocks that have not started yet. After this many turns per target group, without a
// block starting or a thread ending, the target number of runnable groups doubles. Waiting groups usually change
// nothing, but a contended lock changes memory all the time.
const (
	admitStall = 8    // while memory does not change
	patience   = 1024 // while it does
)

// runAll executes the launch. The error is the context's.
func (x *engine) runAll(ctx context.Context) error {
	l := x.l
	x.allowDivergence()
	for ; x.fault == nil; l.turns++ {
		if l.turns%contextPeriod == 0 || l.contextDue || l.stopped {
			l.contextDue = false
			switch err := ctx.Err(); {
			case errors.Is(err, context.DeadlineExceeded):
				x.overtime()
				return nil
			case err != nil:
				return err
			}
		}
		if l.turns%pollPeriod == 0 {
			x.poll()
		}
		x.unpark()
		x.wakeWaitSets()
		if x.admit(); x.fault != nil {
			return nil
		}
		g := x.sched.next(x)
		// admit counts queued groups that have merged with others since.
		if g == nil && (x.startBlocks() || x.completeAll() || x.runWaiting() || x.poll() || x.wakeAllWaitSets() ||
			x.wakeClockReaders() || x.stalled() || x.overfill()) {
			continue
		}
		if g == nil && len(l.resident) > 0 {
			x.stuck()
			return nil
		}
		if g == nil {
			x.runTails()
			return nil
		}
		if !x.resumes(g) {
			continue
		}
		if len(g.warp.groups) > 1 && x.sched.merges() {
			x.merge(g)
		}
		x.turn(g, x.sched.quantum(x, g))
		w := x.running.warp
		x.endTurn(x.running)
		if verifyTurn != nil {
			verifyTurn(x, w)
		}
	}
	return nil
}

// verifyTurn, unless nil, panics if the state of a warp or of its block is inconsistent after a turn of one of its
// groups. Tests set it, before launches begin.
var verifyTurn func(x *engine, w *warp)

// pollPeriod is the number of turns between two calls of Config.Poll.
const pollPeriod = 64

// poll calls Config.Poll and reports whether the host changed its memory.
func (x *engine) poll() bool {
	if x.m.cfg.Poll == nil || !x.m.cfg.Poll() {
		return false
	}
	x.progress++
	return true
}

// stalled calls Config.Stalled when threads spin and no group can run. It reports whether the spinning threads are to
// run again.
func (x *engine) stalled() bool {
	l := x.l
	if x.m.cfg.Stalled == nil || len(l.parked) == 0 || !x.m.cfg.Stalled(x.progress != l.stalledAt) {
		return false
	}
	x.progress++
	l.stalledAt = x.progress
	return true
}

// endTurn queues or releases the group whose turn has ended, and wakes others.
func (x *engine) endTurn(g *group) {
	x.running = nil
	x.endRecording(g)
	x.wakeWaitSets() // before g is queued, as g may undo the change that they wait for
	x.releaseOld(g.warp)
	switch g.state {
	case groupReady:
		if x.yield {
			x.release(g, yieldPatience)
		}
		x.ready(g)
	case groupGone:
		x.recycle(g)
	}
}

// ready queues a group that can run.
func (x *engine) ready(g *group) { x.sched.ready(x, g) }

// park removes the running group, which spins, from the schedule until something changes.
func (x *engine) park(g *group) {
	g.state = groupParked
	if len(x.l.parked) == 0 {
		x.l.parkedAt = x.progress
	}
	x.l.parked = append(x.l.parked, g)
	x.release(g, 0)
}

// unpark queues the parked groups if something has changed.
func (x *engine) unpark() {
	l := x.l
	if len(l.parked) == 0 || l.parkedAt == x.progress || x.weak != nil && x.weak.lazy {
		return // the exhaustive search makes a run of its own for a load that returns a later store: this run need not go on
	}
	for _, g := range l.parked {
		g.state = groupReady
		x.ready(g)
	}
	clear(l.parked)
	l.parked = l.parked[:0]
}

// admit starts blocks. All may be resident at once, but while enough other groups can run, no more blocks are started:
// that keeps the working set small.
func (x *engine) admit() {
	l := x.l
	if l.next == l.total || l.full() {
		return
	}
	if x.progress != l.change {
		l.change, l.lastChange = x.progress, l.turns
	}
	if target := uint64(l.targetRunnable); l.proof == nil &&
		(l.turns-max(l.lastMove, l.lastChange) >= admitStall*target || l.turns-l.lastMove >= patience*target) {
		l.targetRunnable *= 2
		l.room *= 2
		l.lastMove = l.turns
	}
	if waiting := len(l.parked) + l.waitSets.parked; l.waitSets.enabled && waiting >= l.targetRunnable &&
		x.sched.admits(x) {
		l.targetRunnable *= 2 // all wait, as at a grid barrier: starting blocks one at a time would wake them in vain
	}
	x.startBlocks()
}

// full reports whether no further blocks may become resident: there are as many as limit or fitting allows.
func (l *launch) full() bool {
	n := len(l.resident) + int(l.clusterDim().count())
	return n > l.limit || l.fitting != 0 && len(l.resident) > 0 && uint64(n) > l.fitting
}

// overfill starts blocks without regard to launch.fitting and reports whether it has started any. It is called when no
// thread of the resident blocks can run: they may wait for the blocks that have not started.
func (x *engine) overfill() bool {
	x.l.fitting = 0
	return x.startBlocks()
}

// startBlocks starts blocks while there is room and the scheduler admits more, and reports whether it has started any.
func (x *engine) startBlocks() bool {
	l := x.l
	next, blocks := l.next, int(l.clusterDim().count()) // blocks that start together
	for l.next < l.total && !l.full() && l.hasRoom(blocks) && x.fault == nil && x.sched.admits(x) {
		x.startCluster()
	}
	return l.next != next
}

// startCTA makes a block resident and queues its warps.
func (x *engine) startCTA(c *cta) {
	l := x.l
	l.lastMove = l.turns
	l.resident = append(l.resident, c)
	x.warp, x.cta = c.warps[0], c
	again := c.launch == l.id && !l.clustered()
	if c.launch != l.id {
		c.state = 0
		if !x.claimFor(c, x.blockState(), "shared memory") {
			return
		}
		for _, w := range c.warps {
			w.round = spinRound{}
		}
	}
	c.launch = l.id
	x.fillBlock(l.kernel, c)
	threads := int(l.block.count())
	for i, w := range c.warps {
		w.exists = lanes(uint64(1)<<min(threads-i*warpSize, warpSize) - 1)
		w.live = w.exists
		w.arrived, w.passed, w.awaited, w.waits = 0, 0, incompleteWait{}, registerWaits{}
		w.round.set = nil
		l.serial++
		w.serial = l.serial
		x.warp = w
		g := w.idle
		if again && g != nil {
			w.idle = nil
			x.reenter(g.frame)
			g.begin(0, w.live, nil)
		} else {
			x.releaseIdle(w)
			f := x.enterFrame(w, l.kernel, nil)
			if x.fault != nil {
				return
			}
			g = x.newGroup(w, f, 0, w.live, nil)
		}
		g.frame.live = w.live
		w.freshLocals(g.frame, w.live)
		x.ready(g)
	}
	if x.listener != nil {
		x.emitBlockBegin(c)
	}
}

// takeCTA returns storage for a block: from the pool, reset, or new.
func (x *engine) takeCTA() *cta {
	l := x.l
	if n := len(l.freeCTAs); n > 0 {
		c := l.freeCTAs[n-1]
		l.freeCTAs = l.freeCTAs[:n-1]
		clear(c.shared)
		c.shadow.Reset()
		return c
	}
	if n := len(l.oldCTAs); n > 0 {
		c := l.oldCTAs[n-1]
		l.oldCTAs = l.oldCTAs[:n-1]
		return c.renew()
	}
	c := &cta{shared: guard.Bytes(l.sharedSize, 16)}
	if x.m.cfg.Uninitialised {
		c.shadow = gmem.NewShadow(l.sharedSize)
	}
	n := (l.block.count() + warpSize - 1) / warpSize
	for i := range int(n) {
		c.warps = append(c.warps, &warp{cta: c, index: i, frames: make([]*frame, len(x.m.functions))})
	}
	return c
}

// endCTA retires a block whose threads have all exited.
func (x *engine) endCTA(c *cta) {
	l := x.l
	x.completeCluster(c.cluster)
	x.endTensor(c)
	c.cluster.blocks[c.rank] = nil
	c.objects.Reset()
	c.passed, c.left = c.passed[:0], 0
	for i, r := range l.resident {
		if r == c {
			last := len(l.resident) - 1
			l.resident[i] = l.resident[last]
			l.resident = l.resident[:last]
			break
		}
	}
	l.lastMove, l.targetRunnable = l.turns, x.runnableTarget()
	l.room = min(l.room, cancelRoom)
	for _, w := range c.warps {
		if len(w.groups)+len(w.joins)+len(w.pending)+len(w.syncs) > 0 {
			panic("BUG: emu: threads left in a block that has ended")
		}
	}
	for ; c.used != 0; c.used &= c.used - 1 {
		c.barriers[bits.TrailingZeros32(c.used)].reset()
	}
	l.freeCTAs = append(l.freeCTAs, c)
	x.countEnded(1)
	if x.listener != nil {
		x.emitMachineEvent(abi.EventBlockEnd, c.linear)
	}
}

// count returns the number of indices within d.
func (d Dim3) count() uint64 { return uint64(d.X) * uint64(d.Y) * uint64(d.Z) }

// Array returns the extents as an array, x first.
func (d Dim3) Array() [3]uint32 { return [3]uint32{d.X, d.Y, d.Z} }

// String returns "(x,y,z)".
func (d Dim3) String() string { return fmt.Sprintf("(%d,%d,%d)", d.X, d.Y, d.Z) }

// checkShape returns an error if the extents of a launch are invalid.
func (lc *LaunchConfig) checkShape() error {
	g, b := lc.Grid, lc.Block
	switch {
	case g.X == 0 || g.Y == 0 || g.Z == 0:
		return fmt.Errorf("kernel %s: grid %v has an extent of 0", lc.Kernel, g)
	case b.X == 0 || b.Y == 0 || b.Z == 0:
		return fmt.Errorf("kernel %s: block %v has an extent of 0", lc.Kernel, b)
	case g.X > maxGridX || g.Y > maxGridYZ || g.Z > maxGridYZ:
		return fmt.Errorf("kernel %s: grid %v is larger than (%d,%d,%d)", lc.Kernel, g, maxGridX, maxGridYZ, maxGridYZ)
	case b.X > maxBlockXY || b.Y > maxBlockXY || b.Z > maxBlockZ:
		return fmt.Errorf("kernel %s: block %v is larger than (%d,%d,%d)", lc.Kernel, b, maxBlockXY, maxBlockXY,
			maxBlockZ)
	case b.count() > maxBlockThreads:
		return fmt.Errorf("kernel %s: block %v has %d threads, the limit is %d", lc.Kernel, b, b.count(),
			maxBlockThreads)
	}
	return nil
}

// Warps, groups and joins: lanes that execute together, split and reconverge.

package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/rewrite"
)

// cta is one resident thread block.
type cta struct {
	index    Dim3
	linear   uint64 // position in the grid, x fastest
	launch   uint64 // for which its state was claimed
	cluster  *cluster
	rank     uint32      // within the cluster
	shared   []byte      // static, then dynamic shared memory
	shadow   gmem.Shadow // its initialised bytes, nil unless Config.Uninitialised
	warps    []*warp
	live     int // threads that have not exited
	barriers [numBarriers]barrier
	used     uint32 // barriers with arrivals
}

// warp is 32 threads of a block, consecutive in linear thread index. The threads
// that run together are a group; groups come and go as control flow diverges and
// meets again.
type warp struct {
	cta    *cta
	index  int    // within the block
	serial uint64 // distinguishes warps that reused this storage
	exists lanes  // lanes that are threads of the block at all
	live   lanes  // lanes that have not exited

	groups []*group // every group that holds live lanes and does not wait at a join
	joins  []*join  // joins at which lanes wait
	turns  uint64   // taken by its groups
	// pending are the other sides of branches under the lockstep policy, last
	// diverged last: only the newest side runs.
	pending []*group
	active  int // groups that are not pending

	syncs []*syncWait // groups waiting in a .sync operation

	// Of the cluster's barrier: lanes that have arrived in the phase in progress,
	// and lanes that have not yet waited for the end of the phase before.
	arrived, passed lanes
	arrivedAt       *inst // where the first of the former did

	awaited awaited
	flights []*flight // asynchronous operations in progress
	// open numbers the group that each lane's next operation joins.
	open [flightKinds][warpSize]uint64

	// stack is the threads' local memory: stackStride bytes for each lane.
	stack       []byte
	stackStride uint64
	shadow      gmem.Shadow // initialised bytes of the stack, nil unless Config.Uninitialised

	frames []*frame // free frames by function index
}

// groupState says why a group does not run.
type groupState uint8

const (
	groupReady   groupState = iota
	groupParked             // spins; nothing it can see has changed
	groupBarrier            // waits at a barrier of the block
	groupSync               // waits in a .sync operation for lanes of the warp
	groupPending            // lockstep: its turn comes when the sibling has arrived
	groupGone               // merged, arrived or exited
)

// group is a set of threads of a warp at one program counter in one frame.
type group struct {
	warp     *warp
	frame    *frame
	join     *join // where it meets its siblings; nil: nowhere before the end
	pc       int32
	mask     lanes
	state    groupState
	spin     spinState
	waitsFor *waitSet // whose words it waits for, or has waited for until its turn comes
	// priority is the scheduler's, 0 for a group that it has not seen yet.
	priority uint64
}

// inst is the instruction that the group stands at.
func (g *group) inst() *rewrite.Inst { return g.frame.fn.instAt(g.pc) }

// join is a place where groups meet: the immediate post-dominator of a branch, or
// the instruction after a call; under the lockstep policy a branch may have several
// (decode_loops.go). Lanes that arrive wait there until all expected ones have; how patiently
// is up to the policy.
//
// Every lane of a group is in expected of each join on the group's chain, and not
// in arrived.
type join struct {
	frame    *frame
	pc       int32
	expected lanes  // lanes that are to pass
	arrived  lanes  // lanes that wait
	since    uint64 // warp.turns when the first of them came
	parent   *join
	// partial says that lanes may come past the join, to one further out.
	partial bool
	free    bool
}

// at reports whether a group at pc of f has reached the join.
func (j *join) at(f *frame, pc int32) bool { return j != nil && j.pc == pc && j.frame == f }

// reached is the join that a group with the innermost join j has reached at pc of f, nil
// for none.
func (j *join) reached(f *frame, pc int32) *join {
	for ; j != nil && j.frame == f; j = j.parent {
		if j.pc == pc {
			return j
		}
		if !j.partial {
			return nil
		}
	}
	return nil
}

// newJoin takes a join from the pool.
func (x *engine) newJoin(f *frame, pc int32, expected lanes, parent *join) *join {
	var j *join
	if n := len(x.l.freeJoins); n > 0 {
		j, x.l.freeJoins = x.l.freeJoins[n-1], x.l.freeJoins[:n-1]
	} else {
		j = new(join)
		x.claim(uint64(unsafe.Sizeof(*j)), "reconvergence points")
	}
	*j = join{frame: f, pc: pc, expected: expected, parent: parent}
	return j
}

// newGroup makes a group of the warp, ready but not queued.
func (x *engine) newGroup(w *warp, f *frame, pc int32, mask lanes, j *join) *group {
	var g *group
	if n := len(x.l.freeGroups); n > 0 {
		g, x.l.freeGroups = x.l.freeGroups[n-1], x.l.freeGroups[:n-1]
	} else {
		g = new(group)
		x.claim(uint64(unsafe.Sizeof(*g)), "groups of threads")
	}
	g.warp, g.frame, g.pc, g.mask, g.join = w, f, pc, mask, j
	g.state, g.priority = groupReady, 0
	g.spin.reset()
	g.spin.notRecordable, g.waitsFor = false, nil
	w.groups = append(w.groups, g)
	w.active++
	return g
}

// drop removes a group whose lanes went elsewhere.
func (x *engine) drop(g *group) {
	w := g.warp
	for i, h := range w.groups {
		if h == g {
			w.groups = append(w.groups[:i], w.groups[i+1:]...)
			break
		}
	}
	if g.state != groupPending {
		w.active--
	}
	queued := g.state == groupReady && g != x.running
	g.state, g.mask = groupGone, 0
	if queued {
		return // the queue still refers to it: recycled when it comes up
	}
	x.recycle(g)
}

// recycle returns a group that nothing refers to. The running group is recycled
// at the end of its turn.
func (x *engine) recycle(g *group) {
	if g.waitsFor != nil {
		g.waitsFor.out--
		g.waitsFor = nil
	}
	if g != x.running {
		x.l.freeGroups = append(x.l.freeGroups, g)
	}
}

// split moves the lanes in m from g to a new group at pc, of the same frame.
func (x *engine) split(g *group, m lanes, pc int32, j *join) *group {
	g.mask &^= m
	return x.newGroup(g.warp, g.frame, pc, m, j)
}

// arrive makes the running group wait at its join when it stands there. It reports whether the
// group goes on: because it is not at the join, because all expected lanes have arrived, or
// because the policy does not wait.
func (x *engine) arrive(g *group) bool {
	for {
		j := g.join.reached(g.frame, g.pc)
		if j == nil {
			return true
		}
		if j != g.join {
			x.leaveUntil(g.join, j, g.mask)
			g.join = j
		}
		switch {
		case j.arrived|g.mask == j.expected:
			if j.arrived != 0 {
				x.emitMeet(g.frame, g.pc, j.expected)
			}
			g.mask, g.join = j.expected, j.parent
			x.closeJoin(j)
		case x.sched.impatient(x):
			x.leave(j, g.mask)
			g.join = j.parent
		default:
			w := g.warp
			x.wait(j, g.mask)
			x.drop(g)
			x.wake(w)
			x.resumeStranded(w)
			return false
		}
	}
}

// wait makes lanes wait at j.
func (x *engine) wait(j *join, m lanes) {
	if j.arrived == 0 {
		w := j.frame.warp
		w.joins = append(w.joins, j)
		j.since = w.turns
	}
	j.arrived |= m
}

// closeJoin recycles a join at which no lane is expected any more.
func (x *engine) closeJoin(j *join) {
	if j.arrived != 0 {
		x.forgetWaiting(j)
	}
	if j.free {
		panic("BUG: emu: join closed twice")
	}
	j.expected, j.arrived, j.free = 0, 0, true
	x.l.freeJoins = append(x.l.freeJoins, j)
}

// forgetWaiting removes j from the list of joins that lanes wait at.
func (x *engine) forgetWaiting(j *join) {
	w := j.frame.warp
	for i, k := range w.joins {
		if k == j {
			w.joins = append(w.joins[:i], w.joins[i+1:]...)
			return
		}
	}
	panic("BUG: emu: waiting join of another warp")
}

// leave takes lanes that are not waiting off a join: they will not arrive. The waiting lanes go
// on when no other lane is expected.
func (x *engine) leave(j *join, m lanes) {
	j.expected &^= m
	switch j.expected {
	case 0:
		x.closeJoin(j)
	case j.arrived:
		x.resume(j)
	}
}

// leaveUntil takes lanes off all joins from j up to, not including, end.
func (x *engine) leaveUntil(j, end *join, m lanes) {
	for j != end {
		parent := j.parent
		x.leave(j, m)
		j = parent
	}
}

// resume sends the lanes that wait at j on their way, as a group of their own.
func (x *engine) resume(j *join) {
	g := x.newGroup(j.frame.warp, j.frame, j.pc, j.arrived, j.parent)
	m := j.arrived
	x.emitMeet(j.frame, j.pc, m)
	x.forgetWaiting(j)
	j.arrived = 0
	if j.expected &^= m; j.expected == 0 {
		x.closeJoin(j)
	}
	x.ready(g)
}

// release resumes the lanes that have waited so many turns of the warp for the lanes of g to
// arrive: g itself waits or spins, perhaps for them.
func (x *engine) release(g *group, turns uint64) {
	if x.sched.patience() == 0 {
		return
	}
	for j := g.join; j != nil; {
		parent := j.parent
		if j.arrived != 0 && g.warp.turns-j.since >= turns {
			x.resume(j)
		}
		j = parent
	}
}

// yieldPatience is for how many turns of the warp lanes wait at a join for lanes that yield:
// some yield for a turn or two only, such as for a lock that another thread holds.
const yieldPatience = 4

// releaseOld resumes the lanes that have waited at a join of w for long: their siblings may be
// waiting for them in a loop that does other work, such as a detector's.
func (x *engine) releaseOld(w *warp) {
	w.turns++
	patience := uint64(x.sched.patience())
	if patience == 0 {
		return
	}
	for i := 0; i < len(w.joins); i++ {
		if j := w.joins[i]; w.turns-j.since > patience {
			x.resume(j)
			i = -1
		}
	}
}

// resumeStranded resumes the lanes that wait at a join for lanes of which none can run: those
// wait or spin, perhaps for them.
func (x *engine) resumeStranded(w *warp) {
	if x.sched.patience() == 0 {
		return
	}
	for i := 0; i < len(w.joins); i++ {
		if j := w.joins[i]; w.runnable()&j.expected == 0 {
			x.resume(j)
			i = -1
		}
	}
}

// runnable is the lanes of groups that can run.
func (w *warp) runnable() lanes {
	m := lanes(0)
	for _, g := range w.groups {
		if g.state == groupReady {
			m |= g.mask
		}
	}
	return m
}

// wake gives the turn to the newest pending side when no group of the warp is
// left that could run (lockstep only).
func (x *engine) wake(w *warp) {
	n := len(w.pending)
	if w.active > 0 || n == 0 {
		return
	}
	g := w.pending[n-1]
	w.pending = w.pending[:n-1]
	w.active++
	g.state = groupReady
	x.ready(g)
}

// merge joins to g other ready groups of its warp that stand at the same place.
func (x *engine) merge(g *group) {
	w := g.warp
	for i := 0; i < len(w.groups); i++ {
		h := w.groups[i]
		if h == g || h.state != groupReady || h.pc != g.pc || h.frame != g.frame {
			continue
		}
		x.absorb(g, h)
		i = -1 // joins may have been resumed: start over
	}
}

// absorb adds the lanes of h, at the same place, to g.
func (x *engine) absorb(g, h *group) {
	if g.join != h.join {
		common := commonJoin(g.join, h.join)
		x.leaveUntil(g.join, common, g.mask)
		x.leaveUntil(h.join, common, h.mask)
		g.join = common
	}
	m := h.mask
	x.drop(h)
	g.mask |= m
	x.emitMeet(g.frame, g.pc, g.mask)
}

// commonJoin is the innermost join on both chains.
func commonJoin(a, b *join) *join {
	for ; a != nil; a = a.parent {
		for c := b; c != nil; c = c.parent {
			if c == a {
				return a
			}
		}
	}
	return nil
}

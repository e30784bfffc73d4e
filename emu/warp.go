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
	rank     uint32       // within the cluster
	shared   []byte       // static, then dynamic shared memory
	shadow   *gmem.Shadow // its initialised bytes, nil unless Config.Uninitialised
	warps    []*warp
	live     int // threads that have not exited
	barriers [numBarriers]barrier
	used     uint32 // barriers with arrivals
	tensor   tensorBlock

	awaitsProducts bool // a warp waits for products of wgmma that others have not come to
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
	round spinRound   // the last that was recorded

	// Of the cluster's barrier: lanes that have arrived in the phase in progress,
	// and lanes that have not yet waited for the end of the phase before.
	arrived, passed lanes
	arrivedAt       *inst // where the first of the former did

	awaited  awaited
	products uint64    // groups of wgmma that have been committed
	flights  []*flight // asynchronous operations in progress
	// open numbers the group that each lane's next operation joins.
	open [flightKinds][warpSize]uint64

	// stack is the threads' local memory: stackStride bytes for each lane.
	stack       []byte
	stackStride uint64
	shadow      *gmem.Shadow // initialised bytes of the stack, nil unless Config.Uninitialised

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
	polls    *pollState // rounds of the group in polling loops; nil unless the scheduler calls polling (PCT)
	waitsFor *waitSet   // words that the group polls; it stays set until the group's next turn
	// priority is the scheduler's, 0 for a group that it has not seen yet.
	priority uint64
}

// inst is the instruction that the group stands at.
func (g *group) inst() *rewrite.Inst { return g.frame.fn.instAt(g.pc) }

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
	if g.polls != nil {
		g.polls.forget()
	}
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

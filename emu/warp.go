// Warps and groups: lanes that execute together, their creation, splitting and merging.

package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/rewrite"
)

// cta is one resident thread block.
type cta struct {
	index    Dim3
	linear   uint64 // position in the grid, x fastest
	launch   uint64 // id of the launch for which its state was claimed
	state    uint64 // bytes of state that it has claimed in that launch
	cluster  *cluster
	rank     uint32       // within the cluster
	shared   []byte       // static, then dynamic shared memory
	shadow   *gmem.Shadow // its initialised bytes, nil unless Config.Uninitialised
	objects  mbar.Objects[objectAt]
	warps    []*warp
	live     int // threads that have not exited
	barriers [numBarriers]barrier
	used     uint32 // bit set of barriers with arrivals
	passed   []passedBarrier
	left     int // live threads when the last LeftBarrier was noted
	tensor   tensorBlock

	unwatched      bool // the listener does not need its weak accesses (Interest.Block)
	awaitsProducts bool // a warp waits for products of wgmma that other warps of the warpgroup have not issued
}

// warp is 32 threads of a block, consecutive in linear thread index. The threads that execute together form a group.
// Groups are created and merged as control flow diverges and reconverges.
type warp struct {
	agent   *weakmem.Agent // under weak memory, of the life of the warp that agentOf names by its serial
	agentOf uint64
	cta     *cta
	index   int    // within the block
	serial  uint64 // distinguishes warps that reused this storage
	exists  lanes  // lanes that hold a thread of the block
	live    lanes  // lanes that have not exited

	groups []*group // every group that holds live lanes and does not wait at a join
	idle   *group   // the group of all threads that the warp had in an earlier block, with their frame, for the next block; may be nil
	joins  []*join  // joins at which lanes wait
	turns  uint64   // taken by its groups so far
	// pending holds the other sides of divergent branches under the lockstep policy, the newest last: only the newest
	// side runs.
	pending []*group
	active  int // groups that are not pending

	syncs []*syncWait // groups waiting in a .sync operation
	round spinRound   // the last recorded round of a loop

	// State of the cluster barrier: arrived are the lanes that have arrived in the current phase, passed those that
	// have not yet waited for the end of the previous phase.
	arrived, passed lanes
	arrivedAt       *inst // the first arrival of the current phase

	awaited incompleteWait
	waits   registerWaits
	flights []*flight // asynchronous operations in progress
	// open numbers the group that each lane's next operation joins.
	open [flightKinds][warpSize]uint64

	// stack is the threads' local memory: stackStride bytes for each lane.
	stack       []byte
	stackStride uint64
	shadow      *gmem.Shadow // initialised bytes of the stack, nil unless Config.Uninitialised

	frames []*frame // free frames by function index
}

// groupState says whether a group can run, and if not, why.
type groupState uint8

const (
	groupReady   groupState = iota
	groupParked             // spins; nothing that it reads has changed
	groupBarrier            // waits at a barrier of the block
	groupSync               // waits in a .sync operation for lanes of the warp
	groupPending            // lockstep: runs after its sibling has reached the join
	groupGone               // merged, arrived or exited
	groupIdle               // exited; it is its warp's idle group
)

// group is a set of threads of a warp at one program counter in one activation frame.
type group struct {
	warp     *warp
	frame    *frame
	join     *join // where it reconverges with its siblings; nil: nowhere before the end
	pc       int32
	mask     lanes
	state    groupState
	spin     spinState
	polls    *pollState // rounds of the group in polling loops; nil unless the scheduler calls engine.polling (PCT)
	waitsFor *waitSet   // words that the group polls; it stays set until the group's next turn
	// priority belongs to the scheduler (PCT); 0 for a group that it has not queued yet.
	priority uint64
}

// source returns the source of the instruction at the group's pc, inst the instruction.
func (g *group) source() source      { return g.frame.fn.sourceOf(g.frame.fn.code[g.pc].src) }
func (g *group) inst() *rewrite.Inst { return g.source().in }

// newGroup makes a group of the warp, ready but not queued.
func (x *engine) newGroup(w *warp, f *frame, pc int32, mask lanes, j *join) *group {
	var g *group
	if n := len(x.l.freeGroups); n > 0 {
		g, x.l.freeGroups = x.l.freeGroups[n-1], x.l.freeGroups[:n-1]
	} else {
		g = new(group)
		x.claim(uint64(unsafe.Sizeof(*g)), "groups of threads")
	}
	g.warp, g.frame = w, f
	g.begin(pc, mask, j)
	return g
}

// begin makes g a ready group of its warp.
func (g *group) begin(pc int32, mask lanes, j *join) {
	g.pc, g.mask, g.join = pc, mask, j
	g.state, g.priority = groupReady, 0
	g.spin.reset()
	if g.polls != nil {
		g.polls.forget()
	}
	g.spin.notRecordable, g.waitsFor = false, nil
	g.warp.groups = append(g.warp.groups, g)
	g.warp.active++
}

// releaseIdle returns the idle group of the warp and its frame to the pools.
func (x *engine) releaseIdle(w *warp) {
	if g := w.idle; g != nil {
		w.idle = nil
		f := g.frame
		f.next = w.frames[f.fn.index]
		w.frames[f.fn.index] = f
		x.recycle(g)
	}
}

// drop removes a group whose lanes have moved to another group, wait at a join, or have exited.
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
		return // the queue still refers to it: next recycles it
	}
	x.recycle(g)
}

// recycle returns to the pool a group that nothing refers to. The running group is not recycled before the end of its
// turn.
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

// wake makes the newest pending side ready when no other group of the warp is left (lockstep only).
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

// merge adds to g the other ready groups of its warp at the same pc and frame.
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

// continueGroups lets groups that waited together continue after their instruction. Groups of one warp at one place are
// merged. It modifies its argument.
func (x *engine) continueGroups(waiting []*group) {
	if x.sched.patience() > 0 {
		for i := range waiting {
			x.mergeLast(waiting[:i+1])
		}
	}
	x.continueWarps(waiting)
}

// continueWarps is continueGroups for groups of different warps; entries may be nil.
func (x *engine) continueWarps(waiting []*group) {
	for _, g := range waiting {
		if g == nil {
			continue
		}
		g.pc++
		g.state = groupReady
		if g != x.running {
			x.ready(g)
		}
	}
}

// mergeLast merges the last group of the list with an earlier one of the same warp, activation and pc, if there is one,
// and sets the entry of the absorbed group to nil. The running group is never absorbed.
func (x *engine) mergeLast(waiting []*group) {
	last := len(waiting) - 1
	g := waiting[last]
	for i, h := range waiting[:last] {
		if h == nil || h.warp != g.warp || h.frame != g.frame || h.pc != g.pc {
			continue
		}
		if g == x.running {
			waiting[i] = nil
			x.absorb(g, h)
		} else {
			waiting[last] = nil
			x.absorb(h, g)
		}
		return
	}
}

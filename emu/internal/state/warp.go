// Blocks, warps, groups of lanes and the joins at which they meet.

package state

import (
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/rewrite"
)

// CTA is one resident thread block.
type CTA struct {
	Index    Dim3
	Linear   uint64 // position in the grid, x fastest
	Launch   uint64 // id of the launch for which its state was claimed
	State    uint64 // bytes of state that it has claimed in that launch
	Cluster  *Cluster
	Rank     uint32       // within the cluster
	Shared   []byte       // static, then dynamic shared memory
	Shadow   *gmem.Shadow // its initialised bytes, nil unless Config.Uninitialised
	Objects  mbar.Objects[ObjectAt]
	Warps    []*Warp
	Live     int // threads that have not exited
	Barriers [NumBarriers]Barrier
	Used     uint32 // bit set of barriers with arrivals
	Passed   []PassedBarrier
	Left     int // Live threads when the last LeftBarrier was noted
	Tensor   TensorBlock

	Unwatched      bool // the listener does not need its weak accesses (Interest.Block)
	AwaitsProducts bool // a warp waits for products of wgmma that other warps of the warpgroup have not issued
}

// Warp is 32 threads of a block, consecutive in linear thread index. The threads that execute together form a group.
// Groups are created and merged as control flow diverges and reconverges.
type Warp struct {
	Agent   *weakmem.Agent // under weak memory, of the life of the warp that AgentOf names by its serial
	AgentOf uint64
	CTA     *CTA
	Index   int    // within the block
	Serial  uint64 // distinguishes warps that reused this storage
	Exists  Lanes  // lanes that hold a thread of the block
	Live    Lanes  // lanes that have not exited

	Groups []*Group // every group that holds live lanes and does not wait at a join
	Idle   *Group   // the group of all threads that the warp had in an earlier block, with their frame, for the next block; may be nil
	Joins  []*Join  // Joins at which lanes wait
	Turns  uint64   // taken by its groups so far
	// Pending holds the other sides of divergent branches under the lockstep policy, the newest last: only the newest
	// side runs.
	Pending []*Group
	Active  int // Groups that are not pending

	Syncs []*SyncWait // Groups waiting in a .sync operation
	Round SpinRound   // the last recorded round of a loop

	// State of the cluster barrier: arrived are the lanes that have arrived in the current phase, passed those that
	// have not yet waited for the end of the previous phase.
	Arrived, Passed Lanes
	ArrivedAt       *Inst // the first arrival of the current phase

	Awaited IncompleteWait
	Waits   RegisterWaits
	Flights []*Flight // asynchronous operations in progress
	// Open numbers the group that each lane's next operation joins.
	Open [FlightKinds][WarpSize]uint64

	// Stack is the threads' local memory: StackStride bytes for each lane.
	Stack       []byte
	StackStride uint64
	Shadow      *gmem.Shadow // initialised bytes of the stack, nil unless Config.Uninitialised

	Frames []*Frame // free frames by function index
}

// GroupState says whether a group can run, and if not, why.
type GroupState uint8

// States of a group.
const (
	GroupReady   GroupState = iota
	GroupParked             // spins; nothing that it reads has changed
	GroupBarrier            // waits at a barrier of the block
	GroupSync               // waits in a .sync operation for lanes of the warp
	GroupPending            // lockstep: runs after its sibling has reached the join
	GroupGone               // merged, arrived or exited
	GroupIdle               // exited; it is its warp's idle group
)

// Group is a set of threads of a warp at one program counter in one activation frame.
type Group struct {
	Warp     *Warp
	Frame    *Frame
	Join     *Join // where it reconverges with its siblings; nil: nowhere before the end
	PC       int32
	Mask     Lanes
	State    GroupState
	Spin     SpinState
	Polls    *PollState // rounds of the group in polling loops; nil unless the scheduler calls polling (PCT)
	WaitsFor *WaitSet   // words that the group polls; it stays set until the group's next turn
	// Priority belongs to the scheduler (PCT); 0 for a group that it has not queued yet.
	Priority uint64
}

// Source returns the source of the instruction at the group's pc.
func (g *Group) Source() Source { return g.Frame.Fn.SourceOf(g.Frame.Fn.Code[g.PC].Src) }

// Inst returns the instruction at the group's pc.
func (g *Group) Inst() *rewrite.Inst { return g.Source().In }

// Begin makes g a ready group of its warp.
func (g *Group) Begin(pc int32, mask Lanes, j *Join) {
	g.PC, g.Mask, g.Join = pc, mask, j
	g.State, g.Priority = GroupReady, 0
	g.Spin.Reset()
	if g.Polls != nil {
		g.Polls.Forget()
	}
	g.Spin.NotRecordable, g.WaitsFor = false, nil
	g.Warp.Groups = append(g.Warp.Groups, g)
	g.Warp.Active++
}

// Recycle returns to the pool a group that nothing refers to. The running group is not recycled before the end of its
// turn.
func (x *Engine) Recycle(g *Group) {
	if g.WaitsFor != nil {
		g.WaitsFor.Out--
		g.WaitsFor = nil
	}
	if g != x.Running {
		x.L.FreeGroups = append(x.L.FreeGroups, g)
	}
}

// Join is a reconvergence point: the immediate post-dominator of a branch, or the instruction after a call. Under the
// lockstep policy a branch may have several (package program). Lanes that arrive wait there until all expected lanes
// have arrived. The policy limits how long they wait.
//
// Invariant: every lane of a group is in expected of each join on the group's chain, and not in arrived.
type Join struct {
	Frame    *Frame
	PC       int32
	Expected Lanes  // lanes that have not passed the join yet
	Arrived  Lanes  // of these, the lanes that wait
	Since    uint64 // Warp.Turns when the first of the waiting lanes arrived
	Parent   *Join
	// Partial says that lanes may bypass the join and reach an outer one.
	Partial bool
	Free    bool
}

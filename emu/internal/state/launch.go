// One launch of a grid and the grids that it launches.

package state

import (
	"fmt"

	"github.com/ptxsan/ptxsan/emu/internal/cudart"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Launch is the state of one kernel launch.
type Launch struct {
	ID          uint64 // numbers the launches of the machine, from 1
	Number      uint64 // of a grid that a thread has launched; 0 for the host
	Kernel      *Function
	Grid, Block Dim3
	Cluster     Dim3 // zero when there are no explicit clusters
	Params      []byte
	Shared      map[*rewrite.Var]uint64 // offsets of the kernel's shared variables
	SharedSize  uint64                  // Reserved, static and dynamic
	Reserved    uint64                  // bytes of reserved shared memory, before the variables
	Dynamic     uint64                  // Dynamic shared memory
	Workspace   uint64                  // address of the workspace of a cooperative launch, else 0
	Independent *Independence           // Proof that blocks are independent, nil if there is none
	Proof       *Independence           // the same, while parts that rely on it are executed
	MaxSteps    uint64
	Stall       uint64 // Limit for warp instructions without progress, beyond which livelock is suspected; 0 for none
	CheckAt     uint64 // warp instructions at which CheckProgress is next due
	Seen        uint64 // Engine.Progress at the last check that found it changed
	SeenAside   uint64 // Engine.Aside at the last check that found it changed
	SeenAt      uint64 // warp instructions at the last of these checks
	Stopped     bool   // a turn has ended because the context is done
	ContextDue  bool   // several turns have been taken in one run, between which the context was to be examined
	Printed     uint64 // bytes of vprintf output
	Misuses     *BarrierMisuses

	Next           uint64 // linear index of the next block to start
	Total          uint64
	Resident       []*CTA // blocks started and not ended, in no particular order
	Limit          int    // maximum number of resident blocks
	Largest        uint64 // most bytes of state that one block has claimed (see ClaimFor)
	Fitting        uint64 // maximum number of resident blocks that follows from largest and Limits.ThreadState, 0 for none
	TargetRunnable int    // while fewer groups can run, more blocks are started
	Room           int    // maximum number of resident clusters, 0 for no limit: see CancelRoom
	LastMove       uint64 // turn at which a block last started or a thread last ended
	Turns          uint64

	Change     uint64 // Engine.Progress after the last turn that changed it
	LastChange uint64 // that turn

	Parked    []*Group
	ParkedAt  uint64 // Engine.Progress when the first of them was parked
	StalledAt uint64 // Engine.Progress after the last stall
	Stalled   func(changed bool) (again bool)
	Pause     func() (changed, alone bool)
	Alone     bool   // as Pause has said last
	PauseAt   uint64 // turn at which Pause is next called
	// PauseAfter is that of LaunchConfig.
	PauseAfter func() (turns uint64)
	WaitSets   WaitSets

	Grids Grids // launched by threads of this launch

	FreeJoins  []*Join
	FreeGroups []*Group
	FreeCTAs   []*CTA
	FreeStacks map[uint64][][]byte // by bytes per thread
	OldCTAs    []*CTA              // of an earlier launch
	Serial     uint64              // Number of the latest warp or activation
	State      uint64              // bytes claimed by the launch and the launches around it: see claim
}

// Count returns the number of indices within d.
func (d Dim3) Count() uint64 { return uint64(d.X) * uint64(d.Y) * uint64(d.Z) }

// Array returns the extents as an array, x first.
func (d Dim3) Array() [3]uint32 { return [3]uint32{d.X, d.Y, d.Z} }

// String returns "(x,y,z)".
func (d Dim3) String() string { return fmt.Sprintf("(%d,%d,%d)", d.X, d.Y, d.Z) }

// Grids launched by kernels (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism").
//
// A grid launched by a thread runs at some time between its launch and the end of the launching grid, without
// interruption: immediately if the policy says so, else at cudaDeviceSynchronize or when no other group can run. This
// satisfies the standard, by which parent and child need not run concurrently. Grids of one launch run in launch order,
// so that streams and events are always ordered. Tail launches follow when the launching grid and all its other child
// Grids have ended.

// Grids holds the grids and copies launched by the threads of a launch.
type Grids struct {
	Depth   int         // 0 for a grid launched by the host
	Waiting []*WorkItem // in launch order
	Tail    []*WorkItem // to run after the end of the launch
	Errors  map[ThreadID]cudart.Error
}

// ThreadID identifies a thread of a launch.
type ThreadID struct {
	Warp uint64 // Warp.Serial
	Lane int
}

// WorkItem is a grid that a thread has put into a stream, or a copy if launch is nil.
type WorkItem struct {
	Launch *Launch // prepared
	Copy   func()
	Block  uint64 // linear index of the launching block
}

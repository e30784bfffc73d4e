// Execution: the questions that explanations ask about the execution.

package evidence

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Execution answers what evidence asks about the accesses, the threads and what they know when the access in progress
// is made.
type Execution interface {
	Class(index uint32) *accesses.Class
	Now() stamp

	PlaceOf(unit) *accesses.Place
	OwnerOf(unit) unit // of an asynchronous operation, the warp that started it
	ExtentOf(grid uint32) (blocks, threads [3]uint32, of detect.Nested)
	HasClusters() bool // whether the blocks of the launch form clusters

	// What a thread knows and has released, nil when it has ended: its vector clock, the snapshots at its latest fence
	// of each reach, and the clocks that it has observed without acquiring them.
	ClockOf(thread) *clock
	FencesOf(thread) *FencedAt
	SeenBy(thread) []*clock
	// GroupsAfter returns the latest wait of a lane for its groups of a kind, and how many groups the lane closed
	// between that of a unit and the wait, negative if there is none.
	GroupsAfter(u unit, lane int, kind abi.AsyncKind) (wait *GroupWait, later int)

	// The access in progress.
	CurrentClock(lane int) *clock
	PrecedesCurrent(by thread, at stamp, lane int) bool // a read at that time
	IsMbarrierAt(addr uint64) bool
	// LocksAt returns the locks held at the two accesses of a finding in the papers' model, which applies says.
	LocksAt(f *Finding) (first, second []Lock, applies bool)

	// ObservedBefore reports whether reads before the access of lane have observed another thread's write; ObservedSpan
	// returns the times of the writes since a time that those before accesses of some lanes may have observed.
	ObservedBefore(of Lanes, by thread, at stamp, lane int, addr uint64) bool
	ObservedSpan(of Lanes, since stamp, lanes uint32, addr uint64) accesses.Span

	CountsDeferred() bool // whether there are deferred atomic operations
	ReplayCounts()        // processes deferred atomic operations, which may be messages and locks
	Uses(bytes uintptr)   // counts memory
	Unuses(bytes uintptr) // counts memory that is free again
}

// FencedAt is the snapshots at the latest fence of each reach that no wider fence followed.
type FencedAt = [accesses.Reaches]snapshot

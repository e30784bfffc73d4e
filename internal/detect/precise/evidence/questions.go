// The questions that evidence asks of the execution.

package evidence

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Execution answers what evidence asks about the threads and about what they know when the access in progress is made.
type Execution interface {
	Now() stamp
	PlaceOf(unit) *accesses.Place
	OwnerOf(unit) unit // of an asynchronous operation, the warp that started it
	ExtentOf(grid uint32) (blocks, threads [3]uint32, of detect.Nested)
	KnowledgeOf(thread) Knowledge
	// GroupsAfter returns the latest wait of a lane for its groups of a kind, and how many groups the lane closed
	// between that of an access by a unit at a time and the wait, negative if there is none.
	GroupsAfter(u unit, lane int, kind abi.AsyncKind, at stamp) (wait *GroupWait, later int)

	// The access in progress.
	CurrentClock(lane int) *clock
	PrecedesCurrent(by thread, at stamp, lane int) bool // a read at that time
	IsMbarrierAt(addr uint64) bool
	// LocksAt returns the locks held at the two accesses of a finding in the papers' model, which applies says.
	LocksAt(f *Finding) (first, second []Lock, applies bool)

	// ReplayDeferred processes deferred atomic operations, which may be messages and locks.
	ReplayDeferred()
}

// Knowledge is what a thread knows and has released; the zero value for one that has ended.
type Knowledge struct {
	Clock  *clock
	Fences *FencedAt // nil for none
	Seen   []*clock  // what it has observed without acquiring it
}

// FencedAt is the snapshots at the latest fence of each reach that no wider fence followed.
type FencedAt = [accesses.Reaches]snapshot

// Lanes are those of a strong access, with what they know.
type Lanes interface {
	Clock(lane int) *clock
	// Observed reports whether reads before the access of lane have observed another thread's write.
	Observed(by thread, at stamp, lane int, addr uint64) bool
	// ObservedSpan returns the times of the writes since a time that reads before the accesses of some lanes may have
	// observed.
	ObservedSpan(since stamp, lanes uint32, addr uint64) accesses.Span
}

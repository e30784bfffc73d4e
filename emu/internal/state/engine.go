// The engine: the state of a run that bodies of instructions use.

package state

import (
	"context"

	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Engine is the state of a running launch, as bodies see it. One goroutine owns it.
type Engine struct {
	Frame *Frame   // of the running group
	Warp  *Warp    // of the running group
	CTA   *CTA     // of the running group
	M     *Machine // device memory, configuration
	L     *Launch  // the launch

	Emitter
	Recorder  RoundRecorder
	Recording bool // the recorder records a loop round of the running group
	// Progress counts events after which another thread may observe a change: writes that changed a value, exits,
	// barrier arrivals. Bodies that write memory call wrote when a byte changed.
	Progress uint64
	Aside    uint64 // the writes of observers that changed a value: these are not progress
	Fault    *Fault // a fault that ends the launch
	Faults   []*Fault
	// FaultLane is the lane of fault. sink receives accesses that have no memory.
	FaultLane int
	Sink      [MaxSink / 8]uint64
	Storing   *rewrite.Inst // the store that is executed, if registers have undefined bits

	Sched   Scheduler
	Running *Group // group whose turn it is
	Quantum int    // scheduling points left in this turn
	Yield   bool   // the group yields the rest of its turn
	Stats   Stats
	Clock   Clock

	Ctx    context.Context
	Nested error // error of a grid launched by a thread, which ends the launch

	Special     SpecialContext // values for the launch and, in fillSpecials, for the warp and lane
	BlockValues []BlockValue   // of Function.BlockSpecials of the kernel, for the block that starts

	Matrices matrix.Buffers
	Pieces   []Transfer // an empty list with capacity for the pieces of a tensor copy
	Runs     [2]Runs    // with capacity for what an operation accesses
	// SliceRuns has the bytes of matrices that have been read.
	SliceRuns map[SharedSlices]Runs

	Weak *WeakMemory // nil under sequential consistency

	Vec *VectorRunner // nil when everything runs in Go
}

// Clock is the time that is not spent in instructions: it is skipped while threads only wait for a clock.
type Clock struct {
	Skipped uint64
	Step    uint64 // is skipped next
	At      uint64 // Engine.Progress when time was last skipped
}

// NoRuns empties the runs of an operation and returns them.
func (x *Engine) NoRuns() (a, b *Runs) {
	x.Runs = [2]Runs{x.Runs[0][:0], x.Runs[1][:0]}
	return &x.Runs[0], &x.Runs[1]
}

// Limits of launches: steps, resident threads, memory for their state; launches that do not end.

package faults

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/state"
)

// Default limits.
const (
	DefaultMaxSteps    = 2_000_000_000
	LongMaxSteps       = 20_000_000_000 // for launches that must run on as long as they may still end: some minutes
	DefaultMemoryLimit = 16 << 30
	LongMemoryLimit    = 80 << 30  // of the device of an application, as large GPUs have: what nobody touches costs nothing
	DefaultStackLimit  = 512 << 10 // a GPU has a few KiB
	DefaultCallDepth   = 1024
	DefaultThreadState = 4 << 30
	DefaultPrintfLimit = 64 << 20

	// StepsBase and StepsPerWarp determine the limit on steps of launches without an explicit one: an endless loop in a
	// small launch is found sooner.
	StepsBase    = 200_000_000
	StepsPerWarp = 500_000

	// StallBase and StallPerWarp determine the number of warp instructions without an observable change after which a
	// launch is suspected of livelock.
	StallBase    = 100_000_000
	StallPerWarp = 200_000
)

// ContextPeriod is the number of turns between two looks at the context of a launch.
const ContextPeriod = 64

// Limits of the device runtime (CUDA C++ Programming Guide, "Implementation
// Restrictions and Limitations").
const (
	MaxNesting = 24   // nesting depth of grids launched by grids, below the one launched by the host
	MaxPending = 2048 // grids that have been launched and have not run
)

// SetDefaults replaces zero values that stand for defaults.
func SetDefaults(c *state.Config) {
	OrDefault(&c.MemoryLimit, DefaultMemoryLimit)
	OrDefault(&c.Depth, DefaultDepth)
	OrDefault(&c.Length, DefaultLength)
	OrDefault(&c.MaxFaults, 1)
	OrDefault(&c.Limits.CallDepth, DefaultCallDepth)
	OrDefault(&c.Limits.Stack, DefaultStackLimit)
	OrDefault(&c.Limits.ThreadState, DefaultThreadState)
	OrDefault(&c.Limits.Printf, DefaultPrintfLimit)
}

// OrDefault sets a limit that is not given.
func OrDefault[T int | uint64](v *T, d T) {
	if *v <= 0 {
		*v = d
	}
}

// MaxSteps returns the limit on warp instructions of a launch.
func MaxSteps(c *state.Config, warps uint64) uint64 {
	if steps := cmp.Or(c.MaxSteps, c.Limits.Steps); steps != 0 {
		return steps
	}
	return min(DefaultMaxSteps, StepsBase+StepsPerWarp*min(warps, 1<<32))
}

// MostSteps returns the limit on warp instructions of a launch and of the grids that its kernel launches, if MaxSteps
// is 0.
func MostSteps(c *state.Config) uint64 { return cmp.Or(c.Limits.Steps, DefaultMaxSteps) }

// Stall returns the number of warp instructions without progress after which a launch is suspected of livelock, 0 for
// never.
func Stall(c *state.Config, warps uint64) uint64 {
	if c.MaxSteps != 0 || c.Limits.Stall != 0 {
		return c.Limits.Stall
	}
	return StallBase + StallPerWarp*min(warps, 1<<32)
}

// ResidentBlocks returns how many blocks with the given number of threads may be resident.
func ResidentBlocks(c *state.Config, total, threads uint64) int {
	n := min(total, 1<<62)
	if c.Resident > 0 {
		n = min(n, uint64(c.Resident))
	}
	if c.Limits.Threads > 0 {
		n = max(1, min(n, uint64(c.Limits.Threads)/threads))
	}
	return int(n)
}

// The record of an allocation, freed or not, counts as RecordBytes: there can be as many as fit the memory limit, but
// at least LeastAllocations.
const (
	RecordBytes      = gmem.RecordBytes
	LeastAllocations = gmem.LeastAllocations
)

// State is the memory that the emulator needs for threads in addition to device memory: register files, local memory,
// shared memory, data on what threads wait for, and grids launched by kernels. Limits.ThreadState limits it, for a
// launch by the host together with all grids below it. The limit applies to allocated memory: outgrown tables are
// reused, and count until then. Short-lived memory is not counted; Go's garbage collector may hold as much of it as
// there is state.

// Claim counts n bytes of state. If the limit is exceeded, it raises a fault and returns false.
func Claim(x *state.Engine, n uint64, what string) bool {
	limit := x.M.Cfg.Limits.ThreadState
	if sum := x.L.State + n; sum >= n && sum <= limit {
		x.L.State = sum
		return true
	}
	if x.Fault == nil {
		RaiseHere(x, "unsupported",
			"resident threads need more than %d bytes of %s and other state; limit how many blocks are resident, or how many grids are launched", limit, what)
	}
	return false
}

// ClaimFor is claim for the state of a block: its registers, local memory and shared memory. It also sets
// Launch.Fitting, the maximum number of resident blocks. This maximum is Limits.ThreadState divided by Launch.Largest,
// the most bytes that any block has claimed so far. A device limits its resident blocks in the same way, by their
// registers and shared memory. A block that is resident already remains resident. A cooperative launch has no such
// maximum, because all of its blocks must be resident.
func ClaimFor(x *state.Engine, c *state.CTA, n uint64, what string) bool {
	if !Claim(x, n, what) {
		return false
	}
	l := x.L
	if c.State += n; c.State > l.Largest {
		l.Largest = c.State
		if l.Workspace == 0 {
			l.Fitting = max(1, x.M.Cfg.Limits.ThreadState/l.Largest)
		}
	}
	return true
}

// Unclaim returns n claimed bytes.
func Unclaim(x *state.Engine, n uint64) { x.L.State -= n }

// BlockState returns the bytes of a block, without register files and local memory.
func BlockState(x *state.Engine) uint64 {
	l := x.L
	n := uint64(unsafe.Sizeof(state.CTA{})) + l.SharedSize
	if x.M.Cfg.Uninitialised {
		n += l.SharedSize / 8
	}
	warps := (l.Block.Count() + state.WarpSize - 1) / state.WarpSize
	return n + warps*uint64(unsafe.Sizeof(state.Warp{})+uintptr(len(x.M.Functions))*unsafe.Sizeof((*state.Frame)(nil)))
}

// State returns the bytes of a waiting item.
func State(w *state.WorkItem) uint64 {
	n := uint64(unsafe.Sizeof(state.WorkItem{}))
	if l := w.Launch; l != nil {
		n += uint64(unsafe.Sizeof(state.Launch{})) + uint64(len(l.Params)) + uint64(len(l.Shared))*uint64(2*unsafe.Sizeof(uintptr(0)))
	}
	return n
}

// Launches that do not end, beyond those that spin detection and stuck prove, are found by the number of their steps,
// by time, and by a heuristic: if no group changes anything for long, the runnable groups are suspected of waiting for
// groups that cannot run.

// CheckPeriod is the number of warp instructions between two checks of progress.
const CheckPeriod = 1 << 20

// SuspectLivelock raises a fault when no thread has changed anything for long and some cannot go on: the others, whose
// registers change, are assumed to wait for them. Launches whose threads only compute are not reported, even if lanes
// wait at joins for them.
func SuspectLivelock(x *state.Engine) bool {
	ws := Waiters(x)
	stuck := false
	for _, w := range ws {
		stuck = stuck || w.State != state.GroupReady && w.State != state.GroupPending
	}
	if !stuck {
		return false
	}
	RaiseHere(x, "livelock",
		"suspected, as no thread has changed anything for %d warp instructions: %s; a limit on steps turns this check off",
		x.Stats.WarpInstructions-x.L.SeenAt, DescribeWaiters(x, ws))
	return true
}

// Overtime raises the fault of a launch that has exceeded its time, at a group that can run.
func Overtime(x *state.Engine) {
	ws := Waiters(x)
	if len(ws) == 0 {
		x.Fault = &state.Fault{
			Class: "timeout", Message: timeAllowed(x) + " is over before a block has started",
			Kernel: x.L.Kernel.Src.Name, Count: 1,
		}
		return
	}
	named := ws[0]
	for _, w := range ws {
		if w.State == state.GroupReady {
			named = w
			break
		}
	}
	Fail(x, named.Warp, named.Mask.First(), BlameAt(x, named.Frame, named.Pc), "timeout", 0,
		fmt.Sprintf("the kernel has not finished in %s: %s", timeAllowed(x), DescribeWaiters(x, ws)))
}

// timeAllowed names the exceeded time limit, with the cause of the context's end if it has one, such as the option that
// set the limit.
func timeAllowed(x *state.Engine) string {
	if cause := context.Cause(x.Ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		return "the time allowed, " + cause.Error()
	}
	return "the time allowed"
}

// Default parameters of PCT, used where Config has 0.
const (
	DefaultDepth  = 3
	MaxDepth      = 1 << 16 // a larger depth counts as this
	DefaultLength = 10_000
)

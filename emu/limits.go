// Limits of launches: steps, resident threads, memory for their state; launches that do not end.

package emu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
)

// Default limits.
const (
	DefaultMaxSteps    = 2_000_000_000
	LongMaxSteps       = 20_000_000_000 // for launches that must run on as long as they may still end: some minutes
	DefaultMemoryLimit = 16 << 30
	DefaultStackLimit  = 512 << 10 // a GPU has a few KiB
	DefaultCallDepth   = 1024
	DefaultThreadState = 4 << 30
	DefaultPrintfLimit = 64 << 20

	// StepsBase and StepsPerWarp determine the limit on steps of launches without an explicit one: an endless loop in a
	// small launch is found sooner.
	StepsBase    = 200_000_000
	StepsPerWarp = 500_000

	// stallBase and stallPerWarp determine the number of warp instructions without an observable change after which a
	// launch is suspected of livelock.
	stallBase    = 100_000_000
	stallPerWarp = 200_000
)

// contextPeriod is the number of turns between two looks at the context of a launch.
const contextPeriod = 64

// Limits of the device runtime (CUDA C++ Programming Guide, "Implementation
// Restrictions and Limitations").
const (
	MaxNesting = 24   // nesting depth of grids launched by grids, below the one launched by the host
	MaxPending = 2048 // grids that have been launched and have not run
)

// Limits bounds the resources that a kernel may use. Zero values stand for defaults.
type Limits struct {
	Steps       uint64 // warp instructions of a launch where Config.MaxSteps is 0; 0 = by the size of the launch
	CallDepth   int    // activations per thread, 0 = DefaultCallDepth
	Stack       uint64 // bytes of local memory per thread, 0 = DefaultStackLimit
	ThreadState uint64 // bytes of state (see claim) of all resident threads and launched grids, 0 = DefaultThreadState
	Threads     int    // maximum number of resident threads, 0 = no limit; a block is resident as a whole
	Stall       uint64 // warp instructions without a change, while threads wait, after which livelock is suspected; 0 = by the size of the launch, never when steps are limited
	Printf      uint64 // bytes of vprintf output of a launch, the rest is dropped; 0 = DefaultPrintfLimit
}

// setDefaults replaces zero values that stand for defaults.
func (c *Config) setDefaults() {
	orDefault(&c.MemoryLimit, DefaultMemoryLimit)
	orDefault(&c.Depth, DefaultDepth)
	orDefault(&c.Length, DefaultLength)
	orDefault(&c.MaxFaults, 1)
	orDefault(&c.Limits.CallDepth, DefaultCallDepth)
	orDefault(&c.Limits.Stack, DefaultStackLimit)
	orDefault(&c.Limits.ThreadState, DefaultThreadState)
	orDefault(&c.Limits.Printf, DefaultPrintfLimit)
}

func orDefault[T int | uint64](v *T, d T) {
	if *v <= 0 {
		*v = d
	}
}

// maxSteps returns the limit on warp instructions of a launch.
func (c *Config) maxSteps(warps uint64) uint64 {
	if steps := cmp.Or(c.MaxSteps, c.Limits.Steps); steps != 0 {
		return steps
	}
	return min(DefaultMaxSteps, StepsBase+StepsPerWarp*min(warps, 1<<32))
}

// mostSteps returns the limit on warp instructions of a launch and of the grids that its kernel launches, if MaxSteps
// is 0.
func (c *Config) mostSteps() uint64 { return cmp.Or(c.Limits.Steps, DefaultMaxSteps) }

// stall returns the number of warp instructions without progress after which a launch is suspected of livelock, 0 for
// never.
func (c *Config) stall(warps uint64) uint64 {
	if c.MaxSteps != 0 || c.Limits.Stall != 0 {
		return c.Limits.Stall
	}
	return stallBase + stallPerWarp*min(warps, 1<<32)
}

// residentBlocks returns how many blocks with the given number of threads may be resident.
func (c *Config) residentBlocks(total, threads uint64) int {
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

// claim counts n bytes of state. If the limit is exceeded, it raises a fault and returns false.
func (x *engine) claim(n uint64, what string) bool {
	limit := x.m.cfg.Limits.ThreadState
	if sum := x.l.state + n; sum >= n && sum <= limit {
		x.l.state = sum
		return true
	}
	if x.fault == nil {
		x.raiseHere("unsupported",
			"resident threads need more than %d bytes of %s and other state; limit how many blocks are resident, or how many grids are launched", limit, what)
	}
	return false
}

// claimFor is claim for the state of a block: its registers, local memory and shared memory. It also sets
// launch.fitting, the maximum number of resident blocks. This maximum is Limits.ThreadState divided by launch.largest,
// the most bytes that any block has claimed so far. A device limits its resident blocks in the same way, by their
// registers and shared memory. A block that is resident already remains resident. A cooperative launch has no such
// maximum, because all of its blocks must be resident.
func (x *engine) claimFor(c *cta, n uint64, what string) bool {
	if !x.claim(n, what) {
		return false
	}
	l := x.l
	if c.state += n; c.state > l.largest {
		l.largest = c.state
		if l.workspace == 0 {
			l.fitting = max(1, x.m.cfg.Limits.ThreadState/l.largest)
		}
	}
	return true
}

// unclaim returns n claimed bytes.
func (x *engine) unclaim(n uint64) { x.l.state -= n }

// blockState returns the bytes of a block, without register files and local memory.
func (x *engine) blockState() uint64 {
	l := x.l
	n := uint64(unsafe.Sizeof(cta{})) + l.sharedSize
	if x.m.cfg.Uninitialised {
		n += l.sharedSize / 8
	}
	warps := (l.block.count() + warpSize - 1) / warpSize
	return n + warps*uint64(unsafe.Sizeof(warp{})+uintptr(len(x.m.functions))*unsafe.Sizeof((*frame)(nil)))
}

// state returns the bytes of a waiting item.
func (w *workItem) state() uint64 {
	n := uint64(unsafe.Sizeof(workItem{}))
	if l := w.launch; l != nil {
		n += uint64(unsafe.Sizeof(launch{})) + uint64(len(l.params)) + uint64(len(l.shared))*uint64(2*unsafe.Sizeof(uintptr(0)))
	}
	return n
}

// Launches that do not end, beyond those that spin detection and stuck prove, are found by the number of their steps,
// by time, and by a heuristic: if no group changes anything for long, the runnable groups are suspected of waiting for
// groups that cannot run.

// checkPeriod is the number of warp instructions between two checks of progress.
const checkPeriod = 1 << 20

// checkProgress runs the periodic checks of a launch: at back edges, and before instructions that may enter or leave a
// function, since recursion needs no back edge. It reports whether the turn goes on; if not, the launch ends.
func (x *engine) checkProgress() bool {
	l, n := x.l, x.stats.WarpInstructions
	if x.ctx.Err() != nil {
		l.stopped = true
		return false
	}
	if n > l.maxSteps {
		x.raiseHere("timeout", "the kernel has not finished after %d warp instructions", l.maxSteps)
		return false
	}
	if x.progress != l.seen {
		l.seen, l.seenAt = x.progress, n
	} else {
		// A thread may poll for an asynchronous operation in flight, or for a grid that has not run.
		if !x.completeAll() && x.runWaiting() && x.fault != nil {
			return false
		}
	}
	if x.aside != l.seenAside {
		l.seenAside, l.seenAt = x.aside, n
	}
	if l.stall != 0 && n-l.seenAt > l.stall && x.suspectLivelock() {
		return false
	}
	l.checkAt = min(n+checkPeriod, l.maxSteps+1)
	return true
}

// suspectLivelock raises a fault when no thread has changed anything for long and some cannot go on: the others, whose
// registers change, are assumed to wait for them. Launches whose threads only compute are not reported, even if lanes
// wait at joins for them.
func (x *engine) suspectLivelock() bool {
	ws := x.waiters()
	stuck := false
	for _, w := range ws {
		stuck = stuck || w.state != groupReady && w.state != groupPending
	}
	if !stuck {
		return false
	}
	x.raiseHere("livelock",
		"suspected, as no thread has changed anything for %d warp instructions: %s; a limit on steps turns this check off",
		x.stats.WarpInstructions-x.l.seenAt, x.describeWaiters(ws))
	return true
}

// overtime raises the fault of a launch that has exceeded its time, at a group that can run.
func (x *engine) overtime() {
	ws := x.waiters()
	if len(ws) == 0 {
		x.fault = &Fault{
			Class: "timeout", Message: x.timeAllowed() + " is over before a block has started",
			Kernel: x.l.kernel.src.Name, Count: 1,
		}
		return
	}
	named := ws[0]
	for _, w := range ws {
		if w.state == groupReady {
			named = w
			break
		}
	}
	x.fail(named.warp, named.mask.first(), x.blameAt(named.frame, named.pc), "timeout", 0,
		fmt.Sprintf("the kernel has not finished in %s: %s", x.timeAllowed(), x.describeWaiters(ws)))
}

// timeAllowed names the exceeded time limit, with the cause of the context's end if it has one, such as the option that
// set the limit.
func (x *engine) timeAllowed() string {
	if cause := context.Cause(x.ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		return "the time allowed, " + cause.Error()
	}
	return "the time allowed"
}

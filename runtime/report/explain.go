// Explanations: what a race means and how to remove it, by cause.

package report

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// severityOf returns the severity of a cause: branch-order is a warning, because code may rely on one side of a branch
// running first on the hardware at hand, and repeated-update, because the result need not matter.
func severityOf(cause detect.Cause) string {
	if cause == detect.BranchOrder || cause == detect.RepeatedUpdate {
		return Warning
	}
	return Error
}

// Explanation is the text of a race's missing order and repair.
type Explanation struct {
	Missing string // the missing happens-before edge
	// Hint says how to add it: for static analyses and for what no edit of a kernel repairs. Other hints come from runs
	// that have verified them.
	Hint string
}

// Explain says which order is missing between the accesses of a race, and how to add it. It uses the cause, the kind,
// the places, and any known messages and locks.
func Explain(x *Race) Explanation {
	if x.First.Event != "" || x.Second.Event != "" {
		return explainLife(x)
	}
	first, second := x.First.at(), x.Second.at()
	from, to := x.ends()
	writer, reader := first, second
	if x.Second.writes() && !x.First.writes() {
		writer, reader = second, first
	}
	if x.betweenDevices() {
		if e, ok := explainDevices(x); ok {
			return e
		}
	}
	scope, _ := x.neededScope()
	switch x.Cause {
	case detect.MissingBarrier:
		return explainBarrier(x, from, to)
	case detect.MissingWarpSync:
		return Explanation{
			"a warp-level barrier between them: since Volta, lanes of a warp do not run in lock-step",
			between("__syncwarp()", "lanes", from, to) + ", with both lanes in its mask",
		}
	case detect.MissingFence, detect.WeakOutcome:
		return explainFence(x, writer, reader)
	case detect.InsufficientFenceScope:
		return Explanation{
			fmt.Sprintf("a %s-scope fence between them: the fence that is there orders threads of one block only",
				scope),
			fmt.Sprintf("replace the fence between %s and the publishing access: __threadfence_block() (membar.cta) by __threadfence() (membar.gl)", writer),
		}
	case detect.InsufficientAtomicScope:
		return Explanation{
			"atomicity between blocks: an atomic of scope cta is atomic for threads of its own block only",
			fmt.Sprintf("use device-wide atomics at %s (atomicAdd in place of atomicAdd_block; .gpu in place of .cta)%s", both(first, second), plain(x)),
		}
	case detect.NotStrong:
		if x.Repair == detect.RepairSize {
			return explainSizes(x, first, second)
		}
		return Explanation{
			"strong accesses: at least one of the two is weak, so that neither is ordered with the other",
			fmt.Sprintf("make %s atomic or relaxed (cuda::atomic_ref, __nv_atomic_*; ld/st.relaxed.%s)",
				both(first, second), scope),
		}
	case detect.MissingLock:
		return explainLock(x, first, second)
	case detect.BranchOrder:
		return Explanation{Missing: "an order between the two sides of a branch: either may run first"}
	case detect.MissingAsyncWait:
		return Explanation{
			"a wait for the asynchronous copy",
			fmt.Sprintf("cp.async.wait_all (or the mbarrier wait) and a barrier before %s", second),
		}
	case detect.NotReadOnly:
		return Explanation{
			"memory that the kernel only reads: nothing orders the read at " + reader + " and a write of the same kernel",
			"read with ld.global at " + reader + ", or in a later kernel",
		}
	case detect.MissingStreamOrder:
		return Explanation{
			"an order between the two operations: they are in different streams, and neither waits for the other",
			"one stream for both, or an event that is recorded after the first (cudaEventRecord) and waited for before the second (cudaStreamWaitEvent)",
		}
	case detect.MissingGridWait:
		return explainGridWait(x)
	case detect.RepeatedUpdate:
		return Explanation{
			"the contents before the first run: each run reads what the run before has left",
			"restore the memory before each run",
		}
	case detect.MissingHostWait:
		return Explanation{
			"a wait of the host for the operation, which may not have ended when the host touches or frees the memory",
			"cudaStreamSynchronize, cudaEventSynchronize or cudaDeviceSynchronize between the operation and " + second,
		}
	}
	return Explanation{"an order between them", "synchronise " + both(first, second)}
}

// explainDevices explains what threads on two devices lack, if that is not what threads of two blocks lack.
func explainDevices(x *Race) (e Explanation, ok bool) {
	const fence = "__threadfence_system()"
	switch {
	case x.Cause == detect.InsufficientFenceScope:
		return Explanation{
			"a system-scope fence between them: the second thread is on another device, which the fence that is there does not reach",
			"system scope at {fence}: " + fence + " (membar.sys) in place of __threadfence() (membar.gl), .sys (cuda::thread_scope_system) in place of .gpu",
		}, true
	case x.Cause == detect.InsufficientAtomicScope:
		at := both(x.First.at(), x.Second.at())
		if x.Fence != nil {
			at = x.Fence.at()
		}
		return Explanation{
			"a system-scope access: the second thread is on another device, which a scope of one device does not include",
			"system scope at " + at + ": .sys (cuda::thread_scope_system) in place of .gpu, atomicAdd_system in place of atomicAdd",
		}, true
	case x.Cause == detect.MissingFence && x.Publish != nil && x.Repair == detect.RepairMove:
		return Explanation{
			"an order: the accesses are not before the flag is written and after it is read",
			"one of the accesses before the write of the flag at {publish}, and the other after its read at {observe}; or a flag of their own",
		}, true
	case x.Cause == detect.MissingFence && x.Publish != nil:
		return Explanation{
			"a system-scope release and acquire: the second thread is on another device",
			fence + " between {first} and {publish}, and between {observe} and {second}; or st.release.sys and ld.acquire.sys " +
				"there (cuda::atomic_ref with cuda::thread_scope_system)",
		}, true
	}
	return Explanation{}, false
}

// explainSizes explains accesses of two sizes.
func explainSizes(x *Race, first, second string) Explanation {
	how := "with one size,"
	if x.First.weak() || x.Second.weak() {
		how += " and atomically,"
	}
	return Explanation{
		"accesses of one size: those of two sizes are not morally strong",
		"access the location " + how + " at " + both(first, second),
	}
}

// explainLife explains a race with the start or the end of the block to whose shared memory an access is.
func explainLife(x *Race) Explanation {
	access, event := &x.First, x.Second.Event
	if event == "" {
		access, event = &x.Second, x.First.Event
	}
	if event == detect.BlockStart {
		return Explanation{
			"a barrier of the cluster before " + access.at() + ": the block whose shared memory it accesses may not have started",
			"cluster.sync() before " + access.at(),
		}
	}
	if event == detect.OwnEnd {
		return Explanation{
			"a wait for " + access.at() + " before the block ends: it may access the shared memory of the block until then",
			"cp.async.bulk.wait_group 0 (or .read for a copy to global memory), or a wait for its mbarrier, after " + access.at(),
		}
	}
	return Explanation{
		"a barrier of the cluster after " + access.at() + ": the block whose shared memory it accesses may end before",
		"cluster.sync() after " + access.at() + ", before the kernel ends",
	}
}

// places returns a replacer of the placeholders in a detector's texts by places.
func (x *Race) places() *strings.Replacer {
	of := func(o *Operation, unknown string) string {
		if o == nil {
			return unknown
		}
		return o.at()
	}
	return strings.NewReplacer(
		"{first}", x.First.at(), "{second}", x.Second.at(), "{fence}", of(x.Fence, "the operation between them"),
		"{publish}", of(x.Publish, "the write that publishes it"), "{observe}", of(x.Observe, "the read that observes it"),
	)
}

func explainBarrier(x *Race, from, to string) Explanation {
	switch {
	case x.Kind == detect.InterBlock && from == to:
		return Explanation{
			"any synchronisation between the two blocks: both execute " + from + " on the same element",
			fmt.Sprintf("one atomic operation at %s (atomicAdd, atomicMax, atomicCAS), a lock around it, or an element for each block", from),
		}
	case x.Kind == detect.InterBlock:
		return Explanation{
			"any synchronisation between the two blocks: __syncthreads() is for one block only",
			fmt.Sprintf("split the kernel between %s and %s, use cooperative groups' grid.sync(), or publish with __threadfence() and an atomic flag", from, to),
		}
	case x.Kind == detect.IntraWarp:
		return Explanation{
			"a barrier between them",
			between("__syncwarp() or __syncthreads()", "lanes", from, to),
		}
	}
	e := Explanation{
		"a block barrier between them",
		between("__syncthreads()", "threads", from, to) + ", reached by all threads of the block",
	}
	if x.Publish != nil && x.Missing == "" { // the detector does not record messages
		e.Missing = "a block barrier or fence between them"
	}
	return e
}

// explainFence says where a fence is missing. If the writer has no operation that signals its access to other threads,
// a fence does not help.
func explainFence(x *Race, writer, reader string) Explanation {
	scope, fence := x.neededScope()
	switch {
	case x.Publish != nil:
		return Explanation{Missing: fmt.Sprintf("a %s-scope fence (release at %s, acquire before %s) between them",
			scope, writer, reader)}
	case writer == reader:
		return Explanation{
			fmt.Sprintf("any synchronisation: both threads execute %s on the same element", writer),
			fmt.Sprintf("one atomic operation at %s (atomicAdd, atomicMax, atomicCAS), or an element for each block",
				writer),
		}
	}
	return Explanation{
		"any synchronisation between them",
		fmt.Sprintf("split the kernel between %s and %s, put grid.sync() there, publish with %s and an atomic flag, or keep each block to its own elements", writer, reader, fence),
	}
}

func explainLock(x *Race, first, second string) Explanation {
	missing := "a common lock: one of the two accesses is made without holding the lock that protects the other"
	switch x.Locks {
	case detect.FirstUnlocked:
		missing = fmt.Sprintf("the lock: the first access, at %s, is made without one", first)
	case detect.SecondUnlocked:
		missing = fmt.Sprintf("the lock: the second access, at %s, is made without one", second)
	case detect.LocksDiffer:
		missing = "a common lock: the two threads hold different ones"
	case detect.LocksOfBlock:
		return Explanation{Missing: "a lock for both blocks: one taken with block-scope atomics excludes threads of its own block only"}
	}
	return Explanation{missing, "hold the same lock at " + both(first, second) + ", or use an atomic operation there"}
}

// between tells users to put a barrier between two places. If the places are equal, different threads execute it on the
// same element.
func between(barrier, threads, first, second string) string {
	if first == second {
		return fmt.Sprintf("an atomic operation at %s, or %s between its executions by different %s", first, barrier,
			threads)
	}
	return fmt.Sprintf("%s between %s and %s", barrier, first, second)
}

// both names two places, or one if they are equal.
func both(first, second string) string {
	if first == second {
		return first
	}
	return first + " and " + second
}

// betweenDevices reports whether the accesses are on two devices.
func (x *Race) betweenDevices() bool {
	a, b := x.First.Device, x.Second.Device
	return a != nil && b != nil && *a != *b
}

// neededScope returns the narrowest scope that includes both threads, and CUDA's fence of that scope.
func (x *Race) neededScope() (scope, fence string) {
	switch {
	case x.betweenDevices():
		return "sys", "__threadfence_system()"
	case x.Kind == detect.InterBlock:
		return "gpu", "__threadfence()"
	}
	return "cta", "__threadfence_block()"
}

// plain tells users to change the non-atomic access of a race with an atomic one.
func plain(x *Race) string {
	for _, a := range []*Access{&x.First, &x.Second} {
		if a.Access != "atomic" {
			return fmt.Sprintf(", and an atomic %s at %s", a.Access, a.at())
		}
	}
	return ""
}

func (a *Access) writes() bool { return a.Access != "read" }

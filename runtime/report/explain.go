package report

import (
	"fmt"
	"strings"
)

// Causes of races.
const (
	MissingBarrier          = "missing-barrier"
	MissingWarpSync         = "missing-warp-sync"
	MissingFence            = "missing-fence"
	InsufficientFenceScope  = "insufficient-fence-scope"
	InsufficientAtomicScope = "insufficient-atomic-scope"
	NotStrong               = "not-strong"
	MissingLock             = "missing-lock"
	BranchOrder             = "branch-order"
	MissingAsyncWait        = "missing-async-wait"
)

// Causes lists every cause, in the order of the documentation.
var Causes = []string{
	MissingBarrier, MissingWarpSync, MissingFence, InsufficientFenceScope,
	InsufficientAtomicScope, NotStrong, MissingLock, BranchOrder, MissingAsyncWait,
}

// severityOf is the severity of a cause: branch-order is a warning, because
// code may rely on one side of a branch running first on the hardware at hand.
func severityOf(cause string) string {
	if cause == BranchOrder {
		return Warning
	}
	return Error
}

// Explanation says what stands between a race and correctness.
type Explanation struct {
	Missing string // the edge that is not there
	Hint    string // how to mend it
}

// Explain says what is missing between the accesses of a race, and how to mend
// it, from cause, kind and places.
func Explain(x *Race) Explanation {
	first, second := x.First.at(), x.Second.at()
	writer, reader := first, second
	if x.Second.writes() && !x.First.writes() {
		writer, reader = second, first
	}
	scope, fence := neededScope(x.Kind)
	switch x.Cause {
	case MissingBarrier:
		return explainBarrier(x.Kind, first, second)
	case MissingWarpSync:
		return Explanation{
			"a warp-level barrier between them: since Volta, lanes of a warp do not run in lock-step",
			fmt.Sprintf("__syncwarp() between %s and %s, with both lanes in its mask", first, second),
		}
	case MissingFence:
		return Explanation{
			fmt.Sprintf("a %s-scope fence (release at %s, acquire before %s) between them", scope, writer, reader),
			fmt.Sprintf("%s after %s and before the store or atomic that publishes it", fence, writer),
		}
	case InsufficientFenceScope:
		return Explanation{
			fmt.Sprintf("a %s-scope fence between them: the fence that is there orders threads of one block only", scope),
			widenFence(x.Fence, writer),
		}
	case InsufficientAtomicScope:
		return Explanation{
			"atomicity between blocks: an atomic of scope cta is atomic for threads of its own block only",
			fmt.Sprintf("use the device-wide atomic at %s (atomicAdd in place of atomicAdd_block; .gpu in place of .cta)", narrower(x)),
		}
	case NotStrong:
		return Explanation{
			"strong accesses: at least one of the two is weak, so that neither is ordered with the other",
			fmt.Sprintf("make %s and %s atomic or relaxed (cuda::atomic_ref, __nv_atomic_*; ld/st.relaxed.%s)", first, second, scope),
		}
	case MissingLock:
		return Explanation{
			"a common lock: one of the two accesses is made without holding the lock that protects the other",
			fmt.Sprintf("hold the same lock at %s and %s", first, second),
		}
	case BranchOrder:
		return Explanation{
			"an order between the two sides of a branch: either may run first",
			fmt.Sprintf("__syncwarp() after the branch, or move %s behind it", second),
		}
	case MissingAsyncWait:
		return Explanation{
			"a wait for the asynchronous copy",
			fmt.Sprintf("cp.async.wait_all (or the mbarrier wait) and a barrier before %s", second),
		}
	}
	return Explanation{"an order between them", fmt.Sprintf("synchronise %s and %s", first, second)}
}

func explainBarrier(kind, first, second string) Explanation {
	switch kind {
	case "inter-block":
		return Explanation{
			"any synchronisation between the two blocks: __syncthreads() is for one block only",
			fmt.Sprintf("split the kernel between %s and %s, use cooperative groups' grid.sync(), or publish with __threadfence() and an atomic flag", first, second),
		}
	case "intra-warp":
		return Explanation{
			"a barrier between them",
			fmt.Sprintf("__syncwarp() or __syncthreads() between %s and %s", first, second),
		}
	}
	return Explanation{
		"a block barrier between them",
		fmt.Sprintf("__syncthreads() between %s and %s, reached by all threads of the block", first, second),
	}
}

// widenFence says which fence to widen: f when it is known, else the one after the
// access at writer.
func widenFence(f *Fence, writer string) string {
	if f == nil {
		return fmt.Sprintf("widen the fence between %s and the publishing access: __threadfence_block() (membar.cta) to __threadfence() (membar.gl)", writer)
	}
	wider := "membar.gl"
	if f.Instruction != "membar.cta" {
		wider = strings.Replace(f.Instruction, ".cta", ".gpu", 1)
	}
	return fmt.Sprintf("%s at %s to %s (__threadfence_block() to __threadfence())", f.Instruction, where(f.Source, f.PTX), wider)
}

// neededScope is the narrowest scope that holds both threads, and CUDA's fence of
// that scope.
func neededScope(kind string) (scope, fence string) {
	if kind == "inter-block" {
		return "gpu", "__threadfence()"
	}
	return "cta", "__threadfence_block()"
}

// narrower is the place of the atomic whose scope is cta.
func narrower(x *Race) string {
	if x.Second.Access == "atomic" && (x.Second.Scope == "cta" || x.First.Access != "atomic") {
		return x.Second.at()
	}
	return x.First.at()
}

func (a *Access) writes() bool { return a.Access != "read" }

// at is the place of the access: the source line when it is known, else the
// line in the PTX.
func (a *Access) at() string { return where(a.Source, a.PTX) }

func where(s *Source, p Place) string {
	switch {
	case s != nil:
		return fmt.Sprintf("%s:%d", base(s.File), s.Line)
	case p.File != "":
		return fmt.Sprintf("%s:%d", base(p.File), p.Line)
	}
	return "an unknown place"
}

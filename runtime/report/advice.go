// Advice: the change that removes a finding, as a value and in words.

package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Advice is a change to a program, with its place.
type Advice struct {
	Repair detect.Repair `json:"repair"`
	// Scope says which threads the change orders: warp, cta or gpu.
	Scope string `json:"scope,omitempty"`
	// Again says that the place is executed in a loop: another barrier goes after it.
	Again bool `json:"again,omitempty"`
	// At holds the operations to change, or the stores of one statement. After and Before are the operations between which a
	// new one goes.
	At     []*Operation `json:"at,omitempty"`
	After  *Operation   `json:"after,omitempty"`
	Before *Operation   `json:"before,omitempty"`
	// Changes are the advice as edits of the PTX. Verified is the number of schedules under which the edited program did not
	// have the finding, nor another race or fault that the program does not have; 0 if it was not run.
	Changes  []Change `json:"changes,omitempty"`
	Verified int      `json:"verified,omitempty"`
	// None says that no edits of a few instructions were found that remove the finding without such a race or fault.
	None bool `json:"none,omitempty"`
}

// Change is an edit of the PTX at one instruction. The line of PTX counts from 1 in the original file; Old and New are statements.
type Change struct {
	PTX      Place   `json:"ptx"`
	Source   *Source `json:"source,omitempty"`
	Function string  `json:"function"`
	Place    string  `json:"place"` // before, after, or instead of the instruction
	Old      string  `json:"old"`   // the instruction
	New      string  `json:"new"`   // the inserted or replacing text
}

// searched reports whether the advice is the result of a search among edits.
func (a *Advice) searched() bool {
	return a != nil && (a.None || len(a.Changes) > 0)
}

// widened returns the race with the kind for which its repair is.
func (x *Race) widened() *Race {
	if x.Wide == "" {
		return x
	}
	w := *x
	if w.Kind = x.Wide; w.Cause == detect.MissingWarpSync {
		w.Cause = detect.MissingBarrier
	}
	return &w
}

// width returns a number that orders kinds from the widest.
func width(x *Race) int {
	return slices.Index([]detect.Kind{detect.Host, detect.InterKernel, detect.InterBlock, detect.IntraBlock, detect.IntraWarp}, x.Kind)
}

// scopeOf returns the narrowest scope that includes the threads of a race.
func scopeOf(kind detect.Kind) string {
	return map[detect.Kind]string{detect.InterBlock: "gpu", detect.InterKernel: "gpu", detect.Host: "sys", detect.IntraBlock: "cta", detect.IntraWarp: "warp"}[kind]
}

// advise returns the change that removes all races of a finding. The texts are empty where those of the leading race suffice.
func advise(parts []*Race) (a *Advice, missing, hint string) {
	parts = slices.Clone(parts)
	for i, x := range parts {
		parts[i] = x.widened()
	}
	lead, s := parts[0], shapeOf(parts)
	scope := scopeOf(s.widest.Kind)
	place := lead.First.at()
	switch lead.Second.Event {
	case detect.BlockStart:
		return &Advice{Repair: detect.RepairBarrier, Scope: "cluster", Before: lead.First.operation()}, "", ""
	case detect.BlockEnd:
		return &Advice{Repair: detect.RepairBarrier, Scope: "cluster", After: lead.First.operation()}, "", ""
	}
	switch lead.Cause {
	case detect.MissingAsyncWait, detect.NotReadOnly, detect.MissingStreamOrder, detect.MissingHostWait, detect.MissingGridWait:
		return repairing(lead, s, scope), "", ""
	}
	switch {
	case lead.First.Grid != lead.Second.Grid:
		return launching(lead)
	case s.unread:
		return shaping(lead, scope)
	case s.initialised == 2:
		return &Advice{Repair: detect.RepairOneThread, Scope: "cta", At: operations(&lead.First, &lead.Second)},
			"one initialisation: several threads initialise the same object",
			fmt.Sprintf("initialise it in one thread of the block, as in if (threadIdx.x + threadIdx.y + threadIdx.z == 0), at %s, then __syncthreads() before any thread uses it", both(place, lead.Second.at()))
	case s.initialised == 1 && s.widest.Kind == detect.InterBlock:
		return &Advice{Repair: detect.RepairBarrier, Scope: "cluster", After: lead.First.operation(), Before: lead.Second.operation()},
			"a barrier of the cluster, with a release, between the initialisation and the first use by another block",
			fmt.Sprintf("cluster.sync() between %s and %s, or fence.mbarrier_init.release.cluster before a relaxed arrival", place, lead.Second.at())
	case s.initialised == 1:
		return &Advice{Repair: detect.RepairBarrier, Scope: "cta", After: lead.First.operation(), Before: lead.Second.operation()},
			"a barrier between the initialisation and the first use",
			fmt.Sprintf("__syncthreads() between %s and %s", place, lead.Second.at())
	case s.ended:
		return ending(lead, scope)
	case s.marks && s.writes && (s.oneLine || !s.reads):
		return marking(parts, s, scope)
	case s.prepares:
		return preparing(lead)
	case s.oneLine && s.reads && s.writes && s.scatters && s.plain && !s.told:
		return scattering(s, scope, place)
	case s.oneLine && s.reads && s.writes && s.plain && !lead.ordered() && !s.told:
		return updating(scope, s.load.operation(), s.store.operation())
	case s.updates && (s.writes || lead.Cause == detect.NotStrong) && (!s.again || lead.Cause == detect.NotStrong) && !lead.ordered() && lead.Severity != Info && !s.told:
		store := &lead.First
		if !store.writes() {
			store = &lead.Second
		}
		return updating(scope, lead.Updates, store.operation())
	case s.oneLine && s.reads && s.plain && !s.told:
		return splitting(s, scope, place)
	case s.oneLine && s.writes && s.plain && (!s.again || lead.Cause == detect.NotStrong) && lead.Cause != detect.MissingLock && lead.Severity != Info && !s.told:
		return overwriting(lead, scope, place)
	case s.check && s.atomic && !s.writes && lead.Severity != Warning: // a read of a warning is strong
		return checking(s, scope)
	}
	return repairing(lead, s, scope), "", ""
}

// ending returns the advice for the end of an object that another access uses: every use has to come first.
func ending(x *Race, scope string) (a *Advice, missing, hint string) {
	use, end, barrier := &x.First, &x.Second, "__syncthreads()"
	if use.Ends {
		use, end = end, use
	}
	switch scope {
	case "warp":
		barrier = "__syncwarp()"
	case "gpu":
		scope, barrier = "cluster", "cluster.sync()"
	}
	return &Advice{Repair: detect.RepairBarrier, Scope: scope, After: use.operation(), Before: end.operation()},
		"a barrier between the last use of the object and its end",
		between(barrier, "threads", use.at(), end.at())
}

// repairing returns the advice for the cause of a race, with the repair and the place that the detector names.
func repairing(x *Race, s shape, scope string) *Advice {
	a := plainAdvice(x, s, scope)
	if a != nil && x.Repair != "" {
		if a.Repair = x.Repair; x.Fence != nil {
			a.At = []*Operation{x.Fence}
		}
	}
	return a
}

// launching returns the advice for threads of two grids, of which at least one has been launched by a thread.
func launching(x *Race) (a *Advice, missing, hint string) {
	return &Advice{Repair: detect.RepairGrid, Scope: "gpu", After: x.First.operation(), Before: x.Second.operation()},
		"an order between the two grids: a grid comes after what the thread that launches it has done or waited for, not after what other threads have done",
		fmt.Sprintf("__syncthreads() between %s and the launch, if the launching thread is in that block; for other blocks a launch by the host, or by the block that is last (__threadfence() and an atomic counter)", x.First.at())
}

// updating returns the advice for a load and a store by which several threads update an element.
func updating(scope string, load, store *Operation) (a *Advice, missing, hint string) {
	return &Advice{Repair: detect.RepairUpdate, Scope: scope, At: []*Operation{load, store}},
		"atomicity: the threads read the element, compute, and write it back, so that updates of others are lost between",
		fmt.Sprintf("one atomic operation at %s for the load and the store (atomicAdd for += and ++, atomicMax, atomicCAS): a barrier or a relaxed access there would still lose updates", both(load.at(), store.at()))
}

// scattering returns the advice for a statement that loads one element and stores to another, to which several threads store.
func scattering(s shape, scope, place string) (a *Advice, missing, hint string) {
	scope = wider(scope)
	return &Advice{Repair: detect.RepairStrong, Scope: scope, At: append(operations(s.load), operations(s.stores...)...)},
		"a reason for one of the values to stay: the statement at " + place + " stores to an element to which other threads store, and which others load",
		fmt.Sprintf("one atomic operation at %s for the store (atomicMin, atomicMax), and a relaxed load (cuda::atomic_ref or __nv_atomic_load; ld.relaxed.%s); if any of the values will do, a relaxed store instead (st.relaxed.%[2]s)", place, scope)
}

// shaping returns the advice for threads that do the same because the kernel does not read the index in which they differ.
func shaping(x *Race, scope string) (a *Advice, missing, hint string) {
	unread := strings.Join(x.Unread, " and ")
	return &Advice{Repair: detect.RepairShape, Scope: scope, At: operations(&x.First, &x.Second)},
		"threads of their own for the elements: the kernel does not read " + unread + ", so that threads which differ only there do the same",
		"launch one thread for each element, with an extent of 1 in the dimension of " + unread + ", or use " + unread + " in the address at " + both(x.First.at(), x.Second.at())
}

// preparing returns the advice for a plain store by which a thread of the block prepares what other threads change by atomic
// operations.
func preparing(x *Race) (a *Advice, missing, hint string) {
	from, to := x.ends()
	after, before := x.First.operation(), x.Second.operation()
	if x.Backwards {
		from, to, after, before = to, from, before, after
	}
	return &Advice{Repair: detect.RepairBarrier, Scope: "cta", After: after, Before: before},
		"a block barrier between them: the store at " + from + " may come after atomic operations of other threads, whose changes are then lost",
		between("__syncthreads()", "threads", from, to) + ", reached by all threads of the block"
}

// splitting returns the advice for a statement that loads what another thread stores.
func splitting(s shape, scope, place string) (a *Advice, missing, hint string) {
	a = &Advice{Repair: detect.RepairSplit, Scope: scope, Again: s.again, At: operations(s.stores...), After: s.load.operation(), Before: s.store.operation()}
	missing = "a barrier between the load and the store of " + place + ": each thread stores what another one loads"
	switch scope {
	case "gpu":
		hint = fmt.Sprintf("store to another buffer than %s loads from, or load into a variable, wait for all blocks (grid.sync(), or the end of a kernel), then store", place)
	case "warp":
		hint = splitText(place, "__syncwarp()", s.again)
	default:
		hint = splitText(place, "__syncthreads()", s.again)
	}
	return a, missing, hint
}

func splitText(place, barrier string, again bool) string {
	text := fmt.Sprintf("load into a variable at %s, then %s, then store it", place, barrier)
	if again {
		text += ", then " + barrier + " again before the next round"
	}
	return text
}

// overwriting returns the advice for a statement by which several threads store different values in one element.
func overwriting(x *Race, scope, place string) (a *Advice, missing, hint string) {
	scope = wider(scope)
	return &Advice{Repair: detect.RepairStrong, Scope: scope, At: operations(&x.First, &x.Second)},
		"a reason for one of the values to stay: several threads store to the element at " + place + ", and no barrier can decide between them",
		fmt.Sprintf("an element for each thread, or one thread that stores, or one atomic operation at %s (atomicAdd, atomicMax); if any of the values will do, a relaxed store (cuda::atomic_ref; st.relaxed.%s)", place, scope)
}

// marking returns the advice for several threads that store the same value in one element, as in "changed = 1", and perhaps
// read it before.
func marking(parts []*Race, s shape, scope string) (a *Advice, missing, hint string) {
	lead := parts[0]
	if scope = wider(scope); lead.Space != "shared" {
		scope = "gpu" // in another run, threads of other blocks do the same
	}
	var accesses []*Access
	for _, x := range parts {
		accesses = append(accesses, &x.First, &x.Second)
	}
	place := both(lead.First.at(), lead.Second.at())
	a = &Advice{Repair: detect.RepairStrong, Scope: scope, At: operations(accesses...)}
	missing = "strong stores: several threads store the same value to the element at " + place + ", so that their order does not matter, but weak stores race all the same"
	what, how, instead := "the store", "__nv_atomic_store_n; st.relaxed."+scope, ", or let one thread store"
	switch {
	case s.reads:
		what, how, instead = "the load and the store", "__nv_atomic_*; ld.relaxed."+scope+" and st.relaxed."+scope, ""
	case lead.First.at() != lead.Second.at():
		what = "the stores"
	}
	if lead.Size >= 4 && !s.reads {
		how = "atomicExch, " + how // which exists for words only
	}
	return a, missing, fmt.Sprintf("make %s at %s relaxed (cuda::atomic_ref, %s)%s; a fence or barrier is not needed for this", what, place, how, instead)
}

// checking returns the advice for a plain read that decides whether to execute an atomic operation.
func checking(s shape, scope string) (a *Advice, missing, hint string) {
	scope = wider(scope)
	hint = fmt.Sprintf("make the read at %s relaxed (cuda::atomic_ref or __nv_atomic_load; ld.relaxed.%s): the atomic operation at %s decides in any case", s.load.at(), scope, s.store.at())
	if !s.guess {
		hint += "; or leave the check out"
	}
	return &Advice{Repair: detect.RepairStrong, Scope: scope, At: operations(s.load)},
		"a strong read: " + s.load.at() + " reads, before an atomic operation, what other threads change by one; no barrier can order them", hint
}

// wider returns the scope of PTX operations to use for threads of a warp.
func wider(scope string) string {
	if scope == "warp" {
		return "cta"
	}
	return scope
}

// plainAdvice returns the advice for the cause of the leading race.
func plainAdvice(x *Race, s shape, scope string) *Advice {
	from, to := x.First.operation(), x.Second.operation()
	if x.Backwards {
		from, to = to, from
	}
	changed := func(o *Operation, otherwise ...*Operation) []*Operation {
		if o != nil {
			return []*Operation{o}
		}
		return otherwise
	}
	switch x.Cause {
	case detect.MissingBarrier, detect.MissingWarpSync, detect.BranchOrder:
		switch {
		case scope == "gpu" && s.oneLine:
			return &Advice{Repair: detect.RepairUpdate, Scope: scope, At: []*Operation{from}}
		case scope == "gpu":
			return &Advice{Repair: detect.RepairGrid, Scope: scope, After: from, Before: to}
		case x.Cause == detect.MissingBarrier:
			scope = "cta"
		}
		return &Advice{Repair: detect.RepairBarrier, Scope: scope, After: from, Before: to}
	case detect.MissingFence:
		return &Advice{Repair: detect.RepairFence, Scope: wider(scope), After: x.First.operation(), Before: x.Publish}
	case detect.InsufficientFenceScope:
		return &Advice{Repair: detect.RepairScope, Scope: wider(scope), At: changed(x.Fence)}
	case detect.InsufficientAtomicScope:
		return &Advice{Repair: detect.RepairScope, Scope: wider(scope), At: changed(x.Fence, operations(&x.First, &x.Second)...)}
	case detect.NotStrong:
		return &Advice{Repair: detect.RepairStrong, Scope: wider(scope), At: operations(&x.First, &x.Second)}
	case detect.MissingLock:
		return &Advice{Repair: detect.RepairLock, Scope: wider(scope), At: operations(&x.First, &x.Second)}
	case detect.MissingAsyncWait:
		return &Advice{Repair: detect.RepairWait, Scope: wider(scope), After: x.First.operation(), Before: x.Second.operation()}
	case detect.NotReadOnly:
		return &Advice{Repair: detect.RepairLoad, Scope: scope, At: operations(s.load)}
	case detect.MissingStreamOrder:
		return &Advice{Repair: detect.RepairStream}
	case detect.MissingGridWait:
		if x.Between != "" {
			return &Advice{Repair: detect.RepairGridWait}
		}
		return &Advice{Repair: detect.RepairGridWait, Before: x.Second.operation()}
	case detect.MissingHostWait:
		return &Advice{Repair: detect.RepairHostWait}
	}
	return nil
}

// operation returns the instruction of an access.
func (a *Access) operation() *Operation {
	return &Operation{Instruction: a.Instruction, PTX: a.PTX, Source: a.Source}
}

// operations returns the instructions of accesses, each once.
func operations(list ...*Access) (out []*Operation) {
	for _, a := range list {
		o := a.operation()
		if !slices.ContainsFunc(out, func(p *Operation) bool { return p.PTX == o.PTX }) {
			out = append(out, o)
		}
	}
	return out
}

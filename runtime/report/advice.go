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
	// At holds the operations to change, or the stores of one statement. After and Before are the operations between
	// which a new one goes.
	At     []*Operation `json:"at,omitempty"`
	After  *Operation   `json:"after,omitempty"`
	Before *Operation   `json:"before,omitempty"`
	// Changes are the advice as edits of the PTX. Verified is the number of schedules under which the edited program
	// did not have the finding, nor another race or fault that the program does not have; 0 if it was not run.
	Changes  []Change `json:"changes,omitempty"`
	Verified int      `json:"verified,omitempty"`
	// None says that no edits of a few instructions were found that remove the finding without such a race or fault.
	None bool `json:"none,omitempty"`
}

// Change is an edit of the PTX at one instruction. The line of PTX counts from 1 in the original file; Old and New are
// statements.
type Change struct {
	PTX      Place   `json:"ptx"`
	Source   *Source `json:"source,omitempty"`
	Function string  `json:"function"`
	Place    string  `json:"place"` // before, after, or instead of the instruction
	Old      string  `json:"old"`   // the instruction
	New      string  `json:"new"`   // the inserted or replacing text
}

// Same reports whether two changes are the same edit of the PTX.
func (c Change) Same(d Change) bool {
	return c.PTX == d.PTX && c.Place == d.Place && c.Old == d.Old && c.New == d.New
}

// Within reports whether advice consists of edits of a list.
func (a *Advice) Within(list []Change) bool {
	return a != nil && len(a.Changes) > 0 && !slices.ContainsFunc(a.Changes,
		func(c Change) bool { return !slices.ContainsFunc(list, c.Same) })
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
	return slices.Index([]detect.Kind{
		detect.Host, detect.InterKernel, detect.InterBlock, detect.IntraBlock,
		detect.IntraWarp,
	}, x.Kind)
}

// scope returns the narrowest scope that includes the threads of a race.
func (x *Race) scope() string {
	if x.betweenDevices() {
		return "sys"
	}
	return map[detect.Kind]string{
		detect.InterBlock: "gpu", detect.InterKernel: "gpu", detect.Host: "sys",
		detect.IntraBlock: "cta", detect.IntraWarp: "warp",
	}[x.Kind]
}

// advise returns the change that removes all races of a finding. The texts are empty where those of the leading race
// suffice.
func advise(parts []*Race) (a *Advice, missing, hint string) {
	parts = slices.Clone(parts)
	for i, x := range parts {
		parts[i] = x.widened()
	}
	lead, s := parts[0], shapeOf(parts)
	scope := s.widest.scope()
	place := lead.First.at()
	switch lead.Second.Event {
	case detect.BlockStart, detect.BlockEnd:
		return &Advice{Repair: detect.RepairBarrier, Scope: "cluster"}, "", ""
	case detect.OwnEnd:
		return &Advice{Repair: detect.RepairWait, Scope: "cta"}, "", ""
	}
	switch lead.Cause {
	case detect.MissingAsyncWait, detect.NotReadOnly, detect.MissingStreamOrder, detect.MissingHostWait,
		detect.MissingGridWait, detect.RepeatedUpdate:
		return repairing(lead, s, scope), "", ""
	}
	switch {
	case lead.betweenDevices():
		return repairing(lead, s, scope), "", ""
	case lead.First.Grid != lead.Second.Grid:
		return &Advice{Repair: detect.RepairGrid, Scope: "gpu"},
			"an order between the two grids: a grid comes after what the thread that launches it has done or waited for, not after what other threads have done", ""
	case s.unread:
		return shaping(lead, scope)
	case s.initialised == 2:
		return &Advice{Repair: detect.RepairOneThread, Scope: "cta"},
			"one initialisation: several threads initialise the same object", ""
	case s.initialised == 1 && s.widest.Kind == detect.InterBlock:
		return &Advice{Repair: detect.RepairBarrier, Scope: "cluster"},
			"a barrier of the cluster, with a release, between the initialisation and the first use by another block",
			""
	case s.initialised == 1:
		return &Advice{Repair: detect.RepairBarrier, Scope: "cta"},
			"a barrier between the initialisation and the first use", ""
	case s.ended:
		if scope == "gpu" {
			scope = "cluster"
		}
		return &Advice{Repair: detect.RepairBarrier, Scope: scope},
			"a barrier between the last use of the object and its end", ""
	case s.marks && s.writes && (s.oneLine || !s.reads):
		return marking(lead, scope)
	case s.prepares:
		return preparing(lead)
	case s.oneLine && s.reads && s.writes && s.scatters && s.plain && !s.signalled:
		return scattering(scope, place)
	case s.oneLine && s.reads && s.writes && s.plain && !lead.ordered() && !s.signalled:
		return updating(scope, s.load.operation(), s.store.operation())
	case s.updates && (s.writes || lead.Cause == detect.NotStrong) && (!s.again || lead.Cause == detect.NotStrong) &&
		!lead.ordered() && lead.Severity != Info && !s.signalled:
		store := &lead.First
		if !store.writes() {
			store = &lead.Second
		}
		return updating(scope, lead.Updates, store.operation())
	case s.oneLine && s.reads && s.plain && !s.signalled:
		return splitting(s, scope, place)
	case s.oneLine && s.writes && s.plain && (!s.again || lead.Cause == detect.NotStrong) &&
		lead.Cause != detect.MissingLock && lead.Severity != Info && !s.signalled:
		return overwriting(lead, scope, place)
	case s.check && s.atomic && !s.writes && lead.Severity != Warning: // a read of a warning is strong
		return checking(s, scope)
	}
	return repairing(lead, s, scope), "", ""
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

// updating returns the advice for a load and a store by which several threads update an element.
func updating(scope string, load, store *Operation) (a *Advice, missing, hint string) {
	return &Advice{Repair: detect.RepairUpdate, Scope: scope, At: []*Operation{load, store}},
		"atomicity: the threads read the element, compute, and write it back, so that updates of others are lost between",
		fmt.Sprintf("one atomic operation at %s for the load and the store (atomicAdd for += and ++, atomicMax, atomicCAS): a barrier or a relaxed access there would still lose updates", both(load.at(), store.at()))
}

// scattering returns the advice for a statement that loads one element and stores to another, to which several threads
// store.
func scattering(scope, place string) (a *Advice, missing, hint string) {
	return &Advice{Repair: detect.RepairStrong, Scope: wider(scope)},
		"a reason for one of the values to stay: the statement at " + place + " stores to an element to which other threads store, and which others load", ""
}

// shaping returns the advice for threads that do the same because the kernel does not read the index in which they
// differ.
func shaping(x *Race, scope string) (a *Advice, missing, hint string) {
	unread := strings.Join(x.Unread, " and ")
	return &Advice{Repair: detect.RepairShape, Scope: scope, At: operations(&x.First, &x.Second)},
		"threads of their own for the elements: the kernel does not read " + unread + ", so that threads which differ only there do the same",
		"launch one thread for each element, with an extent of 1 in the dimension of " + unread + ", or use " + unread + " in the address at " + both(x.First.at(), x.Second.at())
}

// preparing returns the advice for a plain store by which a thread of the block prepares what other threads change by
// atomic operations.
func preparing(x *Race) (a *Advice, missing, hint string) {
	store := &x.First
	if store.Access != "write" {
		store = &x.Second
	}
	return &Advice{Repair: detect.RepairBarrier, Scope: "cta"},
		"a block barrier between them: the store at " + store.at() + " may come after atomic operations of other threads, whose changes are then lost", ""
}

// splitting returns the advice for a statement that loads what another thread stores.
func splitting(s shape, scope, place string) (a *Advice, missing, hint string) {
	a = &Advice{
		Repair: detect.RepairSplit, Scope: scope, At: operations(s.stores...), After: s.load.operation(),
		Before: s.store.operation(),
	}
	missing = "a barrier between the load and the store of " + place + ": each thread stores what another one loads"
	switch scope {
	case "gpu":
		hint = fmt.Sprintf("store to another buffer than %s loads from, or load into a variable, wait for all blocks (grid.sync(), or the end of a kernel), then store", place)
	case "warp":
		hint = splitText(place, "__syncwarp()")
	default:
		hint = splitText(place, "__syncthreads()")
	}
	return a, missing, hint
}

func splitText(place, barrier string) string {
	return fmt.Sprintf("load into a variable at %s, then %s, then store it", place, barrier)
}

// overwriting returns the advice for a statement by which several threads store different values in one element.
func overwriting(x *Race, scope, place string) (a *Advice, missing, hint string) {
	scope = wider(scope)
	return &Advice{Repair: detect.RepairStrong, Scope: scope, At: operations(&x.First, &x.Second)},
		"a reason for one of the values to stay: several threads store to the element at " + place + ", and no barrier can decide between them",
		fmt.Sprintf("an element for each thread, or one thread that stores, or one atomic operation at %s (atomicAdd, atomicMax); if any of the values will do, a relaxed store (cuda::atomic_ref; st.relaxed.%s)", place, scope)
}

// marking returns the advice for several threads that store the same value in one element, as in "changed = 1", and
// perhaps read it before.
func marking(lead *Race, scope string) (a *Advice, missing, hint string) {
	if scope = wider(scope); lead.Space != "shared" {
		scope = "gpu" // in another run, threads of other blocks do the same
	}
	place := both(lead.First.at(), lead.Second.at())
	return &Advice{Repair: detect.RepairStrong, Scope: scope},
		"strong stores: several threads store the same value to the element at " + place + ", so that their order does not matter, but weak stores race all the same", ""
}

// checking returns the advice for a plain read that decides whether to execute an atomic operation.
func checking(s shape, scope string) (a *Advice, missing, hint string) {
	return &Advice{Repair: detect.RepairStrong, Scope: wider(scope)},
		"a strong read: " + s.load.at() + " reads, before an atomic operation, what other threads change by one; no barrier can order them", ""
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
	case detect.MissingFence, detect.WeakOutcome:
		return &Advice{Repair: detect.RepairFence, Scope: wider(scope), After: x.First.operation(), Before: x.Publish}
	case detect.InsufficientFenceScope:
		return &Advice{Repair: detect.RepairScope, Scope: wider(scope), At: changed(x.Fence)}
	case detect.InsufficientAtomicScope:
		return &Advice{
			Repair: detect.RepairScope, Scope: wider(scope),
			At: changed(x.Fence, operations(&x.First, &x.Second)...),
		}
	case detect.NotStrong:
		return &Advice{Repair: detect.RepairStrong, Scope: wider(scope), At: operations(&x.First, &x.Second)}
	case detect.MissingLock:
		return &Advice{Repair: detect.RepairLock, Scope: wider(scope), At: operations(&x.First, &x.Second)}
	case detect.MissingAsyncWait:
		return &Advice{
			Repair: detect.RepairWait, Scope: wider(scope), After: x.First.operation(),
			Before: x.Second.operation(),
		}
	case detect.NotReadOnly:
		if s.load == nil { // no detector makes such a race, but a saved report may have it
			return nil
		}
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

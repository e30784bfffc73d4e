// Faults of calls in an application's host code, which stop no kernel: memory that is not freed, copies of memory that
// nothing has written, and calls that failed.

package report

import (
	"fmt"
	"slices"
)

// WeakClass is the class of outcomes that only executions have which are not sequentially consistent.
const WeakClass = "weak-outcome"

// LeakClass is the class of leaks, APIClass that of failed calls of CUDA's APIs, and Uninitialised that of uses of
// memory that nothing has written: by kernels, and by calls that copy.
const (
	LeakClass     = "leak"
	APIClass      = "api-error"
	Uninitialised = "uninitialised"
)

// CollectiveMismatch is the class of calls by which ranks of a communicator ask for different operations.
const CollectiveMismatch = "collective-mismatch"

// HostMemory is the class of the fault that ends an application for want of the host's memory.
const HostMemory = "host-memory"

// NoHostMemory returns that fault. The text says what is used, and which limit that exceeds.
func NoHostMemory(text string) *FaultEvent {
	return &FaultEvent{
		Class: HostMemory, Call: &Call{Function: "ptxsan exec --host-memory"},
		Message: text + ". Check less (--kernel, --launches, --sample), run a smaller problem, or set another limit " +
			"(--host-memory BYTES)",
	}
}

// AsyncRegister is the class of accesses to registers of asynchronous operations in flight, and of products without
// wgmma.fence.
const AsyncRegister = "async-register"

// Leaked reports whether the fault is memory that was not freed.
func (f *FaultEvent) Leaked() bool { return f.Class == LeakClass }

// OfCall reports whether the fault is that of a call in host code, and not of a kernel.
func (f *FaultEvent) OfCall() bool {
	return f.Class == LeakClass || f.Class == APIClass || f.Call != nil
}

// Stops reports whether the fault has stopped a kernel.
func (f *FaultEvent) Stops() bool { return !f.Continued && !f.OfCall() }

// Stopped reports whether a fault has stopped a kernel.
func (r *Report) Stopped() bool { return slices.ContainsFunc(r.Faults, (*FaultEvent).Stops) }

// leaked returns the amount of memory as text.
func (f *FaultEvent) leaked() string {
	if f.Count > 1 {
		return fmt.Sprintf("%s in %d allocations, the first at %s", plural(uint64(f.Size), "byte"), f.Count, f.Address)
	}
	return fmt.Sprintf("%s at %s", plural(uint64(f.Size), "byte"), f.Address)
}

// CallWord says what the call of a fault has done: "allocated by".
func (f *FaultEvent) CallWord() string {
	switch f.Class {
	case LeakClass:
		return "allocated by"
	case APIClass:
		return "returned by"
	case HostMemory:
		return "ended by"
	}
	if f.Kernel != "" { // an operation of a library
		return "asked for by"
	}
	return "copied by"
}

// CallText returns the call of a fault with its place.
func (f *FaultEvent) CallText() string { return f.Call.text() }

// text returns the call with its place.
func (c *Call) text() string {
	switch {
	case c == nil || c.Function == "" && c.Source == nil:
		return "an unknown call"
	case c.Source != nil:
		return orWord(c.Function, "a call") + " at " + where(c.Source, Place{})
	case c.In != "":
		return orWord(c.Function, "a call") + " in " + Demangle(c.In)
	}
	return c.Function
}

// sameCall reports whether two faults are those of one call, in several executions of it.
func (f *FaultEvent) sameCall(g *FaultEvent) bool {
	return f.CallText() == g.CallText() && f.Error == g.Error && f.Handled == g.Handled
}

// call writes the fault of a call in the layout of memcheck.
func (t *text) call(f *FaultEvent) {
	head := f.headline()
	if f.Count > 1 && !f.Leaked() {
		head += fmt.Sprintf(" (%d times)", f.Count)
	}
	if f.Severity == Error {
		head = t.paint(red, head)
	}
	t.line("%s", head)
	t.more("%s %s", f.CallWord(), f.CallText())
	t.source(f.Source)
	t.more("Fault: %s: %s", t.paint(bold, f.Class), f.Message)
	t.programs(f.Programs)
	t.end()
}

// callSummary writes the total amount of leaked memory, and the number of failed calls.
func (t *text) callSummary(r *Report) {
	bytes, allocations, calls, handled := 0, uint64(0), uint64(0), uint64(0)
	for _, f := range r.Faults {
		switch {
		case f.Leaked():
			bytes, allocations = bytes+f.Size, allocations+f.Count
		case f.Class == APIClass:
			if calls += f.Count; f.Handled {
				handled += f.Count
			}
		}
	}
	if allocations > 0 {
		t.line("LEAK SUMMARY: %s leaked in %s", plural(uint64(bytes), "byte"), plural(allocations, "allocation"))
	}
	if calls > 0 {
		t.line("API ERRORS: %s failed, of which the program has handled %d", plural(calls, "call"), handled)
	}
}

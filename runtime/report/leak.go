// Memory that an application has not freed at its end: a class of faults that do not stop anything.

package report

import "fmt"

// LeakClass is the class of leaks.
const LeakClass = "leak"

// Leaked reports whether the fault is memory that was not freed.
func (f *FaultEvent) Leaked() bool { return f.Class == LeakClass }

// leaked returns the amount of memory as text.
func (f *FaultEvent) leaked() string {
	if f.Count > 1 {
		return fmt.Sprintf("%s in %d allocations, the first at %s", plural(uint64(f.Size), "byte"), f.Count, f.Address)
	}
	return fmt.Sprintf("%s at %s", plural(uint64(f.Size), "byte"), f.Address)
}

// AllocatedBy returns the call that allocated the memory.
func (f *FaultEvent) AllocatedBy() string {
	switch {
	case f.Call == nil:
		return "an unknown call"
	case f.Call.Source == nil:
		return f.Call.Function
	}
	return f.Call.Function + " at " + f.At()
}

// leak writes a leak in the layout of memcheck.
func (t *text) leak(f *FaultEvent) {
	t.line("%s", t.paint(red, "Leaked "+f.leaked()))
	t.more("allocated by %s", f.AllocatedBy())
	t.source(f.Source)
	t.more("Fault: %s: %s", t.paint(bold, f.Class), f.Message)
	t.end()
}

// leakSummary writes the total amount of leaked memory.
func (t *text) leakSummary(r *Report) {
	bytes, allocations := 0, uint64(0)
	for _, f := range r.Faults {
		if f.Leaked() {
			bytes, allocations = bytes+f.Size, allocations+f.Count
		}
	}
	if allocations > 0 {
		t.line("LEAK SUMMARY: %s leaked in %s", plural(uint64(bytes), "byte"), plural(allocations, "allocation"))
	}
}

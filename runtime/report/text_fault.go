// Faults as text.

package report

import (
	"fmt"
	"io"
)

// fault writes a fault in the layout of the compute-sanitizer tool that reports its class: memcheck, initcheck or
// synccheck.
func (t *text) fault(f *FaultEvent) {
	if f.OfCall() {
		t.call(f)
		return
	}
	if f.Compiler != "" && f.Severity == Info {
		t.line("%s %s uses registers of asynchronous operations early in %s, first at %s: on purpose; an error with --strict",
			t.severity(Info), f.Compiler, t.function(f.Kernel), where(f.Source, f.PTX))
		return
	}
	t.line("%s", t.paint(red, f.headline()))
	if f.PTX.File == "" { // not caused by an instruction of a thread
		t.more("at %s", t.function(f.Kernel))
	} else {
		t.more("at %s in %s", t.function(f.Kernel), where(f.Source, f.PTX))
		t.more("by thread %s in block %s", dim(f.Thread), dim(f.Block))
	}
	switch {
	case f.Size == 0: // not a memory access: a stack overflow, or a call of an invalid address
	case f.Class == "out-of-bounds":
		t.more("Address %s is out of bounds", f.Address)
	case f.Class == "misaligned":
		t.more("Address %s is misaligned", f.Address)
	}
	t.source(f.Source)
	if f.Instruction != "" {
		t.more("Instruction: %s at %s", f.Instruction, place(f.PTX))
	}
	t.launched(f.Launched, f.Range)
	t.more("Fault: %s: %s", t.paint(bold, f.Class), f.Message)
	if f.Hint != "" {
		t.more("Fix: %s", f.Hint)
	}
	t.seen(f.Schedules)
	t.varied(f.Variation)
	if f.Class == WeakClass || f.Class == AsyncRegister {
		t.more("See: ptxsan explain %s", f.Class)
	}
	if f.Replay != "" {
		t.more("Replay: %s", f.Replay)
	}
	t.programs(f.Programs)
	t.end()
}

// headline returns the first line of a fault.
func (f *FaultEvent) headline() string {
	switch f.Class {
	case "out-of-bounds", "misaligned", "use-after-free":
		if f.Size == 0 {
			return "Invalid access."
		}
		return fmt.Sprintf("Invalid __%s__ %s of size %s", orWord(f.Space, "unknown"), orWord(f.Access, "access"),
			plural(uint64(f.Size), "byte"))
	case LeakClass:
		return "Leaked " + f.leaked()
	case HostMemory:
		return "Application ended for want of host memory."
	case APIClass:
		text := fmt.Sprintf("Program hit %s on CUDA API call to %s", f.Error,
			orWord(f.Call.Function, "an unknown function"))
		if f.Handled {
			text += ", and has read the error"
		}
		return text
	case Uninitialised:
		return fmt.Sprintf("Uninitialized __%s__ memory read of size %s", orWord(f.Space, "unknown"),
			plural(uint64(f.Size), "byte"))
	case "barrier-divergence":
		return "Barrier error detected. Divergent thread(s) in block."
	case "deadlock":
		return "Deadlock detected."
	case "livelock":
		return "Livelock detected: threads run without making progress."
	case "timeout":
		return "Kernel stopped: it did not finish within the limits."
	case CollectiveMismatch:
		return "Calls of ranks that do not fit each other."
	case "tensor-memory":
		return "Invalid use of tensor memory."
	case "mbarrier":
		return "Invalid use of an mbarrier."
	case AsyncRegister:
		return "Invalid use of a register of an asynchronous operation."
	case WeakClass:
		return "Weak memory outcome: the program relies on an order of accesses that the memory model does not give."
	case "trap":
		return "Kernel stopped by trap."
	case "assert":
		return "Kernel stopped by a failed assertion."
	}
	return "Kernel stopped: " + f.Class + "."
}

// weakSummary writes the numbers of weak outcomes.
func (t *text) weakSummary(r *Report) {
	count := make(map[string]uint64)
	for _, f := range r.Faults {
		if f.Class == WeakClass {
			count[""]++
			count[f.Severity]++
		}
	}
	if count[""] > 0 {
		t.line("WEAK MEMORY SUMMARY: %s displayed (%s, %s)", plural(count[""], "weak outcome"),
			plural(count[Error], "error"), plural(count[Warning], "warning"))
	}
}

// ofThreads reports whether a fault is one that single threads cause, so that others can go on (--max-faults).
func (f *FaultEvent) ofThreads() bool {
	switch f.Class {
	case "out-of-bounds", "misaligned", "use-after-free":
		return f.Access != ""
	}
	return false
}

func orWord(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// WriteRecorded writes faults that did not stop the kernels: a pass has recorded them, and the run is complete.
func WriteRecorded(w io.Writer, faults []*FaultEvent, o TextOptions) error {
	r := (&Report{Faults: faults}).Visible()
	t := newText(w, o)
	t.line("%s", "PTXSAN")
	for _, f := range r.Faults {
		t.fault(f)
	}
	t.line("ERROR SUMMARY: %s", plural(uint64(len(faults)), "error"))
	return t.w.Flush()
}

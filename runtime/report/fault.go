// Faults of kernels and of calls in host code.

package report

import "slices"

// Reordering is two accesses of one thread, in program order, of which the second one took effect first.
type Reordering struct {
	First  Access `json:"first"`
	Second Access `json:"second"`
}

// onPurpose removes all but the first of the faults that a compiler makes on purpose in a kernel.
func onPurpose(faults []*FaultEvent) []*FaultEvent {
	type maker struct{ compiler, kernel string }
	seen := make(map[maker]bool)
	return slices.DeleteFunc(faults, func(f *FaultEvent) bool {
		k := maker{f.Compiler, f.Kernel}
		again := f.Compiler != "" && seen[k]
		seen[k] = true
		return again
	})
}

// FaultEvent is an error that stops the kernel on a GPU, or keeps it from ending; the use of memory that nothing has
// written, or of a register of an asynchronous operation in flight; or the error of a call in host code (OfCall).
type FaultEvent struct {
	Class       string    `json:"class"` // LeakClass, APIClass, or a class of the emulator
	Severity    string    `json:"severity"`
	Message     string    `json:"message"`
	Kernel      string    `json:"kernel"`
	Block       [3]uint32 `json:"block"`
	Thread      [3]uint32 `json:"thread"`
	PTX         Place     `json:"ptx"`
	Source      *Source   `json:"source,omitempty"`
	Address     Hex       `json:"address,omitempty"`
	Symbol      string    `json:"symbol,omitempty"` // of unwritten memory of the device: data[17], allocation 1+0x4
	Instruction string    `json:"instruction,omitempty"`
	Access      string    `json:"access,omitempty"` // read, write, atomic when a memory access faulted
	Space       string    `json:"space,omitempty"`
	Size        int       `json:"size,omitempty"`      // bytes
	Continued   bool      `json:"continued,omitempty"` // the fault has not stopped the kernel
	Compiler    string    `json:"compiler,omitempty"`  // see Race
	// Call is the call that a fault of host code is about, and Count the number of its executions; of a leak, of its
	// allocations.
	Count uint64 `json:"count,omitempty"`
	Call  *Call  `json:"call,omitempty"`
	// Error is CUDA's name of the error of a call that failed. Handled says that the program has read the last error
	// after it.
	Error   string `json:"error,omitempty"`
	Handled bool   `json:"handled,omitempty"`
	// Programs lists the programs that the application started and that showed the fault.
	Programs []string `json:"programs,omitempty"`
	Launched *Source  `json:"launched_at,omitempty"` // see Race
	// Suppressed lists the entries of the suppression file that match the fault.
	Suppressed []string `json:"suppressed_by,omitempty"`
	Replay     string   `json:"replay,omitempty"`
	// Reordered lists the accesses of a weak outcome that took effect out of order, Fence is the fence that, between
	// the two of each pair, forbids the outcome, "" for none, and Scope the narrowest scope of their threads. Involved
	// has all accesses that take part.
	Reordered []Reordering `json:"reordered,omitempty"`
	Fence     string       `json:"fence,omitempty"`
	Scope     string       `json:"scope,omitempty"`
	Involved  []Access     `json:"-"`
	Hint      string       `json:"hint,omitempty"`      // a verified repair
	Variation string       `json:"variation,omitempty"` // see Race
	Schedules int          `json:"schedules,omitempty"` // number of schedules of an exploration that show it
}

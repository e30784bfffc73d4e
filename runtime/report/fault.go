// Faults of kernels and of calls in host code.

package report

import (
	"fmt"
	"slices"
)

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
	// Origins are the reads, of the kernel or the function of the fault, on whose results the address depends, and
	// Race is the ID of a finding with one of them.
	Origins []Origin `json:"-"`
	Race    string   `json:"race,omitempty"`
	// Error is CUDA's name of the error of a call that failed. Handled says that the program has read the last error
	// after it.
	Error   string `json:"error,omitempty"`
	Handled bool   `json:"handled,omitempty"`
	// Programs lists the programs that the application started and that showed the fault.
	Programs []string `json:"programs,omitempty"`
	Launched *Source  `json:"launched_at,omitempty"` // see Race
	Range    string   `json:"range,omitempty"`       // see Race
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

// Origin is a read on whose result the address of a fault depends; if not Always, then only if the thread has come by
// some of the ways to the fault.
type Origin struct {
	PTX    Place
	Always bool
}

// link names in faults the races with a read on whose result the address of the fault depends: if the read returns
// another value, the address is another one.
func (r *Report) link() {
	for _, f := range r.Faults {
		for _, x := range r.Races {
			if text := x.gives(f); text != "" && f.Race == "" {
				f.Race = x.ID
				f.Message += fmt.Sprintf("; %s (race %s)", text, x.ID)
			}
		}
	}
}

// gives says how the address of a fault depends on a side of a race, "" if it does not.
func (x *Race) gives(f *FaultEvent) string {
	for _, y := range x.Each() {
		for _, pair := range [][2]*Access{{&y.Second, &y.First}, {&y.First, &y.Second}} {
			read, other := pair[0], pair[1]
			i := slices.IndexFunc(f.Origins, func(o Origin) bool { return o.PTX == read.PTX })
			if read.Access == "write" || read.Kernel != f.Kernel || i < 0 {
				continue
			}
			depends := "may depend"
			if f.Origins[i].Always {
				depends = "depends"
			}
			return fmt.Sprintf("the address %s on what the %s at %s returns, which races with the %s at %s", depends,
				read.Access, read.at(), other.Access, other.at())
		}
	}
	return ""
}

// What is known of a kernel's code.

package labels

import "github.com/ptxsan/ptxsan/runtime/detect"

// Source is where a value may come from: what an instruction has read from memory, or something that differs between
// schedules whatever is in memory.
type Source struct {
	Site uint32 // 0 for none
	// Differs names what differs, for reports: "%clock". It is empty for a value from memory.
	Differs string
	// Map says that the value is the tensor map that the instruction has read, not the tensor.
	Map bool
	// Found says that what counts is what the instruction has found in memory, however its place in the order of
	// threads decides it.
	Found bool
	// Undefined is the number of the instruction that makes the value, if the value is a source only when a run finds it
	// undefined; the emulator reports that to the listener. It is 0 for other values.
	Undefined uint32
	// Offset says that the value is that of the source, plus or minus numbers: an address that is shifted by as much
	// everywhere is as good.
	Offset bool
	// Shifts says that what differs is the address of an allocation in tensor memory.
	Shifts bool
}

// Sink is an instruction that a value steers.
type Sink struct {
	Site    uint32
	Steers  detect.Steering
	Sources []Source
}

// Table is what is known of the code that a kernel may execute. Sites are those of the program (abi.Site.ID).
type Table struct {
	Sites  int // the highest number
	Sinks  []Sink
	Stores map[uint32][]Source // by site, of values from anywhere
	// Polls are the sites that read memory until its value is as wanted: they may see the initial contents in other
	// schedules.
	Polls map[uint32]bool
	// Unordered are the sites of copies that reduce memory with a result that depends on the order of the reductions.
	Unordered map[uint32]bool
}

// each calls a function for each source of what is stored or steers.
func (t *Table) each(f func(*Source)) {
	for i := range t.Sinks {
		for k := range t.Sinks[i].Sources {
			f(&t.Sinks[i].Sources[k])
		}
	}
	for _, from := range t.Stores {
		for k := range from {
			f(&from[k])
		}
	}
}

// Package detect defines what a race detector is, which events of a launch it needs, and the
// vocabulary of its findings: races, kinds, causes, locks. Each detector is a package below this
// one.
//
// There are two kinds of detectors. A detector inside the kernel (InKernel: iguard, ldetector, and
// barracuda when it instruments) gives the device library memory before a launch and reads its
// records afterwards. A detector on the host (Detector: precise, scord and barracuda) is a
// listener that receives the events of the launch. Neither must know PTX or the emulator.
package detect

import "github.com/ptxsan/ptxsan/runtime/abi"

// Detector is a race detector that listens to events. Launches come one after the
// other, and everything in a launch happens after those before it.
type Detector interface {
	// Begin starts a launch.
	Begin(Launch)
	// Event and Accesses are called for all that happens in the launch, in order: Accesses
	// for memory accesses, Event for everything else. What they are given is the caller's and
	// changes after the call. A detector that looks at accesses one at a time calls
	// abi.Batch.Each.
	abi.Receiver
	// End ends the launch and returns its races, the same ones in the same order for
	// the same events.
	End() []Race
}

// Announcer is a Detector that tells of a race when it finds it: at the event of the
// second access.
type Announcer interface {
	Detector
	// Announce sets what is called the first time that a race is found. Such calls are
	// made by Event and Accesses.
	Announce(func(*Race))
}

// Selective is a Detector that does not need all that can be known of events.
type Selective interface {
	Detector
	// Needs is asked once.
	Needs() Needs
}

// Concurrent is a Detector that may work on goroutines of its own.
type Concurrent interface {
	Detector
	// Concurrent reports whether it does.
	Concurrent() bool
}

// Needs says which events must come, and what those of accesses must be like. Runs are
// faster without what is not needed. It has the fields of emu.Needs, which it is converted to.
type Needs struct {
	Values   bool // abi.Event.New and Old
	Shared   bool // accesses to shared memory; those at generic addresses come in any case
	Branches bool // abi.EventDiverge and EventConverge
	Lanes    bool // abi.EventWarpSync of operations among lanes that are no barriers, such as shuffles
	Skips    bool // launches none of whose accesses are needed may pass with no events but abi.EventKernelBegin and End
	Used     bool // threads that do not use what a weak load reads are left out of its accesses
}

// NeedsOf is what a detector needs: everything, unless it says otherwise.
func NeedsOf(d Detector) Needs {
	if s, ok := d.(Selective); ok {
		return s.Needs()
	}
	return Needs{Values: true, Shared: true, Branches: true, Lanes: true}
}

// Statistics is a Detector that has something to say about its own work.
type Statistics interface {
	Detector
	// Statistics are lines of text about all launches so far.
	Statistics() []string
}

// Measuring is a Detector or an InKernel that can take measurements for its statistics which slow it down. It takes them only if
// Measure has been called, before the first launch.
type Measuring interface{ Measure() }

// InKernel is the host half of a detector inside the kernel.
type InKernel interface {
	// Prepare sets up the detector's memory. It is called before each launch.
	Prepare(abi.Device, LaunchShape) error
	// Collect reads the races of the launch that Prepare was called for. It is called
	// once, after the launch.
	Collect(abi.Device) ([]Race, error)
	// Dropped is the number of races, in all launches so far, that there was no room for.
	Dropped() uint64
}

// Launching is an InKernel that must know the kernel, and that may need more dynamic shared
// memory than the launch has.
type Launching interface {
	InKernel
	// Launching is called before Prepare, with the dynamic shared memory of the user's launch in
	// bytes. The error says why the kernel cannot be checked.
	Launching(kernel string, dynamic uint64) error
	// DynamicShared is the dynamic shared memory in bytes that the launch must have. It is
	// called after Prepare.
	DynamicShared() uint64
}

// Expanding is an InKernel that works on the program's memory objects.
type Expanding interface {
	InKernel
	// Objects is called before Prepare, with the objects of global memory that have names.
	Objects([]Region)
}

// Repeating is an InKernel that needs to execute a launch more than once.
type Repeating interface {
	InKernel
	// Repeat is called after each execution of the launch that has ended by itself, before
	// Collect. It reports whether there must be another.
	Repeat(abi.Device) (again bool, err error)
}

// Noting is an InKernel that has something to say about what it did not check.
type Noting interface {
	InKernel
	// Notes are about all launches so far.
	Notes() []string
}

// Explaining is an InKernel that says how it has checked a kernel, and what it cannot see there.
type Explaining interface {
	InKernel
	// Method is about all launches of the kernel so far.
	Method(kernel string) []string
}

// Blaming is an InKernel that knows when a fault is its own doing.
type Blaming interface {
	InKernel
	// Blame is called after a launch that has ended with a fault of a class which the kernel as it is does
	// not have. The error says why the kernel cannot be checked; nil: it is the kernel's.
	Blame(class string) error
}

// Polling is an InKernel that reads what the kernel writes while it runs.
type Polling interface {
	InKernel
	// Poll reads what there is, between Prepare and Collect. It reports whether it has
	// written to the device's memory.
	Poll(abi.Device) (wrote bool)
}

// Launch is what a listening detector is told of a launch.
type Launch struct {
	Kernel string // as in the PTX
	LaunchShape
	Regions []Region // of global memory that have names; nil when nobody asks for them
}

// Race is one racing pair of accesses, before names and lines are attached.
type Race struct {
	Kind     Kind
	Cause    Cause
	Space    abi.Space // global or shared
	Address  uint64
	Size     int
	Count    uint64 // dynamic occurrences of the pair
	First    Side   // the earlier access
	Second   Side
	Severity Severity  // empty for what the report makes of it
	Locks    LockFault // empty when nothing is known to be wrong
	// Missing is the edge that is missing between the sides, and Hint how to mend it; empty
	// for what the report says of the cause. In them {first} and {second} stand for the
	// places of the sides, {fence}, {publish} and {observe} for those of the sites below.
	Missing, Hint string
	Repair        Repair // what Hint asks for, where that is not what the cause asks for
	Fence         uint32 // site of the fence or barrier whose scope is too narrow, or its mask, 0 unknown
	Publish       uint32 // site of the strong write by which the first thread tells of its access, 0 unknown
	Observe       uint32 // site of the read that finds what it wrote, 0 unknown
	Detail        string // detector's own words, e.g. "iGUARD R4"
}

// Fault is something other than a race, for which a GPU would stop the kernel or never
// finish it, that a detector has found.
type Fault struct {
	Class         string // as in the report
	Message       string
	Site          uint32 // abi.Site.ID, 0 unknown
	Block, Thread [3]uint32
}

// Faulting is a detector that finds faults. Faults are those of the last launch, once its
// races have been asked for.
type Faulting interface{ Faults() []Fault }

// Side is one access of a race.
type Side struct {
	Site          uint32 // abi.Site.ID, 0 unknown
	Access        string // read, write or atomic; empty for what the site says
	Block, Thread [3]uint32
}

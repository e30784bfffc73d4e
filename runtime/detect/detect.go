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

// Detector is a race detector that listens to events. Launches are sequential: everything in a launch happens after the
// launches before it.
type Detector interface {
	// Begin starts a launch.
	Begin(Launch)
	// Event and Accesses are called for everything that happens in the launch, in order: Accesses for memory accesses,
	// Event for everything else. The arguments belong to the caller and change after the call. A detector that handles
	// accesses one at a time calls abi.Batch.Each.
	abi.Receiver
	// End ends the launch and returns its races, the same ones in the same order for
	// the same events.
	End() []Race
}

// Announcer is a Detector that reports a race as soon as it is detected: at the event of the second access.
type Announcer interface {
	Detector
	// Announce sets a function to call when a race is found for the first time. Event and Accesses make these calls.
	Announce(func(*Race))
}

// Selective is a Detector that does not need all events or all their fields.
type Selective interface {
	Detector
	// Needs is called once.
	Needs() abi.Needs
}

// NeedsOf returns what a detector needs: everything, unless it is Selective.
func NeedsOf(d Detector) abi.Needs {
	if s, ok := d.(Selective); ok {
		return s.Needs()
	}
	return abi.Needs{Values: true, Shared: true, Branches: true, Lanes: true}
}

// Statistics is a Detector or an InKernel that provides statistics of its own work.
type Statistics interface {
	// Statistics returns lines of text about all launches so far.
	Statistics() []string
}

// Measuring is a Detector or an InKernel with measurements for its statistics that slow it down. It takes them only if
// Measure has been called before the first launch.
type Measuring interface{ Measure() }

// InKernel is the host part of a detector inside the kernel.
type InKernel interface {
	// Prepare sets up the detector's memory. It is called before each launch.
	Prepare(abi.Device, LaunchShape) error
	// Collect reads the races of the launch that Prepare was called for. It is called once, after the launch.
	Collect(abi.Device) ([]Race, error)
	// Dropped returns the number of races, in all launches so far, that did not fit the detector's memory.
	Dropped() uint64
}

// Surviving is an InKernel whose findings outlive a fault that destroys the device's memory.
type Surviving interface {
	InKernel
	// Survived reads, instead of Collect, the races that were found before the fault, or before the kernel was given
	// up.
	Survived(abi.Device) ([]Race, error)
}

// Launching is an InKernel that needs the kernel's name, and may need more dynamic shared memory than the launch has.
type Launching interface {
	InKernel
	// Launching is called before Prepare, with the dynamic shared memory of the user's launch in bytes. The error says
	// why the kernel cannot be checked.
	Launching(kernel string, dynamic uint64) error
	// DynamicShared returns the dynamic shared memory in bytes that the launch must have. It is called after Prepare.
	DynamicShared() uint64
}

// Expanding is an InKernel that needs the program's memory objects.
type Expanding interface {
	InKernel
	// Objects is called before Prepare, with the named objects of global memory.
	Objects([]Region)
}

// Repeating is an InKernel that needs to execute a launch more than once.
type Repeating interface {
	InKernel
	// Repeat is called after each execution of the launch that was not aborted, before Collect. It reports whether the
	// launch must be executed again.
	Repeat(abi.Device) (again bool, err error)
}

// Noting is an InKernel that reports what it did not check.
type Noting interface {
	InKernel
	// Notes returns notes about all launches so far.
	Notes() []string
}

// Explaining is an InKernel that describes how it has checked a kernel, and what it cannot detect there.
type Explaining interface {
	InKernel
	// Method describes all launches of the kernel so far.
	Method(kernel string) []string
}

// Blaming is an InKernel that can tell whether it has caused a fault itself.
type Blaming interface {
	InKernel
	// Blame is called after a launch that ended with a fault of a class which the original kernel does not have. The
	// error says why the kernel cannot be checked; nil: the kernel caused the fault.
	Blame(class string) error
}

// Polling is an InKernel that reads what the kernel writes while it runs.
type Polling interface {
	InKernel
	// Poll reads the available data, between Prepare and Collect. It reports whether it has written to the device's
	// memory.
	Poll(abi.Device) (wrote bool)
}

// Launch describes a launch to a listening detector.
type Launch struct {
	Kernel string // as in the PTX
	LaunchShape
	Regions []Region // named regions of global memory; nil when they are not needed
	// Ranked says that addresses of shared memory show whose it is (abi.SharedRank).
	Ranked bool
	// Weak says that memory is weak: strong accesses may return older stores (abi.Event.Ages).
	Weak bool
	// Outcomes says that under weak memory a strong read is an error that returns an older value than one which a
	// message has announced to its thread (WeakOutcome).
	Outcomes bool
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
	Severity Severity  // empty: chosen by the report
	Locks    LockFault // empty when no fault is known
	Flag     FlagFault // of Publish and Observe between grids, empty when no fault is known
	// Missing is the missing ordering between the sides; empty for the report's text on the cause. Its placeholders
	// {first} and {second} stand for the places of the sides; {fence}, {publish} and {observe} for those of the sites
	// below.
	Missing string
	Repair  Repair // the repair, if it is not the cause's
	Fence   uint32 // site of the fence or barrier with too narrow a scope or mask, 0 unknown
	Publish uint32 // site of the strong write by which the first thread signals its access, 0 unknown
	Observe uint32 // site of the read that observes this write, 0 unknown
	Detail  string // the detector's own description, e.g. "iGUARD R4"
	// Replicated says that the sides are one store of a compiler that is known to let several warps execute it, and
	// that all of them stored the same value.
	Replicated bool
}

// Fault is a detected error other than a race, for which a GPU would stop the kernel or never finish it.
type Fault struct {
	Class         string // as in the report
	Message       string
	Site          uint32 // abi.Site.ID, 0 unknown
	Block, Thread [3]uint32
}

// Faulting is a detector that finds faults. Faults returns those of the last launch, after its races have been read.
type Faulting interface{ Faults() []Fault }

// Side is one access of a race.
type Side struct {
	Site          uint32 // abi.Site.ID, 0 unknown
	Access        string // read, write or atomic; empty for the access of the site
	Block, Thread [3]uint32
	Grid          Nested // of the thread
	Event         Event  // empty for an access by a thread
}

// Event is an event in the life of Side.Block that affects all of its shared memory, as a write by the block does.
type Event string

// Events.
const (
	BlockStart Event = "start" // before it, the memory is not the block's
	BlockEnd   Event = "end"   // after it, the memory is not the block's any more
	OwnEnd     Event = "exit"  // BlockEnd of the block that accesses its own memory by asynchronous operations
)

// Nested is a grid that threads of a launch have launched; zero for the grid of the launch itself.
type Nested struct {
	Number uint32    // 1 for the first of the launch
	Block  [3]uint32 // threads of a block
}

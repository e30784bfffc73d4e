// Package detect turns what device code and the emulator recorded into races. It
// knows record formats (runtime/abi) and no PTX syntax.
//
// A detector is of one of two kinds. Detectors inside the kernel (IGuard) give the
// device library memory before a launch and read its records after. Detectors on the
// host (Detector) are handed every event of the launch.
package detect

import "github.com/ptxsan/ptxsan/runtime/abi"

// Detector is a race detector that listens to events. Launches come one after the
// other, and everything in a launch happens after those before it.
type Detector interface {
	// Begin starts a launch.
	Begin(Launch)
	// Event is called for every event of the launch, in order. The event is the
	// caller's and changes after the call.
	Event(*abi.Event)
	// End ends the launch and returns its races, the same ones in the same order for
	// the same events.
	End() []Race
}

// Launch is what a listening detector is told of a launch.
type Launch struct {
	Kernel string // as in the PTX
	LaunchShape
}

// Race is one racing pair of accesses, before names and lines are attached.
type Race struct {
	Kind     string // inter-block, intra-block, intra-warp
	Cause    string // report causes: missing-barrier, missing-warp-sync, missing-fence, ...
	Space    string // global, shared
	Address  uint64
	Size     int
	Count    uint64 // dynamic occurrences of the pair
	First    Side   // the earlier access
	Second   Side
	Severity string // error, warning or info; empty for what the report makes of it
	Locks    string // what is wrong with the locks held: first-unlocked, second-unlocked, different, block-scope
	Missing  string // the edge that is missing between the sides; empty for what the report says of the cause
	Detail   string // detector's own words, e.g. "iGUARD R4"
}

// Side is one access of a race.
type Side struct {
	Site          uint32 // abi.Site.ID, 0 unknown
	Access        string // read, write or atomic; empty for what the site says
	Block, Thread [3]uint32
}

// The options of the detector.

package barracuda

import (
	"fmt"
	"runtime"
)

// Options are the detector's options.
type Options struct {
	Workers int // consumers that check accesses side by side, at most 64; 0 for one per processor but one, at most 8
	// Paper keeps to the rules as printed where they give verdicts that the memory model of
	// PTX contradicts: an order takes a global fence on one side only, atomic operations
	// never race with each other, and what acquires or releases is not checked.
	Paper bool
	// Equal reports lanes that write one value to one location in one instruction, which
	// section 3.3.1 does not.
	Equal bool
	// Unused has a Listener look at loads in threads, too, that do not use what they load.
	Unused bool
	// Blocks is how many blocks may run at a time: operations of others are left out.
	// Syncs is how many entries there are for synchronisation, in each grid: locations,
	// and blocks that release there. 0 is DefaultBlocks and DefaultSyncs.
	Blocks, Syncs int
}

// DefaultBlocks and DefaultSyncs bound the state of clocks to a few GiB.
const (
	DefaultBlocks = 1 << 18
	DefaultSyncs  = 1 << 21
)

// Validate reports an option with a value out of range.
func (o Options) Validate() error {
	if o.Workers < 0 || o.Workers > 64 {
		return fmt.Errorf("barracuda: %d workers, expected 0 to 64", o.Workers)
	}
	if o.Blocks < 0 || o.Syncs < 0 {
		return fmt.Errorf("barracuda: room for %d blocks and %d synchronisations, expected no negative numbers", o.Blocks, o.Syncs)
	}
	return nil
}

// workers is how many consumers there are. One processor has enough to do with making
// the operations.
func (o Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return min(max(runtime.GOMAXPROCS(0)-1, 1), 8)
}

// The options of the detector.

package barracuda

import "fmt"

// Options are the detector's options.
type Options struct {
	// Paper applies the rules as printed even where their verdicts contradict the memory model of PTX: a global fence
	// on one side suffices for an order, atomic operations never race with each other, and acquires and releases are
	// not checked for races.
	Paper bool
	// Equal reports lanes of one instruction that write the same value to one location; by section 3.3.1 they do not
	// race.
	Equal bool
	// Unused makes a Listener also check loads in threads that do not use what they load.
	Unused bool
	// Blocks is the number of blocks that may run at once: operations of further blocks are ignored. Syncs is the
	// number of synchronisation entries in each grid: locations, and blocks that release there. 0 stands for
	// DefaultBlocks and DefaultSyncs.
	Blocks, Syncs int
}

// DefaultBlocks and DefaultSyncs limit the state of clocks to a few GiB.
const (
	DefaultBlocks = 1 << 18
	DefaultSyncs  = 1 << 21
)

// Validate returns an error for an option with a value out of range.
func (o Options) Validate() error {
	if o.Blocks < 0 || o.Syncs < 0 {
		return fmt.Errorf("barracuda: room for %d blocks and %d synchronisations, expected no negative numbers",
			o.Blocks, o.Syncs)
	}
	return nil
}

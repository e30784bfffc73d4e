// The host half of the detector: memory before a launch, race records after it.

package iguard

import (
	"fmt"
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Detector is the host half of the iGUARD detector: it gives the device library its
// memory before a launch and turns its race records into races after one. Like
// the paper's, its state is per launch: a kernel boundary orders everything.
//
// Detection itself is in passes/device/lib/iguard.cu.
type Detector struct {
	opts    abi.IGuardOptions
	launch  detect.LaunchShape
	regions [regionEnd]region
	zeros   []byte // zeros to overwrite memory with
	noRaces bool   // the race table is empty
	dropped uint64
}

// New makes a detector with the options that the code was instrumented with.
func New(opts abi.IGuardOptions) (*Detector, error) {
	if err := opts.Validate(); err != nil {
		return nil, fmt.Errorf("iguard: %w", err)
	}
	return &Detector{opts: opts}, nil
}

var _ detect.InKernel = (*Detector)(nil)

// Prepare allocates or clears the detector's memory and fills the library's state
// variable. Call it before each launch of an instrumented kernel.
func (g *Detector) Prepare(dev abi.Device, l detect.LaunchShape) error {
	addr, _, err := abi.IGuardLibrary.Find(dev)
	if err != nil {
		return err
	}
	if n := abi.Volume(l.Grid) * abi.Volume(l.Block); n > math.MaxUint32 {
		return fmt.Errorf("iguard: %d threads; at most %d are supported", n, uint32(math.MaxUint32))
	}
	g.launch = l
	state, sizes := g.layout(l)
	for i, want := range sizes {
		if i == regionRaces && g.noRaces {
			continue
		}
		if err := g.provide(dev, i, want); err != nil {
			return fmt.Errorf("iguard: %s: %w", regionNames[i], err)
		}
	}
	g.noRaces = false
	r := &g.regions
	state.Entries, state.Counters, state.BlockBars = r[regionEntries].addr, r[regionCounters].addr,
		r[regionBlockBars].addr
	state.WarpBars, state.WarpLocks = r[regionWarpBars].addr, r[regionWarpLocks].addr
	state.ThreadLocks, state.Races = r[regionThreadLocks].addr, r[regionRaces].addr
	state.BlockFences, state.WarpFences = r[regionBlockFences].addr, r[regionWarpFences].addr
	if err := dev.Write(addr, state.Encode()); err != nil {
		return fmt.Errorf("iguard: %s: %w", abi.IGuardState, err)
	}
	return nil
}

// Collect reads the races of the launch that Prepare was called for: one per
// unordered pair of sites, kind and cause, with the number of occurrences, ordered
// by sites. Call it once, after the launch.
func (g *Detector) Collect(dev abi.Device) ([]detect.Race, error) {
	found, err := g.count(dev)
	if err != nil {
		return nil, err
	}
	if g.noRaces = found == 0; g.noRaces {
		return nil, nil
	}
	table := make([]byte, g.regions[regionRaces].size)
	if err = dev.Read(g.regions[regionRaces].addr, table); err != nil {
		return nil, fmt.Errorf("iguard: reading the race records: %w", err)
	}
	records, err := abi.DecodeIGuardRaces(table)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(records, compareRecords)
	return g.merge(records), nil
}

// Dropped returns the number of race occurrences, in all launches so far, whose site
// pairs found no free record. It is 0 unless thousands of pairs race.
func (g *Detector) Dropped() uint64 { return g.dropped }

// count returns the number of race records in use, and adds the races that found no free record to dropped.
func (g *Detector) count(dev abi.Device) (uint32, error) {
	_, state, err := abi.IGuardLibrary.Find(dev)
	if err != nil {
		return 0, err
	}
	g.dropped += uint64(abi.IGuardDropped(state))
	return abi.IGuardFound(state), nil
}

// Package collide is the host half of the detector collide: it prepares the memory of the device library, and reads the
// races that accesses have found by meeting each other. It must not know PTX or the emulator.
package collide

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Options are those of the device library.
type Options struct {
	Period uint32 // accesses between two that are sampled, on average
	Seed   uint32
	Wait   uint32 // nanoseconds of one wait
	Rounds uint32 // waits of an access
	Warm   uint32 // accesses that are sampled before the period holds, of all launches
	Sites  int    // of the module
}

// Detector is the host half for one module.
type Detector struct {
	opts    Options
	launch  detect.LaunchShape
	memory  uint64 // of watches and arms; 0 before the first launch
	found   uint64 // of the races, in memory that outlives a fault
	warm    uint32 // what is left of Options.Warm
	dropped uint64
}

// New makes a detector for a module that was instrumented with the options.
func New(o Options) *Detector { return &Detector{opts: o, warm: o.Warm} }

var _ detect.Surviving = (*Detector)(nil)

// Offsets of the tables in the detector's memory, and the size of the races, in bytes.
const (
	watchesAt = 0
	armsAt    = watchesAt + abi.CollideWatches*abi.CollideWatchBytes
	racesSize = abi.CollideRaces * abi.CollideRaceBytes
)

// Prepare implements detect.InKernel.
func (d *Detector) Prepare(dev abi.Device, l detect.LaunchShape) error {
	addr, _, err := abi.CollideLibrary.Find(dev)
	if err != nil {
		return err
	}
	if n := l.Blocks(); n >= abi.CollideMaxBlocks {
		return fmt.Errorf("collide: %d blocks; fewer than %d are supported", n, abi.CollideMaxBlocks)
	}
	d.launch = l
	size := armsAt + 4*uint64(d.opts.Sites+1)
	if d.memory == 0 {
		if d.memory, err = dev.Alloc("collide.tables", size); err == nil {
			d.found, err = abi.AllocHost(dev, "collide.races", racesSize)
		}
		if err != nil {
			return fmt.Errorf("collide: %w", err)
		}
	}
	if err = errors.Join(dev.Write(d.memory, make([]byte, size)),
		dev.Write(d.found, make([]byte, racesSize))); err != nil {
		return fmt.Errorf("collide: %w", err)
	}
	o := &d.opts
	state := abi.CollideStateVar{
		Watches: d.memory + watchesAt, Races: d.found, Arms: d.memory + armsAt,
		Period: o.Period, Seed: o.Seed, Wait: o.Wait, Rounds: o.Rounds, Warm: d.warm, Sites: uint32(o.Sites),
		Version: abi.CollideVersion,
	}
	if err = dev.Write(addr, state.Encode()); err != nil {
		return fmt.Errorf("collide: %s: %w", abi.CollideState, err)
	}
	return nil
}

// Collect implements detect.InKernel. The races are ordered by sites.
func (d *Detector) Collect(dev abi.Device) ([]detect.Race, error) {
	_, state, err := abi.CollideLibrary.Find(dev)
	if err != nil {
		return nil, err
	}
	calls, found, dropped := abi.CollideCounts(state)
	d.warm -= min(d.warm, calls)
	d.dropped += uint64(dropped)
	if found == 0 {
		return nil, nil
	}
	records, err := d.records(dev)
	if err != nil {
		return nil, err
	}
	return d.races(records), nil
}

// Survived implements detect.Surviving. The library writes the size of an access last: records without one are
// incomplete, and count as dropped.
func (d *Detector) Survived(dev abi.Device) ([]detect.Race, error) {
	records, err := d.records(dev)
	if err != nil {
		return nil, err
	}
	n := len(records)
	records = slices.DeleteFunc(records, func(r abi.CollideRace) bool { return r.Size == 0 })
	d.dropped += uint64(n - len(records))
	return d.races(records), nil
}

// records reads the races.
func (d *Detector) records(dev abi.Device) ([]abi.CollideRace, error) {
	table := make([]byte, racesSize)
	if err := dev.Read(d.found, table); err != nil {
		return nil, fmt.Errorf("collide: reading the races: %w", err)
	}
	return abi.DecodeCollideRaces(table)
}

// Dropped implements detect.InKernel.
func (d *Detector) Dropped() uint64 { return d.dropped }

// races joins the records of a pair of sites in either order. A change by an unknown access says nothing new of a site
// for which another access is known.
func (d *Detector) races(records []abi.CollideRace) (list []detect.Race) {
	slices.SortFunc(records, func(a, b abi.CollideRace) int {
		return cmp.Or(cmp.Compare(b.Kind, a.Kind), cmp.Compare(a.FirstSite, b.FirstSite),
			cmp.Compare(a.SecondSite, b.SecondSite), cmp.Compare(a.Address, b.Address))
	})
	known := make(map[uint32]bool)
	for i := range records {
		if r := &records[i]; r.Met {
			known[r.FirstSite], known[r.SecondSite] = true, true
		}
	}
	type pair struct {
		low, high uint32
		kind      abi.CollideKind
		shared    bool
	}
	at := make(map[pair]int)
	for i := range records {
		r := &records[i]
		if !r.Met && known[r.SecondSite] {
			continue
		}
		key := pair{min(r.FirstSite, r.SecondSite), max(r.FirstSite, r.SecondSite), r.Kind, r.Shared}
		if j, have := at[key]; have {
			list[j].Count += uint64(r.Count)
			continue
		}
		at[key] = len(list)
		list = append(list, d.race(r))
	}
	return list
}

var kinds = [...]detect.Kind{
	abi.CollideWarp: detect.IntraWarp, abi.CollideBlock: detect.IntraBlock,
	abi.CollideGrid: detect.InterBlock,
}

// race returns a record as a race. What is missing is told from the kind alone: watches see no synchronisation.
func (d *Detector) race(r *abi.CollideRace) detect.Race {
	race := detect.Race{
		Kind: kinds[r.Kind], Cause: causes[r.Kind], Space: abi.SpaceGlobal, Address: r.Address, Size: int(r.Size),
		Count:  uint64(r.Count),
		First:  d.side(r.FirstSite, r.FirstBlock, r.FirstThread),
		Second: d.side(r.SecondSite, r.SecondBlock, r.SecondThread),
		Detail: "collide: the second access met the first one, which had not gone on",
	}
	if r.Shared {
		race.Space = abi.SpaceShared
	}
	if !r.Met {
		race.First.Access = "write"
		race.Detail = fmt.Sprintf("collide: an access that is not known changed the value from %#x to %#x while the second one waited", r.Before, r.After)
	}
	return race
}

var causes = [...]detect.Cause{
	abi.CollideWarp: detect.MissingWarpSync, abi.CollideBlock: detect.MissingBarrier,
	abi.CollideGrid: detect.MissingFence,
}

// side returns a side of a race.
func (d *Detector) side(site, block, thread uint32) detect.Side {
	return detect.Side{
		Site: site, Block: abi.Index3(uint64(block), d.launch.Grid),
		Thread: abi.Index3(uint64(thread), d.launch.Block),
	}
}

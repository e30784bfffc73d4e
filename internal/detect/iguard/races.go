// Race records: merging, kinds, causes and lock faults.

package iguard

import (
	"cmp"
	"fmt"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// compareRecords orders records by their key, which the device code keeps unique.
func compareRecords(a, b abi.IGuardRace) int {
	return cmp.Or(
		cmp.Compare(a.FirstSite, b.FirstSite), cmp.Compare(a.SecondSite, b.SecondSite),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Rule, b.Rule),
	)
}

// merge joins the records of a pair in either order. The first in order gives the
// threads and the address.
func (g *Detector) merge(records []abi.IGuardRace) []detect.Race {
	type pair struct {
		low, high uint32
		kind      detect.Kind
		cause     detect.Cause
		space     abi.Space
	}
	at := map[pair]int{}
	var races []detect.Race
	for i := range records {
		race := g.race(&records[i])
		low, high := race.First.Site, race.Second.Site
		if low > high {
			low, high = high, low
		}
		key := pair{low, high, race.Kind, race.Cause, race.Space}
		if j, ok := at[key]; ok {
			races[j].Count += race.Count
			continue
		}
		at[key] = len(races)
		races = append(races, race)
	}
	return races
}

var kinds = [...]detect.Kind{
	abi.IGuardIntraWarp: detect.IntraWarp, abi.IGuardIntraBlock: detect.IntraBlock,
	abi.IGuardInterBlock: detect.InterBlock,
}

func (g *Detector) race(r *abi.IGuardRace) detect.Race {
	if !g.opts.Pairs {
		r.FirstSite = 0
	}
	return detect.Race{
		Kind: kinds[r.Kind], Cause: causeOf(r), Space: abi.SpaceGlobal,
		Address: r.Address, Size: int(r.Size), Count: uint64(r.Count),
		First: detect.Side{
			Site: r.FirstSite, Block: abi.Index3(uint64(r.FirstBlock), g.launch.Grid),
			Thread: abi.Index3(uint64(r.First.Thread), g.launch.Block),
		},
		Second: detect.Side{
			Site: r.SecondSite, Block: abi.Index3(uint64(r.SecondBlock), g.launch.Grid),
			Thread: abi.Index3(uint64(r.Second.Thread), g.launch.Block),
		},
		Locks:  lockFault(r),
		Detail: g.detail(r),
	}
}

// detail returns the rule, and a caveat if the detector may have confused neighbouring elements.
func (g *Detector) detail(r *abi.IGuardRace) string {
	s := fmt.Sprintf("iGUARD R%d", r.Rule)
	if int(r.Size) < g.opts.Granularity {
		s += fmt.Sprintf("; neighbours within %d bytes are not told apart unless granularity=%d", g.opts.Granularity,
			finer(int(r.Size)))
	}
	return s
}

// finer returns the largest granularity that distinguishes elements of size bytes.
func finer(size int) int {
	if size < 4 {
		return 1
	}
	return size
}

// lockFault returns what is wrong with the locks that the two sides held.
func lockFault(r *abi.IGuardRace) detect.LockFault {
	switch {
	case r.First.Locks == 0 && r.Second.Locks == 0:
		return ""
	case r.First.Locks == 0:
		return detect.FirstUnlocked
	case r.Second.Locks == 0:
		return detect.SecondUnlocked
	case !abi.CommonLock(r.First.Locks, r.Second.Locks):
		return detect.LocksDiffer
	case r.Kind == abi.IGuardInterBlock && (r.First.BlockLocks || r.Second.BlockLocks):
		return detect.LocksOfBlock
	}
	return ""
}

// causeOf names what is missing between the two sides of a race, from the
// condition of Table 2 that held:
//
//	R1 the earlier access was an atomic of block scope, the later one is in another block
//	R2 threads of one warp, and neither a warp barrier nor a fence since the earlier access
//	R3 threads of one block, and neither a block barrier nor a fence since
//	R4 threads of two blocks, and no device fence since; a block fence in its place was too narrow
//	R5 locks are in use for the location, but the two accesses held none in common
func causeOf(r *abi.IGuardRace) detect.Cause {
	switch r.Rule {
	case 1:
		return detect.InsufficientAtomicScope
	case 2:
		return detect.MissingWarpSync
	case 3:
		return detect.MissingBarrier
	case 4:
		if r.BlkFenceSince {
			return detect.InsufficientFenceScope
		}
		return detect.MissingFence
	case 5:
		return detect.MissingLock
	}
	panic(fmt.Sprintf("BUG: iguard rule %d", r.Rule))
}

package detect

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// IGuard is the host half of the iGUARD detector: it gives the device library its
// memory before a launch and turns its race records into races after one. Like
// the paper's, its state is per launch: a kernel boundary orders everything.
//
// Detection itself is in runtime/device/lib/iguard.cu.
type IGuard struct {
	opts    abi.IGuardOptions
	launch  LaunchShape
	regions [regionEnd]region
	zeros   []byte // what memory is overwritten with
	noRaces bool   // the race table is empty
	dropped uint64
}

// The memory that the device library works in.
const (
	regionEntries = iota
	regionCounters
	regionBlockBars
	regionWarpBars
	regionWarpLocks
	regionThreadLocks
	regionRaces
	regionBlockFences
	regionWarpFences
	regionShared
	regionEdgeTimes
	regionEdgeWarps
	regionEdgeBlocks
	regionEdgeRows
	regionEdgePending
	regionEnd
)

var regionNames = [regionEnd]string{
	"iguard.metadata", "iguard.counters", "iguard.block-barriers", "iguard.warp-barriers",
	"iguard.warp-locks", "iguard.thread-locks", "iguard.races",
	"iguard.block-fences", "iguard.warp-fences", "iguard.shared-metadata",
	"iguard.edge-times", "iguard.edge-warps", "iguard.edge-blocks", "iguard.edge-rows", "iguard.edge-pending",
}

type region struct{ addr, size uint64 }

// Limits of the metadata table: large tables wrap around, and entries that
// collide lose history (the tag tells them apart, so nothing false is reported).
const (
	minIndexBits = 10
	maxIndexBits = 26
)

// maxBackoff is the longest wait of the back-off from locked metadata, in
// nanoseconds. Below it, the limit is one for each eight threads of the grid: the
// paper (6.5) asks for a limit that grows with the threads, and gives no numbers.
const maxBackoff = 1 << 15

// NewIGuard makes a detector with the options that the code was instrumented with.
func NewIGuard(opts abi.IGuardOptions) (*IGuard, error) {
	if err := opts.Validate(); err != nil {
		return nil, fmt.Errorf("iguard: %w", err)
	}
	return &IGuard{opts: opts}, nil
}

var _ InKernel = (*IGuard)(nil)

// Prepare allocates or clears the detector's memory and fills the library's state
// variable. Call it before each launch of an instrumented kernel.
func (g *IGuard) Prepare(dev abi.Device, l LaunchShape) error {
	addr, err := stateVar(dev)
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
	state.Entries, state.Counters, state.BlockBars = r[regionEntries].addr, r[regionCounters].addr, r[regionBlockBars].addr
	state.WarpBars, state.WarpLocks = r[regionWarpBars].addr, r[regionWarpLocks].addr
	state.ThreadLocks, state.Races = r[regionThreadLocks].addr, r[regionRaces].addr
	state.BlockFences, state.WarpFences = r[regionBlockFences].addr, r[regionWarpFences].addr
	state.SharedEntries = r[regionShared].addr
	state.EdgeTimes, state.EdgeWarps, state.EdgeBlocks = r[regionEdgeTimes].addr, r[regionEdgeWarps].addr, r[regionEdgeBlocks].addr
	state.EdgeRows, state.EdgePending = r[regionEdgeRows].addr, r[regionEdgePending].addr
	if err := dev.Write(addr, state.Encode()); err != nil {
		return fmt.Errorf("iguard: %s: %w", abi.IGuardState, err)
	}
	return nil
}

// stateVar finds the library's state variable and checks that the library is the
// one that this package knows.
func stateVar(dev abi.Device) (addr uint64, err error) {
	addr, size, ok := dev.Symbol(abi.IGuardState)
	if !ok {
		return 0, fmt.Errorf("iguard: the module has no %s: it is not instrumented by the iguard pass", abi.IGuardState)
	}
	version := uint32(0)
	if size == abi.IGuardStateBytes {
		state := make([]byte, size)
		if err := dev.Read(addr, state); err != nil {
			return 0, fmt.Errorf("iguard: reading %s: %w", abi.IGuardState, err)
		}
		version = abi.IGuardStateVersion(state)
	}
	if version != abi.IGuardVersion {
		return 0, fmt.Errorf("iguard: the module was instrumented by another version of the pass: %s has %d bytes and version %d, not %d and %d",
			abi.IGuardState, size, version, abi.IGuardStateBytes, abi.IGuardVersion)
	}
	return addr, nil
}

// layout computes the state, addresses excepted, and the size of each region.
func (g *IGuard) layout(l LaunchShape) (abi.IGuardStateVar, [regionEnd]uint64) {
	s := abi.IGuardStateVar{GranuleBits: uint32(bits.TrailingZeros(uint(g.opts.Granularity))), Version: abi.IGuardVersion, CounterBits: g.opts.Counters.Mask()}
	for bit, on := range map[uint32]bool{
		abi.IGuardOptionLocks: g.opts.Locks, abi.IGuardOptionITS: g.opts.ITS, abi.IGuardOptionStop: g.opts.Stop,
		abi.IGuardOptionScope: g.opts.Scope, abi.IGuardOptionLockScope: g.opts.LockScope,
		abi.IGuardOptionCumulative: g.opts.Cumulative, abi.IGuardOptionEdge: g.opts.Edge,
	} {
		if on {
			s.Options |= bit
		}
	}
	granules := max(1, (l.LargestAllocation+uint64(g.opts.Granularity)-1)>>s.GranuleBits)
	s.SlotShift, s.Uses = 63, abi.IGuardUsesTags
	total := granules
	switch {
	case l.Slots > 0 && l.Apart: // no granules of a slot: all slots lie on one another
		s.SlotShift = 32 - s.GranuleBits
	case l.Slots > 0:
		s.SlotShift = 32 - s.GranuleBits
		step := max(l.SlotStep, 1) // the granules of a slot are spread over the slots that are not used
		each := (granules + step - 1) / step
		s.SlotGranules = uint32(each)
		if hi, lo := bits.Mul64(each, l.Slots-1); hi != 0 || lo > math.MaxUint64-granules {
			total = math.MaxUint64
		} else {
			total = lo + granules
		}
	}
	s.IndexBits = indexBits(total)
	s.IndexMask = 1<<s.IndexBits - 1
	if l.Slots > 0 && total <= 1<<s.IndexBits {
		s.Uses = 0
	}

	blocks := abi.Volume(l.Grid)
	perBlock := abi.Volume(l.Block)
	threads, warps := blocks*perBlock, blocks*((perBlock+31)/32)
	s.BlockThreads, s.BlockWarps = uint32(perBlock), uint32((perBlock+31)/32)
	s.BlockBytes = abi.IGuardCounterBytes * s.BlockThreads
	if l.Backoff && g.opts.Contention {
		s.Backoff = uint32(min(max(threads/8, abi.IGuardBackoff), maxBackoff))
	}
	shared := uint64(0)
	if g.opts.Shared && l.Shared > 0 {
		s.SharedGranules = uint32((l.Shared + uint64(g.opts.Granularity) - 1) >> s.GranuleBits)
		s.SharedBits = indexBits(blocks * uint64(s.SharedGranules))
		s.SharedMask = 1<<s.SharedBits - 1
		shared = abi.IGuardEntryBytes << s.SharedBits
	}
	sizes := [regionEnd]uint64{
		regionEntries:     abi.IGuardEntryBytes << s.IndexBits,
		regionCounters:    abi.IGuardCounterBytes * threads,
		regionBlockBars:   abi.IGuardBarrierBytes * blocks,
		regionWarpBars:    abi.IGuardBarrierBytes * warps,
		regionWarpLocks:   abi.IGuardLockBytes * warps,
		regionThreadLocks: abi.IGuardLockBytes * threads,
		regionBlockFences: abi.IGuardFenceBytes * blocks,
		regionWarpFences:  abi.IGuardFenceBytes * abi.IGuardWarpFences * warps,
		regionRaces:       abi.IGuardRaceBytes * abi.IGuardRaces,
		regionShared:      shared,
	}
	if g.opts.Edge {
		s.Uses |= abi.IGuardUsesEdges
		sizes[regionEdgeTimes] = abi.IGuardEdgeTimesBytes << s.IndexBits
		sizes[regionEdgeWarps], sizes[regionEdgeBlocks] = abi.IGuardEdgeWarpBytes*warps, abi.IGuardEdgeBlockBytes*blocks
		sizes[regionEdgeRows], sizes[regionEdgePending] = abi.IGuardEdgeBlockBytes*abi.IGuardEdgeRows, abi.IGuardEdgePendingBytes*threads
	}
	return s, sizes
}

// indexBits is log2 of the number of entries in a table for some granules.
func indexBits(granules uint64) uint32 {
	return uint32(min(max(bits.Len64(granules-1), minIndexBits), maxIndexBits))
}

// largeRegion is the size from which memory is replaced rather than overwritten.
const largeRegion = 4 << 20

// provide makes region i at least size bytes of zeros.
func (g *IGuard) provide(dev abi.Device, i int, size uint64) error {
	r := &g.regions[i]
	if size <= r.size {
		freer, ok := dev.(abi.Freer)
		if !ok || size <= largeRegion {
			return g.writeZeros(dev, r.addr, size)
		}
		if err := freer.Free(r.addr); err != nil {
			return err
		}
	}
	addr, err := dev.Alloc(regionNames[i], size)
	if err != nil {
		return err
	}
	*r = region{addr, size}
	return nil
}

func (g *IGuard) writeZeros(dev abi.Device, addr, size uint64) error {
	const most = 1 << 20
	if n := min(size, most); n > uint64(len(g.zeros)) {
		g.zeros = make([]byte, n)
	}
	for size > 0 {
		n := min(size, uint64(len(g.zeros)))
		if err := dev.Write(addr, g.zeros[:n]); err != nil {
			return err
		}
		addr, size = addr+n, size-n
	}
	return nil
}

// Collect reads the races of the launch that Prepare was called for: one per
// unordered pair of sites, kind and cause, with the number of occurrences, ordered
// by sites. Call it once, after the launch.
func (g *IGuard) Collect(dev abi.Device) ([]Race, error) {
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

// Dropped is the number of race occurrences, in all launches so far, whose site
// pairs found no free record. It is 0 unless thousands of pairs race.
func (g *IGuard) Dropped() uint64 { return g.dropped }

// count is the number of race records in use. It adds what found none.
func (g *IGuard) count(dev abi.Device) (uint32, error) {
	addr, err := stateVar(dev)
	if err != nil {
		return 0, err
	}
	state := make([]byte, abi.IGuardStateBytes)
	if err := dev.Read(addr, state); err != nil {
		return 0, fmt.Errorf("iguard: reading %s: %w", abi.IGuardState, err)
	}
	g.dropped += uint64(abi.IGuardDropped(state))
	return abi.IGuardFound(state), nil
}

// compareRecords orders records by their key, which the device code keeps unique.
func compareRecords(a, b abi.IGuardRace) int {
	return cmp.Or(
		cmp.Compare(a.FirstSite, b.FirstSite), cmp.Compare(a.SecondSite, b.SecondSite),
		cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Rule, b.Rule), cmp.Compare(spaceOf(a), spaceOf(b)),
	)
}

// merge joins the records of a pair in either order. The first in order gives the
// threads and the address.
func (g *IGuard) merge(records []abi.IGuardRace) []Race {
	type pair struct {
		low, high uint32
		kind      Kind
		cause     Cause
		space     abi.Space
	}
	at := map[pair]int{}
	var races []Race
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

var kinds = [...]Kind{abi.IGuardIntraWarp: IntraWarp, abi.IGuardIntraBlock: IntraBlock, abi.IGuardInterBlock: InterBlock}

// spaceOf is the state space that a race is in.
func spaceOf(r abi.IGuardRace) abi.Space {
	if r.Shared {
		return abi.SpaceShared
	}
	return abi.SpaceGlobal
}

func (g *IGuard) race(r *abi.IGuardRace) Race {
	if !g.opts.Pairs {
		r.FirstSite = 0
	}
	return Race{
		Kind: kinds[r.Kind], Cause: iguardCause(r), Space: spaceOf(*r),
		Address: r.Address, Size: int(r.Size), Count: uint64(r.Count),
		First:  Side{Site: r.FirstSite, Block: abi.Index3(uint64(r.FirstBlock), g.launch.Grid), Thread: abi.Index3(uint64(r.First.Thread), g.launch.Block)},
		Second: Side{Site: r.SecondSite, Block: abi.Index3(uint64(r.SecondBlock), g.launch.Grid), Thread: abi.Index3(uint64(r.Second.Thread), g.launch.Block)},
		Locks:  iguardLocks(r),
		Detail: g.detail(r),
	}
}

// detail is the rule, and a caveat where the detector may have taken neighbours for
// one another.
func (g *IGuard) detail(r *abi.IGuardRace) string {
	s := fmt.Sprintf("iGUARD R%d", r.Rule)
	if int(r.Size) < g.opts.Granularity {
		s += fmt.Sprintf("; neighbours within %d bytes are not told apart unless granularity=%d", g.opts.Granularity, finer(int(r.Size)))
	}
	return s
}

// finer is the largest granularity that tells elements of size bytes apart.
func finer(size int) int {
	if size < 4 {
		return 1
	}
	return size
}

// iguardLocks says what is wrong with the locks that the two sides held.
func iguardLocks(r *abi.IGuardRace) LockFault {
	switch {
	case r.First.Locks == 0 && r.Second.Locks == 0:
		return ""
	case r.First.Locks == 0:
		return FirstUnlocked
	case r.Second.Locks == 0:
		return SecondUnlocked
	case !abi.CommonLock(r.First.Locks, r.Second.Locks):
		return LocksDiffer
	case r.Kind == abi.IGuardInterBlock && (r.First.BlockLocks || r.Second.BlockLocks):
		return LocksOfBlock
	}
	return ""
}

// iguardCause names what is missing between the two sides of a race, from the
// condition of Table 2 that held:
//
//	R1 the earlier access was an atomic of block scope, the later one is in another block
//	R2 threads of one warp, and neither a warp barrier nor a fence since the earlier access
//	R3 threads of one block, and neither a block barrier nor a fence since
//	R4 threads of two blocks, and no device fence since; a block fence in its place was too narrow
//	R5 locks are in use for the location, but the two accesses held none in common
func iguardCause(r *abi.IGuardRace) Cause {
	switch r.Rule {
	case 1:
		return InsufficientAtomicScope
	case 2:
		return MissingWarpSync
	case 3:
		return MissingBarrier
	case 4:
		if r.BlkFenceSince {
			return InsufficientFenceScope
		}
		return MissingFence
	case 5:
		return MissingLock
	}
	panic(fmt.Sprintf("BUG: iguard rule %d", r.Rule))
}

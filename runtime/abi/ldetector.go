// The formats of the LDetector library: state, counts and race records.

package abi

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// The data formats of the LDetector library. passes/device/include/ldetector_abi.h states the same facts for the device
// code; a test compares the two. Section numbers are those of Li, Hu, Chen, Ding and Soyata, "LDetector", WoDet 2014.
const (
	LDetectorVersion = 2

	LDetectorState   = "__ptxsan_ldetector_state"
	LDetectorEnter   = "__ptxsan_ldetector_enter"   // (u32 address, u32 bytes) of the segment
	LDetectorDynamic = "__ptxsan_ldetector_dynamic" // u32 (): the user's dynamic shared memory
	LDetectorBegin   = "__ptxsan_ldetector_begin"   // u64 (u32 region, u32 flags): the base address of redirected accesses
	LDetectorEnd     = "__ptxsan_ldetector_end"     // u32 (u32 region, u32 end, u32 flags, u64 registers, u64 stores)
	LDetectorLog     = "__ptxsan_ldetector_log"     // (u64 address, u32 bytes) of a store
	LDetectorStored  = "__ptxsan_ldetector_stored"  // (u64 digest) of a store in a called function
	LDetectorTouch   = "__ptxsan_ldetector_touch"   // (u64 redirected address, u32 site, u32 info) of an access

	LDetectorLanes = "__ptxsan_ldetector_lanes" // u32 (u32 mask): the lanes of an operation's mask that have not exited

	// Functions for speculation (section 5). An environment is the memory in which a child grid executes a region.
	LDetectorEnvironment = "__ptxsan_ldetector_environment" // u64 (u32 region): where the thread's registers are saved; 0: they need not be saved
	LDetectorCurrent     = "__ptxsan_ldetector_current"     // u64 (): the environment to launch a child grid for
	LDetectorParameters  = "__ptxsan_ldetector_parameters"  // u64 (u32 bytes): a buffer for the parameters of a child grid; 0: none is free
	LDetectorLaunchChild = "__ptxsan_ldetector_launch"      // u32 (u64 kernel, u64 buffer): launches a child grid, 0 on failure
	LDetectorAbandon     = "__ptxsan_ldetector_abandon"     // (): a child grid could not be launched
	LDetectorChildBegin  = "__ptxsan_ldetector_child_begin" // u64 (u64 environment, u32 address): the base address of redirected accesses
	LDetectorChildSaved  = "__ptxsan_ldetector_child_saved" // u64 (u64 environment): where the thread's region and registers are
	LDetectorChildEnd    = "__ptxsan_ldetector_child_end"   // as LDetectorEnd, after the environment
	LDetectorChildTouch  = "__ptxsan_ldetector_child_touch" // as LDetectorTouch, after the environment

	LDetectorStateBytes    = 160
	LDetectorBlockBytes    = 576
	LDetectorDigestBytes   = 24
	LDetectorRaceBytes     = 128
	LDetectorLogRowBytes   = 528
	LDetectorLogValueBytes = 8
	// LDetectorRaceSites is the maximum number of accesses of each warp in a record.
	LDetectorRaceSites = 8
	// LDetectorPad is the alignment of the size of copies (4.3): 4 bytes for each lane.
	LDetectorPad = 128

	// LDetectorNone stands for a missing offset or warp.
	LDetectorNone = 1<<32 - 1
)

// Options in the state.
const (
	LDetectorOptionContinue = 1  // continue with the second pass after write-write races, and report all ranges
	LDetectorOptionStop     = 2  // the grid ends at the first race
	LDetectorOptionOutputs  = 4  // also compare the registers and stores of threads after a region
	LDetectorOptionLocate   = 8  // find the bytes and the writer of read-write races in further passes
	LDetectorOptionSites    = 16 // find the accesses to the bytes in a further pass
)

// Arguments and results of the functions.
const (
	LDetectorBeginChecked = 1 // the region can be checked
	LDetectorBeginIdle    = 2 // the thread has exited in the user's program
	LDetectorEndExit      = 1 // in place of the user's ret or exit

	LDetectorEndSpeculative = 2 // the second pass may be in a child grid

	LDetectorGo    = 0 // continue after the barrier
	LDetectorLeave = 1 // return from the kernel
	LDetectorAgain = 2 // execute the region again, from its start
	LDetectorWatch = 3 // as LDetectorAgain, and call LDetectorTouch at each access

	LDetectorLaunch = 8 // a bit: launch the child grid, then do what the other bits say

	LDetectorTouchWrite = 1 << 8 // in info, combined with the bytes accessed
)

// LDetectorStateVar is the variable LDetectorState, which the host writes before a launch. Offsets and sizes are in
// bytes.
type LDetectorStateVar struct {
	Options      uint32 // LDetectorOption bits
	Blocks       uint64 // address of the blocks' memory, zeroed; 0 disables the checks
	BlockStride  uint64
	DigestsAt    uint32 // in a block's memory: LDetectorDigestBytes for each thread
	WorkspaceAt  uint32 // in a block's memory; LDetectorNone: it is in shared memory
	SharedAt     uint32 // offset of a shared workspace from the start of dynamic shared memory
	DynamicBytes uint32 // dynamic shared memory of the user's launch
	SegmentBytes uint32 // size of one copy, a multiple of LDetectorPad
	UnionAt      uint32 // in the workspace
	BitmapAt     uint32 // in the workspace: one bit for each byte of the segment
	OwnersAt     uint32 // in the workspace: one byte for each byte of the segment; or LDetectorNone
	CopiesAt     uint32 // in the workspace: SegmentBytes for each warp
	Threads      uint32 // of a block
	Warps        uint32 // of a block
	LogRows      uint32 // rows of a warp; 0: there is no log
	Log          uint64 // address of the rows, by block, then by warp
	Races        uint64 // address of the records
	MaxRaces     uint32
	Regions      uint64 // address of a u32 for each region number, zeroed

	Slots         uint32 // with speculation, the number of environments of a block; else 1
	SlotStride    uint32
	RegistersAt   uint32 // in an environment: RegisterBytes for each thread
	RegisterBytes uint32
	KeptAt        uint32 // in an environment: the original copy that a child grid reads

	LDetectorCounts
}

// LDetectorCounts holds the counts in the state that the library increments, of executions of regions by blocks.
type LDetectorCounts struct {
	Found    uint32 // requested records
	Stopped  uint32 // not 0: the grid ended at a race
	Checked  uint32
	Skipped  uint32
	Unlogged uint32 // executed only once, because the log of stores was full
	Unstable uint32 // have different results even if they are only executed twice
	TooLarge uint32 // have too much shared memory for the workspace

	Speculated uint32 // executed the second time by a child grid
}

// Encode returns the state in the layout of the device code.
func (s *LDetectorStateVar) Encode() []byte {
	var b words
	b.u32(LDetectorVersion, s.Options)
	b.u64(s.Blocks, s.BlockStride)
	b.u32(s.DigestsAt, s.WorkspaceAt, s.SharedAt, s.DynamicBytes, s.SegmentBytes, s.UnionAt, s.BitmapAt, s.OwnersAt,
		s.CopiesAt, s.Threads, s.Warps, s.LogRows)
	b.u64(s.Log, s.Races)
	b.u32(s.MaxRaces, s.Found, s.Stopped, s.Checked, s.Skipped, s.Unlogged, s.Unstable, s.TooLarge)
	b.u64(s.Regions)
	b.u32(s.Slots, s.SlotStride, s.RegistersAt, s.RegisterBytes, s.KeptAt, s.Speculated, 0, 0)
	return b
}

// DecodeLDetectorCounts decodes the library's counts from an encoded state.
func DecodeLDetectorCounts(state []byte) (LDetectorCounts, error) {
	if len(state) != LDetectorStateBytes {
		return LDetectorCounts{}, fmt.Errorf("%s has %d bytes, not %d", LDetectorState, len(state), LDetectorStateBytes)
	}
	at := func(i int) uint32 { return binary.LittleEndian.Uint32(state[92+4*i:]) }
	return LDetectorCounts{
		Found: at(0), Stopped: at(1), Checked: at(2), Skipped: at(3), Unlogged: at(4),
		Unstable: at(5), TooLarge: at(6), Speculated: at(7 + 2 + 5),
	}, nil
}

// LDetectorKind is the kind of a race between two warps.
type LDetectorKind uint32

// Kinds.
const (
	LDetectorWriteWrite LDetectorKind = 1 // both changed a byte (4.1)
	LDetectorReadWrite  LDetectorKind = 2 // the result of a warp depends on what another had written (4.2)
)

// Results of a region that differed in the second pass, in LDetectorRace.Left.
const (
	LDetectorLeftShared    = 1 // the warp's copy
	LDetectorLeftRegisters = 2 // registers that are used later
	LDetectorLeftStores    = 4 // stores to other memory
)

// LDetectorRace is one record of a race.
type LDetectorRace struct {
	Kind        LDetectorKind
	Region, End uint32 // region numbers of the pass
	Block       uint32 // linear index in the grid
	First       uint32 // the writing warp; LDetectorNone if unknown
	Second      uint32 // the warp that also writes, or that reads
	Address     uint32 // of the first byte, in the shared window
	Bytes       uint32 // 0: the place is unknown
	Left        uint32 // read-write: LDetectorLeft bits
	Thread      uint32 // read-write: a thread of the second warp
	Passes      uint32 // executions of the region until the race was complete
	Count       uint32 // executions of the region with this race
	// FirstSites and SecondSites are the accesses of the two warps to the bytes, in the order of discovery; FirstThread
	// and SecondThread executed the first of them.
	FirstThread, SecondThread uint32
	FirstSites, SecondSites   []uint32
}

// DecodeLDetectorRaces decodes the records in use, in table order.
func DecodeLDetectorRaces(table []byte) ([]LDetectorRace, error) {
	if len(table)%LDetectorRaceBytes != 0 {
		return nil, fmt.Errorf("ldetector: %d bytes are not a number of records", len(table))
	}
	var races []LDetectorRace
	for ; len(table) > 0; table = table[LDetectorRaceBytes:] {
		w := make([]uint32, LDetectorRaceBytes/4)
		for i := range w {
			w[i] = binary.LittleEndian.Uint32(table[4*i:])
		}
		if w[0] == 0 {
			continue
		}
		r := LDetectorRace{
			LDetectorKind(w[0]), w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13],
			known(w[16 : 16+LDetectorRaceSites]), known(w[16+LDetectorRaceSites:]),
		}
		if r.Kind > LDetectorReadWrite {
			return nil, fmt.Errorf("ldetector: race record of kind %d is damaged", r.Kind)
		}
		races = append(races, r)
	}
	return races, nil
}

// known returns the sites of a list up to the first 0, sorted.
func known(list []uint32) []uint32 {
	if n := slices.Index(list, 0); n >= 0 {
		list = list[:n]
	}
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

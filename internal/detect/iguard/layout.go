// The layout of the detector's device memory.

package iguard

import (
	"math"
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

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
	regionEnd
)

var regionNames = [regionEnd]string{
	"iguard.metadata", "iguard.counters", "iguard.block-barriers", "iguard.warp-barriers",
	"iguard.warp-locks", "iguard.thread-locks", "iguard.races",
	"iguard.block-fences", "iguard.warp-fences",
}

type region struct{ addr, size uint64 }

// Limits of the metadata table: large tables wrap around, and entries that
// collide lose history (the tag tells them apart, so nothing false is reported).
const (
	minIndexBits = 10
	maxIndexBits = 26
	// heapIndexBits replaces minIndexBits if kernels allocate memory. An index of 22 bits and a tag of 9 bits
	// distinguish 2^31 granules. A table of 2^22 entries takes 192 MiB if all of it is used, as by many small
	// allocations.
	heapIndexBits = 22
)

// maxBackoff is the longest wait of the back-off from locked metadata, in
// nanoseconds. Below it, the limit is one for each eight threads of the grid: the
// paper (6.5) asks for a limit that grows with the threads, and gives no numbers.
const maxBackoff = 1 << 15

// layout computes the state, addresses excepted, and the size of each region.
func (g *Detector) layout(l detect.LaunchShape) (abi.IGuardStateVar, [regionEnd]uint64) {
	s := abi.IGuardStateVar{
		GranuleBits: uint32(bits.TrailingZeros(uint(g.opts.Granularity))), Version: abi.IGuardVersion,
		CounterBits: g.opts.Counters.Mask(), Options: g.optionBits(),
	}
	g.layoutTable(&s, &l)
	blocks, perBlock := l.Blocks(), l.Threads()
	threads, warps := blocks*perBlock, blocks*((perBlock+abi.WarpLanes-1)/abi.WarpLanes)
	s.BlockThreads, s.BlockWarps = uint32(perBlock), uint32(warps/blocks)
	s.BlockBytes = abi.IGuardCounterBytes * s.BlockThreads
	if l.Backoff && g.opts.Contention {
		s.Backoff = uint32(min(max(threads/8, abi.IGuardBackoff), maxBackoff))
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
	}
	return s, sizes
}

// optionBits returns the options in the form that the device library reads.
func (g *Detector) optionBits() (set uint32) {
	for bit, on := range map[uint32]bool{
		abi.IGuardOptionLocks: g.opts.Locks, abi.IGuardOptionITS: g.opts.ITS, abi.IGuardOptionStop: g.opts.Stop,
		abi.IGuardOptionScope: g.opts.Scope, abi.IGuardOptionLockScope: g.opts.LockScope,
		abi.IGuardOptionCumulative: g.opts.Cumulative,
	} {
		if on {
			set |= bit
		}
	}
	return set
}

// layoutTable sets how addresses index the metadata table.
func (g *Detector) layoutTable(s *abi.IGuardStateVar, l *detect.LaunchShape) {
	granules := max(1, (l.LargestAllocation+uint64(g.opts.Granularity)-1)>>s.GranuleBits)
	s.SlotShift, s.Uses = 63, abi.IGuardUsesTags
	total := granules
	switch {
	case l.Slots > 0 && l.Heap: // the tag has the rest of the offset, and the lowest bits of the slot
		s.SlotShift = 32 - s.GranuleBits
		s.SlotGranules = uint32(uint64(1) << s.SlotShift) // 0 for granules of a byte
		total = max(granules, 1<<heapIndexBits)
	case l.Slots > 0 && l.Apart: // no granules per slot: all slots share the same indices
		s.SlotShift = 32 - s.GranuleBits
	case l.Slots > 0:
		s.SlotShift = 32 - s.GranuleBits
		step := max(l.SlotStep, 1) // the granules of a slot are spread over the unused slots
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
	if l.Slots > 0 && !l.Heap && total <= 1<<s.IndexBits {
		s.Uses = 0
	}
}

// indexBits returns the binary logarithm of the number of entries in a table for that many granules.
func indexBits(granules uint64) uint32 {
	return uint32(min(max(bits.Len64(granules-1), minIndexBits), maxIndexBits))
}

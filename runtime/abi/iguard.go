// The formats of the iGUARD device library: options, state and race records.

package abi

import (
	"encoding/binary"
	"fmt"
)

// The iGUARD device library's data formats. runtime/device/include/iguard_abi.h
// states the same facts for the device code; TestHeader compares the two.
//
// Memory metadata is a table of entries of IGuardEntryBytes, one per granule (4
// bytes of memory by default). An entry remembers three accesses, its
// sides: the last accessor, the last writer, and the sharer, which is the last
// accessor that another warp or block displaced. A side is two words, its id and
// its sync:
//
//	id    0-31 linear block index   32-55 site
//	      accessor only: 56 valid  57 modified  58 BlkShared  59 DevShared  60 loaded by another thread than
//	      the writer since it was modified  63 busy (the entry's lock)
//	sync  0-9 thread in block  10-17 block barriers  18-23 warp barriers  24-29 device fences
//	      30 atomic  31 block scope  32-37 block fences  38-53 locks held
//	      54 all locks held are of block scope   accessor only: 55-63 tag
//
// What most checks compare is in the low half of the sync.
//
// The accessors of all entries come first, then the writers of all, then the sharers: what
// nobody writes, as the writers of data that is only read, takes no memory where memory is
// given on demand. Sides are in runs of IGuardRun: the first words of all sides of a run, then
// the second words. Neighbours in memory have neighbours for each word, so that the accesses of a
// warp to its metadata are consecutive where those to the data are.
//
// The paper's entry (Figure 4) has 16 bytes; the site and the full identity of
// both accessors, which its reports do not give, make it 48. Fields and widths of
// the synchronisation status are the paper's. Flags Atomic and Scope are kept per
// side, because md in Table 2 is the accessor for stores and the writer for loads.
const (
	IGuardVersion = 12

	IGuardSideBytes  = 16
	IGuardEntryBytes = 3 * IGuardSideBytes
	IGuardRun        = 1 << 8 // sides

	// Bytes per element of the synchronisation metadata.
	IGuardCounterBytes = 8 // per thread: the counters of a sync word
	IGuardBarrierBytes = 4 // per block and per warp
	IGuardFenceBytes   = 4 // a last fence (option cumulative): one per block, IGuardWarpFences per warp
	IGuardWarpFences   = 2
	IGuardLockBytes    = 16 // per thread and per warp: the lock table and the summary of those held

	// Synchronisation edges (option edge): vectors of IGuardEdgeClasses times, of 4 bytes.
	IGuardEdgeClasses      = 16                    // blocks whose numbers differ by as many share a time
	IGuardEdgeBlockBytes   = 4 * IGuardEdgeClasses // per block: what its warps knew at their last barrier
	IGuardEdgeWarpBytes    = 3 * IGuardEdgeBlockBytes
	IGuardEdgeRows         = 1 << 12 // locations with something released
	IGuardEdgeTimesBytes   = 16      // per entry: when its sides accessed
	IGuardEdgePendingBytes = 8       // per thread: what it is about to read

	// Race table: records of IGuardRaceBytes, 1 MB in all (section 6.4).
	IGuardRaceBytes = 64
	IGuardRaces     = 1 << 14
)

// Names of the library's symbols, with what the functions take and return. block is the linear
// index of the caller's block, sync of the sync word what only the thread itself changes, low and high the halves
// of sync, counters the address of where that lies, locks that of the warp's lock table, entries that of the table of entries.
const (
	IGuardState          = "__ptxsan_iguard_state"
	IGuardBlock          = "__ptxsan_iguard_block"           // () u32 block
	IGuardSelf           = "__ptxsan_iguard_self"            // (u64 counters) u64 sync
	IGuardOwnCounters    = "__ptxsan_iguard_own_counters"    // (u32 block) u64 counters
	IGuardWarpLocks      = "__ptxsan_iguard_warp_locks"      // (u32 block, u64 sync) u64 locks
	IGuardEntries        = "__ptxsan_iguard_entries"         // () u64 entries
	IGuardLoad           = "__ptxsan_iguard_load"            // (u64 address, u32 site, u32 info, u32 block, u32 low, u32 high, u64 locks, u64 entries) plain, usual
	IGuardStore          = "__ptxsan_iguard_store"           // as load: plain, usual
	IGuardAtomicLoad     = "__ptxsan_iguard_atomic_load"     // as load: atomic, usual
	IGuardAtomic         = "__ptxsan_iguard_atomic"          // as load: atomic store or read-modify-write, usual
	IGuardCAS            = "__ptxsan_iguard_cas"             // as load: compare-and-swap, usual
	IGuardExch           = "__ptxsan_iguard_exch"            // as load: exchange, usual
	IGuardLock           = "__ptxsan_iguard_lock"            // (u64 address, u32 info, u32 block, u64 sync, u64 locks) compare-and-swap that is not checked
	IGuardUnlock         = "__ptxsan_iguard_unlock"          // as lock: exchange that is not checked
	IGuardGenericLoad    = "__ptxsan_iguard_generic_load"    // as load, but that the address is generic
	IGuardGenericStore   = "__ptxsan_iguard_generic_store"   // as store, but that the address is generic
	IGuardGenericAtomic  = "__ptxsan_iguard_generic_atomic"  // as atomic, but that the address is generic
	IGuardWideLoad       = "__ptxsan_iguard_wide_load"       // as load, but of several granules
	IGuardWideStore      = "__ptxsan_iguard_wide_store"      // as store, but of several granules
	IGuardWideAtomic     = "__ptxsan_iguard_wide_atomic"     // as atomic, but of several granules
	IGuardAnyLoad        = "__ptxsan_iguard_any_load"        // (u64 address, u32 site, u32 info)
	IGuardAnyStore       = "__ptxsan_iguard_any_store"       // (u64 address, u32 site, u32 info)
	IGuardBlockFence     = "__ptxsan_iguard_block_fence"     // (u32 block, u64 sync, u64 counters, u64 locks) u64 sync
	IGuardDeviceFence    = "__ptxsan_iguard_device_fence"    // as block fence
	IGuardBlockBarrier   = "__ptxsan_iguard_block_barrier"   // (u64 sync, u64 counters) u64 sync
	IGuardPartialBarrier = "__ptxsan_iguard_partial_barrier" // (u32 barrier, u32 threads, u32 block, u64 sync, u64 counters) u64 sync
	IGuardArrival        = "__ptxsan_iguard_arrival"         // ()
	IGuardWarpBarrier    = "__ptxsan_iguard_warp_barrier"    // (u32 lanes, u32 block, u64 sync, u64 counters) u64 sync

	// Of the option edge:
	IGuardStrong      = "__ptxsan_iguard_strong"       // (u64 address, u32 how)
	IGuardObserve     = "__ptxsan_iguard_observe"      // ()
	IGuardEdgeFence   = "__ptxsan_iguard_edge_fence"   // (u32 scope)
	IGuardEdgeBarrier = "__ptxsan_iguard_edge_barrier" // ()
)

// Arguments of the hooks. An access is usual when it is of global memory, no wider than
// the granularity, and none of the bits in IGuardInfoUnusual is set.
const (
	// info: the bytes accessed (1 to 255), and bits.
	IGuardInfoAtomic     = 1 << 30 // atomic in the PTX sense: read-modify-write, relaxed, acquire, release
	IGuardInfoBlockScope = 1 << 31 // atomic at .cta or .cluster scope
	IGuardInfoCAS        = 1 << 10 // may take a lock
	IGuardInfoExch       = 1 << 11 // may release a lock
	IGuardInfoGeneric    = 1 << 12 // the address may be of other memory than global, of shared memory too
	IGuardInfoWide       = 1 << 13 // more bytes than the granularity
	IGuardInfoAlone      = 1 << 14 // each lane checks for itself (option contention)
	IGuardInfoShared     = 1 << 15 // shared memory; the library finds out
	IGuardInfoUnusual    = IGuardInfoGeneric | IGuardInfoWide | IGuardInfoAlone

	IGuardFenceBlock  = 0
	IGuardFenceDevice = 1

	// How a strong operation accesses.
	IGuardEdgeWrites     = 1 << 0
	IGuardEdgeReads      = 1 << 1
	IGuardEdgeBlockScope = 1 << 2
	IGuardEdgeGeneric    = 1 << 3 // global or other memory

	// IGuardMaxSites is the number of sites that the metadata can tell apart.
	IGuardMaxSites = 1<<24 - 1
)

// Options in State.
const (
	IGuardOptionLocks      = 1
	IGuardOptionITS        = 2
	IGuardOptionScope      = 4
	IGuardOptionLockScope  = 8
	IGuardOptionStop       = 16
	IGuardOptionCumulative = 32
	IGuardOptionEdge       = 64
)

// What a launch uses, in State: the library notes most of it.
const (
	IGuardUsesTags  = 16 // several granules may share an entry of global memory
	IGuardUsesEdges = 32 // the option edge
)

// IGuardBackoff is the first wait of the back-off from locked metadata (6.5), in
// nanoseconds.
const IGuardBackoff = 32

// IGuardOptions are the detector's options. The pass parses them; the host half
// hands them to the device code.
type IGuardOptions struct {
	Granularity int  // bytes of memory per metadata entry: 1, 4, 8 or 16
	Locks       bool // infer locks and check lock sets (6.3, P and R conditions with Locks)
	ITS         bool // threads of a warp may progress independently (3.2); false: lock-step
	Contention  bool // coalesce and back off where metadata are contended for (6.5)
	Stop        bool // check nothing after the first race

	// Counters is the widths of the counters of the synchronisation metadata (6.1).
	Counters IGuardCounters

	// Beyond the paper.
	Pairs      bool // name both accesses of a race, not only the second
	Scope      bool // condition P6 demands a sufficient scope of the current atomic, too
	LockScope  bool // condition R5: a lock of block scope excludes no thread of another block
	Cumulative bool // conditions R3 and R4: a fence covers what a barrier before it has ordered
	Shared     bool // check shared memory, too
	Edge       bool // conditions R3 and R4: a fence orders before what comes after somebody observed it
}

// IGuardCounters is the widths in bits of a thread's counters. A counter wraps around:
// 2^width fences or barriers between two accesses are none to the detector.
type IGuardCounters struct {
	Fence       int // fences of device scope, and fences of block scope
	Barrier     int // barriers of the block
	WarpBarrier int // barriers of the warp
}

// PaperIGuardCounters is the paper's widths. More do not fit into a sync word.
var PaperIGuardCounters = IGuardCounters{Fence: 6, Barrier: 8, WarpBarrier: 6}

// Mask is the bits of a sync word that the counters use.
func (c IGuardCounters) Mask() uint64 {
	ones := func(n int) uint64 { return 1<<n - 1 }
	return ones(c.Barrier)<<10 | ones(c.WarpBarrier)<<18 | ones(c.Fence)<<24 | ones(c.Fence)<<32
}

// Validate reports a width that a sync word has no room for.
func (c IGuardCounters) Validate() error {
	p := PaperIGuardCounters
	for _, w := range []struct {
		name      string
		bits, max int
	}{{"fencebits", c.Fence, p.Fence}, {"barrierbits", c.Barrier, p.Barrier}, {"warpbits", c.WarpBarrier, p.WarpBarrier}} {
		if w.bits < 1 || w.bits > w.max {
			return fmt.Errorf("%s %d: must be 1 to %d", w.name, w.bits, w.max)
		}
	}
	return nil
}

// DefaultIGuardOptions are the paper's, and what goes beyond it at no cost.
func DefaultIGuardOptions() IGuardOptions {
	o := PaperIGuardOptions()
	o.Pairs, o.Scope, o.LockScope, o.Cumulative = true, true, true, true
	return o
}

// PaperIGuardOptions are the paper's.
func PaperIGuardOptions() IGuardOptions {
	return IGuardOptions{Granularity: 4, Locks: true, ITS: true, Contention: true, Counters: PaperIGuardCounters}
}

// Validate reports an option with a value that the device code does not support.
func (o IGuardOptions) Validate() error {
	switch o.Granularity {
	case 1, 4, 8, 16:
		return o.Counters.Validate()
	}
	return fmt.Errorf("granularity %d: must be 1, 4, 8 or 16 bytes", o.Granularity)
}

// IGuardStateVar is the variable IGuardState, which the host fills before a launch.
type IGuardStateVar struct {
	IndexMask    uint32 // entries - 1; the number of entries is a power of two
	SlotGranules uint32 // granules of an address slot that are in the table
	GranuleBits  uint32 // log2 of the granularity
	Uses         uint32 // what the launch uses; the library adds to it
	Entries      uint64 // address of the memory metadata

	Counters    uint64 // u64 per thread of the grid: the counters, where a sync word has them
	BlockBytes  uint32 // of the counters of a block
	Options     uint32 // IGuardOption bits
	BlockBars   uint64 // u32 per block: barriers of some of its threads
	WarpBars    uint64 // u32 per warp: barriers of some of its lanes
	WarpLocks   uint64 // IGuardLockBytes per warp: lock table (Figure 7)
	ThreadLocks uint64 // IGuardLockBytes per thread: lock table
	Races       uint64 // IGuardRaces records
	BlockFences uint64 // u32 per block: its last device fence
	WarpFences  uint64 // u32s per warp: its last device fence, its last fence

	SharedEntries uint64 // address of the metadata of shared memory, block after block
	CounterBits   uint64 // IGuardCounters.Mask

	SlotShift    uint32 // bits of a granule's number below its slot number; 63 without slots
	IndexBits    uint32 // log2 of the number of entries
	Dropped      uint32 // races that found the table full; written by the library
	Version      uint32 // IGuardVersion; set in the module to begin with
	Backoff      uint32 // longest wait for a locked entry, in nanoseconds; 0 for always IGuardBackoff
	BlockThreads uint32 // threads of a block
	BlockWarps   uint32 // warps of a block

	SharedGranules uint32 // granules of a block's shared memory; 0: it is not watched
	SharedMask     uint32 // the number of SharedEntries - 1; the number is a power of two
	SharedBits     uint32 // log2 of the number of SharedEntries

	Clock       uint32 // fences so far, with the option edge; written by the library
	Found       uint32 // records of races in use; written by the library
	EdgeTimes   uint64 // IGuardEdgeTimesBytes per entry
	EdgeWarps   uint64 // IGuardEdgeWarpBytes per warp
	EdgeBlocks  uint64 // IGuardEdgeBlockBytes per block
	EdgeRows    uint64 // IGuardEdgeRows vectors
	EdgePending uint64 // IGuardEdgePendingBytes per thread
}

// IGuardStateBytes is the size of the variable, padding included.
const IGuardStateBytes = 208

// Encode lays the state out as the device code reads it.
func (s *IGuardStateVar) Encode() []byte {
	var b words
	b.u32(s.IndexMask, s.SlotGranules, s.GranuleBits, s.Uses)
	b.u64(s.Entries, s.Counters)
	b.u32(s.BlockBytes, s.Options)
	b.u64(s.BlockBars, s.WarpBars, s.WarpLocks, s.ThreadLocks, s.Races, s.BlockFences, s.WarpFences, s.SharedEntries, s.CounterBits)
	b.u32(s.SlotShift, s.IndexBits, s.Dropped, s.Version, s.Backoff, s.BlockThreads, s.BlockWarps, s.SharedGranules, s.SharedMask, s.SharedBits, s.Clock, s.Found)
	b.u64(s.EdgeTimes, s.EdgeWarps, s.EdgeBlocks, s.EdgeRows, s.EdgePending)
	return append(b, make([]byte, IGuardStateBytes-len(b))...)
}

// IGuardFound reads the number of race records in use out of an encoded state.
func IGuardFound(state []byte) uint32 { return binary.LittleEndian.Uint32(state[156:]) }

// IGuardDropped reads the number of dropped races out of an encoded state.
func IGuardDropped(state []byte) uint32 { return binary.LittleEndian.Uint32(state[120:]) }

// IGuardSync is the synchronisation status of a thread at an access.
type IGuardSync struct {
	Thread               uint32 // linear index in the block
	DevFences, BlkFences uint8  // modulo 64
	BlkBars              uint8  // modulo 256
	WarpBars             uint8  // modulo 64
	Locks                uint16 // summary of the locks held
	BlockLocks           bool   // locks are held, and all of them are of block scope
	Atomic, BlockScope   bool
}

// DecodeIGuardSync takes the second word of a side apart.
func DecodeIGuardSync(w uint64) IGuardSync {
	return IGuardSync{
		Thread:     uint32(w & 0x3ff),
		BlkBars:    uint8(w >> 10),
		WarpBars:   uint8(w >> 18 & 0x3f),
		DevFences:  uint8(w >> 24 & 0x3f),
		Atomic:     w>>30&1 != 0,
		BlockScope: w>>31&1 != 0,
		BlkFences:  uint8(w >> 32 & 0x3f),
		Locks:      uint16(w >> 38),
		BlockLocks: w>>54&1 != 0,
	}
}

// IGuardKind relates the threads of a race.
type IGuardKind uint8

// Kinds.
const (
	IGuardIntraWarp IGuardKind = iota
	IGuardIntraBlock
	IGuardInterBlock
)

// IGuardRace is one record of the race table: a pair of sites and a rule, with the
// threads and the metadata of the first occurrence.
type IGuardRace struct {
	Rule                    int // the R condition of Table 2 that held, 1 to 5
	Kind                    IGuardKind
	FirstSite, SecondSite   uint32
	FirstBlock, SecondBlock uint32 // linear indices
	First, Second           IGuardSync
	Shared                  bool   // in shared memory of the block
	Address                 uint64 // in the shared window for shared memory
	Count                   uint32
	Size                    uint32 // bytes accessed by the second side
	BlkFenceSince           bool   // the first thread has executed a block fence since its access
	BlkBarSince             bool   // the first thread's block has passed a barrier since
}

// DecodeIGuardRaces reads the records in use, in table order.
func DecodeIGuardRaces(table []byte) ([]IGuardRace, error) {
	var races []IGuardRace
	le := binary.LittleEndian
	for ; len(table) >= IGuardRaceBytes; table = table[IGuardRaceBytes:] {
		key := le.Uint64(table)
		if key == 0 {
			continue
		}
		r := IGuardRace{
			Rule: int(key >> 50 & 7), Kind: IGuardKind(key >> 48 & 3),
			FirstSite: uint32(key >> 24 & 0xffffff), SecondSite: uint32(key & 0xffffff),
			Shared:  key>>62&1 != 0,
			Address: le.Uint64(table[8:]),
			First:   DecodeIGuardSync(le.Uint64(table[16:])), Second: DecodeIGuardSync(le.Uint64(table[24:])),
			FirstBlock: le.Uint32(table[32:]), SecondBlock: le.Uint32(table[36:]),
			Count: le.Uint32(table[40:]), Size: le.Uint32(table[48:]),
		}
		detail := le.Uint32(table[44:])
		r.BlkFenceSince, r.BlkBarSince = detail&1 != 0, detail&2 != 0
		if key>>63 == 0 || r.Rule < 1 || r.Rule > 5 || r.Kind > IGuardInterBlock {
			return nil, fmt.Errorf("iguard: race record with key %#x is damaged", key)
		}
		races = append(races, r)
	}
	return races, nil
}

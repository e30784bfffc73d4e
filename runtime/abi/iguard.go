// The formats of the iGUARD device library: options, state and race records.

package abi

import (
	"encoding/binary"
	"fmt"
)

// The data formats of the iGUARD device library. passes/device/include/iguard_abi.h states the same facts for the
// device code; TestHeader compares the two.
//
// The memory metadata are a table of entries of IGuardEntryBytes, one per granule (4 bytes of memory by default). An
// entry describes three accesses, called sides: the last accessor, the last writer, and the sharer, which is the last
// accessor that another warp or block replaced. A side is two words, its id and its sync:
//
//	id    0-31 linear block index   32-55 site
//	      accessor only: 56 valid  57 modified  58 BlkShared  59 DevShared  60 loaded by another thread than
//	      the writer since it was modified  63 busy (the entry's lock)
//	sync  0-9 thread in block  10-17 block barriers  18-23 warp barriers  24-29 device fences
//	      30 atomic  31 block scope  32-37 block fences  38-53 locks held
//	      54 all locks held are of block scope   accessor only: 55-63 tag
//
// Most checks compare only the low half of the sync.
//
// The accessors of all entries come first, then the writers of all entries, then the sharers. Parts that are never
// written, such as the writers of read-only data, take no memory if pages are allocated on demand. Before a launch only
// the accessors are zeroed: their flags say what the other sides hold. Sides are in runs of IGuardRun: the first words
// of all sides of a run, then the second words. Since each word of neighbouring entries is adjacent, a warp's accesses
// to metadata are consecutive if its data accesses are.
//
// The paper's entry (Figure 4) has 16 bytes. The site and the full identity of both accessors, which the paper's
// reports do not contain, make it 48. Fields and widths of the synchronisation status are the paper's. Flags Atomic and
// Scope are stored per side, because md in Table 2 is the accessor for stores and the writer for loads.
const (
	IGuardVersion = 13

	IGuardSideBytes  = 16
	IGuardEntryBytes = 3 * IGuardSideBytes
	IGuardRun        = 1 << 8 // sides

	// Bytes per element of the synchronisation metadata.
	IGuardCounterBytes = 8 // per thread: the counters of a sync word
	IGuardBarrierBytes = 4 // per block and per warp
	IGuardFenceBytes   = 4 // a last fence (option cumulative): one per block, IGuardWarpFences per warp
	IGuardWarpFences   = 2
	IGuardLockBytes    = 16 // per thread and per warp: the lock table and the summary of the locks held

	// Race table: records of IGuardRaceBytes, 1 MB in all (section 6.4).
	IGuardRaceBytes = 64
	IGuardRaces     = 1 << 14
)

// Names of the library's symbols, with the parameters and results of the functions. block is the linear index of the
// caller's block. sync is the part of the sync word that only the thread itself changes, low and high are its halves.
// counters is the address of the thread's counters, locks that of the warp's lock table, entries that of the table of
// entries.
const (
	IGuardState          = "__ptxsan_iguard_state"
	IGuardBlock          = "__ptxsan_iguard_block"           // () u32 block
	IGuardSelf           = "__ptxsan_iguard_self"            // (u64 counters) u64 sync
	IGuardOwnCounters    = "__ptxsan_iguard_own_counters"    // (u32 block) u64 counters
	IGuardWarpLocks      = "__ptxsan_iguard_warp_locks"      // (u32 block, u64 sync) u64 locks
	IGuardEntries        = "__ptxsan_iguard_entries"         // () u64 entries
	IGuardLoad           = "__ptxsan_iguard_load"            // plain, common case
	IGuardStore          = "__ptxsan_iguard_store"           // as load: plain, common case
	IGuardAtomicLoad     = "__ptxsan_iguard_atomic_load"     // as load: atomic, common case
	IGuardAtomic         = "__ptxsan_iguard_atomic"          // as load: atomic store or read-modify-write, common case
	IGuardCAS            = "__ptxsan_iguard_cas"             // as load: compare-and-swap, common case
	IGuardExch           = "__ptxsan_iguard_exch"            // as load: exchange, common case
	IGuardLock           = "__ptxsan_iguard_lock"            // (u64 address, u32 info, u32 block, u64 sync, u64 locks) compare-and-swap without a check
	IGuardUnlock         = "__ptxsan_iguard_unlock"          // as lock: exchange without a check
	IGuardGenericLoad    = "__ptxsan_iguard_generic_load"    // as load, with a generic address
	IGuardGenericStore   = "__ptxsan_iguard_generic_store"   // as store, with a generic address
	IGuardGenericAtomic  = "__ptxsan_iguard_generic_atomic"  // as atomic, with a generic address
	IGuardWideLoad       = "__ptxsan_iguard_wide_load"       // as load, of several granules
	IGuardWideStore      = "__ptxsan_iguard_wide_store"      // as store, of several granules
	IGuardWideAtomic     = "__ptxsan_iguard_wide_atomic"     // as atomic, of several granules
	IGuardAnyLoad        = "__ptxsan_iguard_any_load"        // (u64 address, u32 site, u32 info)
	IGuardAnyStore       = "__ptxsan_iguard_any_store"       // (u64 address, u32 site, u32 info)
	IGuardBlockFence     = "__ptxsan_iguard_block_fence"     // (u32 block, u64 sync, u64 counters, u64 locks) u64 sync
	IGuardDeviceFence    = "__ptxsan_iguard_device_fence"    // as block fence
	IGuardBlockBarrier   = "__ptxsan_iguard_block_barrier"   // (u64 sync, u64 counters) u64 sync
	IGuardPartialBarrier = "__ptxsan_iguard_partial_barrier" // (u32 barrier, u32 threads, u32 block, u64 sync, u64 counters) u64 sync
	IGuardArrival        = "__ptxsan_iguard_arrival"         // ()
	IGuardWarpBarrier    = "__ptxsan_iguard_warp_barrier"    // (u32 lanes, u32 block, u64 sync, u64 counters) u64 sync
)

// Arguments of the hooks. The common case is an access to global memory, no wider than the granularity, with none of
// the bits in IGuardInfoUnusual.
const (
	// info: the bytes accessed (1 to 255), and bits.
	IGuardInfoAtomic     = 1 << 30 // atomic in the PTX sense: read-modify-write, relaxed, acquire, release
	IGuardInfoBlockScope = 1 << 31 // atomic at .cta or .cluster scope
	IGuardInfoCAS        = 1 << 10 // may take a lock
	IGuardInfoExch       = 1 << 11 // may release a lock
	IGuardInfoGeneric    = 1 << 12 // the address may be in other memory than global, including shared memory
	IGuardInfoWide       = 1 << 13 // more bytes than the granularity
	IGuardInfoAlone      = 1 << 14 // each lane checks separately (option contention)
	IGuardInfoUnusual    = IGuardInfoGeneric | IGuardInfoWide | IGuardInfoAlone

	// IGuardMaxSites is the maximum number of sites in the metadata.
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
)

// Features that a launch uses, in State. The library sets most of them.
const (
	IGuardUsesTags = 16 // several granules may share an entry of global memory
)

// IGuardBackoff is the first wait of the back-off from locked metadata (6.5), in nanoseconds.
const IGuardBackoff = 32

// IGuardOptions holds the detector's options. The pass parses them; the host part passes them to the device code.
type IGuardOptions struct {
	Granularity int  // bytes of memory per metadata entry: 1, 4, 8 or 16
	Locks       bool // infer locks and check lock sets (6.3, P and R conditions with Locks)
	ITS         bool // threads of a warp may progress independently (3.2); false: lock-step
	Contention  bool // coalesce and back off under contention for metadata (6.5)
	Stop        bool // stop checking after the first race

	// Counters holds the widths of the counters of the synchronisation metadata (6.1).
	Counters IGuardCounters

	// Beyond the paper.
	Pairs      bool // name both accesses of a race, not only the second
	Scope      bool // condition P6 also requires a sufficient scope of the current atomic
	LockScope  bool // condition R5: a lock of block scope excludes no thread of another block
	Cumulative bool // conditions R3 and R4: a fence includes accesses that an earlier barrier has ordered
}

// IGuardCounters holds the widths in bits of a thread's counters. A counter wraps around: the detector misses 2^width
// fences or barriers between two accesses.
type IGuardCounters struct {
	Fence       int // fences of device scope, and fences of block scope
	Barrier     int // barriers of the block
	WarpBarrier int // barriers of the warp
}

// PaperIGuardCounters are the paper's widths. A sync word has no room for larger ones.
var PaperIGuardCounters = IGuardCounters{Fence: 6, Barrier: 8, WarpBarrier: 6}

// Mask returns the bits of a sync word that the counters use.
func (c IGuardCounters) Mask() uint64 {
	ones := func(n int) uint64 { return 1<<n - 1 }
	return ones(c.Barrier)<<10 | ones(c.WarpBarrier)<<18 | ones(c.Fence)<<24 | ones(c.Fence)<<32
}

// Validate returns an error for a width that does not fit a sync word.
func (c IGuardCounters) Validate() error {
	p := PaperIGuardCounters
	for _, w := range []struct {
		name      string
		bits, max int
	}{
		{"fencebits", c.Fence, p.Fence},
		{"barrierbits", c.Barrier, p.Barrier},
		{"warpbits", c.WarpBarrier, p.WarpBarrier},
	} {
		if w.bits < 1 || w.bits > w.max {
			return fmt.Errorf("%s %d: must be 1 to %d", w.name, w.bits, w.max)
		}
	}
	return nil
}

// DefaultIGuardOptions returns the paper's options and those extensions that have no cost.
func DefaultIGuardOptions() IGuardOptions {
	o := PaperIGuardOptions()
	o.Pairs, o.Scope, o.LockScope, o.Cumulative = true, true, true, true
	return o
}

// PaperIGuardOptions returns the paper's options.
func PaperIGuardOptions() IGuardOptions {
	return IGuardOptions{Granularity: 4, Locks: true, ITS: true, Contention: true, Counters: PaperIGuardCounters}
}

// Validate returns an error for a value that the device code does not support.
func (o IGuardOptions) Validate() error {
	switch o.Granularity {
	case 1, 4, 8, 16:
		return o.Counters.Validate()
	}
	return fmt.Errorf("granularity %d: must be 1, 4, 8 or 16 bytes", o.Granularity)
}

// IGuardStateVar is the variable IGuardState, which the host writes before a launch.
type IGuardStateVar struct {
	IndexMask    uint32 // entries - 1; the number of entries is a power of two
	SlotGranules uint32 // granules of an address slot that have entries in the table
	GranuleBits  uint32 // log2 of the granularity
	Uses         uint32 // features that the launch uses; the library adds to them
	Entries      uint64 // address of the memory metadata

	Counters    uint64 // u64 per thread of the grid: the counters, at their positions in a sync word
	BlockBytes  uint32 // of the counters of a block
	Options     uint32 // IGuardOption bits
	BlockBars   uint64 // u32 per block: barriers of some of its threads
	WarpBars    uint64 // u32 per warp: barriers of some of its lanes
	WarpLocks   uint64 // IGuardLockBytes per warp: lock table (Figure 7)
	ThreadLocks uint64 // IGuardLockBytes per thread: lock table
	Races       uint64 // IGuardRaces records
	BlockFences uint64 // u32 per block: its last device fence
	WarpFences  uint64 // u32s per warp: its last device fence, its last fence

	CounterBits uint64 // IGuardCounters.Mask

	SlotShift    uint32 // bits of a granule's number below its slot number; 63 without slots
	IndexBits    uint32 // log2 of the number of entries
	Dropped      uint32 // races that found the table full; written by the library
	Version      uint32 // IGuardVersion; initialised in the module
	Backoff      uint32 // longest wait for a locked entry, in nanoseconds; 0: always IGuardBackoff
	BlockThreads uint32 // threads of a block
	BlockWarps   uint32 // warps of a block

	Found uint32 // records of races in use; written by the library
}

// IGuardStateBytes is the size of the variable, including padding.
const IGuardStateBytes = 144

// Encode returns the state in the layout of the device code.
func (s *IGuardStateVar) Encode() []byte {
	var b words
	b.u32(s.IndexMask, s.SlotGranules, s.GranuleBits, s.Uses)
	b.u64(s.Entries, s.Counters)
	b.u32(s.BlockBytes, s.Options)
	b.u64(s.BlockBars, s.WarpBars, s.WarpLocks, s.ThreadLocks, s.Races, s.BlockFences, s.WarpFences, s.CounterBits)
	b.u32(s.SlotShift, s.IndexBits, s.Dropped, s.Version, s.Backoff, s.BlockThreads, s.BlockWarps, s.Found)
	return append(b, make([]byte, IGuardStateBytes-len(b))...)
}

// IGuardFound returns the number of race records in use in an encoded state.
func IGuardFound(state []byte) uint32 { return binary.LittleEndian.Uint32(state[132:]) }

// IGuardDropped returns the number of dropped races in an encoded state.
func IGuardDropped(state []byte) uint32 { return binary.LittleEndian.Uint32(state[112:]) }

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

// DecodeIGuardSync decodes the second word of a side.
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

// IGuardKind is the relation of the threads of a race.
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
	Rule                    int // the R condition of Table 2 that was true, 1 to 5
	Kind                    IGuardKind
	FirstSite, SecondSite   uint32
	FirstBlock, SecondBlock uint32 // linear indices
	First, Second           IGuardSync
	Address                 uint64
	Count                   uint32
	Size                    uint32 // bytes accessed by the second side
	BlkFenceSince           bool   // the first thread has executed a block fence since its access
	BlkBarSince             bool   // the first thread's block has passed a barrier since
}

// DecodeIGuardRaces decodes the records in use, in table order.
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

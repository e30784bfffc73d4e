// The formats of BARRACUDA's device library: records and queues.

package abi

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// The data formats of the BARRACUDA device library. passes/device/include/barracuda_abi.h states the same facts for the
// device code; a test compares the two.
//
// The kernel writes records into queues, and the host reads them while the kernel runs (PLDI 2017, section 4.2, Figure
// 6). The indices of a queue only grow; the slot of an index is its remainder modulo the capacity. All records of one
// block are in one queue: block number modulo the number of queues. The records follow the queue's header in memory.
//
// A record is for the lanes of a warp that execute an instruction together. The paper's has 16 + 8*32 bytes. Size,
// site, the ordering of the operation and the ticket make it 32 + 8*32. Tickets count all records, from 1 without gaps,
// across launches. They are needed because the order of synchronisation on a location cannot be derived from several
// queues, and because the order within one queue is that of reservations, not of barriers. The ticket is written last,
// and so marks the record as complete: the paper's commit index is the first index whose record has no ticket that is
// new to the host. No thread on the device waits for records of other warps, and there is no word that all warps write
// to signal completion.
const (
	BarracudaVersion     = 3
	BarracudaStateBytes  = 48
	BarracudaQueueBytes  = 128
	BarracudaRecordBytes = BarracudaRecordAddresses + 8*WarpLanes

	// Offsets in a queue. The kernel's index and the host's are in different cache lines.
	BarracudaQueueHead = 0  // u32, records reserved, modulo 2^32
	BarracudaQueueRead = 64 // u32, records that the host has consumed, modulo 2^32
	BarracudaQueueLast = 68 // capacity in records, a power of two, less one

	// Offsets in a record.
	BarracudaRecordTicket    = 24 // u64
	BarracudaRecordAddresses = 32 // u64 for each lane
)

// Names of the library's symbols. BarracudaBegin and BarracudaQueue return the queue of the thread's block. The other
// hooks take the thread's linear index in the grid first, and then the queue. info is a BarracudaInfo, site its ID. The
// hooks of branches return whether the branch separates the lane from others. At a convergence point, the function
// passes whether its latest branch has done so, or an earlier one.
const (
	BarracudaState     = "__ptxsan_barracuda_state"
	BarracudaBegin     = "__ptxsan_barracuda_begin"     // () u64 queue
	BarracudaQueue     = "__ptxsan_barracuda_queue"     // () u64 queue
	BarracudaEnd       = "__ptxsan_barracuda_end"       // (u64 thread, u64 queue)
	BarracudaAccess    = "__ptxsan_barracuda_access"    // (u64 thread, u64 queue, u64 address, u32 info, u32 site)
	BarracudaStore32   = "__ptxsan_barracuda_store32"   // (u64 thread, u64 queue, u64 address, u32 info, u32 site, u32 value)
	BarracudaStorePair = "__ptxsan_barracuda_storepair" // (u64 thread, u64 queue, u64 address, u32 info, u32 site, u32 value, u32 its high half)
	BarracudaStore64   = "__ptxsan_barracuda_store64"   // (u64 thread, u64 queue, u64 address, u32 info, u32 site, u64 value)
	BarracudaBarrier   = "__ptxsan_barracuda_barrier"   // (u64 thread, u64 queue, u32 barrier, u32 threads, u32 info, u32 site)
	BarracudaWarpSync  = "__ptxsan_barracuda_warpsync"  // (u64 thread, u64 queue, u32 lanes, u32 site)
	BarracudaFence     = "__ptxsan_barracuda_fence"     // (u64 thread, u64 queue, u32 info, u32 site)
	BarracudaBranch    = "__ptxsan_barracuda_branch"    // (u64 thread, u64 queue, u32 taken, u32 site) u32 parts
	BarracudaSwitch    = "__ptxsan_barracuda_switch"    // (u64 thread, u64 queue, u32 guard, u32 index, u32 site) u32 parts
	BarracudaConverge  = "__ptxsan_barracuda_converge"  // (u64 thread, u64 queue, u32 last, u32 before)
)

// BarracudaCluster is the number of the cluster's barrier in records and hooks.
const BarracudaCluster = 0xffff

// Bits of BarracudaInfo.
const (
	barracudaKindBits   = 8
	barracudaBytesShift = 8
	barracudaBytesBits  = 8
	barracudaScopeShift = 16
	barracudaScopeBits  = 3
	barracudaSpaceShift = 19
	barracudaSpaceBits  = 2
	barracudaAcquireBit = 21
	barracudaReleaseBit = 22
	barracudaValuedBit  = 23
	barracudaStrongBit  = 24
	barracudaReachShift = 25
	barracudaReachBits  = 3
)

// BarracudaKind is the kind of a record.
type BarracudaKind uint8

// Kinds of records.
const (
	BarracudaRead       BarracudaKind = 1 + iota
	BarracudaWrite                    // Extra: if Valued, lanes that write another value than the first lane with the same address
	BarracudaAtomic                   // also reductions, and stores qualified .relaxed or stronger
	BarracudaAtomicRead               // a load qualified .relaxed or stronger
	BarracudaSync                     // acquires or releases Addresses, without accessing them
	BarracudaIf                       // Extra: lanes that branch to the same target
	BarracudaFi                       // the lanes of Mask have converged
	BarracudaLanes                    // bar.warp.sync among the lanes of Extra, at which the lanes of Mask arrive
	BarracudaArrive                   // Extra: barrier<<16 | threads, with 0 threads for the whole block; the lanes wait
	BarracudaGo                       // BarracudaArrive by lanes that do not wait
	BarracudaPass                     // lanes continue after the barrier of the cluster
	BarracudaFenced                   // a fence
	BarracudaStarted                  // threads begin
	BarracudaExited                   // threads end
	barracudaKindsEnd
)

// BarracudaInfo is a word with the properties of a record.
type BarracudaInfo struct {
	Kind             BarracudaKind
	Bytes            uint32 // accessed by each lane, at most 255
	Scope            Scope  // scope of the ordering
	Space            Space  // of accesses: SpaceGlobal or SpaceShared; in a hook's argument another one if it depends on the address
	Acquire, Release bool
	Valued           bool  // Extra of a BarracudaWrite is set
	Strong           bool  // the access is volatile, relaxed or stronger, or an atomic operation
	Reach            Scope // scope of such an access; ScopeNone if it has none
}

// barracudaSpaces are the spaces by their number in the word; 0 stands for all others.
var barracudaSpaces = [1 << barracudaSpaceBits]Space{1: SpaceGlobal, 2: SpaceShared}

// Encode packs the word.
func (i BarracudaInfo) Encode() uint32 {
	w := uint32(i.Kind) | i.Bytes<<barracudaBytesShift | uint32(i.Scope)<<barracudaScopeShift | uint32(slices.Index(barracudaSpaces[1:3], i.Space)+1)<<barracudaSpaceShift |
		uint32(i.Reach)<<barracudaReachShift
	for _, b := range []struct {
		on  bool
		bit int
	}{
		{i.Acquire, barracudaAcquireBit},
		{i.Release, barracudaReleaseBit},
		{i.Valued, barracudaValuedBit},
		{i.Strong, barracudaStrongBit},
	} {
		if b.on {
			w |= 1 << b.bit
		}
	}
	return w
}

// DecodeBarracudaInfo returns the inverse of Encode.
func DecodeBarracudaInfo(w uint32) BarracudaInfo {
	return BarracudaInfo{
		Kind:    BarracudaKind(w),
		Bytes:   w >> barracudaBytesShift & (1<<barracudaBytesBits - 1),
		Scope:   Scope(w >> barracudaScopeShift & (1<<barracudaScopeBits - 1)),
		Space:   barracudaSpaces[w>>barracudaSpaceShift&(1<<barracudaSpaceBits-1)],
		Acquire: w>>barracudaAcquireBit&1 != 0, Release: w>>barracudaReleaseBit&1 != 0,
		Valued: w>>barracudaValuedBit&1 != 0,
		Strong: w>>barracudaStrongBit&1 != 0, Reach: Scope(w >> barracudaReachShift & (1<<barracudaReachBits - 1)),
	}
}

// BarracudaRecord is a decoded record.
type BarracudaRecord struct {
	BarracudaInfo
	Thread    uint64 // linear index in the grid of the warp's lane 0, which need not be in Mask
	Mask      uint32 // lanes that execute the instruction
	Site      uint32
	Extra     uint32
	Ticket    uint64
	Addresses [WarpLanes]uint64
}

// Decode decodes a record from BarracudaRecordBytes bytes. It does not change the addresses of lanes outside Mask, nor
// of records without addresses. It returns an error for contents that no device library writes.
func (r *BarracudaRecord) Decode(b []byte) error {
	le := binary.LittleEndian
	_ = b[BarracudaRecordBytes-1]
	r.BarracudaInfo, r.Site, r.Mask, r.Extra = DecodeBarracudaInfo(le.Uint32(b)), le.Uint32(b[4:]), le.Uint32(b[8:]),
		le.Uint32(b[12:])
	if r.Kind == 0 || r.Kind >= barracudaKindsEnd || r.Mask == 0 {
		return fmt.Errorf("barracuda: a record of kind %d with lanes %#x is damaged", r.Kind, r.Mask)
	}
	r.Thread, r.Ticket = le.Uint64(b[16:])-uint64(bits.TrailingZeros32(r.Mask)), le.Uint64(b[BarracudaRecordTicket:])
	if r.Kind <= BarracudaSync {
		for m := r.Mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m)
			r.Addresses[lane] = le.Uint64(b[BarracudaRecordAddresses+8*lane:])
		}
	}
	return nil
}

// BarracudaStateVar is the variable BarracudaState, which the host writes before a launch.
type BarracudaStateVar struct {
	Queues  uint64 // address of the first queue; 0 disables the hooks
	Stride  uint64 // bytes from one queue to the next
	Ticket  uint64 // next ticket
	Count   uint32 // number of queues
	Version uint32 // BarracudaVersion; initialised in the module
}

// Encode returns the state in the layout of the device code.
func (s *BarracudaStateVar) Encode() []byte {
	b := make([]byte, BarracudaStateBytes)
	for i, v := range []uint64{s.Queues, s.Stride, s.Ticket} {
		binary.LittleEndian.PutUint64(b[8*i:], v)
	}
	binary.LittleEndian.PutUint32(b[24:], s.Count)
	binary.LittleEndian.PutUint32(b[32:], s.Version)
	return b
}

// BarracudaTicket returns the next ticket of an encoded state.
func BarracudaTicket(state []byte) uint64 { return binary.LittleEndian.Uint64(state[16:]) }

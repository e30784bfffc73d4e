package abi

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// The BARRACUDA device library's data formats; runtime/device/include/barracuda_abi.h
// states the same facts for the device code, and a test compares the two.
//
// The kernel writes records into queues, and the host reads them while the kernel
// runs (PLDI 2017, section 4.2, Figure 6). A queue has three indices that only grow;
// the place of an index is its remainder modulo the capacity. Records of one block are
// all in one queue, block number modulo the number of queues.
//
// A record is for the lanes of a warp that execute an instruction together. The
// paper's has 16 + 8*32 bytes; size, site, what the operation orders, the ticket and
// the sequence number, aligned for vector stores, make it 48 + 8*32. Tickets count all records of a launch, from 1
// without gaps: several queues do not tell in which order locations were synchronised
// on, and the order of one queue is that of reservations, not of barriers. The sequence
// number says that a record is complete; the library commits complete records
// without waiting for others.
const (
	BarracudaVersion     = 2
	BarracudaStateBytes  = 48
	BarracudaQueueBytes  = 128
	BarracudaRecordBytes = 48 + 8*WarpLanes

	// Offsets in a queue: the kernel's indices and the host's are in different cache lines.
	BarracudaQueueHead   = 0  // u64, records reserved
	BarracudaQueueCommit = 8  // u64, records that the host may read
	BarracudaQueueRead   = 64 // u64, records that the host has read
)

// Names of the library's symbols. The hooks take the thread's linear index in the grid
// first, but BarracudaBegin. Their argument what is the site's ID, and a BarracudaInfo in
// the low half.
const (
	BarracudaState     = "__ptxsan_barracuda_state"
	BarracudaBegin     = "__ptxsan_barracuda_begin"     // ()
	BarracudaEnd       = "__ptxsan_barracuda_end"       // (u64 thread)
	BarracudaAccess    = "__ptxsan_barracuda_access"    // (u64 thread, u64 address, u64 what)
	BarracudaStore32   = "__ptxsan_barracuda_store32"   // (u64 thread, u64 address, u64 what, u32 value)
	BarracudaStorePair = "__ptxsan_barracuda_storepair" // (u64 thread, u64 address, u64 what, u32 value, u32 its high half)
	BarracudaStore64   = "__ptxsan_barracuda_store64"   // (u64 thread, u64 address, u64 what, u64 value)
	BarracudaBarrier   = "__ptxsan_barracuda_barrier"   // (u64 thread, u32 barrier, u32 threads, u64 what)
	BarracudaWarpSync  = "__ptxsan_barracuda_warpsync"  // (u64 thread, u32 lanes, u32 site)
	BarracudaFence     = "__ptxsan_barracuda_fence"     // (u64 thread, u64 what)
	BarracudaBranch    = "__ptxsan_barracuda_branch"    // (u64 thread, u32 taken, u32 site)
	BarracudaSwitch    = "__ptxsan_barracuda_switch"    // (u64 thread, u32 guard, u32 index, u32 site)
	BarracudaConverge  = "__ptxsan_barracuda_converge"  // (u64 thread)
)

// BarracudaCluster is the number, in records and hooks, of the barrier of the cluster.
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
	BarracudaWrite                    // Extra: lanes that write something else than the first lane with their address, when Valued
	BarracudaAtomic                   // reductions, and stores qualified .relaxed or stronger, too
	BarracudaAtomicRead               // a load qualified .relaxed or stronger
	BarracudaSync                     // acquires or releases Addresses, without accessing them
	BarracudaIf                       // Extra: lanes that go together to one target
	BarracudaFi                       // Mask runs together from now on
	BarracudaLanes                    // bar.warp.sync: the lanes of Extra wait for each other, and Mask has come
	BarracudaArrive                   // Extra: barrier<<16 | threads, 0 threads for all of the block; the lanes wait
	BarracudaGo                       // BarracudaArrive by lanes that go on
	BarracudaPass                     // lanes go on after the barrier of the cluster
	BarracudaFenced                   // a fence
	BarracudaStarted                  // threads begin
	BarracudaExited                   // threads end
	barracudaKindsEnd
)

// BarracudaInfo is the word that says what a record is about.
type BarracudaInfo struct {
	Kind             BarracudaKind
	Bytes            uint32 // accessed by each lane, at most 255
	Scope            Scope  // of what orders
	Space            Space  // of accesses; SpaceOther in a hook's argument when the addresses will tell
	Acquire, Release bool
	Valued           bool  // Extra of a BarracudaWrite is known
	Strong           bool  // the access is volatile, relaxed or stronger, or an atomic operation
	Reach            Scope // of such an access; ScopeNone when it says none
}

// Encode packs the word.
func (i BarracudaInfo) Encode() uint32 {
	w := uint32(i.Kind) | i.Bytes<<barracudaBytesShift | uint32(i.Scope)<<barracudaScopeShift | uint32(i.Space)<<barracudaSpaceShift |
		uint32(i.Reach)<<barracudaReachShift
	for _, b := range []struct {
		on  bool
		bit int
	}{{i.Acquire, barracudaAcquireBit}, {i.Release, barracudaReleaseBit}, {i.Valued, barracudaValuedBit}, {i.Strong, barracudaStrongBit}} {
		if b.on {
			w |= 1 << b.bit
		}
	}
	return w
}

// DecodeBarracudaInfo is the inverse of Encode.
func DecodeBarracudaInfo(w uint32) BarracudaInfo {
	return BarracudaInfo{
		Kind:    BarracudaKind(w),
		Bytes:   w >> barracudaBytesShift & (1<<barracudaBytesBits - 1),
		Scope:   Scope(w >> barracudaScopeShift & (1<<barracudaScopeBits - 1)),
		Space:   Space(w >> barracudaSpaceShift & (1<<barracudaSpaceBits - 1)),
		Acquire: w>>barracudaAcquireBit&1 != 0, Release: w>>barracudaReleaseBit&1 != 0, Valued: w>>barracudaValuedBit&1 != 0,
		Strong: w>>barracudaStrongBit&1 != 0, Reach: Scope(w >> barracudaReachShift & (1<<barracudaReachBits - 1)),
	}
}

// BarracudaRecord is a record.
type BarracudaRecord struct {
	BarracudaInfo
	Thread    uint64 // linear index in the grid of the warp's lane 0
	Mask      uint32 // lanes that execute the instruction
	Site      uint32
	Extra     uint32
	Ticket    uint64
	Addresses [WarpLanes]uint64
}

// Decode reads a record from BarracudaRecordBytes bytes. Addresses outside Mask are
// left as they are, and all of records that have none. The error is about what no
// device library writes.
func (r *BarracudaRecord) Decode(b []byte) error {
	le := binary.LittleEndian
	_ = b[BarracudaRecordBytes-1]
	r.BarracudaInfo, r.Site, r.Mask, r.Extra = DecodeBarracudaInfo(le.Uint32(b)), le.Uint32(b[4:]), le.Uint32(b[8:]), le.Uint32(b[12:])
	r.Thread, r.Ticket = le.Uint64(b[16:]), le.Uint64(b[24:])
	if r.Kind == 0 || r.Kind >= barracudaKindsEnd || r.Mask == 0 {
		return fmt.Errorf("barracuda: a record of kind %d with lanes %#x is damaged", r.Kind, r.Mask)
	}
	if r.Kind <= BarracudaSync {
		for m := r.Mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m)
			r.Addresses[lane] = le.Uint64(b[48+8*lane:])
		}
	}
	return nil
}

// BarracudaStateVar is the variable BarracudaState, which the host fills before a
// launch.
type BarracudaStateVar struct {
	Queues   uint64 // address of the queues; 0 switches the hooks off
	Records  uint64 // address of the records, those of the first queue first
	Ticket   uint64 // last ticket given; the library's
	Count    uint32 // queues
	Capacity uint32 // log2 of the records of a queue
	Version  uint32 // BarracudaVersion; set in the module to begin with
}

// Encode lays the state out as the device code reads it.
func (s *BarracudaStateVar) Encode() []byte {
	b := make([]byte, 0, BarracudaStateBytes)
	for _, v := range []uint64{s.Queues, s.Records, s.Ticket} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	for _, v := range []uint32{s.Count, s.Capacity, s.Version} {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return append(b, make([]byte, BarracudaStateBytes-len(b))...)
}

// BarracudaStateVersion reads the version out of an encoded state.
func BarracudaStateVersion(state []byte) uint32 { return binary.LittleEndian.Uint32(state[32:]) }

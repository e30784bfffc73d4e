// The formats of the memtrace library.

package abi

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// The data formats of the memtrace library. passes/device/include/memtrace_abi.h states the same facts for the device
// code; a test compares the two.
const (
	MemTraceVersion     = 1
	MemTraceState       = "__ptxsan_memtrace_state"
	MemTraceAccess      = "__ptxsan_memtrace_access" // (u64 address, u32 site)
	MemTraceStateBytes  = 32
	MemTraceRecordBytes = 16 + 8*WarpLanes
)

// WarpLanes is the number of lanes of a warp.
const WarpLanes = 32

// MemTraceStateVar is the variable MemTraceState, which the host writes before a launch.
type MemTraceStateVar struct {
	Records  uint64 // address of the records; 0 disables the hook
	Capacity uint64 // maximum number of records
	Next     uint64 // number of requested records; more than Capacity when some were dropped
	Version  uint32 // MemTraceVersion; initialised in the module
}

// Encode returns the state in the layout of the device code.
func (s *MemTraceStateVar) Encode() []byte {
	var b words
	b.u64(s.Records, s.Capacity, s.Next)
	b.u32(s.Version, 0)
	return b
}

// DecodeMemTraceState returns the inverse of Encode.
func DecodeMemTraceState(b []byte) (MemTraceStateVar, error) {
	if len(b) != MemTraceStateBytes {
		return MemTraceStateVar{}, fmt.Errorf("%s has %d bytes, not %d", MemTraceState, len(b), MemTraceStateBytes)
	}
	le := binary.LittleEndian
	return MemTraceStateVar{le.Uint64(b), le.Uint64(b[8:]), le.Uint64(b[16:]), le.Uint32(b[24:])}, nil
}

// MemTraceRecord is one access by the lanes of a warp that executed it together.
type MemTraceRecord struct {
	Site      uint32
	Lanes     uint32 // bit i: lane i
	Block     uint32 // linear index in the grid
	Warp      uint32 // in the block
	Addresses [WarpLanes]uint64
}

// DecodeMemTraceRecords decodes records in the order in which they were reserved.
func DecodeMemTraceRecords(b []byte) ([]MemTraceRecord, error) {
	if len(b)%MemTraceRecordBytes != 0 {
		return nil, fmt.Errorf("memtrace: %d bytes are not a number of records", len(b))
	}
	le := binary.LittleEndian
	list := make([]MemTraceRecord, 0, len(b)/MemTraceRecordBytes)
	for ; len(b) > 0; b = b[MemTraceRecordBytes:] {
		r := MemTraceRecord{
			Site: le.Uint32(b), Lanes: le.Uint32(b[4:]), Block: le.Uint32(b[8:]),
			Warp: le.Uint32(b[12:]),
		}
		for m := r.Lanes; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m)
			r.Addresses[lane] = le.Uint64(b[16+8*lane:])
		}
		list = append(list, r)
	}
	return list, nil
}

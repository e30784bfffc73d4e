// The formats of the boundscheck library.

package abi

import (
	"encoding/binary"
	"fmt"
)

// The data formats of the boundscheck library. passes/device/include/boundscheck_abi.h states the same facts for the
// device code; a test compares the two.
const (
	BoundsVersion     = 1
	BoundsState       = "__ptxsan_boundscheck_state"
	BoundsAccess      = "__ptxsan_boundscheck_access" // (u64 address, u32 info, u32 site), returns u64 address
	BoundsStateBytes  = 32
	BoundsEntryBytes  = 16
	BoundsRecordBytes = 24

	// Info of an access: the bytes accessed (1 to 255), and bits.
	BoundsInfoWrite = 1 << 8
)

// BoundsStateVar is the variable BoundsState, which the host writes before a launch.
type BoundsStateVar struct {
	Table   uint64 // address of the allocation table: Entries pairs of u64, first byte and end, sorted
	Entries uint64
	Records uint64 // address of the records, by site number from 0; address 0 disables the check
	Sites   uint32
	Version uint32 // BoundsVersion; initialised in the module
}

// Encode returns the state in the layout of the device code.
func (s *BoundsStateVar) Encode() []byte {
	var b words
	b.u64(s.Table, s.Entries, s.Records)
	b.u32(s.Sites, s.Version)
	return b
}

// BoundsRecord describes the out-of-bounds accesses of a site.
type BoundsRecord struct {
	Count   uint32 // 0: none
	Thread  uint32 // of the first: linear index in the block
	Block   uint32 // linear index in the grid
	Address uint64
}

// DecodeBoundsRecords decodes the records, by site.
func DecodeBoundsRecords(b []byte) ([]BoundsRecord, error) {
	if len(b)%BoundsRecordBytes != 0 {
		return nil, fmt.Errorf("boundscheck: %d bytes are not a number of records", len(b))
	}
	le := binary.LittleEndian
	list := make([]BoundsRecord, 0, len(b)/BoundsRecordBytes)
	for ; len(b) > 0; b = b[BoundsRecordBytes:] {
		list = append(list, BoundsRecord{
			Count: le.Uint32(b), Thread: le.Uint32(b[4:]), Block: le.Uint32(b[8:]),
			Address: le.Uint64(b[16:]),
		})
	}
	return list, nil
}

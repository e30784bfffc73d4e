// The data formats of LDetector for global arrays.

package abi

import "encoding/binary"

// The data formats of the LDetector library for global arrays;
// runtime/device/include/ldetector_global_abi.h states the same facts for the device code, and a
// test compares the two.
const (
	LDetectorGlobals      = "__ptxsan_ldetector_globals"
	LDetectorExpand       = "__ptxsan_ldetector_expand" // u64 (u64 address): the address in the block's copy
	LDetectorMaxGlobals   = 64
	LDetectorGlobalBytes  = 32
	LDetectorGlobalsBytes = 16 + LDetectorMaxGlobals*LDetectorGlobalBytes
)

// LDetectorGlobal is an array in global memory of which each block has a copy.
type LDetectorGlobal struct {
	Base, Size uint64 // of the original, bytes
	Copies     uint64 // address of the first block's copy; those of the others follow
	Stride     uint64 // bytes from copy to copy
}

// EncodeLDetectorGlobals lays the variable LDetectorGlobals out as the device code reads it, for at
// most LDetectorMaxGlobals arrays.
func EncodeLDetectorGlobals(list []LDetectorGlobal) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(list)))
	b = binary.LittleEndian.AppendUint64(b, 0)
	for _, g := range list {
		for _, v := range []uint64{g.Base, g.Size, g.Copies, g.Stride} {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
	}
	return append(b, make([]byte, LDetectorGlobalsBytes-len(b))...)
}

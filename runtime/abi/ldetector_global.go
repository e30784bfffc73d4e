// The data formats of LDetector for global arrays.

package abi

import (
	"encoding/binary"
	"fmt"
)

// The data formats of the LDetector library for global arrays. passes/device/include/ldetector_global_abi.h states the
// same facts for the device code; a test compares the two.
const (
	LDetectorGlobals      = "__ptxsan_ldetector_globals"
	LDetectorExpand       = "__ptxsan_ldetector_expand" // u64 (u64 address, u32 site, u32 info): the address in the block's copy; info as of LDetectorTouch
	LDetectorMaxGlobals   = 64
	LDetectorGlobalBytes  = 40
	LDetectorWatches      = 8
	LDetectorWatchSites   = 8
	LDetectorWatchBytes   = 104
	LDetectorGlobalsBytes = 32 + LDetectorMaxGlobals*LDetectorGlobalBytes + LDetectorWatches*LDetectorWatchBytes

	LDetectorMetOffsetBit = 28 // in Met
	LDetectorMetArrayBit  = 58
)

// LDetectorMode is what an execution with copies records, in addition to its results.
type LDetectorMode uint32

// Modes.
const (
	LDetectorProbe LDetectorMode = 1 // a read by a block of a byte that another block has changed
	LDetectorNote  LDetectorMode = 2 // the accesses of watches
)

// LDetectorGlobalsVar is the variable LDetectorGlobals.
type LDetectorGlobalsVar struct {
	Mode    LDetectorMode
	Met     uint64 // LDetectorProbe: the minimum of array, offset and block of such a read; all ones if there is none
	Arrays  []LDetectorGlobal
	Watches []LDetectorWatchVar
}

// LDetectorGlobal is an array in global memory with a copy for each block.
type LDetectorGlobal struct {
	Base, Size uint64 // of the original, bytes
	Copies     uint64 // address of the first block's copy; those of the other blocks follow
	Stride     uint64 // distance of the copies in bytes
	Owners     uint64 // LDetectorProbe: address of a u32 for each byte, 1 + the block that has changed it
}

// LDetectorWatchVar is a watch: a range of memory in which two blocks race. When the kernel runs again, the device code
// records which instructions of these blocks access the range.
type LDetectorWatchVar struct {
	Address, Bytes uint64 // the range
	First, Second  uint32 // the two blocks, by their index in the grid
	Writes         bool   // the second block writes to the range, as the first one does; otherwise it reads
	// The record of each block: its sites that accessed the range, and the thread that executed the first of them.
	FirstThread, SecondThread uint32
	FirstSites, SecondSites   []uint32
}

// Encode returns the variable in the layout of the device code, with at most LDetectorMaxGlobals arrays and
// LDetectorWatches watches, whose records are empty.
func (g *LDetectorGlobalsVar) Encode() []byte {
	var b words
	b.u64(uint64(len(g.Arrays)))
	b.u32(uint32(g.Mode), uint32(len(g.Watches)))
	b.u64(g.Met, 0)
	for _, a := range g.Arrays {
		b.u64(a.Base, a.Size, a.Copies, a.Stride, a.Owners)
	}
	b = append(b, make([]byte, (LDetectorMaxGlobals-len(g.Arrays))*LDetectorGlobalBytes)...)
	for _, w := range g.Watches {
		writes := uint32(0)
		if w.Writes {
			writes = 1
		}
		b.u64(w.Address, w.Bytes)
		b.u32(w.First, w.Second, writes)
		b = append(b, make([]byte, LDetectorWatchBytes-28)...)
	}
	return append(b, make([]byte, LDetectorGlobalsBytes-len(b))...)
}

// DecodeLDetectorGlobals decodes the results of an execution from an encoded variable: Met and the watches.
func DecodeLDetectorGlobals(p []byte) (*LDetectorGlobalsVar, error) {
	if len(p) != LDetectorGlobalsBytes {
		return nil, fmt.Errorf("%s has %d bytes, not %d", LDetectorGlobals, len(p), LDetectorGlobalsBytes)
	}
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(p[at:]) }
	g := &LDetectorGlobalsVar{Met: binary.LittleEndian.Uint64(p[16:])}
	sites := func(at int) (list []uint32) {
		for i := range LDetectorWatchSites {
			list = append(list, u32(at+4*i))
		}
		return known(list)
	}
	for i := range min(u32(12), LDetectorWatches) {
		at := 32 + LDetectorMaxGlobals*LDetectorGlobalBytes + int(i)*LDetectorWatchBytes
		g.Watches = append(g.Watches, LDetectorWatchVar{
			Address: binary.LittleEndian.Uint64(p[at:]), Bytes: binary.LittleEndian.Uint64(p[at+8:]),
			First: u32(at + 16), Second: u32(at + 20), Writes: u32(at+24) != 0,
			FirstThread: u32(at + 32), SecondThread: u32(at + 36),
			FirstSites: sites(at + 40), SecondSites: sites(at + 40 + 4*LDetectorWatchSites),
		})
	}
	return g, nil
}

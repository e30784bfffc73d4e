// The format of trace files: operations of launches, to be checked elsewhere.

package barracuda

import (
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// A trace file holds the operations of launches, so that a detector can check them again, or where the program cannot
// run. It begins with a header:
//
//	magic    8 bytes, "PTXSANBT"
//	version  1 byte, traceVersion; files of oldestVersion have no Free
//	sites    the table that Op.Site refers to: its size, and JSON
//
// Then come records, each of which begins with a byte. recordLaunch is followed by the kernel's name, the grid, the
// block, the cluster and the named regions. recordEnd ends the launch. The kinds of operations are followed by the
// fields of the kind, in the order of Op. Numbers are unsigned varints. Addresses and values are differences to those
// of the previous lane, as signed varints; the address of the first lane is a difference to that of the previous
// operation. Strings are preceded by their size.
const (
	traceMagic    = "PTXSANBT"
	traceVersion  = 3
	oldestVersion = 2

	recordEnd    = 0x80
	recordLaunch = 0x81
)

// Limits for reading: a file is not trusted.
const (
	maxSiteBytes    = 64 << 20
	maxNameBytes    = 1 << 16
	maxRegions      = 1 << 20
	maxElementBytes = 1 << 24
	maxAccessBytes  = 256 << 10 // bulk copies are no larger than shared memory
)

// Bits of an access.
const (
	flagAcquire    = 1 << 0
	flagRelease    = 1 << 1
	flagShared     = 1 << 2
	flagValued     = 1 << 3
	flagStrong     = 1 << 4
	flagScopeShift = 5
	flagReachShift = 7
	flagsEnd       = 1 << 9
)

// traceSite is a site with the fields that abi.Site leaves out of JSON.
type traceSite struct {
	abi.Site
	Inlined []abi.Source `json:"inlined,omitempty"` // the calls, innermost first
}

func toTraceSite(s *abi.Site) traceSite {
	t := traceSite{Site: *s}
	if s.Source != nil {
		for at := s.Source.InlinedAt; at != nil; at = at.InlinedAt {
			t.Inlined = append(t.Inlined, *at)
		}
	}
	return t
}

func (t *traceSite) site() abi.Site {
	s := t.Site
	if s.Source == nil {
		return s
	}
	at := s.Source
	for i := range t.Inlined {
		at.InlinedAt = &t.Inlined[i]
		at = at.InlinedAt
	}
	return s
}

// Device libraries: the variables by which they communicate with their host parts.

package abi

import (
	"encoding/binary"
	"fmt"
)

// Library describes a device library for its host part: the variable by which the two communicate.
type Library struct {
	Pass      string // the pass that links the library
	State     string // name of the variable
	Bytes     int    // size of the variable
	Version   uint32 // version of the formats
	versionAt int    // offset of the version in the variable
}

// Device libraries.
var (
	IGuardLibrary    = Library{"iguard", IGuardState, IGuardStateBytes, IGuardVersion, 116}
	BarracudaLibrary = Library{"barracuda", BarracudaState, BarracudaStateBytes, BarracudaVersion, 32}
	LDetectorLibrary = Library{"ldetector", LDetectorState, LDetectorStateBytes, LDetectorVersion, 0}
	BoundsLibrary    = Library{"boundscheck", BoundsState, BoundsStateBytes, BoundsVersion, 28}
	CollideLibrary   = Library{"collide", CollideState, CollideStateBytes, CollideVersion, 60}
	MemTraceLibrary  = Library{"memtrace", MemTraceState, MemTraceStateBytes, MemTraceVersion, 24}
)

// Find finds the library's variable in a module, and checks that its version is that of this package. It returns the
// address and the contents of the variable.
func (l *Library) Find(dev Device) (addr uint64, state []byte, err error) {
	addr, size, ok := dev.Symbol(l.State)
	if !ok {
		return 0, nil, fmt.Errorf("%s: the module has no %s: it is not instrumented by the %s pass", l.Pass, l.State,
			l.Pass)
	}
	state, version := make([]byte, l.Bytes), uint32(0)
	if size == uint64(l.Bytes) {
		if err := dev.Read(addr, state); err != nil {
			return 0, nil, fmt.Errorf("%s: reading %s: %w", l.Pass, l.State, err)
		}
		version = l.VersionOf(state)
	}
	if version != l.Version {
		return 0, nil, fmt.Errorf("%s: the module was instrumented by another version of the pass: %s has %d bytes and version %d, not %d and %d",
			l.Pass, l.State, size, version, l.Bytes, l.Version)
	}
	return addr, state, nil
}

// VersionOf returns the version in an encoded state.
func (l *Library) VersionOf(state []byte) uint32 {
	return binary.LittleEndian.Uint32(state[l.versionAt:])
}

// words is a slice of words of device memory, in its byte order.
type words []byte

func (w *words) u32(values ...uint32) {
	for _, v := range values {
		*w = binary.LittleEndian.AppendUint32(*w, v)
	}
}

func (w *words) u64(values ...uint64) {
	for _, v := range values {
		*w = binary.LittleEndian.AppendUint64(*w, v)
	}
}

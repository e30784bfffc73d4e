package precise_test

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestEndOfAddresses: what is said of accesses does not depend on where memory lies: also not where it ends with the
// last address, or lies across the end of a window or behind the last address. A quarter of the traces are of lanes
// that walk through lines.
func TestEndOfAddresses(t *testing.T) {
	for seed := range uint64(*traces) / 4 {
		events := newTrace(seed, 4+int(seed%36))
		if seed%4 == 3 {
			events = newWalkTrace(seed, 10+int(seed%50))
		}
		first, end, align := ^uint64(0), uint64(0), uint64(1)
		for i := range events {
			for _, lane := range accessedLanes(&events[i]) {
				at, size := events[i].Addr[lane], uint64(events[i].Bytes)
				first, end, align = min(first, at), max(end, at+size), max(align, 1<<bits.Len64(size-1))
			}
		}
		end = (end + align - 1) &^ (align - 1)
		middle := (first + end) / 2 &^ (align - 1)
		for _, by := range []uint64{-end, 1<<40 - end, 1<<40 - middle, -middle} {
			moved := slices.Clone(events)
			for i := range moved {
				for _, lane := range accessedLanes(&events[i]) {
					moved[i].Addr[lane] += by
				}
			}
			agree(t, seed, moved)
		}
	}
}

// accessedLanes returns the lanes that access global memory.
func accessedLanes(ev *abi.Event) []int {
	if ev.Kind != abi.EventAccess || ev.Space != abi.SpaceGlobal || ev.Bytes == 0 {
		return nil
	}
	return lanesOf(ev.Mask)
}

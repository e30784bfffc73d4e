package precise_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestPieces: a race between accesses in pieces has the size of the smaller piece.
func TestPieces(t *testing.T) {
	for _, c := range []struct {
		first, second uint32 // bytes of a piece
		want          int
	}{
		{16, 32, 16},
		{0, 32, 32},
		{0, 0, 128},
	} {
		var events []abi.Event
		for i, piece := range []uint32{c.first, c.second} {
			ev := memory([]string{"A", "C"}[i], 0, abi.AccessStore, 0x1000)
			ev.Site, ev.Op, ev.Async, ev.Bytes, ev.Piece = uint32(i+1), uint64(i+1), abi.AsyncBulk, 128, piece
			events = append(events, ev)
		}
		if races := report(t, events); len(races) != 1 || races[0].Size != c.want {
			t.Errorf("pieces of %d and %d bytes: %+v, want a race of %d bytes", c.first, c.second, races, c.want)
		}
	}
}

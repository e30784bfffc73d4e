package scord

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestFreed: the metadata of memory that a kernel has freed takes no space any more, and is used again.
func TestFreed(t *testing.T) {
	s, err := New(DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	s.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, 1, 1}}})
	for round := range uint64(100) {
		base := round << 32
		store := abi.Event{
			Kind: abi.EventAccess, Access: abi.AccessStore, Sem: abi.SemWeak, Space: abi.SpaceGlobal, Bytes: 4, Site: 1, Mask: ^uint32(0),
		}
		for times := range uint64(3) {
			for lane := range store.Addr {
				store.Addr[lane] = base + 4*(uint64(lane)*(7+times)%256)
			}
			abi.Deliver(s, &store)
		}
		if len(s.memory.pages) != 1 {
			t.Fatalf("round %d: %d pages, expected that of the allocation", round, len(s.memory.pages))
		}
		free := abi.Event{Kind: abi.EventFree, Mask: 1, Bytes: 1 << 10}
		free.Addr[0] = base
		s.Event(&free)
		if m := &s.memory; len(m.pages) != 0 || len(m.idle) != 1 {
			t.Fatalf("round %d: %d pages and %d free ones", round, len(m.pages), len(m.idle))
		}
	}
	if d := &s.memory.divided; d.used == 0 || int(d.used) != len(d.free) {
		t.Errorf("%d lines were divided at a time, of which %d have been given back", d.used, len(d.free))
	}
}

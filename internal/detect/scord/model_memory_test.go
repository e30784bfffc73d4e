package scord

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// begun returns a detector of a launch of one block.
func begun(t *testing.T, granularity int) *Detector {
	t.Helper()
	opts := DefaultOptions()
	opts.Granularity = granularity
	s, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	s.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}}})
	return s
}

// TestGranules: which granules an access of lanes covers, and which lane each is recorded for: the last one, where
// other granules lie between those of lanes, and otherwise the first one.
func TestGranules(t *testing.T) {
	const last = 1<<64 - 32 // of the addresses
	for name, c := range map[string]struct {
		granularity int
		bytes       uint32
		addr        []uint64       // of lanes from 0 on
		want        map[uint64]int // lane by granule
	}{
		"words":               {4, 4, []uint64{0, 4, 8}, map[uint64]int{0: 0, 1: 1, 2: 2}},
		"wide":                {4, 8, []uint64{0, 8}, map[uint64]int{0: 0, 1: 0, 2: 1, 3: 1}},
		"narrow":              {4, 2, []uint64{0, 2, 4, 6}, map[uint64]int{0: 0, 1: 2}},
		"one word":            {4, 4, []uint64{8, 8, 8}, map[uint64]int{2: 0}},
		"between granules":    {4, 4, []uint64{2, 6}, map[uint64]int{0: 0, 1: 0, 2: 1}},
		"there and back":      {4, 4, []uint64{0, 8, 0}, map[uint64]int{0: 2, 2: 1}},
		"two words a granule": {8, 4, []uint64{0, 4, 8}, map[uint64]int{0: 0, 1: 2}},
		"end of the addresses": {16, 16, []uint64{last, last + 16}, map[uint64]int{
			last / 16: 0, last/16 + 1: 1,
		}},
	} {
		s := begun(t, c.granularity)
		ev := abi.Event{
			Kind: abi.EventAccess, Access: abi.AccessStore, Sem: abi.SemWeak, Space: abi.SpaceGlobal, Site: 1, Bytes: c.bytes,
			Mask: 1<<len(c.addr) - 1,
		}
		copy(ev.Addr[:], c.addr)
		abi.Deliver(s, &ev)
		found := 0
		for n, p := range s.memory.pages.All {
			for i, r := range p {
				g := n<<pageBits + uint64(i)
				if r.entry == fresh {
					continue
				}
				found++
				if lane, ok := c.want[g]; !ok || int(r.entry.thread()) != lane {
					t.Errorf("%s: granule %#x is recorded for lane %d", name, g, r.entry.thread())
				}
			}
		}
		if found != len(c.want) {
			t.Errorf("%s: %d granules are recorded, expected %d", name, found, len(c.want))
		}
	}
}

// TestFreed: the metadata of memory that a kernel has freed takes no space any more.
func TestFreed(t *testing.T) {
	s := begun(t, 4)
	for round := range uint64(100) {
		store := abi.Event{
			Kind: abi.EventAccess, Access: abi.AccessStore, Sem: abi.SemWeak, Space: abi.SpaceGlobal, Bytes: 4, Site: 1, Mask: ^uint32(0),
		}
		for lane := range store.Addr {
			store.Addr[lane] = round<<32 + 4*uint64(lane)
		}
		abi.Deliver(s, &store)
		if n := s.memory.pages.Len(); n != 1 {
			t.Fatalf("round %d: %d pages, expected that of the allocation", round, n)
		}
		free := abi.Event{Kind: abi.EventFree, Mask: 1, Bytes: 1 << 10}
		free.Addr[0] = round << 32
		s.Event(&free)
		if n := s.memory.pages.Len(); n != 0 {
			t.Fatalf("round %d: %d pages after it is freed", round, n)
		}
	}
}

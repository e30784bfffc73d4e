package precise_test

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestCrowd: when all threads write one word, all pairs of a few warps are counted, and of
// many warps no more than the latest accesses are kept.
func TestCrowd(t *testing.T) {
	const pairsOfWarp = 32 * 31 / 2
	for _, c := range []struct {
		blocks, inter int
		crowded       bool
	}{{1, 0, false}, {2, 1024, false}, {3, 3 * 1024, false}, {1000, 0, true}} {
		d, err := precise.New(precise.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{1000, 1, 1}, Block: [3]uint32{32, 1, 1}}})
		d.Event(&abi.Event{Kind: abi.EventKernelBegin})
		for i := range c.blocks {
			abi.Deliver(d, hotStore(uint64(i)))
		}
		if n := d.LongestLog(); n > 64 {
			t.Errorf("%d blocks: %d entries of one word", c.blocks, n)
		}
		counts := map[detect.Kind]int{}
		for _, r := range d.End() {
			counts[r.Kind] += int(r.Count)
		}
		if got := counts[detect.IntraWarp]; got != c.blocks*pairsOfWarp {
			t.Errorf("%d blocks: %d races in warps, want %d", c.blocks, got, c.blocks*pairsOfWarp)
		}
		if got := counts[detect.InterBlock]; got != c.inter && !c.crowded || got < 1000*1024 && c.crowded {
			t.Errorf("%d blocks: %d races of blocks", c.blocks, got)
		}
		if said := slices.Contains(d.Statistics(), "not checked: the oldest accesses of places that have more than 4096 races"); said != c.crowded {
			t.Errorf("%d blocks: %q", c.blocks, d.Statistics())
		}
	}
}

// TestCrowdedRow: when warps write one row of words, again and again, each word races with those of the warps that
// write the same word, and all are counted.
func TestCrowdedRow(t *testing.T) {
	const warps = 4
	for _, rounds := range []int{1, 2, 100, 5000} {
		d := crowdRow(t, warps, rounds)
		// Each store of a word, but for those of the first round, races with the latest one of each other warp.
		want := 32 * (warps*(warps-1)*(rounds-1) + warps*(warps-1)/2)
		longest := d.LongestLog()
		races := d.End()
		if len(races) != 1 || races[0].Kind != detect.IntraBlock || int(races[0].Count) != want {
			t.Errorf("%d rounds: %v, want one with a count of %d", rounds, races, want)
		}
		if longest > warps {
			t.Errorf("%d rounds: %d entries of one line", rounds, longest)
		}
	}
}

// BenchmarkCrowdedRow has eight warps store to the same 32 words 1,024 times each.
func BenchmarkCrowdedRow(b *testing.B) {
	for b.Loop() {
		if races := crowdRow(b, 8, 1024).End(); len(races) != 1 {
			b.Fatal(races)
		}
	}
}

// crowdRow is a detector that has been told of a launch of one block whose warps store to the same 32 words, in turns.
func crowdRow(t testing.TB, warps, rounds int) *precise.Detector {
	t.Helper()
	d, err := precise.New(precise.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{32, uint32(warps), 1}}})
	d.Event(&abi.Event{Kind: abi.EventKernelBegin})
	for range rounds {
		for w := range warps {
			ev := hotStore(0)
			ev.Warp, ev.Next = uint32(w), ^uint32(1)
			for lane := range ev.Addr {
				ev.Addr[lane] += 4 * uint64(lane)
			}
			abi.Deliver(d, ev)
		}
	}
	return d
}

// hotStore is a store of all lanes of a block to one word, each of its own value.
func hotStore(block uint64) *abi.Event {
	ev := &abi.Event{
		Kind: abi.EventAccess, Access: abi.AccessStore, Sem: abi.SemWeak, Space: abi.SpaceGlobal, Bytes: 4,
		Valued: true, Site: 1, Live: ^uint32(0), Mask: ^uint32(0), Wrote: ^uint32(0), Block: block, Cluster: block,
	}
	for lane := range ev.Addr {
		ev.Addr[lane], ev.New[lane] = 0x1000, uint64(lane)
	}
	return ev
}

// TestShiftedRow: two blocks write rows of words, the second of which is shifted within a line. Each word in both
// rows races once, and the report has the two lanes that write the first of them.
func TestShiftedRow(t *testing.T) {
	const lanes = 16
	for shift := -lanes / 2; shift <= lanes/2; shift++ {
		d, err := precise.New(precise.DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{32, 1, 1}}})
		d.Event(&abi.Event{Kind: abi.EventKernelBegin})
		for block := range 2 {
			ev := hotStore(uint64(block))
			ev.Mask, ev.Wrote = 1<<lanes-1, 1<<lanes-1
			for i := range ev.Addr {
				ev.Addr[i] = 0x1000 + 4*uint64(lanes/2+i+block*shift)
			}
			neighbours(ev)
			abi.Deliver(d, ev)
		}
		races := d.End()
		if len(races) != 1 || int(races[0].Count) != lanes-max(shift, -shift) {
			t.Fatalf("shifted by %d: %+v", shift, races)
		}
		first, second := uint32(max(shift, 0)), uint32(max(-shift, 0))
		r := races[0]
		if at := 0x1000 + 4*uint64(lanes/2+int(first)); r.Address != at || r.First.Thread[0] != first || r.Second.Thread[0] != second {
			t.Errorf("shifted by %d: threads %d and %d at %#x, want %d and %d at %#x", shift, r.First.Thread[0], r.Second.Thread[0], r.Address, first, second, at)
		}
	}
}

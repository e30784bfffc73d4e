package precise_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// partTraces are traces of as many groups of blocks, which notice nothing of each other.
func partTraces(seed uint64, n int) (list [][]abi.Event) {
	for k := uint64(0); len(list) < n; k++ {
		events := newTrace(seed<<20+k, 40+int(seed%40))
		if !separate(events) || slices.ContainsFunc(events, func(ev abi.Event) bool { return !inParts[ev.Kind] }) {
			continue
		}
		number := uint64(len(list))
		for i := range events {
			ev := &events[i]
			ev.Block, ev.Cluster = ev.Block+number*traceBlocks, ev.Cluster+number*traceBlocks
			if ev.Space == abi.SpaceGlobal {
				for lane := range ev.Addr {
					ev.Addr[lane] += number << 40
				}
			}
		}
		list = append(list, events)
	}
	return list
}

// inParts are the kinds of events that blocks have which notice nothing of each other.
var inParts = map[abi.EventKind]bool{
	abi.EventAccess: true, abi.EventFence: true, abi.EventBarrierArrive: true, abi.EventBarrierComplete: true, abi.EventBarrierPass: true, abi.EventWarpSync: true,
}

// asLaunch plays events to a detector of parts as one part.
type asLaunch struct {
	abi.PartReceiver
	number uint64
	silent *bool // set to what EndPart reports
}

func (p asLaunch) Begin(detect.Launch) { p.BeginPart(p.number) }
func (p asLaunch) End() []detect.Race  { *p.silent = p.EndPart(); return nil }

// TestParts: a launch has a race as a whole when one of its parts has, whichever detector looks at it when; without a
// run as a whole, the races are those of the first part that has any.
func TestParts(t *testing.T) {
	const parts = 4
	races, none := 0, 0
	for seed := range uint64(100) {
		traces := partTraces(seed, parts)
		launch := detect.Launch{LaunchShape: traceShape(slices.Concat(traces...))}
		var first []detect.Race
		d := newDetector(t)
		d.Begin(launch)
		for i, r := range d.Divide(2) {
			for n := parts - 1 - i; n >= 0; n -= 2 {
				p := asLaunch{r, uint64(n), new(bool)}
				playIn(p, traces[n], batching(seed%3))
				alone := play(newDetector(t), traces[n])
				if *p.silent != (len(alone) == 0) {
					t.Fatalf("seed %d: part %d has nothing to tell of: %v, races %+v", seed, n, *p.silent, alone)
				}
			}
		}
		for n := parts - 1; n >= 0; n-- {
			if alone := play(newDetector(t), traces[n]); len(alone) > 0 {
				first = alone
			}
		}
		d.Unite(true)
		if got := d.End(); fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", first) {
			t.Fatalf("seed %d: got\n%+v\nwant those of the first part with races\n%+v", seed, got, first)
		}
		if whole := play(newDetector(t), slices.Concat(traces...)); (len(whole) > 0) != (len(first) > 0) {
			t.Fatalf("seed %d: as a whole\n%+v\nin parts\n%+v", seed, whole, first)
		}
		if races += len(first); len(first) == 0 {
			none++
		}
		d.Begin(launch)
		playIn(asLaunch{d.Divide(1)[0], 0, new(bool)}, traces[0], together)
		d.Unite(false)
		if got := d.End(); len(got) > 0 {
			t.Fatalf("seed %d: parts that are forgotten have races: %+v", seed, got)
		}
	}
	if races < 100 || none < 2 {
		t.Errorf("%d races, %d launches without: too few to tell", races, none)
	}
}

func newDetector(t *testing.T) *precise.Detector {
	t.Helper()
	d, err := precise.New(precise.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestLargeParts: a part that needs more than its share of the memory is looked at again, with the launch as a whole.
func TestLargeParts(t *testing.T) {
	for _, memory := range []uint64{1 << 20, 1 << 30} {
		d, err := precise.New(precise.Options{Model: precise.ModelPTX, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}}})
		p := d.Divide(1)[0]
		p.BeginPart(0)
		p.Event(&abi.Event{Kind: abi.EventKernelBegin})
		for i := range uint64(1000) {
			ev := abi.Event{Kind: abi.EventAccess, Site: 1, Mask: 3, Live: 3, Wrote: 3, Space: abi.SpaceGlobal, Access: abi.AccessStore, Sem: abi.SemWeak, Bytes: 4}
			ev.Addr[0], ev.Addr[1] = i<<20, i<<20+1<<16
			abi.Deliver(p, &ev)
		}
		p.Event(&abi.Event{Kind: abi.EventKernelEnd})
		if got, want := p.EndPart(), memory > 1<<20; got != want {
			t.Errorf("%d bytes of memory: the part has nothing to tell of: %v, want %v", memory, got, want)
		}
	}
}

// TestAsWholeAfterParts: when a launch is run again as a whole, the races of that run count, and not those of parts.
func TestAsWholeAfterParts(t *testing.T) {
	const part, whole = 1, 3 // sites
	events := func(site uint32) (list []abi.Event) {
		for lane := range 2 {
			ev := abi.Event{Kind: abi.EventAccess, Site: site, Mask: 1 << lane, Live: 3, Wrote: 1 << lane, Space: abi.SpaceGlobal, Access: abi.AccessStore, Sem: abi.SemWeak, Bytes: 4}
			ev.Addr[lane] = 1 << 20
			list = append(list, ev)
		}
		return list
	}
	d := newDetector(t)
	d.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}}})
	playIn(asLaunch{d.Divide(1)[0], 0, new(bool)}, events(part), asEvents)
	d.Unite(true)
	d.Event(&abi.Event{Kind: abi.EventKernelBegin})
	for _, ev := range events(whole) {
		abi.Deliver(d, &ev)
	}
	if got := d.End(); len(got) != 1 || got[0].First.Site != whole {
		t.Errorf("%+v, want the race of the run as a whole", got)
	}
}

package session_test

import (
	"io"
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestTiersAgree: with the emulator's vector instructions and without, the detector
// reports of every example the same races, faults and statistics under the same
// schedule.
func TestTiersAgree(t *testing.T) {
	for i, ex := range racesuite.Examples(t) {
		if testing.Short() && i%4 > 1 {
			continue
		}
		k := ex.Run(t, "iguard")
		for _, schedule := range session.PolicyNames() {
			var reports [2]*report.Report
			for i := range reports {
				k.Options.Emulator.NoVector = i == 1
				reports[i] = k.Under(schedule, 5).Check(t)
			}
			if !reflect.DeepEqual(reports[0], reports[1]) {
				t.Errorf("%s, %s: the reports differ:\n%+v\n%+v", ex.Name(), schedule, reports[0], reports[1])
			}
		}
	}
}

// eventHash is a detector that finds nothing: it makes one number of all events.
type eventHash struct {
	needs abi.Needs
	hash  uint64
}

// Begin implements detect.Detector.
func (h *eventHash) Begin(detect.Launch) { h.add(0) }

// End implements detect.Detector.
func (h *eventHash) End() []detect.Race { return nil }

// Needs implements detect.Selective.
func (h *eventHash) Needs() abi.Needs { return h.needs }

// add is a step of FNV-1a, on words.
func (h *eventHash) add(words ...uint64) {
	for _, w := range words {
		h.hash = (h.hash ^ w) * 0x100000001b3
		h.hash ^= h.hash >> 29
	}
}

// Event implements detect.Detector.
func (h *eventHash) Event(ev *abi.Event) {
	h.add(uint64(ev.Kind), uint64(ev.Site), ev.Block, uint64(ev.Mask))
	if ev.Mask != 0 { // of a warp
		h.add(uint64(ev.Warp), uint64(ev.Live))
	}
	if ev.Kind != abi.EventAccess {
		return
	}
	h.add(uint64(ev.Access), uint64(ev.Space), uint64(ev.Sem), uint64(ev.Bytes), uint64(ev.Next), uint64(ev.Same), uint64(ev.Wrote))
	for i := range ev.Addr {
		if ev.Mask>>i&1 != 0 {
			h.add(ev.Addr[i])
		}
		if ev.Valued && ev.Wrote>>i&1 != 0 {
			h.add(ev.New[i])
		}
	}
}

// Accesses implements detect.Detector.
func (h *eventHash) Accesses(b *abi.Batch) {
	var ev abi.Event
	b.Each(&ev, h.Event)
}

// TestTiersTell tests that listening detectors receive the same events of every example in the same order, with vector
// instructions and without.
func TestTiersTell(t *testing.T) {
	for i, ex := range racesuite.Examples(t) {
		k := ex.Run(t, "")
		needs := abi.Needs{Values: i%3 == 0, Shared: i%2 == 0, Branches: i%4 < 2, Lanes: i%5 < 2}
		for _, schedule := range []string{"its", "random"} {
			var hashes [2]eventHash
			for i := range hashes {
				h := &hashes[i]
				h.needs = needs
				d, err := session.NewDetector("hash", func() (detect.Detector, error) { return h, nil })
				if err != nil {
					t.Fatal(err)
				}
				k.Options.Detectors, k.Options.Emulator.NoVector = []*session.Detector{d}, i == 1
				k.Under(schedule, 7).Play(t)
			}
			if hashes[0] != hashes[1] {
				t.Errorf("%s, %s: the events differ, with %+v", ex.Name(), schedule, needs)
			}
		}
	}
}

// TestTimelineKeepsSchedule: instrumented programs run the same whether a timeline observes
// them or not: each example, in a random schedule.
func TestTimelineKeepsSchedule(t *testing.T) {
	for _, ex := range racesuite.Examples(t) {
		var facts [2][]racesuite.RaceFacts
		var stats [2]report.Stats
		for i := range facts {
			k := ex.Run(t, "iguard").Under("random", 3)
			if i == 1 {
				k.Options.Timeline = session.NewTimeline(io.Discard, nil)
			}
			rep := k.Check(t)
			facts[i], stats[i] = racesuite.Facts(rep), rep.Stats
		}
		if !reflect.DeepEqual(facts[0], facts[1]) || stats[0] != stats[1] {
			t.Errorf("%s: alone %+v\n%+v\nwith a timeline %+v\n%+v", ex.Name(), stats[0], facts[0], stats[1], facts[1])
		}
	}
}

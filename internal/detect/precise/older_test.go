package precise_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// weakly is a detector whose launches have weak memory.
type weakly struct{ *precise.Detector }

func (w weakly) Begin(l detect.Launch) {
	l.Weak = true
	w.Detector.Begin(l)
}

// aged lets some strong loads and atomic operations of a trace return older stores.
func aged(seed uint64, events []abi.Event) (reads int) {
	rng := rand.New(rand.NewPCG(seed, 5))
	often := 2 + rng.IntN(20)
	for i := range events {
		ev := &events[i]
		if ev.Kind != abi.EventAccess || ev.Access == abi.AccessStore || ev.Sem <= abi.SemWeak || ev.Async != abi.Synchronous || rng.IntN(often) > 0 {
			continue
		}
		reads++
		ev.Ages = new([abi.WarpLanes]uint64)
		for lane := range ev.Ages {
			ev.Ages[lane] = uint64(rng.IntN(4)*rng.IntN(2)) | uint64(rng.IntN(3))<<8
		}
	}
	return reads
}

// TestOlderRelease: a thread stores to a flag several times, each time after a fence and more data. Another one that
// returns one of the stores to the flag, and fences, may read the data before that store and no later ones.
func TestOlderRelease(t *testing.T) {
	const flag = 1000
	for stores := 1; stores <= 20; stores++ {
		for age := range min(stores, 9) {
			var steps []string
			data := func(k int) string { return string(rune('a' + k)) }
			for k := range stores {
				steps = append(steps, "A st "+data(k), "A fence.acq_rel.gpu", "A st.relaxed.gpu Z")
			}
			steps = append(steps, "C ld.relaxed.gpu Z", "C fence.acq_rel.gpu")
			for k := range stores {
				steps = append(steps, "C ld "+data(k))
			}
			events, want := litmusEvents(t, steps), map[uint32]bool{}
			for k := range stores {
				events[3*k+2].Site = flag
				if k > stores-1-age {
					want[events[3*stores+2+k].Site] = true
				}
			}
			if age > 0 {
				events[3*stores].Ages = &[abi.WarpLanes]uint64{uint64(age)}
			}
			if got := racing(t, events); !maps.Equal(got, want) {
				t.Errorf("%d stores, age %d: %v race with earlier accesses, want %v", stores, age, got, want)
			}
		}
	}
}

// racing returns the sites of the accesses of a trace that race with earlier ones.
func racing(t *testing.T, events []abi.Event) map[uint32]bool {
	t.Helper()
	d, err := precise.New(precise.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	sites := map[uint32]bool{}
	for _, r := range playIn(weakly{d}, events, together) {
		sites[r.Second.Site] = true
	}
	return sites
}

// TestAges: under weak memory, where some accesses return older stores, the same accesses of random traces race with
// earlier ones with all of the detector's shortcuts and with none.
func TestAges(t *testing.T) {
	kinds := []func(seed uint64, length int) []abi.Event{newTrace, newCellTrace, newHandoverTrace, newCountTrace, newPollTrace}
	reads, races := 0, 0
	for seed := range uint64(*traces) {
		events := kinds[seed%uint64(len(kinds))](seed, 20+int(seed%60))
		reads += aged(seed, events)
		quick := racing(t, events)
		undo := precise.Without(precise.EndOfShortcuts - 1)
		slow := racing(t, events)
		if undo(); !maps.Equal(quick, slow) {
			t.Fatalf("seed %d: %v race with earlier ones with shortcuts, %v without\n%s", seed, quick, slow, traceText(events))
		}
		races += len(slow)
	}
	if reads < *traces/2 || races < *traces/2 {
		t.Errorf("%d accesses return older stores, %d races", reads, races)
	}
}

package racesuite

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// phaseWatch is the detector precise, which keeps the dependences of all launches.
type phaseWatch struct {
	*precise.Detector
	list []string
}

func (w *phaseWatch) End() []detect.Race {
	races := w.Detector.End()
	list, undecided := w.Dependences()
	for _, x := range list {
		w.list = append(w.list, fmt.Sprintf("%d, %d: %s", x.Seed, x.Sink, x.What))
	}
	if undecided != "" {
		w.list = append(w.list, "undecided: "+undecided)
	}
	return races
}

// watchPhases plays a plan and returns the reasons why phases of barriers may differ in other schedules.
func watchPhases(t *testing.T, r *Run) []string {
	t.Helper()
	o := precise.DefaultOptions()
	o.Claims = true
	d, err := precise.New(o)
	if err != nil {
		t.Fatal(err)
	}
	w := &phaseWatch{Detector: d}
	watch, err := session.NewDetector("phases", func() (detect.Detector, error) { return w, nil })
	if err != nil {
		t.Fatal(err)
	}
	r.Options.Detectors = []*session.Detector{watch}
	if err := r.Plan.Play(context.Background(), r.Open(t)); err != nil {
		t.Fatal(err)
	}
	return w.list
}

// phasesDiffer are the programs with barriers whose phases may be others in some schedules.
var phasesDiffer = map[string]string{
	"async/multicast-tile-reused-racy": "take its place",
	"async/mbarrier-wrong-parity-racy": "has seen its own",
	"async/red-async-and-read-racy":    "take its place",
	"apps/gemm-sm90/full-wait-racy":    "may return at once",
}

// TestPhases: the phases of barriers are the same in every schedule in all correct programs, whether asynchronous
// operations end early or late, and in racy ones if the race is about something else.
func TestPhases(t *testing.T) {
	for _, c := range slices.Concat(sampled(Micro(t)), Applications(t)) {
		want := phasesDiffer[c.Name()]
		if c.Application() && (testing.Short() || c.Variant == "racy" && want == "") {
			continue
		}
		for _, late := range []bool{false, true} {
			r := c.Run(t, "")
			r.Options.Emulator.LateAsync = late
			list := watchPhases(t, r)
			if (len(list) > 0) != (want != "") || want != "" && !strings.Contains(strings.Join(list, "\n"), want) {
				t.Errorf("%s, late %v: %q", c.Name(), late, list)
			}
		}
	}
}

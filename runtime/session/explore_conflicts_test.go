package session

import (
	"os"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
)

// exploring is an exploration of a racy kernel of the race suite, without a search.
func exploring(t *testing.T, detector string) *Exploration {
	t.Helper()
	const stem = "../../examples/suite/micro/fence/plain-flag-racy"
	text, err := os.ReadFile(stem + ".ptx")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse(stem+".ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	file, err := launch.Load(stem+".yaml", launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := NewPlan(p, file, 0)
	if err != nil {
		t.Fatal(err)
	}
	dets, err := detectors.ParseDetectors(detector)
	if err != nil {
		t.Fatal(err)
	}
	return &Exploration{Options: Options{Detectors: dets}, Scenario: plan}
}

// TestConflicts: an exploration counts ordered pairs of conflicting accesses, the same for any
// number of workers and for a program that a detector has instrumented.
func TestConflicts(t *testing.T) {
	pairs := func(detector, search string, workers int) []uint64 {
		e := exploring(t, detector)
		e.Workers, e.Conflicts, e.Search = workers, NewConflictSet(), Search{Name: search, Runs: 24}
		if _, err := e.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return e.Conflicts.Sorted()
	}
	want := pairs("precise", "mixed", 1)
	if len(want) < 2 {
		t.Fatalf("%d pairs, expected the flag and the data in some order at least", len(want))
	}
	if got := pairs("precise", "mixed", 4); !slices.Equal(got, want) {
		t.Errorf("4 workers: %v, want %v", got, want)
	}
	for _, search := range []string{"random", "directed"} {
		for _, pair := range pairs("iguard", search, 2) {
			if !slices.Contains(want, pair) {
				t.Errorf("%s, instrumented: %d is none of %v", search, pair, want)
			}
		}
	}
}

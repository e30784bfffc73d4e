package app

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// raceFacts holds the fields of a race that the report of a trace also has.
type raceFacts struct {
	kind          detect.Kind
	cause         detect.Cause
	rule          string
	address       report.Hex
	count         uint64
	first, second report.Access
}

func factsOf(rep *report.Report) (out []raceFacts) {
	for _, x := range rep.Races {
		out = append(out, raceFacts{x.Kind, x.Cause, x.Rule, x.Address, x.Count, x.First, x.Second})
	}
	for i := range out { // callers of code from headers are guessed from the program
		out[i].first.Source, out[i].second.Source = nil, nil
	}
	return out
}

// TestTraces: for each case of the suite, the trace that a run saves gives the same
// races as the run.
func TestTraces(t *testing.T) {
	racy := 0
	for _, c := range suite(t) {
		k := c.tested(t, tracedDetector).under("random", 3)
		var file bytes.Buffer
		k.options.SaveTrace = &file
		s := k.play(t)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		want := s.Report()
		got, _, err := session.CheckTrace(&file, k.options.Detectors[0])
		if err != nil {
			t.Errorf("%s: %v", c.name(), err)
			continue
		}
		if len(want.Races) > 0 {
			racy++
		}
		if !reflect.DeepEqual(factsOf(got), factsOf(want)) {
			t.Errorf("%s: trace\n%+v\nrun\n%+v", c.name(), factsOf(got), factsOf(want))
		}
	}
	if racy < 50 {
		t.Errorf("%d cases race: too few to tell", racy)
	}
}

package main

import (
	"bytes"
	"context"
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/barracuda"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// raceFacts is what a report of a trace knows, too.
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
		k := c.checker(t, barracudaPass.Name)
		k.exec = execution{policy: "random", config: emu.Config{Policy: policyOf("random"), Seed: 3}}
		var file bytes.Buffer
		d := k.detectorOf(barracudaPass.Name)
		d.trace = &tracing{file: &file}
		want, err := k.run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if err = d.trace.Close(); err != nil {
			t.Fatal(err)
		}
		again, err := barracuda.New(barracuda.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := reportTrace(&file, again)
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

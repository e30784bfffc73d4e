package main

import (
	"flag"
	"strings"
	"testing"
)

var alarmSeeds = flag.Int("seeds", 2, "schedules under which TestFalseAlarms runs every fixed kernel of the race suite")

// TestFalseAlarms: iguard reports nothing of a fixed kernel, whatever the schedule,
// but for the kernels that its notes explain.
func TestFalseAlarms(t *testing.T) {
	m := &matrix{notes: make(map[string][]note)}
	var notes []note
	readNotes(t, "iguard", &notes)
	m.notes["iguard"] = notes
	var runs []matrixRun
	for i := range *alarmSeeds {
		runs = append(runs, matrixRun{"random", uint64(100 + i)})
	}
	for _, c := range suite(t) {
		if !strings.HasSuffix(c.name(), "-fixed") || m.noteOf("iguard", c) > 0 {
			continue
		}
		if got := c.judge(t, []string{"iguard"}, runs)["iguard"]; got.err != nil || len(got.false) > 0 {
			t.Errorf("%s: reports %v, %v", c.name(), got.false, got.err)
		}
	}
}

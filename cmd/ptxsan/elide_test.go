package main

import (
	"reflect"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestElideChangesNothing: for each case and application of the suite, detectors that
// listen find the same races in a schedule whether accesses that cannot race are left out
// or not.
func TestElideChangesNothing(t *testing.T) {
	elided := 0
	for _, c := range append(suite(t), apps(t)...) {
		for _, detector := range []string{"precise", "precise<model=scor", "scord", "scord<its,release", "barracuda"} {
			open, end := "<", ">"
			if strings.Contains(detector, open) {
				open = ","
			}
			all, _ := c.listened(t, detector+open+"elide=false"+end)
			some, exempt := c.listened(t, detector+open+"elide"+end)
			elided += exempt
			if !reflect.DeepEqual(factsOf(some), factsOf(all)) {
				t.Errorf("%s, %s: without some accesses\n%+v\nwith all\n%+v", c.name(), detector, factsOf(some), factsOf(all))
			}
		}
	}
	if elided < 500 {
		t.Errorf("%d accesses are left out: too few to tell", elided)
	}
}

// listened is the report of a random schedule, and the number of accesses that cannot race.
func (c *suiteCase) listened(t *testing.T, detector string) (*report.Report, int) {
	t.Helper()
	s := c.tested(t, detector).under("random", 5).play(t)
	return s.Report(), s.Exempt()
}

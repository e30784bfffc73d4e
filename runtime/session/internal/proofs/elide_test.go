package proofs_test

import (
	"flag"
	"reflect"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/internal/testgen/addressgen"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestElideChangesNothing: for each case and application of the suite, detectors that
// listen find the same races in a schedule whether accesses that cannot race are left out
// or not. Options of detectors matter for the synchronisation of the cases, of which they are tried on every third pair;
// applications take long.
func TestElideChangesNothing(t *testing.T) {
	elided, least := 0, 500
	if testing.Short() {
		least = 20
	}
	for i, c := range append(racesuite.Micro(t), racesuite.Applications(t)...) {
		if testing.Short() && i/2%12 != 0 {
			continue
		}
		detectors := []string{"precise", "scord", "barracuda"}
		if !c.Application() && i/2%3 == 0 {
			detectors = append(detectors, "precise<model=scor", "scord<its,release")
		}
		for _, detector := range detectors {
			open, end := "<", ">"
			if strings.Contains(detector, open) {
				open = ","
			}
			all, _ := listened(t, c, detector+open+"elide=false"+end)
			some, exempt := listened(t, c, detector+open+"elide"+end)
			elided += exempt
			if !reflect.DeepEqual(racesuite.Facts(some), racesuite.Facts(all)) {
				t.Errorf("%s, %s: without some accesses\n%+v\nwith all\n%+v", c.Name(), detector, racesuite.Facts(some), racesuite.Facts(all))
			}
		}
	}
	if elided < least {
		t.Errorf("%d accesses are left out: too few to tell", elided)
	}
}

// listened returns the report of a random schedule, and the number of accesses that cannot race.
func listened(t *testing.T, c *racesuite.Case, detector string) (*report.Report, int) {
	t.Helper()
	s := c.Run(t, detector).Under("random", 5).Play(t)
	return s.Report(), s.Exempt()
}

var elidedPrograms = flag.Int("elided", 40, "random programs for TestElideOfRandomPrograms")

// TestElideOfRandomPrograms: detectors find the same races in random programs, whose addresses are
// hard to see through, whether accesses that cannot race are left out or not.
func TestElideOfRandomPrograms(t *testing.T) {
	elided, races, refuted := 0, 0, 0
	programs := *elidedPrograms
	if testing.Short() {
		programs /= 4
	}
	for seed := range uint64(programs) {
		made := addressgen.Make(1_000_000 + seed)
		p, file := racesuite.Program(t, "k.ptx", []byte(made.PTX)), racesuite.RandomLaunches(t, &made)
		for detector, whole := range map[string]string{
			"precise": "precise<elide=false>", "precise<prove>": "precise<elide=false>", "precise<model=scor>": "precise<model=scor,elide=false>",
			"scord": "scord<elide=false>", "barracuda": "barracuda<elide=false>", "iguard": "iguard<elide=false>",
		} {
			all := racesuite.RandomRun(t, p, file, whole).Play(t)
			some := racesuite.RandomRun(t, p, file, detector).Play(t)
			if some.Strayed() != nil { // as check does
				again := racesuite.RandomRun(t, p, file, detector)
				again.Options.Refuted = true
				some = again.Play(t)
				refuted++
			}
			elided += some.Exempt()
			got, want := withoutCauses(some.Report()), withoutCauses(all.Report())
			races += len(want)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("seed %d, %s: without some accesses\n%+v\nwith all\n%+v\n%s", 1_000_000+seed, detector, got, want, made.PTX)
			}
		}
	}
	t.Logf("%d races, %d accesses are left out, %d runs were made again", races, elided, refuted)
	if elided < programs || races < programs {
		t.Errorf("%d accesses are left out, %d races: too few to tell", elided, races)
	}
}

// withoutCauses returns the findings without causes: a detector may derive the cause from strong accesses that are
// elided.
func withoutCauses(rep *report.Report) []racesuite.RaceFacts {
	list := racesuite.Facts(rep)
	for i := range list {
		list[i].Cause = ""
	}
	return list
}

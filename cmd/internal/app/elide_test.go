package app

import (
	"flag"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/testgen/addressgen"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestElideChangesNothing: for each case and application of the suite, detectors that
// listen find the same races in a schedule whether accesses that cannot race are left out
// or not. Options of detectors matter for the synchronisation of the cases; applications take long.
func TestElideChangesNothing(t *testing.T) {
	elided := 0
	for _, c := range append(suite(t), apps(t)...) {
		detectors := []string{"precise", "scord", "barracuda"}
		if !strings.HasPrefix(c.category, "apps/") {
			detectors = append(detectors, "precise<model=scor", "scord<its,release")
		}
		for _, detector := range detectors {
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

// listened returns the report of a random schedule, and the number of accesses that cannot race.
func (c *suiteCase) listened(t *testing.T, detector string) (*report.Report, int) {
	t.Helper()
	s := c.tested(t, detector).under("random", 5).play(t)
	return s.Report(), s.Exempt()
}

var elidedPrograms = flag.Int("elided", 40, "random programs for TestElideOfRandomPrograms")

// TestElideOfRandomPrograms: detectors find the same races in random programs, whose addresses are
// hard to see through, whether accesses that cannot race are left out or not.
func TestElideOfRandomPrograms(t *testing.T) {
	elided, races, refuted := 0, 0, 0
	for seed := range uint64(*elidedPrograms) {
		made := addressgen.Make(1_000_000 + seed)
		p, file := program(t, "k.ptx", []byte(made.PTX)), fileOf(t, &made)
		for detector, whole := range map[string]string{
			"precise": "precise<elide=false>", "precise<prove>": "precise<elide=false>", "precise<model=scor>": "precise<model=scor,elide=false>",
			"scord": "scord<elide=false>", "barracuda": "barracuda<elide=false>", "iguard": "iguard<elide=false>",
		} {
			all := randomProgram(t, p, file, whole).play(t)
			some := randomProgram(t, p, file, detector).play(t)
			if some.Strayed() != nil { // as check does
				again := randomProgram(t, p, file, detector)
				again.options.Refuted = true
				some = again.play(t)
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
	if elided < *elidedPrograms || races < *elidedPrograms {
		t.Errorf("%d accesses are left out, %d races: too few to tell", elided, races)
	}
}

// withoutCauses returns the findings without causes: a detector may derive the cause from strong accesses that are
// elided.
func withoutCauses(rep *report.Report) []raceFacts {
	list := factsOf(rep)
	for i := range list {
		list[i].cause = ""
	}
	return list
}

// randomProgram is set up as check does it.
func randomProgram(t *testing.T, p *session.Program, file *launch.File, detector string) *tested {
	t.Helper()
	k := testedText(t, p, file, detector)
	k.options.Emulator.MaxSteps = 100_000
	return k
}

// fileOf returns the launch file of a random program.
func fileOf(t *testing.T, p *addressgen.Program) *launch.File {
	t.Helper()
	var text strings.Builder
	text.WriteString("buffers:\n")
	for i := range addressgen.Buffers {
		fmt.Fprintf(&text, "  b%d: {type: u32, count: %d}\n", i, addressgen.BufferBytes/4)
	}
	text.WriteString("launches:\n")
	for _, l := range p.Launches {
		fmt.Fprintf(&text, "- {kernel: %s, grid: %d, block: %d, args: [", l.Kernel, l.Grid, l.Block)
		for _, b := range l.Buffers {
			fmt.Fprintf(&text, "b%d, ", b)
		}
		fmt.Fprintf(&text, "%d, %d]}\n", l.Zero, l.N)
	}
	file, err := launch.Parse("k.yaml", []byte(text.String()), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// What proofs by a run need: launches that satisfy it and differ in all else do not race.

package analysis_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/testgen/racegen"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// launchedEach selects every so many programs of TestLaunched.
var launchedEach = flag.Int("launched-each", 4, "TestLaunched takes every so many programs of the suite")

// TestLaunched takes programs of the race suite, as their launch files say and in grids of one cluster, which hide races
// between blocks. Launches of what is proved, which satisfy what the proof needs and are otherwise chosen at random, must
// not race.
func TestLaunched(t *testing.T) {
	files, err := filepath.Glob("../../examples/suite/micro/*/*.yaml")
	if err != nil || len(files) < 400 {
		t.Fatalf("%d cases, %v", len(files), err)
	}
	rnd, ran, free := rand.New(rand.NewPCG(1, 2)), 0, 0
	for i := 0; i < len(files); i += *launchedEach {
		base := strings.TrimSuffix(files[i], ".yaml")
		text, err := os.ReadFile(base + ".ptx")
		if err != nil {
			continue // a launch file for several programs
		}
		load := func() (*launch.File, error) { return launch.Load(base+".yaml", launch.Options{Name: "k.yaml"}) }
		for _, alone := range []bool{false, true} {
			n, others := launchedOthers(t, rnd, &launchedProgram{base, text, load, alone})
			ran, free = ran+n, free+others
		}
	}
	t.Logf("%d launches of %d proofs that hold for other grids", ran, free)
	if free < 40 / *launchedEach {
		t.Errorf("only %d proofs hold for other grids", free)
	}
}

var (
	launchedRandom = flag.Int("launched", 40, "random programs of TestLaunchedRandom")
	firstLaunched  = flag.Uint64("first-launched", 1, "seed of the first of them")
)

// TestLaunchedRandom does the same with random programs.
func TestLaunchedRandom(t *testing.T) {
	ran, free := 0, 0
	for i := range *launchedRandom {
		seed := *firstLaunched + uint64(i)
		made := racegen.Idioms(seed)
		load := func() (*launch.File, error) { return launch.Parse("k.yaml", []byte(made.Launches), launch.Options{}) }
		for _, alone := range []bool{false, true} {
			n, others := launchedOthers(t, rand.New(rand.NewPCG(seed, 1)),
				&launchedProgram{fmt.Sprint("seed ", seed), []byte(made.PTX), load, alone})
			ran, free = ran+n, free+others
		}
	}
	t.Logf("%d launches of %d proofs that hold for other grids", ran, free)
}

// launchedProgram is a program with a launch file. Alone, its launch is in a grid of one cluster.
type launchedProgram struct {
	name  string
	text  []byte
	load  func() (*launch.File, error)
	alone bool
}

// file returns the launch file, nil if it has several launches.
func (p *launchedProgram) file(t *testing.T) *launch.File {
	t.Helper()
	file, err := p.load()
	if err != nil {
		t.Fatal(err)
	}
	if len(file.Launches) != 1 {
		return nil
	}
	if l := &file.Launches[0]; p.alone {
		for axis, n := range l.Cluster {
			l.Grid[axis] = max(n, 1)
		}
	}
	return file
}

// launchedOthers runs other launches of what is proved of a program, and returns how many, and how many proofs hold for
// other grids.
func launchedOthers(t *testing.T, rnd *rand.Rand, of *launchedProgram) (ran, free int) {
	t.Helper()
	file := of.file(t)
	if file == nil {
		return 0, 0
	}
	p, err := session.Parse("k.ptx", of.text)
	if err != nil {
		t.Fatal(err)
	}
	out, err := analysis.Run(t.Context(), p, analysis.Options{
		Facts: []*facts.File{factfile.FromLaunches(file)}, File: file, Budget: suiteBudget,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, proof := range out.Report.Proofs {
		needs := strings.Join(proof.Needed, "\n")
		if proof.Verdict != report.Clean || strings.Contains(needs, "launch: as at") || proof.Pairs == 0 {
			continue
		}
		if !strings.Contains(needs, "grid.x") {
			free++
		}
		for range 3 {
			other := of.file(t)
			vary(rnd, other, needs)
			ran++
			if races := racesOf(t, p, other, rnd.Uint64()); len(races) > 0 {
				t.Errorf("%s (alone: %v): %+v races at %s and %s, against a proof that needs\n%s", of.name, of.alone,
					other.Launches[0].Grid, races[0].First.At(), races[0].Second.At(), needs)
			}
		}
	}
	return ran, free
}

// vary changes all of a launch that a proof does not need.
func vary(rnd *rand.Rand, file *launch.File, needs string) {
	l := &file.Launches[0]
	for axis, name := range []string{"x", "y", "z"} {
		if !strings.Contains(needs, "grid."+name) {
			l.Grid[axis] = uint32(1+rnd.IntN(3)) * max(l.Cluster[axis], 1)
		}
	}
	for i := range l.Args {
		if l.Args[i].Kind == launch.ArgNumber && !strings.Contains(needs, fmt.Sprintf("parameter %d =", i+1)) {
			l.Args[i].Value = launch.Int(int64(rnd.IntN(40)))
		}
	}
	for i := range file.Buffers {
		b := &file.Buffers[i]
		if !strings.Contains(needs, b.Name+", to which") || !strings.Contains(needs, "starts with") {
			b.Init = launch.Init{
				Kind: launch.InitRandom, Seed: rnd.Uint64(), Max: launch.Int([]int64{1, 3, 1000}[rnd.IntN(3)]),
			}
		}
	}
}

// racesOf returns the races of a run of a launch file.
func racesOf(t *testing.T, p *session.Program, file *launch.File, seed uint64) []*report.Race {
	t.Helper()
	dets, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.NewPlan(p, file, 300_000)
	if err != nil {
		return nil // an argument that the kernel does not take
	}
	policies := []emu.Policy{emu.RoundRobin, emu.Random}
	s, err := session.Open(session.Options{
		Detectors: dets, Emulator: emu.Config{MaxSteps: 300_000, Policy: policies[seed%2], Seed: seed},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	rep, err := plan.Check(t.Context(), s)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(rep.Races, func(x *report.Race) bool { return x.Severity != report.Error })
}

package session_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/passes/ldetector/regiongen"
	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var (
	regions     = flag.Int("regions", 200, "random kernels for TestRegions")
	firstRegion = flag.Uint64("first-region", 1, "seed of the first one")
)

// regionPlan is the launch of a random kernel.
func regionPlan(k regiongen.Kernel) (*session.Plan, error) {
	p, err := session.Parse("k.ptx", []byte(k.PTX))
	if err != nil {
		return nil, err
	}
	file, err := launchfile.Parse("k.yaml", fmt.Appendf(nil, `buffers: {out: {type: u32, count: %d, init: 0}}
launches: [{kernel: k, grid: %d, block: %d, shared: %d, args: [out, %d, %d]}]
`, k.Grid*k.Block, k.Grid, k.Block, k.Shared, k.N, k.Flags), launchfile.Options{})
	if err != nil {
		return nil, err
	}
	return session.NewPlan(p, file, 0)
}

// regionRun checks a random kernel with a detector, and returns what it has computed, too.
func regionRun(k regiongen.Kernel, detector string, policy emu.Policy, seed uint64) (*report.Report, []byte, error) {
	plan, err := regionPlan(k)
	if err != nil {
		return nil, nil, err
	}
	var o session.Options
	o.Emulator.Policy, o.Emulator.Seed = policy, seed
	if o.Detectors, err = session.ParseDetectors(detector); err != nil {
		return nil, nil, err
	}
	o.InstrumentedOnly = !o.Detectors[0].Listens()
	s, err := session.Open(o)
	if err != nil {
		return nil, nil, err
	}
	rep, err := plan.Check(context.Background(), s)
	if err != nil {
		return nil, nil, err
	}
	if len(rep.Faults) > 0 {
		return nil, nil, fmt.Errorf("%s: %s", rep.Faults[0].Class, rep.Faults[0].Message)
	}
	out := make([]byte, 4*k.Grid*k.Block)
	return rep, out, s.Object("out").Read(0, out)
}

// betweenWarps are the races of a report in shared memory, between warps of a block.
func betweenWarps(r *report.Report) (lines []string) {
	for _, x := range r.Races {
		if x.Space == "shared" && x.Kind == "intra-block" {
			lines = append(lines, fmt.Sprintf("%d-%d", x.First.PTX.Line, x.Second.PTX.Line))
		}
	}
	slices.Sort(lines)
	return lines
}

// TestRegions: in random kernels ldetector finds a race between warps in shared memory exactly
// when precise does, whatever the schedule, and checks all of a kernel. It changes nothing that
// a kernel without races computes.
func TestRegions(t *testing.T) {
	n, racy := *regions, 0
	if testing.Short() {
		n /= 10
	}
	for seed := *firstRegion; seed < *firstRegion+uint64(n); seed++ {
		k := regiongen.Make(seed)
		races, err := compareOnRegion(k, seed)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if races {
			racy++
		}
	}
	t.Logf("%d kernels, %d of them with races", n, racy)
	if racy < n/6 || racy > n/2 {
		t.Error("too few of a kind")
	}
}

// compareOnRegion compares detectors on the kernel of a seed, under two schedules.
func compareOnRegion(k regiongen.Kernel, seed uint64) (racy bool, err error) {
	policies := []emu.Policy{emu.ITS, emu.Random}
	reference, want, err := regionRun(k, "precise", policies[seed%2], seed)
	if err != nil {
		return false, fmt.Errorf("precise: %w", err)
	}
	rep, got, err := regionRun(k, "ldetector", policies[seed/2%2], seed)
	if err != nil {
		return false, fmt.Errorf("ldetector: %w", err)
	}
	a, b := betweenWarps(reference), betweenWarps(rep)
	racy = len(a) > 0
	switch {
	case len(a) != len(reference.Races):
		return racy, fmt.Errorf("%d races, %d of them of warps of a block in shared memory", len(reference.Races), len(a))
	case racy != (len(b) > 0):
		return racy, fmt.Errorf("races of precise: %v, of ldetector: %v", a, b)
	case len(rep.Notes) > 0:
		return racy, fmt.Errorf("not all is checked: %v", rep.Notes)
	case !racy && !bytes.Equal(got, want):
		return racy, fmt.Errorf("results differ:\n%x\n%x", got, want)
	}
	return racy, nil
}

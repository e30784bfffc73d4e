package session_test

import (
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
	regions     = flag.Int("regions", 400, "random kernels for TestRegions")
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

// regionReport checks a random kernel with a detector.
func regionReport(k regiongen.Kernel, detector string, policy emu.Policy, seed uint64) (*report.Report, error) {
	plan, err := regionPlan(k)
	if err != nil {
		return nil, err
	}
	var o session.Options
	o.Emulator.Policy, o.Emulator.Seed = policy, seed
	if o.Detectors, err = session.ParseDetectors(detector); err != nil {
		return nil, err
	}
	s, err := session.Open(o)
	if err != nil {
		return nil, err
	}
	rep, err := plan.Check(context.Background(), s)
	if err != nil {
		return nil, err
	}
	if len(rep.Faults) > 0 {
		return nil, fmt.Errorf("%s: %s", rep.Faults[0].Class, rep.Faults[0].Message)
	}
	return rep, nil
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

// TestRegions: in random kernels, whether warps of a block race in shared memory does not depend
// on the schedule, and nothing else races.
func TestRegions(t *testing.T) {
	n, racy := *regions, 0
	if testing.Short() {
		n /= 10
	}
	for seed := *firstRegion; seed < *firstRegion+uint64(n); seed++ {
		k := regiongen.Make(seed)
		var verdicts [2]bool
		for i, policy := range []emu.Policy{emu.ITS, emu.Random} {
			rep, err := regionReport(k, "precise", policy, seed)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, k.PTX)
			}
			races := betweenWarps(rep)
			verdicts[i] = len(races) > 0
			if len(races) != len(rep.Races) {
				t.Errorf("seed %d: %d races, of which %d are of warps of a block in shared memory", seed, len(rep.Races), len(races))
			}
		}
		if verdicts[0] != verdicts[1] {
			t.Errorf("seed %d: races under its: %v, under random: %v", seed, verdicts[0], verdicts[1])
		}
		if verdicts[0] {
			racy++
		}
	}
	t.Logf("%d kernels, %d of them with races", n, racy)
	if racy < n/6 || racy > n/2 {
		t.Error("too few of a kind")
	}
}

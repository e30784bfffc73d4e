// Repairs of random racy kernels.

package fix_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/testgen/regiongen"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var (
	kernels     = flag.Int("kernels", 20, "random kernels for TestRandom")
	firstKernel = flag.Uint64("first-kernel", 1, "seed of the first one")
)

// regionPlan returns the launch of a random kernel, with the given block size.
func regionPlan(t *testing.T, k *regiongen.Kernel, text []byte, block uint32) *session.Plan {
	t.Helper()
	yaml := fmt.Sprintf("buffers: {out: {type: u32, count: %d, init: 0}}\nlaunches: [{kernel: %s, grid: %d, block: %d, shared: %d, args: [out, %d, %d]}]\n",
		k.Grid*k.Block, k.Name, k.Grid, block, k.Shared, k.N, k.Flags)
	return planText(t, string(text), yaml)
}

// play checks a plan with a detector under one schedule.
func play(t *testing.T, plan *session.Plan, detector string, seed uint64) (*report.Report, []byte) {
	t.Helper()
	dets, err := session.ParseDetectors(detector)
	if err != nil {
		t.Fatal(err)
	}
	o := session.Options{Detectors: dets}
	o.Emulator.Seed = seed
	o.Emulator.Policy = emu.Random
	s, err := session.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := plan.Check(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, 4*plan.File.Buffers[0].Count)
	if err = s.Object("out").Read(0, out); err != nil {
		t.Fatal(err)
	}
	return rep, out
}

// TestRandom tests that an accepted repair of a random kernel has no race under other schedules than those of its
// verification, nor for another detector, and that a launch without races has the same results as before.
func TestRandom(t *testing.T) {
	racy, mended, compared := 0, 0, 0
	for seed, end := *firstKernel, *firstKernel+uint64(*kernels); seed < end; seed++ {
		k := regiongen.Make(seed)
		text := []byte(regiongen.Module(k))
		res := mendPlan(t, regionPlan(t, &k, text, k.Block), 12, 60, 2)
		if len(res.Races) > 0 {
			racy++
		}
		if !res.Mended() {
			continue
		}
		mended++
		after := res.Module.AST.File.Src
		for _, detector := range []string{"precise", "barracuda"} {
			if rep, _ := play(t, regionPlan(t, &k, after, k.Block), detector, 1000+seed); rep.Verdict != report.Clean {
				t.Errorf("kernel %d: %s: %s", seed, detector, rep.Verdict)
			}
		}
		before, want := play(t, regionPlan(t, &k, text, 32), "precise", seed)
		if before.Verdict != report.Clean {
			continue
		}
		compared++
		if rep, got := play(t, regionPlan(t, &k, after, 32), "precise", seed+7); rep.Verdict != report.Clean || !slices.Equal(got, want) {
			t.Errorf("kernel %d: in a launch of one warp, which has no race: %s, or other results", seed, rep.Verdict)
		}
	}
	t.Logf("%d kernels, %d racy, %d mended, %d compared where there is no race", *kernels, racy, mended, compared)
	if mended == 0 {
		t.Error("nothing was mended")
	}
}

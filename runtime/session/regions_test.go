package session_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/testgen/regiongen"
	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var (
	regions     = flag.Int("regions", 100, "random kernels for TestRegions")
	firstRegion = flag.Uint64("first-region", 1, "seed of the first one")
)

// regionsAtOnce is the number of random kernels of a module.
const regionsAtOnce = 100

// regionPlan is the launches of random kernels.
func regionPlan(kernels []regiongen.Kernel) (*session.Plan, error) {
	p, err := session.Parse("k.ptx", []byte(regiongen.Module(kernels...)))
	if err != nil {
		return nil, err
	}
	var buffers, launches []byte
	for _, k := range kernels {
		buffers = fmt.Appendf(buffers, "  %s: {type: u32, count: %d, init: 0}\n", k.Name, k.Grid*k.Block)
		launches = fmt.Appendf(launches, "  - {kernel: %[1]s, grid: %[2]d, block: %[3]d, shared: %[4]d, args: [%[1]s, %[5]d, %[6]d]}\n", k.Name, k.Grid, k.Block, k.Shared, k.N, k.Flags)
	}
	return planOf(p, string(buffers), string(launches))
}

// planOf is a plan of buffers and launches as launch files have them.
func planOf(p *session.Program, buffers, launches string) (*session.Plan, error) {
	file, err := launchfile.Parse("k.yaml", []byte("buffers:\n"+buffers+"launches:\n"+launches), launchfile.Options{})
	if err != nil {
		return nil, err
	}
	return session.NewPlan(p, file, 0)
}

// regionRun is what comes of random kernels under a detector: by kernel, the races between
// warps of a block in shared memory, and the result.
type regionRun struct {
	races   map[string][]string
	results map[string][]byte
	spec    int // executions of regions of which child grids executed the second pass
}

// regionsUnder checks random kernels with a detector, which must check all of them.
func regionsUnder(kernels []regiongen.Kernel, detector string, policy emu.Policy, seed uint64) (*regionRun, error) {
	plan, err := regionPlan(kernels)
	if err != nil {
		return nil, err
	}
	var o session.Options
	o.Emulator.Policy, o.Emulator.Seed = policy, seed
	if o.Detectors, err = session.ParseDetectors(detector); err != nil {
		return nil, err
	}
	o.InstrumentedOnly = !o.Detectors[0].Listens()
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
	if len(rep.Notes) > 0 {
		return nil, fmt.Errorf("not all is checked: %v", rep.Notes)
	}
	out := &regionRun{races: make(map[string][]string), results: make(map[string][]byte)}
	for _, x := range rep.Races {
		if x.Space != "shared" || x.Kind != "intra-block" {
			return nil, fmt.Errorf("a race of threads %s in %s memory at line %d", x.Kind, x.Space, x.First.PTX.Line)
		}
		out.races[x.First.Kernel] = append(out.races[x.First.Kernel], fmt.Sprintf("%d-%d", x.First.PTX.Line, x.Second.PTX.Line))
	}
	for _, line := range s.Statistics() {
		if before, ok := strings.CutSuffix(line, " of them a second time by child grids"); ok {
			n := 0
			if _, err := fmt.Sscan(before[strings.LastIndex(before, " ")+1:], &n); err != nil {
				return nil, err
			}
			out.spec += n
		}
	}
	for _, k := range kernels {
		p := make([]byte, 4*k.Grid*k.Block)
		if err := s.Object(k.Name).Read(0, p); err != nil {
			return nil, err
		}
		out.results[k.Name] = p
	}
	return out, nil
}

// TestRegions: in random kernels ldetector, with and without speculation, finds a race between warps in shared memory
// exactly when precise does, whatever the schedule, and checks all of a kernel. It changes nothing that a kernel
// without races computes.
func TestRegions(t *testing.T) {
	n, racy, spec := *regions, 0, 0
	if testing.Short() {
		n /= 10
	}
	for seed, end := *firstRegion, *firstRegion+uint64(n); seed < end; {
		var kernels []regiongen.Kernel
		for ; seed < end && len(kernels) < regionsAtOnce; seed++ {
			kernels = append(kernels, regiongen.Make(seed))
		}
		races, children, err := compareOnRegions(kernels, seed)
		if err != nil {
			t.Errorf("kernels before %d: %v", seed, err)
			for _, k := range kernels {
				if _, _, err = compareOnRegions([]regiongen.Kernel{k}, seed); err != nil {
					t.Errorf("%s: %v", k.Name, err)
				}
			}
		}
		racy, spec = racy+races, spec+children
	}
	t.Logf("%d kernels, %d of them with races; child grids executed %d regions", n, racy, spec)
	if racy < n/6 || racy > n/2 || spec < n/20 {
		t.Error("too few of a kind")
	}
}

// regionDetectors are those that are compared with precise.
var regionDetectors = []string{"ldetector", "ldetector<spec>"}

// compareOnRegions compares detectors on kernels, each under one of two schedules, and returns
// how many race, and how many regions child grids executed.
func compareOnRegions(kernels []regiongen.Kernel, seed uint64) (racy, spec int, err error) {
	policies := []emu.Policy{emu.ITS, emu.Random}
	want, err := regionsUnder(kernels, "precise", policies[seed/regionsAtOnce%2], seed)
	if err != nil {
		return 0, 0, fmt.Errorf("precise: %w", err)
	}
	for _, k := range kernels {
		if len(want.races[k.Name]) > 0 {
			racy++
		}
	}
	for i, detector := range regionDetectors {
		got, err := regionsUnder(kernels, detector, policies[(seed/regionsAtOnce/2+uint64(i))%2], seed)
		if err == nil {
			err = want.differs(got, kernels)
		}
		if err != nil {
			return racy, spec, fmt.Errorf("%s: %w", detector, err)
		}
		spec += got.spec
	}
	return racy, spec, nil
}

// differs says of which kernel another run has another verdict, or another result without a race.
func (want *regionRun) differs(got *regionRun, kernels []regiongen.Kernel) error {
	for _, k := range kernels {
		a, b := want.races[k.Name], got.races[k.Name]
		switch {
		case (len(a) > 0) != (len(b) > 0):
			return fmt.Errorf("%s: races %v, of precise %v", k.Name, b, a)
		case len(a) == 0 && !bytes.Equal(got.results[k.Name], want.results[k.Name]):
			return fmt.Errorf("%s: results differ:\n%x\n%x", k.Name, got.results[k.Name], want.results[k.Name])
		}
	}
	return nil
}

package barracuda_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
)

// TestMillionThreads: kernels of 2^20 threads are clean under barracuda, and their
// clocks take a few bytes for each thread at most (docs/performance.md).
func TestMillionThreads(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	files := racesuite.Glob(t, "testdata/scale/*.yaml")
	if len(files) != 4 {
		t.Fatalf("%d launch files", len(files))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			c := racesuite.Load(t, racesuite.Case{Category: name, PTX: "testdata/scale/kernels.ptx", YAML: file})
			rep := c.Run(t, "barracuda").Check(t)
			if len(rep.Races) > 0 || len(rep.Faults) > 0 {
				t.Errorf("%d races, %d faults", len(rep.Races), len(rep.Faults))
			}
		})
	}
}

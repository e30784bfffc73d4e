package app

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestMillionThreads: kernels of 2^20 threads are clean under barracuda, and their
// clocks take a few bytes for each thread at most (docs/performance.md).
func TestMillionThreads(t *testing.T) {
	files, err := filepath.Glob("testdata/scale/*.yaml")
	if err != nil || len(files) != 4 {
		t.Fatalf("%d launch files, %v", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			rep := example{name, "testdata/scale/kernels.ptx", file, nil}.testedWith(t, "barracuda").check(t)
			if len(rep.Races) > 0 || len(rep.Faults) > 0 {
				t.Errorf("%d races, %d faults", len(rep.Races), len(rep.Faults))
			}
		})
	}
}

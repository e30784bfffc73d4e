//go:build unix

package app

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
)

// What detectors cost on kernels for recent architectures, in docs/performance.md.

var writeModern = flag.Bool("slowdown.modern", false,
	"measure precise on kernels for recent architectures and write docs/performance.md")

// modernSection is the section of docs/performance.md with the figures.
var modernSection = written{slowdownFile, "slowdown-modern"}

// modernKernels returns a case for each launch file of testdata/modern. Kernels that are not beside it are
// applications of the race suite, in a size for measurements.
func modernKernels(t *testing.T) (list []*racesuite.Case) {
	for _, path := range racesuite.Glob(t, "testdata/modern/*.yaml") {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		c := racesuite.Case{Category: name, Pair: name, PTX: strings.TrimSuffix(path, ".yaml") + ".ptx", YAML: path}
		if strings.HasPrefix(name, "gemm-") {
			c.PTX = filepath.Join(racesuite.Dir("suite/apps"), name, racesuite.CorrectBuild+".ptx")
		}
		list = append(list, racesuite.Load(t, c))
	}
	return list
}

// TestSlowdownModern measures on request; it always checks that docs/performance.md has the figures of each kernel.
func TestSlowdownModern(t *testing.T) {
	cases := modernKernels(t)
	if *writeModern {
		collectAsCommand()
		modernSection.replace(t, slowdownTable(t, cases, []string{"precise"}))
	}
	section := modernSection.section(t)
	for _, c := range cases {
		if !strings.Contains(section, "| "+c.Category+" |") {
			t.Errorf("%s lacks %s; run make slowdown-modern", slowdownFile, c.Category)
		}
	}
}

// TestModernKernels: the kernels end as their launch files say, without races.
func TestModernKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, c := range modernKernels(t) {
		r := c.Run(t, "precise").Check(t)
		if len(r.Races) > 0 {
			t.Errorf("%s: %d races", c.Category, len(r.Races))
		}
		for _, e := range r.Expect {
			if !e.OK {
				t.Errorf("%s: %s: expected %s, got %s", c.Category, e.What, e.Want, e.Got)
			}
		}
	}
}

//go:build unix

package app

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/launch"
)

// What detectors cost on kernels for recent architectures, in docs/performance.md.

var writeModern = flag.Bool("slowdown.modern", false,
	"measure precise on kernels for recent architectures and write docs/performance.md")

// modernSection is the section of docs/performance.md with the figures.
var modernSection = written{slowdownFile, "slowdown-modern"}

// modernKernels returns a case for each launch file of testdata/modern. Kernels that are not beside it are
// applications of the race suite, in a size for measurements.
func modernKernels(t *testing.T) (list []*suiteCase) {
	for _, path := range globbed(t, "testdata/modern/*.yaml") {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		c := &suiteCase{category: name, pair: name, ptx: strings.TrimSuffix(path, ".yaml") + ".ptx", yaml: path}
		if strings.HasPrefix(name, "gemm-") {
			c.ptx = filepath.Join(appsDir, name, correctBuild+".ptx")
		}
		var err error
		if c.file, err = launch.Load(path, launch.Options{}); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
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
		if !strings.Contains(section, "| "+c.category+" |") {
			t.Errorf("%s lacks %s; run make slowdown-modern", slowdownFile, c.category)
		}
	}
}

// TestModernKernels: the kernels end as their launch files say, without races.
func TestModernKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, c := range modernKernels(t) {
		r := c.tested(t, "precise").check(t)
		if len(r.Races) > 0 {
			t.Errorf("%s: %d races", c.category, len(r.Races))
		}
		for _, e := range r.Expect {
			if !e.OK {
				t.Errorf("%s: %s: expected %s, got %s", c.category, e.What, e.Want, e.Got)
			}
		}
	}
}

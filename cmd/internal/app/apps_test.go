package app

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/launch"
)

const appsDir = "../../../examples/suite/apps"

// The build of an application without races, and the launch files of the papers' size
// and of that for measurements.
const (
	correctBuild = "correct"
	paperSize    = "paper"
	middleSize   = "middle"
)

// apps loads the applications of the race suite: a case for each race, and one for the
// correct build.
func apps(t *testing.T) []*suiteCase {
	t.Helper()
	var out []*suiteCase
	for _, path := range globbed(t, appsDir+"/*/*.yaml") {
		base, dir := strings.TrimSuffix(path, ".yaml"), filepath.Dir(path)
		c := &suiteCase{
			category: "apps/" + filepath.Base(dir), pair: filepath.Base(base), variant: "racy",
			ptx: base + ".ptx", cu: filepath.Join(dir, filepath.Base(dir)+".cu"), yaml: path,
		}
		switch c.pair {
		case paperSize, middleSize:
			continue
		case correctBuild:
			c.variant = "fixed"
		}
		var err error
		if c.file, err = launch.Load(path, launch.Options{}); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

func globbed(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing like %s: %v", pattern, err)
	}
	return files
}

// declared matches the list of an application's races in its source.
var declared = regexp.MustCompile(`(?s)\nRACES\((.*?)\)`)

// TestApps tests that each race that an application declares has a build, which is complete, passes the manual's rules,
// and ends; the correct build has the expected results.
func TestApps(t *testing.T) {
	builds := make(map[string][]string)
	cases := apps(t)
	for _, c := range cases {
		builds[c.cu] = append(builds[c.cu], c.pair)
		t.Run(c.name(), func(t *testing.T) {
			c.stated(t)
			c.checked(t)
			c.marked(t)
			c.ends(t)
		})
	}
	for cu, got := range builds {
		src, err := os.ReadFile(cu)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{correctBuild}
		list := regexp.MustCompile(`//.*`).ReplaceAllString(string(declared.FindSubmatch(src)[1]), "")
		for name := range strings.SplitSeq(list, ",") {
			want = append(want, strings.ReplaceAll(strings.TrimSpace(name), "_", "-"))
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: builds %v, races %v", cu, got, want)
		}
	}
}

// TestAppsCompute compares the results of the correct builds with references, under
// several schedules.
func TestAppsCompute(t *testing.T) {
	for _, c := range apps(t) {
		if c.pair != correctBuild {
			continue
		}
		reference := appReferences[filepath.Base(c.category)]
		for _, r := range matrixRuns[:4] {
			s := c.tested(t, "").under(r.policy, r.seed).play(t)
			if s.Stopped() {
				t.Fatal(c.category, s.Report().Faults)
			}
			reference(&appRun{t, c, s})
		}
	}
}

// TestAppsSizes: the launch files of other sizes fit the kernels.
func TestAppsSizes(t *testing.T) {
	for _, path := range append(globbed(t, appsDir+"/*/"+paperSize+".yaml"), globbed(t, appsDir+"/*/"+middleSize+".yaml")...) {
		file, err := launch.Load(path, launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ptx := filepath.Join(filepath.Dir(path), correctBuild+".ptx")
		testedWith(t, ptx, file, "")
	}
}

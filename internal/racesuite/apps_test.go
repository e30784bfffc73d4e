package racesuite

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// declared matches the list of an application's races in its source.
var declared = regexp.MustCompile(`(?s)\nRACES\((.*?)\)`)

// TestApps tests that each race that an application declares has a build, which is complete, passes the manual's rules,
// and ends; the correct build has the expected results.
func TestApps(t *testing.T) {
	builds := make(map[string][]string)
	cases := Applications(t)
	for _, c := range cases {
		builds[c.CUDA] = append(builds[c.CUDA], c.Pair)
		t.Run(c.Name(), func(t *testing.T) {
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
		want := []string{CorrectBuild}
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
	for _, c := range Applications(t) {
		if c.Pair != CorrectBuild {
			continue
		}
		reference := appReferences[filepath.Base(c.Category)]
		for _, r := range matrixRuns[:4] {
			s := c.Run(t, "").Under(r.policy, r.seed).Play(t)
			if s.Stopped() {
				t.Fatal(c.Category, s.Report().Faults)
			}
			reference(&appRun{t, c, s})
		}
	}
}

// TestAppsSizes: the launch files of other sizes fit the kernels.
func TestAppsSizes(t *testing.T) {
	for _, size := range []string{PaperSize, MiddleSize} {
		for _, c := range Resized(t, size) {
			c.Run(t, "")
		}
	}
}

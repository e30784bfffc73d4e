//go:build unix

package app

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// What detectors cost on kernels for recent architectures, in docs/performance.md.

var writeModern = flag.Bool("slowdown.modern", false,
	"measure precise on kernels for recent architectures and write docs/performance.md")

// modernBuild has the kernels that Triton has compiled, and the command whose memory is measured.
const modernBuild = "../../../build/modern"

// modernSection is the section of docs/performance.md with the figures.
var modernSection = written{slowdownFile, "slowdown-modern"}

// modernColumns are those of the table: the processor time, and the memory of the process.
var modernColumns = []string{"precise", "memory"}

// modernGoals are the goals on these kernels.
var modernGoals = []goal{
	{"precise, kernels for recent architectures", []string{"precise"}, true, true},
	{"memory of precise on those kernels", []string{"memory"}, true, true},
}

// modernKernels returns a case for each launch file of testdata/modern, and of the kernels that Triton has compiled.
// Those whose PTX is not beside it are applications of the race suite, in a size for measurements.
func modernKernels(t *testing.T) (list []*racesuite.Case) {
	built, err := filepath.Glob(modernBuild + "/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(racesuite.Glob(t, "testdata/modern/*.yaml"), built...) {
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
		modernSection.replace(t, slowdownTable(t, modernRows(t, cases), modernColumns))
		writeGoals(t, modernSection.section(t), modernGoals)
	}
	section := modernSection.section(t)
	for _, c := range cases {
		if !strings.Contains(section, "| "+c.Category+" |") {
			t.Errorf("%s lacks %s; run make slowdown-modern", slowdownFile, c.Category)
		}
	}
	checkGoals(t, section, modernGoals)
}

// modernRows measures kernels. It returns their lines of the table, and the present ones of all others.
func modernRows(t *testing.T, cases []*racesuite.Case) [][]string {
	rows := tableRows(modernSection.section(t))
	rows = rows[2 : len(rows)-1]
	for _, c := range cases {
		row := slowdownRow(t, c, modernColumns[:1])
		alone, with := peak(t, "emulate", c), peak(t, "check", c)
		row[2] += fmt.Sprintf(", %d MB", alone>>20)
		row = append(row, fmt.Sprintf("%.1fx", float64(with)/float64(alone)))
		rows = slices.DeleteFunc(rows, func(old []string) bool { return old[0] == row[0] })
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(a, b []string) int { return cmp.Compare(a[0], b[0]) })
	return rows
}

// peak returns the most memory that a command of ptxsan takes for a kernel, in bytes. What the system says of a process
// that has ended includes the memory of the process that has started it.
func peak(t *testing.T, command string, c *racesuite.Case) (most int64) {
	t.Helper()
	run := exec.Command(modernBuild+"/ptxsan", command, "--launch", c.YAML, c.PTX)
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	status := fmt.Sprintf("/proc/%d/status", run.Process.Pid)
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	for {
		select {
		case err := <-ended:
			if err != nil || most == 0 {
				t.Fatalf("%v: %v, with %d bytes", run, err, most)
			}
			return most
		case <-time.After(time.Millisecond):
		}
		text, _ := os.ReadFile(status)
		if _, line, ok := strings.Cut(string(text), "VmHWM:"); ok {
			kilobytes, err := strconv.ParseInt(strings.Fields(line)[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			most = max(most, kilobytes<<10)
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
		if r.Verdict != report.Clean {
			t.Errorf("%s: %s", c.Category, r.Verdict)
		}
		for _, e := range r.Expect {
			if !e.OK {
				t.Errorf("%s: %s: expected %s, got %s", c.Category, e.What, e.Want, e.Got)
			}
		}
	}
}

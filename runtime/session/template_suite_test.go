// What templates of launch files show of the race suite.

package session_test

import (
	"flag"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var everyTemplate = flag.Bool("templates", false, "TestTemplatesOfSuite checks the templates of all cases of the race suite, and not of every eighth")

// guessedWrong lists the race-free kernels of the suite that have a finding in the launch of their template, with what
// differs from the launch that they are written for. The findings are true for those launches.
var guessedWrong = map[string]string{
	"async/red-async-and-read":     "two blocks of a cluster only: blockIdx.x is taken for the number within the cluster",
	"barrier/double-buffer-global": "blocks of 64 threads, a number in the kernel",
	"barrier/matrix-fragments":     "blocks of 64 threads: further warps store the same matrix",
	"barrier/other-block":          phases,
	"grid/kernel-boundary":         phases,
	"tensor/gemm-stage-reused":     "tensor maps with other boxes",
	"warp/branch-order-global":     oneWarp,
	"warp/branch-order-shared":     oneWarp,
	"warp/one-instruction-global":  oneWarp,
	"warp/one-instruction-shared":  oneWarp,
	"warp/same-value-global":       oneWarp,
	"warp/same-value-shared":       oneWarp,
	"width/predicated-store":       "a limit of 0, so that no thread stores beyond it",
}

// Reasons that several cases have.
const (
	phases  = "one launch for each bit of the last argument"
	oneWarp = "blocks of one warp, which __syncwarp() suffices for"
)

// mostMissed is how many racy kernels of the suite show nothing in the launches of their templates.
const mostMissed = 36

// TestTemplatesOfSuite: with a template, a check is silent about race-free kernels but for the known guesses, and shows
// most racy ones.
func TestTemplatesOfSuite(t *testing.T) {
	missed, wrong := 0, 0
	for i, c := range racesuite.Micro(t) {
		if !*everyTemplate && i/2%8 != 0 {
			continue
		}
		kernel := c.Category + "/" + c.Pair
		rep := checkTemplate(t, c)
		switch found := rep.Verdict != report.Clean; {
		case c.Variant == "racy" && !found:
			missed++
			t.Logf("%s: nothing is shown", kernel)
		case c.Variant == "fixed" && found:
			if wrong++; guessedWrong[kernel] == "" {
				t.Errorf("%s: free of races, and %s: %v %v", kernel, rep.Verdict, rep.Races, rep.Faults)
			}
		}
	}
	t.Logf("findings in %d race-free kernels, none in %d racy ones", wrong, missed)
	if missed > mostMissed {
		t.Errorf("%d racy kernels show nothing, want %d at most", missed, mostMissed)
	}
}

// checkTemplate checks a case with its template.
func checkTemplate(t *testing.T, c *racesuite.Case) *report.Report {
	t.Helper()
	program := c.Program(t)
	text, err := session.Template(t.Context(), program, program.Module.Kernels())
	if err != nil {
		t.Fatal(err)
	}
	file, err := launchfile.Parse("k.yaml", []byte(text), launchfile.Options{})
	if err != nil {
		t.Fatalf("%s: %v", c.Name(), err)
	}
	return racesuite.NewRun(t, program, file, "precise").Check(t)
}

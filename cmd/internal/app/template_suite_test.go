// What ptxsan new and ptxsan check, without a launch file, say of the race suite.

package app

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
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

// TestTemplatesOfSuite: with a template, check is silent about race-free kernels but for the known guesses, and shows
// most racy ones.
func TestTemplatesOfSuite(t *testing.T) {
	names, err := filepath.Glob("../../../examples/suite/micro/*/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	missed, wrong := 0, 0
	for i, name := range names {
		if !*everyTemplate && i/2%8 != 0 {
			continue
		}
		ptx := strings.TrimSuffix(name, ".yaml") + ".ptx"
		kernel, racy := strings.CutSuffix(ptx, "-racy.ptx")
		kernel = strings.TrimPrefix(strings.TrimSuffix(kernel, "-fixed.ptx"), "../../../examples/suite/micro/")
		code, text := checkTemplate(t, ptx)
		switch found := code == command.Findings || code == command.Faulted; {
		case code != command.Clean && !found:
			t.Fatalf("%s: exit code %d\n%s", kernel, code, text)
		case racy && !found:
			missed++
			t.Logf("%s: nothing is shown", kernel)
		case !racy && found:
			if wrong++; guessedWrong[kernel] == "" {
				t.Errorf("%s: free of races, and\n%s", kernel, text)
			}
		}
	}
	t.Logf("findings in %d race-free kernels, none in %d racy ones", wrong, missed)
	if missed > mostMissed {
		t.Errorf("%d racy kernels show nothing, want %d at most", missed, mostMissed)
	}
}

// checkTemplate checks a file with its template, and returns the exit code and the report.
func checkTemplate(t *testing.T, ptx string) (code int, report string) {
	t.Helper()
	yaml := filepath.Join(t.TempDir(), "k.yaml")
	var text, out, errors bytes.Buffer
	if code = run(context.Background(), []string{"ptxsan", "new", ptx}, nil, &text, &errors); code != command.Clean {
		t.Fatalf("%s: exit code %d: %s", ptx, code, &errors)
	}
	if err := os.WriteFile(yaml, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	code = run(context.Background(), []string{"ptxsan", "check", "--launch", yaml, ptx}, nil, &out, &errors)
	return code, out.String() + errors.String()
}

// Mbarriers and bulk copies: which programs of the race suite the rules about them prove.

package analysis_test

import (
	"path/filepath"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestPhases tests that the race-free programs are proved without an execution, and that their racy variants, which
// lack an arrival, a wait or a fence, are not.
func TestPhases(t *testing.T) {
	for _, name := range []string{"bulk-load-over-stores", "bulk-no-wait", "global-write-no-proxy-fence", "mbarrier-arrive-too-early", "mbarrier-no-wait", "mbarrier-one-warp-missing", "mbarrier-wrong-parity"} {
		base := filepath.Join("../../examples/suite/micro/async", name)
		for suffix, want := range map[string]string{"-fixed": report.Clean, "-racy": report.Racy} {
			if got := analyzeCase(t, base+suffix).Report.Verdict; got != want {
				t.Errorf("%s%s: %s, want %s", name, suffix, got, want)
			}
		}
	}
}

package cuda

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestExplainBranches: between operations of two branches of graphs an edge is missing; otherwise an order of streams
// is.
func TestExplainBranches(t *testing.T) {
	branch, stream := label{text: "k in " + branchOf + "stream 1"}, label{text: "k in stream 2"}
	for i, c := range []struct {
		first, second label
		cause         detect.Cause
		want          bool
	}{
		{branch, branch, detect.MissingStreamOrder, true},
		{branch, stream, detect.MissingStreamOrder, false},
		{stream, stream, detect.MissingStreamOrder, false},
		{branch, branch, detect.MissingGridWait, false},
	} {
		x := &report.Race{Cause: c.cause}
		explainBranches(x, &c.first, &c.second)
		if got := strings.HasPrefix(x.Missing, "an edge of the graph"); got != c.want || got != (x.Hint != "") {
			t.Errorf("%d: %q, %q", i, x.Missing, x.Hint)
		}
	}
}

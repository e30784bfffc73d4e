// Race checks in Go tests.

package session

import (
	"strings"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// TB is what Clean needs of a *testing.T or *testing.B.
type TB interface {
	Helper()
	Fatal(args ...any)
}

// Clean fails a test, with the report, if the session's launches have shown a race that is
// an error, or a fault. It fails, too, when a proof did not hold that accesses were left out
// for: then only a session with Options.Refuted can tell.
func Clean(t TB, s *Session) {
	t.Helper()
	if in := s.Strayed(); in != nil {
		t.Fatal(in.Position().String() + ": an access went to another object than was proved: check again with Options.Refuted")
	}
	rep := s.Report()
	if len(rep.Faults) == 0 && rep.Count(report.Error) == 0 {
		return
	}
	var text strings.Builder
	if err := rep.WriteText(&text, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Fatal("\n" + text.String())
}

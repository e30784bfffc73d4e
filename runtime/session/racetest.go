// Race checks in Go tests.

package session

import (
	"strings"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// TB is the part of *testing.T and *testing.B that Clean needs.
type TB interface {
	Helper()
	Fatal(args ...any)
}

// Clean fails a test, with the report, if the session's launches have shown a race that is an error, or a fault. It
// also fails if an access has left its proved object: the results are then incomplete, and a session with
// Options.Refuted is needed.
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

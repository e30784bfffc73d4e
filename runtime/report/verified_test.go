// Advice that other runs have verified, and findings without any.

package report_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestLearn: advice is taken over if it was found for all races of a finding. Otherwise no edit of a kernel is named,
// but a change of the host's code is.
func TestLearn(t *testing.T) {
	at := func(line int, access string) report.Access {
		return report.Access{Kernel: "k", Access: access, Instruction: "st.global.u32", PTX: report.Place{File: "k.ptx", Line: line}}
	}
	run := func(kinds ...detect.Kind) *report.Report {
		rep := &report.Report{}
		for _, kind := range kinds {
			rep.Races = append(rep.Races, &report.Race{Kind: kind, Cause: detect.MissingBarrier, Space: "global", First: at(5, "write"), Second: at(7, "read")})
		}
		rep.Races = append(rep.Races, &report.Race{Kind: detect.Host, Cause: detect.MissingHostWait, Space: "global", First: at(9, "write"), Second: at(9, "read")})
		rep.Finish()
		return rep
	}
	const edit, none = "an edit", "no edit has been verified"
	for _, c := range []struct {
		own, other []detect.Kind
		hint       string
	}{
		{[]detect.Kind{detect.IntraBlock}, []detect.Kind{detect.IntraBlock, detect.IntraWarp}, edit},
		{[]detect.Kind{detect.IntraBlock, detect.IntraWarp}, []detect.Kind{detect.IntraBlock}, none},
	} {
		rep, other := run(c.own...), run(c.other...)
		host := rep.Races[1].Hint
		other.Races[0].Counsel(&report.Advice{Changes: []report.Change{{New: "bar.sync 0;"}}}, edit)
		other.Advised()
		rep.Learn(other)
		rep.Finish() // keeps what is verified
		if len(other.Races) != 1 || !strings.HasPrefix(rep.Races[0].Hint, c.hint) || rep.Races[1].Hint != host || host == "" {
			t.Errorf("%v from %v: %q and %q, expected %q and %q", c.own, c.other, rep.Races[0].Hint, rep.Races[1].Hint, c.hint, host)
		}
	}
}

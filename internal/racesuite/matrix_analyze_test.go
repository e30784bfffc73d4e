// The column of ptxsan analyze in docs/generated/matrix.md: its verdicts on the race suite, which are for every
// schedule.

package racesuite

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// staticBudget is the work units for a kernel of the race suite.
const staticBudget = 4_000_000

const matrixStatic = `
ptxsan analyze knows no schedules: it is judged once, by the semantics of ptx, with what the launch file says of the launches. Launches that leave
pairs open are executed in up to eight schedules ([hgrd](../detectors/hgrd.md)). Its words:

| word | means |
|---|---|
| nothing | a pair of lines that races is reported with a witness, and no pair that does not race; of a clean kernel: no pair of accesses races, for any schedule (proved) |
| possible | neither: what orders the accesses, or where they go, depends on memory, or the budget is used up |
| fault | the kernel ends in a fault, which is not what it looks for |
`

// static is the result of the analysis for one case.
type static struct {
	fault, found, proved bool
	false                []string // pairs of lines that it calls races, and that are none
}

// analyzed returns the result of the analysis for a case with the launches of its launch file.
func (c *Case) analyzed(t *testing.T) *static {
	t.Helper()
	text, err := os.ReadFile(c.PTX)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := session.Parse(c.PTX, text)
	if err != nil {
		t.Fatal(err)
	}
	out, err := analysis.Run(context.Background(), prog, analysis.Options{Budget: staticBudget, Facts: []*facts.File{factfile.FromLaunches(c.File)}, File: c.File})
	if err != nil {
		t.Fatal(err)
	}
	out.Report.SettleStatic(report.Error)
	return c.compare(out.Report)
}

// compare compares a report with the answer.
func (c *Case) compare(rep *report.Report) *static {
	want := answer(c, "ptx")
	s := &static{fault: want.Verdict == "fault", proved: rep.Verdict == report.Clean}
	for _, x := range rep.Pairs() {
		if x.Possible || x.Severity == report.Warning {
			continue
		}
		a, b := session.OwnPlace(&x.First).Line, session.OwnPlace(&x.Second).Line
		stated := slices.ContainsFunc(want.Lines, func(p [2]int) bool { return LinePair(p[0], p[1]) == LinePair(a, b) })
		if stated {
			s.found = true
		} else if !s.fault {
			s.false = append(s.false, LinePair(a, b))
		}
	}
	return s
}

// text returns the cell in a table.
func (s *static) text() string {
	switch {
	case len(s.false) > 0:
		return "false " + strings.Join(s.false, " ")
	case s.fault:
		return "fault"
	case s.found, s.proved:
		return "ok"
	}
	return "possible"
}

// runStatic analyses every case. A racy case that is proved is an error, and a clean one that is
// called racy.
func (m *matrix) runStatic(t *testing.T) {
	m.static = make(map[string]*static)
	for _, c := range m.all() {
		s := c.analyzed(t)
		m.static[c.Name()] = s
		racy := answer(c, "ptx").Verdict == "racy"
		if s.proved && racy || len(s.false) > 0 {
			t.Errorf("analyze is wrong about %s: %s", c.Name(), s.text())
		}
	}
}

// countStatic counts the racy cases and those found, and the clean ones, those proved, and those
// called racy.
func (m *matrix) countStatic(cases []*Case) string {
	var racy, found, clean, proved, alarms int
	for _, c := range cases {
		s := m.static[c.Name()]
		switch {
		case s.fault:
		case answer(c, "ptx").Verdict == "racy":
			racy++
			if s.found {
				found++
			}
		default:
			clean++
			if s.proved {
				proved++
			}
			if len(s.false) > 0 {
				alarms++
			}
		}
	}
	return fmt.Sprintf(" %d/%d | %d/%d | %d |", found, racy, proved, clean, alarms)
}

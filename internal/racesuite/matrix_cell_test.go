package racesuite

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// The cells of the matrix: what one detector says of one case.

// cell is the result of one detector for one case over all runs.
type cell struct {
	answer *launch.Semantics
	seen   map[string]bool // expected pairs of lines, true when some run reports it
	runs   int
	hit    int      // runs that report an expected pair or fault
	pairs  int      // expected pairs that some run reports
	want   int      // expected pairs
	false  []string // pairs that some run reports and that are no race
	other  []string // kinds and spaces of expected pairs that the answer does not name
	causes []string // causes of expected pairs that the answer does not name
	named  bool     // a cause of an expected pair is one that the answer names
	err    error    // the case cannot be run
}

// right reports whether the detector is right about the case.
func (c *cell) right() bool {
	return c.err == nil && c.pairs == c.want && len(c.false) == 0 && len(c.other) == 0
}

func newCell(s *launch.Semantics) *cell {
	c := &cell{answer: s, want: len(s.Lines), seen: make(map[string]bool, len(s.Lines))}
	if s.Verdict == "fault" {
		c.want = 1
	}
	for _, p := range s.Lines {
		c.seen[LinePair(p[0], p[1])] = false
	}
	return c
}

// judge runs a case under some schedules with detectors that can share a run.
func (c *Case) judge(t *testing.T, detectors []string, runs []matrixRun) map[string]*cell {
	cells := make(map[string]*cell, len(detectors))
	for _, d := range detectors {
		cells[d] = newCell(answer(c, semanticsOf(d)))
	}
	k := c.Run(t, strings.Join(detectors, ","))
	for _, r := range runs {
		rep, err := k.Plan.Check(context.Background(), k.Under(r.policy, r.seed).Open(t))
		for d, out := range cells {
			out.runs++
			if out.err = err; err == nil {
				out.add(rep, d)
			}
		}
		if err != nil {
			break
		}
	}
	for _, out := range cells {
		out.finish()
	}
	return cells
}

// add adds the findings of a detector in one run.
func (c *cell) add(rep *report.Report, detector string) {
	hit := c.answer.Verdict == "fault" && faultClass(rep) == c.answer.Fault
	for _, x := range rep.Pairs() {
		if x.Detectors != nil && !slices.Contains(x.Detectors, detector) {
			continue
		}
		if x.Severity == report.Warning && c.answer.Name == "ptx" {
			continue // no race of that model
		}
		if c.answer.Verdict == "racy" && (x.First.Event != "" || x.Second.Event != "") {
			continue // with the start or the end of a block: the suite's answers are pairs of lines
		}
		pair := LinePair(session.OwnPlace(&x.First).Line, session.OwnPlace(&x.Second).Line)
		if _, ok := c.seen[pair]; !ok {
			c.false = append(c.false, pair)
			continue
		}
		c.seen[pair], hit = true, true
		c.other = appendUnless(c.other, string(x.Kind), c.answer.Kinds...)
		c.other = appendUnless(c.other, x.Space, c.answer.Space)
		c.causes = appendUnless(c.causes, string(x.Cause), c.answer.Causes...)
		c.named = c.named || slices.Contains(c.answer.Causes, string(x.Cause))
	}
	if hit {
		c.hit++
	}
}

func faultClass(rep *report.Report) string {
	if len(rep.Faults) == 0 {
		return "none"
	}
	return rep.Faults[0].Class
}

// appendUnless appends a word to a list unless it is one of the expected.
func appendUnless(list []string, word string, expected ...string) []string {
	if slices.Contains(expected, word) {
		return list
	}
	return append(list, word)
}

// finish puts the cell in order after all runs.
func (c *cell) finish() {
	for _, seen := range c.seen {
		if seen {
			c.pairs++
		}
	}
	if c.answer.Verdict == "fault" {
		c.pairs = min(c.hit, 1)
	}
	for _, list := range []*[]string{&c.false, &c.other, &c.causes} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
}

// Expectations: what a launch file expects of a run, compared with the run.

package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
)

// compareExpect compares a run with the expectations of the launch file. If the file says that the program deadlocks or
// livelocks under the lockstep schedule, a lockstep run is expected to do so and nothing else.
func (p *Plan) compareExpect(rep *report.Report, s *Session) ([]report.Expectation, error) {
	e := p.File.Expect
	if e == nil {
		return nil, nil
	}
	out := p.expectedFindings(rep)
	if rep.Stopped() || rep.Schedule == "lockstep" && e.Lockstep != "" {
		return out, nil
	}
	for i := range e.Buffers {
		b := &e.Buffers[i]
		diff, err := b.Compare(p.File.Buffer(b.Name), s.Object(b.Name).Read)
		if err != nil {
			return nil, badinput.Wrap(err)
		}
		got := "as expected"
		if diff != nil {
			got = diff.String()
		}
		out.add("buffer "+b.Name, "as expected", got)
	}
	return out, nil
}

// expectedFindings compares the findings of a report with what the launch file expects.
func (p *Plan) expectedFindings(rep *report.Report) (out expectations) {
	e := p.File.Expect
	if rep.Schedule == "lockstep" && e.Lockstep != "" {
		out.add("lockstep", e.Lockstep, faultClass(rep))
		return out
	}
	if e.Verdict != "" {
		out.add("verdict", e.Verdict, rep.Verdict)
	}
	if e.Fault != "" {
		out.add("fault", e.Fault, faultClass(rep))
	}
	if e.Races >= 0 {
		out.add("races", strconv.Itoa(e.Races), strconv.Itoa(placePairs(rep)))
	}
	if e.Kinds != nil {
		out.add("kinds", set(e.Kinds), set(collect(rep, func(x *report.Race) string { return string(x.Kind) })))
	}
	if e.Space != "" {
		out.add("space", e.Space, set(collect(rep, func(x *report.Race) string { return x.Space })))
	}
	if e.Lines != nil {
		var want []string
		for _, p := range e.Lines {
			want = append(want, linePair(p[0], p[1]))
		}
		out.add("lines", set(want), set(collect(rep, func(x *report.Race) string {
			return linePair(OwnPlace(&x.First).Line, OwnPlace(&x.Second).Line)
		})))
	}
	return out
}

type expectations []report.Expectation

func (l *expectations) add(what, want, got string) {
	*l = append(*l, report.Expectation{What: what, Want: want, Got: got, OK: want == got})
}

func faultClass(rep *report.Report) string {
	if len(rep.Faults) == 0 {
		return "none"
	}
	return rep.Faults[0].Class
}

func collect(rep *report.Report, f func(*report.Race) string) []string {
	var out []string
	for _, x := range rep.Pairs() {
		out = append(out, f(x))
	}
	return out
}

// set returns a set of words in a canonical spelling.
func set(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	s := slices.Clone(words)
	slices.Sort(s)
	return strings.Join(slices.Compact(s), " ")
}

func linePair(a, b int) string { return fmt.Sprintf("[%d,%d]", min(a, b), max(a, b)) }

// OwnPlace returns the source line of an access in the user's own code, or its PTX line if there is no source.
func OwnPlace(a *report.Access) report.Place {
	if a.Source != nil {
		own := a.Source.Own()
		return report.Place{File: own.File, Line: own.Line}
	}
	return a.PTX
}

// placePairs counts the pairs of places that race. Several instructions of one line, as in unrolled loops, and several
// causes count once.
func placePairs(rep *report.Report) int {
	seen := make(map[[2]report.Place]bool)
	for _, x := range rep.Races {
		a, b := OwnPlace(&x.First), OwnPlace(&x.Second)
		if !seen[[2]report.Place{b, a}] {
			seen[[2]report.Place{a, b}] = true
		}
	}
	return len(seen)
}

// expectAgain compares the findings of a report again, which have changed, with what the launch file expects.
func (p *Plan) expectAgain(rep *report.Report) {
	if len(rep.Expect) > 0 {
		buffers := slices.DeleteFunc(rep.Expect, func(x report.Expectation) bool {
			return !strings.HasPrefix(x.What,
				"buffer ")
		})
		rep.Expect = append(p.expectedFindings(rep), buffers...)
	}
}

// Package junit writes reports as JUnit XML, which most systems for continuous integration show: a
// test case for each kernel that was checked, which fails with its findings. It must not know who
// made the report, nor where the output goes.
package junit

import (
	"cmp"
	"encoding/xml"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// The elements of the format that readers support (llg.cubic.org/docs/junit).
type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name     string `xml:"name,attr"`
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr,omitempty"`
	Cases    []*testcase
	Out      string `xml:"system-out,omitempty"`
}

type testcase struct {
	XMLName  xml.Name  `xml:"testcase"`
	Class    string    `xml:"classname,attr"`
	Name     string    `xml:"name,attr"`
	File     string    `xml:"file,attr,omitempty"`
	Failures []problem `xml:"failure"`
	Errors   []problem `xml:"error"`
	Skipped  *skipped  `xml:"skipped"`
}

type problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",cdata"`
}

type skipped struct {
	Message string `xml:"message,attr"`
}

// Write writes a report after report.Report.Finish. Findings that do not count for the verdict are text outside of the
// cases. Cases are skipped if no detector watched anything.
func Write(w io.Writer, r *report.Report) error {
	s := &suite{Name: cmp.Or(r.Detector, "ptxsan")}
	for _, c := range r.Coverage {
		s.of(c.Kernel)
	}
	var out []string
	for _, x := range r.Races {
		if report.SeverityRank(x.Severity) < report.SeverityRank(r.ErrorLevel) {
			out = append(out, x.Headline())
			continue
		}
		file, _ := x.Where()
		s.of(x.Second.Kernel).fail(&s.Failures, file, problem{x.Headline(), string(x.Cause), text(x.Lines())})
	}
	for _, f := range r.Faults {
		name := f.Kernel
		switch {
		case report.SeverityRank(f.Severity) < report.SeverityRank(r.ErrorLevel):
			out = append(out, f.Headline())
			continue
		case f.Leaked():
			name = "memory of the application"
		case f.OfCall():
			name = "calls of the application"
		}
		file, _ := f.Where()
		if f.Class == report.WeakClass { // the kernel was not stopped
			s.of(name).fail(&s.Failures, file, problem{f.Headline(), f.Class, text(f.Lines())})
			continue
		}
		c := s.of(name)
		c.File = clean(cmp.Or(c.File, file))
		c.Errors = append(c.Errors, problem{clean(f.Headline()), clean(f.Class), text(f.Lines())})
		s.Errors++
	}
	for _, e := range r.Expect {
		if !e.OK {
			s.of("expect").fail(&s.Failures, "", problem{
				e.What + ": expected " + e.Want + ", got " + e.Got, "expect",
				"",
			})
		}
	}
	if r.Verdict == report.Unknown && r.Blind() {
		for _, c := range s.Cases {
			c.Skipped = &skipped{"no access was watched"}
		}
		s.Skipped = len(s.Cases)
	}
	s.Tests = len(s.Cases)
	s.Out = text(slices.Concat(out, r.CoverageNotes(), r.Notes, r.ProofNotes(),
		r.ClaimLines(report.Demangle)))
	all := suites{Name: "ptxsan", Tests: s.Tests, Failures: s.Failures, Errors: s.Errors, Suites: []suite{*s}}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// of returns the case of a kernel.
func (s *suite) of(kernel string) *testcase {
	name := clean(cmp.Or(report.Demangle(kernel), "operations of streams"))
	for _, c := range s.Cases {
		if c.Name == name {
			return c
		}
	}
	c := &testcase{Class: "ptxsan." + clean(s.Name), Name: name}
	s.Cases = append(s.Cases, c)
	return c
}

func (c *testcase) fail(count *int, file string, p problem) {
	p.Message, p.Type, p.Text = clean(p.Message), clean(p.Type), clean(p.Text)
	c.Failures, c.File = append(c.Failures, p), clean(cmp.Or(c.File, file))
	*count++
}

func text(lines []string) string { return clean(strings.Join(lines, "\n")) }

// clean replaces characters that XML does not allow.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' || r == utf8.RuneError || r == 0xFFFE || r == 0xFFFF {
			return '?'
		}
		return r
	}, s)
}

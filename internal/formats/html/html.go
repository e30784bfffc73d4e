// Package html writes reports as one self-contained page: what ran, a list of the findings, and the findings by repair,
// each with the lines of both accesses, a picture of what the two threads do over time and of the edge that is missing,
// and how to repeat the run. It must not know who made the report, nor where the output goes.
package html

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/docs"
	"github.com/ptxsan/ptxsan/runtime/report"
)

//go:embed page.html
var source string

var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(source)) })

// Write writes a report after report.Report.Finish. Of the options it uses Excerpt, Names, Command and Date.
func Write(w io.Writer, r *report.Report, o report.TextOptions) error {
	return page().Execute(w, newView(r, o))
}

// view is the data of the page.
type view struct {
	*report.Report
	Title         string
	Command, Date string
	Files         []string // the modules with findings
	Kernels       []kernel
	Groups        []*group
	Faults        []*fault
	Checked       []string // notes about what was not checked, and other notes
	Answers       []answer // about synchronisation
	Counts        string
	Course        *timeline // nil if the report has none
}

// patchLine is a line of a patch; its class is added or removed, or empty.
type patchLine struct{ Class, Text string }

// PatchLines returns the hunks of the patch.
func (v *view) PatchLines() (list []patchLine) {
	_, hunks, _ := strings.Cut(v.Patch.Diff, "\n@@")
	for line := range strings.Lines("@@" + hunks) {
		list = append(list, patchLine{
			map[byte]string{'+': "added", '-': "removed"}[line[0]],
			strings.TrimRight(line, "\r\n"),
		})
	}
	return list
}

// kernel is a checked kernel, with the grids and blocks of its launches.
type kernel struct {
	Name   string
	Shapes []report.Shape
}

// group holds the findings that one repair removes.
type group struct {
	Repair string
	Races  []*race
}

type race struct {
	*report.Race
	Sides   [2]side
	Picture *picture
	More    []string // further races of the same two lines
}

// Page returns the address of the page about the cause.
func (x *race) Page() string { return docs.CauseAddress(string(x.Cause)) }

// side is an access with the lines around it.
type side struct {
	*report.Access
	Role    string // "first" or "second"
	Kernel  string
	Excerpt []line
}

type fault struct {
	*report.FaultEvent
	Kernel  string
	Excerpt []line
}

func newView(r *report.Report, o report.TextOptions) *view {
	v := &view{
		Report: r, Title: "ptxsan: " + r.Verdict, Command: o.Command, Date: o.Date,
		Checked: append(r.CoverageNotes(), r.Notes...),
	}
	for _, x := range r.Races {
		v.add(newRace(x, o))
		v.file(x.First.PTX.File)
		v.file(x.Second.PTX.File)
	}
	for _, x := range r.Faults {
		name, n := x.Where()
		v.Faults = append(v.Faults, &fault{x, report.Demangle(x.Kernel), excerpt(o, name, n)})
		v.file(x.PTX.File)
	}
	for i := range r.Sync {
		v.Answers = append(v.Answers, newAnswer(&r.Sync[i], o))
	}
	for _, c := range r.Coverage {
		name := report.Demangle(c.Kernel)
		if !slices.ContainsFunc(v.Kernels, func(k kernel) bool { return k.Name == name }) {
			v.Kernels = append(v.Kernels, kernel{name, c.Launched})
		}
	}
	v.Counts, v.Course = v.counts(), newTimeline(r.Timeline, r.Races)
	return v
}

// counts says how many findings there are of each severity, and how many faults and launches.
func (v *view) counts() string {
	var list []string
	if b := v.Baseline; b != nil {
		list = append(list, fmt.Sprintf("%d new, %d as before, %d gone", len(v.Races), len(b.Same),
			len(b.Gone)+len(b.GoneFaults)))
	}
	for _, severity := range []string{report.Error, report.Warning, report.Info} {
		n := 0
		for _, x := range v.Races {
			if x.Severity == severity {
				n++
			}
		}
		if n > 0 {
			list = append(list, count(n, severity))
		}
	}
	if len(v.Races) == 0 {
		list = append(list, "no findings")
	}
	return strings.Join(append(list, count(len(v.Faults), "fault"), count(v.Stats.Launches, "launch")), ", ")
}

// Demangled returns the readable name of a kernel.
func (*view) Demangled(kernel string) string { return report.Demangle(kernel) }

func count(n int, word string) string {
	switch {
	case n == 1:
		return "1 " + word
	case strings.HasSuffix(word, "h"):
		return fmt.Sprintf("%d %ses", n, word)
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// file adds a module to those with findings.
func (v *view) file(name string) {
	if name != "" && !slices.Contains(v.Files, name) {
		v.Files = append(v.Files, name)
	}
}

// add adds a finding to those with the same repair. One without a repair is a group of its own.
func (v *view) add(x *race) {
	repair := cmp.Or(x.Hint, "undecided: no race is known")
	i := slices.IndexFunc(v.Groups, func(g *group) bool { return g.Repair == repair })
	if a := x.Advice; i < 0 || a != nil && a.None {
		v.Groups = append(v.Groups, &group{repair, []*race{x}})
		return
	}
	v.Groups[i].Races = append(v.Groups[i].Races, x)
}

func newRace(x *report.Race, o report.TextOptions) *race {
	r := &race{
		Race: x, Sides: [2]side{newSide(&x.First, "first", o), newSide(&x.Second, "second", o)},
		Picture: draw(x),
	}
	for _, y := range x.Also {
		r.More = append(r.More, y.Headline())
	}
	return r
}

// answer is one about a synchronisation, with its line of the source, or its instruction.
type answer struct {
	*report.Sync
	Code string
}

func newAnswer(s *report.Sync, o report.TextOptions) answer {
	if file, n := s.Where(); o.Excerpt != nil {
		if text, ok := o.Excerpt(file, n); ok {
			return answer{s, strings.TrimSpace(text)}
		}
	}
	return answer{s, s.Instruction}
}

func newSide(a *report.Access, role string, o report.TextOptions) side {
	name, n := a.Where()
	return side{a, role, report.Demangle(a.Kernel), excerpt(o, name, n)}
}

// line is a line of source.
type line struct {
	Number int
	Text   string
	Hit    bool
}

// around is the number of lines shown before and after a line.
const around = 3

// excerpt returns the lines around a line of a file, none if the file cannot be read.
func excerpt(o report.TextOptions, name string, n int) (lines []line) {
	if o.Excerpt == nil || name == "" {
		return nil
	}
	for i := max(n-around, 1); i <= n+around; i++ {
		text, ok := o.Excerpt(name, i)
		if !ok && i > n {
			break // the end of the file
		}
		lines = append(lines, line{i, strings.TrimRight(strings.ReplaceAll(text, "\t", "    "), " \r\n"), i == n})
	}
	if !slices.ContainsFunc(lines, func(l line) bool { return l.Text != "" }) {
		return nil
	}
	return lines
}

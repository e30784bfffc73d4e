// Package html writes reports as one self-contained page: the findings by file, with the lines of
// both accesses, what the two threads do over time, what is missing, how to repair the race and
// how to repeat the run. It must not know who made the report, nor where the output goes.
package html

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/docs/causes"
	"github.com/ptxsan/ptxsan/runtime/report"
)

//go:embed page.html
var source string

var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(source)) })

// Write writes a report after report.Report.Finish. Of the options it uses Excerpt and Names.
func Write(w io.Writer, r *report.Report, o report.TextOptions) error {
	return page().Execute(w, newView(r, o))
}

// view is the data of the page.
type view struct {
	*report.Report
	Title   string
	Files   []*file
	Checked []string // notes about what was not checked, and other notes
	Counts  string
}

// file holds the findings whose second access is in one file.
type file struct {
	Name   string
	Races  []*race
	Faults []*fault
}

type race struct {
	*report.Race
	Sides [2]side
	Steps []step
	More  []string // further races of the same two lines
}

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

// line is a line of source.
type line struct {
	Number int
	Text   string
	Hit    bool
}

// step is an action of one of the two threads, in the order of time.
type step struct {
	Thread int // 1 or 2; 0 for what is missing between the threads
	What   string
	Where  string
}

// around is the number of lines shown before and after a line.
const around = 3

func newView(r *report.Report, o report.TextOptions) *view {
	v := &view{Report: r, Title: "ptxsan: " + r.Verdict, Checked: append(r.CoverageNotes(), r.Notes...)}
	for _, x := range r.Races {
		name, _ := x.Where()
		f := v.file(name)
		f.Races = append(f.Races, newRace(x, o))
	}
	for _, x := range r.Faults {
		name, n := x.Where()
		f := v.file(name)
		f.Faults = append(f.Faults, &fault{x, report.Demangle(x.Kernel), excerpt(o, name, n)})
	}
	slices.SortStableFunc(v.Files, func(a, b *file) int { return strings.Compare(a.Name, b.Name) })
	found := count(len(r.Races), "finding")
	if b := r.Baseline; b != nil {
		found = fmt.Sprintf("%d new, %d as before, %d gone", len(r.Races), len(b.Same), len(b.Gone)+len(b.GoneFaults))
	}
	v.Counts = found + ", " + count(len(r.Faults), "fault") + ", " + count(r.Stats.Launches, "launch")
	return v
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

// file returns the entry of a file.
func (v *view) file(name string) *file {
	if name == "" {
		name = "streams of the application"
	}
	name = path.Clean(name)
	for _, f := range v.Files {
		if f.Name == name {
			return f
		}
	}
	f := &file{Name: name}
	v.Files = append(v.Files, f)
	return f
}

func newRace(x *report.Race, o report.TextOptions) *race {
	r := &race{Race: x, Sides: [2]side{newSide(&x.First, "first", o), newSide(&x.Second, "second", o)}}
	r.Steps = append(r.Steps, step{1, x.First.Access + ": " + x.First.Instruction, x.First.At()})
	for _, op := range []*report.Operation{x.Fence, x.Publish} {
		if op != nil {
			r.Steps = append(r.Steps, step{1, op.Instruction, op.At()})
		}
	}
	r.Steps = append(r.Steps, step{0, "missing: " + x.Missing, ""})
	if x.Observe != nil {
		r.Steps = append(r.Steps, step{2, x.Observe.Instruction, x.Observe.At()})
	}
	r.Steps = append(r.Steps, step{2, x.Second.Access + ": " + x.Second.Instruction, x.Second.At()})
	for _, y := range x.Also {
		r.More = append(r.More, y.Headline())
	}
	return r
}

// Page returns the address of the page about the cause.
func (x *race) Page() string { return causes.Address(string(x.Cause)) }

func newSide(a *report.Access, role string, o report.TextOptions) side {
	name, n := a.Where()
	return side{a, role, report.Demangle(a.Kernel), excerpt(o, name, n)}
}

// excerpt returns the lines around a line of a file, none if the file cannot be read.
func excerpt(o report.TextOptions, name string, n int) (lines []line) {
	if o.Excerpt == nil || name == "" {
		return nil
	}
	for i := max(n-around, 1); i <= n+around; i++ {
		if text, ok := o.Excerpt(name, i); ok {
			lines = append(lines, line{i, strings.TrimRight(strings.ReplaceAll(text, "\t", "    "), " \r\n"), i == n})
		}
	}
	return lines
}

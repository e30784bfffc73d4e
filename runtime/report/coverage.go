// Coverage: the accesses that detectors watch, and those that they do not.

package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Coverage is what one detector watches in one launched kernel and the functions that it calls. It counts each access
// in the program once. Accesses that other threads cannot race with, to local memory, parameters and constants, are
// left out.
type Coverage struct {
	Detector   string  `json:"detector"`
	Kernel     string  `json:"kernel"` // as in the PTX
	Accesses   int     `json:"accesses"`
	Watched    int     `json:"watched"`              // number compared with others in the run
	Unexecuted int     `json:"unexecuted,omitempty"` // number of these that no run has executed, as far as is known
	Proved     int     `json:"proved_free"`          // number proved to take part in no race
	Launched   []Shape `json:"launched,omitempty"`   // the first shapes of launches, at most 8
	// Repeated is the number of launches that were not watched because they equal one whose verdict holds for every
	// schedule and every content of memory.
	Repeated   int         `json:"launches_proved,omitempty"`
	NotCovered []Uncovered `json:"not_covered,omitempty"`
	// Idle says that the kernel has stores, and that no run of its guessed launch has executed one. Guess says which
	// guess may be why.
	Idle   bool     `json:"idle,omitempty"`
	Guess  string   `json:"guess,omitempty"`
	Method []string `json:"method,omitempty"` // how the detector checks the kernel, and what that cannot detect
}

// Shape is a grid and a block with which a kernel was launched, so many times.
type Shape struct {
	Grid     [3]uint32 `json:"grid"`
	Block    [3]uint32 `json:"block"`
	Launches int       `json:"launches"`
}

// mostShapes is the length of a list of shapes, which does not grow with the launches of an application.
const mostShapes = 8

// AddShape adds a launch to a list of shapes. Further shapes than the list may have are left out.
func AddShape(list []Shape, grid, block [3]uint32) []Shape {
	i := slices.IndexFunc(list, func(s Shape) bool { return s.Grid == grid && s.Block == block })
	switch {
	case i >= 0:
		list[i].Launches++
	case len(list) < mostShapes:
		list = append(list, Shape{grid, block, 1})
	}
	return list
}

func (s Shape) String() string {
	return fmt.Sprintf("grid %s, block %s", dim(s.Grid), dim(s.Block))
}

// Uncovered counts accesses that a detector does not watch.
type Uncovered struct {
	What     Unwatched `json:"what"`
	Accesses int       `json:"accesses"`
	Why      string    `json:"why"`
}

// Unwatched is a kind of accesses that some detectors do not watch.
type Unwatched string

// Kinds of accesses, in the order of reports.
const (
	UnwatchedGlobal  Unwatched = "global memory"
	UnwatchedShared  Unwatched = "shared memory"
	UnwatchedAsync   Unwatched = "asynchronous copies"
	UnwatchedTexture Unwatched = "textures and surfaces"
	UnwatchedMatrix  Unwatched = "loads and stores of matrices"
	UnwatchedBarrier Unwatched = "operations on barrier objects"
	UnwatchedCode    Unwatched = "code that cannot be checked"
)

var unwatched = []Unwatched{
	UnwatchedGlobal, UnwatchedShared, UnwatchedAsync, UnwatchedTexture, UnwatchedMatrix, UnwatchedBarrier,
	UnwatchedCode,
}

// why explains why a detector does not watch accesses of a kind.
var why = map[Unwatched]string{
	UnwatchedGlobal:  "the detector checks shared memory only",
	UnwatchedShared:  "the detector checks global memory only",
	UnwatchedAsync:   "they access memory after their instruction, which the detector does not follow",
	UnwatchedTexture: "the detector does not know their addresses",
	UnwatchedMatrix:  "the shape of the matrix decides what a lane accesses, which the detector does not follow",
	UnwatchedBarrier: "the detector does not look at them",
	UnwatchedCode:    "other notes say why, at each place",
}

// Leave counts an access that the detector does not watch.
func (c *Coverage) Leave(what Unwatched) {
	c.Accesses++
	i := slices.IndexFunc(c.NotCovered, func(u Uncovered) bool { return u.What == what })
	if i < 0 {
		i = len(c.NotCovered)
		c.NotCovered = append(c.NotCovered, Uncovered{What: what, Why: why[what]})
	}
	c.NotCovered[i].Accesses++
	slices.SortFunc(c.NotCovered, func(a, b Uncovered) int {
		return slices.Index(unwatched,
			a.What) - slices.Index(unwatched, b.What)
	})
}

// cover adds coverage of kernels and detectors that the report does not have yet.
func (r *Report) cover(list []*Coverage) {
	for _, c := range list {
		i := slices.IndexFunc(r.Coverage, func(have *Coverage) bool {
			return have.Detector == c.Detector &&
				have.Kernel == c.Kernel
		})
		if i < 0 {
			r.Coverage = append(r.Coverage, c)
			continue
		}
		have := r.Coverage[i]
		have.Unexecuted, have.Idle = min(have.Unexecuted, c.Unexecuted), have.Idle && c.Idle
		have.Repeated += c.Repeated
	}
}

// LibraryCalls counts the calls of a function of CUDA's libraries that were executed, with bounds and order of their
// operands checked.
type LibraryCalls struct {
	Function string `json:"function"`
	Calls    int    `json:"calls"`
}

// AddCalls adds further calls of functions of CUDA's libraries to a list.
func AddCalls(list []LibraryCalls, more ...LibraryCalls) []LibraryCalls {
	for _, c := range more {
		i := slices.IndexFunc(list, func(have LibraryCalls) bool { return have.Function == c.Function })
		if i < 0 {
			list = append(list, c)
		} else {
			list[i].Calls += c.Calls
		}
	}
	return list
}

// called writes the calls of functions of CUDA's libraries.
func (t *text) called(list []LibraryCalls) {
	var parts []string
	for i, c := range list {
		if i == mostNames {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, fmt.Sprintf("%s of %s", plural2(c.Calls, "call", "calls"), c.Function))
	}
	if len(parts) > 0 {
		t.line("CHECKED: %s: bounds of their operands, and their order in streams", strings.Join(parts, ", "))
	}
}

// detectorCoverage is the total coverage of one detector in all kernels.
type detectorCoverage struct {
	Coverage
	kernels int
}

// coverage returns the total for each detector, in the order of the report.
func (r *Report) coverage() (list []*detectorCoverage) {
	for _, c := range r.Coverage {
		i := slices.IndexFunc(list, func(d *detectorCoverage) bool { return d.Detector == c.Detector })
		if i < 0 {
			i = len(list)
			list = append(list, &detectorCoverage{Coverage: Coverage{Detector: c.Detector, Kernel: c.Kernel}})
		}
		d := list[i]
		d.kernels++
		d.Accesses, d.Watched, d.Proved, d.Unexecuted = d.Accesses+c.Accesses, d.Watched+c.Watched, d.Proved+c.Proved,
			d.Unexecuted+c.Unexecuted
		d.Repeated += c.Repeated
		for _, what := range unwatched {
			d.NotCovered = addUncovered(d.NotCovered, c.NotCovered, what)
		}
	}
	return list
}

// addUncovered adds the accesses of one kind in from to list.
func addUncovered(list, from []Uncovered, what Unwatched) []Uncovered {
	sort := func(u Uncovered) bool { return u.What == what }
	j := slices.IndexFunc(from, sort)
	if j < 0 {
		return list
	}
	if i := slices.IndexFunc(list, sort); i >= 0 {
		list[i].Accesses += from[j].Accesses
		return list
	}
	return append(list, from[j])
}

// blind reports whether there are accesses, and the detector covers none of them. A proof covers an access as watching
// does.
func (d *detectorCoverage) blind() bool { return d.Watched+d.Proved == 0 && len(d.NotCovered) > 0 }

// idle reports whether there are detectors but neither a kernel nor a call of a library was checked.
func (r *Report) idle() bool {
	ofKernel := func(f *FaultEvent) bool { return !f.OfCall() && !f.Leaked() }
	found := len(r.Races) + len(r.Suppressed)
	if r.Exploration != nil {
		found += r.Exploration.Proved
	}
	return r.Detector != "" && len(r.Coverage) == 0 && len(r.LibraryCalls) == 0 && found == 0 && len(r.Proofs) == 0 &&
		!slices.ContainsFunc(r.Faults, ofKernel)
}

// Blind reports whether no detector covers any access, by watching or by a proof, although some could race, or neither
// a kernel nor a call of a library was checked.
func (r *Report) Blind() bool {
	list := r.coverage()
	return r.idle() || len(list) > 0 && !slices.ContainsFunc(list, func(d *detectorCoverage) bool { return !d.blind() })
}

// Unchecked reports whether nothing was checked, or not all that the command line requires.
func (r *Report) Unchecked() bool {
	return r.Blind() || slices.ContainsFunc(r.NotChecked, func(n NotChecked) bool { return n.Required })
}

// CoverageNotes returns notes about what detectors did not watch, and why.
func (r *Report) CoverageNotes() (notes []string) {
	if r.idle() {
		what := "no kernel was launched"
		if r.Proofs != nil {
			what = "there is no kernel"
		}
		if len(r.NotChecked) > 0 || r.Stats.Launches > 0 ||
			slices.ContainsFunc(r.Notes, func(note string) bool { return strings.HasPrefix(note, Unchecked) }) {
			what = "no launch was checked"
		}
		notes = append(notes, what+": nothing was checked")
	}
	notes = append(notes, r.uncheckedNotes()...)
	for _, d := range r.coverage() {
		for _, u := range d.NotCovered {
			notes = append(notes, fmt.Sprintf("%s does not check %s: %s", d.Detector, u.text(), u.Why))
		}
		if d.blind() {
			notes = append(notes, fmt.Sprintf("%s watched no access, so that its run cannot show a race", d.Detector))
		}
	}
	return notes
}

// text returns the number and kind of accesses: "2 accesses to shared memory".
func (u *Uncovered) text() string {
	n := plural2(u.Accesses, "access", "accesses")
	if u.What == UnwatchedGlobal || u.What == UnwatchedShared {
		return fmt.Sprintf("%s to %s", n, u.What)
	}
	if u.What == UnwatchedCode {
		return fmt.Sprintf("%s in %s", n, u.What)
	}
	return fmt.Sprintf("%s by %s", n, u.What)
}

func plural2(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// coverage writes what detectors watched.
func (t *text) coverage(r *Report) {
	within := "" // proofs are about the threads of one launch
	if slices.ContainsFunc(r.Races, func(x *Race) bool {
		return x.Kind == detect.InterKernel ||
			x.Kind == detect.Host
	}) {
		within = " within a launch"
	}
	for _, d := range r.coverage() {
		where := "kernel " + strings.TrimSuffix(t.function(d.Kernel), "()")
		if d.kernels > 1 {
			where = fmt.Sprintf("%d kernels", d.kernels)
		}
		parts := []string{fmt.Sprintf("%d watched", d.Watched)}
		if d.Unexecuted > 0 {
			parts[0] += fmt.Sprintf(" (%d of them never executed)", d.Unexecuted)
		}
		if d.Proved > 0 {
			parts = append(parts, fmt.Sprintf("%d proved free of races%s", d.Proved, within))
		}
		if left := d.Accesses - d.Watched - d.Proved; left > 0 {
			parts = append(parts, fmt.Sprintf("%d not checked", left))
		}
		if d.Repeated > 0 {
			parts = append(parts, fmt.Sprintf("%s proved by equal ones", plural2(d.Repeated, "launch", "launches")))
		}
		t.line("CHECKED: %s: %s in %s: %s", d.Detector, plural2(d.Accesses, "access", "accesses"), where,
			strings.Join(parts, ", "))
	}
	for _, c := range r.Coverage {
		for _, how := range c.Method {
			t.line("CHECKED: %s: %s: %s", c.Detector, strings.TrimSuffix(t.function(c.Kernel), "()"), how)
		}
	}
	t.called(r.LibraryCalls)
	for _, n := range r.CoverageNotes() {
		t.line("NOT CHECKED: %s", n)
	}
}

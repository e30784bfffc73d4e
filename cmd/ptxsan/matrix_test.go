package main

import (
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

var writeMatrix = flag.Bool("matrix", false, "run every detector on the race suite and write docs/matrix.md")

const matrixFile = "../../docs/matrix.md"

// modelOf is the semantics that a detector answers to: that of the papers, but
// for the detectors named here.
var modelOf = map[string]string{"precise": "ptx"}

func semanticsOf(detector string) string {
	if m, ok := modelOf[detector]; ok {
		return m
	}
	return "scor"
}

// allDetectors are the values of --detector.
func allDetectors() (names []string) {
	for _, p := range detectorPasses() {
		names = append(names, p.Name)
	}
	return names
}

// matrixRun is one schedule under which every case is run.
type matrixRun struct {
	policy string
	seed   uint64
}

var matrixRuns = []matrixRun{
	{"its", 0},
	{"random", 1},
	{"random", 2},
	{"random", 3},
	{"random", 4},
	{"random", 5},
	{"random", 6},
	{"random", 7},
	{"random", 8},
	{"pct", 1},
	{"pct", 2},
	{"pct", 3},
}

// cell is what one detector says of one case over all runs.
type cell struct {
	hit   int      // runs that report an expected pair or fault
	pairs int      // expected pairs that some run reports
	want  int      // expected pairs
	false []string // pairs that some run reports and that are no race
	err   error    // the case cannot be run
}

// right reports whether the detector is right about the case.
func (c *cell) right() bool { return c.err == nil && c.pairs == c.want && len(c.false) == 0 }

// judge runs a case under some schedules with one detector.
func (c *suiteCase) judge(t *testing.T, detector string, runs []matrixRun) *cell {
	s := c.file.Expect.Under(semanticsOf(detector))
	out := &cell{want: len(s.Lines)}
	if s.Verdict == "fault" {
		out.want = 1
	}
	want := make(map[string]bool, len(s.Lines))
	for _, p := range s.Lines {
		want[linePair(p[0], p[1])] = false
	}
	k := c.checker(t, detector)
	for _, r := range runs {
		k.exec = execution{policy: r.policy, config: emu.Config{Policy: policyOf(r.policy), Seed: r.seed}}
		rep, err := k.run(context.Background())
		if err != nil {
			out.err = err
			return out
		}
		if out.add(rep, want) || s.Verdict == "fault" && faultClass(rep) == s.Fault {
			out.hit++
		}
	}
	for _, seen := range want {
		if seen {
			out.pairs++
		}
	}
	if s.Verdict == "fault" && out.hit > 0 {
		out.pairs = 1
	}
	slices.Sort(out.false)
	out.false = slices.Compact(out.false)
	return out
}

// add counts the races of one run, and tells whether one of them is expected.
func (c *cell) add(rep *report.Report, want map[string]bool) (hit bool) {
	for _, x := range rep.Races {
		pair := linePair(ownPlace(&x.First).Line, ownPlace(&x.Second).Line)
		if _, ok := want[pair]; ok {
			want[pair], hit = true, true
		} else {
			c.false = append(c.false, pair)
		}
	}
	return hit
}

// TestMatrix compares every detector with the answers of the race suite when
// asked to; each wrong cell must have a note, and each note a wrong cell. In any
// case, it checks that notes and document speak of the suite as it is.
func TestMatrix(t *testing.T) {
	m := &matrix{cases: suite(t), apps: apps(t), cells: make(map[string]map[string]*cell), notes: make(map[string][]note)}
	m.paperRows(t)
	for _, d := range allDetectors() {
		var notes []note
		readNotes(t, d, &notes)
		m.notes[d] = notes
		m.known(t, d)
		if !*writeMatrix {
			continue
		}
		m.cells[d] = make(map[string]*cell)
		for _, c := range m.all() {
			m.cells[d][c.name()] = c.judge(t, d, matrixRuns)
		}
		m.explained(t, d)
	}
	if *writeMatrix {
		if err := os.WriteFile(matrixFile, []byte(m.document(t)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	doc, err := os.ReadFile(matrixFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.all() {
		if !strings.Contains(string(doc), "| "+c.pair+" |") {
			t.Errorf("docs/matrix.md lacks %s; run make matrix", c.name())
		}
	}
	if !strings.Contains(string(doc), published(t)) {
		t.Error("docs/matrix.md lacks the programs of ScoR; run make matrix")
	}
}

// detectors of the matrix that were run, in the order of --detector.
func (m *matrix) detectors() (out []string) {
	for _, d := range allDetectors() {
		if m.cells[d] != nil {
			out = append(out, d)
		}
	}
	return out
}

// matrix is what docs/matrix.md is made of.
type matrix struct {
	cases []*suiteCase                // of the micro suite
	apps  []*suiteCase                // of the applications
	cells map[string]map[string]*cell // by detector and case
	notes map[string][]note           // by detector
	rows  []*paperRow
}

func (m *matrix) all() []*suiteCase { return slices.Concat(m.cases, m.apps) }

func (m *matrix) categories() (out []string) {
	for _, c := range m.cases {
		out = append(out, c.category)
	}
	return slices.Compact(out)
}

// of is the case of a pair and variant.
func (m *matrix) of(category, pair, variant string) *suiteCase {
	i := slices.IndexFunc(m.cases, func(c *suiteCase) bool {
		return c.category == category && c.pair == pair && c.variant == variant
	})
	return m.cases[i]
}

func answer(c *suiteCase, model string) *launch.Semantics { return c.file.Expect.Under(model) }

package racesuite

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var writeMatrix = flag.Bool("matrix", false, "run every detector on the race suite and write docs/generated/matrix.md")

const matrixFile = "../../docs/generated/matrix.md"

// modelOf is the semantics that a detector answers to: that of the papers, but
// for the detectors named here.
var modelOf = map[string]string{"precise": "ptx"}

func semanticsOf(detector string) string {
	if strings.Contains(detector, "model="+precise.ModelScoR) {
		return "scor"
	}
	if m, ok := modelOf[withoutOptions(detector)]; ok {
		return m
	}
	return "scor"
}

// withoutOptions returns the name in a value of --detector.
func withoutOptions(detector string) string {
	name, _, _ := strings.Cut(detector, "<")
	return name
}

// detectorGroups returns the groups of detectors that can share a run: all that listen, and
// each of the others, which change the program and with it the schedule. precise is
// apart: where it warns and another one sees an error, a report has an error of both.
func detectorGroups() [][]string {
	var listening []string
	var groups [][]string
	for _, name := range Detectors() {
		dets, err := session.ParseDetectors(name)
		if err != nil {
			panic(err)
		}
		if dets[0].Listens() && name != "precise" {
			listening = append(listening, name)
		} else {
			groups = append(groups, []string{name})
		}
	}
	return append(groups, listening)
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

// runs returns the schedules of a case. Under pct, a group that waits gives way only after
// thousands of operations: the applications, whose threads wait for each other all the
// time, would take minutes.
func (c *Case) runs() []matrixRun {
	if strings.HasPrefix(c.Category, "apps/") {
		return slices.DeleteFunc(slices.Clone(matrixRuns), func(r matrixRun) bool { return r.policy == "pct" })
	}
	return matrixRuns
}

// TestMatrix, on request, compares every detector with the answers of the race suite; each wrong cell must have a note,
// and each note a wrong cell. It always checks that notes and document match the current suite.
func TestMatrix(t *testing.T) {
	m := &matrix{cases: Micro(t), apps: Applications(t), cells: make(map[string]map[string]*cell), notes: make(map[string][]note)}
	m.paperRows(t)
	for _, d := range Detectors() {
		var notes []note
		readNotes(t, d, &notes)
		m.notes[d] = notes
		m.known(t, d)
	}
	if *writeMatrix {
		m.run(t)
		m.runStatic(t)
		for _, d := range Detectors() {
			m.explained(t, d)
		}
		m.strict(t, "precise")
	}
	doc, err := os.ReadFile(matrixFile)
	if err != nil {
		t.Fatal(err)
	}
	if *writeMatrix {
		text := m.document(t) + "\n" + collidePart(string(doc))
		if err := os.WriteFile(matrixFile, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, c := range m.all() {
		listed := regexp.MustCompile(`(?m)^\|(.*[| ])?` + regexp.QuoteMeta(c.Pair) + `(,|\|)`)
		if !listed.Match(doc) && !strings.Contains(string(doc), "`"+c.Category+"/"+c.Pair+"`") {
			t.Errorf("docs/generated/matrix.md lacks %s; run make matrix, or name it there among the pairs that are newer than the tables", c.Name())
		}
	}
}

// run judges every detector on every case.
func (m *matrix) run(t *testing.T) {
	for _, d := range Detectors() {
		m.cells[d] = make(map[string]*cell)
	}
	for _, c := range m.all() {
		for _, group := range detectorGroups() {
			for d, cell := range c.judge(t, group, c.runs()) {
				m.cells[d][c.Name()] = cell
			}
		}
	}
}

// detectors of the matrix that were run, in the order of --detector.
func (m *matrix) detectors() (out []string) {
	for _, d := range Detectors() {
		if m.cells[d] != nil {
			out = append(out, d)
		}
	}
	return out
}

// matrix holds the contents of docs/generated/matrix.md.
type matrix struct {
	cases  []*Case                     // of the micro suite
	apps   []*Case                     // of the applications
	cells  map[string]map[string]*cell // by detector and case
	static map[string]*static          // by case: what the analysis says
	notes  map[string][]note           // by detector
	rows   []*paperRow
}

func (m *matrix) all() []*Case { return slices.Concat(m.cases, m.apps) }

func (m *matrix) categories() (out []string) {
	for _, c := range m.cases {
		out = append(out, c.Category)
	}
	return slices.Compact(out)
}

// of is the case of a pair and variant.
func (m *matrix) of(category, pair, variant string) *Case {
	i := slices.IndexFunc(m.cases, func(c *Case) bool {
		return c.Category == category && c.Pair == pair && c.Variant == variant
	})
	return m.cases[i]
}

func answer(c *Case, model string) *launch.Semantics { return c.File.Expect.Under(model) }

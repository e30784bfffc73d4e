package racesuite

import (
	"bytes"
	"os"
	"path"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
)

// What people have written down about the matrix: examples/suite/notes.

var notesDir = Dir("suite/notes") + "/"

// note explains why a detector is wrong about some cases.
type note struct {
	Class string   `yaml:"class"`
	Why   string   `yaml:"why"`
	Cases []string `yaml:"cases"` // category/pair-variant

	// Chance are cases that the detector is right about only if the schedule is: it may
	// find the race or not in a dozen of runs.
	Chance []string `yaml:"chance"`
}

// readNotes reads a file of notes; there is none for a detector that is never wrong.
func readNotes(t *testing.T, name string, notes any) {
	t.Helper()
	src, err := os.ReadFile(notesDir + name + ".yaml")
	if os.IsNotExist(err) {
		return
	}
	dec := yaml.NewDecoder(bytes.NewReader(src))
	dec.KnownFields(true)
	if err == nil {
		err = dec.Decode(notes)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// paperRow names the cases that have the shapes of a paper's programs.
type paperRow struct {
	Row   string   `yaml:"row"`
	Paper string   `yaml:"paper"` // its figures
	Cases []string `yaml:"cases"` // patterns of category/pair-variant
}

func (r *paperRow) covers(c *Case) bool {
	return slices.ContainsFunc(r.Cases, func(p string) bool { ok, err := path.Match(p, c.Name()); return ok && err == nil })
}

// paperRows reads papers.yaml. Each pattern must match a case.
func (m *matrix) paperRows(t *testing.T) {
	t.Helper()
	readNotes(t, "papers", &m.rows)
	for _, r := range m.rows {
		for _, p := range r.Cases {
			one := &paperRow{Cases: []string{p}}
			if !slices.ContainsFunc(m.cases, one.covers) {
				t.Errorf("papers.yaml, %s: %s matches no case", r.Row, p)
			}
		}
	}
}

// known reports notes on cases that do not exist, or that come twice.
func (m *matrix) known(t *testing.T, detector string) {
	seen := make(map[string]bool)
	for _, n := range m.notes[detector] {
		for _, name := range slices.Concat(n.Cases, n.Chance) {
			if seen[name] || !slices.ContainsFunc(m.all(), func(c *Case) bool { return c.Name() == name }) {
				t.Errorf("notes on %s: %s is no case, or has two notes", detector, name)
			}
			seen[name] = true
		}
	}
}

// explained reports wrong cells without a note and notes on right ones.
func (m *matrix) explained(t *testing.T, detector string) {
	for _, c := range m.all() {
		got := m.cells[detector][c.Name()]
		switch n := m.noteOf(detector, c); {
		case got.right() && n > 0 && !m.byChance(detector, c):
			t.Errorf("%s is right about %s, which has a note", detector, c.Name())
		case !got.right() && n == 0:
			t.Errorf("%s is wrong about %s, without a note: %s", detector, c.Name(), got.text())
		}
	}
}

// noteOf returns the number of the note on a case, from 1; 0 when there is none.
func (m *matrix) noteOf(detector string, c *Case) int {
	return 1 + slices.IndexFunc(m.notes[detector], func(n note) bool {
		return slices.Contains(n.Cases, c.Name()) || slices.Contains(n.Chance, c.Name())
	})
}

// byChance reports whether a note says that the detector may be right about a case.
func (m *matrix) byChance(detector string, c *Case) bool {
	return slices.ContainsFunc(m.notes[detector], func(n note) bool { return slices.Contains(n.Chance, c.Name()) })
}

//go:build unix

package app

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/cmd/internal/gc"
	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// What detectors cost on the applications of the race suite, in docs/performance.md.

var writeSlowdown = flag.Bool("slowdown", false, "measure every detector on the applications of the race suite and write docs/performance.md")

// measureSlowdown is for make profile, which needs the processor time and not the figures.
var measureSlowdown = flag.Bool("slowdown.measure", false, "measure as -slowdown does, and write nothing")

const slowdownFile = "../../../docs/performance.md"

// TestSlowdown measures on request; it always checks that docs/performance.md has the figures of each application and
// detector.
func TestSlowdown(t *testing.T) {
	if *measureSlowdown {
		collectAsCommand()
		measuredApplications(t)
	}
	if *writeSlowdown {
		collectAsCommand()
		replaceSlowdown(t, measuredApplications(t))
		writeGoals(t, slowdownSection(t), slowdownGoals)
	}
	section := slowdownSection(t)
	for _, d := range racesuite.Detectors() {
		if !strings.Contains(section, " "+d+" |") {
			t.Errorf("%s lacks %s; run make slowdown", slowdownFile, d)
		}
	}
	for _, c := range racesuite.Resized(t, racesuite.MiddleSize) {
		if name := filepath.Base(c.Category); !strings.Contains(section, "| "+name+" |") {
			t.Errorf("%s lacks %s; run make slowdown", slowdownFile, name)
		}
	}
	checkGoals(t, section, slowdownGoals)
}

// measuredApplications returns the table of every detector on the applications of the race suite.
func measuredApplications(t *testing.T) string {
	var rows [][]string
	for _, c := range racesuite.Resized(t, racesuite.MiddleSize) {
		rows = append(rows, slowdownRow(t, c, slowdownColumns()))
	}
	return slowdownTable(t, rows, slowdownColumns())
}

// collectAsCommand makes Go's collector behave as main does, and ends the sampling of allocations, which is on in
// tests.
func collectAsCommand() {
	runtime.MemProfileRate = 0
	gc.CollectLate()
}

// goal is a row of "Goals" whose figures are in a table: geometric means of columns, and the worst of the programs. A
// row with limits has one for each figure, the others have what a paper says.
type goal struct {
	row     string
	columns []string
	worst   bool
	limits  bool
}

// slowdownGoals are the goals on the applications of the race suite.
var slowdownGoals = []goal{
	{"precise, seven applications", []string{"precise"}, true, true},
	{"iguard, seven applications", []string{"iguard", "iguard<elide=false>"}, false, false},
	{"scord, seven applications", []string{"scord"}, false, false},
	{"barracuda, seven applications", []string{"barracuda", "barracuda<elide=false>"}, false, false},
}

// goalsOf returns a document with the figures of a table in the rows of "Goals". Those above their limit are bold.
func goalsOf(t *testing.T, doc, table string, goals []goal) string {
	rows := tableRows(table)
	for _, g := range goals {
		var figures []float64
		for _, c := range g.columns {
			column := slices.Index(rows[0], strings.ReplaceAll(c, "<", "\\<"))
			figures = append(figures, times(t, rows[len(rows)-1][column]))
			worst := 0.0
			for _, r := range rows[2 : len(rows)-1] {
				worst = max(worst, times(t, r[column]))
			}
			if g.worst {
				figures = append(figures, worst)
			}
		}
		before, line, _ := strings.Cut(doc, "\n| "+g.row)
		line, after, _ := strings.Cut(line, "\n")
		cells := strings.Split(line, " | ")
		if len(cells) != 4 {
			t.Fatalf("%s: no row of \"Goals\" begins with %q", slowdownFile, g.row)
		}
		var measured []string
		limits := strings.Split(cells[1], ", ")
		for i, figure := range figures {
			text := fmt.Sprintf("%.1fx", figure)
			if g.limits && figure > times(t, limits[i]) {
				text = "**" + text + "**"
			}
			measured = append(measured, text)
		}
		cells[2] = strings.Join(measured, ", ")
		doc = before + "\n| " + g.row + strings.Join(cells, " | ") + "\n" + after
	}
	return doc
}

// tableRows returns the cells of a table, the line below its head included.
func tableRows(table string) (rows [][]string) {
	for line := range strings.Lines(strings.TrimSpace(table)) {
		cells := strings.Split(strings.Trim(line, "|\n"), "|")
		for i, c := range cells {
			cells[i] = strings.TrimSpace(c)
		}
		rows = append(rows, cells)
	}
	return rows
}

// times returns the number of a figure such as "4.8x".
func times(t *testing.T, figure string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(strings.TrimSuffix(figure, "x"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func slowdownDoc(t *testing.T) string {
	t.Helper()
	doc, err := os.ReadFile(slowdownFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(doc)
}

// checkGoals reports rows of "Goals" that do not have the figures of a table.
func checkGoals(t *testing.T, table string, goals []goal) {
	t.Helper()
	if doc := slowdownDoc(t); goalsOf(t, doc, table, goals) != doc {
		t.Errorf("%s: the figures in \"Goals\" are not those of the table", slowdownFile)
	}
}

// writeGoals writes the figures of a table to the rows of "Goals".
func writeGoals(t *testing.T, table string, goals []goal) {
	doc := goalsOf(t, slowdownDoc(t), table, goals)
	if err := os.WriteFile(slowdownFile, []byte(doc), 0o644); err != nil {
		t.Fatal(err)
	}
}

// slowdownColumns lists the measured configurations: the detectors, and those with elision also without it.
func slowdownColumns() []string {
	return append(racesuite.Detectors(), "iguard<elide=false>", "barracuda<elide=false>")
}

// slowdownRow measures a program with each of some detectors. It returns the cells of a line of the table.
func slowdownRow(t *testing.T, c *racesuite.Case, detectors []string) []string {
	row := make([]string, 3, 3+len(detectors))
	alone := compareInTurns(t, c.Run, detectors, func(alone, with *costed) {
		row = append(row, fmt.Sprintf("%.1fx", timesSlower(alone, with)))
	})
	row[0], row[1] = filepath.Base(c.Category), strconv.FormatUint(alone.stats.WarpInstructions, 10)
	row[2] = fmt.Sprintf("%.1f ms", 1000*alone.least.Seconds())
	return row
}

// slowdownTable returns a table of measured programs, and the geometric means of its columns.
func slowdownTable(t *testing.T, rows [][]string, columns []string) string {
	var b strings.Builder
	line := func(cells ...string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	head, mean := []string{"application", "warp instructions", "alone"}, []string{"geometric mean", "", ""}
	for i, c := range columns {
		log := 0.0
		for _, row := range rows {
			log += math.Log(times(t, row[3+i]))
		}
		head = append(head, strings.ReplaceAll(c, "<", "\\<"))
		mean = append(mean, fmt.Sprintf("%.1fx", math.Exp(log/float64(len(rows)))))
	}
	line(head...)
	b.WriteString("|" + strings.Repeat("---|", len(head)) + "\n")
	for _, row := range append(rows, mean) {
		line(row...)
	}
	return b.String()
}

// TestSlowdownTable: the last line has the geometric mean of each column.
func TestSlowdownTable(t *testing.T) {
	rows := [][]string{{"a", "1", "1 ms", "2.0x", "3.0x"}, {"b", "1", "1 ms", "8.0x", "3.0x"}}
	got := tableRows(slowdownTable(t, rows, []string{"precise", "iguard<elide=false>"}))
	if mean := got[len(got)-1]; mean[3] != "4.0x" || mean[4] != "3.0x" {
		t.Errorf("means %q, want 4.0x and 3.0x", mean[3:])
	}
	if head := got[0][4]; head != `iguard\<elide=false>` {
		t.Errorf("the head has %q", head)
	}
}

// costed is a program that is set up with a detector, none if with is empty, and the processor time of all launches:
// the least of several runs. What detectors do before and after a launch counts, instrumentation does not.
type costed struct {
	program      *racesuite.Run
	with         string
	least, spent time.Duration
	turns        [turns]time.Duration // the least of each turn, 0 for one without runs
	stats        report.Stats
}

// turns is the number of times that each of several programs is measured, one after another.
const turns = 5

// timesSlower returns how much longer a program takes with a detector: the median over the turns in which both ran. The
// machine's speed changes by half for seconds, so that the least of all runs of one may come from a fast moment that
// none of the other fell into.
func timesSlower(alone, with *costed) float64 {
	var list []float64
	for i, took := range with.turns {
		if took > 0 && alone.turns[i] > 0 {
			list = append(list, float64(took)/float64(alone.turns[i]))
		}
	}
	slices.Sort(list)
	return list[len(list)/2]
}

// TestTimesSlower: a fast moment in one turn, and a turn without runs, do not change the median.
func TestTimesSlower(t *testing.T) {
	alone := &costed{turns: [turns]time.Duration{10, 20, 10, 10, 10}}
	with := &costed{turns: [turns]time.Duration{30, 60, 90, 0, 20}}
	if got := timesSlower(alone, with); got != 3 {
		t.Errorf("%v times slower, want 3", got)
	}
}

func newCosted(k *racesuite.Run, with string) *costed {
	k.Options.InstrumentedOnly = with != "" && !k.Options.Detectors[0].Listens()
	return &costed{program: k, with: with}
}

// compareInTurns measures a program with each detector against the program without one, and calls visit for both. It
// returns the fastest measurement without a detector.
func compareInTurns(t *testing.T, program func(testing.TB, string) *racesuite.Run, detectors []string, visit func(alone, with *costed)) (fastest *costed) {
	for _, d := range detectors {
		alone, with := newCosted(program(t, ""), ""), newCosted(program(t, d), d)
		measureInTurns(t, alone, with)
		visit(alone, with)
		if fastest == nil || alone.least < fastest.least {
			fastest = alone
		}
	}
	return fastest
}

// measureInTurns runs programs in turns, so that a change of the machine's speed affects all of them. A turn has
// several runs: in the first one, the heap may have to get memory from the system again that it returned while other
// programs ran.
func measureInTurns(t *testing.T, list ...*costed) {
	const budget, runs = 3 * time.Second, 3
	for turn := range turns {
		for _, m := range list {
			for i := 0; i < runs && (turn == 0 && i == 0 || m.spent < budget); i++ {
				took := m.run(t)
				if i == 0 || took < m.turns[turn] {
					m.turns[turn] = took
				}
			}
		}
	}
}

// run runs all launches once and returns the processor time.
func (m *costed) run(t *testing.T) time.Duration {
	s, took, err := launchTime(t, m.program)
	if err != nil {
		t.Fatal(m.program.Plan.Program.Module.AST.File.Name, m.with, err)
	}
	if m.spent == 0 || took < m.least {
		m.least = took
	}
	m.spent += took
	m.stats = s.Report().Stats
	return took
}

// launchTime runs all launches in a new session and returns that, and the processor time. The error says that one ends
// with a fault.
func launchTime(t *testing.T, k *racesuite.Run) (s *session.Session, took time.Duration, err error) {
	t.Helper()
	s = k.Open(t)
	launches, err := k.Plan.Prepare(s)
	if err == nil {
		err = s.Ready()
	}
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	start := processTime(t)
	for _, l := range launches {
		res, err := s.Launch(context.Background(), l)
		if err == nil && len(res.Faults) > 0 {
			err = errors.New(res.Faults[0].Message)
		}
		if err != nil {
			return s, 0, err
		}
	}
	return s, processTime(t) - start, nil
}

// processTime returns the processor time that this process has taken, of all its threads.
func processTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// slowdownSection returns the text between the marks.
func slowdownSection(t *testing.T) string { return written{slowdownFile, "slowdown"}.section(t) }

func replaceSlowdown(t *testing.T, text string) { written{slowdownFile, "slowdown"}.replace(t, text) }

// written is the section of a document that "make TARGET" writes, between marks.
type written struct{ file, target string }

// section returns the text between the marks.
func (w written) section(t *testing.T) string {
	_, section, _ := w.cut(t)
	return string(section)
}

func (w written) mark(what string) string {
	return fmt.Sprintf("<!-- written by make %s: %s -->\n", w.target, what)
}

func (w written) replace(t *testing.T, text string) {
	before, _, after := w.cut(t)
	doc := fmt.Appendf(nil, "%s%s\n%s\n%s%s", before, w.mark("begin"), text, w.mark("end"), after)
	if err := os.WriteFile(w.file, doc, 0o644); err != nil {
		t.Fatal(err)
	}
}

func (w written) cut(t *testing.T) (before, section, after []byte) {
	doc, err := os.ReadFile(w.file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := bytes.Cut(doc, []byte(w.mark("begin")))
	section, after, ended := bytes.Cut(rest, []byte(w.mark("end")))
	if !ok || !ended {
		t.Fatalf("%s has no section between %q and %q", w.file, w.mark("begin"), w.mark("end"))
	}
	return before, section, after
}

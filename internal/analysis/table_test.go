package analysis_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var update = flag.Bool("update", false, "rewrite the table in docs/detectors/hgrd.md")

const (
	programs = "../../examples/hgrd"
	// hostFacts are what host code of the programs says, which tests of internal/static/hostcode compare with it.
	hostFacts = "../static/hostcode/testdata/facts"
	page      = "../../docs/detectors/hgrd.md"
)

// program is a row of HGRD's Table 3: reports, with those missed and false in brackets, of
// iGUARD, GKLEE, GPUVerify, FaialAA and HGRD itself, from the paper.
type program struct {
	name, paper string
	columns     [5]string
	races       int         // true ones
	class       facts.Class // without which there are false alarms (Table 4), "" for none
	// proved says that a race has a witness; of race-free programs, undecided is how many pairs of
	// lines are left undecided.
	proved    int
	undecided int
}

var table3 = []program{
	{"path-compression", "pathCompression", [5]string{"0 [2:0]", "2 [0:0]", "2 [0:0]", "1 [0:0]", "2 [0:0]"}, 2, "", 0, 0},
	{"cond-neighbor", "condNeighbor", [5]string{"0 [2:0]", "0 [2:0]", "1 [0:0]", "1 [0:0]", "2 [0:0]"}, 2, "", 2, 0},
	{"push-node", "pushNode", [5]string{"0 [2:0]", "0 [2:0]", "1 [0:0]", "1 [0:0]", "2 [0:0]"}, 2, "", 0, 0},
	{"connected-elements", "conel", [5]string{"2 [0:0]", "2 [0:0]", "1 [0:0]", "1 [0:0]", "2 [0:0]"}, 2, "", 2, 0},
	{"warp-communicate", "warpCommunicate", [5]string{"2 [0:0]", "NS", "NS", "0 [2:0]", "2 [0:0]"}, 2, "", 2, 0},
	{"tissue", "tissue", [5]string{"1 [3:0]", "NS", "3 [0:0]", "0 [4:0]", "4 [0:0]"}, 4, "", 4, 0},
	{"convolution-1d", "1dconv", [5]string{"1 [0:0]", "2 [0:1]", "1 [0:0]", "1 [0:0]", "1 [0:0]"}, 1, "", 1, 0},
	{"bilateral-filter", "bilateralFilter", [5]string{"0", "NS", "1 [0:1]", "0", "0"}, 0, "", 0, 1},
	{"copy-upp-to-low", "copyUppToLow", [5]string{"0", "0", "2 [0:2]", "1 [0:1]", "0"}, 0, facts.Asserts, 0, 0},
	{"copy-low-to-upp", "copyLowToUpp", [5]string{"0", "0", "2 [0:2]", "1 [0:1]", "0"}, 0, facts.Asserts, 0, 0},
	{"copy-from-tp", "copyFromTp", [5]string{"0", "1 [0:1]", "2 [0:2]", "1 [0:1]", "0"}, 0, facts.Asserts, 0, 0},
	{"reduction", "reduction", [5]string{"0", "1 [0:1]", "1 [0:1]", "1 [0:1]", "0"}, 0, facts.Dims, 0, 0},
	{"random-access", "randomAccess", [5]string{"0", "NS", "4 [0:4]", "1 [0:1]", "0"}, 0, facts.Dims, 0, 0},
	{"exp-distance", "expDistance", [5]string{"0", "1 [0:1]", "1 [0:1]", "1 [0:1]", "0"}, 0, facts.Dims, 0, 0},
	{"tone-mapping", "toneMapping", [5]string{"0", "0", "4 [0:4]", "1 [0:1]", "0"}, 0, facts.Relations, 0, 0},
	{"convolution-separable", "convSeparable", [5]string{"0", "0", "1 [0:1]", "1 [0:1]", "0"}, 0, facts.Relations, 0, 0},
	{"lu-decomposition", "luDecomposition", [5]string{"0", "NS", "2 [0:2]", "1 [0:1]", "0"}, 0, facts.Bounds, 0, 0},
	{"needleman-wunsch", "needlemanWunsch", [5]string{"0", "NS", "2 [0:2]", "2 [0:2]", "0"}, 0, facts.Bounds, 0, 0},
	{"pitch-linear", "pitchLinear", [5]string{"0", "0", "2 [0:2]", "2 [0:2]", "0"}, 0, facts.Sizes, 0, 0},
	{"copy-from-vec", "copyFromVec", [5]string{"0", "0", "1 [0:1]", "1 [0:1]", "0"}, 0, facts.Sizes, 0, 0},
	{"matrix-multiplication", "matMul", [5]string{"0", "NS", "5 [0:5]", "1 [0:1]", "0"}, 0, "", 0, 0},
	{"rule-110", "rule110", [5]string{"0", "NS", "5 [0:5]", "1 [0:1]", "0"}, 0, "", 0, 0},
}

// figures are the paper's Figures 1 to 5, with the class of facts that each is about.
var figures = []program{
	{name: "figure-1", class: facts.Asserts},
	{name: "figure-2", class: facts.Dims},
	{name: "figure-3", class: facts.Relations},
	{name: "figure-4", class: facts.Bounds},
	{name: "figure-5", class: facts.Sizes},
}

// budget is the work units for a kernel where only an alarm is wanted.
const budget = 2_000_000

// analyze analyses a program with the facts of its host code.
func (p *program) analyze(t *testing.T, o analysis.Options) *analysis.Outcome {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(programs, p.name+".ptx"))
	if err != nil {
		t.Fatal(err)
	}
	prog, err := session.Parse(p.name+".ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	if o.Facts == nil {
		f, failed := factfile.Load(filepath.Join(hostFacts, p.name+".yaml"))
		if failed != nil {
			t.Fatal(failed)
		}
		o.Facts = []*facts.File{f}
	}
	out, err := analysis.Run(context.Background(), prog, o)
	if err != nil {
		t.Fatal(err)
	}
	out.Report.SettleStatic(report.Error)
	return out
}

// alarms returns the races, and the undecided pairs, of a report.
func alarms(r *report.Report) (races, possible int) {
	for _, x := range r.Pairs() {
		if x.Possible {
			possible++
		} else {
			races++
		}
	}
	return races, possible
}

// TestTable3 checks the programs of the paper's Table 3 with the facts of their host code: all
// races are reported, those marked so with a witness, which an execution confirms; there is no
// RACE in a race-free program, and no more is undecided than the documentation says.
func TestTable3(t *testing.T) {
	for i, p := range append(table3, figures...) {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			out := p.analyze(t, analysis.Options{})
			races, possible := alarms(out.Report)
			switch {
			case p.races > 0 && races+possible != p.races:
				t.Errorf("%d races and %d possible ones, want %d", races, possible, p.races)
			case p.races > 0 && races < p.proved:
				t.Errorf("%d races have a witness, want %d", races, p.proved)
			case p.races == 0 && races > 0:
				t.Errorf("%d races in a program without", races)
			case p.races == 0 && possible > p.undecided:
				t.Errorf("%d pairs undecided, want at most %d", possible, p.undecided)
			}
			for _, x := range out.Report.Races {
				if !x.Possible && !x.Witness.Confirmed {
					t.Errorf("%s and %s: the witness shows no race", x.First.At(), x.Second.At())
				}
			}
		})
	}
}

// TestTable4: without the class of facts that the paper names, there are false alarms again.
func TestTable4(t *testing.T) {
	for i, p := range append(table3, figures...) {
		if p.class == "" || testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			out := p.analyze(t, analysis.Options{Budget: budget, Drop: map[facts.Class]bool{p.class: true}})
			if races, possible := alarms(out.Report); races+possible <= p.undecided {
				t.Errorf("%d races and %d possible ones without %s, where %d are undecided with it", races, possible, p.class, p.undecided)
			}
		})
	}
}

// TestPage compares the table in the documentation with this one.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const from, to = "<!-- table: internal/analysis TestPage -->\n", "<!-- end -->\n"
	head, rest, ok := strings.Cut(string(text), from)
	_, tail, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the table", page)
	}
	want := head + from + renderTable() + to + tail
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != string(text) {
		t.Errorf("%s is out of date: go test ./internal/analysis -run TestPage -update", page)
	}
}

func renderTable() string {
	var b strings.Builder
	b.WriteString("| program | iGUARD | GKLEE | GPUVerify | FaialAA | HGRD | `ptxsan analyze` | of them with a witness | undecided in race-free | class |\n|---|---|---|---|---|---|---|---|---|---|\n")
	races, proved, undecided := 0, 0, 0
	for _, p := range table3 {
		class := "–"
		if p.class != "" {
			class = "`" + string(p.class) + "`"
		}
		fmt.Fprintf(&b, "| %s (`%s`) | %s | %d | %d | %d | %s |\n", p.paper, p.name, strings.Join(p.columns[:], " | "), p.races, p.proved, p.undecided, class)
		races, proved, undecided = races+p.races, proved+p.proved, undecided+p.undecided
	}
	fmt.Fprintf(&b, "| all | 6 [9:0] | 9 [4:4] | 44 [0:35] | 21 [6:16] | 15 [0:0] | %d | %d | %d | |\n", races, proved, undecided)
	return b.String()
}

// Litmus tests with fences and orderings: what is said of each is compared with the axioms of the memory model, which
// are computed apart from the emulator.

package syncs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/internal/litmus"
	"github.com/ptxsan/ptxsan/internal/litmus/axioms"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// litmusShape is a classic pattern: the accesses of each thread, W of a value or R, with a fence at each F.
type litmusShape struct{ name, threads string }

var litmusShapes = []litmusShape{
	{"MP", "W x 1, F, W y 1 | R y, F, R x"},
	{"MP-early-fence", "F, W x 1, F, W y 1 | R y, F, R x, F"},
	{"SB", "W x 1, F, R y | W y 1, F, R x"},
	{"LB", "R x, F, W y 1 | R y, F, W x 1"},
	{"S", "W x 2, F, W y 1 | R y, F, W x 1"},
	{"R", "W x 1, F, W y 1 | W y 2, F, R x"},
	{"2+2W", "W x 1, F, W y 2 | W y 1, F, W x 2"},
	{"CoRR", "W x 1 | R x, F, R x"},
	{"CoWW", "W x 1, F, W x 2 | R x, F, R x"},
	{"CoRW", "R x, F, W x 1 | W x 2"},
	{"WRC", "W x 1 | R x, F, W y 1 | R y, F, R x"},
	{"ISA2", "W x 1, F, W y 1 | R y, F, W z 1 | R z, F, R x"},
	{"RWC", "W x 1 | R x, F, R y | W y 1, F, R x"},
	{"W+RWC", "W x 1, F, W z 1 | R z, F, R y | W y 1, F, R x"},
	{"IRIW", "W x 1 | W y 1 | R x, F, R y | R y, F, R x"},
	{"WWC", "W x 2 | R x, F, W y 1 | R y, F, W x 1"},
	{"disjoint", "W x 1, F, W x 2 | W y 1, F, W y 2"},
}

// litmusStyle says how the pattern orders accesses, and where its threads are.
type litmusStyle struct {
	fence  string // at each F, "" for none
	orders bool   // a store behind an F releases, and a load before one acquires
	scope  string
	block  bool // the threads are in one block
}

var litmusStyles = []litmusStyle{
	{fence: "acq_rel", scope: "gpu"},
	{fence: "sc", scope: "gpu"},
	{orders: true, scope: "gpu"},
	{fence: "acq_rel", scope: "cta", block: true},
	{fence: "sc", scope: "gpu", block: true},
	{orders: true, scope: "gpu", block: true},
}

func (s litmusStyle) String() string {
	name := s.fence
	if s.orders {
		name = "release-acquire"
	}
	if name += "." + s.scope; s.block {
		name += " in a block"
	}
	return name
}

// test returns the pattern as a litmus test.
func (s *litmusShape) test(t *testing.T, style litmusStyle) *litmus.Test {
	t.Helper()
	var columns [][]string
	rows := 0
	heads := []string{}
	for i, thread := range strings.Split(s.threads, " | ") {
		cta := i
		if style.block {
			cta = 0
		}
		heads = append(heads, fmt.Sprintf("P%d@cta %d,gpu 0", i, cta))
		columns = append(columns, style.column(strings.Split(thread, ", ")))
		rows = max(rows, len(columns[i]))
	}
	text := fmt.Sprintf("PTX %s\n{ x=0; y=0; z=0; }\n%s ;\n", s.name, strings.Join(heads, " | "))
	for n := range rows {
		var cells []string
		for _, c := range columns {
			cells = append(cells, append(c, make([]string, rows)...)[n])
		}
		text += strings.Join(cells, " | ") + " ;\n"
	}
	test, err := litmus.Parse(s.name, []byte(text+"exists (true)\n"))
	if err != nil {
		t.Fatal(err)
	}
	return test
}

// column returns the instructions of a thread.
func (s litmusStyle) column(steps []string) (list []string) {
	for i, step := range steps {
		at := strings.Fields(step)
		switch {
		case at[0] == "F" && s.fence != "":
			list = append(list, "fence."+s.fence+"."+s.scope)
		case at[0] == "W":
			sem := "relaxed"
			if s.orders && i > 0 && steps[i-1] == "F" {
				sem = "release"
			}
			list = append(list, fmt.Sprintf("st.%s.%s %s, %s", sem, s.scope, at[1], at[2]))
		case at[0] == "R":
			sem := "relaxed"
			if s.orders && i+1 < len(steps) && steps[i+1] == "F" {
				sem = "acquire"
			}
			list = append(list, fmt.Sprintf("ld.%s.%s r%d, %s", sem, s.scope, i, at[1]))
		}
	}
	return list
}

// TestLitmusPatterns: a fence or an ordering is needed exactly where the memory model allows other outcomes without it.
func TestLitmusPatterns(t *testing.T) {
	every := 2
	if testing.Short() {
		every = 12
	}
	for i, shape := range litmusShapes {
		for n, style := range litmusStyles {
			if (i+n)%every != 0 {
				continue
			}
			t.Run(shape.name+" "+style.String(), func(t *testing.T) {
				judgeLitmus(t, shape.test(t, style))
			})
		}
	}
}

// TestLitmusRules: the same for the tests of the rules of the memory model.
func TestLitmusRules(t *testing.T) {
	files, err := filepath.Glob("../../examples/litmus/rules/*.litmus")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		test, err := litmus.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		if allowed(t, test)["race"] {
			continue
		}
		t.Run(test.Name, func(t *testing.T) { judgeLitmus(t, test) })
	}
}

// judgeLitmus compares the answers for a test with what the axioms say of each change.
func judgeLitmus(t *testing.T, test *litmus.Test) {
	t.Helper()
	k, err := test.Kernel()
	if err != nil {
		t.Fatal(err)
	}
	with := allowed(t, test)
	changes := func(c *change, in *litmus.Instruction) bool {
		for s := range allowed(t, edited(test, in, c)) {
			if !with[s] {
				return true
			}
		}
		return false
	}
	j, answers := answersOf(t, k)
	for _, a := range answers {
		in := k.Lines[a.First().Line]
		removal, _ := a.removal()
		switch {
		case a.Executions == 0 || a.Kind == isa.SyncBarrier && a.Verdict == Needed:
		case a.Verdict == NotDecided && in.Sem == "volatile": // no claim is made of relaxed accesses in its place
		case a.Verdict == NotDecided:
			t.Errorf("%s: not decided: %s", in.Text, a.Why)
		case a.change != nil && changes(a.change, in):
			t.Errorf("%s: %s %s, but other outcomes are allowed then", in.Text, a.Verdict, a.To)
		case a.Because != nil && !changes(removal, in):
			t.Errorf("%s: %s because of %s, but no other outcome is allowed without it", in.Text, a.Verdict, a.Because)
		case a.Verdict == Needed:
			for _, c := range a.weakenings() {
				if _, _, err := j.Edited([]*repair.Edit{c.edit}); err == nil && !changes(c, in) {
					t.Errorf("%s: needed because of %s, but %s allows no other outcome", in.Text, a.Because, c.to)
				}
			}
		}
	}
}

// allowed returns the outcomes that the memory model allows, and that there is a race as one of them.
func allowed(t *testing.T, test *litmus.Test) map[string]bool {
	t.Helper()
	v, err := axioms.Check(t.Context(), test, 2)
	if err != nil {
		t.Fatal(err)
	}
	list := make(map[string]bool)
	for s := range v.Outcomes {
		list[s] = true
	}
	if v.Racy {
		list["race"] = true
	}
	return list
}

// edited returns the test with a change of an instruction.
func edited(test *litmus.Test, of *litmus.Instruction, c *change) *litmus.Test {
	again := *test
	again.Threads = slices.Clone(test.Threads)
	for i, th := range again.Threads {
		n := slices.Index(th.Instructions, of)
		if n < 0 {
			continue
		}
		thread := *th
		thread.Instructions = slices.Delete(slices.Clone(th.Instructions), n, n+1)
		if c.to != "" {
			in := *of
			in.Sem, in.Scope = "weak", ""
			opcode, _, _ := strings.Cut(c.to, " ")
			for _, w := range strings.Split(opcode, ".") {
				if _, ok := isa.SemOf(w); ok {
					in.Sem = w
				}
				if _, ok := isa.ScopeOf(w); ok {
					in.Scope = w
				}
			}
			thread.Instructions = slices.Insert(thread.Instructions, n, &in)
		}
		again.Threads[i] = &thread
	}
	return &again
}

// answersOf returns the answers for the fences of a test's kernel and for its accesses that release or acquire.
func answersOf(t *testing.T, k *litmus.Kernel) (*judge, []*Answer) {
	t.Helper()
	p, err := session.Parse("litmus.ptx", []byte(k.PTX))
	if err != nil {
		t.Fatal(err)
	}
	file, err := launch.Parse("litmus.yaml", []byte(k.Launch), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	file.NoHost = true
	j := judgeOf(t, p, file)
	sites, err := j.sites(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	var list []*Answer
	for _, s := range sites {
		if s.Kind == isa.SyncAccess && s.First().Sem == isa.SemRelaxed {
			continue
		}
		a, err := j.answer(t.Context(), s, sites)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, a)
	}
	return j, list
}

// judgeOf returns a judge of a program's launches.
func judgeOf(t *testing.T, p *session.Program, file *launch.File) *judge {
	t.Helper()
	plan, err := session.NewPlan(p, file, 0)
	if err != nil {
		t.Fatal(err)
	}
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	j, err := newJudge(t.Context(), &trial.Subject{
		Plan: plan, Session: session.Options{Detectors: detectors}, Spending: trial.NewMeter(trial.Budget{}, plan, 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	return j
}

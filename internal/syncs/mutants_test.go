// Mutation tests: programs without races, with one synchronisation left out or weakened at a time. Each mutant is found
// by a check, a search over schedules, weak memory or the static detector, or the engine has a reason why it is
// equivalent.

package syncs

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var (
	allMutants  = flag.Bool("mutants", false, "judge all mutants and write docs/generated/mutants.md")
	mutantCases = flag.String("mutants.cases", "", "folder of further programs without races, which are not in the page")
	mutantsFrom = flag.String("mutants.of", "", "judge those of programs whose name contains this, and write nothing")
)

// mutantSample is the share of mutants that are judged otherwise: each of so many.
const mutantSample = 40

// verdict of a mutant: who kills it, or why it is equivalent, or that it is open.
const (
	byCheck    = "check"
	byStrict   = "strict checks"
	byExplore  = "explore"
	byWeak     = "weak memory"
	byAnalyze  = "analyze"
	notRun     = "not executed"
	provedFor  = "proved"
	everyOrder = "every schedule"
	sameAll    = "same outcomes"
	undecided  = "not decided"
	open       = "open"
)

var (
	killers  = []string{byCheck, byStrict, byExplore, byWeak, byAnalyze}
	equivals = []string{notRun, provedFor, everyOrder, sameAll}
)

// mutantReadings says, by program, why mutants are equivalent that only schedules have been tried of: what the order of
// threads decides there is not followed.
var mutantReadings = map[string]string{
	"grid/last-block-no-fence-fixed":    lastReads,
	"grid/last-block-no-acquire-fixed":  lastReads,
	"grid/last-block-block-fence-fixed": lastReads,
	"bugs/last-block-acquire":           "the block is one warp, which the reading threads and the writing one are in",
	"apps/reduction/correct-fixed":      "behind the barrier each thread reads what it has written itself",
}

const lastReads = "the thread that reads the variable behind the barrier has written it"

// mutant is a program with one change of a synchronisation.
type mutant struct {
	program string
	site    *Site
	change  *change
	verdict string
	why     string // of an open one
}

// mutantsOf returns the mutants of a program's sites.
func mutantsOf(program string, sites []*Site) (list []*mutant) {
	for _, s := range sites {
		changes := s.weakenings()
		if c, _ := s.removal(); c != nil && s.Kind != isa.SyncAccess {
			changes = slices.Insert(changes, 0, c)
		}
		for _, c := range changes {
			list = append(list, &mutant{program: program, site: s, change: c})
		}
	}
	return list
}

// name identifies a mutant in the page.
func (m *mutant) name() string {
	to, _, _ := strings.Cut(m.change.to, " ")
	if to == "" {
		to = "nothing"
	} else if m.site.Kind == isa.SyncCopies || m.site.Kind == isa.SyncMatrix {
		to = m.change.to
	}
	return fmt.Sprintf("%s:%d: `%s` becomes `%s`", m.program, m.site.Line(), session.OpcodeText(m.site.First()), to)
}

// edit names the kind of the change.
func (m *mutant) edit() string {
	if m.change.to == "" || m.site.Kind == isa.SyncPhase {
		return "left out"
	}
	switch m.site.Kind {
	case isa.SyncBarrier:
		return "of the warp"
	case isa.SyncCopies, isa.SyncMatrix:
		return "for fewer groups"
	}
	in := m.site.First()
	opcode, _, _ := strings.Cut(m.change.to, " ")
	words, was := strings.Split(opcode, "."), strings.Split(session.OpcodeText(in), ".")
	find := func(words []string, of func(string) bool) string {
		if i := slices.IndexFunc(words, of); i >= 0 {
			return words[i]
		}
		return ""
	}
	isSem := func(w string) bool { _, ok := isa.SemOf(w); return ok }
	isScope := func(w string) bool { _, ok := isa.ScopeOf(w); return ok }
	sem, scope := find(words, isSem) != find(was, isSem), find(words, isScope) != find(was, isScope)
	switch {
	case sem && scope:
		return "weaker, narrower"
	case scope:
		return "narrower scope"
	}
	return "weaker order"
}

// mutantRun judges the mutants of one program.
type mutantRun struct {
	*judge
	t    *testing.T
	c    *racesuite.Case
	base *report.Report // of a check
}

// check runs a plan once, as the command check does it, with the strict checks if asked for.
func (r *mutantRun) check(plan *session.Plan, strict bool) *report.Report {
	o := r.Session
	o.Strict, o.Emulator = strict, r.usual.Config
	if strict {
		o.Emulator = r.strict.Config
		o.Emulator.Seed = 0
	}
	s, err := session.Open(o)
	if err != nil {
		r.t.Fatal(err)
	}
	defer s.Close()
	rep, err := plan.Check(r.t.Context(), s)
	if err != nil {
		r.t.Fatal(err)
	}
	return rep
}

// fails reports whether a check shows more than that of the program: a race, a fault or another result.
func (r *mutantRun) fails(m *rewrite.Module, rep *report.Report) bool {
	return r.newRace(m, rep) != nil || len(rep.Faults) > len(r.base.Faults) ||
		slices.ContainsFunc(rep.Expect, func(x report.Expectation) bool {
			return !x.OK && strings.HasPrefix(x.What, "buffer ")
		})
}

// analyzed returns the verdict of the static detector about a program with the case's launches.
func (r *mutantRun) analyzed(p *session.Program) string {
	out, err := analysis.Run(r.t.Context(), p, analysis.Options{
		Budget: proofBudget, Facts: []*facts.File{factfile.FromLaunches(r.c.File)}, File: r.c.File,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	out.Report.SettleStatic(report.Error)
	return out.Report.Verdict
}

// sort sorts a mutant. false says that the change makes no program.
func (r *mutantRun) sort(x *mutant) bool {
	edits := []*repair.Edit{x.change.edit}
	m, plan, err := r.Edited(edits)
	if err != nil {
		return false
	}
	if x.site.Executions == 0 {
		x.verdict = notRun
		return true
	}
	out, err := r.try(r.t.Context(), edits, x.site.weakly())
	if err != nil {
		r.t.Fatal(err)
	}
	usual := r.check(plan, false)
	switch {
	case r.fails(m, usual):
		x.verdict = byCheck
	case r.fails(m, r.check(plan, true)):
		x.verdict = byStrict
	case out.because != nil && strings.HasPrefix(out.because.Result, "under weak memory"):
		x.verdict = byWeak
	case out.because != nil:
		x.verdict = byExplore
	default:
		r.unkilled(x, plan, out)
	}
	if slices.Contains(killers[:2], x.verdict) && out.good() && !r.open(m, usual) {
		r.t.Errorf("%s: killed by %s, but nothing is said to go wrong", x.name(), x.verdict)
	}
	between := x.site.Kind == isa.SyncGrid // grids, which analyze does not compare with each other
	if y := out.because; y != nil && y.Race != nil && y.Race.Severity == report.Error && !between &&
		r.analyzed(plan.Program) == report.Clean {
		r.t.Errorf("%s: analyze proves it, but %s", x.name(), y)
	}
	return true
}

// open reports whether what a check of a mutant shows is no more than findings that leave open what values are read.
func (r *mutantRun) open(m *rewrite.Module, rep *report.Report) bool {
	known := *r.judge
	known.valuesKnown = true
	return !(&mutantRun{judge: &known, base: r.base}).fails(m, rep)
}

// unkilled sorts a mutant that no run has killed: by the static detector, or by what shows that it is equivalent.
func (r *mutantRun) unkilled(x *mutant, plan *session.Plan, out *judgement) {
	x.verdict, x.why = undecided, out.undecided
	switch why := x.site.unmodelled(); {
	case x.site.half():
		x.why = "the manual does not define a half of a cluster's barrier without the other"
		return
	case why != "":
		x.why = why
		return
	}
	if !out.good() {
		if r.analyzed(plan.Program) == report.Racy {
			x.verdict = byAnalyze
		}
		return
	}
	_, proved, err := r.proved(r.t.Context(), x.site, []*repair.Edit{x.change.edit})
	if err != nil {
		r.t.Fatal(err)
	}
	switch {
	case proved:
		x.verdict = provedFor
	case out.holds.Schedules == report.EverySchedule:
		x.verdict = everyOrder
	case out.complete:
		x.verdict = sameAll
	case r.analyzed(plan.Program) == report.Racy:
		x.verdict = byAnalyze
	default:
		if x.verdict, x.why = open, mutantReadings[x.program]; x.why == "" {
			r.t.Errorf("%s: nothing shows it, and nothing shows why", x.name())
		}
	}
	if x.verdict != open && x.verdict != byAnalyze {
		r.again(x, plan)
	}
}

// Schedules of mutants that are said to be equivalent, apart from those by which they were judged.
const (
	againSchedules = 16
	againSeed      = 50_000
)

// again runs a mutant that is said to be equivalent under other schedules.
func (r *mutantRun) again(x *mutant, plan *session.Plan) {
	other := *r.strict
	other.Config.Seed, other.Schedules = againSeed, againSchedules
	e := &session.Exploration{
		Options: r.Session, Scenario: plan, Workers: 1, RacesOnly: true,
		Search: session.Search{Name: session.SearchNames[0], Runs: againSchedules},
	}
	e.Options.Emulator = other.Config
	rep, err := e.Run(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	m := plan.Program.Module
	known := *r.judge
	known.valuesKnown = x.verdict == sameAll
	if y := known.newRace(m, rep); y != nil {
		r.t.Errorf("%s: %s, but %s", x.name(), x.verdict, &report.SyncReason{Race: y})
	}
	if y := other.NewFault(m, rep); y != nil && y.Schedules > len(r.base.Faults) {
		r.t.Errorf("%s: %s, but %s", x.name(), x.verdict, &report.SyncReason{Fault: y})
	}
}

// mutantPrograms returns the programs without races whose synchronisation is mutated.
func mutantPrograms(t *testing.T) (list []*racesuite.Case) {
	t.Helper()
	for _, c := range append(racesuite.Micro(t), racesuite.Applications(t)...) {
		if c.Variant == "fixed" {
			list = append(list, c)
		}
	}
	for _, c := range racesuite.Examples(t) {
		if c.File.Expect.Verdict == report.Clean {
			list = append(list, c)
		}
	}
	for _, path := range racesuite.Glob(t, racesuite.Dir("bugs/*/fixed.yaml")) {
		list = append(list, racesuite.Load(t, racesuite.Case{
			Category: "bugs", Variant: filepath.Base(filepath.Dir(path)),
			PTX: strings.TrimSuffix(path, ".yaml") + ".ptx", YAML: path,
		}))
	}
	if *mutantCases != "" {
		list = append(list, handedCases(t, *mutantCases)...)
	}
	return slices.DeleteFunc(list, func(c *racesuite.Case) bool { return !strings.Contains(c.Name(), *mutantsFrom) })
}

// handedCases returns the programs below a folder that have PTX and a launch file of the same name.
func handedCases(t *testing.T, folder string) (list []*racesuite.Case) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		base := strings.TrimSuffix(path, ".yaml")
		if err != nil || base == path {
			return err
		}
		file, err := launch.Load(path, launch.Options{})
		if _, none := os.Stat(base + ".ptx"); err != nil || none != nil || len(file.Launches) == 0 {
			return nil //nolint:nilerr // not a case
		}
		list = append(list, &racesuite.Case{
			Category: filepath.Base(filepath.Dir(path)), Variant: filepath.Base(base),
			PTX: base + ".ptx", YAML: path, File: file,
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestMutants sorts mutants: all and writes the page on request, else a sample, whose open ones the page must list.
func TestMutants(t *testing.T) {
	page := &mutantPage{}
	var lock sync.Mutex
	t.Run("of", func(t *testing.T) {
		for i, c := range mutantPrograms(t) {
			if !*allMutants && c.Application() {
				continue
			}
			t.Run(c.Name(), func(t *testing.T) {
				t.Parallel()
				list, programs := sortMutants(t, c, i)
				lock.Lock()
				defer lock.Unlock()
				page.mutants, page.programs = append(page.mutants, list...), page.programs+programs
			})
		}
	})
	switch {
	case *allMutants && *mutantsFrom == "" && *mutantCases == "":
		page.write(t)
	case *allMutants:
		t.Log(page.text())
	default:
		page.compare(t)
	}
}

// sortMutants sorts the mutants of a program, or a sample of them, of which number is the first.
func sortMutants(t *testing.T, c *racesuite.Case, number int) (list []*mutant, programs int) {
	t.Helper()
	p := c.Program(t)
	all := mutantsOf(c.Name(), sitesOf(p.Module.Funcs, false))
	if !*allMutants && (number%mutantSample+len(all))/mutantSample == 0 {
		return nil, 0
	}
	c.File.NoHost = true // no host takes part in any of the programs
	j := judgeOf(t, p, c.File)
	if why := j.refuses(); why != "" {
		t.Log(why)
		return nil, 0
	}
	sites, err := j.sites(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	r := &mutantRun{judge: j, t: t, c: c}
	r.base = r.check(j.Plan, false)
	for i, x := range mutantsOf(c.Name(), sites) {
		if (*allMutants || (number%mutantSample+i)%mutantSample == mutantSample-1) && r.sort(x) {
			t.Logf("%s: %s %s", x.name(), x.verdict, x.why)
			list = append(list, x)
		}
	}
	return list, min(len(list), 1)
}

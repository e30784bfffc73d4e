// Repairing a plan: the races, the search, the result.

package fix

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Options says what is repaired and how thoroughly repairs are verified.
type Options struct {
	Plan *session.Plan
	// Session configures the detectors, which must listen, and the emulator.
	Session session.Options
	// Schedules is the number of schedules under which a repair is verified, distributed over all kinds of schedules. 0
	// for DefaultSchedules, or fewer where the budget has not enough instructions.
	Schedules int
	// Attempts limits the number of sets of edits that are run, 0 for DefaultAttempts.
	Attempts int
	// Budget limits what the search and the check of a source execute.
	Budget Budget
	// Cost is that of one run, as RunCost returns it; 0 if it is not known.
	Cost    uint64
	Workers int // goroutines, 0 for one per processor
	// Unproved says that no proof of the repaired module is looked for.
	Unproved bool
	// Known reports whether a finding is known, so that it needs no repair; nil for none.
	Known func(*report.Race) bool
	// Announced says that warnings about data which a message announces count as errors: a run under weak memory has
	// shown one.
	Announced bool
}

// Defaults of Options.
const (
	DefaultSchedules = 100
	DefaultAttempts  = 400
)

// Result is the outcome of a repair.
type Result struct {
	Report   *report.Report       // of the original module
	Races    []*report.Race       // its races that count for the verdict
	Weak     []*report.FaultEvent // its weak outcomes, or those that are left without its races
	Edits    []*repair.Edit       // empty when there is no repair
	Original *rewrite.Module
	Module   *rewrite.Module // with the edits
	Cost     int
	Attempts int    // sets of edits that were run
	Why      string // why there is no repair, empty if there is one
	// Undecided says why the search was not finished: an interrupt, a limit of time, its budget. It is empty after a
	// finished search.
	Undecided string
	Verified  Verified

	fixer   *fixer
	pairs   []*repair.Race // the races by pairs of instructions
	chosen  layout         // the places of the edits in the patch of the source, nil for those of likely
	revised *SourceFix     // a repair that only the source has, nil for none
	refuted bool           // barriers at the places that the control flow shows do not remove the races
}

// Verified says how a repair was verified.
type Verified struct {
	Schedules int    `json:"schedules"`
	Every     bool   `json:"every_schedule,omitempty"` // the verdict of one schedule holds for all
	Search    string `json:"search"`
	Results   string `json:"results"` // what was compared
	// Strict is the number of further schedules, with strict checks of synchronisation and late asynchronous copies.
	Strict int `json:"strict"`
	// Blocks lists other sizes of blocks that were run, Remaining the race that the repair leaves with one of them,
	// empty for none, and Others races that only other sizes show.
	Blocks    []uint32 `json:"blocks,omitempty"`
	Remaining string   `json:"remaining,omitempty"`
	Others    []string `json:"others,omitempty"`
	// Proof says for which launches the static detector proves the absence of races, "" for none.
	Proof string `json:"proof,omitempty"`
	// Weak says how weak outcomes were looked for, and that there are none; it is empty if they were not. WeakLeft is
	// one that the repair leaves.
	Weak     string `json:"weak,omitempty"`
	WeakLeft string `json:"weak_left,omitempty"`
	// Fault is the first fault that the original has, too, and the repaired module keeps; empty for none.
	Fault string `json:"fault,omitempty"`

	states []string // results
}

// Values of Proof.
const (
	ProofOfLaunches = "these launches"
	ProofOfKernels  = "every launch whose pointers lead to different allocations"
)

// Mended reports whether the races are gone.
func (r *Result) Mended() bool { return len(r.Edits) > 0 }

// Complete reports whether nothing is left to mend: no race and no fault.
func (r *Result) Complete() bool {
	if r.revised != nil {
		return true
	}
	if r.Mended() {
		return r.Verified.Fault+r.Verified.Remaining+r.Verified.WeakLeft == ""
	}
	return r.Undecided == "" && len(r.Races)+len(r.Report.Faults) == 0
}

// Run repairs the races of a plan. Errors are those of the original's run, and the end of the context. The result says
// if there is no repair; after the end of the context it has what was found before, and is nil without anything.
func Run(ctx context.Context, o Options) (*Result, error) {
	if o.Schedules == 0 {
		o.Schedules = o.Budget.schedules(o.Cost)
	}
	if o.Attempts == 0 {
		o.Attempts = DefaultAttempts
	}
	f := newFixer(o)
	first, run, err := f.usual.original(ctx, o.Plan)
	if first == nil {
		return nil, err
	}
	if err == nil {
		f.Announced, err = new(session.StaleSearch).Search(ctx, o.Plan, o.Session, first)
	}
	res := &Result{Report: first, Original: f.original, Module: f.original, fixer: f}
	res.Races = f.counted(first)
	for _, x := range f.pairs(f.original, first) {
		if r := f.raceOf(f.original, x); r != nil {
			res.pairs = append(res.pairs, r)
		}
	}
	f.found, f.steps, f.threads = res.pairs, first.Stats.WarpInstructions, first.Stats.ThreadInstructions
	if err != nil {
		return res, res.interrupted(err)
	}
	if res.sharesRoom() {
		return res, nil
	}
	f.free = raceFree(first)
	if len(res.Races) > 0 {
		if err := f.search(ctx, res, first, run); !res.Mended() {
			return res, res.interrupted(err)
		}
	}
	if err := f.mendWeak(ctx, res, run); err != nil {
		err = res.interrupted(err)
		if res.Mended() {
			res.Verified.WeakLeft = "whether there is one is not decided: " + res.Undecided
		}
		return res, err
	}
	first.Faults = append(first.Faults, res.Weak...)
	if !res.Mended() {
		res.Why = res.nothing()
		return res, nil
	}
	if o.Unproved {
		return res, nil
	}
	if err := f.prove(ctx, res); ctx.Err() == nil {
		return res, err
	}
	return res, nil // verified, though not proved
}

// sharesRoom reports whether a race is of two arrays that overlap, and says so: edits that order the accesses would
// leave what the second array has overwritten.
func (r *Result) sharesRoom() bool {
	i := slices.IndexFunc(r.Races, func(x *report.Race) bool {
		return x.Advice != nil &&
			x.Advice.Repair == detect.RepairApart
	})
	if i < 0 {
		return false
	}
	r.pairs, r.Why = nil, "two arrays overlap, and no order of the accesses mends that: "+r.Races[i].Hint
	return true
}

// nothing says why there is no repair where no race is to be mended.
func (r *Result) nothing() string {
	switch {
	case r.Verified.WeakLeft != "":
		return "a weak outcome: " + r.Verified.WeakLeft
	case len(r.Report.Faults) > 0:
		return "no race was found: the kernel ends with a fault: " + r.Report.Faults[0].Message
	case len(r.Report.Races) > 0 && r.fixer.Known != nil:
		return "each race that was found is known, or is no error"
	case r.Verified.Weak != "":
		return "no race was found; weak outcomes: " + r.Verified.Weak
	}
	return "no race was found"
}

// interrupted records why the search was not finished, nil for a finished one, and returns that unless it is the
// budget.
func (r *Result) interrupted(why error) error {
	switch {
	case why == nil:
		return nil
	case errors.Is(why, ErrSpent):
		r.Undecided = fmt.Sprintf("%v: %s", ErrSpent, r.fixer.spending.text())
		return nil
	}
	r.Undecided = why.Error()
	return why
}

// fixer repairs one plan.
type fixer struct {
	Options
	original *rewrite.Module
	origins  *repair.Origins  // of the original
	found    []*repair.Race   // in the original
	free     []report.Outcome // of the original's runs without a race
	usual    *runs            // of the search
	// confirmations are nil before the first set of edits that needs one.
	confirmations [subjects]*confirmation
	steps         uint64 // warp instructions of one run of the original
	threads       uint64 // thread instructions of one
	// moved returns the place in the given source of a line of the edited one whose module runs; nil for modules of the
	// given one.
	moved    func(file string, line int) (string, int)
	spending *meter
	aim      *aim // of a search for advice only
}

func newFixer(o Options) *fixer {
	f := &fixer{Options: o, original: o.Plan.Program.Module, spending: newMeter(o.Budget, o.Plan)}
	f.origins = originsOf(f.original)
	f.usual = &runs{fixer: f, config: o.Session.Emulator, schedules: o.Schedules}
	return f
}

// pairs returns the races of the edited module m that count for the verdict, per pair of instructions, and that edits
// have to remove. One race of two lines may have several pairs.
func (f *fixer) pairs(m *rewrite.Module, rep *report.Report) (list []*report.Race) {
	for _, x := range f.counted(rep) {
		list = append(list, f.severe(x.Each())...)
	}
	return slices.DeleteFunc(list, func(x *report.Race) bool { return f.aim != nil && !f.aim.selects(f.pairOf(m, x)) })
}

// counted returns the findings that count for the verdict.
func (f *fixer) counted(rep *report.Report) []*report.Race { return f.severe(rep.Races) }

// severe returns the races that count for the verdict.
func (f *fixer) severe(races []*report.Race) (list []*report.Race) {
	level := report.SeverityRank(report.Error)
	if l := f.Session.ErrorLevel; l != "" {
		level = report.SeverityRank(l)
	}
	for _, x := range races {
		if (report.SeverityRank(x.Severity) >= level || f.Announced && x.Announced()) && !f.known(x) {
			list = append(list, x)
		}
	}
	return list
}

// known reports whether a race needs no repair.
func (f *fixer) known(x *report.Race) bool {
	if f.Known == nil {
		return false
	}
	if f.moved != nil {
		x = x.Moved(f.moved)
	}
	return f.Known(x)
}

// raceOf returns a race of the edited module m in terms of the original module, nil if its accesses are not found
// there.
func (f *fixer) raceOf(m *rewrite.Module, x *report.Race) *repair.Race {
	r := &repair.Race{
		First: f.accessOf(m, &x.First), Second: f.accessOf(m, &x.Second), Kind: x.Kind, Cause: x.Cause,
		Kernel: f.original.Func(x.First.Kernel), Shared: x.Space == isa.SpaceShared.String(), Compared: f.shows(x),
		Checks: x.Checks,
		Fence:  f.operationOf(m, x.Fence), Publish: f.operationOf(m, x.Publish), Observe: f.operationOf(m, x.Observe),
	}
	switch x.Locks {
	case detect.FirstUnlocked:
		r.Unlocked = r.First
	case detect.SecondUnlocked:
		r.Unlocked = r.Second
	}
	if r.First == nil || r.Second == nil || x.Kind == detect.InterKernel || x.Kind == detect.Host {
		return nil
	}
	return r
}

// shows reports whether a race is on a buffer whose results are compared.
func (f *fixer) shows(x *report.Race) bool {
	if f.Plan == nil {
		return false
	}
	name, _, _ := strings.Cut(x.Symbol, "[") // or data+0x4
	name, _, _ = strings.Cut(name, "+")
	variable := slices.ContainsFunc(f.original.Globals, func(v *rewrite.Var) bool { return v.Name == name })
	return x.Space == isa.SpaceGlobal.String() && !variable &&
		slices.ContainsFunc(f.compared(), func(b *launch.Buffer) bool { return b.Name == name })
}

func (f *fixer) accessOf(m *rewrite.Module, a *report.Access) *rewrite.Inst {
	return f.instOf(m, a.PTX.Line, a.Instruction)
}

func (f *fixer) operationOf(m *rewrite.Module, o *report.Operation) *rewrite.Inst {
	if o == nil {
		return nil
	}
	return f.instOf(m, o.PTX.Line, o.Instruction)
}

// instOf returns the instruction of the original for a line of an edited module: the same, or the one that was edited.
func (f *fixer) instOf(m *rewrite.Module, line int, opcode string) *rewrite.Inst {
	at := m.Origin(line)
	if at.Line == 0 {
		at.Line = at.For
	}
	var found *rewrite.Inst
	for _, fn := range f.original.Funcs {
		for _, in := range fn.Insts {
			if in.Line == at.Line && (found == nil || session.OpcodeText(in) == opcode) {
				found = in
			}
		}
	}
	return found
}

// edited returns the plan for the module with edits. The error says why they cannot be applied.
func (f *fixer) edited(edits []*repair.Edit) (*rewrite.Module, *session.Plan, error) {
	m, err := repair.Apply(f.original, edits)
	if err != nil {
		return nil, nil, err
	}
	p, err := session.Parse(m.AST.File.Name, m.AST.File.Src)
	if err != nil {
		return nil, nil, err
	}
	plan, err := f.planOf(p, edits)
	return m, plan, err
}

// planOf returns the plan for another program, whose launches are cooperative where edits need that, and followed by
// those of second kernels.
func (f *fixer) planOf(p *session.Program, edits []*repair.Edit) (*session.Plan, error) {
	plan, err := session.NewPlan(p, f.Plan.File, f.Session.Emulator.MaxSteps)
	if err != nil {
		return nil, err
	}
	launched := make(map[string]bool)
	for i := range f.Plan.Launches {
		launched[f.Plan.KernelName(i)] = true
	}
	if plan = plan.Only(func(kernel string) bool { return launched[kernel] }); plan == nil {
		return nil, errors.New("the program has none of the kernels")
	}
	for _, k := range repair.Cooperative(edits) {
		for i := range plan.Launches {
			if plan.KernelName(i) == k.Name {
				plan.Launches[i].Cooperative = true
			}
		}
	}
	for _, k := range repair.Halved(edits) {
		second := rest(p.Module, k)
		if second == nil {
			return nil, fmt.Errorf("the program has no second kernel for %s", k.Name)
		}
		plan.Follow(k.Name, second.Name)
	}
	return plan, nil
}

// baseName returns the name of a kernel in the source.
func baseName(name string) string {
	name, _, _ = strings.Cut(report.Demangle(name), "(")
	return name
}

// rest returns the second kernel of a split in another module, nil if there is none.
func rest(m *rewrite.Module, k *rewrite.Func) *rewrite.Func {
	for _, f := range m.Funcs {
		if f.Entry && (strings.HasSuffix(f.Name, k.Name+repair.Rest) ||
			baseName(f.Name) == baseName(k.Name)+repair.Rest) {
			return f
		}
	}
	return nil
}

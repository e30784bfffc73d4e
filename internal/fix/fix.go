// Repairing a plan: the races, the search, the result.

package fix

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Options says what is repaired and how thoroughly repairs are verified.
type Options struct {
	trial.Subject
	// Schedules is the number of schedules under which a repair is verified, distributed over all kinds of schedules. 0
	// for DefaultSchedules, or fewer where the budget has not enough instructions.
	Schedules int
	// Attempts limits the number of sets of edits that are run, 0 for DefaultAttempts.
	Attempts int
	// Budget limits what the search and the check of a source execute.
	Budget trial.Budget
	// Cost is that of one run, as RunCost returns it; 0 if it is not known.
	Cost uint64
	// Unproved says that no proof of the repaired module is looked for.
	Unproved bool
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
		o.Schedules = schedules(o.Budget, o.Cost)
	}
	if o.Attempts == 0 {
		o.Attempts = DefaultAttempts
	}
	f := newFixer(o)
	first, run, err := f.usual.Base(ctx, o.Plan)
	if first == nil {
		return nil, err
	}
	if err == nil {
		f.Announced, err = new(session.StaleSearch).Search(ctx, o.Plan, o.Session, first)
	}
	res := &Result{Report: first, Original: f.original, Module: f.original, fixer: f}
	res.Races = f.Counted(first.Races)
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
	case errors.Is(why, trial.ErrSpent):
		r.Undecided = fmt.Sprintf("%v: %s", trial.ErrSpent, r.fixer.Spending)
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
	usual    *trial.Runs      // of the search
	// confirmations are nil before the first set of edits that needs one.
	confirmations [subjects]*confirmation
	steps         uint64 // warp instructions of one run of the original
	threads       uint64 // thread instructions of one
	aim           *aim   // of a search for advice only
}

func newFixer(o Options) *fixer {
	f := &fixer{Options: o, original: o.Plan.Program.Module}
	f.Spending = trial.NewMeter(o.Budget, o.Plan, 0)
	f.origins = originsOf(f.original)
	f.usual = &trial.Runs{Subject: &f.Subject, Config: o.Session.Emulator, Schedules: o.Schedules}
	return f
}

// schedules returns the number of schedules under which repairs of a plan are verified, given the cost of a run: a
// verification takes at most one part of verifyPart of the budget.
func schedules(b trial.Budget, cost uint64) int {
	const verifyPart = 60
	if b.Instructions == 0 || cost == 0 {
		return DefaultSchedules
	}
	return int(min(DefaultSchedules, max(leastRuns, b.Instructions/verifyPart/cost)))
}

// pairs returns the races of the edited module m that count for the verdict, per pair of instructions, and that edits
// have to remove. One race of two lines may have several pairs.
func (f *fixer) pairs(m *rewrite.Module, rep *report.Report) (list []*report.Race) {
	return slices.DeleteFunc(f.Pairs(rep),
		func(x *report.Race) bool { return f.aim != nil && !f.aim.selects(f.pairOf(m, x)) })
}

// raceOf returns a race of the edited module m in terms of the original module, nil if its accesses are not found
// there.
func (f *fixer) raceOf(m *rewrite.Module, x *report.Race) *repair.Race {
	r := &repair.Race{
		First: f.AccessOf(m, &x.First), Second: f.AccessOf(m, &x.Second), Kind: x.Kind, Cause: x.Cause,
		Kernel: f.original.Func(x.First.Kernel), Shared: x.Space == isa.SpaceShared.String(), Compared: f.shows(x),
		Checks: x.Checks,
		Fence:  f.OperationOf(m, x.Fence), Publish: f.OperationOf(m, x.Publish), Observe: f.OperationOf(m, x.Observe),
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
		slices.ContainsFunc(f.Compared(), func(b *launch.Buffer) bool { return b.Name == name })
}

// Mending a plan: the races, the search, the result.

package fix

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/passes/repair"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Options say what is mended and how thoroughly repairs are verified.
type Options struct {
	Plan *session.Plan
	// Session has the detectors, which must listen, and the emulator's configuration.
	Session session.Options
	// Schedules is the number of schedules that a repair is verified under; they are of all
	// kinds in turn. 0 for DefaultSchedules.
	Schedules int
	// Attempts is how many sets of edits are run at most, 0 for DefaultAttempts.
	Attempts int
	Workers  int // goroutines, 0 for one per processor
}

// Defaults of Options.
const (
	DefaultSchedules = 100
	DefaultAttempts  = 400
)

// Result is what became of the races.
type Result struct {
	Report   *report.Report // of the original module
	Races    []*report.Race // of it, those that count
	Edits    []*repair.Edit // empty when there is no repair
	Original *rewrite.Module
	Module   *rewrite.Module // with the edits
	Cost     int
	Attempts int    // sets of edits that were run
	Why      string // there is no repair, empty when there is one
	Verified Verified

	fixer *fixer
	pairs []*repair.Race // the races by pairs of instructions
}

// Verified says how a repair was verified.
type Verified struct {
	Schedules int    `json:"schedules"`
	Search    string `json:"search"`
	Results   string `json:"results"` // what was compared
	// Proof says for which launches the static detector proves that there is no race, "" for none.
	Proof string `json:"proof,omitempty"`
}

// What a Proof is of.
const (
	ProofOfLaunches = "these launches"
	ProofOfKernels  = "every launch whose pointers lead to different allocations"
)

// Mended reports whether the races are gone.
func (r *Result) Mended() bool { return len(r.Edits) > 0 }

// Run mends the races of a plan. Errors are those of the run of the original; that there is
// no repair is in the result.
func Run(ctx context.Context, o Options) (*Result, error) {
	if o.Schedules == 0 {
		o.Schedules = DefaultSchedules
	}
	if o.Attempts == 0 {
		o.Attempts = DefaultAttempts
	}
	f := &fixer{Options: o, original: o.Plan.Program.Module, faults: make(map[string]int)}
	first, run, err := f.explore(ctx, nil, o.Plan, nil, false)
	if err != nil {
		return nil, err
	}
	res := &Result{Report: first, Original: f.original, Module: f.original, fixer: f}
	res.Races = f.counted(first)
	for _, x := range f.pairs(first) {
		if r := f.raceOf(f.original, x); r != nil {
			res.pairs = append(res.pairs, r)
		}
	}
	f.found = res.pairs
	if len(res.Races) == 0 {
		res.Why = "no race was found"
		if len(first.Faults) > 0 {
			res.Why = fmt.Sprintf("no race was found: the kernel ends with a fault: %s", first.Faults[0].Message)
		}
		return res, nil
	}
	for _, x := range first.Faults {
		f.faults[x.Class] += max(x.Schedules, 1)
		f.faults[faultAt(x.Class, x.PTX.Line)] += max(x.Schedules, 1)
	}
	if err := f.search(ctx, res, first, run); err != nil || !res.Mended() {
		return res, err
	}
	return res, f.prove(ctx, res)
}

// fixer is the work on one plan.
type fixer struct {
	Options
	original *rewrite.Module
	faults   map[string]int // in how many schedules the original shows each class, and each at an instruction
	found    []*repair.Race // in the original
}

// pairs are the races that count for the verdict by pairs of instructions, of which several are a
// race of two lines.
func (f *fixer) pairs(rep *report.Report) (list []*report.Race) {
	for _, x := range f.counted(rep) {
		list = append(list, x.Each()...)
	}
	return list
}

// counted are the races that count for the verdict.
func (f *fixer) counted(rep *report.Report) (list []*report.Race) {
	level := report.SeverityRank(report.Error)
	if l := f.Session.ErrorLevel; l != "" {
		level = report.SeverityRank(l)
	}
	for _, x := range rep.Races {
		if report.SeverityRank(x.Severity) >= level {
			list = append(list, x)
		}
	}
	return list
}

// newFault is a fault that the original does not show, or shows under fewer schedules, nil without one: at the same instruction of the
// original if m is an edited one, anywhere if m is nil. Threads that do not come past what an edit inserts are a new fault: races behind it do not show.
func (f *fixer) newFault(m *rewrite.Module, rep *report.Report) *report.FaultEvent {
	shown := make(map[string]int)
	for _, x := range rep.Faults {
		key := x.Class
		if m != nil {
			at := m.Origin(x.PTX.Line)
			if at.Line == 0 && x.Class != "livelock" && x.Class != "deadlock" {
				at.Line = at.For // replaced
			}
			key = faultAt(x.Class, at.Line)
		}
		if shown[key] += max(x.Schedules, 1); shown[key] > f.faults[key] {
			return x
		}
	}
	return nil
}

// faultAt is the key of a fault at a line of the original.
func faultAt(class string, line int) string { return fmt.Sprintf("%s at %d", class, line) }

// raceOf is a race in terms of the original module, of which m is an edited one; nil when its
// accesses are not found there.
func (f *fixer) raceOf(m *rewrite.Module, x *report.Race) *repair.Race {
	r := &repair.Race{
		First: f.accessOf(m, &x.First), Second: f.accessOf(m, &x.Second), Kind: x.Kind, Cause: x.Cause,
		Kernel: f.original.Func(x.First.Kernel), Shared: x.Space == isa.SpaceShared.String(), Compared: f.shows(x),
		Fence: f.operationOf(m, x.Fence), Publish: f.operationOf(m, x.Publish), Observe: f.operationOf(m, x.Observe),
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

// shows reports whether a race is on a buffer by which results are compared.
func (f *fixer) shows(x *report.Race) bool {
	name, _, _ := strings.Cut(x.Symbol, "[") // or data+0x4
	name, _, _ = strings.Cut(name, "+")
	variable := slices.ContainsFunc(f.original.Globals, func(v *rewrite.Var) bool { return v.Name == name })
	return x.Space == isa.SpaceGlobal.String() && !variable && slices.ContainsFunc(f.compared(), func(b *launch.Buffer) bool { return b.Name == name })
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

// instOf is the instruction of the original that a line of an edited module is, or that was
// edited there.
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

// edited is the plan for the module with edits. The error says why they cannot be made.
func (f *fixer) edited(edits []*repair.Edit) (*rewrite.Module, *session.Plan, error) {
	m, err := repair.Apply(f.original, edits)
	if err != nil {
		return nil, nil, err
	}
	p, err := session.Parse(m.AST.File.Name, m.AST.File.Src)
	if err != nil {
		return nil, nil, err
	}
	plan, err := session.NewPlan(p, f.Plan.File, f.Session.Emulator.MaxSteps)
	return m, plan, err
}

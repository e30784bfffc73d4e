// Judgement of one change: the launches run on the edited module, under the schedules, checks and memory models that may
// show what the synchronisation is for.

package syncs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// judgement is what runs of an edited module show.
type judgement struct {
	because   *report.SyncReason // what goes wrong; nil for nothing
	undecided string             // why it is not known whether something does; "" if it is
	holds     report.Holds
	schedules int
	complete  bool // all outcomes under weak memory are known
}

// good reports whether nothing goes wrong, as far as runs can decide.
func (j *judgement) good() bool { return j.because == nil && j.undecided == "" }

// Numbers of schedules of a change that nothing speaks against, and of executions of the exhaustive search under weak
// memory.
const (
	usualSchedules  = 12
	strictSchedules = 6
	searchSchedules = 48
	strictSeed      = 1000
	weakExecutions  = 2000
	weakThreads     = 2000    // instructions of the threads of a run; a longer one has too many executions
	weakThreadsAll  = 300_000 // of all runs
	weakStrong      = 24      // strong accesses of threads in a run
	hangBase        = 50_000  // warp instructions of a run after which it hangs, with hangFactor times those of the original
	hangFactor      = 4
)

// judge decides changes of one plan.
type judge struct {
	*trial.Subject
	usual, strict *trial.Runs
	base          *report.Report
	strong        int              // strong accesses of threads in a run of the original
	pairs         severities       // of the findings of the original
	results       []report.Outcome // of the original
	// outcomes are its results under weak memory, nil before weak has been called, and where they are unknown.
	outcomes []report.Outcome
	unknown  string // why these are not known
	// valuesKnown says that all outcomes of the change are known to be some of the original's.
	valuesKnown bool
	host        bool // the host, or another device, may access memory that kernels access
}

// pair is two racing instructions of the original module.
type pair struct{ first, second *rewrite.Inst }

// severities has the highest severity of the findings about pairs of the original, as report.SeverityRank counts.
type severities map[pair]int

// add adds the findings of a report of the original.
func (s severities) add(j *judge, rep *report.Report) {
	for _, x := range rep.Races {
		for _, y := range x.Each() {
			p := j.pairOf(j.Original(), y)
			s[p] = max(s[p], report.SeverityRank(y.Severity))
		}
	}
}

// newJudge runs the original. The report is that of its usual runs.
func newJudge(ctx context.Context, s *trial.Subject) (*judge, error) {
	s.Session.Strict, s.Digests = true, digests(s)
	j := &judge{Subject: s, pairs: make(severities), host: !s.Plan.File.NoHost}
	j.usual = &trial.Runs{Subject: s, Config: s.Session.Emulator, Schedules: usualSchedules}
	j.strict = &trial.Runs{Subject: s, Config: s.Session.Emulator, Schedules: strictSchedules}
	c := &j.strict.Config
	c.Seed += strictSeed
	c.LateAsync = true
	check(c)
	if _, err := j.original(ctx, j.strict); err != nil {
		return nil, err
	}
	usual := j.usual.Config
	if len(j.strict.Faults) == 0 {
		check(&j.usual.Config)
	}
	var err error
	if j.base, err = j.original(ctx, j.usual); err == nil && len(j.usual.Faults) > 0 {
		j.usual.Config = usual
		j.base, err = j.original(ctx, j.usual)
	}
	if err != nil {
		return nil, err
	}
	if limit := hangBase + hangFactor*j.base.Stats.WarpInstructions; s.Session.Emulator.MaxSteps == 0 {
		j.usual.Config.MaxSteps, j.strict.Config.MaxSteps = limit, limit
	}
	return j, nil
}

// check makes runs report what works on hardware and is an error all the same.
func check(c *emu.Config) { c.Synccheck, c.Uninitialised, c.Variables = true, true, true }

// original runs the original, and records its findings and results.
func (j *judge) original(ctx context.Context, r *trial.Runs) (*report.Report, error) {
	rep, _, err := r.Base(ctx, j.Plan)
	if err == nil {
		j.pairs.add(j, rep)
		j.results = append(j.results, rep.Exploration.Outcomes...)
	}
	return rep, err
}

// pairOf returns the instructions of a race of the edited module m in the original, in the order of their lines.
func (j *judge) pairOf(m *rewrite.Module, x *report.Race) pair {
	a, b := j.AccessOf(m, &x.First), j.AccessOf(m, &x.Second)
	if a != nil && b != nil && b.Line < a.Line {
		a, b = b, a
	}
	return pair{a, b}
}

// newRace returns a finding of a severity that the original does not have at its pair; nil for none. Of several it is the
// one between the closest threads, and in the closest memory: a synchronisation orders those first of all.
func (j *judge) newRace(m *rewrite.Module, rep *report.Report) (found *report.Race) {
	rank := func(x *report.Race) int {
		n := 2 * slices.Index(detect.Kinds, x.Kind)
		if x.Space == isa.SpaceShared.String() {
			n++
		}
		return n
	}
	for _, x := range rep.Races {
		for _, y := range x.Each() {
			known := report.SeverityRank(y.Severity) <= j.pairs[j.pairOf(m, y)] || j.valuesKnown && leftOpen(y)
			if !known && (found == nil || rank(y) > rank(found)) {
				found = y
			}
		}
	}
	return found
}

// leftOpen reports whether a finding is one about two strong accesses: it leaves open what values are read.
func leftOpen(x *report.Race) bool { return x.Rule == detect.LeftOpenRule }

// try runs the module with edits. orders says that an edit is of a fence or of the order of an access, which other
// values may show that only weak memory has.
func (j *judge) try(ctx context.Context, edits []*repair.Edit, orders bool) (*judgement, error) {
	out := &judgement{}
	m, plan, err := j.Edited(edits)
	if err != nil {
		out.undecided = "the target does not have the edited instruction: " + err.Error()
		return out, nil
	}
	for _, r := range []*trial.Runs{j.usual, j.strict} {
		rep, _, err := r.Explore(ctx, plan, nil, func(rep *report.Report) bool {
			return j.newRace(m, rep) != nil || r.NewFault(m, rep) != nil
		})
		if err != nil {
			return out.spent(err)
		}
		if out.because = j.reason(r, m, rep); out.because != nil {
			return j.confirm(ctx, plan, out, edits, orders)
		}
		if r == j.usual {
			out.holds, out.schedules = j.holds(rep), rep.Exploration.Schedules
		}
	}
	switch {
	case out.holds.Schedules == report.EverySchedule:
	case j.every(j.base):
		return j.search(ctx, m, plan, out)
	case j.prints():
		out.undecided = "what the kernels print is not compared"
	default:
		return out, j.weak(ctx, m, plan, out, orders)
	}
	return out, nil
}

// confirm decides whether what runs of a plan with edits have shown stands. What values are read is left open by some
// findings, and other results may be some that other schedules of the original have: the outcomes of all executions
// decide about both, where they are known.
func (j *judge) confirm(ctx context.Context, plan *session.Plan, out *judgement, edits []*repair.Edit, orders bool,
) (*judgement, error) {
	x := out.because.Race
	open := x != nil && leftOpen(x) || out.because.Result != "" && !j.every(j.base)
	if j.valuesKnown || !open {
		return out, nil
	}
	all := &judgement{}
	m, _, err := j.Edited(edits)
	if err != nil {
		return nil, err
	}
	if err := j.weak(ctx, m, plan, all, true); err != nil {
		return nil, err
	}
	states := trial.States(j.results)
	switch {
	case all.good():
		again := *j
		again.valuesKnown = true
		return again.try(ctx, edits, orders)
	case x == nil && all.because != nil:
		return all, nil
	case x == nil && slices.ContainsFunc(states, func(s string) bool { return s != states[0] }):
		out.because, out.undecided = nil, "the results depend on the order of threads, with it, too"
	}
	return out, nil
}

// search looks further for what goes wrong in the edited module m, in which the order of threads may matter, while it
// does not matter in the original.
func (j *judge) search(ctx context.Context, m *rewrite.Module, plan *session.Plan, out *judgement) (*judgement, error) {
	more := *j.strict
	more.Schedules, more.Config.Seed = searchSchedules, j.strict.Config.Seed+strictSeed
	more.Faults = make(map[string]int) // in as large a part of the schedules
	for key, n := range j.strict.Faults {
		more.Faults[key] = n * searchSchedules / strictSchedules
	}
	rep, _, err := more.Explore(ctx, plan, nil, func(rep *report.Report) bool {
		return j.newRace(m, rep) != nil || more.NewFault(m, rep) != nil
	})
	if err != nil {
		return out.spent(err)
	}
	if out.because = j.reason(&more, m, rep); out.because == nil {
		out.undecided = "the order of threads may matter without it, and does not matter with it"
	}
	return out, nil
}

// spent records that the budget is used up, and passes other errors on.
func (out *judgement) spent(err error) (*judgement, error) {
	if errors.Is(err, trial.ErrSpent) {
		out.undecided = err.Error()
		return out, nil
	}
	return nil, err
}

// reason returns what a report of the edited module m shows that the original does not; nil for nothing.
func (j *judge) reason(r *trial.Runs, m *rewrite.Module, rep *report.Report) *report.SyncReason {
	if x := j.newRace(m, rep); x != nil {
		j.Restore(m, &x.First)
		j.Restore(m, &x.Second)
		return &report.SyncReason{Race: x}
	}
	if x := r.NewFault(m, rep); x != nil {
		if at := m.Origin(x.PTX.Line); at.Line > 0 {
			x.PTX.Line = at.Line
		}
		return &report.SyncReason{Fault: x}
	}
	if other := j.different(rep.Exploration.Outcomes, j.results); other != "" && !j.valuesKnown {
		return &report.SyncReason{Result: other}
	}
	return nil
}

// different describes the first outcome that is none of the original's, "" if there is none.
func (j *judge) different(outcomes, original []report.Outcome) string {
	states := trial.States(original)
	for i, s := range trial.States(outcomes) {
		if len(states) > 0 && !slices.Contains(states, s) {
			return j.describe(&outcomes[i], original)
		}
	}
	return ""
}

// describe says what an outcome is: the elements that are not the same in it and in all of the original's.
func (j *judge) describe(o *report.Outcome, original []report.Outcome) string {
	const most = 4
	if o.Fault != "" {
		return "a fault: " + o.Fault
	}
	var list []string
	for i, w := range o.Buffers {
		if slices.Contains(j.Digests, w.Name) {
			if slices.ContainsFunc(original, func(x report.Outcome) bool {
				return x.Fault == "" && x.Buffers[i].Values[0] != w.Values[0]
			}) {
				list = append(list, "contents of "+report.Variable(w.Name))
			}
			continue
		}
		for k, v := range w.Values {
			if slices.ContainsFunc(original, func(x report.Outcome) bool {
				return x.Fault == "" && x.Buffers[i].Values[k] != v
			}) {
				list = append(list, fmt.Sprintf("%s[%d] = %s", w.Name, k, v))
			}
		}
	}
	if len(list) > most {
		list = append(list[:most], fmt.Sprintf("%d more", len(list)-most))
	}
	return "other results: " + strings.Join(list, ", ")
}

// holds returns what a verdict about a report of edited runs holds for: no more than that about the original.
func (j *judge) holds(rep *report.Report) report.Holds {
	h := report.Holds{Schedules: report.ThisSchedule, Contents: []string{}}
	of, with := rep.Weakest(), j.base.Weakest()
	if of == nil || with == nil {
		return h
	}
	if j.every(rep) && j.every(j.base) {
		h.Schedules, h.Resident = report.EverySchedule, max(of.Resident, with.Resident)
	}
	for _, b := range of.Contents {
		if slices.Contains(with.Contents, b) {
			h.Contents = append(h.Contents, b)
		}
	}
	return h
}

// every reports whether the verdict and the results of a report hold for every schedule.
func (j *judge) every(rep *report.Report) bool { return rep.Exploration.Claimed }

// weak decides by the outcomes of all executions that the memory model allows, as far as they can be made. Only those
// show what a change of an order does.
func (j *judge) weak(ctx context.Context, m *rewrite.Module, plan *session.Plan, out *judgement, orders bool) error {
	if j.outcomes == nil && j.unknown == "" {
		rep, unknown, err := j.executions(ctx, j.Plan)
		if err != nil {
			return err
		}
		if j.unknown = unknown; rep != nil {
			j.outcomes = rep.Exploration.Outcomes
			j.pairs.add(j, rep)
		}
	}
	if j.unknown != "" {
		if orders {
			out.undecided = j.unknown
		}
		return nil
	}
	rep, unknown, err := j.executions(ctx, plan)
	if err != nil {
		return err
	}
	if rep != nil {
		values := *j
		values.valuesKnown = true // by the outcomes
		if x := values.newRace(m, rep); x != nil {
			j.Restore(m, &x.First)
			j.Restore(m, &x.Second)
			out.because = &report.SyncReason{Race: x}
			return nil
		}
		if other := j.different(rep.Exploration.Outcomes, j.outcomes); other != "" {
			out.because = &report.SyncReason{Result: "under weak memory: " + other}
			return nil
		}
	}
	out.complete = unknown == ""
	if orders {
		out.undecided = unknown
	}
	return nil
}

// executions returns what is found in all executions of a plan under weak memory, or why they are not known.
func (j *judge) executions(ctx context.Context, plan *session.Plan) (rep *report.Report, unknown string, err error) {
	switch {
	case j.base.Stats.ThreadInstructions > weakThreads || j.strong > weakStrong:
		return nil, "the program is too long for all executions under weak memory", nil
	case j.Compared() == nil:
		return nil, "the buffers are too large to compare results under weak memory", nil
	}
	runs := min(weakExecutions, weakThreadsAll/max(j.base.Stats.ThreadInstructions, 1))
	e := &session.Exploration{
		Options: j.Session, Scenario: plan, Workers: j.Workers, Outcomes: j.Compared(), Digests: j.Digests,
		RacesOnly: true,
		Search:    session.Search{Name: "exhaustive", Runs: int(runs)}, Instructions: weakThreadsAll, Whole: true,
	}
	e.Options.Progress, e.Options.Claims = nil, false
	e.Options.Emulator = j.usual.Config
	e.Options.Emulator.Memory = emu.PTX
	rep, err = j.Spending.Explore(ctx, e)
	switch {
	case errors.Is(err, trial.ErrSpent):
		return nil, err.Error(), nil
	case err != nil:
		return nil, "", err
	}
	if !rep.Exploration.Complete || e.Over() {
		unknown = "not all executions under weak memory were made"
	}
	return rep, unknown, nil
}

// hostMay reports whether the host or another device may take part in what a site orders: it has the scope of the
// system, and other memory than that of a block is not excluded.
func (j *judge) hostMay(s *Site) bool {
	return j.host && slices.ContainsFunc(s.Insts, func(in *rewrite.Inst) bool {
		shared := in.Access.Kind != isa.AccessNone && in.Access.Space == isa.SpaceShared
		return !shared && max(in.StrongScope(), in.Scope) == isa.ScopeSys
	})
}

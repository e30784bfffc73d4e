// The search: an answer for each site, and a set of changes that stand together.

package syncs

import (
	"context"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Verdict is the answer for a site.
type Verdict = report.SyncVerdict

// Verdicts, the strictest first.
const (
	Needed        = report.SyncNeeded        // something goes wrong without it
	NotDecided    = report.SyncNotDecided    // Why says why
	Weaker        = report.SyncWeaker        // To will do
	NotNeededHere = report.SyncNotNeededHere // for the launches that were run
	NotNeeded     = report.SyncNotNeeded     // proved for every launch
)

// Options says what is asked.
type Options struct {
	trial.Subject
	Budget trial.Budget
	Sets   int // schedules under which a set is verified; 0 for DefaultSets
	// Asked selects the sites; nil for all.
	Asked func(*Site) bool
	// Libraries says that the code of libraries is looked into, and that changes of it are parts of a set, too.
	Libraries bool
}

// DefaultSets is the default of Options.Sets.
const DefaultSets = 100

// Answer is what is known about a site.
type Answer struct {
	*Site
	Verdict Verdict
	// Because is what goes wrong without the site, nil if nothing does. Of a verdict Weaker, it is why something is
	// needed at all.
	Because *report.SyncReason
	Holds   report.Holds // what the verdict holds for, unless the site is needed
	To      string       // of Weaker: the instruction that will do
	With    []*Site      // sites that can only go together with this one
	Why     string       // of NotDecided
	Needs   []string     // of NotNeeded: what the proof assumes of launches
	// Elsewhere says with which other launches the change shows a race, a fault or other results, "" for none.
	Elsewhere string
	Or        *Site // in the set, and not together with this one; nil for none
	Chosen    bool  // the change is a part of the set

	change *change // of Weaker and of those that are not needed; nil for others
}

// Result is the outcome of a search.
type Result struct {
	Report  *report.Report // of the original
	Answers []*Answer      // in the order of the PTX
	// Set lists the changes that stand together, and Module is the program with them; they are empty and the original
	// if there are none.
	Set      []*repair.Edit
	Module   *rewrite.Module
	Original *rewrite.Module
	// Verified says how the set was verified, and Holds what that holds for.
	Verified string
	Holds    report.Holds
	// Refused says why nothing was asked, "" if it was: the program has races or faults.
	Refused string

	judge     *judge
	libraries bool
}

// Run answers for each synchronisation of a plan's launches. The error is one of the original's run, or the end of the
// context: the result then has the answers until there, and no set.
func Run(ctx context.Context, o Options) (*Result, error) {
	o.Spending = trial.NewMeter(o.Budget, o.Plan, 0)
	j, err := newJudge(ctx, &o.Subject)
	if err != nil {
		return nil, err
	}
	withoutReplays(j.base.Races, j.base.Faults)
	r := &Result{Report: j.base, Original: o.Original(), Module: o.Original(), judge: j, libraries: o.Libraries}
	if r.Refused = j.refuses(); r.Refused != "" {
		return r, nil
	}
	sites, err := j.sites(ctx, o.Libraries)
	if err != nil {
		return nil, err
	}
	for _, s := range sites {
		if o.Asked != nil && !o.Asked(s) {
			continue
		}
		a, err := j.answer(ctx, s, sites)
		if err != nil {
			return r, err
		}
		r.Answers = append(r.Answers, a)
	}
	return r, r.choose(ctx, &o)
}

// refuses says why a program is not asked about, "" if it is.
func (j *judge) refuses() string {
	if races := j.Counted(j.base.Races); len(races) > 0 {
		return "the program has races; ptxsan fix finds what synchronisation it lacks"
	}
	if len(j.base.Faults) > 0 {
		return "the program ends with a fault: " + j.base.Faults[0].Message
	}
	return ""
}

// sites returns the synchronisation of the kernels that the plan launches, and counts how often warps execute it.
func (j *judge) sites(ctx context.Context, libraries bool) ([]*Site, error) {
	warps := make(map[*rewrite.Func]uint64) // of the launches that reach a function
	for i, l := range j.Plan.Launches {
		threads := uint64(l.Block.X) * uint64(l.Block.Y) * uint64(l.Block.Z)
		blocks := uint64(l.Grid.X) * uint64(l.Grid.Y) * uint64(l.Grid.Z)
		for _, f := range session.Reached(j.Original().Func(j.Plan.KernelName(i))) {
			warps[f] += blocks * ((threads + isa.WarpSize - 1) / isa.WarpSize)
		}
	}
	list := sitesOf(slices.DeleteFunc(slices.Clone(j.Original().Funcs),
		func(f *rewrite.Func) bool { return warps[f] == 0 }), libraries)
	counts := &counter{executed: make(map[*rewrite.Inst]uint64)}
	o := j.Session
	o.Detectors, o.Emulator.Listener = nil, counts
	s, err := session.Open(o)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := j.Plan.Play(ctx, s); err != nil {
		return nil, err
	}
	j.strong = counts.strong
	for _, x := range list {
		for _, in := range x.Insts {
			x.Executions += float64(counts.executed[in]) / float64(warps[in.Func])
		}
	}
	return list, nil
}

// counter counts the executions of synchronising instructions.
type counter struct {
	emu.NopListener
	executed map[*rewrite.Inst]uint64 // by warps
	strong   int                      // accesses of threads
}

// Interest implements emu.Listener.
func (c *counter) Interest() emu.Interest {
	return emu.Interest{
		Site:  func(*rewrite.Inst) bool { return false },
		Steps: func(in *rewrite.Inst) bool { return in.Sync() != isa.SyncNone },
		Step: func(s *emu.Step) {
			if s.Mask != 0 {
				c.executed[s.Inst]++
			}
			if s.Inst.Sync() == isa.SyncAccess {
				c.strong += bits.OnesCount32(s.Mask)
			}
		},
	}
}

// answer decides one site.
func (j *judge) answer(ctx context.Context, s *Site, all []*Site) (*Answer, error) {
	a := &Answer{Site: s, Verdict: NotDecided}
	if s.Executions == 0 {
		a.Why = "no launch executes it"
		return a, nil
	}
	without, why := s.removal()
	if a.Why = why; without == nil {
		return a, nil
	}
	out, err := j.without(ctx, s, without, all, a)
	if err != nil {
		return nil, err
	}
	a.Holds, a.Because, a.Why = out.holds, out.because, out.undecided
	switch {
	case out.undecided != "":
		return a, nil
	case out.good() && s.unmodelled() != "":
		a.Why = s.unmodelled()
		return a, nil
	case out.good() && j.hostMay(s):
		a.Why = hostUnknown
		return a, nil
	case out.good():
		a.Verdict, a.change = NotNeededHere, without
		if s.Kind == isa.SyncAccess {
			a.Verdict, a.To = Weaker, without.to
			return a, nil
		}
		needs, proved, err := j.proved(ctx, s, a.edits())
		if err != nil {
			return nil, err
		}
		if a.Needs = needs; proved {
			a.Verdict = NotNeeded
		}
		return a, nil
	}
	if a.Verdict = Needed; s.unmodelled() != "" {
		return a, nil
	}
	return a, j.weaken(ctx, a)
}

// hostUnknown is why a synchronisation of the system is not decided that no kernel needs.
const (
	hostUnknown = "no kernel needs it, but the host or another device may; " + hostNone
	hostNone    = "where none accesses the memory, the launch file says host: none"
)

// edits returns the changes of an answer, with those of the sites that go together with it.
func (a *Answer) edits() []*repair.Edit {
	list := []*repair.Edit{a.change.edit}
	for _, o := range a.With {
		if c, _ := o.removal(); c != nil {
			list = append(list, c.edit)
		}
	}
	return list
}

// without judges the launches without a site. Where that is an arrival, or one of several sites at a barrier, without
// which the others wait for ever, it leaves them out together, or lowers the count of arrivals.
func (j *judge) without(ctx context.Context, s *Site, c *change, all []*Site, a *Answer) (*judgement, error) {
	out, err := j.try(ctx, []*repair.Edit{c.edit}, s.weakly())
	if err != nil || (out.because == nil || !waits(out.because.Fault)) && !s.half() {
		return out, err
	}
	if partners := s.partners(all); len(partners) > 0 {
		with := &Answer{change: c, With: partners}
		again, err := j.try(ctx, with.edits(), false)
		if err != nil {
			return nil, err
		}
		if a.With = partners; again.because == nil || again.because.Race != nil || s.half() {
			return again, nil
		}
		a.With = nil
	}
	if s.Kind != isa.SyncArrive {
		return out, nil
	}
	for _, lower := range s.counted(j.threads()) {
		again, err := j.try(ctx, []*repair.Edit{lower.edit}, false)
		if err != nil {
			return nil, err
		}
		if again.good() {
			*c = *lower
			return again, nil
		}
		if again.because != nil && again.because.Race != nil {
			out = again
		}
	}
	return out, nil
}

// waits reports whether a fault says that threads wait for others, which may never come.
func waits(x *report.FaultEvent) bool {
	return x != nil && slices.Contains([]string{"deadlock", "livelock", "timeout", "barrier-divergence"}, x.Class)
}

// weakly reports whether other values that only weak memory has may show what the site is for.
func (s *Site) weakly() bool { return s.Kind == isa.SyncFence || s.Kind == isa.SyncAccess }

// threads returns the number of threads of the largest block.
func (j *judge) threads() (n uint64) {
	for _, l := range j.Plan.Launches {
		n = max(n, uint64(l.Block.X)*uint64(l.Block.Y)*uint64(l.Block.Z))
	}
	return n
}

// weaken looks for a weaker instruction that will do.
func (j *judge) weaken(ctx context.Context, a *Answer) error {
	for _, c := range a.weakenings() {
		out, err := j.try(ctx, []*repair.Edit{c.edit}, a.weakly())
		if err != nil {
			return err
		}
		if out.good() && j.hostMay(a.Site) {
			a.Verdict = NotDecided
			a.Why = "kernels need it, and " + c.to + " will do for them, but the host or another device may need more; " +
				hostNone
			return nil
		}
		if out.good() {
			a.Verdict, a.To, a.Holds, a.change = Weaker, c.to, out.holds, c
			return nil
		}
	}
	return nil
}

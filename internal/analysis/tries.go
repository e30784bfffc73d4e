// Deciding possible pairs by executing launches that the detector suggests.

package analysis

import (
	"context"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Limits of the launches that are executed for possible pairs.
const (
	maxTriedThreads = 1 << 15
	triedSteps      = 2_000_000  // warp instructions of one execution
	triedWork       = 16_000_000 // warp instructions of all executions for a kernel at one place of host code
)

// try executes the suggested launches. Possible pairs that race in an execution are races. They are proved by one that
// stands for all launches which the facts allow, in every schedule.
func (out *Outcome) try(ctx context.Context, k *rewrite.Func, g *facts.Given, r *static.Result, o *Options) error {
	m := &Made{Kernel: k, Given: g, Result: r}
	left := uint64(triedWork)
	for _, w := range r.Tries {
		if w.Launched() > maxTriedThreads || !undecided(r, nil) {
			continue
		}
		b := &builder{witness: w, given: g, kernel: k, exact: true}
		rep, err := out.tried(ctx, b, &left, func(rep *report.Report) bool { return !undecided(r, rep) })
		if err != nil {
			return err
		}
		if rep == nil {
			continue
		}
		decide(k, r, w, rep)
		if needs, ok := m.decisive(rep); ok && !slices.Contains(o.Without, string(static.ByExecution)) {
			proved(r, needs)
		}
	}
	r.Tries = nil
	return nil
}

// undecided reports whether executions may decide more pairs than a report does; nil is no report.
func undecided(r *static.Result, rep *report.Report) bool {
	return r.Unseen || slices.ContainsFunc(r.Pairs, func(p *static.Pair) bool {
		return p.Verdict == static.Possible && !p.LeftOpen &&
			(rep == nil || !slices.ContainsFunc(rep.Races, func(x *report.Race) bool { return isOf(p, x) }))
	})
}

// tried executes a launch under several schedules, or until enough is found. In the first attempt, buffers of unknown
// size are small. While an access is outside of a buffer, the buffers grow and the launch is executed again. The report
// is nil when the launch proves nothing: it cannot be executed, an access is outside of a buffer of the maximum size,
// or the kernel ends in a fault that correct host code does not cause. Executions are charged to the remaining work,
// and end when it is used up.
func (out *Outcome) tried(ctx context.Context, b *builder, left *uint64,
	enough func(*report.Report) bool,
) (*report.Report, error) {
	for b.least = 1 << 10; *left > 0; b.least *= 16 {
		rep, err := out.explore(ctx, b.text(), emu.Config{MaxSteps: min(triedSteps, *left)},
			func(rep *report.Report) bool {
				return executed(rep) >= *left || enough(rep)
			})
		if err != nil {
			return nil, err
		}
		*left -= min(*left, executed(rep))
		fault := disqualifies(rep)
		switch {
		case fault == nil:
			return rep, nil
		case fault.Class != "out-of-bounds" || b.least >= maxWitnessBytes:
			return nil, nil
		}
	}
	return nil, nil
}

// executed estimates the warp instructions of an exploration: each run counts as long as the first, or as the limit.
func executed(rep *report.Report) uint64 {
	n := rep.Stats.WarpInstructions
	if costly(rep) {
		n = triedSteps
	}
	if rep.Exploration != nil {
		n *= 1 + uint64(rep.Exploration.Schedules)
	}
	return max(n, 1000)
}

// costly reports whether a run reached the limit on steps.
func costly(rep *report.Report) bool {
	return slices.ContainsFunc(rep.Faults, func(f *report.FaultEvent) bool { return f.Class == "timeout" })
}

// disqualifies returns the fault that makes the races of a report invalid, because correct host code does not cause it;
// nil if there is none.
func disqualifies(rep *report.Report) *report.FaultEvent {
	var outside *report.FaultEvent
	for _, f := range rep.Faults {
		switch f.Class {
		case "timeout", "deadlock", "livelock", "barrier-divergence":
		case "out-of-bounds":
			outside = f
		default:
			return f
		}
	}
	return outside
}

// decide marks the pairs that raced in an execution of a launch as races, and returns those that were not races before.
func decide(k *rewrite.Func, r *static.Result, launch *static.Witness, rep *report.Report) (decided []*static.Pair) {
	for _, x := range rep.Races {
		if x.Severity != report.Error || x.First.Kernel != k.Name || x.Second.Kernel != k.Name {
			continue
		}
		of := func(p *static.Pair) bool { return isOf(p, x) }
		if p := pairOf(k, x); p != nil && !slices.ContainsFunc(r.Pairs, of) {
			r.Pairs = append(r.Pairs, p)
		}
		for _, p := range r.Pairs {
			if of(p) && p.Verdict != static.Racy {
				settle(p, launch, x)
				decided = append(decided, p)
			}
		}
	}
	if len(decided) > 0 {
		r.Verdict = static.Racy
	}
	return decided
}

// isOf reports whether a race is between the two instructions of a pair.
func isOf(p *static.Pair, x *report.Race) bool {
	return isAt(&p.First, &x.First) && isAt(&p.Second, &x.Second) ||
		isAt(&p.First, &x.Second) && isAt(&p.Second, &x.First)
}

// isAt reports whether a side of a pair and one of a race are the same instruction, or the same event.
func isAt(a *static.Access, x *report.Access) bool {
	return a.Event == x.Event && (a.Event != "" || a.Inst.Line == x.PTX.Line)
}

// settle marks a pair as a race that occurred in an execution of a launch.
func settle(p *static.Pair, launch *static.Witness, x *report.Race) {
	ends := []*report.Access{&x.First, &x.Second}
	if !isAt(&p.First, ends[0]) {
		slices.Reverse(ends)
	}
	w := *launch
	w.Executed, w.Unplaced, w.Offset, w.Bytes = true, true, 0, x.Size
	for i, a := range ends {
		w.Threads[i] = static.Place{Block: a.Block, Thread: a.Thread}
	}
	p.Verdict, p.Try, p.LeftOpen, p.Reason, p.Witness, p.Cause = static.Racy, false, false, "", &w, string(x.Cause)
	for _, kind := range []static.Kind{static.InterBlock, static.IntraBlock, static.IntraWarp} {
		if kind.String() == string(x.Kind) {
			p.Kind, p.Kinds = kind, []static.Kind{kind}
		}
	}
}

// pairOf returns a new pair for a race that is not among the detector's pairs, because no operand of one of the
// instructions is the address of its access.
func pairOf(k *rewrite.Func, x *report.Race) *static.Pair {
	p := &static.Pair{First: accessOf(k.Module, &x.First, x.Size), Second: accessOf(k.Module, &x.Second, x.Size)}
	if unknown := func(a *static.Access) bool { return a.Inst == nil && a.Event == "" }; unknown(&p.First) ||
		unknown(&p.Second) {
		return nil
	}
	for _, s := range []isa.Space{isa.SpaceGlobal, isa.SpaceShared} {
		if s.String() == x.Space {
			p.Space = s
		}
	}
	return p
}

// accessOf returns one side of a race. Its instruction is nil for an event, and if the module has none in that line.
func accessOf(m *rewrite.Module, x *report.Access, size int) static.Access {
	a := static.Access{Kind: isa.AccessLoad, Size: size, Operand: -1, Event: x.Event}
	for _, kind := range []isa.AccessKind{isa.AccessLoad, isa.AccessStore, isa.AccessAtomic} {
		if kind.Word() == x.Access {
			a.Kind = kind
		}
	}
	for _, f := range m.Funcs {
		for _, in := range f.Insts {
			if x.Event == "" && in.Line == x.PTX.Line && (len(in.Accesses) > 0 || a.Inst == nil) {
				a.Inst = in
			}
		}
	}
	return a
}

// Weak outcomes: how runs under weak memory end, and no sequentially consistent run does.

package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/explore"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// weakWatch finds the weak outcomes of an exploration.
type weakWatch struct {
	usual    *outcomeCount // of sequentially consistent runs
	complete bool          // these are all
	runs     int           // their number
	first    []weakRun     // for each weak outcome, the first run
}

// weakRun is a run that ends with a weak outcome.
type weakRun struct {
	key  string
	dets []*detectors.Detector
	run  *explore.Run

	fault *report.FaultEvent // its finding; nil if it has none of its own
}

// maxWeak limits the number of weak outcomes that are explained.
const maxWeak = 8

// watchWeak explores the plan under sequential consistency, if the exploration is of weak memory, and counts outcomes
// from then on.
func (e *Exploration) watchWeak(ctx context.Context) error {
	p, ok := e.Scenario.(*Plan)
	if e.Options.Emulator.Memory != emu.PTX || !ok || p.File.Guessed || e.RacesOnly {
		return nil
	}
	buffers := e.Outcomes
	if buffers == nil {
		if buffers = allBuffers(p); buffers == nil {
			return nil
		}
	}
	sub := &Exploration{Options: e.Options, Scenario: p, Search: e.Search, Workers: e.Workers, Outcomes: buffers}
	sub.Options.Detectors, sub.Options.Progress = nil, nil
	sub.Options.Emulator.Memory = emu.SC
	rep, err := sub.Run(ctx)
	if err != nil {
		return err
	}
	e.weak = &weakWatch{usual: sub.count, complete: rep.Exploration.Complete, runs: rep.Exploration.Schedules}
	e.count = newOutcomeCount(buffers)
	return nil
}

// Watched reports whether Run has looked for weak outcomes.
func (e *Exploration) Watched() bool { return e.weak != nil }

// allBuffers returns the buffers of a plan, nil if they are too large.
func allBuffers(p *Plan) (list []*launch.Buffer) {
	size := uint64(0)
	for i := range p.File.Buffers {
		b := &p.File.Buffers[i]
		if size += b.Size(); size > MaxOutcome {
			return nil
		}
		list = append(list, b)
	}
	return list
}

// note records a run whose outcome is new and weak.
func (w *weakWatch) note(key string, dets []*detectors.Detector, r *explore.Run) {
	if w != nil && w.usual.seen[key] == nil && len(w.first) < maxWeak &&
		!slices.ContainsFunc(w.first, func(x weakRun) bool { return x.key == key }) {
		w.first = append(w.first, weakRun{key: key, dets: dets, run: r})
	}
}

// reportWeak adds the findings of weak outcomes to the report: one for each list of accesses seen out of order.
func (e *Exploration) reportWeak(ctx context.Context) error {
	if e.weak == nil {
		return nil
	}
	for i := range e.weak.first {
		w := &e.weak.first[i]
		x, failed, err := e.explainWeak(ctx, w)
		if err != nil {
			return err
		}
		if x.Sequential && !e.weak.complete {
			continue // a sequentially consistent run that was not among those made
		}
		f := e.weakFault(w, x, failed)
		if !slices.ContainsFunc(e.rep.Faults, func(g *report.FaultEvent) bool {
			return g.Class == f.Class && g.PTX == f.PTX && g.Severity == f.Severity
		}) {
			w.fault, e.rep.Faults = f, append(e.rep.Faults, f)
		}
	}
	return nil
}

// explainWeak repeats a run to explain it. failed says that the program's own check of its results fails.
func (e *Exploration) explainWeak(ctx context.Context, w *weakRun) (x emu.Explanation, failed bool, err error) {
	s, err := e.recorded(ctx, &finding{dets: w.dets, run: w.run})
	if err != nil {
		return x, false, err
	}
	o := e.options(nil)
	o.Emulator.Replay, o.Emulator.Explain = s, &x
	run, err := e.execute(ctx, o)
	if err != nil {
		return x, false, err
	}
	rep := run.Report()
	if rep.Expect, err = e.Scenario.(*Plan).compareExpect(rep, run); err != nil {
		return x, false, err
	}
	failed = len(rep.Faults) > 0 || slices.ContainsFunc(rep.Expect,
		func(x report.Expectation) bool { return strings.HasPrefix(x.What, "buffer ") && !x.OK })
	return x, failed, nil
}

// weakFault returns the finding of a weak outcome.
func (e *Exploration) weakFault(w *weakRun, x emu.Explanation, failed bool) *report.FaultEvent {
	f := &report.FaultEvent{
		Class: report.WeakClass, Severity: report.Warning, Continued: true,
		Replay:    e.Replay.Results(e.Replay.Run(nil, w.run), e.count.names()),
		Schedules: e.count.seen[w.key].Schedules, Fence: x.Fence, Scope: x.Scope.String(),
	}
	if failed {
		f.Severity = report.Error
	}
	var b strings.Builder
	fmt.Fprintf(&b, "the run ends with %s, as none of ", e.count.text(w.key))
	if e.weak.complete {
		b.WriteString("the sequentially consistent runs does (all were made)")
	} else {
		fmt.Fprintf(&b, "%d sequentially consistent runs does", e.weak.runs)
	}
	for k, p := range x.Pairs {
		a, c := e.weakAccess(p.First, p.Thread), e.weakAccess(p.Second, p.Thread)
		if f.Reordered = append(f.Reordered, report.Reordering{First: a, Second: c}); k == 0 {
			f.Kernel, f.PTX, f.Source, f.Instruction, f.Block, f.Thread = c.Kernel, c.PTX, c.Source, p.Second.Text(),
				c.Block, c.Thread
		}
		fmt.Fprintf(&b, "; %s (%s) took effect after %s (%s) of thread (%d,%d,%d) in block (%d,%d,%d), which comes later in the program",
			weakPlace(&a), p.First.Text(), weakPlace(&c), p.Second.Text(), c.Thread[0], c.Thread[1], c.Thread[2],
			c.Block[0], c.Block[1], c.Block[2])
	}
	for _, in := range x.Accesses {
		f.Involved = append(f.Involved, symbolize.AccessOf(in))
	}
	switch {
	case len(x.Pairs) == 0:
		b.WriteString("; the run is too long to say which accesses were seen out of order")
	case x.Fence != "":
		fmt.Fprintf(&b, "; the model forbids this run with %s between the two accesses", x.Fence)
		if len(x.Pairs) > 1 {
			b.WriteString(" of each thread")
		}
	default:
		b.WriteString("; no fence forbids it: a weak access takes part, or a scope does not include the other thread")
	}
	f.Message = b.String()
	return f
}

// weakAccess returns an access by a thread.
func (e *Exploration) weakAccess(in *rewrite.Inst, by emu.ThreadPos) report.Access {
	a := symbolize.AccessOf(in)
	a.Access, a.Kernel, a.Warp = in.Access.Kind.Word(), in.Func.Name, uint32(by.Warp)
	a.Block, a.Thread = e.position(in.Func.Name, by)
	return a
}

// weakPlace returns the place of an access in words.
func weakPlace(a *report.Access) string {
	p := OwnPlace(a)
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// position returns the block and the thread at a position in the first launch of a kernel.
func (e *Exploration) position(kernel string, at emu.ThreadPos) (block, thread [3]uint32) {
	p := e.Scenario.(*Plan)
	i := p.indexOf(kernel)
	if i < 0 {
		return block, thread
	}
	l := &p.Launches[i]
	split := func(n uint64, d emu.Dim3) [3]uint32 {
		x, y := uint64(max(d.X, 1)), uint64(max(d.Y, 1))
		return [3]uint32{uint32(n % x), uint32(n / x % y), uint32(n / x / y)}
	}
	return split(at.Block, l.Grid), split(uint64(at.Warp*32+at.Lane), l.Block)
}

// text returns an outcome in words.
func (o *outcomeCount) text(key string) string {
	state, ok := strings.CutPrefix(key, "state ")
	if !ok {
		return "a " + key
	}
	var parts []string
	for _, w := range o.words(state) {
		const most = 8
		values := w.Values
		if len(values) > most {
			values = append(slices.Clone(values[:most]), "...")
		}
		parts = append(parts, w.Name+"="+strings.Join(values, ","))
	}
	return strings.Join(parts, " ")
}

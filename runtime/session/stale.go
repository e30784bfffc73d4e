// The search for weak outcomes of a check: runs under weak memory in which a thread reads an older value than it was
// told of.

package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
)

// Strong accesses that nothing orders are no race, and a warning. Where a message goes from the thread that has stored
// data to one that reads them, the warning asks for a decision: does the message promise the data? If a run under weak
// memory reads the data as they were before, it does not, and the warning becomes an error with that run as its
// witness.

// Limits of the search for weak outcomes.
const (
	MaxStaleRuns   = 32      // under weak memory
	MaxStaleBudget = 1 << 24 // instructions of threads in these runs
)

// StaleSearch is a search for weak outcomes of the checks of a command, which share its budget.
type StaleSearch struct {
	// Replay returns the command that repeats a run, from its flags, and its schedule unless it is nil; nil for none.
	Replay func(flags map[string]string, schedule []byte) string

	spent uint64
}

// staleRun is a run under weak memory: by its seed, or if it has a hold by the schedule that this makes.
type staleRun struct {
	seed     uint64
	hold     *hold
	schedule emu.Schedule
}

// Search replaces the warnings of a report of one run of the plan that turn out to be weak outcomes by errors, and
// reports whether there are some. It runs the plan under weak memory with one seed after the other, from that of the
// options on, until each warning is decided or the budget is spent.
func (q *StaleSearch) Search(ctx context.Context, p *Plan, o Options, rep *report.Report) (some bool, err error) {
	var found []*report.Race
	open := announced(rep.Races)
	cost := max(rep.Stats.ThreadInstructions, 1)
	for n := 0; q.applies(&o) && n < MaxStaleRuns && len(open) > 0 && q.spent+cost <= MaxStaleBudget; n++ {
		r := staleRunOf(p, o.Emulator.Seed, open, n)
		if r == nil {
			continue
		}
		q.spent += cost
		races, err := r.races(ctx, p, o, rep.Stats.WarpInstructions)
		if ctx.Err() != nil {
			rep.Notes = append(rep.Notes, report.Unchecked+"whether warnings are weak outcomes: the time was over")
			break
		}
		if err != nil {
			return false, err
		}
		for _, x := range races {
			if x.Cause == detect.WeakOutcome && slices.ContainsFunc(open, x.SamePair) {
				open, found = slices.DeleteFunc(open, x.SamePair), append(found, x)
				x.Replay = q.replay(r)
			}
		}
	}
	if len(found) > 0 {
		promote(rep, found)
		p.expectAgain(rep)
	}
	return len(found) > 0, nil
}

// staleRunOf returns the run with a number, nil for none. Every second run holds the thread that has made the first
// access of a warning at a fence: one behind the message would still give the order.
func staleRunOf(p *Plan, seed uint64, open []*report.Race, n int) *staleRun {
	r := &staleRun{seed: seed + uint64(n/2)}
	if n%2 == 0 {
		return r
	}
	if r.hold = holdOf(p, open[n/2%len(open)], n/2/len(open)); r.hold == nil {
		return nil
	}
	return r
}

// replay returns the command that repeats a run.
func (q *StaleSearch) replay(r *staleRun) string {
	if q.Replay == nil {
		return ""
	}
	flags := map[string]string{"memory": "ptx", "seed": fmt.Sprint(r.seed)}
	if r.hold == nil {
		return q.Replay(flags, nil)
	}
	text, err := r.schedule.MarshalText()
	if err != nil {
		panic("BUG: a recorded schedule has no text: " + err.Error())
	}
	flags["schedule"] = ""
	return q.Replay(flags, text)
}

// promote puts weak outcomes in the places of their warnings.
func promote(rep *report.Report, found []*report.Race) {
	rep.Races = slices.DeleteFunc(rep.Races, func(x *report.Race) bool {
		return x.Severity == report.Warning && slices.ContainsFunc(found, x.SamePair)
	})
	rep.Races = append(rep.Races, found...)
	rep.Finish()
}

// announced returns the warnings about data that a message announces.
func announced(races []*report.Race) (list []*report.Race) {
	for _, x := range races {
		if slices.ContainsFunc(x.Each(), (*report.Race).Announced) {
			list = append(list, x)
		}
	}
	return list
}

// applies reports whether weak outcomes can be looked for beside runs with some options.
func (q *StaleSearch) applies(o *Options) bool {
	e := &o.Emulator
	plain := o.GPU == nil && !o.Sample.Samples() && e.Memory == emu.SC && e.Replay == nil && e.Guide == nil
	return plain && Names(o.Detectors) == detectors.DetectorNames()[0]
}

// hold holds a thread at a fence until no other thread can run. It implements emu.Guide.
type hold struct {
	at            *rewrite.Inst
	block, thread [3]uint32
}

// holdOf returns the hold of the thread that has made the first access of a finding, at the fence of its kernel with a
// number, nil if the kernel has no fence.
func holdOf(p *Plan, x *report.Race, number int) *hold {
	for _, k := range p.Program.Module.Kernels() {
		if k.Name != x.First.Kernel {
			continue
		}
		var fences []*rewrite.Inst
		for _, f := range kernelcode.Reached(k) {
			for _, in := range f.Insts {
				if in.Instr.Class == isa.ClassFence && in.Sem != isa.SemNone {
					fences = append(fences, in)
				}
			}
		}
		if n := len(fences); n > 0 {
			return &hold{fences[number%n], x.First.Block, x.First.Thread}
		}
	}
	return nil
}

// Launch implements emu.Guide.
func (h *hold) Launch(l emu.GuidedLaunch) emu.Guidance {
	linear := func(i [3]uint32, d emu.Dim3) uint64 {
		return uint64(i[0]) + uint64(max(d.X, 1))*(uint64(i[1])+uint64(max(d.Y, 1))*uint64(i[2]))
	}
	const warp = 32
	t := int(linear(h.thread, l.Block))
	return emu.Held{
		Inst: h.at, Thread: emu.ThreadPos{Block: linear(h.block, l.Grid), Warp: t / warp, Lane: t % warp},
		Due: func() bool { return true }, Begin: func() {}, Over: func() bool { return false },
	}
}

// races executes the run and returns its findings. A run that takes much longer than one under sequential consistency
// is ended: its threads may wait for values that never come.
func (r *staleRun) races(ctx context.Context, p *Plan, o Options, steps uint64) ([]*report.Race, error) {
	const longer = 8
	o.Timeline, o.SaveTrace, o.MemTrace, o.Progress, o.Starting, o.Statistics = nil, nil, nil, nil, nil, false
	e := &o.Emulator
	e.Record, e.Listener, e.Stdout = nil, nil, nil
	o.Outcomes, e.Memory, e.Seed = true, emu.PTX, r.seed
	e.Limits.Steps = min(cmp.Or(e.Limits.Steps, emu.LongMaxSteps), longer*steps+1000)
	if r.hold != nil {
		e.Guide, e.Record = r.hold, &r.schedule
	}
	s, err := Open(o)
	if err != nil {
		return nil, err
	}
	if err = p.Play(ctx, s); err != nil {
		return nil, err
	}
	rep := s.Report()
	return rep.Races, s.Close()
}

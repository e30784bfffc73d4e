// The exhaustive strategy: dynamic partial-order reduction over the threads' conflicting operations.

package explore

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
)

// All is the strategy with one run for each possible order of the threads' conflicting operations: dynamic
// partial-order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial
// Order Reduction, POPL 2014, section 5). Each run starts from the beginning. The tree of choices (tree.go) holds only
// the choices still to be made.
//
// Every thread runs separately (PerThread). A thread that spins does not run until memory changes, so that programs
// with spin loops have a finite number of runs.
type All struct {
	steps  int // maximum number of steps in a run
	todo   []branch
	begun  bool
	beyond map[string]bool
	full   int // number of complete runs

	waits   bool
	assumed Assumptions
}

// WaitsOnly says that a program tests phases of mbarriers only to wait for them, so that the order of tests and arrivals
// shows nowhere else, nor the time at which copies are performed that threads wait for in that way.
func (a *All) WaitsOnly() { a.waits = true }

// branch is a choice still to be made: thread runs at the node at.
type branch struct {
	at     *node
	thread emu.Thread
}

// NewAll makes the strategy. Runs are aborted after the given number of steps; 0 stands for DefaultSteps.
func NewAll(steps int) *All {
	if steps <= 0 {
		steps = DefaultSteps
	}
	return &All{steps: steps, beyond: map[string]bool{}}
}

// DefaultSteps is the default limit for the turns of threads in a run of All.
const DefaultSteps = 20_000

// Complete reports whether the exploration is complete. If it is not, or if All does not explore all orders of some
// operations of the program, why has the reasons, one per line.
func (a *All) Complete() (ok bool, why []string) {
	if !a.begun || len(a.todo) > 0 {
		why = append(why, "the limit on runs was reached")
	}
	return len(why)+len(a.beyond) == 0, append(why, slices.Sorted(maps.Keys(a.beyond))...)
}

// Assumed returns what the strategy has taken for granted of the runs so far.
func (a *All) Assumed() Assumptions { return a.assumed }

// Next implements Strategy. At each node at most one thread is tried at a time: its operations determine which other
// threads need not be tried there.
func (a *All) Next(n int) (runs []*Run) {
	if !a.begun {
		a.begun = true
		return []*Run{a.run(nil, nil)}
	}
	taken := make(map[*node]bool)
	var later []branch
	for len(a.todo) > 0 && len(runs) < n {
		b := a.todo[len(a.todo)-1]
		a.todo = a.todo[:len(a.todo)-1]
		switch {
		case taken[b.at]:
			later = append(later, b)
		case !b.at.asleep(b.thread):
			taken[b.at] = true
			runs = append(runs, a.run(b.at, b.at.try(b.thread)))
		}
	}
	slices.Reverse(later)
	a.todo = append(a.todo, later...)
	return runs
}

// run returns the run that repeats the choices up to a node, then tries a thread there.
func (a *All) run(at *node, try *trial) *Run {
	g := &allRun{bound: a.steps, sounds: footprints{beyond: map[string]bool{}, waits: a.waits}}
	if at != nil {
		g.nodes = at.path()
		g.try = try
		g.sleep = at.sleepers(try)
	}
	return &Run{Policy: emu.PerThread, guide: g}
}

// Learn implements Strategy: races among the operations of the runs determine further branches.
func (a *All) Learn(runs []*Run) {
	for _, r := range runs {
		g := r.guide.(*allRun)
		maps.Copy(a.beyond, g.sounds.beyond)
		a.assumed.Phases = a.assumed.Phases || g.sounds.assumed.Phases
		a.assumed.Copies = a.assumed.Copies || g.sounds.assumed.Copies
		if !g.redundant {
			a.full++
		}
		a.todo = append(a.todo, g.reversals()...)
	}
}

// Redundant reports whether the run was aborted because other runs are equivalent to it.
func (r *Run) Redundant() bool {
	g, ok := r.guide.(*allRun)
	return ok && g.redundant
}

// allRun is one run of All.
type allRun struct {
	bound     int
	nodes     []*node      // states before each step; those up to the trial's node are from earlier runs
	try       *trial       // trial at the last of these nodes, nil at the beginning of the first run
	sleep     []sleepEntry // sleep set: threads that need not run now
	steps     []step
	sounds    footprints
	launches  uint64
	enablers  map[emu.Thread]int
	err       error
	redundant bool
	known     int // number of steps that repeat choices of other runs
}

func (g *allRun) listener() emu.Listener { return &g.sounds }

// Launch implements emu.Guide. Grids launched by threads run in one order.
func (g *allRun) Launch(l emu.GuidedLaunch) emu.Guidance {
	if l.Depth > 0 {
		return emu.ByThread{Serial: l.ID}
	}
	if g.launches == 0 {
		g.known = max(len(g.nodes)-1, 0)
	}
	g.launches++
	g.enablers = map[emu.Thread]int{}
	g.sounds.cur, g.sounds.launch, g.sounds.block = nil, g.launches, l.Block
	g.sounds.phases = map[mbarrier]uint64{}
	return emu.ByThread{Serial: g.launches, Choose: g.choose, Made: g.made, End: g.ended}
}

// made records the step that made threads able to run: the current step, or the last one.
func (g *allRun) made(list []emu.Thread) {
	for _, t := range list {
		g.enablers[t] = len(g.steps) - 1
	}
}

// choose returns the thread of the next step: that of the trial, then one that is not in the sleep set, preferably the
// one that ran last.
func (g *allRun) choose(able []emu.Thread) (emu.Thread, bool) {
	i := len(g.steps)
	if i > 0 && i > g.known {
		g.wakeAfter(&g.steps[i-1])
	}
	if g.redundant || g.err != nil {
		return emu.Thread{}, false
	}
	t, ok := g.pick(i, able)
	if !ok {
		return t, false
	}
	enabler, found := g.enablers[t]
	if !found {
		enabler = -1
	}
	g.steps = append(g.steps, step{thread: t, enabler: enabler, foot: &footprint{}})
	g.sounds.cur = &g.steps[i]
	if i >= g.known {
		g.try.foot = g.sounds.cur.foot
	}
	return t, true
}

func (g *allRun) pick(i int, able []emu.Thread) (emu.Thread, bool) {
	switch {
	case i < g.known:
		return g.follow(g.nodes[i+1].via, able)
	case i == g.known && i < len(g.nodes):
		return g.follow(g.try.thread, able)
	case i >= g.bound:
		g.sounds.beyond[fmt.Sprintf("runs of more than %d steps were cut off", g.bound)] = true
		g.redundant = true
		return emu.Thread{}, false
	}
	t, ok := g.fresh(able)
	if !ok {
		g.redundant = true
		return t, false
	}
	n := &node{able: slices.Clone(able), sleep: slices.Clone(g.sleep), depth: i}
	if i > 0 {
		n.parent, n.via = g.nodes[i-1], g.steps[i-1].thread
	}
	g.nodes = append(g.nodes, n)
	g.try = n.try(t)
	return t, true
}

// follow repeats a choice of another run; it fails if the thread cannot run.
func (g *allRun) follow(t emu.Thread, able []emu.Thread) (emu.Thread, bool) {
	if !slices.Contains(able, t) {
		g.err = errors.New("the program does not do the same under the same schedule: it cannot be explored")
		return t, false
	}
	return t, true
}

// fresh returns a thread that is not in the sleep set.
func (g *allRun) fresh(able []emu.Thread) (emu.Thread, bool) {
	if n := len(g.steps); n > 0 && slices.Contains(able, g.steps[n-1].thread) && !g.sleeps(g.steps[n-1].thread) {
		return g.steps[n-1].thread, true
	}
	for _, t := range able {
		if !g.sleeps(t) {
			return t, true
		}
	}
	return emu.Thread{}, false
}

func (g *allRun) sleeps(t emu.Thread) bool {
	return slices.ContainsFunc(g.sleep, func(s sleepEntry) bool { return s.thread == t })
}

// wakeAfter removes from the sleep set the threads whose next step does not commute with last.
func (g *allRun) wakeAfter(last *step) {
	g.sleep = slices.DeleteFunc(slices.Clone(g.sleep), func(s sleepEntry) bool {
		return s.thread == last.thread || s.foot.conflicts(last.foot)
	})
}

// ended is called at the end of each launch.
func (g *allRun) ended() error {
	if n := len(g.steps); n > g.known {
		g.wakeAfter(&g.steps[n-1])
	}
	g.sounds.cur = nil
	switch {
	case g.err != nil:
		return g.err
	case g.redundant:
		return ErrRedundant
	}
	return nil
}

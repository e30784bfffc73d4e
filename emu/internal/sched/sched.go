// Schedulers: the interface, the policies ITS, lockstep and random, and schedules that code outside of this package
// chooses.

package sched

import (
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/rewrite"
)

// New makes the scheduler of a policy.
func New(p state.Policy, cfg *state.Config, l *state.Launch) state.Scheduler {
	if cfg.Guide != nil {
		return cfg.Guide.Launch(state.GuidedLaunch{
			Grid: l.Grid, Block: l.Block, Depth: l.Grids.Depth,
			ID: l.ID,
		}).Scheduler()
	}
	switch p {
	case Lockstep:
		return &lockstepScheduler{newFairScheduler()}
	case Random:
		return &randomScheduler{rng: state.NewRNG(cfg.Seed)}
	case PCT:
		return newPCTScheduler(cfg.Seed, cfg.Depth, cfg.Length)
	case RoundRobin:
		return newRoundScheduler(cfg.Seed)
	case PerThread:
		return &perThreadScheduler{turns: &state.RNG{}}
	case Executions:
		return &perThreadScheduler{}
	default:
		s := newFairScheduler()
		return &s
	}
}

func newFairScheduler() state.FairScheduler { return state.FairScheduler{Rng: state.NewRNG(0)} }

// lockstepScheduler models the SIMT stack of GPUs before Volta: one side of a branch runs to the join, then the other,
// and no lane passes a join alone. Warps take turns as in FairScheduler.
type lockstepScheduler struct{ state.FairScheduler }

func (s *lockstepScheduler) Diverged(_ *state.Engine, h *state.Group) {
	h.State = state.GroupPending
	h.Warp.Active--
	h.Warp.Pending = append(h.Warp.Pending, h)
}

func (s *lockstepScheduler) Patience() int { return 0 }

func (s *lockstepScheduler) ObserverPatience() int { return 0 }

func (s *lockstepScheduler) Merges() bool { return false }

// randomScheduler runs a random group, usually for one visible operation, sometimes longer. Now and then it splits
// groups and lets lanes pass a join without waiting, as independent thread scheduling allows.
type randomScheduler struct {
	rng   state.RNG
	queue []*state.Group
}

// Parameters of the random policy. An event with chance n happens with probability 1/n.
const (
	chanceLong      = 8  // a turn is longer than one visible operation
	longest         = 32 // upper bound for the visible operations of a long turn
	chanceSplit     = 32 // per turn
	chanceMerge     = 32 // per turn of a group that has siblings
	chanceImpatient = 16 // per arrival at a join
	chanceEager     = 2  // per grid that a thread launches
	randomPatience  = 4096
	randomRunnable  = 64
)

func (s *randomScheduler) Ready(_ *state.Engine, g *state.Group) { s.queue = append(s.queue, g) }

func (s *randomScheduler) Admits(x *state.Engine) bool { return len(s.queue) < x.L.TargetRunnable }

func (s *randomScheduler) Next(x *state.Engine) *state.Group {
	for len(s.queue) > 0 {
		i, last := s.rng.Below(len(s.queue)), len(s.queue)-1
		g := s.queue[i]
		s.queue[i] = s.queue[last]
		s.queue = s.queue[:last]
		if g.State != state.GroupGone {
			return g
		}
		x.Recycle(g)
	}
	return nil
}

func (s *randomScheduler) Quantum(x *state.Engine, g *state.Group) int {
	if g.Mask.Count() > 1 && s.rng.Below(chanceSplit) == 0 {
		if m := g.Mask & state.Lanes(s.rng.Next()); m != 0 && m != g.Mask {
			s.Ready(x, groups.Split(x, g, m, g.PC, g.Join))
		}
	}
	if s.rng.Below(chanceLong) == 0 {
		return 1 + s.rng.Below(longest)
	}
	return 1
}

func (s *randomScheduler) PickValue(x *state.Engine, n int) int { return x.Weak.Draw(n) }

func (s *randomScheduler) TakenFirst() bool { return s.rng.Below(2) == 0 }

func (s *randomScheduler) Diverged(x *state.Engine, h *state.Group) { s.Ready(x, h) }

func (s *randomScheduler) Impatient(*state.Engine) bool { return s.rng.Below(chanceImpatient) == 0 }

func (s *randomScheduler) Patience() int { return randomPatience }

func (s *randomScheduler) ObserverPatience() int { return randomPatience }

func (s *randomScheduler) Merges() bool { return s.rng.Below(chanceMerge) == 0 }

func (s *randomScheduler) TargetRunnable() int { return randomRunnable }

func (s *randomScheduler) Eager() bool { return s.rng.Below(chanceEager) == 0 }

// Drop removes the n oldest entries, none of which may be gone.
func Drop(q *state.Queue, n int) {
	q.Head = (q.Head + n) & (len(q.Ring) - 1)
	q.Size -= n
}

// ByThread runs every thread separately, in the order that a function chooses. A turn is one visible operation of one
// thread, and the instructions up to the next one.
type ByThread struct {
	Serial uint64 // number of the launch, for its threads
	// Choose receives the threads that can run, ascending, and returns one of them; false ends the run. If it is nil,
	// the thread that has waited longest runs.
	Choose func(able []Thread) (Thread, bool)
	Value  func(n int) int        // chooses one of n stores under weak memory, the newest last; nil for the newest
	Made   func(threads []Thread) // called for threads that become able to run, unless nil
	End    func() error           // called at the end of the launch, unless nil
}

// Scheduler makes the scheduler of a launch.
func (b ByThread) Scheduler() state.Scheduler { return &perThreadScheduler{ByThread: b} }

// Held schedules fairly, but holds one thread at an instruction.
type Held struct {
	Apart  bool          // lanes never run together
	Inst   *rewrite.Inst // nil to hold no thread
	Thread state.ThreadPos
	Due    func() bool // reports whether the thread must be held, each time it is about to execute the instruction
	Begin  func()      // is called when the hold begins
	Over   func() bool // reports whether the hold may end
}

// Scheduler makes the scheduler of a launch.
func (h Held) Scheduler() state.Scheduler {
	return &heldScheduler{FairScheduler: newFairScheduler(), Held: h}
}

// heldScheduler is fair, but holds a thread at an instruction until the hold is over, or no other group can run.
type heldScheduler struct {
	state.FairScheduler
	Held
	held  *state.Group // the held thread, at its instruction
	turns int          // turns of other groups in the meantime
}

// holdTurns is the maximum number of turns for which a thread is held. Other threads may wait for that thread in a loop
// that the detection of spinning does not see, as one that counts its rounds.
const holdTurns = 20_000

func (s *heldScheduler) Next(x *state.Engine) *state.Group {
	if s.held != nil {
		if s.turns++; s.Over() || s.turns > holdTurns {
			s.letGo()
		}
	}
	for {
		g := s.first(x)
		switch {
		case g == nil && s.held != nil:
			s.letGo()
			continue
		case g == nil || !s.stops(g) || g.Mask.Count() > 1:
			return g
		}
		s.hold(g)
	}
}

// first takes the thread to be held off the queue if it can run, else the oldest group.
func (s *heldScheduler) first(x *state.Engine) *state.Group {
	if s.Inst != nil && s.held == nil {
		for range s.Queue.Size {
			g := s.Queue.Pop(x)
			if g == nil || s.holds(g) {
				return g
			}
			s.Queue.Push(g)
		}
	}
	return s.Queue.Pop(x)
}

// hold begins the hold.
func (s *heldScheduler) hold(g *state.Group) {
	s.held = g
	s.Begin()
}

// letGo ends the hold.
func (s *heldScheduler) letGo() {
	s.Queue.Push(s.held)
	s.held, s.Inst = nil, nil
}

// holds reports whether g contains the thread to be held.
func (s *heldScheduler) holds(g *state.Group) bool {
	t := &s.Thread
	return s.Inst != nil && s.held == nil && g.Warp.CTA.Linear == t.Block && g.Warp.Index == t.Warp &&
		g.Mask.Has(t.Lane)
}

// stops reports whether g contains the thread to be held and is at its instruction.
func (s *heldScheduler) stops(g *state.Group) bool {
	return s.holds(g) && atVisible(g) && g.Inst() == s.Inst && s.Due()
}

// Quantum splits off the thread that is held. Before that, it runs the thread for one visible operation at a time.
func (s *heldScheduler) Quantum(x *state.Engine, g *state.Group) int {
	switch {
	case s.stops(g):
		s.hold(groups.Split(x, g, 1<<s.Thread.Lane, g.PC, g.Join))
	case s.Inst != nil && s.held == nil && atVisible(g):
		return 1
	case s.Inst != nil && s.held == nil:
		return 0
	case s.Apart && g.Mask.Count() > 1:
		s.Ready(x, groups.Split(x, g, g.Mask&(g.Mask-1), g.PC, g.Join))
	}
	return s.FairScheduler.Quantum(x, g)
}

// atVisible reports whether the group is at a visible operation.
func atVisible(g *state.Group) bool { return g.Frame.Fn.Code[g.PC].Flags&state.FlagVisible != 0 }

// Impatient lets the lanes of the held thread's warp pass joins without waiting for it.
func (s *heldScheduler) Impatient(x *state.Engine) bool {
	return s.Apart || s.Inst != nil && x.Running != nil && x.Running.Warp.CTA.Linear == s.Thread.Block &&
		x.Running.Warp.Index == s.Thread.Warp
}

func (s *heldScheduler) Merges() bool { return s.held == nil && !s.Apart }

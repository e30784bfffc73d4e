// Schedules that code outside of this package chooses, in place of a policy: package explore.

package emu

import "github.com/ptxsan/ptxsan/rewrite"

// Guide chooses the schedules of a machine's launches.
type Guide interface {
	// Launch returns how to schedule a launch. It is called when the launch begins.
	Launch(l GuidedLaunch) Guidance
}

// GuidedLaunch is a launch that a Guide schedules.
type GuidedLaunch struct {
	Grid, Block Dim3
	Depth       int    // 0 for a launch by the host
	ID          uint64 // of a launch by a thread
}

// Guidance says how to schedule a launch: ByThread or Held.
type Guidance interface{ scheduler() scheduler }

// ByThread runs every thread separately, in the order that a function chooses. A turn is one visible operation of one thread, and
// the instructions up to the next one.
type ByThread struct {
	Serial uint64 // number of the launch, for its threads
	// Choose receives the threads that can run, ascending, and returns one of them; false ends the run. If it is nil, the thread
	// that has waited longest runs.
	Choose func(able []Thread) (Thread, bool)
	Made   func(threads []Thread) // called for threads that become able to run, unless nil
	End    func() error           // called at the end of the launch, unless nil
}

func (b ByThread) scheduler() scheduler { return &perThreadScheduler{ByThread: b} }

// Held schedules fairly, but holds one thread at an instruction.
type Held struct {
	Apart  bool          // lanes never run together
	Inst   *rewrite.Inst // nil to hold no thread
	Thread ThreadPos
	Due    func() bool // the thread is to be held when it comes to the instruction
	Begin  func()      // called when it is held
	Over   func() bool // it need not be held any longer
}

func (h Held) scheduler() scheduler {
	return &heldScheduler{fairScheduler: newFairScheduler(), Held: h}
}

// heldScheduler is fair, but holds a thread at an instruction until the hold is over, or no other group can run.
type heldScheduler struct {
	fairScheduler
	Held
	held  *group // the held thread, at its instruction
	turns int    // turns of other groups in the meantime
}

// holdTurns is the maximum number of turns for which a thread is held: others may be waiting for it in a loop whose state never
// repeats.
const holdTurns = 20_000

func (s *heldScheduler) next(x *engine) *group {
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
		case g == nil || !s.stops(g) || g.mask.count() > 1:
			return g
		}
		s.hold(g)
	}
}

// first takes the thread to be held off the queue if it can run, else the oldest group.
func (s *heldScheduler) first(x *engine) *group {
	if s.Inst != nil && s.held == nil {
		for range s.queue.size {
			g := s.queue.pop(x)
			if g == nil || s.holds(g) {
				return g
			}
			s.queue.push(g)
		}
	}
	return s.queue.pop(x)
}

// hold begins the hold.
func (s *heldScheduler) hold(g *group) {
	s.held = g
	s.Begin()
}

// letGo ends the hold.
func (s *heldScheduler) letGo() {
	s.queue.push(s.held)
	s.held, s.Inst = nil, nil
}

// holds reports whether g contains the thread to be held.
func (s *heldScheduler) holds(g *group) bool {
	t := &s.Thread
	return s.Inst != nil && s.held == nil && g.warp.cta.linear == t.Block && g.warp.index == t.Warp && g.mask.has(t.Lane)
}

// stops reports whether g contains the thread to be held and is at its instruction.
func (s *heldScheduler) stops(g *group) bool {
	return s.holds(g) && g.atVisible() && g.inst() == s.Inst && s.Due()
}

// quantum splits off the thread that is held. Before that, it runs the thread for one visible operation at a time.
func (s *heldScheduler) quantum(x *engine, g *group) int {
	switch {
	case s.stops(g):
		s.hold(x.split(g, 1<<s.Thread.Lane, g.pc, g.join))
	case s.Inst != nil && s.held == nil && g.atVisible():
		return 1
	case s.Inst != nil && s.held == nil:
		return 0
	case s.Apart && g.mask.count() > 1:
		s.ready(x, x.split(g, g.mask&(g.mask-1), g.pc, g.join))
	}
	return s.fairScheduler.quantum(x, g)
}

// atVisible reports whether the group is at a visible operation.
func (g *group) atVisible() bool { return g.frame.fn.code[g.pc].flags&flagVisible != 0 }

// impatient lets the lanes of the held thread's warp pass joins without waiting for it.
func (s *heldScheduler) impatient(x *engine) bool {
	return s.Apart || s.Inst != nil && x.running != nil && x.running.warp.cta.linear == s.Thread.Block && x.running.warp.index == s.Thread.Warp
}

func (s *heldScheduler) merges() bool { return s.held == nil && !s.Apart }

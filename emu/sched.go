// Schedulers: the interface, the policies ITS, lockstep and random, and schedules that code outside of this package
// chooses.

package emu

import (
	"github.com/ptxsan/ptxsan/rewrite"
)

// scheduler decides which group runs next and for how long, and how long lanes wait at joins. Only groups that can run
// are queued. A scheduler is deterministic: its choices depend only on the order of calls and on its seed.
type scheduler interface {
	// ready queues a group that can run.
	ready(x *engine, g *group)
	// next takes a group off the queue; it returns nil when the queue is empty.
	next(x *engine) *group
	// admits reports whether to start another block now: fewer than launch.targetRunnable groups can run.
	admits(x *engine) bool
	// quantum returns the number of scheduling points (visible operations and back edges) that the next turn of g may
	// pass. With 0, g runs up to the next one. It may split g.
	quantum(x *engine, g *group) int
	// pickValue chooses one of n > 0 stores that a load may return under weak memory, the newest last.
	pickValue(x *engine, n int) int
	// takenFirst reports whether, at a divergent branch, the lanes that jump continue first.
	takenFirst() bool
	// diverged queues h, the other side of a branch, or makes it pending.
	diverged(x *engine, h *group)
	// impatient reports whether lanes that reach a join go on without waiting.
	impatient(x *engine) bool
	// patience returns the number of turns of the warp that lanes wait at a join at most; 0 means without limit.
	patience() int
	// observerPatience is patience for lanes that wait in an observer, or at its end, for lanes that execute it.
	observerPatience() int
	// merges reports whether a group at the start of its turn absorbs the groups of its warp at the same place.
	merges() bool
	// eager reports whether a grid launched by a thread runs immediately, rather than when a thread waits for it.
	eager() bool
	// targetRunnable returns how many runnable groups suffice: below that number, more blocks are started.
	targetRunnable() int
}

// newScheduler makes the scheduler of a policy.
func newScheduler(p Policy, cfg *Config, l *launch) scheduler {
	if cfg.Guide != nil {
		return cfg.Guide.Launch(GuidedLaunch{Grid: l.grid, Block: l.block, Depth: l.grids.depth, ID: l.id}).scheduler()
	}
	switch p {
	case Lockstep:
		return &lockstepScheduler{newFairScheduler()}
	case Random:
		return &randomScheduler{rng: newRNG(cfg.Seed)}
	case PCT:
		return newPCTScheduler(cfg.Seed, cfg.Depth, cfg.Length)
	case RoundRobin:
		return newRoundScheduler(cfg.Seed)
	case PerThread:
		return &perThreadScheduler{turns: &rng{}}
	case Executions:
		return &perThreadScheduler{}
	default:
		s := newFairScheduler()
		return &s
	}
}

// fairScheduler is the policy ITS: first in, first out. Lanes wait at joins while their siblings make progress, so that
// warps stay converged. They do not wait for a sibling that spins, waits or takes very long.
//
// Turns have different lengths. If all had the same, a loop whose period divides it would be interrupted at the same
// place forever, such as where it holds a lock that others try to take.
type fairScheduler struct {
	queue queue
	rng   rng // with the same seed in every launch
}

func newFairScheduler() fairScheduler { return fairScheduler{rng: newRNG(0)} }

const (
	fairQuantum  = 192 // minimum
	fairSpread   = 128 // a random number below this is added
	fairPatience = 64
	// Under contention, a lane may wait for the lock of an observer until the groups of all other warps have had it in
	// turn: for more turns than fairPatience. If its siblings went on then, each would contend for the lock by itself
	// from then on. There is a limit because an observer may let a lane that holds a lock wait at a join for siblings
	// that try to take it.
	fairObserverPatience = 1024
	fairRunnable         = 32
)

func (s *fairScheduler) ready(_ *engine, g *group)      { s.queue.push(g) }
func (s *fairScheduler) next(x *engine) *group          { return s.queue.pop(x) }
func (s *fairScheduler) quantum(*engine, *group) int    { return fairQuantum + s.rng.below(fairSpread) }
func (s *fairScheduler) pickValue(x *engine, n int) int { return x.weak.draw(n) }
func (s *fairScheduler) takenFirst() bool               { return false }
func (s *fairScheduler) diverged(_ *engine, h *group)   { s.queue.push(h) }
func (s *fairScheduler) impatient(*engine) bool         { return false }
func (s *fairScheduler) patience() int                  { return fairPatience }
func (s *fairScheduler) observerPatience() int          { return fairObserverPatience }
func (s *fairScheduler) merges() bool                   { return true }
func (s *fairScheduler) targetRunnable() int            { return fairRunnable }
func (s *fairScheduler) eager() bool                    { return false }

// admits counts spinning groups as runnable while another group can run. If a new block were started for each group
// that spins on a lock, every release would wake all blocks of the grid, and run time would grow with the square of
// their number.
func (s *fairScheduler) admits(x *engine) bool {
	return s.queue.size == 0 || s.queue.size+len(x.l.parked)+x.l.waitSets.parked < x.l.targetRunnable
}

// lockstepScheduler models the SIMT stack of GPUs before Volta: one side of a branch runs to the join, then the other,
// and no lane passes a join alone. Warps take turns as in fairScheduler.
type lockstepScheduler struct{ fairScheduler }

func (s *lockstepScheduler) diverged(_ *engine, h *group) {
	h.state = groupPending
	h.warp.active--
	h.warp.pending = append(h.warp.pending, h)
}

func (s *lockstepScheduler) patience() int         { return 0 }
func (s *lockstepScheduler) observerPatience() int { return 0 }
func (s *lockstepScheduler) merges() bool          { return false }

// randomScheduler runs a random group, usually for one visible operation, sometimes longer. Now and then it splits
// groups and lets lanes pass a join without waiting, as independent thread scheduling allows.
type randomScheduler struct {
	rng   rng
	queue []*group
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

func (s *randomScheduler) ready(_ *engine, g *group) { s.queue = append(s.queue, g) }

func (s *randomScheduler) admits(x *engine) bool { return len(s.queue) < x.l.targetRunnable }

func (s *randomScheduler) next(x *engine) *group {
	for len(s.queue) > 0 {
		i, last := s.rng.below(len(s.queue)), len(s.queue)-1
		g := s.queue[i]
		s.queue[i] = s.queue[last]
		s.queue = s.queue[:last]
		if g.state != groupGone {
			return g
		}
		x.recycle(g)
	}
	return nil
}

func (s *randomScheduler) quantum(x *engine, g *group) int {
	if g.mask.count() > 1 && s.rng.below(chanceSplit) == 0 {
		if m := g.mask & lanes(s.rng.next()); m != 0 && m != g.mask {
			s.ready(x, x.split(g, m, g.pc, g.join))
		}
	}
	if s.rng.below(chanceLong) == 0 {
		return 1 + s.rng.below(longest)
	}
	return 1
}

func (s *randomScheduler) pickValue(x *engine, n int) int { return x.weak.draw(n) }
func (s *randomScheduler) takenFirst() bool               { return s.rng.below(2) == 0 }
func (s *randomScheduler) diverged(x *engine, h *group)   { s.ready(x, h) }

func (s *randomScheduler) impatient(*engine) bool { return s.rng.below(chanceImpatient) == 0 }
func (s *randomScheduler) patience() int          { return randomPatience }
func (s *randomScheduler) observerPatience() int  { return randomPatience }
func (s *randomScheduler) merges() bool           { return s.rng.below(chanceMerge) == 0 }
func (s *randomScheduler) targetRunnable() int    { return randomRunnable }
func (s *randomScheduler) eager() bool            { return s.rng.below(chanceEager) == 0 }

// queue is a ring buffer of groups.
type queue struct {
	ring       []*group // length a power of two
	head, size int
}

func (q *queue) push(g *group) {
	if q.size == len(q.ring) {
		ring := make([]*group, max(64, 2*len(q.ring)))
		for i := range q.size {
			ring[i] = q.ring[(q.head+i)&(len(q.ring)-1)]
		}
		q.ring, q.head = ring, 0
	}
	q.ring[(q.head+q.size)&(len(q.ring)-1)] = g
	q.size++
}

// pop removes and returns the oldest group that still exists, nil when there is none.
func (q *queue) pop(x *engine) *group {
	for q.size > 0 {
		g := q.ring[q.head]
		q.head = (q.head + 1) & (len(q.ring) - 1)
		q.size--
		if g.state != groupGone {
			return g
		}
		x.recycle(g)
	}
	return nil
}

// drop removes the n oldest entries, none of which may be gone.
func (q *queue) drop(n int) {
	q.head = (q.head + n) & (len(q.ring) - 1)
	q.size -= n
}

// rng is a small deterministic random number generator (splitmix64), the same on every machine and in every version of
// Go.
type rng struct{ state uint64 }

func newRNG(seed uint64) rng { return rng{seed} }

const rngStep = 0x9e3779b97f4a7c15

func (r *rng) next() uint64 {
	r.state += rngStep
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// skip advances the generator like n calls of next.
func (r *rng) skip(n int) { r.state += uint64(n) * rngStep }

// below returns a number in [0, n), n > 0.
func (r *rng) below(n int) int { return int(r.next() >> 32 * uint64(n) >> 32) }

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

func (b ByThread) scheduler() scheduler { return &perThreadScheduler{ByThread: b} }

// Held schedules fairly, but holds one thread at an instruction.
type Held struct {
	Apart  bool          // lanes never run together
	Inst   *rewrite.Inst // nil to hold no thread
	Thread ThreadPos
	Due    func() bool // reports whether the thread must be held, each time it is about to execute the instruction
	Begin  func()      // is called when the hold begins
	Over   func() bool // reports whether the hold may end
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

// holdTurns is the maximum number of turns for which a thread is held. Other threads may wait for that thread in a loop
// that the detection of spinning does not see, as one that counts its rounds.
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
	return s.Inst != nil && s.held == nil && g.warp.cta.linear == t.Block && g.warp.index == t.Warp &&
		g.mask.has(t.Lane)
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
	return s.Apart || s.Inst != nil && x.running != nil && x.running.warp.cta.linear == s.Thread.Block &&
		x.running.warp.index == s.Thread.Warp
}

func (s *heldScheduler) merges() bool { return s.held == nil && !s.Apart }

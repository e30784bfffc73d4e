// Schedulers, the queue of the default policy, and guides that choose in their place.

package state

// Scheduler decides which group runs next and for how long, and how long lanes wait at joins. Only groups that can run
// are queued. A scheduler is deterministic: its choices depend only on the order of calls and on its seed.
type Scheduler interface {
	// ready queues a group that can run.
	Ready(x *Engine, g *Group)
	// next takes a group off the queue; it returns nil when the queue is empty.
	Next(x *Engine) *Group
	// admits reports whether to start another block now: fewer than Launch.TargetRunnable groups can run.
	Admits(x *Engine) bool
	// quantum returns the number of scheduling points (visible operations and back edges) that the next turn of g may
	// pass. With 0, g runs up to the next one. It may split g.
	Quantum(x *Engine, g *Group) int
	// PickValue chooses one of n > 0 stores that a load may return under weak memory, the newest last.
	PickValue(x *Engine, n int) int
	// TakenFirst reports whether, at a divergent branch, the lanes that jump continue first.
	TakenFirst() bool
	// diverged queues h, the other side of a branch, or makes it pending.
	Diverged(x *Engine, h *Group)
	// impatient reports whether lanes that reach a join go on without waiting.
	Impatient(x *Engine) bool
	// patience returns the number of turns of the warp that lanes wait at a join at most; 0 means without limit.
	Patience() int
	// ObserverPatience is patience for lanes that wait in an observer, or at its end, for lanes that execute it.
	ObserverPatience() int
	// merges reports whether a group at the start of its turn absorbs the groups of its warp at the same place.
	Merges() bool
	// eager reports whether a grid launched by a thread runs immediately, rather than when a thread waits for it.
	Eager() bool
	// TargetRunnable returns how many runnable groups suffice: below that number, more blocks are started.
	TargetRunnable() int
}

// FairScheduler is the policy ITS: first in, first out. Lanes wait at joins while their siblings make progress, so that
// warps stay converged. They do not wait for a sibling that spins, waits or takes very long.
//
// Turns have different lengths. If all had the same, a loop whose period divides it would be interrupted at the same
// place forever, such as where it holds a lock that others try to take.
type FairScheduler struct {
	Queue Queue
	Rng   RNG // with the same seed in every launch
}

// Quanta and patience of FairScheduler, in scheduling points and turns.
const (
	FairQuantum  = 192 // minimum
	fairSpread   = 128 // a random number below this is added
	FairPatience = 64
	// Under contention, a lane may wait for the lock of an observer until the groups of all other warps have had it in
	// turn: for more turns than FairPatience. If its siblings went on then, each would contend for the lock by itself
	// from then on. There is a limit because an observer may let a lane that holds a lock wait at a join for siblings
	// that try to take it.
	fairObserverPatience = 1024
	fairRunnable         = 32
)

// Ready implements Scheduler.
func (s *FairScheduler) Ready(_ *Engine, g *Group) { s.Queue.Push(g) }

// Next implements Scheduler.
func (s *FairScheduler) Next(x *Engine) *Group { return s.Queue.Pop(x) }

// Quantum implements Scheduler.
func (s *FairScheduler) Quantum(*Engine, *Group) int { return FairQuantum + s.Rng.Below(fairSpread) }

// PickValue implements Scheduler.
func (s *FairScheduler) PickValue(x *Engine, n int) int { return x.Weak.Draw(n) }

// TakenFirst implements Scheduler.
func (s *FairScheduler) TakenFirst() bool { return false }

// Diverged implements Scheduler.
func (s *FairScheduler) Diverged(_ *Engine, h *Group) { s.Queue.Push(h) }

// Impatient implements Scheduler.
func (s *FairScheduler) Impatient(*Engine) bool { return false }

// Patience implements Scheduler.
func (s *FairScheduler) Patience() int { return FairPatience }

// ObserverPatience implements Scheduler.
func (s *FairScheduler) ObserverPatience() int { return fairObserverPatience }

// Merges implements Scheduler.
func (s *FairScheduler) Merges() bool { return true }

// TargetRunnable implements Scheduler.
func (s *FairScheduler) TargetRunnable() int { return fairRunnable }

// Eager implements Scheduler.
func (s *FairScheduler) Eager() bool { return false }

// Admits counts spinning groups as runnable while another group can run. If a new block were started for each group
// that spins on a lock, every release would wake all blocks of the grid, and run time would grow with the square of
// their number.
func (s *FairScheduler) Admits(x *Engine) bool {
	return s.Queue.Size == 0 || s.Queue.Size+len(x.L.Parked)+x.L.WaitSets.Parked < x.L.TargetRunnable
}

// Queue is a ring buffer of groups.
type Queue struct {
	Ring       []*Group // length a power of two
	Head, Size int
}

// Push adds a group at the end.
func (q *Queue) Push(g *Group) {
	if q.Size == len(q.Ring) {
		ring := make([]*Group, max(64, 2*len(q.Ring)))
		for i := range q.Size {
			ring[i] = q.Ring[(q.Head+i)&(len(q.Ring)-1)]
		}
		q.Ring, q.Head = ring, 0
	}
	q.Ring[(q.Head+q.Size)&(len(q.Ring)-1)] = g
	q.Size++
}

// Pop removes and returns the oldest group that still exists, nil when there is none.
func (q *Queue) Pop(x *Engine) *Group {
	for q.Size > 0 {
		g := q.Ring[q.Head]
		q.Head = (q.Head + 1) & (len(q.Ring) - 1)
		q.Size--
		if g.State != GroupGone {
			return g
		}
		x.Recycle(g)
	}
	return nil
}

// RNG is a small deterministic random number generator (splitmix64), the same on every machine and in every version of
// Go.
type RNG struct{ state uint64 }

// NewRNG returns a generator with a seed.
func NewRNG(seed uint64) RNG { return RNG{seed} }

const rngStep = 0x9e3779b97f4a7c15

// Next returns the next number.
func (r *RNG) Next() uint64 {
	r.state += rngStep
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Skip advances the generator like n calls of next.
func (r *RNG) Skip(n int) { r.state += uint64(n) * rngStep }

// Below returns a number in [0, n), n > 0.
func (r *RNG) Below(n int) int { return int(r.Next() >> 32 * uint64(n) >> 32) }

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
type Guidance interface{ Scheduler() Scheduler }

// ThreadPos is the position of a thread in the grid.
type ThreadPos struct {
	Block uint64
	Warp  int
	Lane  int
}

// ChosenPolicy returns the policy that schedules follow: of the replayed schedule, if there is one.
func (c *Config) ChosenPolicy() Policy {
	if c.Replay != nil {
		return c.Replay.Policy
	}
	return c.Policy
}

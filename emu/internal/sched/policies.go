// The schedulers of three policies: per-thread, round-robin, and probabilistic concurrency testing (PCT).

package sched

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/schedule"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/weak"
)

// Policies.
const (
	ITS        = schedule.ITS        // fair, independent threads: every runnable group progresses
	Lockstep   = schedule.Lockstep   // pre-Volta SIMT stack: one path at a time, reconvergence at post-dominators
	Random     = schedule.Random     // seeded preemption at visible operations; may split converged groups
	PCT        = schedule.PCT        // probabilistic concurrency testing: seeded priorities with few changes
	RoundRobin = schedule.RoundRobin // turns of equal length, in thread order; the seed selects a variant
	PerThread  = schedule.PerThread  // every thread separately, usually one operation per turn, sometimes two
	// Executions schedules every thread separately, as far as it can; under Memory PTX, loads are resolved late (package
	// weak).
	Executions = schedule.Executions
)

// perThreadScheduler runs every thread separately: lanes never run together, so that every interleaving of the threads
// is a possible schedule. A turn is one visible operation of one thread, and the instructions up to the next one.
type perThreadScheduler struct {
	queue state.Queue
	lane  int // lane of the group that next has returned: quantum splits it off
	// turns, unless nil, makes one turn in eight two operations long. With equal turns, a thread that tries to take a
	// lock could run every time while another thread holds it.
	turns *state.RNG
	ByThread
}

// Thread identifies a thread of a run.
type Thread struct {
	Launch uint64
	state.ThreadPos
}

func (t Thread) compare(u Thread) int {
	if t.Launch != u.Launch {
		return int(t.Launch) - int(u.Launch)
	}
	return compare(t.ThreadPos, u.ThreadPos)
}

// sortThreads sorts threads.
func sortThreads(list []Thread) { slices.SortFunc(list, Thread.compare) }

func (s *perThreadScheduler) Ready(_ *state.Engine, g *state.Group) {
	s.queue.Push(g)
	if s.Made != nil {
		s.Made(s.threads(nil, g))
	}
}

// threads appends the threads of a group to a list.
func (s *perThreadScheduler) threads(to []Thread, g *state.Group) []Thread {
	for m := g.Mask; m != 0; m &= m - 1 {
		to = append(to, Thread{s.Serial, state.ThreadPos{
			Block: g.Warp.CTA.Linear, Warp: g.Warp.Index,
			Lane: m.First(),
		}})
	}
	return to
}

func (s *perThreadScheduler) Admits(*state.Engine) bool { return true }

func (s *perThreadScheduler) Next(x *state.Engine) *state.Group {
	if s.Choose == nil {
		g := s.queue.Pop(x)
		if g != nil {
			s.lane = g.Mask.First()
		}
		return g
	}
	if x.Weak != nil && x.Weak.Dead {
		return nil
	}
	var all []Thread
	var groups []*state.Group
	for g := s.queue.Pop(x); g != nil; g = s.queue.Pop(x) {
		if groups = append(groups, g); !weak.Stands(x.Weak, g) {
			all = s.threads(all, g)
		}
	}
	var picked *state.Group
	t, ok := Thread{}, false
	if len(all) > 0 {
		sortThreads(all)
		t, ok = s.Choose(all)
	}
	for _, g := range groups {
		if ok && g.Warp.CTA.Linear == t.Block && g.Warp.Index == t.Warp && g.Mask.Has(t.Lane) {
			picked, s.lane = g, t.Lane
			continue
		}
		s.queue.Push(g)
	}
	return picked
}

// Quantum splits the chosen lane from the others.
func (s *perThreadScheduler) Quantum(x *state.Engine, g *state.Group) int {
	if rest := g.Mask &^ (1 << s.lane); rest != 0 {
		s.queue.Push(groups.Split(x, g, rest, g.PC, g.Join))
	}
	if s.turns != nil && s.turns.Below(8) == 0 {
		return 2
	}
	return 1
}

func (s *perThreadScheduler) PickValue(_ *state.Engine, n int) int {
	if s.Value == nil || n == 1 {
		return n - 1
	}
	return s.Value(n)
}

func (s *perThreadScheduler) TakenFirst() bool { return true }

func (s *perThreadScheduler) Diverged(x *state.Engine, h *state.Group) { s.Ready(x, h) }

func (s *perThreadScheduler) Impatient(*state.Engine) bool { return true }

func (s *perThreadScheduler) Patience() int { return 0 }

func (s *perThreadScheduler) ObserverPatience() int { return 0 }

func (s *perThreadScheduler) Merges() bool { return false }

func (s *perThreadScheduler) TargetRunnable() int { return 1 }

func (s *perThreadScheduler) Eager() bool { return false }

// ended returns the result of End; EndSchedule calls it at the end of the launch.
func (s *perThreadScheduler) ended() error {
	if s.End == nil {
		return nil
	}
	return s.End()
}

// RoundScheduler gives every group that can run a turn of the same length, in the order of their threads, then starts
// the next round. The seed selects one of these fixed, non-random variants:
//
//   - bit 0: the last thread comes first;
//   - bit 1: the lanes of a warp never run together;
//   - the other bits: the number of visible operations in a turn, minus one.
//
// One turn in drift is longer by one operation, so that a loop is not interrupted forever at a place where it holds a
// lock that others try to take.
type RoundScheduler struct {
	backwards, Apart bool
	points           int
	turns            int
	now              []*state.Group // groups still to run in this round, the next one last
	later            []*state.Group // groups for the next round
}

// roundRunnable is the TargetRunnable of the policy.
const roundRunnable = 64

// drift is a prime, so that the period of a loop is unlikely to divide it.
const drift = 61

// maxRoundPoints bounds the length of turns.
const maxRoundPoints = 1 << 16

func compare(p state.ThreadPos, q state.ThreadPos) int {
	return cmp.Or(cmp.Compare(p.Block, q.Block), cmp.Compare(p.Warp, q.Warp), cmp.Compare(p.Lane, q.Lane))
}

func newRoundScheduler(seed uint64) *RoundScheduler {
	return &RoundScheduler{backwards: seed&1 != 0, Apart: seed&2 != 0, points: 1 + int(min(seed>>2, maxRoundPoints-1))}
}

// Ready implements state.Scheduler.
func (s *RoundScheduler) Ready(_ *state.Engine, g *state.Group) { s.later = append(s.later, g) }

// Admits implements state.Scheduler.
func (s *RoundScheduler) Admits(x *state.Engine) bool {
	return len(s.now)+len(s.later) < x.L.TargetRunnable
}

// Next implements state.Scheduler.
func (s *RoundScheduler) Next(x *state.Engine) *state.Group {
	for {
		if len(s.now) == 0 {
			if s.newRound(x); len(s.now) == 0 {
				return nil
			}
		}
		last := len(s.now) - 1
		g := s.now[last]
		s.now = s.now[:last]
		if g.State != state.GroupGone {
			return g
		}
		x.Recycle(g)
	}
}

// newRound starts a round with the groups that can run.
func (s *RoundScheduler) newRound(x *state.Engine) {
	for _, g := range s.later {
		if g.State == state.GroupGone {
			x.Recycle(g)
			continue
		}
		s.now = append(s.now, g)
	}
	clear(s.later)
	s.later = s.later[:0]
	slices.SortFunc(s.now, func(g, h *state.Group) int {
		if s.backwards {
			return compare(weak.Pos(g), weak.Pos(h))
		}
		return compare(weak.Pos(h), weak.Pos(g))
	})
}

// Quantum implements state.Scheduler.
func (s *RoundScheduler) Quantum(x *state.Engine, g *state.Group) int {
	if s.Apart && g.Mask.Count() > 1 {
		s.Ready(x, groups.Split(x, g, g.Mask&(g.Mask-1), g.PC, g.Join))
	}
	if s.turns++; s.turns%drift == 0 {
		return s.points + 1
	}
	return s.points
}

// PickValue implements state.Scheduler.
func (s *RoundScheduler) PickValue(x *state.Engine, n int) int { return x.Weak.Draw(n) }

// TakenFirst implements state.Scheduler.
func (s *RoundScheduler) TakenFirst() bool { return s.backwards }

// Diverged implements state.Scheduler.
func (s *RoundScheduler) Diverged(x *state.Engine, h *state.Group) { s.Ready(x, h) }

// Impatient implements state.Scheduler.
func (s *RoundScheduler) Impatient(*state.Engine) bool { return s.Apart }

// Patience implements state.Scheduler.
func (s *RoundScheduler) Patience() int { return state.FairPatience }

// ObserverPatience implements state.Scheduler.
func (s *RoundScheduler) ObserverPatience() int { return state.FairPatience }

// Merges implements state.Scheduler.
func (s *RoundScheduler) Merges() bool { return !s.Apart }

// TargetRunnable implements state.Scheduler.
func (s *RoundScheduler) TargetRunnable() int { return roundRunnable }

// Eager implements state.Scheduler.
func (s *RoundScheduler) Eager() bool { return s.backwards }

// pctScheduler implements probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized
// Scheduler with Probabilistic Guarantees of Finding Bugs, ASPLOS 2010, section 3). Every group has a random priority,
// and at every visible operation the runnable group with the highest priority runs. At depth-1 change points, drawn
// uniformly from the first length visible operations, the running group gets the lowest priority. A bug that needs
// depth ordering constraints among n groups occurs in one run with a probability of at least 1/(n*length^(depth-1)).
//
// Differences from the paper, because GPU threads are not operating system threads:
//   - The unit of scheduling is a group, so that the sides of a divergent branch have separate priorities. At half of
//     the change points only some of the lanes lose their priority: independent thread scheduling allows this.
//   - A group that has run alone for pctPatience operations, or that sleeps, gets the lowest priority, so that loops that
//     wait for other groups end. Loops that change nothing are parked before that.
//   - So does a group that has returned pctRounds times to the head of a loop with the registers of an earlier visit,
//     whatever it or others have written to memory: it takes a lock, finds nothing to do and releases it, or meets other
//     warps at barriers until a word changes. This is the yield of fair schedulers (Musuvathi, Qadeer: Fair Stateless
//     Model Checking, PLDI 2008), for which kernels have no instruction. A loop that makes progress has a different value
//     in some register, or loses its priority only once in pctRounds rounds.
//   - A launch that takes much longer than length is scheduled fairly from then on: after every pctTurn operations the
//     running group gets the lowest priority. The two rules above miss warps that poll a word in a loop with a counter
//     and meet at a barrier in each round: none runs alone, and their registers differ from round to round.
type pctScheduler struct {
	rng     state.RNG
	groups  []*state.Group // runnable groups, in no particular order
	changes []uint64       // future change points, in descending order
	steps   uint64         // visible operations scheduled so far
	floor   uint64         // below all priorities given so far
	last    *state.Group   // group of the current or previous turn
	alone   int            // consecutive turns of last
	long    uint64         // number of steps after which the launch counts as long
}

const (
	pctPatience     = 4096 // operations
	pctRounds       = 16   // rounds of a loop with the same registers
	pctTurn         = 1024 // operations
	pctJoinPatience = 4096 // turns of the warp
	pctRunnable     = 64
	pctFloor        = 1 << 63 // initial priorities are above, lowered ones below
)

func newPCTScheduler(seed uint64, depth int, length uint64) *pctScheduler {
	const atLeast, times = 1 << 20, 16
	s := &pctScheduler{rng: state.NewRNG(seed), floor: pctFloor, long: atLeast + times*min(length, 1<<48)}
	for range min(depth, faults.MaxDepth) - 1 {
		s.changes = append(s.changes, s.rng.Next()%length)
	}
	slices.Sort(s.changes)
	slices.Reverse(s.changes)
	return s
}

// Ready queues g. A new group gets a random priority; a group that yields or polls gets the lowest one.
func (s *pctScheduler) Ready(x *state.Engine, g *state.Group) {
	switch {
	case g.Priority == 0:
		g.Priority = pctFloor | s.rng.Next()>>1
	case g == s.last && x.Running == nil && (x.Yield || polling(x, g)): // its turn has ended
		s.lower(g)
	}
	s.groups = append(s.groups, g)
}

// lower gives g a priority below that of all other groups.
func (s *pctScheduler) lower(g *state.Group) {
	s.floor--
	g.Priority = s.floor
}

func (s *pctScheduler) Admits(x *state.Engine) bool { return len(s.groups) < x.L.TargetRunnable }

func (s *pctScheduler) Next(x *state.Engine) *state.Group {
	best := -1
	for i := 0; i < len(s.groups); {
		switch g := s.groups[i]; {
		case g.State == state.GroupGone:
			s.remove(i)
			x.Recycle(g)
			continue
		case best < 0 || g.Priority > s.groups[best].Priority:
			best = i
		}
		i++
	}
	if best < 0 {
		return nil
	}
	g := s.groups[best]
	s.remove(best)
	if g != s.last {
		s.last, s.alone = g, 0
	}
	if s.alone++; s.alone > pctPatience || s.steps > s.long && s.steps%pctTurn == 0 {
		s.lower(g)
		s.alone = 0
	}
	return g
}

// remove removes the group at i: the last one takes its place.
func (s *pctScheduler) remove(i int) {
	last := len(s.groups) - 1
	s.groups[i] = s.groups[last]
	s.groups = s.groups[:last]
}

// Quantum is one visible operation: after each, next compares the priorities again. It is 0 for a group that has just
// got the lowest priority.
func (s *pctScheduler) Quantum(x *state.Engine, g *state.Group) int {
	s.steps++
	n := len(s.changes)
	if n == 0 || s.changes[n-1] >= s.steps {
		return 1
	}
	s.changes = s.changes[:n-1]
	if g.Mask.Count() > 1 && s.rng.Below(2) == 0 {
		if m := g.Mask & state.Lanes(s.rng.Next()); m != 0 && m != g.Mask {
			h := groups.Split(x, g, m, g.PC, g.Join)
			s.lower(h)
			s.Ready(x, h)
			return 1
		}
	}
	s.lower(g)
	return 0
}

func (s *pctScheduler) PickValue(x *state.Engine, n int) int { return x.Weak.Draw(n) }

func (s *pctScheduler) TakenFirst() bool { return s.rng.Below(2) == 0 }

func (s *pctScheduler) Diverged(x *state.Engine, h *state.Group) { s.Ready(x, h) }

func (s *pctScheduler) Impatient(*state.Engine) bool { return false }

func (s *pctScheduler) Patience() int { return pctJoinPatience }

func (s *pctScheduler) ObserverPatience() int { return pctJoinPatience }

func (s *pctScheduler) Merges() bool { return false }

func (s *pctScheduler) TargetRunnable() int { return pctRunnable }

func (s *pctScheduler) Eager() bool { return s.rng.Below(chanceEager) == 0 }

// The schedulers of three policies: per-thread, round-robin, and probabilistic concurrency testing (PCT).

package emu

import (
	"cmp"
	"slices"
)

// perThreadScheduler runs every thread separately: lanes never run together, so that every interleaving of the threads
// is a possible schedule. A turn is one visible operation of one thread, and the instructions up to the next one.
type perThreadScheduler struct {
	queue queue
	lane  int // lane of the group that next has returned: quantum splits it off
	// turns, unless nil, makes one turn in eight two operations long. With equal turns, a thread that tries to take a
	// lock could run every time while another thread holds it.
	turns *rng
	ByThread
}

// Thread identifies a thread of a run.
type Thread struct {
	Launch uint64
	ThreadPos
}

func (t Thread) compare(u Thread) int {
	if t.Launch != u.Launch {
		return int(t.Launch) - int(u.Launch)
	}
	return t.ThreadPos.compare(u.ThreadPos)
}

// sortThreads sorts threads.
func sortThreads(list []Thread) { slices.SortFunc(list, Thread.compare) }

func (s *perThreadScheduler) ready(_ *engine, g *group) {
	s.queue.push(g)
	if s.Made != nil {
		s.Made(s.threads(nil, g))
	}
}

// threads appends the threads of a group to a list.
func (s *perThreadScheduler) threads(to []Thread, g *group) []Thread {
	for m := g.mask; m != 0; m &= m - 1 {
		to = append(to, Thread{s.Serial, ThreadPos{g.warp.cta.linear, g.warp.index, m.first()}})
	}
	return to
}

func (s *perThreadScheduler) admits(*engine) bool { return true }

func (s *perThreadScheduler) next(x *engine) *group {
	if s.Choose == nil {
		g := s.queue.pop(x)
		if g != nil {
			s.lane = g.mask.first()
		}
		return g
	}
	if x.weak != nil && x.weak.dead {
		return nil
	}
	var all []Thread
	var groups []*group
	for g := s.queue.pop(x); g != nil; g = s.queue.pop(x) {
		if groups = append(groups, g); !x.weak.stands(g) {
			all = s.threads(all, g)
		}
	}
	var picked *group
	t, ok := Thread{}, false
	if len(all) > 0 {
		sortThreads(all)
		t, ok = s.Choose(all)
	}
	for _, g := range groups {
		if ok && g.warp.cta.linear == t.Block && g.warp.index == t.Warp && g.mask.has(t.Lane) {
			picked, s.lane = g, t.Lane
			continue
		}
		s.queue.push(g)
	}
	return picked
}

// quantum splits the chosen lane from the others.
func (s *perThreadScheduler) quantum(x *engine, g *group) int {
	if rest := g.mask &^ (1 << s.lane); rest != 0 {
		s.queue.push(x.split(g, rest, g.pc, g.join))
	}
	if s.turns != nil && s.turns.below(8) == 0 {
		return 2
	}
	return 1
}

func (s *perThreadScheduler) pickValue(_ *engine, n int) int {
	if s.Value == nil || n == 1 {
		return n - 1
	}
	return s.Value(n)
}

func (s *perThreadScheduler) takenFirst() bool             { return true }
func (s *perThreadScheduler) diverged(x *engine, h *group) { s.ready(x, h) }
func (s *perThreadScheduler) impatient(*engine) bool       { return true }
func (s *perThreadScheduler) patience() int                { return 0 }
func (s *perThreadScheduler) observerPatience() int        { return 0 }
func (s *perThreadScheduler) merges() bool                 { return false }
func (s *perThreadScheduler) targetRunnable() int          { return 1 }
func (s *perThreadScheduler) eager() bool                  { return false }

// ended returns the result of End; endSchedule calls it at the end of the launch.
func (s *perThreadScheduler) ended() error {
	if s.End == nil {
		return nil
	}
	return s.End()
}

// roundScheduler gives every group that can run a turn of the same length, in the order of their threads, then starts
// the next round. The seed selects one of these fixed, non-random variants:
//
//   - bit 0: the last thread comes first;
//   - bit 1: the lanes of a warp never run together;
//   - the other bits: the number of visible operations in a turn, minus one.
//
// One turn in drift is longer by one operation, so that a loop is not interrupted forever at a place where it holds a
// lock that others try to take.
type roundScheduler struct {
	backwards, apart bool
	points           int
	turns            int
	now              []*group // groups still to run in this round, the next one last
	later            []*group // groups for the next round
}

// roundRunnable is the targetRunnable of the policy.
const roundRunnable = 64

// drift is a prime, so that the period of a loop is unlikely to divide it.
const drift = 61

// maxRoundPoints bounds the length of turns.
const maxRoundPoints = 1 << 16

// ThreadPos is the position of a thread in the grid.
type ThreadPos struct {
	Block uint64
	Warp  int
	Lane  int
}

// pos returns the position of the lowest lane.
func (g *group) pos() ThreadPos { return ThreadPos{g.warp.cta.linear, g.warp.index, g.mask.first()} }

func (p ThreadPos) compare(q ThreadPos) int {
	return cmp.Or(cmp.Compare(p.Block, q.Block), cmp.Compare(p.Warp, q.Warp), cmp.Compare(p.Lane, q.Lane))
}

func newRoundScheduler(seed uint64) *roundScheduler {
	return &roundScheduler{backwards: seed&1 != 0, apart: seed&2 != 0, points: 1 + int(min(seed>>2, maxRoundPoints-1))}
}

func (s *roundScheduler) ready(_ *engine, g *group) { s.later = append(s.later, g) }
func (s *roundScheduler) admits(x *engine) bool     { return len(s.now)+len(s.later) < x.l.targetRunnable }

func (s *roundScheduler) next(x *engine) *group {
	for {
		if len(s.now) == 0 {
			if s.newRound(x); len(s.now) == 0 {
				return nil
			}
		}
		last := len(s.now) - 1
		g := s.now[last]
		s.now = s.now[:last]
		if g.state != groupGone {
			return g
		}
		x.recycle(g)
	}
}

// newRound starts a round with the groups that can run.
func (s *roundScheduler) newRound(x *engine) {
	for _, g := range s.later {
		if g.state == groupGone {
			x.recycle(g)
			continue
		}
		s.now = append(s.now, g)
	}
	clear(s.later)
	s.later = s.later[:0]
	slices.SortFunc(s.now, func(g, h *group) int {
		if s.backwards {
			return g.pos().compare(h.pos())
		}
		return h.pos().compare(g.pos())
	})
}

func (s *roundScheduler) quantum(x *engine, g *group) int {
	if s.apart && g.mask.count() > 1 {
		s.ready(x, x.split(g, g.mask&(g.mask-1), g.pc, g.join))
	}
	if s.turns++; s.turns%drift == 0 {
		return s.points + 1
	}
	return s.points
}

func (s *roundScheduler) pickValue(x *engine, n int) int { return x.weak.draw(n) }
func (s *roundScheduler) takenFirst() bool               { return s.backwards }
func (s *roundScheduler) diverged(x *engine, h *group)   { s.ready(x, h) }
func (s *roundScheduler) impatient(*engine) bool         { return s.apart }
func (s *roundScheduler) patience() int                  { return fairPatience }
func (s *roundScheduler) observerPatience() int          { return fairPatience }
func (s *roundScheduler) merges() bool                   { return !s.apart }
func (s *roundScheduler) targetRunnable() int            { return roundRunnable }
func (s *roundScheduler) eager() bool                    { return s.backwards }

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
	rng     rng
	groups  []*group // runnable groups, in no particular order
	changes []uint64 // future change points, in descending order
	steps   uint64   // visible operations scheduled so far
	floor   uint64   // below all priorities given so far
	last    *group   // group of the current or previous turn
	alone   int      // consecutive turns of last
	long    uint64   // number of steps after which the launch counts as long
}

// Default parameters of PCT, used where Config has 0.
const (
	DefaultDepth  = 3
	MaxDepth      = 1 << 16 // a larger depth counts as this
	DefaultLength = 10_000
)

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
	s := &pctScheduler{rng: newRNG(seed), floor: pctFloor, long: atLeast + times*min(length, 1<<48)}
	for range min(depth, MaxDepth) - 1 {
		s.changes = append(s.changes, s.rng.next()%length)
	}
	slices.Sort(s.changes)
	slices.Reverse(s.changes)
	return s
}

// ready queues g. A new group gets a random priority; a group that yields or polls gets the lowest one.
func (s *pctScheduler) ready(x *engine, g *group) {
	switch {
	case g.priority == 0:
		g.priority = pctFloor | s.rng.next()>>1
	case g == s.last && x.running == nil && (x.yield || x.polling(g)): // its turn has ended
		s.lower(g)
	}
	s.groups = append(s.groups, g)
}

// lower gives g a priority below that of all other groups.
func (s *pctScheduler) lower(g *group) {
	s.floor--
	g.priority = s.floor
}

func (s *pctScheduler) admits(x *engine) bool { return len(s.groups) < x.l.targetRunnable }

func (s *pctScheduler) next(x *engine) *group {
	best := -1
	for i := 0; i < len(s.groups); {
		switch g := s.groups[i]; {
		case g.state == groupGone:
			s.remove(i)
			x.recycle(g)
			continue
		case best < 0 || g.priority > s.groups[best].priority:
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

// quantum is one visible operation: after each, next compares the priorities again. It is 0 for a group that has just
// got the lowest priority.
func (s *pctScheduler) quantum(x *engine, g *group) int {
	s.steps++
	n := len(s.changes)
	if n == 0 || s.changes[n-1] >= s.steps {
		return 1
	}
	s.changes = s.changes[:n-1]
	if g.mask.count() > 1 && s.rng.below(2) == 0 {
		if m := g.mask & lanes(s.rng.next()); m != 0 && m != g.mask {
			h := x.split(g, m, g.pc, g.join)
			s.lower(h)
			s.ready(x, h)
			return 1
		}
	}
	s.lower(g)
	return 0
}

func (s *pctScheduler) pickValue(x *engine, n int) int { return x.weak.draw(n) }
func (s *pctScheduler) takenFirst() bool               { return s.rng.below(2) == 0 }
func (s *pctScheduler) diverged(x *engine, h *group)   { s.ready(x, h) }
func (s *pctScheduler) impatient(*engine) bool         { return false }
func (s *pctScheduler) patience() int                  { return pctJoinPatience }
func (s *pctScheduler) observerPatience() int          { return pctJoinPatience }
func (s *pctScheduler) merges() bool                   { return false }
func (s *pctScheduler) targetRunnable() int            { return pctRunnable }
func (s *pctScheduler) eager() bool                    { return s.rng.below(chanceEager) == 0 }

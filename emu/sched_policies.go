// The schedulers of three policies: every thread by itself, round-robin, and probabilistic concurrency testing.

package emu

import (
	"cmp"
	"slices"
)

// perThreadScheduler runs every thread by itself: lanes never run together, so that every
// interleaving of the threads is one of its schedules. A turn is one visible operation
// of one thread, with what the thread does up to the next one. choose picks the thread.
type perThreadScheduler struct {
	queue queue
	lane  int // of the group that next has taken, which goes on by itself
	// turns makes one turn in eight two operations long, unless nil: with equal turns,
	// threads that try to take a lock could come each time when another has it.
	turns *rng
	// choose is given the threads that can run, ascending, and returns one of them; with false, no
	// thread runs any more. Without choose, the thread that has waited for longest runs.
	choose func([]thread) (thread, bool)
	made   func(threads []thread) // called for groups that become able to run, unless nil
	end    func() error           // is called at the end of the launch, unless nil
	serial uint64                 // of the launch
}

// thread is a thread of a run.
type thread struct {
	launch uint64
	threadPos
}

func (t thread) compare(u thread) int {
	if t.launch != u.launch {
		return int(t.launch) - int(u.launch)
	}
	return t.threadPos.compare(u.threadPos)
}

func (s *perThreadScheduler) ready(_ *engine, g *group) {
	s.queue.push(g)
	if s.made != nil {
		s.made(s.threads(nil, g))
	}
}

// threads appends the threads of a group.
func (s *perThreadScheduler) threads(to []thread, g *group) []thread {
	for m := g.mask; m != 0; m &= m - 1 {
		to = append(to, thread{s.serial, threadPos{g.warp.cta.linear, g.warp.index, m.first()}})
	}
	return to
}

func (s *perThreadScheduler) admits(*engine) bool { return true }

func (s *perThreadScheduler) next(x *engine) *group {
	if s.choose == nil {
		g := s.queue.pop(x)
		if g != nil {
			s.lane = g.mask.first()
		}
		return g
	}
	var all []thread
	var groups []*group
	for g := s.queue.pop(x); g != nil; g = s.queue.pop(x) {
		groups = append(groups, g)
		all = s.threads(all, g)
	}
	var picked *group
	t, ok := thread{}, false
	if len(all) > 0 {
		sortThreads(all)
		t, ok = s.choose(all)
	}
	for _, g := range groups {
		if ok && g.warp.cta.linear == t.block && g.warp.index == t.warp && g.mask.has(t.lane) {
			picked, s.lane = g, t.lane
			continue
		}
		s.queue.push(g)
	}
	return picked
}

// quantum leaves the lane chosen alone.
func (s *perThreadScheduler) quantum(x *engine, g *group) int {
	if rest := g.mask &^ (1 << s.lane); rest != 0 {
		s.queue.push(x.split(g, rest, g.pc, g.join))
	}
	if s.turns != nil && s.turns.below(8) == 0 {
		return 2
	}
	return 1
}

func (s *perThreadScheduler) takenFirst() bool             { return true }
func (s *perThreadScheduler) diverged(x *engine, h *group) { s.ready(x, h) }
func (s *perThreadScheduler) impatient(*engine) bool       { return true }
func (s *perThreadScheduler) patience() int                { return 0 }
func (s *perThreadScheduler) merges() bool                 { return false }
func (s *perThreadScheduler) targetRunnable() int          { return 1 }
func (s *perThreadScheduler) eager() bool                  { return false }

// ended is what setSchedule's launch ends with.
func (s *perThreadScheduler) ended() error {
	if s.end == nil {
		return nil
	}
	return s.end()
}

// roundScheduler gives every group that can run a turn of the same length, then all of
// them again, in the order of their threads. The seed chooses among its variants, so
// that each of them is one fixed schedule, with nothing random:
//
//   - bit 0: the last thread comes first;
//   - bit 1: the lanes of a warp never run together;
//   - the others: how many visible operations a turn has, less one.
//
// One turn in drift is longer by one operation, lest a loop be stopped for ever where it
// holds a lock that others try to take.
type roundScheduler struct {
	backwards, apart bool
	points           int
	turns            int
	now              []*group // whose turn is in this round, the next one last
	later            []*group // that run in the next round
}

// roundRunnable is how many groups should be able to run.
const roundRunnable = 64

// drift is a prime, so that no loop keeps pace with it.
const drift = 61

// maxRoundPoints bounds the length of turns.
const maxRoundPoints = 1 << 16

// threadPos is where a thread is in the grid.
type threadPos struct {
	block uint64
	warp  int
	lane  int
}

// pos is that of the lowest lane.
func (g *group) pos() threadPos { return threadPos{g.warp.cta.linear, g.warp.index, g.mask.first()} }

func (p threadPos) compare(q threadPos) int {
	return cmp.Or(cmp.Compare(p.block, q.block), cmp.Compare(p.warp, q.warp), cmp.Compare(p.lane, q.lane))
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

// newRound begins a round of the groups that can run.
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

func (s *roundScheduler) takenFirst() bool             { return s.backwards }
func (s *roundScheduler) diverged(x *engine, h *group) { s.ready(x, h) }
func (s *roundScheduler) impatient(*engine) bool       { return s.apart }
func (s *roundScheduler) patience() int                { return fairPatience }
func (s *roundScheduler) merges() bool                 { return !s.apart }
func (s *roundScheduler) targetRunnable() int          { return roundRunnable }
func (s *roundScheduler) eager() bool                  { return s.backwards }

// pctScheduler is probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi,
// Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs,
// ASPLOS 2010, section 3). Every group has a random priority and at every visible
// operation the group of the highest priority that can run does. At depth-1 points,
// drawn uniformly from the first length visible operations, the running group
// becomes the least important one. A bug that needs depth ordering constraints among
// n groups shows in one run with a probability of at least 1/(n*length^(depth-1)).
//
// What is different from the paper, because a GPU's threads are not an operating
// system's:
//   - The scheduled thing is a group, so that the sides of a divergent branch have
//     priorities of their own. At a change point, half of the time only some of the
//     lanes lose their priority: independent thread scheduling allows it.
//   - A group that has run alone for pctPatience operations, or that sleeps, becomes
//     the least important one, so that loops that wait for others end. Loops that
//     change nothing are parked before that.
//   - So does a group that has come back pctRounds times to the head of a loop with the
//     registers that it had there before, whatever it or others have written to memory:
//     it takes a lock, finds nothing to do and releases it, or meets other warps at barriers
//     until a word changes. That is the yield of fair schedulers (Musuvathi, Qadeer: Fair
//     Stateless Model Checking, PLDI 2008), which a kernel has no instruction for. A loop that makes
//     progress has another value in a register, or loses its priority once in pctRounds rounds.
//   - A launch that takes much longer than length is scheduled fairly from then on: the group that runs becomes the
//     least important one after every pctTurn operations. The two rules before do not find warps that poll a word in a loop with a counter
//     and meet at a barrier in each round: none runs alone, and their registers differ from round to round.
type pctScheduler struct {
	rng     rng
	groups  []*group // that can run, in no particular order
	changes []uint64 // the change points that have not come yet, last one first
	steps   uint64   // visible operations scheduled so far
	floor   uint64   // below all priorities given so far
	last    *group   // whose turn it was
	alone   int      // turns that last has had in a row
	long    uint64   // steps after which the launch is long
}

// The parameters of PCT when Config leaves them 0.
const (
	DefaultDepth  = 3
	DefaultLength = 10_000
)

const (
	pctPatience     = 4096 // operations
	pctRounds       = 16   // of a loop, with the same registers
	pctTurn         = 1024 // operations
	pctJoinPatience = 4096 // turns of the warp
	pctRunnable     = 64
	pctFloor        = 1 << 63 // initial priorities are above, lowered ones below
)

func newPCTScheduler(seed uint64, depth int, length uint64) *pctScheduler {
	const atLeast, times = 1 << 20, 16
	s := &pctScheduler{rng: newRNG(seed), floor: pctFloor, long: atLeast + times*min(length, 1<<48)}
	for range depth - 1 {
		s.changes = insertDescending(s.changes, s.rng.next()%length)
	}
	return s
}

// insertDescending inserts v into a list in descending order.
func insertDescending(list []uint64, v uint64) []uint64 {
	i := len(list)
	for i > 0 && list[i-1] < v {
		i--
	}
	list = append(list, 0)
	copy(list[i+1:], list[i:])
	list[i] = v
	return list
}

// ready gives a group that is new a priority. One that sleeps or polls loses its own.
func (s *pctScheduler) ready(x *engine, g *group) {
	switch {
	case g.priority == 0:
		g.priority = pctFloor | s.rng.next()>>1
	case g == s.last && x.running == nil && (x.yield || x.polling(g)): // its turn is over
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

// remove takes the group at i, and moves the last one, whose fate the caller has not
// decided, in its place.
func (s *pctScheduler) remove(i int) {
	last := len(s.groups) - 1
	s.groups[i] = s.groups[last]
	s.groups = s.groups[:last]
}

// quantum is one visible operation: after each, the most important group is looked
// for again. It is none for a group that has just become the least important.
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

func (s *pctScheduler) takenFirst() bool             { return s.rng.below(2) == 0 }
func (s *pctScheduler) diverged(x *engine, h *group) { s.ready(x, h) }
func (s *pctScheduler) impatient(*engine) bool       { return false }
func (s *pctScheduler) patience() int                { return pctJoinPatience }
func (s *pctScheduler) merges() bool                 { return false }
func (s *pctScheduler) targetRunnable() int          { return pctRunnable }
func (s *pctScheduler) eager() bool                  { return s.rng.below(chanceEager) == 0 }

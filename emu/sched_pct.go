// The scheduler of probabilistic concurrency testing.

package emu

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
type pctScheduler struct {
	rng     rng
	groups  []*group // that can run, in no particular order
	changes []uint64 // the change points that have not come yet, last one first
	steps   uint64   // visible operations scheduled so far
	floor   uint64   // below all priorities given so far
	last    *group   // whose turn it was
	alone   int      // turns that last has had in a row
}

// The parameters of PCT when Config leaves them 0.
const (
	DefaultDepth  = 3
	DefaultLength = 10_000
)

const (
	pctPatience     = 4096 // operations
	pctJoinPatience = 4096 // turns of the warp
	pctRunnable     = 64
	pctFloor        = 1 << 63 // initial priorities are above, lowered ones below
)

func newPCTScheduler(seed uint64, depth int, length uint64) *pctScheduler {
	s := &pctScheduler{rng: newRNG(seed), floor: pctFloor}
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

// ready gives a group that is new a priority. One that sleeps loses its own.
func (s *pctScheduler) ready(x *engine, g *group) {
	switch {
	case g.priority == 0:
		g.priority = pctFloor | s.rng.next()>>1
	case g == s.last && x.yield && x.running == nil: // its turn is over
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
	if s.alone++; s.alone > pctPatience {
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

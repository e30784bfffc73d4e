// Schedulers: the interface, and the policies ITS, lockstep and random.

package emu

// scheduler decides which group runs next, for how long, and how long lanes wait
// for each other. It sees groups only when they can run. A scheduler is
// deterministic: its choices depend on the order of calls and on its seed.
type scheduler interface {
	// ready queues a group that can run.
	ready(x *engine, g *group)
	// next takes a group off the queue, nil when it is empty.
	next(x *engine) *group
	// admits reports whether a block that has not started shall be, though its turn
	// could wait: too few of launch.targetRunnable groups can run.
	admits(x *engine) bool
	// quantum is how many scheduling points the next turn of g may pass: visible
	// operations and jumps backwards. With 0, g runs up to the next one. It may split g.
	quantum(x *engine, g *group) int
	// takenFirst reports whether a divergent branch goes on with the lanes that
	// jump.
	takenFirst() bool
	// diverged queues h, the other side of a branch, or makes it pending.
	diverged(x *engine, h *group)
	// impatient reports whether lanes that reach a join go on without waiting.
	impatient(x *engine) bool
	// patience is for how many turns of the warp lanes wait at a join, 0 for as
	// long as it takes.
	patience() int
	// merges reports whether a group whose turn it is takes in others of its warp
	// that stand at the same place.
	merges() bool
	// eager reports whether a grid that a thread has launched runs at once, rather
	// than when a thread waits for it.
	eager() bool
	// targetRunnable is how many groups should be able to run before blocks that have not
	// started may wait for their turn.
	targetRunnable() int
}

// newScheduler makes the scheduler of a policy.
func newScheduler(p Policy, cfg *Config, l *launch) scheduler {
	if cfg.guide != nil {
		return cfg.guide.scheduler(l)
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
	default:
		s := newFairScheduler()
		return &s
	}
}

// fairScheduler is ITS: first in, first out. Lanes wait at joins while their
// siblings do something, so that warps stay together; a sibling that spins, waits
// or takes very long is not waited for.
//
// Turns are of unequal length: with equal ones, a loop whose period divides the
// length would be stopped at the same place for ever, such as where it holds a lock
// that others try to take.
type fairScheduler struct {
	queue queue
	rng   rng // the same in every launch
}

func newFairScheduler() fairScheduler { return fairScheduler{rng: newRNG(0)} }

const (
	fairQuantum  = 192 // at least
	fairSpread   = 128 // of which some more
	fairPatience = 64
	fairRunnable = 32
)

func (s *fairScheduler) ready(_ *engine, g *group)    { s.queue.push(g) }
func (s *fairScheduler) next(x *engine) *group        { return s.queue.pop(x) }
func (s *fairScheduler) quantum(*engine, *group) int  { return fairQuantum + s.rng.below(fairSpread) }
func (s *fairScheduler) takenFirst() bool             { return false }
func (s *fairScheduler) diverged(_ *engine, h *group) { s.queue.push(h) }
func (s *fairScheduler) impatient(*engine) bool       { return false }
func (s *fairScheduler) patience() int                { return fairPatience }
func (s *fairScheduler) merges() bool                 { return true }
func (s *fairScheduler) targetRunnable() int          { return fairRunnable }
func (s *fairScheduler) eager() bool                  { return false }

// admits counts spinning groups as runnable while another group can run. If a new block
// started for each group that spins on a lock, every release would wake all blocks of the
// grid, and time would grow with the square of their number.
func (s *fairScheduler) admits(x *engine) bool {
	return s.queue.size == 0 || s.queue.size+len(x.l.parked)+x.l.waitSets.parked < x.l.targetRunnable
}

// lockstepScheduler is the SIMT stack of GPUs before Volta: one side of a branch
// runs to the join, then the other, and no lane passes a join alone. Warps take turns as
// under ITS.
type lockstepScheduler struct{ fairScheduler }

func (s *lockstepScheduler) diverged(_ *engine, h *group) {
	h.state = groupPending
	h.warp.active--
	h.warp.pending = append(h.warp.pending, h)
}

func (s *lockstepScheduler) patience() int { return 0 }
func (s *lockstepScheduler) merges() bool  { return false }

// randomScheduler runs a random group from visible operation to visible
// operation, sometimes longer; it splits groups that could run together and
// sometimes lets lanes pass a join alone, as independent thread scheduling
// allows.
type randomScheduler struct {
	rng   rng
	queue []*group
}

// Chances of the random policy: one in so many.
const (
	chanceLong      = 8  // a turn is longer than one visible operation
	longest         = 32 // visible operations of a long turn, at most
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

func (s *randomScheduler) takenFirst() bool             { return s.rng.below(2) == 0 }
func (s *randomScheduler) diverged(x *engine, h *group) { s.ready(x, h) }

func (s *randomScheduler) impatient(*engine) bool { return s.rng.below(chanceImpatient) == 0 }
func (s *randomScheduler) patience() int          { return randomPatience }
func (s *randomScheduler) merges() bool           { return s.rng.below(chanceMerge) == 0 }
func (s *randomScheduler) targetRunnable() int    { return randomRunnable }
func (s *randomScheduler) eager() bool            { return s.rng.below(chanceEager) == 0 }

// queue is a ring of groups.
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

// pop takes the oldest group that still exists, nil when there is none.
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

// drop takes the n oldest entries, all of which are groups that exist.
func (q *queue) drop(n int) {
	q.head = (q.head + n) & (len(q.ring) - 1)
	q.size -= n
}

// rng is a small deterministic generator (splitmix64), the same on every machine
// and in every version of Go.
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

// skip is n calls of next.
func (r *rng) skip(n int) { r.state += uint64(n) * rngStep }

// below is a number in [0, n), n > 0.
func (r *rng) below(n int) int { return int(r.next() >> 32 * uint64(n) >> 32) }

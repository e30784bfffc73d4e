// The scheduler that runs every thread by itself.

package emu

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

// The directed strategy: runs that reverse the order of two conflicting accesses.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Directed is the strategy that searches for races. The first runs are a fair one and one in which lanes never run together. Each
// other run takes a pair of conflicting accesses of an earlier run without a barrier between them, one pair for each two
// instructions, and tries to reverse their order. If that succeeds, only the schedule ordered them, such as the order in which
// threads took a lock. If not, the pair is ordered by synchronisation.
type Directed struct {
	wanted func(*rewrite.Inst) bool
	begun  bool
	todo   []*pair
	known  map[pairKey]bool
	data   bool // the last pair was of data accesses, not of synchronising operations: the two kinds alternate
}

// lanesApart is the variant of round-robin in which lanes never run together.
const lanesApart = 2

// NewDirected makes the strategy. wanted selects the instructions to consider, nil for all: in an instrumented program, those of
// the original program.
func NewDirected(wanted func(*rewrite.Inst) bool) *Directed {
	return &Directed{wanted: wanted, known: map[pairKey]bool{}}
}

// Next implements Strategy.
func (d *Directed) Next(n int) (runs []*Run) {
	if !d.begun {
		d.begun = true
		if n == 1 {
			d.todo = append(d.todo, &pair{apart: true})
			return []*Run{d.run(&pair{})}
		}
		return []*Run{d.run(&pair{}), d.run(&pair{apart: true})}
	}
	for ; n > 0 && len(d.todo) > 0; n-- {
		d.data = !d.data
		i := max(0, slices.IndexFunc(d.todo, func(p *pair) bool { return p.weak == d.data || p.first == nil }))
		runs = append(runs, d.run(d.todo[i]))
		d.todo = slices.Delete(d.todo, i, i+1)
	}
	return runs
}

// Learn implements Strategy.
func (d *Directed) Learn(runs []*Run) {
	for _, r := range runs {
		g := r.guide.(*directedRun)
		for _, p := range g.pairs.found {
			if d.known[p.pairKey] || g.pairs.until.exchanged(p) {
				continue
			}
			p.again = d.known[pairKey{p.second, p.first, p.near}]
			p.apart = g.pairs.until.apart
			d.known[p.pairKey] = true
			d.todo = append(d.todo, p)
		}
	}
	slices.SortStableFunc(d.todo, byRank)
}

func (d *Directed) run(p *pair) *Run {
	g := &directedRun{pairs: newPairs(d.wanted)}
	g.pairs.until = p
	if p.apart {
		return &Run{Policy: RoundRobin, Seed: lanesApart, guide: g}
	}
	return &Run{Policy: ITS, guide: g}
}

// directedRun is one run of Directed.
type directedRun struct {
	pairs    *pairs
	launches uint64
}

func (g *directedRun) listener() Listener { return g.pairs }

func (g *directedRun) scheduler(*launch) scheduler {
	g.launches++
	p := g.pairs.until
	s := &directedScheduler{fairScheduler: newFairScheduler(), pairs: g.pairs, apart: p.apart}
	if p.first != nil && p.a.launch == g.launches {
		s.pair = p
	}
	return s
}

// directedScheduler is fair, but holds the thread with the first access of a pair until the second access has been executed, or
// no other group can run.
type directedScheduler struct {
	fairScheduler
	pairs *pairs
	apart bool   // lanes never run together
	pair  *pair  // nil when the thread is not, or no longer, to be held
	held  *group // the held thread, at its access
	turns int    // turns of other groups in the meantime
}

// holdTurns is the maximum number of turns for which a thread is held: others may be waiting for it in a loop whose state never
// repeats.
const holdTurns = 20_000

func (s *directedScheduler) next(x *engine) *group {
	if s.held != nil {
		if s.turns++; s.pairs.seen || s.turns > holdTurns {
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
func (s *directedScheduler) first(x *engine) *group {
	if s.pair != nil && s.held == nil {
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

// hold begins the hold: earlier accesses of other threads do not count.
func (s *directedScheduler) hold(g *group) { s.held, s.pairs.seen = g, false }

// letGo ends the hold.
func (s *directedScheduler) letGo() {
	s.queue.push(s.held)
	s.held, s.pair = nil, nil
}

// holds reports whether g contains the thread to be held.
func (s *directedScheduler) holds(g *group) bool {
	p := s.pair
	return p != nil && s.held == nil && g.warp.cta.linear == p.a.block && g.warp.index == p.a.warp && g.mask.has(p.a.lane)
}

// stops reports whether g contains the thread to be held and is at its access.
func (s *directedScheduler) stops(g *group) bool {
	return s.holds(g) && g.atVisible() && g.inst() == s.pair.a.inst && s.pairs.times(&s.pair.a) == s.pair.a.nth-1
}

// quantum splits off the thread that is held. Before that, it runs the thread for one visible operation at a time.
func (s *directedScheduler) quantum(x *engine, g *group) int {
	switch {
	case s.stops(g):
		s.hold(x.split(g, 1<<s.pair.a.lane, g.pc, g.join))
	case s.pair != nil && s.held == nil && g.atVisible():
		return 1
	case s.pair != nil && s.held == nil:
		return 0
	case s.apart && g.mask.count() > 1:
		s.ready(x, x.split(g, g.mask&(g.mask-1), g.pc, g.join))
	}
	return s.fairScheduler.quantum(x, g)
}

// atVisible reports whether the group is at a visible operation.
func (g *group) atVisible() bool { return g.frame.fn.code[g.pc].flags&flagVisible != 0 }

// impatient lets the lanes of the held thread's warp pass joins without waiting for it.
func (s *directedScheduler) impatient(x *engine) bool {
	return s.apart || s.pair != nil && x.running != nil && x.running.warp.cta.linear == s.pair.a.block && x.running.warp.index == s.pair.a.warp
}

func (s *directedScheduler) merges() bool { return s.held == nil && !s.apart }

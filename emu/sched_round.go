// The round-robin scheduler.

package emu

import (
	"cmp"
	"slices"
)

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

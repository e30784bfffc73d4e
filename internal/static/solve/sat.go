// A Boolean solver for bit-blasted formulas: conflict-driven clause learning with two watched literals, activities,
// saved phases, restarts, and assumptions.

package solve

import (
	"context"
	"slices"
)

// blit is a Boolean literal: variable 2·v, negated 2·v+1.
type blit int32

// not returns the negation.
func (l blit) not() blit { return l ^ 1 }

// sat is the solver. Variable 0 is the constant true.
type sat struct {
	clauses  [][]blit
	watches  [][]int32 // by literal: clauses that watch it
	value    []int8    // by literal: 1 true, -1 false, 0 open
	phase    []bool    // by variable: its most recent value
	reason   []int32   // by variable: the index of the implying clause + 1
	level    []int32
	activity []float64
	heap     []int32 // variables by activity
	place    []int32 // by variable: its index in the heap, or -1
	trail    []blit
	levels   []int
	head     int
	step     float64
	broken   bool // the clauses are contradictory without decisions
	work     int64
	seen     []bool
	room     []blit  // for further clauses
	record   *record // of the proof; nil if none is wanted
	ctx      context.Context
	look     int64 // the work at which the context is looked at next
	late     bool  // its time was over then
}

// ended reports whether the context has ended, at which it looks now and then.
func (s *sat) ended() bool {
	if s.work >= s.look {
		s.look, s.late = s.work+lookAfter, s.ctx.Err() != nil
	}
	return s.late
}

// lookAfter is the work between two looks at the context.
const lookAfter = 1 << 16

// btrue is the literal that is true.
const btrue = blit(0)

// newSAT returns a solver without clauses.
func newSAT(ctx context.Context) *sat {
	s := &sat{step: 1, ctx: ctx}
	s.newVar()
	s.add(btrue)
	return s
}

// newVar returns a new variable as a literal.
func (s *sat) newVar() blit {
	v := int32(len(s.reason))
	s.watches = append(s.watches, nil, nil)
	s.value = append(s.value, 0, 0)
	s.phase, s.reason, s.level = append(s.phase, false), append(s.reason, 0), append(s.level, 0)
	s.activity, s.place, s.seen = append(s.activity, 0), append(s.place, -1), append(s.seen, false)
	s.push(v)
	return blit(2 * v)
}

// add adds a clause; the solver must be at level 0.
func (s *sat) add(lits ...blit) {
	slices.Sort(lits)
	kept := lits[:0]
	for i, l := range lits {
		switch {
		case s.value[l] > 0 || i > 0 && l == lits[i-1].not() && l&1 == 1:
			return
		case s.value[l] < 0 || i > 0 && l == lits[i-1]:
			continue
		}
		kept = append(kept, l)
	}
	s.work += int64(len(kept))
	switch len(kept) {
	case 0:
		s.broken = true
	case 1:
		s.assign(kept[0], 0)
	default:
		s.attach(s.keep(kept))
	}
}

// clauseRoom is the number of literals for which memory is allocated at a time.
const clauseRoom = 4096

// keep returns a copy of a clause.
func (s *sat) keep(c []blit) []blit {
	if len(s.room)+len(c) > cap(s.room) {
		s.room = make([]blit, 0, max(clauseRoom, len(c)))
	}
	n := len(s.room)
	s.room = append(s.room, c...)
	return s.room[n:len(s.room):len(s.room)]
}

// attach adds a clause of at least two literals.
func (s *sat) attach(c []blit) int32 {
	i := int32(len(s.clauses))
	s.clauses = append(s.clauses, c)
	s.watches[c[0]] = append(s.watches[c[0]], i)
	s.watches[c[1]] = append(s.watches[c[1]], i)
	return i
}

// assign makes a literal true.
func (s *sat) assign(l blit, reason int32) {
	s.value[l], s.value[l.not()] = 1, -1
	v := l >> 1
	s.reason[v], s.level[v], s.phase[v] = reason, int32(len(s.levels)), l&1 == 0
	s.trail = append(s.trail, l)
}

// propagate runs unit propagation; it returns a false clause, or -1.
func (s *sat) propagate() int32 {
	for s.head < len(s.trail) {
		p := s.trail[s.head].not() // the literal that became false
		s.head++
		ws := s.watches[p]
		kept := ws[:0]
		for k, i := range ws {
			s.work += 3
			c := s.clauses[i]
			if c[0] == p {
				c[0], c[1] = c[1], c[0]
			}
			if s.value[c[0]] > 0 {
				kept = append(kept, i)
				continue
			}
			if j := s.openLiteral(c); j > 0 {
				c[1], c[j] = c[j], c[1]
				s.watches[c[1]] = append(s.watches[c[1]], i)
				continue
			}
			kept = append(kept, i)
			if s.value[c[0]] < 0 {
				s.watches[p] = append(kept, ws[k+1:]...)
				s.head = len(s.trail)
				return i
			}
			s.assign(c[0], i+1)
		}
		s.watches[p] = kept
	}
	return -1
}

// openLiteral returns the index of a literal behind the watched ones that is not false, or 0.
func (s *sat) openLiteral(c []blit) int {
	for j := 2; j < len(c); j++ {
		if s.value[c[j]] >= 0 {
			return j
		}
	}
	return 0
}

// learn derives a clause from a false clause, and returns it with the level to backjump to.
func (s *sat) learn(conflict int32) (c []blit, back int32) {
	c = []blit{0}
	open, i := 0, len(s.trail)-1
	top := int32(len(s.levels))
	lits := s.clauses[conflict]
	var marked []blit
	for {
		for _, l := range lits {
			v := l >> 1
			if s.seen[v] || s.level[v] == 0 || s.value[l] > 0 {
				continue
			}
			s.seen[v] = true
			marked = append(marked, v)
			s.bump(int32(v))
			if s.level[v] == top {
				open++
			} else {
				c = append(c, l)
			}
		}
		for !s.seen[s.trail[i]>>1] {
			i--
		}
		p := s.trail[i]
		i--
		if open--; open == 0 {
			c[0] = p.not()
			break
		}
		lits = s.clauses[s.reason[p>>1]-1]
		s.work += int64(len(lits))
	}
	c = s.shorten(c)
	for _, v := range marked {
		s.seen[v] = false
	}
	for k := 1; k < len(c); k++ {
		if lv := s.level[c[k]>>1]; lv > back {
			back = lv
			c[1], c[k] = c[k], c[1]
		}
	}
	return c, back
}

// shorten removes the literals of a learned clause that are implied by others.
func (s *sat) shorten(c []blit) []blit {
	kept := c[:1]
	for _, l := range c[1:] {
		if r := s.reason[l>>1]; r == 0 || !s.covered(l, s.clauses[r-1]) {
			kept = append(kept, l)
		}
	}
	return kept
}

// covered reports whether all literals of the reason of l are in the learned clause.
func (s *sat) covered(l blit, reason []blit) bool {
	for _, r := range reason {
		if r>>1 != l>>1 && !s.seen[r>>1] && s.level[r>>1] > 0 {
			return false
		}
	}
	return true
}

// undo backtracks to a level.
func (s *sat) undo(level int32) {
	if int(level) >= len(s.levels) {
		return
	}
	n := s.levels[level]
	for _, l := range s.trail[n:] {
		s.value[l], s.value[l.not()] = 0, 0
		s.push(int32(l >> 1))
	}
	s.trail, s.levels = s.trail[:n], s.levels[:level]
	s.head = n
}

// solve searches for values under assumptions. If there are none, failed holds the assumptions that contradict each
// other. done is false if the budget was spent or the context has ended first.
func (s *sat) solve(assume []blit, budget int64) (ok bool, failed []blit, done bool) {
	restart, limit := 0, 100
	for s.work < budget && !s.ended() {
		if s.broken {
			return false, nil, true
		}
		if c := s.propagate(); c >= 0 {
			if len(s.levels) == 0 {
				s.broken = true
				return false, nil, true
			}
			lits, back := s.learn(c)
			s.undo(back)
			s.enterLearned(lits)
			s.step *= 1.05
			limit--
			continue
		}
		if limit < 0 {
			restart++
			limit = 100 * luby(restart)
			s.undo(0)
			continue
		}
		if n := len(s.levels); n < len(assume) {
			l := assume[n]
			if s.value[l] < 0 {
				return false, s.excluding(l.not(), assume), true
			}
			s.levels = append(s.levels, len(s.trail))
			if s.value[l] == 0 {
				s.assign(l, 0)
			}
			continue
		}
		l, open := s.next()
		if !open {
			return true, nil, true
		}
		s.levels = append(s.levels, len(s.trail))
		s.assign(l, 0)
	}
	return false, nil, false
}

// enterLearned adds a learned clause, whose first literal is unassigned.
func (s *sat) enterLearned(c []blit) {
	s.record.bits(c)
	if len(c) == 1 {
		s.assign(c[0], 0)
		return
	}
	s.assign(c[0], s.attach(c)+1)
}

// excluding returns the assumptions that made a literal true, with the assumption that it negates.
func (s *sat) excluding(l blit, assume []blit) []blit {
	need := map[blit]bool{l: true}
	failed := []blit{l.not()}
	for i := len(s.trail) - 1; i >= 0; i-- {
		p := s.trail[i]
		if !need[p] || s.level[p>>1] == 0 {
			continue
		}
		if r := s.reason[p>>1]; r == 0 {
			if slices.Contains(assume, p) {
				failed = append(failed, p)
			}
			continue
		} else {
			for _, q := range s.clauses[r-1] {
				if q != p {
					need[q.not()] = true
				}
			}
		}
	}
	return failed
}

// luby returns element i of the sequence 1 1 2 1 1 2 4 ….
func luby(i int) int {
	for k := 1; ; k++ {
		if i == 1<<k-1 {
			return 1 << (k - 1)
		}
		if i < 1<<k-1 {
			return luby(i - (1<<(k-1) - 1))
		}
	}
}

// next returns the literal to decide, or false if all variables are assigned.
func (s *sat) next() (blit, bool) {
	for len(s.heap) > 0 {
		v := s.pop()
		if l := blit(2 * v); s.value[l] == 0 {
			if !s.phase[v] {
				l = l.not()
			}
			return l, true
		}
	}
	return 0, false
}

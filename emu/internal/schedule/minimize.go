// Minimisation: removing turns from a schedule while it still fails.

package schedule

import "context"

// Minimize removes turns from a schedule while it still fails: fails runs a schedule, on a new machine with
// Config.Replay, and reports whether it shows the failure. The number of turns is reduced by delta debugging (Zeller,
// Hildebrandt: Simplifying and Isolating Failure-Inducing Input, IEEE TSE 2002) with at most runs calls of fails. After
// the remaining turns, threads run in their natural order. The remaining turns show which threads have to be preempted,
// and where.
//
// If not even the whole schedule fails as a list of turns, because the failure depends on other choices too, the
// schedule is returned unchanged. The error is that of fails, or the context's.
func Minimize(ctx context.Context, s *Schedule, runs int, fails func(*Schedule) (bool, error)) (*Schedule, error) {
	m := &minimizer{ctx: ctx, from: s, runs: runs, fails: fails}
	for i, c := range s.Launches {
		turns, err := c.Decode()
		if err != nil {
			return nil, err
		}
		for _, t := range turns {
			m.turns = append(m.turns, requiredTurn{i, t})
		}
	}
	if ok, err := m.try(m.turns); err != nil || !ok {
		return s, err
	}
	if ok, err := m.try(nil); err != nil || ok {
		return m.best, err
	}
	return m.best, m.reduce()
}

// requiredTurn is a turn of a launch.
type requiredTurn struct {
	launch int
	turn   Turn
}

type minimizer struct {
	ctx   context.Context
	from  *Schedule
	runs  int
	fails func(*Schedule) (bool, error)
	turns []requiredTurn // list that still fails
	best  *Schedule      // schedule of these turns
}

// reduce removes pieces of the list, of decreasing size.
func (m *minimizer) reduce() error {
	for piece := (len(m.turns) + 1) / 2; len(m.turns) > 0; {
		removed := false
		for from := 0; from < len(m.turns); {
			to := min(from+piece, len(m.turns))
			rest := append(append([]requiredTurn{}, m.turns[:from]...), m.turns[to:]...)
			ok, err := m.try(rest)
			if err != nil || m.runs <= 0 {
				return err
			}
			if removed = removed || ok; !ok {
				from = to
			}
		}
		if piece == 1 && !removed {
			return nil
		}
		piece = max(1, min(piece/2, len(m.turns)/2))
	}
	return nil
}

// try keeps a list of turns if it fails.
func (m *minimizer) try(turns []requiredTurn) (bool, error) {
	if err := m.ctx.Err(); err != nil {
		return false, err
	}
	m.runs--
	s := m.schedule(turns)
	ok, err := m.fails(s)
	if ok {
		m.turns, m.best = turns, s
	}
	return ok, err
}

// schedule returns the partial schedule of some turns.
func (m *minimizer) schedule(turns []requiredTurn) *Schedule {
	s := &Schedule{Program: m.from.Program, Policy: m.from.Policy, Partial: true}
	for i, c := range m.from.Launches {
		var list []Turn
		for _, w := range turns {
			if w.launch == i {
				list = append(list, w.turn)
			}
		}
		s.Launches = append(s.Launches, NewLog(c.Shape, list))
	}
	return s
}

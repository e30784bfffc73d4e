package emu

// Strategies that learn nothing: a policy under one seed after the other, and mixtures
// of strategies.

// seeds runs a policy under consecutive seeds.
type seeds struct {
	next Run
	left int
}

// Seeds is the strategy of runs under a policy with its parameters, n of them, with
// the seed of r and those that follow it; n < 0 for no end.
func Seeds(r Run, n int) Strategy { return &seeds{next: r, left: n} }

// Next implements Strategy.
func (s *seeds) Next(n int) (runs []*Run) {
	for ; n > 0 && s.left != 0; n-- {
		r := s.next
		runs = append(runs, &r)
		s.next.Seed++
		s.left--
	}
	return runs
}

// Learn implements Strategy.
func (s *seeds) Learn([]*Run) {}

// mixture takes turns.
type mixture struct {
	parts []Strategy
	turn  int
}

// Mix takes runs from several strategies in turn. One that has none left now is asked
// again in the next round.
func Mix(parts ...Strategy) Strategy { return &mixture{parts: parts} }

// Next implements Strategy.
func (m *mixture) Next(n int) (runs []*Run) {
	for empty := 0; len(runs) < n && empty < len(m.parts); {
		part := m.parts[m.turn%len(m.parts)]
		m.turn++
		one := part.Next(1)
		if len(one) == 0 {
			empty++
			continue
		}
		empty = 0
		one[0].owner = part
		runs = append(runs, one[0])
	}
	return runs
}

// Learn implements Strategy.
func (m *mixture) Learn(runs []*Run) {
	for _, part := range m.parts {
		var own []*Run
		for _, r := range runs {
			if r.owner == part {
				own = append(own, r)
			}
		}
		if own != nil {
			part.Learn(own)
		}
	}
}

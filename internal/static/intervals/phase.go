// Phases: which accesses two threads may make between the same barriers.

package intervals

import "github.com/ptxsan/ptxsan/internal/static/symbolic"

// Phase is a case in which two threads make two accesses between the same barriers: a condition on the iterations of
// loops.
type Phase []Rounds

// Rounds is the condition of a phase on one loop. With Thread 0, the first thread is Count iterations ahead of the
// second; otherwise thread 1 or 2 is in iteration Count.
type Rounds struct {
	Loop   *symbolic.Loop
	Thread int
	Count  int64
}

// Phases returns the cases in which two accesses may be made between the same barriers; none if a barrier always
// separates them.
func (b *Barriers) Phases(x, y *symbolic.Access) []Phase {
	var out []Phase
	if b.later(x, y) || b.later(y, x) {
		out = append(out, Phase{})
	}
	seen := make(map[[2]after]bool)
	for _, p := range b.reached[place{x.Frame, x.Inst.Index}] {
		for _, q := range b.reached[place{y.Frame, y.Inst.Index}] {
			if key := [2]after{p, q}; b.concur(p, q) && !seen[key] {
				seen[key] = true
				out = append(out, b.phase(p, q))
			}
		}
	}
	return out
}

// Separate reports whether a barrier always separates two accesses: there are no Phases.
func (b *Barriers) Separate(x, y *symbolic.Access) bool {
	if b.later(x, y) || b.later(y, x) {
		return false
	}
	for _, p := range b.reached[place{x.Frame, x.Inst.Index}] {
		for _, q := range b.reached[place{y.Frame, y.Inst.Index}] {
			if b.concur(p, q) {
				return false
			}
		}
	}
	return true
}

// concur reports whether two threads may make two accesses, which they reach in these ways, between the same barriers.
func (b *Barriers) concur(p, q after) bool {
	from := &b.starts[p.start]
	return (p.start == q.start || from.class != 0 && from.class == b.starts[q.start].class) && !from.exclusive(p, q)
}

// exclusive reports whether two accesses behind the same start lie on paths of which threads cannot take one each: they
// differ at one of the first branches, which are uniform, or in the iteration of leaving a loop around the barrier. All
// threads leave such a loop in the same iteration, unless they end; what ending threads do is not ordered by later
// barriers (later).
func (p *point) exclusive(x, y after) bool {
	if p.class != 0 {
		return false
	}
	if x.trail.excludes(y.trail) {
		return true
	}
	for i := range min(p.around, maxTurns) {
		s, t := x.turns[i], y.turns[i]
		if s == turnLeft && goesOn(t) || t == turnLeft && goesOn(s) {
			return true
		}
	}
	return false
}

func (b *Barriers) phase(p, q after) Phase {
	var out Phase
	from := &b.starts[p.start]
	for i, l := range from.loops {
		if i == maxTurns {
			break
		}
		if i < from.around && from.class == 0 {
			out = append(out, between(l, p.turns[i], q.turns[i])...)
		}
	}
	return append(b.first(p, 1, out), b.first(q, 2, nil)...)
}

// between returns the condition on a loop's iterations from two accesses behind a barrier in the loop.
func between(l *symbolic.Loop, x, y uint8) Phase {
	s, ok1 := ahead(x)
	t, ok2 := ahead(y)
	if ok1 && ok2 {
		return Phase{{l, 0, s - t}}
	}
	if n, ok := entered(x); ok && ok2 {
		return Phase{{l, 2, n + t}}
	}
	if n, ok := entered(y); ok && ok1 {
		return Phase{{l, 1, n + s}}
	}
	return nil
}

// first adds the iteration numbers in the loops that a thread has entered since the barrier.
func (b *Barriers) first(p after, thread int, out Phase) Phase {
	for i, l := range b.starts[p.start].loops {
		if i == maxTurns {
			break
		}
		if n, ok := roundOf(p.turns[i]); ok {
			out = append(out, Rounds{l, thread, n})
		}
	}
	return out
}

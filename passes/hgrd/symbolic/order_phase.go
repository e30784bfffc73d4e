// Phases: what two threads may do between the same barriers.

package symbolic

// Phase is a way in which two threads may make two accesses between the same barriers: a
// condition on the rounds of loops.
type Phase []Rounds

// Rounds is what a phase says of a loop. With Thread 0, the first thread is Count rounds ahead
// of the second; else that thread is in round Count.
type Rounds struct {
	Loop   *Loop
	Thread int
	Count  int64
}

// Phases are the ways in which two accesses may be made between the same barriers, none when
// a barrier is always between them.
func (b *Barriers) Phases(x, y *Access) []Phase {
	var out []Phase
	if b.later(x, y) || b.later(y, x) {
		out = append(out, Phase{})
	}
	seen := make(map[[2]after]bool)
	for _, p := range b.reached[place{x.Frame, x.Inst.Index}] {
		for _, q := range b.reached[place{y.Frame, y.Inst.Index}] {
			from := &b.starts[p.start]
			if p.start != q.start && (from.class == 0 || from.class != b.starts[q.start].class) {
				continue
			}
			if key := [2]after{p, q}; !seen[key] {
				seen[key] = true
				out = append(out, b.phase(p, q))
			}
		}
	}
	return out
}

func (b *Barriers) phase(p, q after) Phase {
	var out Phase
	from := &b.starts[p.start]
	for i, l := range from.loops {
		if i == maxTurns {
			break
		}
		s, t := p.turns[i], q.turns[i]
		if i < from.around && from.class == 0 && s <= turnOne && t <= turnOne {
			out = append(out, Rounds{l, 0, int64(s) - int64(t)})
		}
	}
	return append(b.first(p, 1, out), b.first(q, 2, nil)...)
}

// first adds the rounds of loops that a thread has entered since the barrier.
func (b *Barriers) first(p after, thread int, out Phase) Phase {
	for i, l := range b.starts[p.start].loops {
		if i < maxTurns && p.turns[i] >= turnFirst {
			out = append(out, Rounds{l, thread, int64(p.turns[i] - turnFirst)})
		}
	}
	return out
}

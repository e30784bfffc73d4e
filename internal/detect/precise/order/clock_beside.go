// Lazy joins of what a thread has known for long with what another thread releases again and again.

package order

// A thread that acquires the releases of another one, one after the other, joins each of them with the same clock: that
// which it had before the first. Later releases include the earlier ones, so that only the last join matters, and only
// if some thread needs its tree. Such a join is a clock of which before is the release, and known what the thread knew
// besides. A thread that acquires it from that thread joins it in the same way with its own clock, and so on.
//
// That is for programs in which observers acquire. With fences, threads acquire joins of several releases, which do not
// include earlier ones in that way.

// JoinTuning is about joins of clocks whose trees are not made: clock_beside.go.
type JoinTuning struct {
	Always  bool  // in all programs, and not only where observers acquire
	Longest uint8 // length of a chain of lazy clocks that contains such joins. A look-up may visit every clock of the chain
	Nodes   int   // of the largest tree for which an ordinary join takes so little time that it is made
}

// joinBeside returns the lazy join of a thread's clock a with a clock b that the thread acquires. It returns nil if an
// ordinary join, which builds a tree, is as fast. Neither clock may cover the other one. Fields known, by and at of the
// result are those of a: thread by has had known since time at, so that covers can find out whether a clock includes
// it.
func (m *Merges) joinBeside(a, b *Clock) *Clock {
	if !m.Beside || a.Fenced != b.Fenced || a.parts != nil || b.parts != nil || b.isSmall(m.Lazy.Nodes) {
		return nil
	}
	switch {
	case a.isBeside() && b.covers(a.Before): // what is beside is joined with a later release in place of the one before
	case !a.isSmall(m.Lazy.Nodes):
		a.treeBy(&m.builder)
	default:
		return nil
	}
	if b.behind >= m.Lazy.Longest {
		b.treeBy(&m.builder)
	}
	return &Clock{
		Known: a.Known, Fenced: b.Fenced, By: a.By, At: a.At, Before: b, behind: b.behind + 1,
		Kind: IsJoin | HasBeside, latest: max(a.Known.Latest(), b.bound()),
	}
}

// isSmall reports whether the tree of a clock has few nodes.
func (c *Clock) isSmall(few int) bool { return c.Kind&HasBeside == 0 && c.oldest().Known.IsSmall(few) }

// isBeside reports whether a clock is a join that joinBeside has made, and whose tree has not been made.
func (c *Clock) isBeside() bool { return c.Kind&IsJoin != 0 }

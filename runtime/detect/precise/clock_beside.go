// Lazy joins of what a thread has known for long with what another thread releases again and again.

package precise

// A thread that acquires the releases of another one, one after the other, joins each of them with the same clock: that which it had
// before the first. Later releases include the earlier ones, so that only the last join matters, and only if some thread needs its
// tree. Such a join is a clock of which before is the release, and known what the thread knew besides. A thread that acquires it from
// that thread joins it in the same way with its own clock, and so on.
//
// That is for programs in which observers acquire. With fences, threads acquire joins of several releases, which do not include earlier
// ones in that way.

// joinBeside returns the lazy join of a thread's clock a with a clock b that the thread acquires. It returns nil if an ordinary join, which
// builds a tree, is as fast. Neither clock may cover the other one. Fields known, by and at of the result are those of a:
// thread by has had known since time at, so that covers can find out whether a clock includes it.
func (m *merges) joinBeside(a, b *clock) *clock {
	if !m.beside || a.fenced != b.fenced || a.parts != nil || b.parts != nil || b.isSmall(m.lazy.nodes) {
		return nil
	}
	switch {
	case a.isBeside() && b.covers(a.before): // what is beside is joined with a later release in place of the one before
	case !a.isSmall(m.lazy.nodes):
		a.treeBy(&m.builder)
	default:
		return nil
	}
	if b.behind >= m.lazy.longest {
		b.treeBy(&m.builder)
	}
	return &clock{known: a.known, fenced: b.fenced, by: a.by, at: a.at, before: b, behind: b.behind + 1, kind: isJoin | hasBeside, latest: max(a.known.Latest(), b.bound())}
}

// isSmall reports whether the tree of a clock has few nodes.
func (c *clock) isSmall(few int) bool { return c.kind&hasBeside == 0 && c.oldest().known.IsSmall(few) }

// isBeside reports whether a clock is a join that joinBeside has made, and whose tree has not been made.
func (c *clock) isBeside() bool { return c.kind&isJoin != 0 }

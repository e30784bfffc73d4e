// Lazy joins of what a thread has known for long with what another thread releases again and again.

package precise

// A thread that acquires the releases of another one, one after the other, joins each of them with the same clock: that which it had
// before the first. Later releases include the earlier ones, so that only the last join matters, and only if some thread needs its
// tree. Such a join is a clock of which before is the release, and known what the thread knew besides. A thread that acquires it from
// that thread joins it in the same way with its own clock, and so on.
//
// That is for programs in which observers acquire. With fences, threads acquire joins of several releases, which do not include earlier
// ones in that way.

// maxBeside is the maximal length of a chain of clocks without a tree that contains such joins. A look-up may have to visit all of them.
var maxBeside uint8 = 64

// joinsBeside has all launches join in this way.
var joinsBeside bool

// fewNodes is the number of nodes of a tree whose join takes little.
var fewNodes = 8

// joinBeside returns the join of clock a of a thread with a clock b that it acquires, without making its tree; nil if the tree should
// be made, since that takes little. Neither clock covers the other one. Fields by and at of the result say from when on a thread has had
// what is beside, so that covers finds out whether b has it, too.
func (m *merges) joinBeside(a, b *clock) *clock {
	if !m.beside || a.fenced != b.fenced || a.parts != nil || b.parts != nil || b.isSmall() {
		return nil
	}
	switch {
	case a.isBeside() && b.covers(a.before): // what is beside is joined with a later release in place of the one before
	case !a.isSmall():
		a.treeBy(&m.builder)
	default:
		return nil
	}
	if b.behind >= maxBeside {
		b.treeBy(&m.builder)
	}
	return &clock{known: a.known, fenced: b.fenced, by: a.by, at: a.at, before: b, behind: b.behind + 1, kind: isJoin | hasBeside, latest: max(a.known.Latest(), b.bound())}
}

// isSmall reports whether the tree of a clock has few nodes.
func (c *clock) isSmall() bool { return c.kind&hasBeside == 0 && c.oldest().known.IsSmall(fewNodes) }

// isBeside reports whether a clock is a join that joinBeside has made, and whose tree has not been made.
func (c *clock) isBeside() bool { return c.kind&isJoin != 0 }

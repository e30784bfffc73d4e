// Lazy joins of what a thread has known for long with what another thread releases again and again.

package precise

import "github.com/ptxsan/ptxsan/runtime/detect/internal/vclock"

// A thread that acquires the releases of another one, one after the other, joins each of them with the same clock: that which it had
// before the first. Later releases include the earlier ones, so that only the last join matters, and only if some thread needs its
// tree. Such a join is a clock of which before is the release, and known what the thread knew besides. A thread that acquires it from
// that thread joins it in the same way with its own clock, and so on.

// maxBeside is the maximal length of a chain of clocks without a tree that contains such joins. A look-up may have to visit all of them.
var maxBeside uint8 = 12

// fewNodes is the number of nodes of a tree whose join takes little.
var fewNodes = 8

// joinBeside returns the join of clock a of a thread with a clock b that it acquires, without making its tree; nil if the tree should
// be made, since that takes little. Neither clock covers the other one. Fields by and at of the result say from when on a thread has had
// what is beside, so that covers finds out whether b has it, too.
func (m *merges) joinBeside(a, b *clock) *clock {
	if a.fenced != b.fenced || a.parts != nil || b.parts != nil || b.oldest().known.IsSmall(fewNodes) {
		return nil
	}
	switch {
	case a.isBeside() && b.covers(a.before): // what is beside is joined with a later release in place of the one before
	case !a.oldest().known.IsSmall(fewNodes):
		a.treeBy(m)
	default:
		return nil
	}
	if b.behind >= maxBeside {
		b.treeBy(m)
	}
	return &clock{known: a.known, fenced: b.fenced, by: a.by, at: a.at, before: b, behind: b.behind + 1, kind: hasBeside}
}

// isBeside reports whether a clock is a join that joinBeside has made, and whose tree has not been made.
func (c *clock) isBeside() bool { return c.before != nil && c.known != nil }

// besideUnions caches the join of what is beside in a chain of clocks, by the thread that released the latest of them: from one of its
// releases to the next, it is usually the same.
type besideUnions [1 << unionBits]struct {
	list  [maxUnion]*vclock.Clock
	union *vclock.Clock
}

const (
	unionBits = 10
	maxUnion  = 8
)

// besides returns the join of what is beside in the chain that ends with c. m may be nil.
func (m *merges) besides(c *clock) (union *vclock.Clock) {
	var list [maxUnion]*vclock.Clock
	n := 0
	for x := c; x.before != nil; x = x.before {
		if x.isBeside() {
			if n == len(list) {
				list[0] = vclock.Join(list[0], list[n-1])
				n--
			}
			list[n] = x.known
			n++
		}
	}
	if m == nil {
		return joinAll(list[:n])
	}
	x := &m.unions[(uint32(c.by.unit)*0x9e3779b1+uint32(c.by.lane)*0x85ebca6b)>>(32-unionBits)]
	if x.list != list {
		x.list, x.union = list, joinAll(list[:n])
	}
	return x.union
}

// joinAll returns the join of some clocks.
func joinAll(list []*vclock.Clock) *vclock.Clock {
	var to vclock.Builder
	var union *vclock.Clock
	for _, c := range list {
		union = to.Join(union, c)
	}
	to.Finish()
	return union
}

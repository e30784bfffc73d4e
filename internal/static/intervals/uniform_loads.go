// Loads from shared memory that have the same value in all threads of a block.

package intervals

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/symbolic"
)

// Steady reports whether no thread of a block can make one of the writes in the same barrier interval as a read,
// whichever branches the threads take in that interval. It also requires that the barriers before the read are the same
// for all threads. Then the memory of the read does not change during the interval.
func (b *Barriers) Steady(read *symbolic.Access, writes []*symbolic.Access) bool {
	for _, p := range b.reached[place{read.Frame, read.Inst.Index}] {
		if b.starts[p.start].class != 0 {
			return false
		}
		for _, w := range writes {
			behind := func(q after) bool { return q.start == p.start }
			if slices.ContainsFunc(b.reached[place{w.Frame, w.Inst.Index}], behind) || b.later(read, w) ||
				b.later(w, read) {
				return false
			}
		}
	}
	return true
}

// Even reports whether all threads of a block pass the same barriers, and none ends while others pass further ones.
func (b *Barriers) Even() bool {
	return !b.uneven
}

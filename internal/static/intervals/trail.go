// The first branches behind a barrier: as long as these are uniform, all threads are on the same path.

package intervals

import (
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/rewrite"
)

// maxTrail limits the branches of a trail.
const maxTrail = 2

// trail holds the successors that a thread has taken at the first branches since a start, all of which are uniform in
// the block, or team.
type trail struct {
	n     int8
	ended bool // at a branch that may diverge, or at the limit
	sides [maxTrail]uint8
}

// further returns a trail extended by the branch of a block to one of its successors.
func (b *Barriers) further(t trail, f *symbolic.Frame, blk *rewrite.Block, side int) trail {
	switch {
	case t.ended || len(blk.Succs) < 2:
	case t.n == b.trails || side > 255 || f.CFG.Degenerate || f.Diverges(b.team, blk):
		t.ended = true
	default:
		t.sides[t.n] = uint8(side)
		t.n++
	}
	return t
}

// excludes reports whether two trails differ at a uniform branch, so that threads of a block cannot be on both.
func (t trail) excludes(o trail) bool {
	for i := range min(t.n, o.n) {
		if t.sides[i] != o.sides[i] {
			return true
		}
	}
	return false
}

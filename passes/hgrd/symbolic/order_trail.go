// The first branches behind a barrier: as long as all threads take them alike, they are on one way.

package symbolic

import "github.com/ptxsan/ptxsan/rewrite"

// maxTrail limits the branches of a trail.
const maxTrail = 2

// trail is the successors that a thread has taken at the first branches since a start, all of
// which the threads of a block take alike.
type trail struct {
	n     int8
	ended bool // where they may part, or at the limit
	sides [maxTrail]uint8
}

// further returns a trail behind a block that is left to one of its successors.
func (b *Barriers) further(t trail, f *Frame, blk *rewrite.Block, side int) trail {
	switch {
	case t.ended || len(blk.Succs) < 2:
	case t.n == b.trails || side > 255 || f.cfg.Degenerate || f.uniformity().parts[blk.Index]:
		t.ended = true
	default:
		t.sides[t.n] = uint8(side)
		t.n++
	}
	return t
}

// parts reports whether two threads that have gone together would have parted at a branch that
// all take alike.
func (t trail) parts(o trail) bool {
	for i := range min(t.n, o.n) {
		if t.sides[i] != o.sides[i] {
			return true
		}
	}
	return false
}

// Barriers of a block that not all of its threads pass together: PTX allows them, CUDA C does not.

package emu

import (
	"cmp"
	"slices"
	"sync"

	"github.com/ptxsan/ptxsan/rewrite"
)

// SplitBarrier is an aligned barrier 0 without a count, which is what __syncthreads() is made to,
// that completed though the threads of the block did not all come to one place: CUDA C leaves that
// undefined. Threads of one warp at two places are a fault.
type SplitBarrier struct {
	At *rewrite.Inst
	// Other is where threads of other warps waited; nil when they had exited.
	Other *rewrite.Inst
}

// splitBarriers are those of a launch, and of the grids that it launches.
type splitBarriers struct {
	mu   sync.Mutex
	seen map[SplitBarrier]bool
}

func (s *splitBarriers) add(b SplitBarrier) {
	if b.At == nil {
		return
	}
	if b.Other != nil && b.Other.Line < b.At.Line {
		b.At, b.Other = b.Other, b.At
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen == nil {
		s.seen = make(map[SplitBarrier]bool)
	}
	s.seen[b] = true
}

// list is in the order of lines.
func (s *splitBarriers) list() (list []SplitBarrier) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for b := range s.seen {
		list = append(list, b)
	}
	other := func(b SplitBarrier) int {
		if b.Other == nil {
			return 0
		}
		return b.Other.Line
	}
	slices.SortFunc(list, func(a, b SplitBarrier) int {
		return cmp.Or(a.At.Line-b.At.Line, other(a)-other(b))
	})
	return list
}

// noteSplit records that barrier id completes with threads of the block at several places or
// gone.
func (x *engine) noteSplit(c *cta, b *barrier, id int) {
	if id != 0 || b.need != 0 || len(b.waiting) == 0 || !barrierAt(b.waiting[0]).aligned {
		return
	}
	first := b.waiting[0]
	at := func(g *group) *rewrite.Inst { return x.blameAt(g.frame, g.pc) }
	if uint64(c.live) < x.l.block.count() {
		x.l.splits.add(SplitBarrier{At: at(first)})
		return
	}
	for _, g := range b.waiting[1:] {
		if g.pc == first.pc && g.frame.fn == first.frame.fn {
			continue
		}
		if p, q := at(first), at(g); p != nil && q != nil && !sameSource(p, q) {
			x.l.splits.add(SplitBarrier{p, q})
		}
	}
}

// sameSource reports whether two instructions were made from one place of the source.
func sameSource(a, b *rewrite.Inst) bool {
	if a == b {
		return true
	}
	l, m := a.Loc, b.Loc
	for ; l != nil && m != nil; l, m = l.InlinedAt, m.InlinedAt {
		if l.File != m.File || l.Line != m.Line {
			return false
		}
	}
	return a.Loc != nil && l == nil && m == nil
}

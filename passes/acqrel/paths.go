// Paths from an instruction to fences, forwards and backwards.

package acqrel

import (
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
)

// direction is the direction of a search for fences.
type direction bool

const (
	forward  direction = false
	backward direction = true
)

// always reports whether on every path from or to an instruction, an instruction with the wanted fact comes before one
// with a stopping fact and before the end or the beginning of the function.
func (fd *finder) always(in *rewrite.Inst, want, stop fact, d direction) bool {
	visited := make(map[*rewrite.Block]bool)
	work := []*rewrite.Block{fd.cfg.BlockOf[in.Index]}
	from := in.Index
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		switch fd.scan(b, from, want, stop, d) {
		case stopped:
			return false
		case passed:
			next := b.Succs
			if d == backward {
				next = b.Preds
			}
			if len(next) == 0 {
				return false
			}
			for _, n := range next {
				if !visited[n] {
					visited[n] = true
					work = append(work, n)
				}
			}
		}
		from = -1
	}
	return true
}

// outcome is the result of a scan.
type outcome uint8

const (
	passed outcome = iota
	wanted
	stopped
)

// scan searches a block, from an instruction on or from its edge.
func (fd *finder) scan(b *rewrite.Block, from int, want, stop fact, d direction) outcome {
	facts := slices.Clone(fd.facts[b.Start:b.End])
	switch {
	case from >= 0 && d == forward:
		facts = facts[from+1-b.Start:]
	case from >= 0:
		facts = facts[:from-b.Start]
	}
	if d == backward {
		slices.Reverse(facts)
	}
	for _, f := range facts {
		switch {
		case f&want != 0:
			return wanted
		case f&stop != 0:
			return stopped
		}
	}
	return passed
}

// Loads from shared memory that have the same value in all threads of a block.

package symbolic

import (
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
)

// AssumeUniform states which loads from shared memory read the same value in all threads if these read at the same address between
// the same barriers. It replaces what was stated before. Barriers that were determined before remain as they are.
func (k *Kernel) AssumeUniform(loads map[*rewrite.Inst]bool) {
	k.alike = loads
	for _, f := range k.Frames {
		f.uni = nil
	}
}

// Steady reports whether all threads of a block come to a read from the same barriers, and no path leads from one of these to a write
// without passing another barrier. Then the memory does not change between the barriers of the read, whichever branches the threads
// take there.
func (b *Barriers) Steady(read *Access, writes []*Access) bool {
	for _, p := range b.reached[place{read.Frame, read.Inst.Index}] {
		if b.starts[p.start].class != 0 {
			return false
		}
		for _, w := range writes {
			behind := func(q after) bool { return q.start == p.start }
			if slices.ContainsFunc(b.reached[place{w.Frame, w.Inst.Index}], behind) || b.later(read, w) || b.later(w, read) {
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

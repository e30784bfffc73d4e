// A pool of reusable slices.

package scord

import "github.com/ptxsan/ptxsan/runtime/hugepage"

// pool holds values that are taken and given back by index. They are not moved.
type pool[T any] struct {
	slabs []*[1 << slabBits]T
	used  uint32   // indices below have been taken
	free  []uint32 // indices given back
}

const slabBits = 6 // log2 of the values allocated together

// again takes all values back.
func (p *pool[T]) again() { p.used, p.free = 0, p.free[:0] }

// take returns a value with unspecified contents, and its index.
func (p *pool[T]) take() (at uint32, v *T) {
	if last := len(p.free) - 1; last >= 0 {
		at = p.free[last]
		p.free = p.free[:last]
		return at, p.at(at)
	}
	at = p.used
	if p.used++; int(at>>slabBits) == len(p.slabs) {
		p.slabs = append(p.slabs, hugepage.Object(new([1 << slabBits]T)))
	}
	return at, p.at(at)
}

// at returns the value with an index.
func (p *pool[T]) at(at uint32) *T {
	return &p.slabs[at>>slabBits][at&(1<<slabBits-1)]
}

// give gives the value with an index back.
func (p *pool[T]) give(at uint32) { p.free = append(p.free, at) }

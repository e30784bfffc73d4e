// A pool of reusable slices.

package scord

import "github.com/ptxsan/ptxsan/runtime/hugepage"

// pool is values that are taken and given back, each at its place. They are not
// moved.
type pool[T any] struct {
	slabs []*[1 << slabBits]T
	used  uint32   // places below have been taken
	free  []uint32 // and these given back
}

const slabBits = 6 // values that are allocated together

// again takes all values back.
func (p *pool[T]) again() { p.used, p.free = 0, p.free[:0] }

// take is a value, whatever is in it, and its place.
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

// at is the value at a place.
func (p *pool[T]) at(at uint32) *T {
	return &p.slabs[at>>slabBits][at&(1<<slabBits-1)]
}

// give gives the value at a place back.
func (p *pool[T]) give(at uint32) { p.free = append(p.free, at) }

// Package slab allocates small objects of detectors several at a time.
//
// Detectors make hundreds of thousands of clocks and releases in a launch, of which most are
// dropped together. An allocation by itself costs more than what is done with the object. The
// package must not know what the objects are.
package slab

import "github.com/ptxsan/ptxsan/internal/hugepage"

// Of holds objects that have been allocated and not been returned yet. The zero value has none. As long as one object
// of a slab is in use, none of them is freed.
type Of[T any] []T

// length is the number of objects allocated together. As many stay in memory for one that is in use.
const length = 8

// Next returns the next object, which is zero.
func (s *Of[T]) Next() *T {
	if len(*s) == 0 {
		*s = hugepage.Slice(make([]T, length))
	}
	x := &(*s)[0]
	*s = (*s)[1:]
	return x
}

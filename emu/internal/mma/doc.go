// Package mma is the semantics of matrix instructions: fragments in registers, matrices in shared memory, products of a
// warp and of a warpgroup. Package matrix has the arithmetic.
//
// The package must not know scheduling or memory beyond the accesses that it makes.
package mma

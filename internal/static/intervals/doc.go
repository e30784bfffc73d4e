// Package intervals computes the barrier intervals of a kernel: which barriers two threads pass, and which of their
// accesses lie between the same barriers, in which iterations of the loops around them.
//
// What enters is a kernel (internal/static/symbolic) and the team of threads whose barriers count; what leaves are, for
// two accesses, the phases in which both may be made ([Phase]), and the same for asynchronous copies and for the barrier
// of a cluster.
//
// The package must not know formulas of addresses, solvers and races.
package intervals

// Package replay executes one thread of a kernel exactly, on given values, and returns the
// accesses that it makes. The static race detector confirms its witnesses with it: a witness is
// true because threads were executed with its values, not because formulas say so.
//
// The contents of memory are unknown unless the caller gives them. Values computed from unknown
// values are unknown too, and a thread whose path depends on one is not followed beyond that
// place. So whatever a trace contains happens in every execution of the launch.
//
// The package interprets integers and control flow. It must not know formulas, solvers, or what a
// race is.
package replay

// Package hgrd proves that the accesses of a kernel do not race, whatever its input, or finds
// an input for which they do: the static analysis of "A Case For Host Code Guided GPU Data
// Race Detector" (HGRD), on PTX.
//
//	Analyze    pairs of accesses, what each would need to race, verdicts
//
// For every two accesses of one object of which one writes (§6.1 of the paper), the conditions
// under which different threads make them at one address, between the same barriers, are
// formulas (passes/hgrd/symbolic) that a solver decides together with what host code says of
// the launch (passes/hgrd/facts, §6.3). A pair that no values satisfy is clean. Values
// that satisfy them are tried: both threads are executed with them (replay), and the pair
// is racy when they make the accesses, and nothing that they do could order them. Everything
// else is possible, with the reason.
//
// "Race" is that of the PTX memory consistency model, as in docs/guarantees.md: accesses that
// are morally strong do not race, volatile accesses are strong, equal values are no excuse,
// lock-step orders nothing.
//
// The package must not know where facts come from, nor how reports look.
package hgrd

// Package symbolic says what a thread of a kernel computes as formulas over its indices
// and the kernel's parameters: the address of each access, and the condition under which
// a thread gets there.
//
// What enters is a resolved kernel (rewrite.Func). Device functions that it calls directly
// are followed as if they stood in its place (Frame); registers are looked up in the SSA
// form of each function when they are needed. A value is an exact integer that is congruent
// to the register modulo its width; where its reading as a signed or unsigned number
// matters, expr.Wrap reduces it, and vanishes when the ranges of its variables leave nothing
// to reduce. Registers that loops carry are init + step*k with one variable k per loop.
// What is not understood, loads from memory above all, is a variable of its own, whose
// Origin tells why.
//
// Conditions are necessary ones: a thread that gets to an instruction fulfils them, with
// the variables of loops at their most recent round.
//
// The package must not know pairs of accesses, races, solvers or the host.
package symbolic

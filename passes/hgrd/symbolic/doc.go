// Package symbolic computes what a thread of a kernel does as formulas over its indices and the
// kernel's parameters: the address of each access, and the condition under which a thread reaches
// it.
//
// What enters is a resolved kernel (rewrite.Func). Device functions that it calls directly are
// followed as if they were inlined (Frame). Registers are looked up in the SSA form of each
// function when they are needed. A value is an exact integer that is congruent to the register
// modulo its width. Where its reading as a signed or unsigned number matters, expr.Wrap reduces
// it, and is dropped when the ranges of its variables leave nothing to reduce. Registers that
// loops carry are init + step*k with one variable k per loop. Values that are not understood,
// above all loads from memory, are variables of their own, whose Origin gives the reason.
//
// Conditions are necessary ones: a thread that reaches an instruction satisfies them, with the
// variables of loops at their most recent round.
//
// The package must not know pairs of accesses, races, solvers or the host.
package symbolic

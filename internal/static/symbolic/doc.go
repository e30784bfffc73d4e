// Package symbolic computes what a thread of a kernel does as formulas over its indices and the
// kernel's parameters: the address of each access, and the condition under which a thread reaches
// it.
//
// The input is a resolved kernel (rewrite.Func). Device functions that it calls directly are treated as if they were
// inlined (Frame). Registers are evaluated on demand in the SSA form of each function. A value is an exact integer that
// is congruent to the register modulo its width. Where its interpretation as a signed or unsigned number matters,
// expr.Wrap reduces it; the reduction is dropped when the ranges of its variables make it unnecessary. Registers
// carried by loops are init + step*k with one variable k, the number of the iteration (called round), per loop. Values
// that are not modeled, above all loads from memory, are variables of their own, whose Origin gives the reason.
//
// Conditions are necessary ones: a thread that reaches an instruction satisfies them, with the variables of loops at
// their most recent iteration.
//
// The package must not know pairs of accesses, races, solvers or the host.
package symbolic

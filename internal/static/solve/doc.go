// Package solve decides formulas of package expr: whether values of the variables satisfy all of
// them, which values, and which of the named facts are needed to exclude any.
//
// The formulas of the race detector multiply: a thread's row with the width of a matrix that the
// host passes. General solvers mostly give up on such arithmetic. This one implements what HGRD's
// constraint solver needs and no more:
//
//  1. Every comparison becomes a polynomial (poly.go, translate.go). Division, remainder, shifts
//     and wrap-around become fresh variables q and r with x = d·q + r (divide.go).
//  2. An equation with a product is given lemmas that read it as a number in mixed radix
//     (radix.go); after that each product is a variable of its own, and all is linear.
//  3. A conflict-driven search over bounds of integer variables decides the linear problem
//     (search.go): clauses, intervals of linear constraints and of products (propagate.go), a
//     simplex tableau over exact rationals (simplex.go), branch and bound, learned clauses that
//     remember which facts they come from (trail.go).
//  4. A candidate must satisfy the formulas themselves, evaluated exactly (model.go). One whose
//     products are wrong is refined, and when that leads nowhere, small domains of the variables
//     are translated to bits (blast.go) for a Boolean solver (sat.go). Formulas with bitwise
//     operations are translated in full width, if that is small enough.
//
// So Unsat is a proof, Sat has a witness, and everything else is Unknown. Lemmas are tautologies
// and losing a constraint only makes Unknown more likely, not a wrong verdict. Budgets count work
// units, so a verdict does not depend on the machine.
//
// Why no other solver: z3 5.4.1 on the same linear problems, with the same lemmas, decided no pair more of 23 programs
// and one less (lu-decomposition: 145 of 146 pairs), in 0.7 to 12 times the processor time (lu-decomposition 1.0
// against 11.9 s, convolution-1d 0.03 against 1.9 s). With the formulas as they are it gives up on the products. A
// binding needs cgo, a build of it for WebAssembly is 20 to 30 MB and two to three times slower; both limit time
// instead of work, and neither gives a proof that package certificate can repeat.
//
// The package must not know PTX, host code, or what a race is.
package solve

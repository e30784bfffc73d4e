// Package expr represents the formulas of the static race detector: immutable expressions over
// exact integers, conditions over them, and their text.
//
// The kernel side makes addresses and path conditions of PTX, the host side makes facts of host
// code, and the solver decides whether two threads can meet. All of them use these two types:
//
//   - [Int], an integer of unbounded size. [Wrap] is the one operation that reduces a value to
//     the width of a register, so a formula says where wrap-around happens and nowhere else.
//   - [Bool], a condition in negation normal form.
//
// Constructors simplify: constants are folded, sums have one term for each distinct summand in a
// fixed order, and comparisons that follow from the ranges of the variables are decided. [Unknown]
// and [Maybe] stand for values and conditions about which nothing is known.
//
// Two variables are the same exactly when they have the same name and kind. A uniform variable
// has one value for all threads of a launch; the others have one value for each thread, and
// [Int.Instance] numbers them to speak of two threads in one formula.
//
// An expression has at most [MaxSize] nodes, a condition [MaxBoolSize], counted as trees, and a
// constant [MaxBits] bits. Where a result would be larger it is [Unknown] or [Maybe], so that any
// walk over a formula is bounded whatever it was made of.
//
// The package must not know PTX, host code, or how formulas are decided.
package expr

// MaxSize is the number of nodes that an integer expression may have, as a tree.
const MaxSize = 5_000

// MaxBoolSize is the number of nodes that a condition may have, as a tree.
const MaxBoolSize = 100_000

// MaxBits is the number of bits that a constant may have, and the bound of an interval.
const MaxBits = 4096

// Package kernel is the model of a kernel for the analysis of pairs: its accesses with their addresses, conditions and
// objects, its barriers and the teams of threads that wait at them, and its loads and the variables that stand for what
// they return.
//
// A [Builder] makes a [Model] in the order prepare, inspect, collect; what the model does not have is in its [Gaps].
// Afterwards the model does not change, other than that it keeps answers to questions that were asked before. The
// questions are about one or two accesses: to which object they are, whether they stay in it, whether an index wraps
// around, which barriers order them, and what is true in each case of what loops carry ([Cases]).
//
// The package must not know the rules about pairs, verdicts and witnesses.
package kernel

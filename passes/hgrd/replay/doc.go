// Package replay executes one thread of a kernel on values that are given, exactly, and says
// which accesses it makes: the witnesses of the static race detector are true because a
// thread was executed with them, not because formulas say so.
//
// What memory holds is not known, unless the caller says it. Values that are computed from
// what is not known are not known either; a thread whose way depends on one is not followed
// beyond that place. So what a trace has happens in every execution of the launch.
//
// The package knows integers and control flow. It must not know formulas, solvers, and what a
// race is.
package replay

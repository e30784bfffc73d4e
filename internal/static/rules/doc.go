// Package rules has the arguments about the two threads of a conflict that barriers and addresses do not have: by what
// the PTX memory model says of atomic operations, fences and contents of memory.
//
// A [Conflict] is that two threads make two accesses to common bytes, as formulas. The rules are listed in rules.go,
// each with a name by which a test can switch it off, and with its argument. What leaves are formulas that hold for the
// two threads, with the facts that they rest on; [expr.False] says that something orders the accesses.
//
// The package must not know verdicts, witnesses and the order in which pairs are decided.
package rules

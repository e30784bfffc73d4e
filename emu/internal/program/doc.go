// Package program decodes functions: instructions in order, calls in line, loops, what may be computed once, and the
// translation to programs in assembly. It also places variables and functions in memory.
//
// The package must not know how a program runs.
package program

// Package exec is the semantics of instructions: per chapter of the PTX manual, decode functions and the bodies that
// they choose. To emulate another opcode, add it to the table of its chapter.
//
// The package must not know the assembly that package program makes of functions, nor the scheduler.
package exec

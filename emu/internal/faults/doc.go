// Package faults records what is wrong with a kernel, with the lanes, calls and source lines to blame, and keeps the
// limits of a launch: steps, state, memory.
//
// The package must not know which instruction found the fault.
package faults

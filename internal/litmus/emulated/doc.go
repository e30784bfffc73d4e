// Package emulated runs litmus tests on the emulator: all orders of their conflicting operations, with the detector
// precise.
//
// The package must not know the memory model's axioms, command lines and files.
package emulated

// Package litmus reads litmus tests of the PTX memory consistency model: a few instructions on a few threads, where
// each thread runs, and a condition on the final states. The format is that of Dat3M's PTX tests, with types of
// accesses, offsets and clusters in addition (docs/litmus.md). A Test becomes a Kernel: ordinary PTX, and the launch
// that runs it.
//
// The package must not know how kernels are executed, nor which outcomes the memory model allows.
package litmus

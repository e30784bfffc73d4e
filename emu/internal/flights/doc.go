// Package flights completes asynchronous operations: it moves their bytes and signals the barrier objects and groups
// that wait for them.
//
// The package must not know which instruction has started an operation.
package flights

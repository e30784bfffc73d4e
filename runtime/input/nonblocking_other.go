//go:build !unix

// Opening files where that does not wait for pipes.

package input

// nonBlocking is no flag of these systems, where opening a file does not wait.
const nonBlocking = 0

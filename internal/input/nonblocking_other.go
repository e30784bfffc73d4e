//go:build !unix

// Opening files on systems where that does not block on pipes.

package input

// nonBlocking is 0: on these systems, opening a file does not block.
const nonBlocking = 0

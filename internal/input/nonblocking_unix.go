//go:build unix

// Opening files without blocking on pipes.

package input

import "syscall"

// nonBlocking opens a named pipe without waiting for the other end.
const nonBlocking = syscall.O_NONBLOCK

//go:build unix

// Opening files without waiting for pipes.

package input

import "syscall"

// nonBlocking opens a named pipe without waiting for the other end.
const nonBlocking = syscall.O_NONBLOCK

// Processor time of a thread, on Linux.

package main

import (
	"syscall"
	"time"
	"unsafe"
)

// processorTime is the time that the calling thread has run.
func processorTime() time.Duration {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)), 0); errno != 0 {
		panic("BUG: bench: no clock of the thread: " + errno.Error())
	}
	return time.Duration(t.Nano())
}

// Processor time of a thread, and memory of processes, on Linux.

package main

import (
	"os"
	"syscall"
	"time"
	"unsafe"
)

// processorTime returns the processor time of the calling thread.
func processorTime() time.Duration {
	const threadClock = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	if _, _, errno := syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&t)),
		0); errno != 0 {
		panic("BUG: bench: no clock of the thread: " + errno.Error())
	}
	return time.Duration(t.Nano())
}

// memoryOf returns the peak memory of a process in bytes.
func memoryOf(p *os.ProcessState) int64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return u.Maxrss * 1024
}

// ownMemory returns the peak memory of this process in bytes.
func ownMemory() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return u.Maxrss * 1024
}

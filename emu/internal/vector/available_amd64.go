//go:build !purego

// Running programs in assembly on amd64 with AVX2, FMA and BMI1.

package vector

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// handlers are the addresses of the handlers of each operation and run.
var handlers [numHandlers]handlersOf

func find(op Op) handlersOf { return handlers[op] }

// Available reports whether programs can run on this machine.
func Available() bool {
	return cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasBMI1 && cpu.X86.HasPOPCNT
}

// Run executes the program from c.At on.
func Run(c *Context) {
	yield()
	enter((*byte)(unsafe.Pointer(c)))
}

// yield is a preemption point for the Go runtime: it is not inlined and has a frame, so that it checks for stack
// growth, which the runtime uses to request preemption.
//
//go:noinline
func yield() {
	var frame [64]byte
	touch(&frame)
}

//go:noinline
func touch(*[64]byte) {}

// Faults: raising them, the instruction to blame, and the description of a launch in which no group can run.

package state

import (
	"fmt"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Fault is an error of the kernel: a GPU would kill the kernel, or never finish it.
type Fault struct {
	// Class is as in the report: out-of-bounds, misaligned, barrier-divergence,
	// deadlock, livelock, timeout, trap, assert, unsupported, uninitialised,
	// use-after-free, tensor-memory.
	Class   string
	Message string
	Kernel  string
	Block   Dim3
	Thread  Dim3
	Inst    *rewrite.Inst // nil if no instruction is to blame
	Address uint64        // generic; 0 when none
	Count   int           // number of threads with the same fault at the same instruction
	// Continued says that the fault stops nothing: the use of memory that was never written, or of a register of an
	// asynchronous operation.
	Continued bool
	Register  RegisterFault
}

// RegisterFault is what is wrong with a register of an asynchronous operation.
type RegisterFault uint8

// Error returns the fault in one line, with the position in the PTX file.
func (f *Fault) Error() string {
	at := ""
	if f.Inst != nil {
		at = f.Inst.Position().String() + ": "
	}
	return fmt.Sprintf("%s%s: %s, block %v thread %v of %s", at, f.Class, f.Message, f.Block, f.Thread, f.Kernel)
}

// InstAt returns the PTX instruction that the code at pc was decoded from.
func (fn *Function) InstAt(pc int32) *rewrite.Inst {
	return fn.SourceOf(fn.Code[pc].Src).In
}

// SourceOf returns the source of an instruction by Inst.Src.
func (fn *Function) SourceOf(src int32) Source {
	if src < 0 {
		return Source{}
	}
	return fn.Sources[src]
}

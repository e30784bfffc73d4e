// One step of a group of threads, as listeners see it.

package state

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Step is one instruction executed by a group of threads of a warp.
type Step struct {
	Inst  *rewrite.Inst
	Block uint64 // linear index in the grid
	Warp  uint32 // within the block
	// Live are the threads of the warp that have not exited. Active are the threads that execute this step together.
	// Mask has the threads of Active whose guard predicate is true.
	Live, Active, Mask uint32

	frame *Frame
	src   int32 // of the instruction in the frame's function
	// Stored returns what is in memory where a lane of Mask is about to access it, by an operand of at most 8 bytes.
	Stored func(lane int) (value uint64, ok bool)
}

// From sets the frame that the instruction is executed in, and its index among the sources of the frame's function.
func (s *Step) From(f *Frame, src int32) { s.frame, s.src = f, src }

// Register returns the value of a register of the instruction's function before a lane of Active executes the
// instruction, unless the register is a vector or has more than 64 bits. The value of a register that no instruction
// reads from there on is not specified.
func (s *Step) Register(r *rewrite.Reg, lane int) (value uint64, ok bool) {
	slot, ok := s.frame.Fn.slotOf(s.src, r)
	switch bits := r.Type.Bits(); {
	case !ok || r.Vec > 1 || bits > 64:
		return 0, false
	case r.Type == isa.Pred:
		return uint64(*s.frame.P(slot)>>lane) & 1, true
	default:
		return s.frame.Word(slot, bits > 32, lane), true
	}
}

// slotOf returns the slot of a register of the function, or of the inlined one, that has an instruction.
func (f *Function) slotOf(src int32, r *rewrite.Reg) (Slot, bool) {
	for _, b := range f.Bodies {
		if n := int(src) - b.First; n >= 0 && n < len(b.Src.Insts) {
			return b.Regs[r.Index], b.Src.Regs[r.Index] == r
		}
	}
	return 0, false
}

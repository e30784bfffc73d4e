// What a kernel computes once for a warp before it begins.

package program

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/exec"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// computesFixed reports whether an instruction computes one register, and does nothing else, from constants, parameters
// of the kernel, special registers that are the same in every block, and known registers.
func computesFixed(in *rewrite.Inst, known func(*rewrite.Reg) bool) bool {
	if in.Guard != nil || len(in.Operands) < 2 || in.Operands[0].Kind != rewrite.OperandReg ||
		in.Operands[0].Member != "" || in.Operands[0].Reg.Vec != 1 {
		return false
	}
	switch in.Instr.Class {
	case isa.ClassMemory:
		return loadsParam(in)
	case isa.ClassInteger, isa.ClassFloat, isa.ClassCompare, isa.ClassLogic, isa.ClassMove:
	default:
		return false
	}
	if Refuses(in) != "" || in.Effects() != 0 || in.Access.Kind != isa.AccessNone {
		return false
	}
	for i := range in.Operands[1:] {
		switch op := &in.Operands[1+i]; op.Kind {
		case rewrite.OperandImm:
		case rewrite.OperandReg:
			if op.Member != "" || op.Reg.Vec != 1 || in.Role(1+i) == isa.RoleDst || !known(op.Reg) {
				return false
			}
		case rewrite.OperandSpecial:
			if v, ok := decode.SpecialValueOf(op.Special.Name); !ok || v.Varies == decode.PerBlock {
				return false
			}
		case rewrite.OperandSymbol:
			if v, ok := op.Sym.(*rewrite.Var); !ok || v.Space != isa.SpaceShared && v.Space != isa.SpaceGlobal {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// loadsParam reports whether an instruction loads a whole register from a parameter of the kernel.
func loadsParam(in *rewrite.Inst) bool {
	op := &in.Operands[1]
	v, ok := op.Sym.(*rewrite.Var)
	return in.Instr.Name == "ld" && in.Access.Kind == isa.AccessLoad && in.Space == isa.SpaceParam &&
		op.Kind == rewrite.OperandAddr && ok && op.Reg == nil &&
		slices.Contains(in.Func.Params, v) && op.Off >= 0 && uint64(op.Off)+uint64(in.Access.Size) <= v.Size &&
		uint64(op.Off)%uint64(in.Access.Size) == 0
}

// preface decodes the instructions of the preface.
func preface(d *state.Decoder) (errs ptxgrammar.ErrorList) {
	if len(d.Fixed) == 0 {
		return nil
	}
	code := d.Fn.Code
	d.Fn.Code = nil
	for _, i := range d.Fixed {
		if err := appendUnder(d, d.Body.Src.Insts[i], int32(i), state.SlotTrue, 0, 0); err != nil {
			errs = AppendError(errs, d.Body.Src.Insts[i], err)
		}
	}
	end := state.Inst{Body: exec.DoNothing, Guard: state.SlotTrue, Src: -1}
	d.Fn.Preface = &state.Function{Src: d.Fn.Src, Code: append(d.Fn.Code, end), FormalBytes: d.Fn.FormalBytes}
	d.Fn.Code = code
	return errs
}

// What instructions return: values from memory, of other lanes, of clocks.

package steer

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// readsShared reports whether an instruction returns in registers what it has read from memory that threads share.
func readsShared(in *rewrite.Inst) bool {
	a := in.Access
	switch {
	case in.Instr.Class == isa.ClassFence || in.Instr.Class == isa.ClassBarrier:
		return false
	case a.Kind != isa.AccessNone:
		return a.Kind != isa.AccessStore && a.Space != isa.SpaceLocal && a.Space != isa.SpaceParam
	case in.Tcgen05():
		return in.Has("ld")
	}
	return in.Effects().Has(isa.ReadsMemory)
}

// differs names what an instruction returns that may differ between schedules whatever is in memory, "" for nothing.
func (w *Flow) differs(in *rewrite.Inst) string {
	switch {
	case in.ActiveMask():
		return "activemask"
	case in.Instr.Class == isa.ClassWarp && !in.Has("sync"):
		return in.Instr.Name + " without .sync"
	}
	switch m := in.Mbarrier(); m {
	case isa.MbarrierTest, isa.MbarrierTry:
		if !w.polls[in] {
			return "the result of " + in.Opcode()
		}
	case isa.MbarrierArrive, isa.MbarrierDrop:
		return "the state that " + in.Opcode() + " returns"
	case isa.MbarrierPending:
		return "the count of pending arrivals"
	}
	return ""
}

// computes reports whether the result of an instruction is computed from the value of operand n. Addresses do not count:
// they steer.
func computes(in *rewrite.Inst, n int) bool {
	spec := in.Decoded.Operands
	if n >= len(spec) {
		return true
	}
	switch spec[n].Role {
	case isa.RoleDst:
		return spec[n].Spec.Reads
	case isa.RoleAddr, isa.RoleLabel, isa.RoleCallee, isa.RoleSymbol:
		return false
	}
	return !in.Access.Atomic() && in.Access.Kind != isa.AccessLoad // what is read says what else has reached memory
}

// keeps reports whether the result of an instruction is the value of operand n, plus or minus a number without sources.
func (w *Flow) keeps(in *rewrite.Inst, n int) bool {
	if in.Operands[0].Kind != rewrite.OperandReg && in.Operands[0].Kind != rewrite.OperandPair {
		return false
	}
	others := func(list ...int) bool {
		for _, i := range list {
			if i != n && !w.sourceless(in, &in.Operands[i]) {
				return false
			}
		}
		return true
	}
	switch in.Instr.Calc {
	case isa.CalcCopy, isa.CalcConvert, isa.CalcConvertAddress:
		return n == 1
	case isa.CalcSub:
		return n == 1 && others(2)
	case isa.CalcAdd:
		return others(1, 2)
	case isa.CalcOr: // the number of a lane, in an address in tensor memory
		return len(in.Operands) == 3 && others(1, 2) && lanes(in, &in.Operands[3-n])
	case isa.CalcMulAdd, isa.CalcMulAdd24:
		return n == 3 && others(1, 2)
	case isa.CalcSelect:
		return n < 3
	}
	return in.Effects().Has(isa.Shuffles) && n == 1
}

// laneShift is the lowest bit of the number of a lane in addresses in tensor memory.
const laneShift = 16

// lanes reports whether the bits below the number of a lane are zero in an operand.
func lanes(in *rewrite.Inst, o *rewrite.Operand) bool {
	if o.Kind == rewrite.OperandImm {
		return o.Imm%(1<<laneShift) == 0
	}
	if o.Kind != rewrite.OperandReg {
		return false
	}
	defs, undefined := in.Func.DefUse().Defs(in, o.Reg)
	if undefined || len(defs) != 1 || len(defs[0].Operands) != 3 || defs[0].Guard != nil {
		return false
	}
	by := &defs[0].Operands[2]
	switch defs[0].Instr.Calc {
	case isa.CalcShiftLeft:
		return by.Kind == rewrite.OperandImm && by.Imm >= laneShift
	case isa.CalcAnd:
		return by.Kind == rewrite.OperandImm && by.Imm%(1<<laneShift) == 0
	}
	return false
}

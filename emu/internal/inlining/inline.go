// Inlining: which calls are inlined, and how they pass arguments and results.

package inlining

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// Limits of inlining, in instructions: of a callee in a function, of a callee in an inlined function, and of all
// callees in a function together. MaxLevel limits the nesting of bodies.
const (
	MaxInlined    = 384
	MaxNested     = 64
	MaxInlinedAll = 1 << 14
	MaxLevel      = 4
)

// Inlined is a call that is inlined.
type Inlined struct {
	Callee  *rewrite.Func
	Args    []Arg
	Results []Result // those that are passed in registers
}

// Result is a result passed in a register: instruction Store of the callee (an index) writes the register of Load
// directly, or, if Copied, is replaced by a copy to that register.
type Result struct {
	Store  int
	Load   *rewrite.Inst
	Copied bool
}

// Arg describes how an argument is passed: in the register or constant that Store writes, or in the caller's variable
// if Store is nil.
type Arg struct {
	Store *rewrite.Inst
	Loads []int // indices in the callee of the loads of the parameter
}

// Inline decides how call i, which is inlined, passes arguments and results. sameSlot says whether two registers of the
// caller share a slot.
func (p *Plan) Inline(i int, c rewrite.Call, f *rewrite.Func, sameSlot func(a, b *rewrite.Reg) bool) *Inlined {
	call := &Inlined{Callee: f}
	for k, v := range f.Params {
		arg := Arg{Loads: loadsOf(f, v)}
		if s := p.storeOf(i, c.Args[k].Sym.(*rewrite.Var)); s >= 0 && arg.Loads != nil {
			arg.Store, p.omitted[s] = p.src.Insts[s], true
		}
		call.Args = append(call.Args, arg)
	}
	for k, v := range f.Returns {
		store, load := resultOf(f, v), p.loadOf(i, c.Returns[k].Sym.(*rewrite.Var))
		if store >= 0 && load >= 0 && k == 0 {
			to := p.src.Insts[load]
			call.Results = append(call.Results, Result{
				store, to,
				call.takes(f.Insts[store].Operands[1].Reg, to.Operands[0].Reg, sameSlot),
			})
			p.omitted[load] = true
		}
	}
	return call
}

// takes reports whether the callee's register reg is the register of an argument, or whether the caller's register to
// shares its slot with an argument.
func (c *Inlined) takes(reg, to *rewrite.Reg, sameSlot func(a, b *rewrite.Reg) bool) bool {
	return slices.ContainsFunc(c.Args, func(a Arg) bool {
		if a.Store == nil {
			return false
		}
		arg := a.Store.Operands[1].Reg
		return arg != nil && sameSlot(arg, to) ||
			slices.ContainsFunc(a.Loads, func(i int) bool { return c.Callee.Insts[i].Operands[0].Reg == reg })
	})
}

// SameSizes reports whether the operands of a call are variables of the same sizes as the parameters.
func SameSizes(ops []rewrite.Operand, params []*rewrite.Var) bool {
	if len(ops) != len(params) {
		return false
	}
	for i, p := range params {
		v, ok := ops[i].Sym.(*rewrite.Var)
		if !ok || ops[i].Kind != rewrite.OperandSymbol || v.Space != isa.SpaceParam || v.Size != p.Size ||
			v.Reg != nil {
			return false
		}
	}
	return true
}

// Inlinable reports whether calls of a function of a module can be inlined.
func Inlinable(m *rewrite.Module, f *rewrite.Func) bool {
	if f.Entry || len(f.Insts) == 0 || len(f.Insts) > MaxInlined || f.CFG().Degenerate {
		return false
	}
	inReg := func(v *rewrite.Var) bool { return v.Reg != nil }
	elsewhere := func(v *rewrite.Var) bool { return v.Space != isa.SpaceLocal && v.Space != isa.SpaceParam }
	if slices.ContainsFunc(f.Params, inReg) || slices.ContainsFunc(f.Returns, inReg) ||
		slices.ContainsFunc(f.Locals, elsewhere) {
		return false
	}
	live := f.Liveness().In(f.CFG().Blocks[0]) // read before written: such registers are zero in a new activation
	if slices.ContainsFunc(f.Regs, live.Has) {
		return false
	}
	return !slices.ContainsFunc(f.Insts, needsActivation) && !query.Recursive(m, f)
}

// needsActivation reports whether an instruction prevents inlining. Lanes from several calls may synchronise at one
// instruction in the callee. Two kinds may be inlined: an instruction whose membermask comes from activemask, as its
// lanes have executed one instruction together, and bar.warp.sync, at which lanes synchronise from different
// instructions.
func needsActivation(in *rewrite.Inst) bool {
	switch {
	case in.Instr.Class == isa.ClassBarrier:
		b, _ := in.Barrier()
		return b.Of != isa.BarrierOfWarp
	case in.Has("sync"):
		return !membersActive(in)
	}
	if in.Effects()&(isa.ReadsCarry|isa.WritesCarry) != 0 {
		return true // the carry flag belongs to the activation
	}
	switch in.Instr.Name {
	case "brx", "alloca", "stacksave", "stackrestore":
		return true
	}
	return false
}

// membersActive reports whether the membermask of a lane exchange comes from activemask.
func membersActive(in *rewrite.Inst) bool {
	switch in.Instr.Name {
	case "vote", "match", "shfl", "redux":
	default:
		return false
	}
	op := &in.Operands[len(in.Operands)-1]
	if op.Kind != rewrite.OperandReg {
		return false
	}
	defs, undefined := in.Func.DefUse().Defs(in, op.Reg)
	return !undefined && !slices.ContainsFunc(defs, func(d *rewrite.Inst) bool { return d.Instr.Name != "activemask" })
}

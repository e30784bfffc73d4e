// Speculative loads: some of the threads that execute one do not use the loaded value.

package query

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Demand is the condition under which a thread uses the value that a load reads: the predicate Reg holds, or, with Not, does not.
// The predicate has its value before the load is executed.
//
// Compilers execute a load early, in threads too that the program keeps from it, where the load cannot fault and is cheaper than a
// branch: for "if (threadIdx.x == 0 && ready)", nvcc loads the shared variable ready in all threads, and makes a predicate of both
// conditions. What a thread reads that does not use it changes nothing, and the program has no such read.
type Demand struct {
	Reg *rewrite.Reg
	Not bool
	By  *rewrite.Inst // the instruction, in the block of the load, that combines the value with Reg
}

// maxDemandDepth limits the instructions between a load and the one that joins its value with a condition.
const maxDemandDepth = 8

// DemandOf returns the condition under which a thread uses what a weak load of a scalar reads. There is none, and ok is false, where a
// thread that executes the load may use it in any case, and for other instructions.
func DemandOf(i *rewrite.Inst) (d Demand, ok bool) {
	d, ok = i.Func.Memo(demandKey{}, func() any { return newDemands(i.Func) }).(map[*rewrite.Inst]Demand)[i]
	return d, ok
}

// registerUse is where a register is written and read.
type registerUse struct {
	defs, uses int
	def, use   int32 // the last of each
}

// demandFinder looks for the demands of a function's loads.
type demandFinder struct {
	f    *rewrite.Func
	g    *rewrite.CFG
	regs []registerUse // by Reg.Index
}

// newDemands returns the demands of the loads that have one.
func newDemands(f *rewrite.Func) map[*rewrite.Inst]Demand {
	out := make(map[*rewrite.Inst]Demand)
	var s *demandFinder
	for _, in := range f.Insts {
		if in.Access.Kind != isa.AccessLoad || in.Instr.Calc != isa.CalcLoad || in.Guard != nil || in.Strong() || in.Operands[0].Kind != rewrite.OperandReg {
			continue
		}
		switch in.Access.Space {
		case isa.SpaceGlobal, isa.SpaceShared, isa.SpaceNone:
		default:
			continue
		}
		if s == nil {
			s = newDemandFinder(f)
		}
		if d, ok := s.demand(in, in, maxDemandDepth); ok {
			out[in] = d
		}
	}
	return out
}

func newDemandFinder(f *rewrite.Func) *demandFinder {
	s := &demandFinder{f: f, g: f.CFG(), regs: make([]registerUse, len(f.Regs))}
	for i, in := range f.Insts {
		in.Defs(func(r *rewrite.Reg) {
			u := &s.regs[r.Index]
			u.defs, u.def = u.defs+1, int32(i)
		})
		in.Uses(func(r *rewrite.Reg) {
			u := &s.regs[r.Index]
			u.uses, u.use = u.uses+1, int32(i)
		})
	}
	return s
}

// demand returns the condition under which a thread uses the value of a load. The instruction in is the load itself, or the last
// of a chain of computations, each of which alone reads the result of the one before; depth limits the rest of the chain.
func (s *demandFinder) demand(load, in *rewrite.Inst, depth int) (d Demand, ok bool) {
	r := onlyResult(in)
	if depth == 0 || r == nil || s.g.Degenerate {
		return d, false
	}
	u := s.regs[r.Index]
	if u.defs != 1 || u.uses != 1 || int(u.use) < in.Index || s.g.BlockOf[u.use] != s.g.BlockOf[in.Index] {
		return d, false
	}
	by := s.f.Insts[u.use]
	if by.Guard != nil || by.Unknown() {
		return d, false
	}
	if c := conditionOf(by, r); c != nil && s.before(c.Reg, load) {
		return Demand{Reg: c.Reg, Not: c.Not, By: by}, true
	}
	if by.Instr.Calc == isa.CalcNone || by.Effects() != 0 || len(by.Accesses) > 0 {
		return d, false // other lanes may use the value, or memory
	}
	return s.demand(load, by, depth-1)
}

// onlyResult returns the register that an instruction writes, nil unless it is one scalar.
func onlyResult(i *rewrite.Inst) (only *rewrite.Reg) {
	n := 0
	i.Defs(func(r *rewrite.Reg) { only, n = r, n+1 })
	if n != 1 || only.Vec > 1 {
		return nil
	}
	return only
}

// before reports whether a register has its one value before an instruction is executed, and keeps it within the block.
func (s *demandFinder) before(r *rewrite.Reg, in *rewrite.Inst) bool {
	u := s.regs[r.Index]
	if u.defs != 1 || s.f.Insts[u.def].Guard != nil {
		return false
	}
	at, to := s.g.BlockOf[u.def], s.g.BlockOf[in.Index]
	return at == to && int(u.def) < in.Index || at != to && s.g.Dominates(at, to)
}

// conditionOf returns the predicate operand, with Not as it is for Demand, without which the result does not depend on the register
// r; nil when there is none.
func conditionOf(i *rewrite.Inst, r *rewrite.Reg) *rewrite.Operand {
	var from []*rewrite.Operand
	for n := range i.Operands {
		if i.Role(n) != isa.RoleDst {
			from = append(from, &i.Operands[n])
		}
	}
	is := func(n int) bool { return from[n].Reg == r && from[n].Kind == rewrite.OperandReg }
	predicate := func(o *rewrite.Operand, not bool) *rewrite.Operand {
		if o.Kind != rewrite.OperandReg || o.Reg == nil || o.Reg.Type != isa.Pred || o.Reg == r {
			return nil
		}
		c := *o
		c.Not = o.Not != not
		return &c
	}
	switch calc := i.Instr.Calc; {
	case calc == isa.CalcSelect && len(from) == 3 && is(0):
		return predicate(from[2], false)
	case calc == isa.CalcSelect && len(from) == 3 && is(1):
		return predicate(from[2], true)
	case (calc == isa.CalcAnd || calc == isa.CalcOr) && len(from) == 2 && is(0):
		return predicate(from[1], calc == isa.CalcOr)
	case (calc == isa.CalcAnd || calc == isa.CalcOr) && len(from) == 2 && is(1):
		return predicate(from[0], calc == isa.CalcOr)
	case calc == isa.CalcCompare && len(from) == 3 && (is(0) || is(1)) && (i.Has("and") || i.Has("or")):
		return predicate(from[2], i.Has("or"))
	}
	return nil
}

// demandKey is the key under which a function caches its demands.
type demandKey struct{}

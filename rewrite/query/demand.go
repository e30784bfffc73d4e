// Speculative loads: some of the threads that execute one do not use the loaded value.

package query

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Demand is the condition under which a thread uses the value that a load reads: one of some conditions holds.
//
// Compilers execute a load early, in threads too that the program keeps from it, where the load cannot fault and is
// cheaper than a branch: for "if (threadIdx.x == 0 && ready)", nvcc loads the shared variable ready in all threads, and
// makes a predicate of both conditions. Where a block has more threads than a tile has elements, Triton lets all
// threads load an element, and some of them store. What a thread reads that does not use it changes nothing, and the
// program has no such read.
type Demand struct {
	Any []Condition
	// Ahead are the instructions, in program order, that compute the conditions behind the load, in its block, from
	// what is known before it.
	Ahead []*rewrite.Inst
}

// Condition is a condition of a Demand: the predicate Reg holds, or, with Not, does not, where By reads it.
type Condition struct {
	Reg *rewrite.Reg
	Not bool
	By  *rewrite.Inst
}

// Limits on the search for the conditions of a load.
const (
	maxDemandUses       = 256 // instructions that compute with the value
	maxDemandConditions = 4
	maxDemandAhead      = 32
)

// DemandOf returns the condition under which a thread uses what a weak load reads. There is none, and ok is false,
// where a thread that executes the load may use it in any case, and for other instructions.
func DemandOf(i *rewrite.Inst) (d Demand, ok bool) {
	d, ok = i.Func.Memo(demandKey{}, func() any { return newDemands(i.Func) }).(map[*rewrite.Inst]Demand)[i]
	return d, ok
}

// demandFinder looks for the demands of a function's loads.
type demandFinder struct {
	f       *rewrite.Func
	g       *rewrite.CFG
	written []registerWrites // by Reg.Index
	fixed   []bool           // by value of the SSA form; nil until needed
}

// registerWrites is the number of instructions that write a register, and the last of them.
type registerWrites struct {
	n    int
	last int32
}

// newDemands returns the demands of the loads that have one.
func newDemands(f *rewrite.Func) map[*rewrite.Inst]Demand {
	out := make(map[*rewrite.Inst]Demand)
	var s *demandFinder
	for _, in := range f.Insts {
		if in.Access.Kind != isa.AccessLoad || in.Instr.Calc != isa.CalcLoad || in.Strong() {
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
		if d, ok := s.demand(in); ok {
			out[in] = d
		}
	}
	return out
}

func newDemandFinder(f *rewrite.Func) *demandFinder {
	s := &demandFinder{f: f, g: f.CFG(), written: make([]registerWrites, len(f.Regs))}
	for i, in := range f.Insts {
		in.Defs(func(r *rewrite.Reg) {
			w := &s.written[r.Index]
			w.n, w.last = w.n+1, int32(i)
		})
	}
	return s
}

// demand follows what a load reads through computations in its block, until conditions.
func (s *demandFinder) demand(load *rewrite.Inst) (d Demand, ok bool) {
	if s.g.Degenerate {
		return Demand{}, false
	}
	work, seen := []*rewrite.Inst{load}, map[*rewrite.Inst]bool{load: true}
	for len(work) > 0 && len(seen) <= maxDemandUses {
		in := work[len(work)-1]
		work = work[:len(work)-1]
		ok := true
		in.Defs(func(r *rewrite.Reg) {
			for _, by := range s.f.DefUse().Uses(in, r) {
				switch ok = ok && s.follows(by, load); {
				case !ok, s.conditional(&d, by, r, load):
				case by.Guard == r || !computes(by):
					ok = false // other lanes may use the value, or memory
				case !seen[by]:
					seen[by], work = true, append(work, by)
				}
			}
		})
		if !ok {
			return Demand{}, false
		}
	}
	if len(work) > 0 || len(d.Any) == 0 || d.holds() || !s.computed(&d) {
		return Demand{}, false
	}
	return d, true
}

// follows reports whether an instruction is behind a load, in the same block.
func (s *demandFinder) follows(by, load *rewrite.Inst) bool {
	return by.Index > load.Index && s.g.BlockOf[by.Index] == s.g.BlockOf[load.Index]
}

// conditional adds the condition, if there is one, without which an instruction makes no use of register r.
func (s *demandFinder) conditional(d *Demand, by *rewrite.Inst, r *rewrite.Reg, load *rewrite.Inst) bool {
	if by.Unknown() {
		return false
	}
	if by.Guard != nil && by.Guard != r && s.addAhead(d, Condition{by.Guard, by.GuardNot, by}, load) {
		return true
	}
	o := conditionOf(by, r)
	if o == nil {
		return false
	}
	c := Condition{o.Reg, o.Not, by}
	return s.before(c.Reg, load) && s.addTo(d, c, nil) || s.addAhead(d, c, load)
}

// addAhead adds a condition, or a weaker one, that can be computed ahead of a load.
func (s *demandFinder) addAhead(d *Demand, c Condition, load *rewrite.Inst) bool {
	if list, ok := s.ahead(c, load); ok {
		return s.addTo(d, c, list)
	}
	return slices.ContainsFunc(s.implied(c, load), func(weaker Condition) bool { return s.addAhead(d, weaker, load) })
}

// addTo adds a condition and the instructions that compute it.
func (s *demandFinder) addTo(d *Demand, c Condition, ahead []*rewrite.Inst) bool {
	if slices.ContainsFunc(d.Any, func(o Condition) bool { return o.Not == c.Not && s.valueOf(o) == s.valueOf(c) }) {
		return true
	}
	d.Any = append(d.Any, c)
	for _, in := range ahead {
		if !slices.Contains(d.Ahead, in) {
			d.Ahead = append(d.Ahead, in)
		}
	}
	return len(d.Any) <= maxDemandConditions && len(d.Ahead) <= maxDemandAhead
}

// valueOf returns the value of the predicate of a condition.
func (s *demandFinder) valueOf(c Condition) int32 { return s.f.SSA().Use(c.By, c.Reg) }

// holds reports whether one of the conditions holds in any case.
func (d *Demand) holds() bool {
	return slices.ContainsFunc(d.Any, func(c Condition) bool {
		return slices.ContainsFunc(d.Any, func(o Condition) bool { return o.Reg == c.Reg && o.Not != c.Not })
	})
}

// before reports whether a register has its one value before an instruction is executed, and keeps it within the block.
func (s *demandFinder) before(r *rewrite.Reg, in *rewrite.Inst) bool {
	w := s.written[r.Index]
	if w.n != 1 || s.f.Insts[w.last].Guard != nil {
		return false
	}
	at, to := s.g.BlockOf[w.last], s.g.BlockOf[in.Index]
	return at == to && int(w.last) < in.Index || at != to && s.g.Dominates(at, to)
}

// conditionOf returns the predicate operand, with Not as it is for Demand, without which the result does not depend on
// the register r; nil when there is none.
func conditionOf(i *rewrite.Inst, r *rewrite.Reg) *rewrite.Operand {
	var from []*rewrite.Operand
	for n := range i.Operands {
		if i.Role(n) != isa.RoleDst {
			from = append(from, &i.Operands[n])
		}
	}
	is := func(n int) bool { return from[n].Reg == r && from[n].Kind == rewrite.OperandReg }
	uses := 0
	for _, o := range from {
		if o.Reg == r {
			uses++
		}
	}
	if uses != 1 {
		return nil
	}
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

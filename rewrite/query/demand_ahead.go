// Conditions under which loaded values are used that are computed behind the load.

package query

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// ahead returns the instructions between a load and the instruction of a condition that compute it, if they can be
// executed ahead of the load with the same result. The condition tells threads apart, by their indices, and depends on
// no memory: with other contents, another thread would use what it reads, and a race with it would not be found.
func (s *demandFinder) ahead(c Condition, load *rewrite.Inst) (list []*rewrite.Inst, ok bool) {
	if v := s.valueOf(c); v == rewrite.NoValue || !s.fixedValues()[v] || s.f.Uniformity().Reg(c.By, c.Reg) {
		return nil, false
	}
	ok = s.collect(&list, c.Reg, c.By, load)
	return list, ok
}

// collect adds the instructions behind a load that compute what an instruction reads from a register.
func (s *demandFinder) collect(list *[]*rewrite.Inst, r *rewrite.Reg, by, load *rewrite.Inst) (ok bool) {
	in := s.writer(r, by, load)
	switch {
	case in == nil || slices.Contains(*list, in):
		return true
	case in == load || in.Guard != nil || !computes(in) || len(*list) == maxDemandAhead:
		return false
	}
	*list, ok = append(*list, in), true
	in.Defs(func(r *rewrite.Reg) { ok = ok && r.Vec <= 1 })
	in.Uses(func(r *rewrite.Reg) { ok = ok && s.collect(list, r, in, load) })
	return ok
}

// writer returns the last instruction, from a load on and before another one, that writes a register; nil for none.
func (s *demandFinder) writer(r *rewrite.Reg, by, load *rewrite.Inst) *rewrite.Inst {
	for i := by.Index - 1; i >= load.Index; i-- {
		if in := s.f.Insts[i]; in.Writes(r) {
			return in
		}
	}
	return nil
}

// computed puts the instructions that compute the conditions in program order, and reports whether each condition is
// that of the last one that writes its register, or of the register before the load.
func (s *demandFinder) computed(d *Demand) bool {
	slices.SortFunc(d.Ahead, func(a, b *rewrite.Inst) int { return a.Index - b.Index })
	values := make(map[*rewrite.Reg]int32)
	for _, c := range d.Any {
		v := s.valueOf(c)
		if have, ok := values[c.Reg]; ok && have != v {
			return false
		}
		values[c.Reg] = v
	}
	for _, in := range d.Ahead {
		ok := true
		in.Defs(func(r *rewrite.Reg) {
			v, wanted := values[r]
			ok = ok && (!wanted || v == s.f.SSA().Def(in, r))
		})
		if !ok {
			return false
		}
	}
	return true
}

// implied returns conditions that hold wherever a condition holds which is computed from them behind a load.
func (s *demandFinder) implied(c Condition, load *rewrite.Inst) (list []Condition) {
	in := s.writer(c.Reg, c.By, load)
	if in == nil || in == load || in.Guard != nil || in.Unknown() || in.Operands[0].Kind != rewrite.OperandReg {
		return nil
	}
	from := func(n int, not bool) {
		if o := &in.Operands[n]; o.Kind == rewrite.OperandReg && o.Reg.Type == isa.Pred {
			list = append(list, Condition{o.Reg, o.Not != not, in})
		}
	}
	switch calc := in.Instr.Calc; {
	case calc == isa.CalcNot, calc == isa.CalcCopy && len(in.Operands) == 2:
		from(1, (calc == isa.CalcNot) != c.Not)
	case calc == isa.CalcAnd && !c.Not, calc == isa.CalcOr && c.Not:
		from(1, c.Not)
		from(2, c.Not)
	case calc == isa.CalcCompare && len(in.Operands) == 4 && (in.Has("and") && !c.Not || in.Has("or") && c.Not):
		from(3, c.Not)
	}
	return list
}

// fixedValues reports of each value of the function whether it is the same for all contents of memory: it is computed
// from indices of threads, constants and parameters of the kernel alone. A value that merges others is not, if a branch
// of the function is not.
func (s *demandFinder) fixedValues() []bool {
	if s.fixed != nil {
		return s.fixed
	}
	ssa := s.f.SSA()
	s.fixed = make([]bool, len(ssa.Values))
	for i := range ssa.Values {
		v := &ssa.Values[i]
		s.fixed[i] = v.Kind == rewrite.SSAPhi || v.Kind == rewrite.SSAWrite && s.fixedInst(v.Inst)
	}
	for changed := true; changed; {
		changed = false
		branches := s.fixedBranches()
		for _, i := range ssa.Order {
			if s.fixed[i] && !s.remainsFixed(&ssa.Values[i], branches) {
				s.fixed[i], changed = false, true
			}
		}
	}
	return s.fixed
}

// fixedInst reports whether an instruction reads no memory but parameters of the kernel, and nothing that changes.
func (s *demandFinder) fixedInst(in *rewrite.Inst) bool {
	if !computes(in) {
		return in.Instr.Calc == isa.CalcLoad && in.Access.Space == isa.SpaceParam && s.f.Entry
	}
	return !slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool { return changes(&o) })
}

// changes reports whether an operand is a special register that differs from time to time, or that the driver sets.
func changes(o *rewrite.Operand) bool {
	if o.Kind == rewrite.OperandSpecial {
		return o.Special.Volatile || o.Special.Opaque
	}
	return slices.ContainsFunc(o.Elems, func(e rewrite.Operand) bool { return changes(&e) })
}

// remainsFixed reports whether what a value is computed from is fixed.
func (s *demandFinder) remainsFixed(v *rewrite.SSAValue, branches bool) bool {
	ok := v.Kind != rewrite.SSAPhi || branches
	v.Inputs(func(i int32) { ok = ok && s.fixed[i] })
	return ok && (v.Kind != rewrite.SSAWrite || s.readsFixed(v.Inst))
}

// readsFixed reports whether the registers that an instruction reads are fixed.
func (s *demandFinder) readsFixed(in *rewrite.Inst) bool {
	ok := true
	in.Uses(func(r *rewrite.Reg) {
		v := s.f.SSA().Use(in, r)
		ok = ok && v != rewrite.NoValue && s.fixed[v]
	})
	return ok
}

// fixedBranches reports whether all branches of the function depend on fixed values.
func (s *demandFinder) fixedBranches() bool {
	return !slices.ContainsFunc(s.g.Blocks, func(b *rewrite.Block) bool {
		return len(b.Succs) > 1 && !s.readsFixed(s.f.Insts[b.End-1])
	})
}

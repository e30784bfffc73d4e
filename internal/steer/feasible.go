// Ways through the code on which a register is not written, and which no thread takes that reads it: it has branched by
// the same predicate before.

package steer

import "github.com/ptxsan/ptxsan/rewrite"

// choice is the side of a branch that a thread has taken: the value of a predicate.
type choice struct {
	predicate int32 // an SSA value
	holds     bool
}

// value adds a value that an instruction in a block reads, or that a phi reads at the end of the block. Of a phi, it
// leaves out what a register contains at the start of the function if a thread that comes to the block cannot have come
// that way.
func (s *slicer) value(f *rewrite.Func, val int32, in *rewrite.Block, offset bool) {
	i := s.w.index[f]
	v := &s.w.ssa[i].Values[val]
	_, spins := s.w.spins[v.Block]
	if v.Kind != rewrite.SSAPhi || spins || s.w.met[v.Block] != nil ||
		len(s.w.under[v.Block])+len(s.w.behind[v.Block]) > 0 {
		s.visit(s.w.base[i]+val, offset)
		return
	}
	apart := false
	for k, from := range v.In {
		apart = apart || s.w.excluded(f, v, k, from, in)
	}
	if !apart {
		s.visit(s.w.base[i]+val, offset)
		return
	}
	for k, from := range v.In {
		if from != rewrite.NoValue && !s.w.excluded(f, v, k, from, in) {
			s.visit(s.w.base[i]+from, offset)
		}
	}
}

// excluded reports whether an input of a phi is the content of its register at the start of the function, and a thread
// in a block has not come by that edge. What it has chosen before and after is the same value of a predicate if that is
// computed in front of the phi: between the two, the thread does not compute it again without passing the phi again.
func (w *Flow) excluded(f *rewrite.Func, phi *rewrite.SSAValue, k int, from int32, in *rewrite.Block) bool {
	values, g := f.SSA().Values, f.CFG()
	if from == rewrite.NoValue || values[from].Kind != rewrite.SSAEntry || k >= len(phi.Block.Preds) ||
		!g.Dominates(phi.Block, in) {
		return false
	}
	before := choices(f, phi.Block.Preds[k], phi.Block)
	for c := range choices(f, in, nil) {
		v := &values[c.predicate]
		b := v.Block
		if v.Kind == rewrite.SSAWrite {
			b = g.BlockOf[v.Inst.Index]
		}
		if before[choice{c.predicate, !c.holds}] && (v.Kind == rewrite.SSAEntry || g.Dominates(b, phi.Block)) {
			return true
		}
	}
	return false
}

// choices returns what a thread has chosen that is in a block, and goes on to another one unless that is nil.
func choices(f *rewrite.Func, b, next *rewrite.Block) map[choice]bool {
	out := make(map[choice]bool)
	add := func(from, to *rewrite.Block) {
		if len(from.Succs) != 2 || from.Succs[0] == from.Succs[1] {
			return
		}
		last := f.Insts[from.End-1]
		if last.Guard == nil || last.Guard.Vec > 1 {
			return
		}
		taken := from.Succs[0] == to
		out[choice{f.SSA().Use(last, last.Guard), taken != last.GuardNot}] = true
	}
	if next != nil {
		add(b, next)
	}
	for ; b.IDom != nil; b = b.IDom {
		if len(b.Preds) == 1 {
			add(b.Preds[0], b)
		}
	}
	return out
}

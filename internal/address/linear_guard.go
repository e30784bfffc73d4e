// Guards of pairs: comparisons of an index with its partner that a thread has passed.

package address

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// guards is a set of facts about a thread: guardKinds bits for each pair. The facts are about values that do not change
// while the thread runs, so they remain true.
type guards uint64

// The facts about a pair.
const (
	guardAbove       = guards(1) << iota // the partner is at least the index, unsigned
	guardBelow                           // the partner is at most the index, unsigned
	guardSignedAbove                     // at least, signed
	guardSignedBelow                     // at most, signed
	guardClear                           // the bits in which they differ are 0 in the index

	guardKinds = 5
	mostPairs  = 64 / guardKinds
	allGuards  = ^guards(0)
)

// of returns the facts about a pair.
func (g guards) of(pair int32) guards { return g >> (guardKinds * pair) & (1<<guardKinds - 1) }

// about returns facts about a pair.
func about(pair int32, facts guards) guards { return facts << (guardKinds * pair) }

// passed returns the facts about all threads that execute an instruction.
func (l *LinearAddresses) passed(in *rewrite.Inst) guards {
	if l.pairs == nil || len(l.pairs.list) == 0 {
		return 0
	}
	if l.pairs.passed == nil {
		l.pairs.passed = l.flowGuards()
	}
	g := l.pairs.passed[l.f.CFG().BlockOf[in.Index].Index]
	if in.Guard != nil {
		g |= l.holds(l.v.Use(in, in.Guard), !in.GuardNot, guardDepth)
	}
	return g
}

// flowGuards returns the facts about all threads at the beginning of each basic block: those
// that hold along all edges into it.
func (l *LinearAddresses) flowGuards() []guards {
	blocks := l.f.CFG().Blocks
	along, at := make([][2]guards, len(blocks)), make([]guards, len(blocks))
	for i, b := range blocks {
		along[i], at[i] = l.decided(b), allGuards
	}
	at[0] = 0
	for changed := true; changed; {
		changed = false
		for i, b := range blocks[1:] {
			g := at[i+1]
			for _, p := range b.Preds {
				if l.feasible(p, b) {
					g &= at[p.Index] | along[p.Index][succIndex(p, b)]
				}
			}
			if g != at[i+1] {
				at[i+1], changed = g, true
			}
		}
	}
	return at
}

// succIndex returns 1 if control falls through from one block to another, else 0.
func succIndex(from, to *rewrite.Block) int {
	if len(from.Succs) == 2 && from.Succs[1] == to {
		return 1
	}
	return 0
}

// decided returns the facts that follow from the condition at the end of a block, for threads that branch and for those
// that do not.
func (l *LinearAddresses) decided(b *rewrite.Block) (out [2]guards) {
	if b.Start == b.End || len(b.Succs) != 2 || b.Succs[0] == b.Succs[1] {
		return out
	}
	last := l.f.Insts[b.End-1]
	if last.Guard == nil || last.Unknown() || last.Effects()&isa.Calls != 0 ||
		last.Effects()&(isa.Branches|isa.Terminates) == 0 {
		return out
	}
	condition := l.v.Use(last, last.Guard)
	return [2]guards{l.holds(condition, !last.GuardNot, guardDepth), l.holds(condition, last.GuardNot, guardDepth)}
}

// guardDepth limits the operators through which conditions are followed.
const guardDepth = 8

// holds returns the facts that follow if a predicate is true, or false: all if it never is.
func (l *LinearAddresses) holds(val int32, truth bool, depth int) guards {
	if val == rewrite.NoValue || depth <= 0 {
		return 0
	}
	if v := &l.v.Values[val]; v.Kind == rewrite.SSAPhi {
		return l.merged(v, truth, depth-guardDepth/2)
	}
	in := l.written(val)
	if in == nil {
		return 0
	}
	operand := func(n int) guards {
		switch o := &in.Operands[n]; {
		case o.Kind == rewrite.OperandImm && (o.Imm != 0) != truth:
			return allGuards
		case o.Kind == rewrite.OperandReg:
			return l.holds(l.v.Use(in, o.Reg), truth != o.Neg, depth-1)
		}
		return 0
	}
	switch in.Instr.Calc {
	case isa.CalcNot:
		truth = !truth
		return operand(1)
	case isa.CalcCopy:
		return operand(1)
	case isa.CalcAnd, isa.CalcOr:
		if truth == (in.Instr.Calc == isa.CalcAnd) { // then both operands have that value
			return operand(1) | operand(2)
		}
	case isa.CalcCompare:
		switch op := in.Mod("BoolOp"); {
		case op == "":
			return l.compared(in, truth)
		case op == "and" && truth || op == "or" && !truth:
			return l.compared(in, truth) | operand(3)
		}
	}
	return 0
}

// merged returns the facts that follow from each of the predicates that a phi merges.
func (l *LinearAddresses) merged(phi *rewrite.SSAValue, truth bool, depth int) guards {
	out := allGuards
	for k, i := range phi.In {
		if k < len(phi.Block.Preds) && !l.feasible(phi.Block.Preds[k], phi.Block) || i == rewrite.NoValue {
			continue
		}
		out &= l.holds(i, truth, depth)
	}
	return out
}

// written returns the only instruction that writes a value of a register, nil for other values.
func (l *LinearAddresses) written(val int32) *rewrite.Inst {
	if val == rewrite.NoValue {
		return nil
	}
	v := &l.v.Values[val]
	if v.Kind != rewrite.SSAWrite || v.Old != rewrite.NoValue || v.Inst.Operands[0].Kind != rewrite.OperandReg {
		return nil
	}
	return v.Inst
}

// compared returns the facts that follow from the outcome of a comparison.
func (l *LinearAddresses) compared(in *rewrite.Inst, truth bool) (out guards) {
	c, ok := in.Comparison()
	t := in.Type(0)
	if !ok || !proofRules.linear(in, t) {
		return 0
	}
	if !truth {
		c = isa.Comparison{Less: !c.Less, Equal: !c.Equal, Greater: !c.Greater}
	}
	a, b := source{in, 1}, source{in, 2}
	if !c.Less {
		out |= l.atLeast(a, b, t, guardDepth)
	}
	if !c.Greater {
		out |= l.atLeast(b, a, t, guardDepth)
	}
	if !c.Less && !c.Greater {
		out |= l.clear(a, b) | l.clear(b, a)
	}
	return out
}

// source is a source operand of an instruction.
type source struct {
	in *rewrite.Inst
	n  int
}

// atLeast returns the facts that follow from a >= b, as values of type t. If a is a minimum, they hold for both of its
// arguments; if b is a maximum, too.
func (l *LinearAddresses) atLeast(a, b source, t isa.Type, depth int) (out guards) {
	if depth == 0 {
		return 0
	}
	above, below := guardAbove, guardBelow
	if t.Signed() {
		above, below = guardSignedAbove, guardSignedBelow
	}
	x, y := l.operand(a.in, a.n), l.operand(b.in, b.n)
	out = l.partnerOf(x, y, t.Bits(), above) | l.partnerOf(y, x, t.Bits(), below)
	if in := l.chosen(a, t, isa.CalcMin); in != nil {
		out |= l.atLeast(source{in, 1}, b, t, depth-1) | l.atLeast(source{in, 2}, b, t, depth-1)
	}
	if in := l.chosen(b, t, isa.CalcMax); in != nil {
		out |= l.atLeast(a, source{in, 1}, t, depth-1) | l.atLeast(a, source{in, 2}, t, depth-1)
	}
	return out
}

// chosen returns the instruction that writes a source, if it computes by, a minimum or maximum, on type t.
func (l *LinearAddresses) chosen(s source, t isa.Type, by isa.Calc) *rewrite.Inst {
	o := &s.in.Operands[s.n]
	if o.Kind != rewrite.OperandReg || o.Member != "" {
		return nil
	}
	in := l.written(l.v.Use(s.in, o.Reg))
	if in == nil || in.Instr.Calc != by || in.Type(0) != t || in.Has("relu") || len(in.Operands) != 3 {
		return nil
	}
	return in
}

// partnerOf returns a fact about the pair with partner x and index y.
func (l *LinearAddresses) partnerOf(x, y linear, bits int, fact guards) guards {
	if x.kind != linearIndex && (x.kind != linearPartner || x.scale != 1) || y.kind != linearForm {
		return 0
	}
	if p := &l.pairs.list[x.id]; p.bits != bits || x.form != p.index || y.form != p.index {
		return 0
	}
	return about(x.id, fact)
}

// clear returns the facts that follow from a = b. If one is the bitwise and of an index and the number of its pair, and
// the other is 0, then the index has none of the number's bits.
func (l *LinearAddresses) clear(a, b source) (out guards) {
	o := &a.in.Operands[a.n]
	if l.operand(b.in, b.n) != linearConst(0) || o.Kind != rewrite.OperandReg || o.Member != "" {
		return 0
	}
	in := l.written(l.v.Use(a.in, o.Reg))
	if in == nil || in.Instr.Calc != isa.CalcAnd {
		return 0
	}
	x, y := l.operand(in, 1), l.operand(in, 2)
	if x.number() {
		x, y = y, x
	}
	for i, p := range l.pairs.list {
		if x.kind == linearForm && x.form == p.index && y == p.with && p.bits == in.Type(0).Bits() {
			out |= about(int32(i), guardClear)
		}
	}
	return out
}

package symbolic

import (
	"math/big"

	"github.com/ptxsan/ptxsan/passes/hgrd/expr"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Loop is a natural loop of a frame.
type Loop struct {
	Frame *Frame
	Loop  *rewrite.Loop
	Round *expr.Int // 0 in the first round
	tests []test    // under which a round is followed by another
	done  bool
}

// test is a condition that holds at the end of every round but the last.
type test struct{ cond *expr.Bool }

// loop is what is known of a loop.
func (f *Frame) loop(l *rewrite.Loop) *Loop {
	if f.loops[l] == nil {
		name := f.Kernel.name("k")
		f.Kernel.origins[name] = &Origin{Frame: f, What: "a round of a loop", loop: l, value: -1}
		f.loops[l] = &Loop{Frame: f, Loop: l, Round: expr.Var(name, 0, maxRounds)}
	}
	return f.loops[l]
}

// LoopsAround are the loops around a block, innermost first, those of the calling functions
// behind them.
func (f *Frame) LoopsAround(b *rewrite.Block) []*Loop {
	var out []*Loop
	for l := f.inner[b.Index]; l != nil; l = l.Parent {
		out = append(out, f.loop(l))
	}
	if f.Parent != nil {
		out = append(out, f.Parent.LoopsAround(f.Parent.Block(f.Call))...)
	}
	return out
}

// carried is a register that a loop carries from round to round.
func (f *Frame) carried(v *rewrite.SSAValue, i int32, l *rewrite.Loop) Value {
	if f.constantIn(v, i) {
		return f.merged(v, i, func(p int) bool { return !f.latch(v.Block, p) })
	}
	step, ok := f.stepOf(v, i, l)
	if !ok {
		return f.opaque(v, Origin{What: "a value carried around a loop", value: i, loop: l})
	}
	init := f.merged(v, i, func(p int) bool { return !f.latch(v.Block, p) })
	if init.Int == nil || init.Int.IsUnknown() || step.IsUnknown() {
		return f.opaque(v, Origin{What: "a value carried around a loop", value: i, loop: l, Data: true})
	}
	return Value{Int: expr.Add(init.Int, expr.Mul(step, f.loop(l).Round))}
}

// latch reports whether a predecessor of a header is in its loop.
func (f *Frame) latch(header *rewrite.Block, pred int) bool {
	return pred < len(header.Preds) && f.cfg.Dominates(header, header.Preds[pred])
}

// constantIn reports whether every round passes a phi on as it is.
func (f *Frame) constantIn(v *rewrite.SSAValue, i int32) bool {
	for k, in := range v.In {
		if f.latch(v.Block, k) && in != i && in != rewrite.NoValue {
			return false
		}
	}
	return true
}

// stepOf is what every round of a loop adds to a phi: the same, whatever way it takes.
func (f *Frame) stepOf(v *rewrite.SSAValue, i int32, l *rewrite.Loop) (*expr.Int, bool) {
	var step *expr.Int
	for k, in := range v.In {
		if !f.latch(v.Block, k) || in == rewrite.NoValue {
			continue
		}
		s, ok := f.added(in, i, l, 0)
		if !ok || step != nil && !step.Equal(s) {
			return nil, false
		}
		step = s
	}
	return step, step != nil
}

// added is the difference of a value to the phi of a loop's header.
func (f *Frame) added(i, phi int32, l *rewrite.Loop, depth int) (*expr.Int, bool) {
	if i == phi {
		return expr.Const(0), true
	}
	if i == rewrite.NoValue || depth > 64 {
		return nil, false
	}
	v := &f.ssa.Values[i]
	if v.Old != rewrite.NoValue || !f.inLoop(v.Block, l) || v.Reg.Type.Bits() != f.ssa.Values[phi].Reg.Type.Bits() {
		return nil, false
	}
	if v.Kind == rewrite.SSAPhi {
		return f.addedOnAll(v, phi, l, depth)
	}
	if v.Kind != rewrite.SSAWrite {
		return nil, false
	}
	return f.addedBy(v, phi, l, depth)
}

// addedOnAll is added for a phi: all ways must add the same.
func (f *Frame) addedOnAll(v *rewrite.SSAValue, phi int32, l *rewrite.Loop, depth int) (*expr.Int, bool) {
	if f.headed(v.Block) != nil {
		return nil, false
	}
	var step *expr.Int
	for _, in := range v.In {
		if in == rewrite.NoValue {
			continue
		}
		s, ok := f.added(in, phi, l, depth+8)
		if !ok || step != nil && !step.Equal(s) {
			return nil, false
		}
		step = s
	}
	return step, step != nil
}

// addedBy is added for the result of an instruction.
func (f *Frame) addedBy(v *rewrite.SSAValue, phi int32, l *rewrite.Loop, depth int) (*expr.Int, bool) {
	in := v.Inst
	e := &evaluation{f: f, in: in, v: v, bits: v.Reg.Type.Bits()}
	if in.Guard != nil || len(in.Operands) < 2 || in.Operands[0].Kind != rewrite.OperandReg {
		return nil, false
	}
	name := in.Instr.Name
	switch {
	case name == "mov" && len(in.Operands) == 2:
		return f.addedOperand(in, 1, phi, l, depth)
	case name == "add" && e.plain():
		for n := 1; n <= 2; n++ {
			if s, ok := f.addedOperand(in, n, phi, l, depth); ok {
				if x, ok := f.invariant(in, 3-n, l); ok {
					return expr.Add(s, x), true
				}
			}
		}
	case name == "sub" && e.plain():
		if s, ok := f.addedOperand(in, 1, phi, l, depth); ok {
			if x, ok := f.invariant(in, 2, l); ok {
				return expr.Sub(s, x), true
			}
		}
	}
	return nil, false
}

func (f *Frame) addedOperand(in *rewrite.Inst, n int, phi int32, l *rewrite.Loop, depth int) (*expr.Int, bool) {
	o := &in.Operands[n]
	if o.Kind != rewrite.OperandReg || o.Member != "" || o.Neg || o.Reg.Vec > 1 {
		return nil, false
	}
	return f.added(f.ssa.Use(in, o.Reg), phi, l, depth+1)
}

// invariant is a source that does not change in a loop.
func (f *Frame) invariant(in *rewrite.Inst, n int, l *rewrite.Loop) (*expr.Int, bool) {
	o := &in.Operands[n]
	switch o.Kind {
	case rewrite.OperandImm, rewrite.OperandSymbol:
	case rewrite.OperandSpecial:
		if o.Special.Volatile || o.Special.Name != "%tid" && o.Special.Name != "%ntid" && o.Special.Name != "%ctaid" && o.Special.Name != "%nctaid" {
			return nil, false
		}
	case rewrite.OperandReg:
		i := f.ssa.Use(in, o.Reg)
		if i == rewrite.NoValue || !f.unchanged(i, l, 0) {
			return nil, false
		}
	default:
		return nil, false
	}
	x := f.operand(in, o).Int
	return x, x != nil && !x.IsUnknown()
}

// unchanged reports whether a value is the same in all rounds of a loop: it is made outside,
// or from constants and such values.
func (f *Frame) unchanged(i int32, l *rewrite.Loop, depth int) bool {
	v := &f.ssa.Values[i]
	if !f.inLoop(v.Block, l) {
		return true
	}
	if v.Kind != rewrite.SSAWrite || v.Old != rewrite.NoValue || depth > 16 || !pure[v.Inst.Instr.Name] {
		return false
	}
	same := true
	v.Inst.Uses(func(r *rewrite.Reg) {
		u := f.ssa.Use(v.Inst, r)
		same = same && u != rewrite.NoValue && f.unchanged(u, l, depth+1)
	})
	for n := range v.Inst.Operands {
		if o := &v.Inst.Operands[n]; o.Kind == rewrite.OperandSpecial && (o.Special.Volatile || o.Special.PerLane && o.Special.Name != "%tid") {
			same = false
		}
	}
	return same
}

// pure are operations whose results depend on their sources alone.
var pure = map[string]bool{"mov": true, "add": true, "sub": true, "mul": true, "mad": true, "shl": true, "shr": true, "cvt": true, "neg": true, "and": true}

// inLoop reports whether a block is in a loop.
func (f *Frame) inLoop(b *rewrite.Block, l *rewrite.Loop) bool {
	for in := f.inner[b.Index]; in != nil; in = in.Parent {
		if in == l {
			return true
		}
	}
	return false
}

// Facts are what is known of the rounds of a loop: what held at the end of the round that
// was back rounds before the present one, if there was one. Back is at least 1.
func (l *Loop) Facts(back int64) []*expr.Bool {
	l.find()
	var out []*expr.Bool
	prev := expr.Sub(l.Round, expr.Const(back))
	name := l.Round.Variable().Name
	shift := expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if v.Name == name {
			return prev
		}
		return nil
	}}
	for _, t := range l.tests {
		out = append(out, expr.Any(expr.Lt(l.Round, expr.Const(back)), t.cond.Subst(shift)))
		if back == 1 {
			out = append(out, l.hits(t.cond)...)
		}
	}
	return out
}

// find collects the tests: branches of blocks that every round goes through, of which one
// way leads out of the loop, as far as they do not depend on what changes in a loop other
// than the number of the round.
func (l *Loop) find() {
	if l.done {
		return
	}
	l.done = true
	f := l.Frame
	for _, b := range l.Loop.Blocks {
		if len(b.Succs) != 2 || !l.always(b) {
			continue
		}
		stay := -1
		for i, s := range b.Succs {
			if f.inLoop(s, l.Loop) {
				if stay >= 0 {
					stay = -2
					break
				}
				stay = i
			}
		}
		if stay < 0 {
			continue
		}
		if c, ok := f.edge(b, b.Succs[stay]); ok {
			for _, c := range conjuncts(c) {
				if l.rounds(c) {
					l.tests = append(l.tests, test{c})
				}
			}
		}
	}
}

// always reports whether every round that is followed by another goes through a block.
func (l *Loop) always(b *rewrite.Block) bool {
	for k, p := range l.Loop.Header.Preds {
		if l.Frame.latch(l.Loop.Header, k) && l.Frame.cfg.Reached(p) && !l.Frame.cfg.Dominates(b, p) {
			return false
		}
	}
	return true
}

// conjuncts are the conditions that a condition is the conjunction of.
func conjuncts(c *expr.Bool) []*expr.Bool {
	if c.Kind() == expr.KindAll {
		return c.Parts()
	}
	return []*expr.Bool{c}
}

// rounds reports whether a condition varies in the loop with the number of the round only.
func (l *Loop) rounds(c *expr.Bool) bool {
	for _, v := range c.Vars() {
		o := l.Frame.Kernel.Origin(v.Name)
		if o == nil || v.Name == l.Round.Variable().Name {
			continue
		}
		if o.Frame != l.Frame {
			if l.inside(o.Frame) {
				return false
			}
			continue
		}
		b := l.where(o)
		if b == nil || l.Frame.inLoop(b, l.Loop) {
			return false
		}
	}
	return true
}

// inside reports whether a frame is called from within the loop.
func (l *Loop) inside(f *Frame) bool {
	for ; f != nil && f.Parent != nil; f = f.Parent {
		if f.Parent == l.Frame {
			return l.Frame.inLoop(l.Frame.Block(f.Call), l.Loop)
		}
	}
	return false
}

// where is the block that a variable is made in, nil when that is not known.
func (l *Loop) where(o *Origin) *rewrite.Block {
	switch {
	case o.value >= 0:
		return l.Frame.ssa.Values[o.value].Block
	case o.Inst != nil:
		return l.Frame.cfg.BlockOf[o.Inst.Index]
	case o.loop != nil:
		return o.loop.Header
	}
	return nil
}

// hits is what follows from x != y having held in all rounds before the present one, where x
// is a + s*k and y does not change: if s divides y - a and y - a has the sign of s, then
// s*k has not gone beyond y - a.
func (l *Loop) hits(c *expr.Bool) []*expr.Bool {
	if c.Kind() != expr.KindNe {
		return nil
	}
	d, k := c.Diff(), l.Round.Variable().Name // d != 0
	at := func(n int64) *expr.Int {
		return unwrapped(d).Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
			if v.Name == k {
				return expr.Const(n)
			}
			return nil
		}})
	}
	a := at(0)
	s, ok := expr.Sub(at(1), a).Const()
	if !ok || s.Sign() == 0 || !expr.Sub(unwrapped(d), expr.Add(a, expr.Mul(expr.Big(s), l.Round))).Equal(expr.Const(0)) {
		return nil
	}
	if s.Sign() > 0 {
		a = expr.Neg(a)
	} else {
		s = new(big.Int).Neg(s)
	}
	// a - s*k != 0 in all rounds before: a >= 0 and s divides a, so k <= a/s
	divides := expr.Eq(expr.Rem(a, expr.Big(s)), expr.Const(0))
	return []*expr.Bool{expr.Any(expr.Lt(a, expr.Const(0)), expr.Not(divides), expr.Le(expr.Mul(expr.Big(s), l.Round), a))}
}

// unwrapped is x without a reduction around it: what is not 0 modulo a power of two is not 0.
func unwrapped(x *expr.Int) *expr.Int {
	if x.Op() == expr.OpWrap {
		return x.Args()[0]
	}
	return x
}

// Loop is the loop whose rounds a variable counts, nil for other variables.
func (o *Origin) Loop() *Loop {
	if o.loop == nil || o.value >= 0 {
		return nil
	}
	return o.Frame.loop(o.loop)
}

// Recurrence is what is known of a variable that a loop carries when all threads of a block
// have the same: Loops are those around it, its own first, and Next is its value one round
// later. Next is nil when that depends on more. It is nil for other variables.
type Recurrence struct {
	Loops []*Loop
	Next  *expr.Int
}

// Recurrence is nil unless all threads of a block have one value in a round.
func (o *Origin) Recurrence(name string) *Recurrence {
	if o.loop == nil || o.value < 0 {
		return nil
	}
	f := o.Frame
	for x := f; x.Parent != nil; x = x.Parent {
		if !x.Parent.together(x.Call) {
			return nil
		}
	}
	if f.uniformity().varying[o.value] || f.uniformity().leaky[o.loop] {
		return nil
	}
	r := &Recurrence{Loops: f.LoopsAround(o.loop.Header)}
	v := &f.ssa.Values[o.value]
	for k, in := range v.In {
		if !f.latch(v.Block, k) || in == rewrite.NoValue {
			continue
		}
		next := f.value(in).Int
		if next == nil || next.IsUnknown() || r.Next != nil && !r.Next.Equal(next) {
			r.Next = nil
			return r
		}
		r.Next = read(next, v.Reg.Type)
	}
	for _, x := range r.Next.Vars() {
		if p := f.Kernel.Origin(x.Name); x.Name != name && (p != nil || !x.Uniform && !blockIndex(x.Name)) {
			r.Next = nil
			break
		}
	}
	return r
}

// blockIndex reports whether a variable is an index of the block.
func blockIndex(name string) bool { return len(name) == 7 && name[:6] == "ctaid." }

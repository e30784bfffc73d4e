// Loops: iteration numbers, and values carried from one iteration to the next.

package symbolic

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Loop is a natural loop of a frame.
type Loop struct {
	Frame    *Frame
	Loop     *rewrite.Loop
	Round    *expr.Int // the number of the iteration, 0 in the first
	tests    []test    // conditions under which another iteration follows
	done     bool
	stepping *Steps
}

// test is a condition that holds at the end of every iteration but the last.
type test struct{ cond *expr.Bool }

// loop returns the Loop of a frame for a natural loop.
func (f *Frame) loop(l *rewrite.Loop) *Loop {
	if f.loops[l] == nil {
		name := f.Kernel.name("k")
		f.Kernel.origins[name] = &Origin{Frame: f, What: "a round of a loop", loop: l, value: -1}
		f.loops[l] = &Loop{Frame: f, Loop: l, Round: expr.Var(name, 0, maxRounds)}
	}
	return f.loops[l]
}

// LoopsAround returns the loops around a block, innermost first, followed by those of the calling functions.
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

// carried returns the value of a register carried by a loop.
func (f *Frame) carried(v *rewrite.SSAValue, i int32, l *rewrite.Loop) Value {
	if f.constantIn(v, i) {
		return f.merged(v, i, func(p int) bool { return !f.latch(v.Block, p) })
	}
	if exactBits(v.Reg.Type) > 0 {
		return f.carriedNumber(v, i, l)
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

// latch reports whether a predecessor of a header is in the header's loop.
func (f *Frame) latch(header *rewrite.Block, pred int) bool {
	return pred < len(header.Preds) && f.CFG.Dominates(header, header.Preds[pred])
}

// constantIn reports whether every iteration leaves a phi unchanged.
func (f *Frame) constantIn(v *rewrite.SSAValue, i int32) bool {
	for k, in := range v.In {
		if f.latch(v.Block, k) && in != i && in != rewrite.NoValue {
			return false
		}
	}
	return true
}

// stepOf returns what every iteration of a loop adds to a phi; it must be the same on all paths.
func (f *Frame) stepOf(v *rewrite.SSAValue, i int32, l *rewrite.Loop) (*expr.Int, bool) {
	steps := f.stepsOf(v, i, l)
	if len(steps) != 1 {
		return nil, false
	}
	return steps[0], true
}

// stepsOf returns what iterations of a loop add to a phi, by path; nil if that is not known.
func (f *Frame) stepsOf(v *rewrite.SSAValue, i int32, l *rewrite.Loop) differences {
	var steps differences
	for k, in := range v.In {
		if !f.latch(v.Block, k) || in == rewrite.NoValue {
			continue
		}
		if steps = steps.or(f.added(in, i, l, 0), steps == nil); steps == nil {
			return nil
		}
	}
	return steps
}

// differences are the numbers one of which is the difference between a value and the phi of a loop's header, modulo 2
// to the power of the phi's width; nil if they are not known.
type differences []*expr.Int

// maxDifferences limits the differences of a value.
const maxDifferences = 8

// or returns the differences on two paths. Of the first path, there are none yet.
func (d differences) or(more differences, first bool) differences {
	if more == nil || d == nil && !first {
		return nil
	}
	out := slices.Clip(d)
	for _, x := range more {
		if !slices.ContainsFunc(out, x.Equal) {
			out = append(out, x)
		}
	}
	if len(out) > maxDifferences {
		return nil
	}
	return out
}

// plus returns the differences of a sum.
func (d differences) plus(x *expr.Int) differences {
	var out differences
	for _, y := range d {
		out = append(out, expr.Add(y, x))
	}
	return out
}

// added returns the differences between a value and the phi of a loop's header. Registers wider than the phi's hold it
// in their low bits.
func (f *Frame) added(i, phi int32, l *rewrite.Loop, depth int) differences {
	if i == phi {
		return differences{expr.Const(0)}
	}
	if i == rewrite.NoValue || depth > 64 {
		return nil
	}
	v := &f.ssa.Values[i]
	if !f.InLoop(v.Block, l) || !integer(v.Reg.Type) || v.Reg.Type.Bits() < f.ssa.Values[phi].Reg.Type.Bits() {
		return nil
	}
	switch {
	case v.Kind == rewrite.SSAPhi:
		return f.addedOnAll(v, phi, l, depth)
	case v.Kind != rewrite.SSAWrite:
		return nil
	case v.Old != rewrite.NoValue: // written under a condition
		return f.added(v.Old, phi, l, depth+8).or(f.addedBy(v, phi, l, depth+8), false)
	}
	return f.addedBy(v, phi, l, depth)
}

// addedOnAll is added for a phi.
func (f *Frame) addedOnAll(v *rewrite.SSAValue, phi int32, l *rewrite.Loop, depth int) differences {
	if f.headed(v.Block) != nil {
		return nil
	}
	var out differences
	for _, in := range v.In {
		if in == rewrite.NoValue {
			continue
		}
		if out = out.or(f.added(in, phi, l, depth+8), out == nil); out == nil {
			return nil
		}
	}
	return out
}

// addedBy is added for the result of an instruction, if it is executed.
func (f *Frame) addedBy(v *rewrite.SSAValue, phi int32, l *rewrite.Loop, depth int) differences {
	in := v.Inst
	e := &evaluation{f: f, in: in, v: v, at: -1, bits: v.Reg.Type.Bits()}
	if in.Guard != nil && v.Old == rewrite.NoValue || len(in.Operands) < 2 ||
		in.Operands[0].Kind != rewrite.OperandReg {
		return nil
	}
	switch calc := in.Instr.Calc; {
	case calc == isa.CalcCopy && len(in.Operands) == 2, calc == isa.CalcConvert && f.keeps(in, phi):
		return f.addedOperand(in, 1, phi, l, depth)
	case calc == isa.CalcAdd && e.plain():
		for n := 1; n <= 2; n++ {
			if d := f.addedOperand(in, n, phi, l, depth); d != nil {
				if x, ok := f.invariant(in, 3-n, l); ok {
					return d.plus(x)
				}
			}
		}
	case calc == isa.CalcSub && e.plain():
		if d := f.addedOperand(in, 1, phi, l, depth); d != nil {
			if x, ok := f.invariant(in, 2, l); ok {
				return d.plus(expr.Neg(x))
			}
		}
	}
	return nil
}

// keeps reports whether a conversion keeps as many low bits as a phi has.
func (f *Frame) keeps(in *rewrite.Inst, phi int32) bool {
	to, from, bits := in.Type(0), in.Type(1), f.ssa.Values[phi].Reg.Type.Bits()
	return integer(to) && integer(from) && !in.Has("sat") && to.Bits() >= bits && from.Bits() >= bits
}

func (f *Frame) addedOperand(in *rewrite.Inst, n int, phi int32, l *rewrite.Loop, depth int) differences {
	o := &in.Operands[n]
	if o.Kind != rewrite.OperandReg || o.Member != "" || o.Neg || o.Reg.Vec > 1 {
		return nil
	}
	return f.added(f.ssa.Use(in, o.Reg), phi, l, depth+1)
}

// invariant returns a source operand that does not change in a loop.
func (f *Frame) invariant(in *rewrite.Inst, n int, l *rewrite.Loop) (*expr.Int, bool) {
	o := &in.Operands[n]
	switch o.Kind {
	case rewrite.OperandImm, rewrite.OperandSymbol:
	case rewrite.OperandSpecial:
		if o.Special.Volatile || o.Special.Name != "%tid" && o.Special.Name != "%ntid" && o.Special.Name != "%ctaid" &&
			o.Special.Name != "%nctaid" {
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

// unchanged reports whether a value is loop-invariant: it is computed outside the loop, or from constants and
// loop-invariant values.
func (f *Frame) unchanged(i int32, l *rewrite.Loop, depth int) bool {
	v := &f.ssa.Values[i]
	if !f.InLoop(v.Block, l) {
		return true
	}
	if v.Kind != rewrite.SSAWrite || v.Old != rewrite.NoValue || depth > 16 || !pure(v.Inst) {
		return false
	}
	same := true
	v.Inst.Uses(func(r *rewrite.Reg) {
		u := f.ssa.Use(v.Inst, r)
		same = same && u != rewrite.NoValue && f.unchanged(u, l, depth+1)
	})
	for n := range v.Inst.Operands {
		if o := &v.Inst.Operands[n]; o.Kind == rewrite.OperandSpecial &&
			(o.Special.Volatile || o.Special.PerLane && o.Special.Name != "%tid") {
			same = false
		}
	}
	return same
}

// pure reports whether the result of an instruction depends only on its source operands.
func pure(in *rewrite.Inst) bool {
	c := in.Instr.Calc
	return c != isa.CalcNone && c != isa.CalcLoad && c != isa.CalcAddress && in.Effects()&isa.ReadsCarry == 0
}

// InLoop reports whether a block is in a loop.
func (f *Frame) InLoop(b *rewrite.Block, l *rewrite.Loop) bool {
	for in := f.inner[b.Index]; in != nil; in = in.Parent {
		if in == l {
			return true
		}
	}
	return false
}

// Loop returns the loop whose iterations a variable counts, nil for other variables.
func (o *Origin) Loop() *Loop {
	if o.loop == nil || o.value >= 0 {
		return nil
	}
	return o.Frame.loop(o.loop)
}

// Carrier returns the loop that carries a variable from one round to the next, nil for other variables.
func (o *Origin) Carrier() *Loop {
	if o.loop == nil || o.value < 0 {
		return nil
	}
	return o.Frame.loop(o.loop)
}

// Recurrence describes a loop-carried variable that has the same value in all threads of a block: Loops are the loops
// around it, innermost first, and Next is its value one iteration later, nil when that depends on more.
type Recurrence struct {
	Loops []*Loop
	Next  *expr.Int
}

// Recurrence returns nil unless all threads of a block have the same value in an iteration.
func (o *Origin) Recurrence(name string) *Recurrence {
	if o.loop == nil || o.value < 0 {
		return nil
	}
	f := o.Frame
	for x := f; x.Parent != nil; x = x.Parent {
		if !x.Parent.Together(x.Call) {
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

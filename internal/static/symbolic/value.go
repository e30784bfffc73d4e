// Values of registers in SSA form, evaluated on demand.

package symbolic

import (
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// Value is the content of a register: an integer that is congruent to it modulo its width, or the truth value of a
// predicate. The other field is nil. Of a register of a floating-point type, Int is unknown, and Number is the integer
// that it equals, if that is known.
type Value struct {
	Int    *expr.Int
	Bool   *expr.Bool
	Number *expr.Int
}

// evalState is the progress of the evaluation of a value.
type evalState uint8

const (
	evalNot evalState = iota
	evalNow
	evalDone
)

// value returns the value with index i of the SSA form.
func (f *Frame) value(i int32) Value {
	if i == rewrite.NoValue {
		return Value{Int: expr.Unknown(), Bool: expr.Maybe()}
	}
	v := &f.ssa.Values[i]
	switch f.state[i] {
	case evalDone:
		return f.vals[i]
	case evalNow: // a cycle that is not a recognised loop
		f.set(i, f.opaque(v, Origin{Inst: v.Inst, What: "a value carried around a loop", value: i, Data: true}))
		return f.vals[i]
	}
	f.state[i] = evalNow
	f.Kernel.work++
	var out Value
	switch {
	case f.Kernel.late():
		out = f.untimely(v, i)
	case v.Kind == rewrite.SSAEntry:
		out = f.entry(v, i)
	case v.Kind == rewrite.SSAPhi:
		out = f.phi(v, i)
	default:
		out = f.written(v, i)
	}
	if f.Kernel.late() { // it may be long, and so are those that are made of it
		out = f.untimely(v, i)
	}
	if f.state[i] == evalNow { // otherwise it depended on itself, and keeps the variable assigned there
		f.set(i, f.short(out, v.Reg.Type, i))
	}
	return f.vals[i]
}

// untimely returns a value that is not known as the time is over.
func (f *Frame) untimely(v *rewrite.SSAValue, i int32) Value {
	return f.opaque(v, Origin{Inst: v.Inst, What: "a value that was not evaluated in time", value: i, Data: true})
}

// late reports whether the time is over, at which it looks now and then.
func (k *Kernel) late() bool {
	if k.looks++; !k.over && k.looks%StepsAtOnce == 0 {
		k.over = k.Ended()
	}
	return k.over
}

// maxInline limits the nodes of a value that is inlined in others. Larger ones are named, so that formulas do not
// repeat them.
const maxInline = 80

// short returns a value, or a variable for one that is too large.
func (f *Frame) short(v Value, t isa.Type, i int32) Value {
	o := Origin{What: "a long formula", value: i}
	switch {
	case v.Number != nil && v.Number.Size() > maxInline:
		return f.opaque(&f.ssa.Values[i], o)
	case v.Bool != nil && v.Bool.Size() > maxInline:
		o.test = v.Bool
		b := f.freshBool(o)
		f.Kernel.note(Value{Bool: b}, expr.Iff(b, v.Bool))
		return Value{Bool: b}
	case v.Int != nil && v.Int.Size() > maxInline && !v.Int.IsUnknown() && t.Bits() <= 64:
		o.long = read(v.Int, t)
		x := f.Kernel.among(f.fresh(o, t), []*expr.Int{o.long})
		f.Kernel.note(Value{Int: x}, expr.Eq(x, o.long))
		return Value{Int: x}
	}
	return v
}

func (f *Frame) set(i int32, v Value) {
	f.vals[i], f.state[i] = v, evalDone
}

// opaque returns an unconstrained variable for a register.
func (f *Frame) opaque(v *rewrite.SSAValue, o Origin) Value {
	t := v.Reg.Type
	switch {
	case t == isa.Pred:
		return Value{Bool: f.freshBool(o)}
	case t.Float() || v.Reg.Vec > 1 || t.Bits() > 64:
		return Value{Int: expr.Unknown()}
	}
	return Value{Int: f.fresh(o, t)}
}

// entry returns the content of a register when the function starts: an argument in a register, or an unknown.
func (f *Frame) entry(v *rewrite.SSAValue, i int32) Value {
	if f.Parent != nil {
		c, _ := f.Call.Call()
		for n, p := range f.Func.Params {
			if p.Reg == v.Reg && n < len(c.Args) {
				return f.Parent.operand(f.Call, &c.Args[n])
			}
		}
	}
	return f.opaque(v, Origin{What: "a register that nothing was written to", value: i, Data: true})
}

// written returns the value that an instruction writes.
func (f *Frame) written(v *rewrite.SSAValue, i int32) Value {
	in := v.Inst
	out := f.result(v, i)
	if v.Old == rewrite.NoValue {
		return out
	}
	if v.Reg.Vec > 1 || in.Guard == nil {
		return f.opaque(v, Origin{Inst: in, What: "a part of a register", value: i, Data: true})
	}
	return f.choose(f.guard(in), out, f.value(v.Old))
}

// choose returns a where c holds and b elsewhere.
func (f *Frame) choose(c *expr.Bool, a, b Value) Value {
	if a.Bool != nil || b.Bool != nil {
		return Value{Bool: either(c, truth(a), truth(b))}
	}
	out := Value{Int: expr.Ite(c, a.Int, b.Int)}
	if a.Number != nil && b.Number != nil {
		out.Number = expr.Ite(c, a.Number, b.Number)
	}
	return out
}

// either returns a where c holds and b elsewhere.
func either(c, a, b *expr.Bool) *expr.Bool {
	return expr.Any(expr.All(c, a), expr.All(expr.Not(c), b))
}

// truth returns a value as a condition; an integer is true unless it is 0.
func truth(v Value) *expr.Bool {
	if v.Bool != nil {
		return v.Bool
	}
	return expr.Ne(v.Int, expr.Const(0))
}

// guard returns the condition under which an instruction executes once control reaches it.
func (f *Frame) guard(in *rewrite.Inst) *expr.Bool {
	if in.Guard == nil {
		return expr.True
	}
	g := truth(f.value(f.ssa.Use(in, in.Guard)))
	if in.GuardNot {
		return expr.Not(g)
	}
	return g
}

// demand returns the condition under which a thread uses a loaded value.
func (f *Frame) demand(d query.Demand) *expr.Bool {
	any := make([]*expr.Bool, len(d.Any))
	for i, c := range d.Any {
		if any[i] = truth(f.register(c.By, c.Reg)); c.Not {
			any[i] = expr.Not(any[i])
		}
	}
	return expr.Any(any...)
}

// register returns the content of a register operand when an instruction reads it.
func (f *Frame) register(in *rewrite.Inst, r *rewrite.Reg) Value { return f.value(f.ssa.Use(in, r)) }

// operand returns the value of a source operand.
func (f *Frame) operand(in *rewrite.Inst, o *rewrite.Operand) Value {
	switch o.Kind {
	case rewrite.OperandReg:
		return f.registerOperand(in, o)
	case rewrite.OperandImm:
		if o.Float {
			return Value{Int: expr.Unknown(), Number: literal(o)}
		}
		return Value{Int: expr.Const(int64(o.Imm))}
	case rewrite.OperandSpecial:
		return f.special(in, o)
	case rewrite.OperandSymbol:
		switch v := o.Sym.(type) {
		case *rewrite.Var:
			return Value{Int: expr.Add(f.symbol(v), expr.Const(o.Off))}
		case *rewrite.Func:
			return Value{Int: function(v)}
		}
	case rewrite.OperandSum:
		return f.sumOperand(in, o)
	case rewrite.OperandVector:
		return f.packed(in, o)
	}
	return Value{Int: expr.Unknown()}
}

func (f *Frame) registerOperand(in *rewrite.Inst, o *rewrite.Operand) Value {
	if o.Member != "" || o.Reg.Vec > 1 {
		return Value{Int: expr.Unknown(), Bool: nil}
	}
	v := f.register(in, o.Reg)
	switch {
	case o.Not:
		return Value{Bool: expr.Not(truth(v))}
	case o.Neg && v.Int != nil:
		return Value{Int: expr.Neg(v.Int)}
	}
	return v
}

// sumOperand returns the value of %r+4 or array[%r].
func (f *Frame) sumOperand(in *rewrite.Inst, o *rewrite.Operand) Value {
	sum := expr.Const(o.Off)
	if o.Reg != nil {
		r := f.register(in, o.Reg).Int
		if r == nil || o.Reg.Vec > 1 {
			return Value{Int: expr.Unknown()}
		}
		sum = expr.Add(sum, expr.Mul(expr.Const(o.Scale), r))
	}
	if v, ok := o.Sym.(*rewrite.Var); ok {
		sum = expr.Add(sum, f.symbol(v))
	}
	return Value{Int: sum}
}

// packed returns {a, b} as one register: the first element is lowest (PTX ISA, "mov").
func (f *Frame) packed(in *rewrite.Inst, o *rewrite.Operand) Value {
	sum, at := expr.Const(0), 0
	for i := range o.Elems {
		e := &o.Elems[i]
		if e.Kind != rewrite.OperandReg || e.Reg.Vec > 1 || e.Reg.Type.Float() || e.Reg.Type == isa.Pred {
			return Value{Int: expr.Unknown()}
		}
		bits := e.Reg.Type.Bits()
		part := f.operand(in, e).Int
		if part == nil || at+bits > 64 {
			return Value{Int: expr.Unknown()}
		}
		sum = expr.Add(sum, expr.Shl(expr.Wrap(part, bits, false), expr.Const(int64(at))))
		at += bits
	}
	return Value{Int: sum}
}

// Address returns the effective address of an operand, congruent modulo 2^64.
func (f *Frame) Address(in *rewrite.Inst, n int) *expr.Int {
	o := &in.Operands[n]
	if o.Kind != rewrite.OperandAddr || len(o.Elems) > 0 {
		return expr.Unknown()
	}
	sum := expr.Const(o.Off)
	if o.Reg != nil {
		r := f.register(in, o.Reg).Int
		if r == nil || o.Reg.Vec > 1 {
			return expr.Unknown()
		}
		if o.Reg.Type.Bits() == 32 {
			r = expr.Wrap(r, 32, false)
		}
		sum = expr.Add(sum, r)
	}
	if v, ok := o.Sym.(*rewrite.Var); ok {
		sum = expr.Add(sum, f.symbol(v))
	}
	return sum
}

// Guard returns the condition under which an instruction executes once control reaches it.
func (f *Frame) Guard(in *rewrite.Inst) *expr.Bool { return f.guard(in) }

// signed and unsigned interpret a value as a number of the given width.
func signed(x *expr.Int, bits int) *expr.Int   { return expr.Wrap(x, bits, true) }
func unsigned(x *expr.Int, bits int) *expr.Int { return unsign(x, bits) }

// maxRepeat limits the nodes of a value that a formula repeats.
const maxRepeat = 12

// unsign interprets a value as an unsigned number. A value that fits a signed number of that width is distinguished by
// its sign, without wrap-around.
func unsign(x *expr.Int, bits int) *expr.Int {
	w := expr.Wrap(x, bits, false)
	if w.Op() != expr.OpWrap {
		return w
	}
	if lo, hi := x.Range(); x.Size() < maxRepeat && lo != nil && hi != nil && lo.Sign() < 0 && lo.BitLen() <= bits &&
		hi.BitLen() <= bits {
		return expr.Ite(expr.Ge(x, expr.Const(0)), x, expr.Add(x, expr.Shl(expr.Const(1), expr.Const(int64(bits)))))
	}
	return w
}

// typed interprets a value as a number of a type; bit types are unsigned.
func typed(v Value, t isa.Type) *expr.Int {
	switch {
	case v.Int == nil || t.Float() || t.Bits() == 0 || t.Bits() > 64 || t.Lanes() > 1:
		return expr.Unknown()
	case t.Signed():
		return signed(v.Int, t.Bits())
	}
	return unsigned(v.Int, t.Bits())
}

// Operand returns the value of a source operand, congruent modulo its width.
func (f *Frame) Operand(in *rewrite.Inst, n int) *expr.Int {
	if v := f.operand(in, &in.Operands[n]); v.Int != nil {
		return v.Int
	}
	return expr.Unknown()
}

// StepsAtOnce is the number of steps of a search, or of evaluated values, between two looks at [Kernel.Ended].
const StepsAtOnce = 256

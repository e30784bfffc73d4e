// Instructions that access registers only.

package replay

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// operand returns the value of a source operand.
func (t *thread) operand(a *activation, in *rewrite.Inst, o *rewrite.Operand) value {
	switch o.Kind {
	case rewrite.OperandReg:
		if o.Member != "" || o.Reg.Vec > 1 {
			return value{}
		}
		v := a.regs[o.Reg.Index]
		if o.Not {
			v.bits ^= 1
		}
		if o.Neg {
			v.bits = o.Reg.Type.Truncate(-v.bits)
		}
		return v
	case rewrite.OperandImm:
		return value{bits: o.Imm, known: !o.Float}
	case rewrite.OperandSpecial:
		return t.special(o)
	case rewrite.OperandSymbol:
		if v, ok := o.Sym.(*rewrite.Var); ok {
			return value{bits: t.launch.Symbol(a.frame, v) + uint64(o.Off), known: true}
		}
	case rewrite.OperandVector:
		return t.pack(a, in, o)
	}
	return value{}
}

func (t *thread) pack(a *activation, in *rewrite.Inst, o *rewrite.Operand) value {
	out, at := value{known: true}, 0
	for i := range o.Elems {
		e := &o.Elems[i]
		if e.Reg == nil {
			return value{}
		}
		v := t.operand(a, in, e)
		out.known = out.known && v.known
		out.bits |= e.Reg.Type.Truncate(v.bits) << at
		at += e.Reg.Type.Bits()
	}
	if at > 64 {
		return value{}
	}
	return out
}

func (t *thread) special(o *rewrite.Operand) value {
	number := func(x [3]uint32) value {
		if len(o.Member) != 2 || o.Member[1] < 'x' || o.Member[1] > 'z' {
			return value{}
		}
		return value{bits: uint64(x[o.Member[1]-'x']), known: true}
	}
	switch o.Special.Name {
	case "%tid":
		return number(t.thread)
	case "%ctaid":
		return number(t.block)
	case "%ntid":
		return number(t.launch.Block)
	case "%nctaid":
		return number(t.launch.Grid)
	case "%laneid":
		b := t.launch.Block
		flat := t.thread[0] + b[0]*(t.thread[1]+b[1]*t.thread[2])
		return value{bits: uint64(flat % isa.WarpSize), known: true}
	}
	return value{}
}

// compute executes an instruction that accesses registers only.
func (t *thread) compute(a *activation, in *rewrite.Inst) {
	sync := false
	if len(in.Operands) == 0 {
		return
	}
	in.Uses(func(r *rewrite.Reg) { sync = sync || a.regs[r.Index].sync && !a.regs[r.Index].known })
	sources, known := t.sources(a, in)
	dst := &in.Operands[0]
	if fn := a.function(in); fn != nil {
		a.put(dst, value{fn: fn})
		return
	}
	result, ok := query.Evaluate(in, sources)
	if !ok || dst.Kind == rewrite.OperandReg && dst.Reg.Vec > 1 {
		t.forget(a, in)
		in.Defs(func(r *rewrite.Reg) { a.regs[r.Index].sync = sync })
		return
	}
	a.put(dst, value{bits: result, known: known, sync: sync})
}

// function returns the function whose address an instruction copies or selects, nil for other instructions.
func (a *activation) function(in *rewrite.Inst) *rewrite.Func {
	n := 1
	switch in.Instr.Calc {
	case isa.CalcCopy:
	case isa.CalcSelect:
		if p := &in.Operands[3]; p.Kind != rewrite.OperandReg || p.Not || !a.regs[p.Reg.Index].known {
			return nil
		} else if a.regs[p.Reg.Index].bits&1 == 0 {
			n = 2
		}
	default:
		return nil
	}
	o := &in.Operands[n]
	if o.Kind == rewrite.OperandReg && o.Member == "" {
		return a.regs[o.Reg.Index].fn
	}
	fn, _ := o.Sym.(*rewrite.Func)
	if fn != nil && fn.Alias != nil {
		return fn.Alias
	}
	return fn
}

// sources returns the values of the operands after the first, and whether all that the result depends on are known.
func (t *thread) sources(a *activation, in *rewrite.Inst) (words []uint64, known bool) {
	values := make([]value, len(in.Operands))
	known = true
	for n := 1; n < len(values); n++ {
		values[n] = t.operand(a, in, &in.Operands[n])
		known = known && values[n].known
		words = append(words, values[n].bits)
	}
	if in.Instr.Calc == isa.CalcSelect && len(values) == 4 {
		chosen := 2 - values[3].bits&1
		known = values[3].known && values[chosen].known
	}
	return words, known
}

// put writes the destination: a register, the elements of a vector, or p|q.
func (a *activation) put(dst *rewrite.Operand, v value) {
	switch dst.Kind {
	case rewrite.OperandReg:
		v.bits = dst.Reg.Type.Truncate(v.bits)
		a.regs[dst.Reg.Index] = v
	case rewrite.OperandVector: // mov
		for i := range dst.Elems {
			if r := dst.Elems[i].Reg; r != nil {
				a.regs[r.Index] = value{bits: r.Type.Truncate(v.bits), known: v.known, sync: v.sync}
				v.bits >>= r.Type.Bits() & 63
			} else {
				v.known = false
			}
		}
	case rewrite.OperandPair:
		for i := range dst.Elems {
			if r := dst.Elems[i].Reg; r != nil {
				a.regs[r.Index] = value{bits: v.bits >> i & 1, known: v.known, sync: v.sync}
			}
		}
	}
}

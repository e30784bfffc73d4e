// Operands: registers, vectors of registers, negation; constants of a frame.

package decode

import (
	"fmt"
	"math"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// RefusalPrefix begins the messages about instructions that are not emulated.
const RefusalPrefix = "not yet emulated: "

// Unsupported returns the error for an instruction that is not emulated.
func Unsupported(d *state.Decoder, in *rewrite.Inst, format string, args ...any) error {
	return Errorf(d, in, RefusalPrefix+format, args...)
}

// Errorf returns an error at the position of the instruction.
func Errorf(d *state.Decoder, in *rewrite.Inst, format string, args ...any) error {
	return &ptxgrammar.Error{Pos: in.Position(), Msg: fmt.Sprintf(format, args...)}
}

// Alloc reserves a slot of 1, 32, 64 or 128 bits per lane.
func Alloc(d *state.Decoder, bits int) state.Slot {
	n := SlotBytes(bits)
	if bits > 1 {
		d.Top = (d.Top + 63) &^ 63
	}
	s := d.Top
	d.Top += n
	return s
}

// Temp reserves a slot for an intermediate value of the current instruction; the next instruction may reuse it.
func Temp(d *state.Decoder, bits int) state.Slot {
	t := d.Temps[bits]
	if t == nil {
		t = &state.Temporaries{}
		d.Temps[bits] = t
	}
	if t.Used == len(t.Slots) {
		t.Slots = append(t.Slots, Alloc(d, bits))
	}
	t.Used++
	return t.Slots[t.Used-1]
}

// Constant returns a slot that holds v in every lane; bits is 1, 32 or 64.
func Constant(d *state.Decoder, bits int, v uint64) state.Slot {
	if bits == 32 {
		v = uint64(uint32(v))
	}
	k := state.ConstKey{Bits: bits, Val: v}
	s, ok := d.Consts[k]
	if !ok {
		s = Alloc(d, bits)
		d.Consts[k] = s
		d.Fn.Constants = append(d.Fn.Constants, state.Constant{Slot: s, Bits: bits, Val: v})
	}
	return s
}

// ConstantLanes returns a slot that holds v.
func ConstantLanes(d *state.Decoder, v state.Vec32) state.Slot {
	s, ok := d.LaneConsts[v]
	if !ok {
		if d.LaneConsts == nil {
			d.LaneConsts = map[state.Vec32]state.Slot{}
		}
		s = Alloc(d, 32)
		d.LaneConsts[v] = s
		d.Fn.Constants = append(d.Fn.Constants, state.Constant{Slot: s, Bits: 32, Each: &v})
	}
	return s
}

// Emit adds an instruction before the current one, under the same guard.
func Emit(d *state.Decoder, i state.Inst) { d.Pre = append(d.Pre, i) }

// Dst returns the register that the first operand writes; for "_" it is a scratch slot of the operand's type.
func Dst(d *state.Decoder, in *rewrite.Inst) (state.Operand, error) {
	return Target(d, in, &in.Operands[0], in.Decoded.Operands[0].Type)
}

// Target is dst for a part of an operand: an element of a vector or pair.
func Target(d *state.Decoder, in *rewrite.Inst, op *rewrite.Operand, t isa.Type) (state.Operand, error) {
	switch op.Kind {
	case rewrite.OperandNone:
		return state.Operand{Slot: Temp(d, events.SlotBits(t)), Typ: t}, nil
	case rewrite.OperandReg:
		return reg(d, in, op)
	}
	return state.Operand{}, Errorf(d, in, "%s: operand %s cannot be written", in.Text(), Text(d, op))
}

// Src returns the register or constant that operand i reads.
func Src(d *state.Decoder, in *rewrite.Inst, i int) (state.Operand, error) {
	return Value(d, in, &in.Operands[i], in.Decoded.Operands[i].Type)
}

// Value is src for a part of an operand. A constant is read as type t.
func Value(d *state.Decoder, in *rewrite.Inst, op *rewrite.Operand, t isa.Type) (state.Operand, error) {
	switch op.Kind {
	case rewrite.OperandReg:
		o, err := reg(d, in, op)
		if err != nil || !op.Not && !op.Neg {
			return o, err
		}
		return negated(d, in, op, o)
	case rewrite.OperandImm:
		return immediate(d, in, op, t)
	case rewrite.OperandSpecial:
		return specialOperand(d, in, op)
	case rewrite.OperandSymbol:
		return symbol(d, in, op, t)
	case rewrite.OperandSum:
		return sum(d, in, op, t)
	}
	return state.Operand{}, Errorf(d, in, "%s: operand %s is not a value", in.Text(), Text(d, op))
}

// Pred returns the predicate that operand i reads.
func Pred(d *state.Decoder, in *rewrite.Inst, i int) (state.Slot, error) {
	o, err := Value(d, in, &in.Operands[i], isa.Pred)
	return o.Slot, err
}

// Elems returns the parts of operand i: the elements of {a, b}, the components of a vector register, or the operand
// itself.
func Elems(d *state.Decoder, in *rewrite.Inst, i int) []rewrite.Operand {
	return ElemsOf(d, &in.Operands[i])
}

// ElemsOf is elems for a part of an operand.
func ElemsOf(d *state.Decoder, op *rewrite.Operand) []rewrite.Operand {
	switch {
	case op.Kind == rewrite.OperandVector || op.Kind == rewrite.OperandPair:
		return op.Elems
	case op.Kind == rewrite.OperandReg && op.Reg.Vec > 1 && op.Member == "":
		parts := make([]rewrite.Operand, op.Reg.Vec)
		for k := range parts {
			parts[k] = *op
			parts[k].Member = "." + VectorMembers[k:k+1]
		}
		return parts
	}
	return []rewrite.Operand{*op}
}

// VectorMembers are the names of a vector register's components.
const VectorMembers = "xyzw"

// reg returns the slot of a register or of a component of a vector register.
func reg(d *state.Decoder, in *rewrite.Inst, op *rewrite.Operand) (state.Operand, error) {
	s := d.Regs[op.Reg.Index]
	if op.Member != "" {
		k := strings.IndexByte(VectorMembers, op.Member[1])
		if k < 0 {
			k = strings.IndexByte("rgba", op.Member[1])
		}
		if k < 0 || k >= op.Reg.Vec {
			return state.Operand{}, Errorf(d, in, "%s has no component %s", op.Reg.Name, op.Member)
		}
		s += state.Slot(k) * VectorStride(op.Reg.Type)
	}
	return state.Operand{Slot: s, Typ: op.Reg.Type}, nil
}

// negated returns a temporary with !p or -r.
func negated(d *state.Decoder, in *rewrite.Inst, op *rewrite.Operand, o state.Operand) (state.Operand, error) {
	t := state.Operand{Slot: Temp(d, events.SlotBits(o.Typ)), Typ: o.Typ}
	i := state.Inst{D: t.Slot, A: o.Slot}
	switch {
	case op.Not && o.Typ == isa.Pred:
		i.Body, i.Op = ExecNotPred, vector.NotPred
	case op.Neg && o.Typ.Bits() == 64 && o.Typ.Float():
		i.Body, i.Imm, i.Op = execXor64, math.MinInt64, vector.NegF64
	case op.Neg && o.Typ.Bits() == 32 && o.Typ.Float():
		i.Body, i.Imm, i.Op = execXor32, 1<<31, vector.NegF32
	case op.Neg && o.Wide():
		i.Body, i.Op = execNeg64, vector.Neg64
	case op.Neg && o.Typ.Bits() == 32:
		i.Body, i.Op = execNeg32, vector.Neg32
	default:
		return state.Operand{}, Errorf(d, in, "%s: operand %s is not a value", in.Text(), Text(d, op))
	}
	Emit(d, i)
	return t, nil
}

// ExecNotPred negates a predicate.
func ExecNotPred(x *state.Engine, in *state.Inst, m state.Lanes) {
	d := x.Frame.P(in.D)
	*d = *d&^m | ^*x.Frame.P(in.A)&m
}

func execXor32(x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a := x.Frame.R32(in.D), x.Frame.R32(in.A)
	for ; m != 0; m &= m - 1 {
		d[m.First()] = a[m.First()] ^ uint32(in.Imm)
	}
}

func execXor64(x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a := x.Frame.R64(in.D), x.Frame.R64(in.A)
	for ; m != 0; m &= m - 1 {
		d[m.First()] = a[m.First()] ^ uint64(in.Imm)
	}
}

func execNeg32(x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a := x.Frame.R32(in.D), x.Frame.R32(in.A)
	for ; m != 0; m &= m - 1 {
		d[m.First()] = -a[m.First()]
	}
}

func execNeg64(x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a := x.Frame.R64(in.D), x.Frame.R64(in.A)
	for ; m != 0; m &= m - 1 {
		d[m.First()] = -a[m.First()]
	}
}

// Text returns the source text of an operand, for messages.
func Text(d *state.Decoder, op *rewrite.Operand) string {
	if op.AST == nil {
		return "?"
	}
	return d.Fn.Src.Module.AST.OperandText(op.AST)
}

// TypesOf returns the types of registers.
func TypesOf(regs []state.Operand) []isa.Type {
	types := make([]isa.Type, len(regs))
	for i, r := range regs {
		types[i] = r.Typ
	}
	return types
}

// AllOf reports whether all registers have the given width.
func AllOf(regs []state.Operand, bits int) bool {
	for _, r := range regs {
		if r.Typ.Bits() != bits {
			return false
		}
	}
	return true
}

// MemRegs resolves the register or vector of registers that a load writes or a store reads. They may be wider than the
// type in memory, but not narrower.
func MemRegs(d *state.Decoder, in *rewrite.Inst, i int, dst bool) ([]state.Operand, error) {
	info := in.Decoded.Operands[i]
	elems := Elems(d, in, i)
	if len(elems) != max(info.Vec, 1) {
		return nil, Errorf(d, in, "%s: %d elements, expected %d", in.Text(), len(elems), info.Vec)
	}
	regs := make([]state.Operand, len(elems))
	for k := range elems {
		resolve := Value
		if dst {
			resolve = Target
		}
		r, err := resolve(d, in, &elems[k], info.Type)
		if err != nil {
			return nil, err
		}
		if r.Typ.Bits() < info.Type.Bits() || r.Typ == isa.Pred || r.Typ.Bits() == 128 && info.Type.Bits() != 128 {
			return nil, Errorf(d, in, "%s: operand %s is .%s, expected .%s", in.Text(), Text(d, &elems[k]), r.Typ,
				info.Type)
		}
		regs[k] = r
	}
	return regs, nil
}

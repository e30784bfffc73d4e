// Operands: registers, literals, addresses and symbols become slots of the register file.

package emu

import (
	"fmt"
	"math"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// decoder translates one function into flat code. The decode functions of instructions (decodeFunc) resolve their
// operands through it.
type decoder struct {
	m     *machine
	fn    *function
	body  *body  // current body; in the end that of fn itself
	regs  []slot // of the body, by rewrite.Reg.Index
	fixed []int  // instructions of fn that its preface executes
	top   slot   // first free byte of the register file

	temps    map[int]*temporaries // by width
	bodies   []*body              // all decoded bodies
	nested   []sharedSlots        // registers of inlined functions, by depth
	inlined  int                  // instructions of inlined functions
	stackTop uint64               // offset of the next stack variable

	consts     map[constKey]slot
	laneConsts map[vec32]slot // constants with a separate value for each lane
	specials   map[specialReg]slot
	stack      map[*rewrite.Var]uint64 // offsets of stack variables
	refs       map[stackRef]slot
	shared     map[sharedRef]slot
	read       map[*rewrite.Func]rewrite.RegSet // of programs

	pre     []inst         // instructions emitted before the current one
	barrier *barrierOp     // of the current instruction
	silent  bool           // the listener does not need the accesses of the current instruction
	indexed []*indexBranch // their targets are indices of source instructions until link
}

// temporaries are slots for intermediate values; the first used ones are in use.
type temporaries struct {
	slots []slot
	used  int
}

type constKey struct {
	bits int
	val  uint64
}

// refusalPrefix begins the messages about instructions that are not emulated.
const refusalPrefix = "not yet emulated: "

// unsupported returns the error for an instruction that is not emulated.
func (d *decoder) unsupported(in *rewrite.Inst, format string, args ...any) error {
	return d.errorf(in, refusalPrefix+format, args...)
}

// errorf returns an error at the position of the instruction.
func (d *decoder) errorf(in *rewrite.Inst, format string, args ...any) error {
	return &ptxgrammar.Error{Pos: in.Position(), Msg: fmt.Sprintf(format, args...)}
}

// alloc reserves a slot of 1, 32, 64 or 128 bits per lane.
func (d *decoder) alloc(bits int) slot {
	n := slotBytes(bits)
	if bits > 1 {
		d.top = (d.top + 63) &^ 63
	}
	s := d.top
	d.top += n
	return s
}

// temp reserves a slot for an intermediate value of the current instruction; the next instruction may reuse it.
func (d *decoder) temp(bits int) slot {
	t := d.temps[bits]
	if t == nil {
		t = &temporaries{}
		d.temps[bits] = t
	}
	if t.used == len(t.slots) {
		t.slots = append(t.slots, d.alloc(bits))
	}
	t.used++
	return t.slots[t.used-1]
}

// constant returns a slot that holds v in every lane; bits is 1, 32 or 64.
func (d *decoder) constant(bits int, v uint64) slot {
	if bits == 32 {
		v = uint64(uint32(v))
	}
	k := constKey{bits, v}
	s, ok := d.consts[k]
	if !ok {
		s = d.alloc(bits)
		d.consts[k] = s
		d.fn.constants = append(d.fn.constants, constant{slot: s, bits: bits, val: v})
	}
	return s
}

// constantLanes returns a slot that holds v.
func (d *decoder) constantLanes(v vec32) slot {
	s, ok := d.laneConsts[v]
	if !ok {
		if d.laneConsts == nil {
			d.laneConsts = map[vec32]slot{}
		}
		s = d.alloc(32)
		d.laneConsts[v] = s
		d.fn.constants = append(d.fn.constants, constant{slot: s, bits: 32, each: &v})
	}
	return s
}

// emit adds an instruction before the current one, under the same guard.
func (d *decoder) emit(i inst) { d.pre = append(d.pre, i) }

// dst returns the register that the first operand writes; for "_" it is a scratch slot of the operand's type.
func (d *decoder) dst(in *rewrite.Inst) (operand, error) {
	return d.target(in, &in.Operands[0], in.Decoded.Operands[0].Type)
}

// target is dst for a part of an operand: an element of a vector or pair.
func (d *decoder) target(in *rewrite.Inst, op *rewrite.Operand, t isa.Type) (operand, error) {
	switch op.Kind {
	case rewrite.OperandNone:
		return operand{d.temp(slotBits(t)), t}, nil
	case rewrite.OperandReg:
		return d.reg(in, op)
	}
	return operand{}, d.errorf(in, "%s: operand %s cannot be written", in.Text(), d.text(op))
}

// src returns the register or constant that operand i reads.
func (d *decoder) src(in *rewrite.Inst, i int) (operand, error) {
	return d.value(in, &in.Operands[i], in.Decoded.Operands[i].Type)
}

// value is src for a part of an operand. A constant is read as type t.
func (d *decoder) value(in *rewrite.Inst, op *rewrite.Operand, t isa.Type) (operand, error) {
	switch op.Kind {
	case rewrite.OperandReg:
		o, err := d.reg(in, op)
		if err != nil || !op.Not && !op.Neg {
			return o, err
		}
		return d.negated(in, op, o)
	case rewrite.OperandImm:
		return d.immediate(in, op, t)
	case rewrite.OperandSpecial:
		return d.specialOperand(in, op)
	case rewrite.OperandSymbol:
		return d.symbol(in, op, t)
	case rewrite.OperandSum:
		return d.sum(in, op, t)
	}
	return operand{}, d.errorf(in, "%s: operand %s is not a value", in.Text(), d.text(op))
}

// pred returns the predicate that operand i reads.
func (d *decoder) pred(in *rewrite.Inst, i int) (slot, error) {
	o, err := d.value(in, &in.Operands[i], isa.Pred)
	return o.slot, err
}

// elems returns the parts of operand i: the elements of {a, b}, the components of a vector register, or the operand
// itself.
func (d *decoder) elems(in *rewrite.Inst, i int) []rewrite.Operand { return d.elemsOf(&in.Operands[i]) }

// elemsOf is elems for a part of an operand.
func (d *decoder) elemsOf(op *rewrite.Operand) []rewrite.Operand {
	switch {
	case op.Kind == rewrite.OperandVector || op.Kind == rewrite.OperandPair:
		return op.Elems
	case op.Kind == rewrite.OperandReg && op.Reg.Vec > 1 && op.Member == "":
		parts := make([]rewrite.Operand, op.Reg.Vec)
		for k := range parts {
			parts[k] = *op
			parts[k].Member = "." + vectorMembers[k:k+1]
		}
		return parts
	}
	return []rewrite.Operand{*op}
}

const vectorMembers = "xyzw"

// reg returns the slot of a register or of a component of a vector register.
func (d *decoder) reg(in *rewrite.Inst, op *rewrite.Operand) (operand, error) {
	s := d.regs[op.Reg.Index]
	if op.Member != "" {
		k := strings.IndexByte(vectorMembers, op.Member[1])
		if k < 0 {
			k = strings.IndexByte("rgba", op.Member[1])
		}
		if k < 0 || k >= op.Reg.Vec {
			return operand{}, d.errorf(in, "%s has no component %s", op.Reg.Name, op.Member)
		}
		s += slot(k) * vectorStride(op.Reg.Type)
	}
	return operand{s, op.Reg.Type}, nil
}

// negated returns a temporary with !p or -r.
func (d *decoder) negated(in *rewrite.Inst, op *rewrite.Operand, o operand) (operand, error) {
	t := operand{d.temp(slotBits(o.typ)), o.typ}
	i := inst{d: t.slot, a: o.slot}
	switch {
	case op.Not && o.typ == isa.Pred:
		i.body, i.op = execNotPred, vector.NotPred
	case op.Neg && o.typ.Bits() == 64 && o.typ.Float():
		i.body, i.imm, i.op = execXor64, math.MinInt64, vector.NegF64
	case op.Neg && o.typ.Bits() == 32 && o.typ.Float():
		i.body, i.imm, i.op = execXor32, 1<<31, vector.NegF32
	case op.Neg && o.wide():
		i.body, i.op = execNeg64, vector.Neg64
	case op.Neg && o.typ.Bits() == 32:
		i.body, i.op = execNeg32, vector.Neg32
	default:
		return operand{}, d.errorf(in, "%s: operand %s is not a value", in.Text(), d.text(op))
	}
	d.emit(i)
	return t, nil
}

func execNotPred(x *engine, in *inst, m lanes) {
	d := x.frame.p(in.d)
	*d = *d&^m | ^*x.frame.p(in.a)&m
}

func execXor32(x *engine, in *inst, m lanes) {
	d, a := x.frame.r32(in.d), x.frame.r32(in.a)
	for ; m != 0; m &= m - 1 {
		d[m.first()] = a[m.first()] ^ uint32(in.imm)
	}
}

func execXor64(x *engine, in *inst, m lanes) {
	d, a := x.frame.r64(in.d), x.frame.r64(in.a)
	for ; m != 0; m &= m - 1 {
		d[m.first()] = a[m.first()] ^ uint64(in.imm)
	}
}

func execNeg32(x *engine, in *inst, m lanes) {
	d, a := x.frame.r32(in.d), x.frame.r32(in.a)
	for ; m != 0; m &= m - 1 {
		d[m.first()] = -a[m.first()]
	}
}

func execNeg64(x *engine, in *inst, m lanes) {
	d, a := x.frame.r64(in.d), x.frame.r64(in.a)
	for ; m != 0; m &= m - 1 {
		d[m.first()] = -a[m.first()]
	}
}

// text returns the source text of an operand, for messages.
func (d *decoder) text(op *rewrite.Operand) string {
	if op.AST == nil {
		return "?"
	}
	return d.fn.src.Module.AST.OperandText(op.AST)
}

// typesOf returns the types of registers.
func typesOf(regs []operand) []isa.Type {
	types := make([]isa.Type, len(regs))
	for i, r := range regs {
		types[i] = r.typ
	}
	return types
}

// allOf reports whether all registers have the given width.
func allOf(regs []operand, bits int) bool {
	for _, r := range regs {
		if r.typ.Bits() != bits {
			return false
		}
	}
	return true
}

// memRegs resolves the register or vector of registers that a load writes or a store reads. They may be wider than the
// type in memory, but not narrower.
func (d *decoder) memRegs(in *rewrite.Inst, i int, dst bool) ([]operand, error) {
	info := in.Decoded.Operands[i]
	elems := d.elems(in, i)
	if len(elems) != max(info.Vec, 1) {
		return nil, d.errorf(in, "%s: %d elements, expected %d", in.Text(), len(elems), info.Vec)
	}
	regs := make([]operand, len(elems))
	for k := range elems {
		resolve := (*decoder).value
		if dst {
			resolve = (*decoder).target
		}
		r, err := resolve(d, in, &elems[k], info.Type)
		if err != nil {
			return nil, err
		}
		if r.typ.Bits() < info.Type.Bits() || r.typ == isa.Pred || r.typ.Bits() == 128 && info.Type.Bits() != 128 {
			return nil, d.errorf(in, "%s: operand %s is .%s, expected .%s", in.Text(), d.text(&elems[k]), r.typ,
				info.Type)
		}
		regs[k] = r
	}
	return regs, nil
}

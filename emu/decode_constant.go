// What is known before a block runs: operands (literals, symbols, addresses), sums with them such as %r+4 or array[%r],
// and the instructions of the preface.

package emu

import (
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// immediate returns a constant slot with the literal read as type t.
func (d *decoder) immediate(in *rewrite.Inst, op *rewrite.Operand, t isa.Type) (operand, error) {
	v := op.Imm
	switch {
	case t == isa.Pred:
		if v != 0 {
			v = 1
		}
	case op.Float && op.Single:
		if t == isa.F64 {
			v = math.Float64bits(float64(math.Float32frombits(uint32(v))))
		}
	case op.Float && t.Bits() == 32:
		v = uint64(math.Float32bits(float32(math.Float64frombits(v))))
	case op.Float && t.Bits() != 64:
		return operand{}, d.errorf(in, "%s: operand %s is a floating-point literal, expected .%s", in.Text(),
			d.text(op), t)
	case !op.Float && t == isa.F32:
		v = uint64(math.Float32bits(float32(int64(v))))
	case !op.Float && t == isa.F64:
		v = math.Float64bits(float64(int64(v)))
	}
	if b := t.Bits(); b > 1 && b < 64 {
		v &= 1<<b - 1
	}
	if t.Bits() > 64 {
		return operand{}, d.unsupported(in, "%s: 128-bit constant %s", in.Text(), d.text(op))
	}
	return operand{d.constant(slotBits(t), v), t}, nil
}

// symbol returns a constant slot with an address: of a variable in its state space, or of a function.
func (d *decoder) symbol(in *rewrite.Inst, op *rewrite.Operand, t isa.Type) (operand, error) {
	bits := 64
	if slotBits(t) == 32 {
		bits = 32
	} else {
		t = isa.U64
	}
	switch s := op.Sym.(type) {
	case *rewrite.Var:
		if off, ok := d.stack[s]; ok {
			return operand{d.stackAddr(bits, off+uint64(op.Off)), t}, nil
		}
		if s.Space == isa.SpaceShared {
			return operand{d.sharedAddr(bits, s, uint64(op.Off)), t}, nil
		}
		if a, ok := d.m.varAddr(d.fn, s); ok {
			return operand{d.constant(bits, a+uint64(op.Off)), t}, nil
		}
	case *rewrite.Func:
		if f, ok := d.m.bySource[definition(s)]; ok {
			if !f.src.Entry {
				d.fn.calls = append(d.fn.calls, f)
			}
			return operand{d.constant(bits, f.addr+uint64(op.Off)), t}, nil
		}
	}
	return operand{}, d.unsupported(in, "%s: address of %s", in.Text(), d.text(op))
}

// stackAddr returns a slot with the address of a stack variable of this activation.
func (d *decoder) stackAddr(bits int, off uint64) slot {
	k := stackRef{wide: bits == 64, off: off}
	s, ok := d.refs[k]
	if !ok {
		s = d.alloc(bits)
		d.refs[k] = s
		k.slot = s
		d.fn.stackRefs = append(d.fn.stackRefs, k)
	}
	return s
}

// sharedAddr returns a slot with the address of a shared variable.
func (d *decoder) sharedAddr(bits int, v *rewrite.Var, off uint64) slot {
	k := sharedRef{wide: bits == 64, v: v, off: off}
	s, ok := d.shared[k]
	if !ok {
		s = d.alloc(bits)
		d.shared[k] = s
		k.slot = s
		d.fn.sharedRefs = append(d.fn.sharedRefs, k)
	}
	return s
}

// addr returns the memory operand i of a load, store or atomic operation.
func (d *decoder) addr(in *rewrite.Inst, i int) (memOperand, error) {
	op := &in.Operands[i]
	if op.Kind != rewrite.OperandAddr && op.Kind != rewrite.OperandSum {
		return memOperand{}, d.errorf(in, "%s: operand %s is not an address", in.Text(), d.text(op))
	}
	a := memOperand{space: in.Space, off: op.Off}
	if v, ok := op.Sym.(*rewrite.Var); ok {
		if a.space == isa.SpaceNone {
			a.space = v.Space
		}
		sym := *op
		sym.Kind, sym.Off = rewrite.OperandSymbol, 0
		o, err := d.symbol(in, &sym, isa.U64)
		if err != nil {
			return memOperand{}, err
		}
		a.base = o.slot
		if _, ok := d.stack[v]; ok {
			a.space = isa.SpaceLocal
		}
	}
	if a.space == isa.SpaceParam && !d.body.src.Entry {
		a.space = isa.SpaceLocal
	}
	switch {
	case op.Kind == rewrite.OperandSum:
		o, err := d.sum(in, op, isa.U64)
		if err != nil {
			return memOperand{}, err
		}
		a.base, a.off = o.slot, 0
	case op.Reg != nil:
		r, err := d.reg(in, &rewrite.Operand{Reg: op.Reg, Member: op.Member})
		if err != nil {
			return memOperand{}, err
		}
		a.base = d.extended(r)
	case op.Sym == nil:
		a.base = d.constant(64, 0)
	}
	return a, nil
}

// sum returns a slot with the value of %r+4 or with the address array[%r]. Register, scale and offset are combined in
// the width of the register, as in code by ptxas; the result is zero-extended before it is added to the address of the
// array.
func (d *decoder) sum(in *rewrite.Inst, op *rewrite.Operand, t isa.Type) (operand, error) {
	r, err := d.reg(in, &rewrite.Operand{Reg: op.Reg})
	if err != nil {
		return operand{}, err
	}
	r = d.scaled(r, uint64(op.Scale), uint64(op.Off))
	if op.Sym == nil {
		return r, nil
	}
	sym := *op
	sym.Kind, sym.Off = rewrite.OperandSymbol, 0
	base, err := d.symbol(in, &sym, t)
	if err != nil {
		return operand{}, err
	}
	sum := operand{d.temp(slotBits(base.typ)), base.typ}
	add := inst{body: execAdd[uint64], d: sum.slot, a: base.slot, op: vector.Add64}
	if base.wide() {
		add.b = d.extended(r)
	} else {
		add.b, add.body, add.op = d.low(r), execAdd[uint32], vector.Add32
	}
	d.emit(add)
	return sum, nil
}

// scaled returns a slot with r*scale + off in the width of r's type.
func (d *decoder) scaled(r operand, scale, off uint64) operand {
	to := operand{d.temp(slotBits(r.typ)), r.typ}
	mask := ^uint64(0) >> (64 - r.typ.Bits())
	wide := r.wide()
	d.emit(inst{d: to.slot, a: r.slot, body: func(x *engine, in *inst, m lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.first()
			v := (x.frame.word(in.a, wide, i)*scale + off) & mask
			if wide {
				x.frame.r64(in.d)[i] = v
			} else {
				x.frame.r32(in.d)[i] = uint32(v)
			}
		}
	}})
	return to
}

// extended returns a 64-bit slot with the zero-extended value of an operand.
func (d *decoder) extended(r operand) slot {
	if r.wide() {
		return r.slot
	}
	to := d.temp(64)
	d.emit(inst{body: execConvert[uint64, uint32], d: to, a: r.slot, op: vector.Extend})
	return to
}

// low returns a slot with the low 32 bits of an operand.
func (d *decoder) low(r operand) slot {
	if !r.wide() {
		return r.slot
	}
	to := d.temp(32)
	d.emit(inst{body: execConvert[uint32, uint64], d: to, a: r.slot})
	return to
}

// The preface. What a thread computes of kernel parameters, constants and its place in the block is the same in every
// block, and the warps of the next block get the registers of an earlier one. A warp computes it once in a launch,
// before its first block.

// maxFixed limits the instructions of a preface, as their registers share no slots with others.
const maxFixed = 64

// computesFixed reports whether an instruction computes one register, and does nothing else, from constants, parameters
// of the kernel, special registers that are the same in every block, and known registers.
func computesFixed(in *rewrite.Inst, known func(*rewrite.Reg) bool) bool {
	if in.Guard != nil || len(in.Operands) < 2 || in.Operands[0].Kind != rewrite.OperandReg ||
		in.Operands[0].Member != "" || in.Operands[0].Reg.Vec != 1 {
		return false
	}
	switch in.Instr.Class {
	case isa.ClassMemory:
		return loadsParam(in)
	case isa.ClassInteger, isa.ClassFloat, isa.ClassCompare, isa.ClassLogic, isa.ClassMove:
	default:
		return false
	}
	if Refuses(in) != "" || in.Effects() != 0 || in.Access.Kind != isa.AccessNone {
		return false
	}
	for i := range in.Operands[1:] {
		switch op := &in.Operands[1+i]; op.Kind {
		case rewrite.OperandImm:
		case rewrite.OperandReg:
			if op.Member != "" || op.Reg.Vec != 1 || in.Role(1+i) == isa.RoleDst || !known(op.Reg) {
				return false
			}
		case rewrite.OperandSpecial:
			if v, ok := specialValueOf(op.Special.Name); !ok || v.varies == perBlock {
				return false
			}
		case rewrite.OperandSymbol:
			if v, ok := op.Sym.(*rewrite.Var); !ok || v.Space != isa.SpaceShared && v.Space != isa.SpaceGlobal {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// loadsParam reports whether an instruction loads a whole register from a parameter of the kernel.
func loadsParam(in *rewrite.Inst) bool {
	op := &in.Operands[1]
	v, ok := op.Sym.(*rewrite.Var)
	return in.Instr.Name == "ld" && in.Access.Kind == isa.AccessLoad && in.Space == isa.SpaceParam &&
		op.Kind == rewrite.OperandAddr && ok && op.Reg == nil &&
		slices.Contains(in.Func.Params, v) && op.Off >= 0 && uint64(op.Off)+uint64(in.Access.Size) <= v.Size &&
		uint64(op.Off)%uint64(in.Access.Size) == 0
}

// preface decodes the instructions of the preface.
func (d *decoder) preface() (errs ptxgrammar.ErrorList) {
	if len(d.fixed) == 0 {
		return nil
	}
	code := d.fn.code
	d.fn.code = nil
	for _, i := range d.fixed {
		if err := d.appendUnder(d.body.src.Insts[i], int32(i), slotTrue, 0, 0); err != nil {
			errs = appendError(errs, d.body.src.Insts[i], err)
		}
	}
	end := inst{body: execNothing, guard: slotTrue, src: -1}
	d.fn.preface = &function{src: d.fn.src, code: append(d.fn.code, end), formalBytes: d.fn.formalBytes}
	d.fn.code = code
	return errs
}

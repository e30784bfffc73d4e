// Operands that are known at decode time: literals, symbols, and addresses.

package emu

import (
	"math"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// immediate is a constant slot with the literal read as type t.
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
		return operand{}, d.errorf(in, "%s: operand %s is a floating-point literal, expected .%s", in.Text(), d.text(op), t)
	case !op.Float && t == isa.F32:
		v = uint64(math.Float32bits(float32(int64(v))))
	case !op.Float && t == isa.F64:
		v = math.Float64bits(float64(int64(v)))
	}
	if b := t.Bits(); b > 1 && b < 64 {
		v &= 1<<b - 1
	}
	if t.Bits() > 64 {
		return operand{}, d.unsupported(in, "128-bit constant %s", d.text(op))
	}
	return operand{d.constant(slotBits(t), v), t}, nil
}

// symbol is a constant slot with an address: of a variable in its own space, or
// of a function.
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
	return operand{}, d.unsupported(in, "address of %s", d.text(op))
}

// stackAddr is a slot with the address of a stack variable of this activation.
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

// sharedAddr is a slot with the address of a shared variable.
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

// addr is the memory operand i of a load, store or atomic.
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

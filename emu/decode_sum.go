// Operands that are sums, such as %r+4 or array[%r].

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// sum is a slot with the value of %r+4 or with the address array[%r]. Register, scale and
// offset are combined in the width of the register, as ptxas does it; what goes to the
// address of the array is extended with zeros.
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

// scaled is a slot with r*scale + off in the width of r's type.
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

// extended is a slot of 64 bits with the value of an operand, extended with zeros.
func (d *decoder) extended(r operand) slot {
	if r.wide() {
		return r.slot
	}
	to := d.temp(64)
	d.emit(inst{body: execConvert[uint64, uint32], d: to, a: r.slot, op: vector.Extend})
	return to
}

// low is a slot with the low 32 bits of an operand.
func (d *decoder) low(r operand) slot {
	if !r.wide() {
		return r.slot
	}
	to := d.temp(32)
	d.emit(inst{body: execConvert[uint32, uint64], d: to, a: r.slot})
	return to
}

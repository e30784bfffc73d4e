// Data movement: mov, cvta, isspacep, packing and unpacking of vectors.

package weak

import (
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// BitType returns the bit type of the given width.
func BitType(bits int) isa.Type {
	switch bits {
	case 8:
		return isa.B8
	case 16:
		return isa.B16
	case 32:
		return isa.B32
	case 64:
		return isa.B64
	}
	return isa.TypeNone
}

// ScalarsOf returns the type and the scalars of values of type t in registers (PTX ISA, "Memory Operations on Packed
// Data Types").
func ScalarsOf(t isa.Type, regs []state.Operand) (of isa.Type, list []state.WeakValue) {
	n := t.Lanes()
	for _, r := range regs {
		for k := range n {
			s := state.WeakValue{Operand: r}
			if n > 1 {
				s.Bits = t.Bits() / n
				s.Shift = k * s.Bits
			}
			list = append(list, s)
		}
	}
	if n == 1 {
		return t, list
	}
	return BitType(t.Bits() / n), list
}

// scalar reads lane i of a scalar.
func scalar(f *state.Frame, s state.WeakValue, i int) [2]uint64 {
	v := f.Lane(s.Slot, events.SlotBits(s.Typ), i)
	if s.Bits != 0 {
		v[0] = v[0] >> s.Shift & events.LowBits(s.Bits)
	}
	return v
}

// setScalar writes lane i of a scalar. Those of one register must be written in ascending order.
func setScalar(f *state.Frame, s state.WeakValue, i int, v [2]uint64) {
	bits := events.SlotBits(s.Typ)
	if s.Shift != 0 {
		v[0] = f.Lane(s.Slot, bits, i)[0] | v[0]<<s.Shift
	}
	f.SetLane(s.Slot, bits, i, v)
}

// Scalar returns the body of an operation on one element of up to 64 bits; i has the registers of the operands and
// the result.
func Scalar(ac *state.Access, t isa.Type, i state.Inst) state.BodyFunc {
	typ := isa.B32
	if events.SlotBits(t) == 64 {
		typ = isa.B64
	}
	reg := func(s state.Slot) []state.WeakValue {
		return []state.WeakValue{{Operand: state.Operand{Slot: s, Typ: typ}}}
	}
	var dst []state.WeakValue
	if i.D != 0 {
		dst = reg(i.D)
	}
	redo := ac.Redo
	return Atomic(ac, t, reg(i.B), reg(i.C), dst, func(x *state.Engine, addr uint64, old, b, c [2]uint64) ([2]uint64,
		bool,
	) {
		rows := &x.Weak.Rows
		rows[0][0], rows[1][0], rows[2][0] = b[0], c[0], old[0]
		wrote := redo(&rows[0], &rows[1], &rows[2], 1)
		return [2]uint64{rows[0][0]}, wrote != 0
	})
}

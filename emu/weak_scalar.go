// Weak memory: the scalars of vectors and of packed values, each of which is accessed by an operation of its own.

package emu

import "github.com/ptxsan/ptxsan/ptxgrammar/isa"

// weakValue is one of the scalars that an access reads or writes: a register, or bits of one that holds packed values.
type weakValue struct {
	operand
	shift, bits int // bits is 0 for all of the register
}

// scalarsOf returns the type and the scalars of values of type t in registers (PTX ISA, "Memory Operations on Packed
// Data Types").
func scalarsOf(t isa.Type, regs []operand) (of isa.Type, list []weakValue) {
	n := t.Lanes()
	for _, r := range regs {
		for k := range n {
			s := weakValue{operand: r}
			if n > 1 {
				s.bits = t.Bits() / n
				s.shift = k * s.bits
			}
			list = append(list, s)
		}
	}
	if n == 1 {
		return t, list
	}
	return bitType(t.Bits() / n), list
}

// scalar reads lane i of a scalar.
func (f *frame) scalar(s weakValue, i int) [2]uint64 {
	v := f.lane(s.slot, slotBits(s.typ), i)
	if s.bits != 0 {
		v[0] = v[0] >> s.shift & lowBits(s.bits)
	}
	return v
}

// setScalar writes lane i of a scalar. Those of one register must be written in ascending order.
func (f *frame) setScalar(s weakValue, i int, v [2]uint64) {
	bits := slotBits(s.typ)
	if s.shift != 0 {
		v[0] = f.lane(s.slot, bits, i)[0] | v[0]<<s.shift
	}
	f.setLane(s.slot, bits, i, v)
}

// weakScalar returns the body of an operation on one element of up to 64 bits; i has the registers of the operands and
// the result.
func weakScalar(ac *access, t isa.Type, i inst) bodyFunc {
	typ := isa.B32
	if slotBits(t) == 64 {
		typ = isa.B64
	}
	reg := func(s slot) []weakValue { return []weakValue{{operand: operand{s, typ}}} }
	var dst []weakValue
	if i.d != 0 {
		dst = reg(i.d)
	}
	redo := ac.redo
	return weakAtomic(ac, t, reg(i.b), reg(i.c), dst, func(x *engine, addr uint64, old, b, c [2]uint64) ([2]uint64,
		bool,
	) {
		rows := &x.weak.rows
		rows[0][0], rows[1][0], rows[2][0] = b[0], c[0], old[0]
		wrote := redo(&rows[0], &rows[1], &rows[2], 1)
		return [2]uint64{rows[0][0]}, wrote != 0
	})
}

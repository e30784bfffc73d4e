// Package undefined follows unwritten bytes of memory through the registers of a warp. A register has undefined bits
// after a load of unwritten memory. Instructions move these bits, compute with them, or use them.
//
// It must not know memory, scheduling and how instructions execute.
package undefined

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Lanes is the number of lanes of a warp.
const Lanes = 32

// Value is the undefined bits of a value of up to 64 bits: all of them, and those that are padding of structures or
// between rows, which programs copy with the rest. A value that was computed from undefined bits has no padding.
type Value struct{ Bits, Padding uint64 }

// Used returns the undefined bits that are not padding.
func (v Value) Used() uint64 { return v.Bits &^ v.Padding }

// Loaded returns the undefined bits of a register of width bits after a load of a value of size bytes. The bits of the
// masks stand for unwritten bytes of the value, and for those that are padding.
func Loaded(unwritten, padding uint64, size, width int, signed bool) Value {
	v := Value{spread(unwritten, size), spread(padding, size)}
	if top := uint64(1) << (8*size - 1); signed && 8*size < width && v.Bits&top != 0 {
		above := ^uint64(0) << (8 * size) & low(width)
		if v.Bits |= above; v.Padding&top != 0 {
			v.Padding |= above
		}
	}
	return v
}

// Stored returns which bytes of a value of size bytes have undefined bits, and which of these bytes are padding.
func (v Value) Stored(size int) (undefined, padding uint64) {
	for i := range size {
		switch b := v.Bits >> (8 * i) & 0xff; {
		case b == 0:
		case b&^(v.Padding>>(8*i)) == 0:
			padding |= 1 << i
			fallthrough
		default:
			undefined |= 1 << i
		}
	}
	return undefined, padding
}

// spread returns eight bits for each of the size lowest bits of a mask.
func spread(mask uint64, size int) (out uint64) {
	for i := range size {
		out |= mask >> i & 1 * 0xff << (8 * i)
	}
	return out
}

// low returns a word with n bits set.
func low(n int) uint64 { return ^uint64(0) >> (64 - min(n, 64)) }

// Registers has the undefined bits of the registers of one activation. The zero value has none.
type Registers struct{ of map[*rewrite.Reg]*register }

type register struct {
	lanes  uint32 // with undefined bits
	values [Lanes]Value
	from   [Lanes]any
}

// None reports whether no register has undefined bits.
func (u *Registers) None() bool { return len(u.of) == 0 }

// Reset makes all registers defined.
func (u *Registers) Reset() { u.of = nil }

// In returns the lanes in which a register has undefined bits.
func (u *Registers) In(r *rewrite.Reg) uint32 {
	if x := u.of[r]; x != nil {
		return x.lanes
	}
	return 0
}

// Get returns the undefined bits of a register in a lane, and what Set was given about their origin.
func (u *Registers) Get(r *rewrite.Reg, lane int) (v Value, from any) {
	if x := u.of[r]; x != nil && x.lanes>>lane&1 != 0 {
		return x.values[lane], x.from[lane]
	}
	return v, nil
}

// Set sets the undefined bits of a register in a lane, and their origin.
func (u *Registers) Set(r *rewrite.Reg, lane int, v Value, from any) {
	if v.Bits == 0 {
		u.Clear(r, 1<<lane)
		return
	}
	x := u.of[r]
	if x == nil {
		if x = new(register); u.of == nil {
			u.of = make(map[*rewrite.Reg]*register)
		}
		u.of[r] = x
	}
	x.lanes |= 1 << lane
	x.values[lane], x.from[lane] = v, from
}

// Clear makes a register defined in some lanes.
func (u *Registers) Clear(r *rewrite.Reg, lanes uint32) {
	x := u.of[r]
	if x == nil {
		return
	}
	if x.lanes &^= lanes; x.lanes == 0 {
		delete(u.of, r)
	}
}

// Keep makes all registers but those in a set defined in some lanes.
func (u *Registers) Keep(live rewrite.RegSet, lanes uint32) {
	for r := range u.of {
		if !live.Has(r) {
			u.Clear(r, lanes)
		}
	}
}

// Shuffle gives a register in each of some lanes the undefined bits that another register has in the lane from[lane].
func (u *Registers) Shuffle(to, of *rewrite.Reg, lanes uint32, from *[Lanes]int) {
	var old register
	if x := u.of[of]; x != nil {
		old = *x
	}
	for ; lanes != 0; lanes &= lanes - 1 {
		i := bits.TrailingZeros32(lanes)
		if k := from[i]; k >= 0 && old.lanes>>k&1 != 0 {
			u.Set(to, i, old.values[k], old.from[k])
		} else {
			u.Clear(to, 1<<i)
		}
	}
}

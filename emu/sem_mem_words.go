// Loads and stores of several words: vectors, and elements of 128 bits.

package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// loadWords returns the body of a load of several 32- or 64-bit elements into registers of that width.
func loadWords[T uint32 | uint64](ac *access, regs []operand) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		if x.listener != nil {
			ac.emit(x, in, in.a, m)
		}
		w := ac.window(x)
		a := x.frame.r64(in.a)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := ac.locate(x, in, &w, a[i]+ac.off, i)
			if p == nil {
				return
			}
			for _, r := range regs {
				view[T](x.frame, r.slot)[i] = *(*T)(p)
				p = unsafe.Add(p, unsafe.Sizeof(*new(T)))
			}
		}
	}
}

// storeWords returns the body of the corresponding store.
func storeWords[T uint32 | uint64](ac *access, regs []operand) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		if x.listener != nil {
			ac.emit(x, in, in.a, m)
		}
		w := ac.window(x)
		a := x.frame.r64(in.a)
		var changed T
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := ac.locate(x, in, &w, a[i]+ac.off, i)
			if p == nil {
				break
			}
			for _, r := range regs {
				v := view[T](x.frame, r.slot)[i]
				changed |= *(*T)(p) ^ v
				*(*T)(p) = v
				p = unsafe.Add(p, unsafe.Sizeof(*new(T)))
			}
		}
		if changed != 0 {
			x.changed(ac)
		}
	}
}

// loadVector returns the body of any other load of several elements, or of 128 bits.
func loadVector(ac *access, t isa.Type, regs []operand) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		if x.listener != nil {
			ac.emit(x, in, in.a, m)
		}
		w := ac.window(x)
		a := x.frame.r64(in.a)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := ac.locate(x, in, &w, a[i]+ac.off, i)
			if p == nil {
				return
			}
			for _, r := range regs {
				x.frame.setLane(r.slot, slotBits(r.typ), i, extend(t, r.typ, peek(p, t)))
				p = unsafe.Add(p, t.Size())
			}
		}
	}
}

// storeVector returns the body of any other store of several elements, or of 128 bits.
func storeVector(ac *access, t isa.Type, regs []operand) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		if x.listener != nil {
			ac.emit(x, in, in.a, m)
		}
		w := ac.window(x)
		a := x.frame.r64(in.a)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := ac.locate(x, in, &w, a[i]+ac.off, i)
			if p == nil {
				return
			}
			for _, r := range regs {
				if v := x.frame.lane(r.slot, slotBits(r.typ), i); poke(p, t, v) {
					x.changed(ac)
				}
				p = unsafe.Add(p, t.Size())
			}
		}
	}
}

// peek reads a value of type t, low word first, zero-extended.
func peek(p unsafe.Pointer, t isa.Type) [2]uint64 {
	switch t.Bits() {
	case 8:
		return [2]uint64{uint64(*(*uint8)(p))}
	case 16:
		return [2]uint64{uint64(*(*uint16)(p))}
	case 32:
		return [2]uint64{uint64(*(*uint32)(p))}
	case 64:
		return [2]uint64{*(*uint64)(p)}
	}
	return *(*[2]uint64)(p)
}

// poke writes a value of type t and reports whether memory changed.
func poke(p unsafe.Pointer, t isa.Type, v [2]uint64) bool {
	old := peek(p, t)
	switch t.Bits() {
	case 8:
		*(*uint8)(p) = uint8(v[0])
	case 16:
		*(*uint16)(p) = uint16(v[0])
	case 32:
		*(*uint32)(p) = uint32(v[0])
	case 64:
		*(*uint64)(p) = v[0]
	default:
		*(*[2]uint64)(p) = v
	}
	return peek(p, t) != old
}

// extend widens a value of type t to a register.
func extend(t, reg isa.Type, v [2]uint64) [2]uint64 {
	if t.Signed() && reg.Bits() > t.Bits() {
		s := 64 - uint(t.Bits())
		v[0] = uint64(int64(v[0]<<s)>>s) & (1<<uint(reg.Bits()) - 1)
	}
	return v
}

// Weak memory of large programs: stores and atomic operations of all lanes of a warp at once, where no lane needs a
// choice among stores.

package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// weakRow is the memory and the operands of the lanes of an access, while it is performed.
type weakRow struct {
	at        [warpSize]unsafe.Pointer
	b, c, old vec64
}

// locateRow sets the memory of the lanes in m and its contents. It is not ok if an access would fault, or needs more
// than that.
func (r *weakRow) locateRow(x *engine, ac *access, addrs *[32]uint64, m lanes, t isa.Type) bool {
	w := ac.window(x)
	for ; m != 0; m &= m - 1 {
		i := m.first()
		p := w.at(addrs[i]+ac.off, ac.size, i)
		if p == nil {
			return false
		}
		r.at[i], r.old[i] = p, peek(p, t)[0]
	}
	return true
}

// operandRow sets row to a register's values, the lowest bits of a type.
func (x *engine) operandRow(row *vec64, reg slot, t isa.Type) {
	mask := lowBits(t.Bits())
	if slotBits(t) == 64 {
		for i, v := range x.frame.r64(reg) {
			row[i] = v & mask
		}
		return
	}
	for i, v := range x.frame.r32(reg) {
		row[i] = uint64(v) & mask
	}
}

// write writes the values in b of the lanes in m, and reports whether memory changed.
func (r *weakRow) write(m lanes, t isa.Type) bool {
	var changed uint64
	for ; m != 0; m &= m - 1 {
		i := m.first()
		changed |= r.b[i] ^ r.old[i]
		switch p := r.at[i]; t.Bits() {
		case 8:
			*(*uint8)(p) = uint8(r.b[i])
		case 16:
			*(*uint16)(p) = uint16(r.b[i])
		case 32:
			*(*uint32)(p) = uint32(r.b[i])
		default:
			*(*uint64)(p) = r.b[i]
		}
	}
	return changed != 0
}

// storeRow performs the store of a register by the lanes in m, if it can be performed at once.
func (x *engine) storeRow(ac *access, m lanes, t isa.Type, reg operand, r *row, a *weakmem.Access) bool {
	w := &x.weak.row
	if !r.one || t.Bits() > 64 || x.weak.explained() || !w.locateRow(x, ac, r.Addrs, m, t) {
		return false
	}
	if ready, ok := x.weak.history.Latest(a, &r.Row, uint32(m), &w.old, false); !ok || lanes(ready) != m {
		return false
	}
	wide := isa.B32
	if slotBits(reg.typ) == 64 {
		wide = isa.B64
	}
	x.operandRow(&w.b, reg.slot, wide)
	for i := range w.b {
		w.b[i] &= lowBits(t.Bits())
	}
	if w.write(m, t) {
		x.changed(ac)
	}
	x.weak.history.Put(a, uint32(m), uint32(m), &w.b, false)
	return true
}

// leastRow is the least part of the lanes that it is worth to perform an atomic operation for at once.
const leastRow = 4

// atomicRow performs an atomic operation of those of the lanes in m for which it can be performed at once, and returns
// the others. i has the registers of the operands and the result.
func (x *engine) atomicRow(ac *access, m lanes, t isa.Type, i inst, r *row, a *weakmem.Access) (rest lanes) {
	for m != 0 {
		done := x.atomicsAtOnce(ac, m, t, i, r, a)
		if m &^= done; done == 0 {
			break
		}
	}
	return m
}

// atomicsAtOnce performs an atomic operation of lanes in m to different locations, and returns them.
func (x *engine) atomicsAtOnce(ac *access, m lanes, t isa.Type, i inst, r *row, a *weakmem.Access) (done lanes) {
	w := &x.weak.row
	if !r.one || x.weak.explained() || !w.locateRow(x, ac, r.Addrs, m, t) {
		return 0
	}
	ready, ok := x.weak.history.Latest(a, &r.Row, uint32(m), &w.old, true)
	if !ok || lanes(ready).count()*leastRow < m.count() {
		return 0
	}
	m = lanes(ready)
	x.operandRow(&w.b, i.b, t)
	if ac.compares {
		x.operandRow(&w.c, i.c, t)
	}
	wrote := ac.redo(&w.b, &w.c, &w.old, m)
	mask := lowBits(t.Bits())
	for k := range w.b {
		w.b[k] &= mask
	}
	if w.write(wrote, t) {
		x.changed(ac)
	}
	x.values.Done |= uint32(wrote)
	for rest := m; rest != 0; rest &= rest - 1 {
		k := rest.first()
		x.values.Old[k], x.values.New[k] = w.old[k], w.b[k]
	}
	x.weak.history.Put(a, uint32(m), uint32(wrote), &w.b, true)
	x.deliverRow(i.d, m, t)
	return m
}

// deliverRow sets a register of the lanes in m, 0 for none, to the values that they have found in memory.
func (x *engine) deliverRow(reg slot, m lanes, t isa.Type) {
	w := &x.weak.row
	if reg == 0 {
		return
	}
	if slotBits(t) == 64 {
		for d := x.frame.r64(reg); m != 0; m &= m - 1 {
			d[m.first()] = w.old[m.first()]
		}
		return
	}
	for d := x.frame.r32(reg); m != 0; m &= m - 1 {
		d[m.first()] = uint32(w.old[m.first()])
	}
}

// untouched reports whether loads of the allocation that an access went to last, at addr, can be executed in assembly:
// nothing has been stored in it. When something is, disturbed ends that.
func (w *weakMemory) untouched(ac *access, addr uint64) bool {
	if w == nil {
		return true
	}
	base, size := ac.cache.Base, ac.cache.Lim
	if w.explain || addr-base >= size || w.touched[base] {
		return false
	}
	if !w.history.Watch(base, size+ac.size) {
		w.touched[base] = true
		return false
	}
	return true
}

// disturbed ends the loads in assembly of memory in which something has been stored.
func (x *engine) disturbed() {
	if x.weak.history.Disturbed() && x.vec != nil {
		x.vec.moves = x.m.dev.mem.Moves - 1 // bind forgets all sites
	}
}

// firstSlot returns the slot of the first register, 0 if there is none.
func firstSlot(regs []weakValue) slot {
	if len(regs) == 0 {
		return 0
	}
	return regs[0].slot
}

// Weak memory of large programs: stores and atomic operations of all lanes of a warp at once, where no lane needs a
// choice among stores.

package weak

import (
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/weakmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// locateRow sets the memory of the lanes in m and its contents. It is not ok if an access would fault, or needs more
// than that.
func locateRow(r *state.WeakRow, x *state.Engine, ac *state.Access, addrs *[32]uint64, m state.Lanes, t isa.Type) bool {
	w := memory.Window(ac, x)
	for ; m != 0; m &= m - 1 {
		i := m.First()
		p := w.At(addrs[i]+ac.Off, ac.Size, i)
		if p == nil {
			return false
		}
		r.At[i], r.Old[i] = p, state.Peek(p, t)[0]
	}
	return true
}

// operandRow sets row to a register's values, the lowest bits of a type.
func operandRow(x *state.Engine, row *state.Vec64, reg state.Slot, t isa.Type) {
	mask := events.LowBits(t.Bits())
	if events.SlotBits(t) == 64 {
		for i, v := range x.Frame.R64(reg) {
			row[i] = v & mask
		}
		return
	}
	for i, v := range x.Frame.R32(reg) {
		row[i] = uint64(v) & mask
	}
}

// write writes the values in b of the lanes in m, and reports whether memory changed.
func write(r *state.WeakRow, m state.Lanes, t isa.Type) bool {
	var changed uint64
	for ; m != 0; m &= m - 1 {
		i := m.First()
		changed |= r.B[i] ^ r.Old[i]
		switch p := r.At[i]; t.Bits() {
		case 8:
			*(*uint8)(p) = uint8(r.B[i])
		case 16:
			*(*uint16)(p) = uint16(r.B[i])
		case 32:
			*(*uint32)(p) = uint32(r.B[i])
		default:
			*(*uint64)(p) = r.B[i]
		}
	}
	return changed != 0
}

// storeRow performs the store of a register by the lanes in m, if it can be performed at once.
func storeRow(x *state.Engine, ac *state.Access, m state.Lanes, t isa.Type, reg state.Operand, r *row,
	a *weakmem.Access,
) bool {
	w := &x.Weak.Row
	if !r.one || t.Bits() > 64 || events.Explained(x.Weak) || !locateRow(w, x, ac, r.Addrs, m, t) {
		return false
	}
	if ready, ok := x.Weak.History.Latest(a, &r.Row, uint32(m), &w.Old, false); !ok || state.Lanes(ready) != m {
		return false
	}
	wide := isa.B32
	if events.SlotBits(reg.Typ) == 64 {
		wide = isa.B64
	}
	operandRow(x, &w.B, reg.Slot, wide)
	for i := range w.B {
		w.B[i] &= events.LowBits(t.Bits())
	}
	if write(w, m, t) {
		x.Changed(ac)
	}
	x.Weak.History.Put(a, uint32(m), uint32(m), &w.B, false)
	return true
}

// leastRow is the least part of the lanes that it is worth to perform an atomic operation for at once.
const leastRow = 4

// atomicRow performs an atomic operation of those of the lanes in m for which it can be performed at once, and returns
// the others. i has the registers of the operands and the result.
func atomicRow(x *state.Engine, ac *state.Access, m state.Lanes, t isa.Type, i state.Inst, r *row,
	a *weakmem.Access,
) (rest state.Lanes) {
	for m != 0 {
		done := atomicsAtOnce(x, ac, m, t, i, r, a)
		if m &^= done; done == 0 {
			break
		}
	}
	return m
}

// atomicsAtOnce performs an atomic operation of lanes in m to different locations, and returns them.
func atomicsAtOnce(x *state.Engine, ac *state.Access, m state.Lanes, t isa.Type, i state.Inst, r *row,
	a *weakmem.Access,
) (done state.Lanes) {
	w := &x.Weak.Row
	if !r.one || events.Explained(x.Weak) || !locateRow(w, x, ac, r.Addrs, m, t) {
		return 0
	}
	ready, ok := x.Weak.History.Latest(a, &r.Row, uint32(m), &w.Old, true)
	if !ok || state.Lanes(ready).Count()*leastRow < m.Count() {
		return 0
	}
	m = state.Lanes(ready)
	operandRow(x, &w.B, i.B, t)
	if ac.Compares {
		operandRow(x, &w.C, i.C, t)
	}
	wrote := ac.Redo(&w.B, &w.C, &w.Old, m)
	mask := events.LowBits(t.Bits())
	for k := range w.B {
		w.B[k] &= mask
	}
	if write(w, wrote, t) {
		x.Changed(ac)
	}
	x.Values.Done |= uint32(wrote)
	for rest := m; rest != 0; rest &= rest - 1 {
		k := rest.First()
		x.Values.Old[k], x.Values.New[k] = w.Old[k], w.B[k]
	}
	x.Weak.History.Put(a, uint32(m), uint32(wrote), &w.B, true)
	deliverRow(x, i.D, m, t)
	return m
}

// deliverRow sets a register of the lanes in m, 0 for none, to the values that they have found in memory.
func deliverRow(x *state.Engine, reg state.Slot, m state.Lanes, t isa.Type) {
	w := &x.Weak.Row
	if reg == 0 {
		return
	}
	if events.SlotBits(t) == 64 {
		for d := x.Frame.R64(reg); m != 0; m &= m - 1 {
			d[m.First()] = w.Old[m.First()]
		}
		return
	}
	for d := x.Frame.R32(reg); m != 0; m &= m - 1 {
		d[m.First()] = uint32(w.Old[m.First()])
	}
}

// Untouched reports whether loads of the allocation that an access went to last, at addr, can be executed in assembly:
// nothing has been stored in it. When something is, disturbed ends that.
func Untouched(w *state.WeakMemory, ac *state.Access, addr uint64) bool {
	if w == nil {
		return true
	}
	base, size := ac.Cache.Base, ac.Cache.Lim
	if w.Explain || addr-base >= size || w.Touched[base] {
		return false
	}
	if !w.History.Watch(base, size+ac.Size) {
		w.Touched[base] = true
		return false
	}
	return true
}

// disturbed ends the loads in assembly of memory in which something has been stored.
func disturbed(x *state.Engine) {
	if x.Weak.History.Disturbed() && x.Vec != nil {
		x.Vec.Moves = x.M.Dev.Mem.Moves - 1 // bind forgets all sites
	}
}

// firstSlot returns the slot of the first register, 0 if there is none.
func firstSlot(regs []state.WeakValue) state.Slot {
	if len(regs) == 0 {
		return 0
	}
	return regs[0].Slot
}

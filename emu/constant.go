package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Constant memory as the kernel writes it. A .const variable lies in device memory, and a
// kernel that has its address may store there for the launches that follow (CUDA C++
// Programming Guide, "__constant__": its address can be taken). Loads of constants are
// cached: what a launch makes of bytes that it has written itself is undefined, and a
// fault here.

// constantWrites is the bytes of a .const variable that a launch has written.
type constantWrites struct {
	by    *launch
	bytes []uint64 // a bit for each
}

// constant finds the bytes at addr in the .const variable a, whose contents are data. The
// window does not move there for stores, nor for loads of constants once the launch has
// written some: those are looked at one by one.
func (ac *access) constant(x *exec, in *inst, a *allocation, data []byte, addr uint64, i int) unsafe.Pointer {
	off := addr - a.base
	written := ac.space == isa.SpaceConst && a.writes.by == x.l
	switch {
	case ac.kind != isa.AccessLoad && x.l.proof != nil:
		x.raise(in, i, "conflict", addr, "the block may write what another one reads")
		return nil
	case ac.kind != isa.AccessLoad:
		x.m.mem.writeConstant(a, x.l, off, ac.size)
	case !written:
		x.m.mem.fill(&ac.site, a, data, ac.size)
	case a.writes.any(off, ac.size):
		x.raise(in, i, "out-of-bounds", addr, "read of %d bytes at address 0x%x of the constant %s, which the same launch has written: constants are cached", ac.size, addr, a.name)
		return nil
	}
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), off)
}

// writeConstant notes that the launch writes n bytes of the .const variable a.
func (mm *memory) writeConstant(a *allocation, l *launch, off, n uint64) {
	if a.writes.by != l {
		a.writes = constantWrites{by: l, bytes: make([]uint64, (a.size+63)/64)}
		mm.forget()
	}
	for ; n > 0; n-- {
		a.writes.bytes[off/64] |= 1 << (off % 64)
		off++
	}
}

// any reports whether any of n bytes was written.
func (w *constantWrites) any(off, n uint64) bool {
	for ; n > 0; n-- {
		if w.bytes[off/64]>>(off%64)&1 != 0 {
			return true
		}
		off++
	}
	return false
}

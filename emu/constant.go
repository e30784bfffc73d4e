package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Constant memory as the kernel writes it. A .const variable lies in device memory, and a
// kernel that has its address may store there for the launches that follow (CUDA C++
// Programming Guide, "__constant__": its address can be taken). Loads of constants are
// cached: what a launch makes of bytes that it has written itself is undefined, and a
// fault here.

// constant finds the bytes at addr in the .const variable a, whose contents are data. The
// window does not move there for stores, nor for loads of constants once the launch has
// written some: those are looked at one by one.
func (ac *access) constant(x *exec, in *inst, a *gmem.Allocation, data []byte, addr uint64, i int) unsafe.Pointer {
	off := addr - a.Base
	written := ac.space == isa.SpaceConst && a.WrittenIn(x.l)
	switch {
	case ac.kind != isa.AccessLoad && x.l.proof != nil:
		x.raise(in, i, "conflict", addr, "the block may write what another one reads")
		return nil
	case ac.kind != isa.AccessLoad:
		x.m.mem.WriteConstant(a, x.l, off, ac.size)
	case !written:
		x.m.mem.Fill(&ac.site, a, data, ac.size)
	case a.Wrote(off, ac.size):
		x.raise(in, i, "out-of-bounds", addr, "read of %d bytes at address 0x%x of the constant %s, which the same launch has written: constants are cached", ac.size, addr, a.Name)
		return nil
	}
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), off)
}

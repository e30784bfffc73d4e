// Checks of accesses: bounds, and with Config.Uninitialised reads of memory that was never written.

package emu

import (
	"fmt"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Checks of memory accesses beyond bounds and alignment, which access.find sees to:
// what happens to refused accesses under Config.NoMemcheck, and reads of memory that
// no thread has written (Config.Uninitialised). Those of single variables are in
// mem_variables.go.
//
// For the latter, device, shared and local memory have shadows with one bit for each
// byte, set when it is written. Variables of the module have initial values; copies by
// the host write. To see every access, windows are empty: each lane takes the slow
// way. Without the check nothing of this is allocated.

// overrun is the .local or .shared variable that an operand names when size bytes at
// the constant offset from it are not all within the variable. An array without an
// extent has the rest of the memory.
func overrun(op *rewrite.Operand, space isa.Space, size uint64) *rewrite.Var {
	v, ok := op.Sym.(*rewrite.Var)
	if !ok || op.Reg != nil || v.Size == 0 || space != isa.SpaceLocal && space != isa.SpaceShared {
		return nil
	}
	if off := uint64(op.Off); off <= v.Size && size <= v.Size-off {
		return nil
	}
	return v
}

// maxSink is the size of the largest access that can be made to do nothing.
const maxSink = 64

// slowPath locates an address outside the cached range, which it may move there; nil means
// that a fault was raised.
func (ac *access) slowPath(x *engine, in *inst, w *cachedRange, addr uint64, i int) unsafe.Pointer {
	if ac.checked(x) {
		usual := ac.fastRange(x)
		w = &usual
	}
	var p unsafe.Pointer
	if ac.inVariable(x, in, addr, i) {
		if p = w.at(addr, ac.size, i); p == nil {
			p = ac.find(x, in, w, addr, i)
		}
	}
	switch {
	case p == nil && x.m.cfg.NoMemcheck && ac.size <= maxSink:
		x.fault = nil
		x.sink = [maxSink / 8]uint64{}
		return unsafe.Pointer(&x.sink)
	case p != nil && x.m.cfg.Uninitialised:
		return ac.tracked(x, in, p, addr, i)
	}
	return p
}

// tracked checks and marks the bytes of an access at p: nil when they make a fault
// that ends the launch.
func (ac *access) tracked(x *engine, in *inst, p unsafe.Pointer, addr uint64, i int) unsafe.Pointer {
	s, off := ac.shadow(x, addr, i)
	if s == nil {
		return p
	}
	if ac.kind != isa.AccessStore {
		if n := s.Missing(off, ac.size); n > 0 {
			x.raise(in, i, "uninitialised", ac.generic(addr), "%s of %d bytes, %d of them never written, at %s", ac.kind.Word(), ac.size, n, ac.place(x, addr))
			if x.recordFault(); x.fault != nil {
				return nil
			}
			s.Set(off, ac.size) // say it once
		}
	}
	if ac.kind != isa.AccessLoad {
		s.Set(off, ac.size)
	}
	return p
}

// place is an address in words, with the allocation of device memory.
func (ac *access) place(x *engine, addr uint64) string {
	if ac.space == isa.SpaceGlobal || ac.space == isa.SpaceNone && x.m.mem.SpaceOf(addr) == isa.SpaceGlobal {
		return fmt.Sprintf("address 0x%x, which %s", addr, x.m.mem.Where(addr, ac.size))
	}
	return fmt.Sprintf("%s address 0x%x", ac.space, addr)
}

// shadow is the shadow that the byte at addr has for lane i, and the place in it; nil
// for memory that is initialised.
func (ac *access) shadow(x *engine, addr uint64, i int) (gmem.Shadow, uint64) {
	space := ac.space
	if space == isa.SpaceNone {
		space = x.m.mem.SpaceOf(addr)
	}
	switch space {
	case isa.SpaceShared:
		c, rank := x.cta, rankOf(addr)
		if rank != c.rank {
			c = c.cluster.blocks[rank]
		}
		return c.shadow, addr&(1<<gmem.SlotBits-1) - c.sharedBase()
	case isa.SpaceLocal:
		return x.warp.shadow, uint64(i)*x.warp.stackStride + addr&(1<<gmem.SlotBits-1)
	case isa.SpaceParam:
		return nil, 0
	}
	a := x.m.mem.Find(addr)
	return a.Shadow, addr - a.Base
}

// freshLocals makes the local variables of the lanes in m of an activation
// uninitialised.
func (w *warp) freshLocals(f *frame, m lanes) {
	if w.shadow == nil {
		return
	}
	for ; m != 0; m &= m - 1 {
		w.shadow.Unset(uint64(m.first())*w.stackStride+f.stackBase, f.fn.stackSize)
	}
}

// wroteLocal marks local memory of lane i that was written otherwise than by a store.
func (w *warp) wroteLocal(i int, off, n uint64) {
	if w.shadow != nil {
		w.shadow.Set(uint64(i)*w.stackStride+off, n)
	}
}

// growShadow follows growStack.
func (w *warp) growShadow(stride uint64) {
	grown := gmem.NewShadow(stride * warpSize)
	for i := range uint64(warpSize) {
		copy(grown[i*stride/64:], w.shadow[i*w.stackStride/64:(i+1)*w.stackStride/64])
	}
	w.shadow = grown
}

// Constant memory as the kernel writes it. A .const variable lies in device memory, and a
// kernel that has its address may store there for the launches that follow (CUDA C++
// Programming Guide, "__constant__": its address can be taken). Loads of constants are
// cached: what a launch makes of bytes that it has written itself is undefined, and a
// fault here.

// constant finds the bytes at addr in the .const variable a, whose contents are data. The
// window does not move there for stores, nor for loads of constants once the launch has
// written some: those are looked at one by one.
func (ac *access) constant(x *engine, in *inst, a *gmem.Allocation, data []byte, addr uint64, i int) unsafe.Pointer {
	off := addr - a.Base
	written := ac.space == isa.SpaceConst && a.WrittenIn(x.l)
	switch {
	case ac.kind != isa.AccessLoad && x.l.proof != nil:
		x.raise(in, i, "conflict", addr, "the block may write what another one reads")
		return nil
	case ac.kind != isa.AccessLoad:
		x.m.mem.WriteConstant(a, x.l, off, ac.size)
	case !written:
		x.m.mem.Fill(&ac.cache, a, data, ac.size)
	case a.Wrote(off, ac.size):
		x.raise(in, i, "out-of-bounds", addr, "read of %d bytes at address 0x%x of the constant %s, which the same launch has written: constants are cached", ac.size, addr, a.Name)
		return nil
	}
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), off)
}

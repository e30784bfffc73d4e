// Checks of accesses: reads of uninitialised memory, accesses beyond their variable, and proofs of the accessed allocation.

package emu

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/address"
)

// Checks of memory accesses beyond the bounds and alignment checks of access.find: refused accesses under Config.NoMemcheck, and
// reads of uninitialised memory (Config.Uninitialised).
//
// For the latter, device, shared and local memory have shadow memory with one bit for each byte, set when the byte is written.
// Variables of the module are initialised, and copies by the host count as writes. slowPath checks an access lane by lane.
// Ranges, and the sites of the assembly, bypass slowPath, so they cover only fully initialised memory: parts of an allocation
// without an uninitialised byte (gmem.Shadow.Around), and the shared memory of a block once all of it is initialised. They never
// cover local memory, since each call makes its local variables uninitialised. Without the check no shadow memory is allocated.

// overrun returns the .local or .shared variable that an operand names, if size bytes at the constant offset from it are not all
// within the variable; else nil. An array without an extent extends to the end of the memory.
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

// maxSink is the size of the largest access that can be redirected to engine.sink.
const maxSink = 64

// slowPath locates an address outside of the cached range, and may set the range to the memory found. It returns nil after
// raising a fault.
func (ac *access) slowPath(x *engine, in *inst, w *cachedRange, addr uint64, i int) unsafe.Pointer {
	// A generic address may be in shared or local memory, to which find would set the range for the next lanes.
	if !ac.quick(x) || ac.space == isa.SpaceNone && x.m.cfg.Uninitialised {
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

// tracked checks and marks the shadow bytes of an access at p. It returns nil after a fault that ends the launch.
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
			s.Set(off, ac.size) // report it only once
		}
	}
	if ac.kind != isa.AccessLoad {
		s.Set(off, ac.size)
	}
	return p
}

// place describes an address in words, with the allocation if it is in device memory.
func (ac *access) place(x *engine, addr uint64) string {
	if ac.space == isa.SpaceGlobal || ac.space == isa.SpaceNone && x.m.mem.SpaceOf(addr) == isa.SpaceGlobal {
		return fmt.Sprintf("address 0x%x, which %s", addr, x.m.mem.Where(addr, ac.size))
	}
	return fmt.Sprintf("%s address 0x%x", ac.space, addr)
}

// shadow returns the shadow memory of the byte at addr for lane i, and the offset in it; nil for memory that is always
// initialised.
func (ac *access) shadow(x *engine, addr uint64, i int) (*gmem.Shadow, uint64) {
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

// freshLocals marks the local variables of the lanes in m of an activation as uninitialised.
func (w *warp) freshLocals(f *frame, m lanes) {
	if w.shadow == nil {
		return
	}
	for ; m != 0; m &= m - 1 {
		w.shadow.Unset(uint64(m.first())*w.stackStride+f.stackBase, f.fn.stackSize)
	}
}

// wroteLocal marks local memory of lane i as initialised that was not written by a store.
func (w *warp) wroteLocal(i int, off, n uint64) {
	w.shadow.Set(uint64(i)*w.stackStride+off, n)
}

// growShadow grows the shadow memory of the stacks for growStack.
func (w *warp) growShadow(stride uint64) {
	if w.shadow == nil {
		w.shadow = gmem.NewShadow(stride * warpSize)
		return
	}
	w.shadow = w.shadow.Widen(warpSize, w.stackStride, stride)
}

// Constant memory written by the kernel. A .const variable is in device memory, and a kernel that has its address may store to it
// for later launches (CUDA C++ Programming Guide, "__constant__": its address can be taken). Loads of constants are cached:
// loading bytes that the same launch has written is undefined, and a fault here.

// constant locates the bytes at addr in the .const variable a, whose contents are data. It does not set the range there for
// stores, nor for loads of constants once the launch has written some: those are checked one by one.
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
		x.m.mem.Fill(&ac.cache, a, data, addr, ac.size)
	case a.Wrote(off, ac.size):
		x.raise(in, i, "out-of-bounds", addr, "read of %d bytes at address 0x%x of the constant %s, which the same launch has written: constants are cached", ac.size, addr, a.Name)
		return nil
	}
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), off)
}

// Config.Variables: shared and local variables and kernel parameters are adjacent in memory, and an index that is too large for
// one accesses the next. Where the program shows which variable an address was derived from (address.Roots), accesses must be
// within it.

// origin is the variable that the address of an access was derived from.
type origin struct {
	v      *rewrite.Var
	fn     *function
	locals map[*rewrite.Var]uint64 // offsets in the activation of fn
}

// origin returns the origin of operand i of an instruction, nil if it is not checked.
func (d *decoder) origin(in *rewrite.Inst, i int) *origin {
	if !d.m.cfg.Variables {
		return nil
	}
	r := address.RootsOf(in.Func).Address(in, i)
	if r.Kind != address.RootVar {
		return nil
	}
	o := &origin{v: r.Var, fn: d.fn, locals: d.stack}
	if _, local := d.stack[r.Var]; !local && r.Var.Space != isa.SpaceShared && !o.isParam(r.Var) {
		return nil
	}
	return o
}

// isParam reports whether v is a parameter of the kernel.
func (o *origin) isParam(v *rewrite.Var) bool {
	return v.Space == isa.SpaceParam && v.Func == o.fn.src && o.fn.src.Entry
}

// region returns the location of a variable for the running group, as addresses of its state space. An array without an extent
// extends to the end of shared memory.
func (o *origin) region(x *engine, v *rewrite.Var) (base, size uint64) {
	if off, local := o.locals[v]; local {
		return x.frame.stackBase + off, v.Size
	}
	if o.isParam(v) {
		base, _ = x.m.varAddr(o.fn, v)
		return base, v.Size
	}
	base, size = x.l.shared[v], v.Size
	if size == 0 {
		size = uint64(len(x.cta.shared)) - base
	}
	return base + x.cta.sharedBase(), size
}

// inVariable reports whether an access is within the variable that its address was derived from, and raises a fault if not.
func (ac *access) inVariable(x *engine, in *inst, addr uint64, i int) bool {
	o := ac.origin
	if o == nil {
		return true
	}
	space := o.v.Space
	if _, local := o.locals[o.v]; local {
		space = isa.SpaceLocal
	}
	at := addr
	if ac.space == isa.SpaceNone {
		at -= gmem.SpaceBase(space)
	}
	at &= 1<<gmem.SlotBits - 1
	base, size := o.region(x, o.v)
	if off := at - base; off <= size && ac.size <= size-off {
		return true
	}
	first := at // the first byte outside
	if at-base < size {
		first = base + size
	}
	x.raise(in, i, "out-of-bounds", ac.generic(addr), "%s of %d bytes at %s address 0x%x, which %s that the address was made from, %s",
		ac.kind.Word(), ac.size, space, at, beyond(at-base, ac.size, size, "variable "+o.v.Name), o.hit(x, first))
	return false
}

// hit names the variable at an address outside of the expected variable, for messages.
func (o *origin) hit(x *engine, at uint64) string {
	var around []*rewrite.Var
	switch {
	case o.v.Space == isa.SpaceShared:
		around = slices.Collect(maps.Keys(x.l.shared))
	case o.isParam(o.v):
		around = o.fn.src.Params
	default:
		around = slices.Collect(maps.Keys(o.locals))
	}
	slices.SortFunc(around, func(a, b *rewrite.Var) int { return cmp.Compare(a.Name, b.Name) })
	for _, v := range around {
		if base, size := o.region(x, v); v != o.v && at-base < size {
			return fmt.Sprintf("in the variable %s", v.Name)
		}
	}
	return "in no variable"
}

// Booking verifies proofs about the allocations that accesses go to (address.Exempt). The machine compares each time that an
// instruction accesses a different allocation than its last one, which it has to look up anyway.
type Booking struct {
	// Root returns the proved root of the address operand of an instruction, with kind RootUnknown if there is no proof.
	Root func(in *rewrite.Inst, operand int) address.Root
	// Strayed is the first access to a different allocation; nil if there is none.
	Strayed *rewrite.Inst
}

// booked is the proof about one access.
type booked struct {
	inst    *rewrite.Inst
	root    address.Root
	to      *gmem.Allocation // allocation in the current launch; nil if there is none
	current *launch
}

// booking returns the proof about operand i of an instruction, nil when there is none.
func (d *decoder) booking(in *rewrite.Inst, i int) *booked {
	if d.m.cfg.Booking == nil {
		return nil
	}
	r := d.m.cfg.Booking.Root(in, i)
	if r.Kind != address.RootVar && r.Kind != address.RootParam {
		return nil
	}
	return &booked{inst: in, root: r}
}

// verify compares the allocation that an access goes to with the proof.
func (b *booked) verify(x *engine, to *gmem.Allocation) {
	if b.current != x.l {
		b.current, b.to = x.l, x.m.rootedIn(x.l, b.root)
	}
	if k := x.m.cfg.Booking; b.to != to && k.Strayed == nil {
		k.Strayed = b.inst
	}
}

// rootedIn returns the allocation that a root points into in a launch, nil if there is none. The root may belong to another
// version of the module with the same variables and parameters.
func (m *Machine) rootedIn(l *launch, r address.Root) *gmem.Allocation {
	const pointer = 8
	if r.Kind == address.RootVar {
		if r.Var.Space != isa.SpaceGlobal && r.Var.Space != isa.SpaceConst {
			return nil
		}
		return m.mem.Find(m.namesake(l, r.Var))
	}
	for _, p := range l.kernel.formals {
		if at := p.Offset + uint64(r.At); p.Var.Name == r.Var.Name && r.At >= 0 && at+pointer <= p.Offset+p.Size {
			return m.mem.Find(binary.LittleEndian.Uint64(l.params[at:]))
		}
	}
	return nil
}

// namesake returns the address of the variable with the name of v, 0 if there is none.
func (m *Machine) namesake(l *launch, v *rewrite.Var) uint64 {
	if addr, ok := m.vars[v]; ok {
		return addr
	}
	for _, f := range l.kernel.src.Locals {
		if v.Func != nil && f.Name == v.Name {
			return m.vars[f]
		}
	}
	if s, ok := m.src.Lookup(v.Name); ok && v.Func == nil {
		if own, is := s.(*rewrite.Var); is {
			return m.vars[own]
		}
	}
	return 0
}

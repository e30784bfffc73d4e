// Memory accesses: from the address of a lane to bytes, by a fast path and a checked one.

package emu

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// The translation of a lane's address to memory, and the faults of invalid addresses.

// access is a decoded memory operand, as used by the bodies of ld, st, atom and red.
type access struct {
	space  isa.Space
	off    uint64
	size   uint64 // bytes accessed by a lane
	scalar uint64 // bytes of an element of a tensor that is reduced into; 0 where the instruction tells
	kind   isa.AccessKind
	// cluster says that shared memory of other blocks may be accessed: by generic and .shared::cluster addresses.
	cluster bool
	async   abi.AsyncKind // the access is part of an asynchronous operation
	// tensorMap says that such an operation reads its tensor map.
	tensorMap bool
	object    bool // the access is an operation on an mbarrier
	silent    bool // the listener does not need the access
	aside     bool // the access is an observer's
	// For listeners: the registers that a store writes, as values of type elem. noted says that the body records the
	// values (a read-modify-write operation).
	stores []operand
	elem   isa.Type
	noted  bool
	// redo computes the values that a read-modify-write operation has written. For the lanes in m, which found old in
	// memory, it replaces the operands b by the written values, and returns the lanes that wrote.
	redo func(b, c, old *vec64, m lanes) lanes
	// compares says that the operation writes only where it finds an expected value (compare-and-swap).
	compares bool
	overrun  *rewrite.Var    // the named variable, if the access is certainly beyond it, else nil
	origin   *origin         // the variable that the access must stay within, nil if that is not checked
	booked   *accessProof    // the allocation that the access goes to according to a proof, nil without a proof
	cache    gmem.AllocCache // last device allocation accessed
	// For Config.Uninitialised: the load or exchange whose registers may become undefined, nil for accesses that use
	// what they read; the registers that are live after it; and whether the caller copies the state of the memory read
	// (carry).
	value   *rewrite.Inst
	live    rewrite.RegSet
	carried bool
}

// cachedRange is the memory range that accesses are looked up in first: an access of lane i at address a hits if a-base
// < lim; its memory is at ptr + (a-base) + i*stride.
type cachedRange struct {
	gmem.AllocCache
	stride uint64
}

// decodeAccess resolves operand i as the address of an access of size bytes. The
// returned instruction has a and flags set.
func (d *decoder) decodeAccess(in *rewrite.Inst, i int, kind isa.AccessKind, size uint64) (*access, inst, error) {
	ad, err := d.addr(in, i)
	if err != nil {
		return nil, inst{}, err
	}
	if in.Instr.Name == "multimem" {
		ad.space = isa.SpaceGlobal // even if the instruction is generic
	}
	switch ad.space {
	case isa.SpaceNone, isa.SpaceGlobal, isa.SpaceConst, isa.SpaceShared, isa.SpaceLocal, isa.SpaceParam:
	default:
		return nil, inst{}, d.unsupported(in, "%s: access to .%s", in.Text(), ad.space)
	}
	if ad.space == isa.SpaceConst && kind != isa.AccessLoad {
		return nil, inst{}, d.errorf(in, "%s: .const memory cannot be written", in.Text())
	}
	out := inst{a: ad.base, flags: flagFaults | flagResumable}
	switch ad.space {
	case isa.SpaceNone, isa.SpaceGlobal, isa.SpaceShared:
		out.flags |= flagVisible
	}
	cluster := ad.space == isa.SpaceNone || in.Has("shared::cluster")
	return &access{
		space: ad.space, off: uint64(ad.off), size: size, kind: kind, cluster: cluster,
		overrun: overrun(&in.Operands[i], ad.space, size), origin: d.origin(in, i), booked: d.booking(in, i),
		aside: d.m.aside(in), silent: d.silent || !d.m.interest.NeedsSite(in),
	}, out, nil
}

// window returns the range in which the instruction's accesses are expected to hit.
func (ac *access) window(x *engine) cachedRange {
	if !ac.quick(x) {
		return cachedRange{} // slowPath handles all accesses
	}
	return ac.fastRange(x)
}

// quick reports whether lanes with addresses in fastRange need no slowPath. They need it if the access is checked
// against the bounds of one variable, or if Config.Uninitialised is set and the memory may have uninitialised bytes.
func (ac *access) quick(x *engine) bool {
	switch {
	case ac.origin != nil, x.storing != nil && ac.kind == isa.AccessStore:
		return false
	case !x.m.cfg.Uninitialised:
		return true
	case ac.space == isa.SpaceShared:
		return x.cta.shadow.Complete()
	}
	return ac.space != isa.SpaceLocal // ac.cache covers only fully initialised memory: see gmem.Memory.Fill
}

// fastRange returns the range of the instruction's state space, or the allocation that it accessed last.
func (ac *access) fastRange(x *engine) cachedRange {
	if ac.overrun != nil {
		return cachedRange{} // find raises the fault
	}
	switch ac.space {
	case isa.SpaceShared, isa.SpaceParam, isa.SpaceLocal:
		return ac.region(x, ac.space, 0)
	}
	return cachedRange{AllocCache: ac.cache}
}

// region returns the range of shared, parameter or local memory, at addresses from base on.
func (ac *access) region(x *engine, space isa.Space, base uint64) cachedRange {
	switch space {
	case isa.SpaceShared:
		from, to := ac.usable(x)
		return cachedRange{AllocCache: ac.bytes(x.cta.shared[from:to], base+x.cta.sharedBase()+from)}
	case isa.SpaceParam:
		return cachedRange{AllocCache: ac.bytes(x.l.params, base)}
	}
	w := x.warp
	return cachedRange{AllocCache: ac.bytes(w.stack[:x.localTop()], base), stride: w.stackStride}
}

// localTop returns the end of local memory for the running group's threads, including that of the innermost activation.
func (x *engine) localTop() uint64 { return x.frame.stackEnd() }

// bytes returns the range of p at addresses from base on.
func (ac *access) bytes(p []byte, base uint64) gmem.AllocCache {
	if uint64(len(p)) < ac.size {
		return gmem.AllocCache{}
	}
	return gmem.AllocCache{Base: base, Lim: uint64(len(p)) - ac.size + 1, Ptr: unsafe.Pointer(unsafe.SliceData(p))}
}

// at returns the memory at address addr for lane i, nil if it is outside of the range or misaligned.
func (w *cachedRange) at(addr, size uint64, i int) unsafe.Pointer {
	o := addr - w.Base
	if o < w.Lim && addr&(size-1) == 0 {
		return unsafe.Add(w.Ptr, o+uint64(i)*w.stride)
	}
	return nil
}

// halfWarp is the number of lanes that run checks together: a block of 16 by 16 threads has two rows in each warp.
const halfWarp = warpSize / 2

// fullHalf is the set of all lanes of half a warp.
const fullHalf = lanes(1)<<halfWarp - 1

// run is a sequence of addresses with a constant distance, all in one range: the i-th lane of a half warp accesses ptr
// + i*step.
type run struct {
	ptr  unsafe.Pointer
	step uint64
}

// run recognises the access pattern of most loads and stores of the 16 lanes from first on: consecutive elements, one
// element for all, or the same offset in every thread's local memory.
func (w *cachedRange) run(a *[halfWarp]uint64, off, size uint64, first int) (run, bool) {
	step := a[1] - a[0]
	differ, next := uint64(0), a[0]
	for _, v := range a {
		differ |= v ^ next
		next += step
	}
	o := a[0] + off - w.Base
	if differ|(a[0]+off|step)&(size-1) != 0 || step >= 1<<gmem.SlotBits || o >= w.Lim || o+(halfWarp-1)*step >= w.Lim {
		return run{}, false
	}
	return run{unsafe.Add(w.Ptr, o+uint64(first)*w.stride), step + w.stride}, true
}

// find locates an address outside of the cached range, and may set the range to the memory found. It returns nil after
// raising a fault.
func (ac *access) find(x *engine, in *inst, w *cachedRange, addr uint64, i int) unsafe.Pointer {
	if v := ac.overrun; v != nil {
		x.raise(in, i, "out-of-bounds", ac.generic(addr),
			"%s of %d bytes at offset %d of the variable %s, which has %d bytes", ac.kind.Word(), ac.size,
			int64(ac.off), v.Name, v.Size)
		return nil
	}
	if addr&(ac.size-1) != 0 {
		x.raise(in, i, "misaligned", ac.generic(addr), "misaligned %s of %d bytes at %s address 0x%x", ac.kind.Word(),
			ac.size, ac.space, addr)
		return nil
	}
	switch ac.space {
	case isa.SpaceShared, isa.SpaceLocal, isa.SpaceParam:
		// These spaces have 32-bit addresses; higher bits of a wider register are ignored (PTX ISA 6.4.1, "Addresses as
		// Operands").
		if p := w.at(addr&(1<<gmem.SlotBits-1), ac.size, i); p != nil {
			return p
		}
		var p unsafe.Pointer
		if ac.space == isa.SpaceShared {
			p = ac.otherShared(x, in, w, 0, addr&(1<<gmem.SlotBits-1), i)
		}
		if p == nil && x.fault == nil {
			ac.outOfBounds(x, in, ac.space, addr, i)
		}
		return p
	case isa.SpaceNone:
		if space := x.m.dev.mem.SpaceOf(addr); gmem.SpaceBase(space) != 0 {
			return ac.slowRegion(x, in, w, space, addr, i)
		}
	}
	a, bad := x.m.dev.mem.Check(addr, ac.size)
	if bad != nil {
		x.raise(in, i, bad.Class, addr, "%s of %d bytes at address 0x%x, which %s", ac.kind.Word(), ac.size, addr,
			bad.Msg)
		return nil
	}
	if ac.booked != nil {
		ac.booked.verify(x, a)
	}
	data := x.l.proof.admit(x.m, in, a)
	if data == nil {
		x.raise(in, i, "conflict", addr, "the block may read what another one writes")
		return nil
	}
	if a.Readonly {
		return ac.constant(x, in, a, data, addr, i)
	}
	x.m.dev.mem.Fill(&ac.cache, a, data, addr, ac.size)
	*w = cachedRange{AllocCache: ac.cache}
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), addr-a.Base)
}

// slowRegion locates a generic access to shared, local or parameter memory.
func (ac *access) slowRegion(x *engine, in *inst, w *cachedRange, space isa.Space, addr uint64, i int) unsafe.Pointer {
	if space == isa.SpaceParam && ac.kind != isa.AccessLoad {
		x.raise(in, i, "out-of-bounds", addr, "%s of a kernel parameter, which is read-only", ac.kind.Word())
		return nil
	}
	*w = ac.region(x, space, gmem.SpaceBase(space))
	p := w.at(addr, ac.size, i)
	switch {
	case p != nil:
	case space == isa.SpaceShared:
		p = ac.otherShared(x, in, w, gmem.SharedWindow, addr-gmem.SharedWindow, i)
	}
	if p == nil && x.fault == nil {
		ac.outOfBounds(x, in, space, addr-gmem.SpaceBase(space), i)
	}
	return p
}

// outOfBounds raises the fault of an access beyond shared, local or parameter memory.
func (ac *access) outOfBounds(x *engine, in *inst, space isa.Space, addr uint64, i int) {
	size, of := uint64(len(x.l.params)), "kernel parameters"
	switch space {
	case isa.SpaceShared:
		size, of = uint64(len(x.cta.shared)), "shared memory of the block"
	case isa.SpaceLocal:
		size, of = x.localTop(), "local memory of the thread"
	}
	x.raise(in, i, "out-of-bounds", gmem.SpaceBase(space)+addr, "%s of %d bytes at %s address 0x%x, which %s",
		ac.kind.Word(), ac.size, space, addr, beyond(addr, ac.size, size, of))
}

// beyond describes where an access lies relative to a region of size bytes that starts at 0.
func beyond(addr, n, size uint64, of string) string {
	switch {
	case int64(addr) < 0:
		return fmt.Sprintf("is %d bytes before the %s (%d bytes)", -addr, of, size)
	case addr < size:
		return fmt.Sprintf("reaches %d bytes beyond the end of the %s (%d bytes)", addr+n-size, of, size)
	}
	return fmt.Sprintf("is %d bytes after the %s (%d bytes)", addr-size, of, size)
}

// generic returns the generic address for an address in the instruction's space.
func (ac *access) generic(addr uint64) uint64 {
	if base := gmem.SpaceBase(ac.space); base != 0 {
		return base + addr&(1<<gmem.SlotBits-1)
	}
	return addr
}

// locate returns the memory of one lane's access, nil after a fault.
func (ac *access) locate(x *engine, in *inst, w *cachedRange, addr uint64, i int) unsafe.Pointer {
	if p := w.at(addr, ac.size, i); p != nil {
		return p
	}
	return ac.slowPath(x, in, w, addr, i)
}

// Config.Variables: shared and local variables and kernel parameters are adjacent in memory, and an index that is too
// large for one accesses the next. Where the program shows which variable an address was derived from (address.Roots),
// accesses must be within it.

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

// region returns the location of a variable for the running group, as addresses of its state space. An array without an
// extent extends to the end of shared memory.
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

// inVariable reports whether an access is within the variable that its address was derived from, and raises a fault if
// not.
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
	x.raise(in, i, "out-of-bounds", ac.generic(addr),
		"%s of %d bytes at %s address 0x%x, which %s that the address was made from, %s",
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

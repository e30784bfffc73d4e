// Addresses to bytes: windows, proofs, the local top, private copies.

package memory

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/commute"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// StackEnd returns the stack offset at which the variables of functions called by f begin.
func StackEnd(f *state.Frame) uint64 {
	end := f.StackBase + f.Fn.StackSize
	if f.Fn.Dynamic == 0 {
		return end
	}
	top := uint64(0)
	for _, n := range f.R64(f.Fn.Dynamic) {
		top = max(top, n)
	}
	return (end + top + 15) &^ 15
}

// cachedRange is the memory range that accesses are looked up in first: an access of lane i at address a hits if a-base
// < lim; its memory is at ptr + (a-base) + i*stride.
type cachedRange struct {
	gmem.AllocCache
	Stride uint64
}

// DecodeAccess resolves operand i as the address of an access of size bytes. The
// returned instruction has a and flags set.
func DecodeAccess(d *state.Decoder, in *rewrite.Inst, i int, kind isa.AccessKind,
	size uint64,
) (*state.Access, state.Inst, error) {
	ad, err := decode.Addr(d, in, i)
	if err != nil {
		return nil, state.Inst{}, err
	}
	if in.Instr.Name == "multimem" {
		ad.Space = isa.SpaceGlobal // even if the instruction is generic
	}
	switch ad.Space {
	case isa.SpaceNone, isa.SpaceGlobal, isa.SpaceConst, isa.SpaceShared, isa.SpaceLocal, isa.SpaceParam:
	default:
		return nil, state.Inst{}, decode.Unsupported(d, in, "%s: access to .%s", in.Text(), ad.Space)
	}
	if ad.Space == isa.SpaceConst && kind != isa.AccessLoad {
		return nil, state.Inst{}, decode.Errorf(d, in, "%s: .const memory cannot be written", in.Text())
	}
	out := state.Inst{A: ad.Base, Flags: state.FlagFaults | state.FlagResumable}
	switch ad.Space {
	case isa.SpaceNone, isa.SpaceGlobal, isa.SpaceShared:
		out.Flags |= state.FlagVisible
	}
	cluster := ad.Space == isa.SpaceNone || in.Has("shared::cluster")
	return &state.Access{
		Space: ad.Space, Off: uint64(ad.Off), Size: size, Kind: kind, Cluster: cluster,
		Overrun: overrun(&in.Operands[i], ad.Space, size), Origin: origin(d, in, i), Booked: booking(d, in, i),
		Aside: d.M.Aside(in), Silent: d.Silent || !d.M.Interest.NeedsSite(in),
	}, out, nil
}

// Window returns the range in which the instruction's accesses are expected to hit.
func Window(ac *state.Access, x *state.Engine) cachedRange {
	if !quick(ac, x) {
		return cachedRange{} // SlowPath handles all accesses
	}
	return fastRange(ac, x)
}

// quick reports whether lanes with addresses in fastRange need no SlowPath. They need it if the access is checked
// against the bounds of one variable, or if Config.Uninitialised is set and the memory may have uninitialised bytes.
func quick(ac *state.Access, x *state.Engine) bool {
	switch {
	case ac.Origin != nil, x.Storing != nil && ac.Kind == isa.AccessStore:
		return false
	case !x.M.Cfg.Uninitialised:
		return ac.Space != isa.SpaceLocal || x.Warp.Shadow.Complete()
	case ac.Space == isa.SpaceShared:
		return x.CTA.Shadow.Complete()
	}
	return ac.Space != isa.SpaceLocal // ac.cache covers only fully initialised memory: see gmem.Memory.Fill
}

// fastRange returns the range of the instruction's state space, or the allocation that it accessed last.
func fastRange(ac *state.Access, x *state.Engine) cachedRange {
	if ac.Overrun != nil {
		return cachedRange{} // find raises the fault
	}
	switch ac.Space {
	case isa.SpaceShared, isa.SpaceParam, isa.SpaceLocal:
		return region(ac, x, ac.Space, 0)
	}
	return cachedRange{AllocCache: ac.Cache}
}

// region returns the range of shared, parameter or local memory, at addresses from base on.
func region(ac *state.Access, x *state.Engine, space isa.Space, base uint64) cachedRange {
	switch space {
	case isa.SpaceShared:
		from, to := usable(ac, x)
		return cachedRange{AllocCache: bytes(ac, x.CTA.Shared[from:to], base+x.CTA.SharedBase()+from)}
	case isa.SpaceParam:
		return cachedRange{AllocCache: bytes(ac, x.L.Params, base)}
	}
	w := x.Warp
	return cachedRange{AllocCache: bytes(ac, w.Stack[:localTop(x)], base), Stride: w.StackStride}
}

// localTop returns the end of local memory for the running group's threads, including that of the innermost activation.
func localTop(x *state.Engine) uint64 { return StackEnd(x.Frame) }

// bytes returns the range of p at addresses from base on.
func bytes(ac *state.Access, p []byte, base uint64) gmem.AllocCache {
	if uint64(len(p)) < ac.Size {
		return gmem.AllocCache{}
	}
	return gmem.AllocCache{Base: base, Lim: uint64(len(p)) - ac.Size + 1, Ptr: unsafe.Pointer(unsafe.SliceData(p))}
}

// At returns the memory at address addr for lane i, nil if it is outside of the range or misaligned.
func (w *cachedRange) At(addr, size uint64, i int) unsafe.Pointer {
	o := addr - w.Base
	if o < w.Lim && addr&(size-1) == 0 {
		return unsafe.Add(w.Ptr, o+uint64(i)*w.Stride)
	}
	return nil
}

// HalfWarp is the number of lanes that run checks together: a block of 16 by 16 threads has two rows in each warp.
const HalfWarp = state.WarpSize / 2

// FullHalf is the set of all lanes of half a warp.
const FullHalf = state.Lanes(1)<<HalfWarp - 1

// Run is a sequence of addresses with a constant distance, all in one range: the i-th lane of a half warp accesses ptr
// + i*step.
type Run struct {
	Ptr  unsafe.Pointer
	Step uint64
}

// Run recognises the access pattern of most loads and stores of the 16 lanes from first on: consecutive elements, one
// element for all, or the same offset in every thread's local memory.
func (w *cachedRange) Run(a *[HalfWarp]uint64, off, size uint64, first int) (Run, bool) {
	step := a[1] - a[0]
	differ, next := uint64(0), a[0]
	for _, v := range a {
		differ |= v ^ next
		next += step
	}
	o := a[0] + off - w.Base
	if differ|(a[0]+off|step)&(size-1) != 0 || step >= 1<<gmem.SlotBits || o >= w.Lim || o+(HalfWarp-1)*step >= w.Lim {
		return Run{}, false
	}
	return Run{unsafe.Add(w.Ptr, o+uint64(first)*w.Stride), step + w.Stride}, true
}

// find locates an address outside of the cached range, and may set the range to the memory found. It returns nil after
// raising a fault.
func find(ac *state.Access, x *state.Engine, in *state.Inst, w *cachedRange, addr uint64, i int) unsafe.Pointer {
	if v := ac.Overrun; v != nil {
		faults.Raise(x, in, i, "out-of-bounds", events.Generic(ac, addr),
			"%s of %d bytes at offset %d of the variable %s, which has %d bytes", ac.Kind.Word(), ac.Size,
			int64(ac.Off), v.Name, v.Size)
		return nil
	}
	if addr&(ac.Size-1) != 0 {
		faults.Raise(x, in, i, "misaligned", events.Generic(ac, addr), "misaligned %s of %d bytes at %s address 0x%x",
			ac.Kind.Word(),
			ac.Size, ac.Space, addr)
		return nil
	}
	switch ac.Space {
	case isa.SpaceShared, isa.SpaceLocal, isa.SpaceParam:
		// These spaces have 32-bit addresses; higher bits of a wider register are ignored (PTX ISA 6.4.1, "Addresses as
		// Operands").
		if p := w.At(addr&(1<<gmem.SlotBits-1), ac.Size, i); p != nil {
			return p
		}
		var p unsafe.Pointer
		if ac.Space == isa.SpaceShared {
			p = otherShared(ac, x, in, w, 0, addr&(1<<gmem.SlotBits-1), i)
		}
		if p == nil && x.Fault == nil {
			outOfBounds(ac, x, in, ac.Space, addr, i)
		}
		return p
	case isa.SpaceNone, isa.SpaceGlobal:
		if space := x.M.Dev.Mem.SpaceIn(ac.Space, addr); gmem.SpaceBase(space) != 0 {
			return slowRegion(ac, x, in, w, space, addr, i)
		}
	}
	a, bad := x.M.Dev.Mem.Check(addr, ac.Size)
	if bad != nil {
		faults.Raise(x, in, i, bad.Class, addr, "%s of %d bytes at address 0x%x, which %s", ac.Kind.Word(), ac.Size,
			addr,
			bad.Msg)
		return nil
	}
	if ac.Booked != nil {
		Verify(ac.Booked, x, a)
	}
	data := admit(x.L.Proof, x.M, in, a)
	if data == nil {
		faults.Raise(x, in, i, "conflict", addr, "the block may read what another one writes")
		return nil
	}
	if a.Readonly {
		return constant(ac, x, in, a, data, addr, i)
	}
	x.M.Dev.Mem.Fill(&ac.Cache, a, data, addr, ac.Size)
	*w = cachedRange{AllocCache: ac.Cache}
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), addr-a.Base)
}

// slowRegion locates an access to shared, local or parameter memory, at a generic address.
func slowRegion(ac *state.Access, x *state.Engine, in *state.Inst, w *cachedRange, space isa.Space, addr uint64,
	i int,
) unsafe.Pointer {
	if space == isa.SpaceParam && ac.Kind != isa.AccessLoad {
		faults.Raise(x, in, i, "out-of-bounds", addr, "%s of a kernel parameter, which is read-only", ac.Kind.Word())
		return nil
	}
	*w = region(ac, x, space, gmem.SpaceBase(space))
	p := w.At(addr, ac.Size, i)
	switch {
	case p != nil:
	case space == isa.SpaceShared:
		p = otherShared(ac, x, in, w, gmem.SharedWindow, addr-gmem.SharedWindow, i)
	}
	if p == nil && x.Fault == nil {
		outOfBounds(ac, x, in, space, addr-gmem.SpaceBase(space), i)
	}
	return p
}

// outOfBounds raises the fault of an access beyond shared, local or parameter memory.
func outOfBounds(ac *state.Access, x *state.Engine, in *state.Inst, space isa.Space, addr uint64, i int) {
	size, of := uint64(len(x.L.Params)), "kernel parameters"
	switch space {
	case isa.SpaceShared:
		size, of = uint64(len(x.CTA.Shared)), "shared memory of the block"
	case isa.SpaceLocal:
		size, of = localTop(x), "local memory of the thread"
	}
	faults.Raise(x, in, i, "out-of-bounds", gmem.SpaceBase(space)+addr, "%s of %d bytes at %s address 0x%x, which %s",
		ac.Kind.Word(), ac.Size, space, addr, beyond(addr, ac.Size, size, of))
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

// Locate returns the memory of one lane's access, nil after a fault.
func Locate(ac *state.Access, x *state.Engine, in *state.Inst, w *cachedRange, addr uint64, i int) unsafe.Pointer {
	if p := w.At(addr, ac.Size, i); p != nil {
		return p
	}
	return SlowPath(ac, x, in, w, addr, i)
}

// origin returns the origin of operand i of an instruction, nil if it is not checked.
func origin(d *state.Decoder, in *rewrite.Inst, i int) *state.Origin {
	if !d.M.Cfg.Variables {
		return nil
	}
	r := address.RootsOf(in.Func).Address(in, i)
	if r.Kind != address.RootVar {
		return nil
	}
	o := &state.Origin{V: r.Var, Fn: d.Fn, Locals: d.Stack}
	if _, local := d.Stack[r.Var]; !local && r.Var.Space != isa.SpaceShared && !isParam(o, r.Var) {
		return nil
	}
	return o
}

// isParam reports whether v is a parameter of the kernel.
func isParam(o *state.Origin, v *rewrite.Var) bool {
	return v.Space == isa.SpaceParam && v.Func == o.Fn.Src && o.Fn.Src.Entry
}

// originRegion returns the location of a variable for the running group, as addresses of its state space. An array
// without an extent extends to the end of shared memory.
func originRegion(o *state.Origin, x *state.Engine, v *rewrite.Var) (base, size uint64) {
	if off, local := o.Locals[v]; local {
		return x.Frame.StackBase + off, v.Size
	}
	if isParam(o, v) {
		base, _ = decode.VarAddr(x.M, o.Fn, v)
		return base, v.Size
	}
	base, size = x.L.Shared[v], v.Size
	if size == 0 {
		size = uint64(len(x.CTA.Shared)) - base
	}
	return base + x.CTA.SharedBase(), size
}

// inVariable reports whether an access is within the variable that its address was derived from, and raises a fault if
// not.
func inVariable(ac *state.Access, x *state.Engine, in *state.Inst, addr uint64, i int) bool {
	o := ac.Origin
	if o == nil {
		return true
	}
	space := o.V.Space
	if _, local := o.Locals[o.V]; local {
		space = isa.SpaceLocal
	}
	at := addr
	if ac.Space == isa.SpaceNone {
		at -= gmem.SpaceBase(space)
	}
	at &= 1<<gmem.SlotBits - 1
	base, size := originRegion(o, x, o.V)
	if off := at - base; off <= size && ac.Size <= size-off {
		return true
	}
	first := at // the first byte outside
	if at-base < size {
		first = base + size
	}
	faults.Raise(x, in, i, "out-of-bounds", events.Generic(ac, addr),
		"%s of %d bytes at %s address 0x%x, which %s that the address was made from, %s",
		ac.Kind.Word(), ac.Size, space, at, beyond(at-base, ac.Size, size, "variable "+o.V.Name), hit(o, x, first))
	return false
}

// hit names the variable at an address outside of the expected variable, for messages.
func hit(o *state.Origin, x *state.Engine, at uint64) string {
	var around []*rewrite.Var
	switch {
	case o.V.Space == isa.SpaceShared:
		around = slices.Collect(maps.Keys(x.L.Shared))
	case isParam(o, o.V):
		around = o.Fn.Src.Params
	default:
		around = slices.Collect(maps.Keys(o.Locals))
	}
	slices.SortFunc(around, func(a, b *rewrite.Var) int { return cmp.Compare(a.Name, b.Name) })
	for _, v := range around {
		if base, size := originRegion(o, x, v); v != o.V && at-base < size {
			return fmt.Sprintf("in the variable %s", v.Name)
		}
	}
	return "in no variable"
}

// admit returns the memory of a for the accesses of in when m executes a part: the allocation's, or a private copy. It
// returns nil if blocks might observe each other there.
func admit(p *state.Independence, m *state.Machine, in *state.Inst, a *gmem.Allocation) []byte {
	if p == nil {
		return a.Data
	}
	r := commute.Op{}
	if in.Src >= 0 {
		if only := p.Apart[in.Src]; only == a {
			return a.Data
		} else if only != nil {
			return nil
		}
		r = p.Commutative[in.Src]
	}
	switch {
	case slices.Contains(p.Written, a) || !Claim(&p.AllocationUses, r, a):
		return nil
	case r != commute.Op{}:
		return privateCopy(m, r, a)
	}
	return a.Data
}

// Claim reports whether operations of kind r may use allocation a.
func Claim(c *state.AllocationUses, r commute.Op, a *gmem.Allocation) bool {
	if c.Of == nil {
		return true
	}
	c.Mu.RLock()
	was, ok := c.Of[a]
	c.Mu.RUnlock()
	if !ok {
		c.Mu.Lock()
		defer c.Mu.Unlock()
		if was, ok = c.Of[a]; !ok {
			was = r
			c.Of[a] = r
		}
	}
	return was == r && (r == commute.Op{} || a.Size <= c.Limit)
}

// privateCopy returns the worker's copy of allocation a for operations of kind r.
func privateCopy(m *state.Machine, r commute.Op, a *gmem.Allocation) []byte {
	s := m.Sums[a]
	if s == nil {
		words := make([]uint64, a.Size/8+1)
		s = &state.PrivateSum{Op: r, Data: unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), a.Size)}
		if m.Sums == nil {
			m.Sums = map[*gmem.Allocation]*state.PrivateSum{}
		}
		m.Sums[a] = s
	}
	return s.Data
}

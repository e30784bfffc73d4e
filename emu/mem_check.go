// Checks of accesses: reads of uninitialised memory, accesses beyond their variable, and proofs of the accessed
// allocation.

package emu

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/undefined"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Checks of memory accesses beyond the bounds and alignment checks of access.find: refused accesses under
// Config.NoMemcheck, and uses of uninitialised memory (Config.Uninitialised).
//
// For the latter, device, shared and local memory have shadow memory with one bit for each byte, set when the byte is
// written. Variables of the module are initialised, and copies by the host count as writes. slowPath checks an access
// lane by lane. Ranges, and the sites of the assembly, bypass slowPath, so they cover only fully initialised memory:
// parts of an allocation without an uninitialised byte (gmem.Shadow.Around), and the shared memory of a block once all
// of it is initialised. They never cover local memory, since each call makes its local variables uninitialised. Without
// the check no shadow memory is allocated.
//
// A load is no use. It gives its registers undefined bits (undefined.Registers), and while a frame has some, its
// instructions are executed in Go, each after inspect. Instructions that move bits and those that compute give their
// result undefined bits. All others use them: branches and guards, addresses, atomic operations, matrices, textures,
// arguments of functions. So does a store to global memory, unless the bits are like padding (gmem.Holes): that leaves
// the bytes unwritten. Stores to other memory move any bits, and so do asynchronous copies. A use is reported once, as
// a fault of the load, and the threads go on.

// overrun returns the .local or .shared variable that an operand names, if size bytes at the constant offset from it
// are not all within the variable; else nil. An array without an extent extends to the end of the memory.
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

// slowPath locates an address outside of the cached range, and may set the range to the memory found. It returns nil
// after raising a fault.
func (ac *access) slowPath(x *engine, in *inst, w *cachedRange, addr uint64, i int) unsafe.Pointer {
	// A generic address may be in shared or local memory, to which find would set the range for the next lanes.
	// A store may complete the initialisation of shared memory, so that the next lanes find no range.
	if !ac.quick(x) || x.m.cfg.Uninitialised && (ac.space == isa.SpaceNone || w.Lim == 0) {
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

// tracked checks and marks the shadow bytes of an access at p.
func (ac *access) tracked(x *engine, in *inst, p unsafe.Pointer, addr uint64, i int) unsafe.Pointer {
	s, off := ac.shadow(x, addr, i)
	if ac.kind != isa.AccessStore && !ac.carried {
		if h := s.Holes(off, ac.size); h.All != 0 {
			read := &unwrittenRead{ac: ac, at: x.blame(x.frame, in.src), addr: addr, missing: h.Count()}
			if ac.value == nil || !ac.undefine(x, h, read, i) {
				x.uses(read, i, nil)
			}
		}
	}
	switch {
	case ac.kind == isa.AccessLoad:
	case x.storing != nil:
		x.storeUndefined(ac, addr, i)
	default:
		s.Store(off, ac.size)
	}
	return p
}

// unwrittenRead is a read of memory that was never written, by one thread.
type unwrittenRead struct {
	ac       *access
	at       *rewrite.Inst
	addr     uint64
	missing  int // bytes
	reported bool
}

// undefine gives the registers of a load undefined bits in lane i. It returns false for registers that are not
// followed.
func (ac *access) undefine(x *engine, h gmem.Holes, read *unwrittenRead, i int) bool {
	if ac.live == nil {
		ac.live = slices.Clone(undefined.LiveAfter(ac.value))
	}
	return undefined.Load(ac.value, h.All, h.Padding, func(r *rewrite.Reg, v undefined.Value) {
		if ac.live.Has(r) {
			x.frame.undefined.Set(r, i, v, read)
		}
	})
}

// trackSpan is tracked for n bytes.
func (ac *access) trackSpan(x *engine, in *inst, addr, n uint64, i int) {
	whole := *ac
	whole.size = n
	s, off := whole.shadow(x, addr, i)
	if ac.kind != isa.AccessStore && !ac.carried {
		if _, count := s.Unwritten(off, n); count > 0 {
			x.uses(&unwrittenRead{ac: &whole, at: x.blame(x.frame, in.src), addr: addr, missing: int(count)}, i, nil)
		}
	}
	if ac.kind != isa.AccessLoad {
		s.Set(off, n)
	}
}

// fetched checks n bytes that a texture or surface instruction reads.
func (x *engine) fetched(in *inst, addr, n uint64, i int) {
	ac := access{space: isa.SpaceGlobal, kind: isa.AccessLoad}
	ac.trackSpan(x, in, addr, n, i)
}

// carry marks n bytes of the destination of a copy as written where those of the source are. In global memory,
// unwritten bytes that are no padding are a use.
func (x *engine) carry(in *inst, to *access, toAddr uint64, from *access, fromAddr, n uint64, i int) {
	if !x.m.cfg.Uninitialised || !from.carried {
		return
	}
	source := *from
	source.size = n
	s, off := source.shadow(x, fromAddr, i)
	if s.Complete() {
		return
	}
	d, at := to.shadow(x, toAddr, i)
	if to.spaceAt(x, toAddr) == isa.SpaceGlobal {
		if _, count := s.Unwritten(off, n); count > 0 {
			x.uses(&unwrittenRead{ac: &source, at: x.blame(x.frame, in.src), addr: fromAddr, missing: int(count)}, i,
				nil)
		}
		d = x.m.dev.mem.Tracked(x.m.dev.mem.Find(toAddr))
		x.m.dev.mem.Forget()
	}
	d.Copy(at, s, off, n)
}

// storeUndefined marks the bytes that x.storing stores: those with undefined bits become unwritten. In global memory
// this is a use, except of padding, and between rows.
func (x *engine) storeUndefined(ac *access, addr uint64, i int) {
	s, off := ac.shadow(x, addr, i)
	bytes, padding, from := x.frame.undefined.Store(x.storing, i)
	if ac.spaceAt(x, addr) == isa.SpaceGlobal && bytes != 0 {
		s = x.m.dev.mem.Tracked(x.m.dev.mem.Find(addr))
		if bytes != padding && !s.Between(off, ac.size) {
			x.uses(from.(*unwrittenRead), i, x.storing)
			bytes = padding
		}
		x.m.dev.mem.Forget()
	}
	s.StoreBut(off, ac.size, bytes)
}

// inspect follows undefined bits through an instruction that the lanes in mask are about to execute; next is the one
// behind it.
func (x *engine) inspect(in, next *inst, mask lanes) {
	u, f := &x.frame.undefined, x.frame
	s := f.fn.sourceOf(in.src).in
	if s == nil {
		return
	}
	x.usesReg(s.Guard, mask, s)
	m := mask & (*f.p(in.guard) ^ in.guardXor)
	if next.src == in.src && next.guard == in.guard && next.guardXor == in.guardXor || m == 0 {
		return // the last of the instructions that s became counts
	}
	flow := undefined.FlowOf(s)
	switch flow {
	case undefined.Moves, undefined.Computes:
		for ; m != 0; m &= m - 1 {
			i := m.first()
			u.Follow(s, i, func(o *rewrite.Operand) (uint64, bool) { return f.valueOf(o, i) })
		}
	case undefined.Stores:
		x.usesReg(s.Operands[s.Access.Addr].Reg, m, s)
		x.storing = s
	case undefined.Shuffles: // engine.shuffles
		for i := range s.Operands[2:] {
			x.usesReg(s.Operands[2+i].Reg, m, s)
		}
	default:
		s.Uses(func(r *rewrite.Reg) { x.usesReg(r, m, s) })
		s.Defs(func(r *rewrite.Reg) { u.Clear(r, uint32(m)) })
	}
	if b := s.Func.CFG().BlockOf[s.Index]; s.Index+1 == b.End && flow != undefined.Stores { // which is still to read them
		u.Keep(s.Func.Liveness().Out(b), uint32(m))
	}
}

// usesReg reports the use of a register, which may be nil, by the lanes in m.
func (x *engine) usesReg(r *rewrite.Reg, m lanes, by *rewrite.Inst) {
	if r == nil {
		return
	}
	for rest := m & lanes(x.frame.undefined.In(r)); rest != 0; rest &= rest - 1 {
		_, from := x.frame.undefined.Get(r, rest.first())
		x.uses(from.(*unwrittenRead), rest.first(), by)
	}
	x.frame.undefined.Clear(r, uint32(m))
}

// valueOf returns the value of an operand in lane i: a register or a constant.
func (f *frame) valueOf(o *rewrite.Operand, i int) (v uint64, known bool) {
	if o.Kind != rewrite.OperandReg || o.Reg.Vec > 1 || o.Reg.Type.Bits() > 64 {
		return o.Imm, o.Kind == rewrite.OperandImm
	}
	at := f.fn.bodies[0].regs[o.Reg.Index]
	if o.Reg.Type == isa.Pred {
		v = uint64(*f.p(at) >> i & 1)
		if o.Not {
			v ^= 1
		}
		return v, true
	}
	return f.word(at, o.Reg.Type.Bits() == 64, i), true
}

// uses reports the use of an unwritten read by lane i, at an instruction after the read unless by is nil.
func (x *engine) uses(read *unwrittenRead, i int, by *rewrite.Inst) {
	if read.reported {
		return
	}
	read.reported = true
	ac, after := read.ac, ""
	if by != nil {
		after = fmt.Sprintf("; used in line %d (%s)", by.Line, by.Text())
	}
	x.fail(x.warp, i, read.at, "uninitialised", ac.generic(read.addr),
		fmt.Sprintf("%s of %d bytes, %d of them never written, at %s%s", ac.kind.Word(), ac.size, read.missing,
			ac.place(x, read.addr), after))
	x.fault.Continued = true
	x.recordFault()
	s, off := ac.shadow(x, read.addr, i)
	s.Set(off, ac.size) // report it only once
}

// place describes an address in words, with the allocation if it is in device memory.
func (ac *access) place(x *engine, addr uint64) string {
	if ac.spaceAt(x, addr) == isa.SpaceGlobal {
		return fmt.Sprintf("address 0x%x, which %s", addr, x.m.dev.mem.Where(addr, ac.size))
	}
	return fmt.Sprintf("%s address 0x%x", ac.space, addr)
}

// shadow returns the shadow memory of the byte at addr for lane i, and the offset in it; nil for memory that is always
// initialised.
func (ac *access) shadow(x *engine, addr uint64, i int) (*gmem.Shadow, uint64) {
	switch ac.spaceAt(x, addr) {
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
	a := x.m.dev.mem.Find(addr)
	if ac.kind == isa.AccessStore {
		return a.Shadow, addr - a.Base
	}
	return a.State(addr-a.Base, ac.size), addr - a.Base
}

// spaceAt returns the state space that an address of the access is in.
func (ac *access) spaceAt(x *engine, addr uint64) isa.Space {
	if ac.space == isa.SpaceNone {
		return x.m.dev.mem.SpaceOf(addr)
	}
	return ac.space
}

// Constant memory written by the kernel. A .const variable is in device memory, and a kernel that has its address may
// store to it for later launches (CUDA C++ Programming Guide, "__constant__": its address can be taken). Loads of
// constants are cached: loading bytes that the same launch has written is undefined, and a fault here.

// constant locates the bytes at addr in the .const variable a, whose contents are data. It does not set the range there
// for stores, nor for loads of constants once the launch has written some: those are checked one by one.
func (ac *access) constant(x *engine, in *inst, a *gmem.Allocation, data []byte, addr uint64, i int) unsafe.Pointer {
	off := addr - a.Base
	written := ac.space == isa.SpaceConst && a.WrittenIn(x.l)
	switch {
	case ac.kind != isa.AccessLoad && x.l.proof != nil:
		x.raise(in, i, "conflict", addr, "the block may write what another one reads")
		return nil
	case ac.kind != isa.AccessLoad:
		x.m.dev.mem.WriteConstant(a, x.l, off, ac.size)
	case !written:
		x.m.dev.mem.Fill(&ac.cache, a, data, addr, ac.size)
	case a.Wrote(off, ac.size):
		x.raise(in, i, "out-of-bounds", addr,
			"read of %d bytes at address 0x%x of the constant %s, which the same launch has written: constants are cached", ac.size, addr, a.Name)
		return nil
	}
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), off)
}

// Booking verifies proofs about the allocations that accesses go to (address.Exempt). The machine compares each time
// that an instruction accesses a different allocation than its last one, which it has to look up anyway.
type Booking struct {
	// Root returns the proved root of the address operand of an instruction, with kind RootUnknown if there is no
	// proof.
	Root func(in *rewrite.Inst, operand int) address.Root
	// Strayed is the first access to a different allocation; nil if there is none.
	Strayed *rewrite.Inst
}

// accessProof is the proof about one access.
type accessProof struct {
	inst    *rewrite.Inst
	root    address.Root
	to      *gmem.Allocation // allocation in the current launch; nil if there is none
	current *launch
}

// booking returns the proof about operand i of an instruction, nil when there is none.
func (d *decoder) booking(in *rewrite.Inst, i int) *accessProof {
	if d.m.cfg.Booking == nil {
		return nil
	}
	r := d.m.cfg.Booking.Root(in, i)
	if r.Kind != address.RootVar && r.Kind != address.RootParam {
		return nil
	}
	return &accessProof{inst: in, root: r}
}

// verify compares the allocation that an access goes to with the proof.
func (b *accessProof) verify(x *engine, to *gmem.Allocation) {
	if b.current != x.l {
		b.current, b.to = x.l, x.m.rootedIn(x.l, b.root)
	}
	if k := x.m.cfg.Booking; b.to != to && k.Strayed == nil {
		k.Strayed = b.inst
	}
}

// rootedIn returns the allocation that a root points into in a launch, nil if there is none. The root may belong to
// another version of the module with the same variables and parameters.
func (m *machine) rootedIn(l *launch, r address.Root) *gmem.Allocation {
	const pointer = 8
	if r.Kind == address.RootVar {
		if r.Var.Space != isa.SpaceGlobal && r.Var.Space != isa.SpaceConst {
			return nil
		}
		return m.dev.mem.Find(m.namesake(l, r.Var))
	}
	for _, p := range l.kernel.formals {
		if at := p.Offset + uint64(r.At); p.Var.Name == r.Var.Name && r.At >= 0 && at+pointer <= p.Offset+p.Size {
			return m.dev.mem.Find(binary.LittleEndian.Uint64(l.params[at:]))
		}
	}
	return nil
}

// namesake returns the address of the variable with the name of v, 0 if there is none.
func (m *machine) namesake(l *launch, v *rewrite.Var) uint64 {
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

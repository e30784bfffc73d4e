// Checks of accesses: reads of uninitialised memory, accesses beyond their variable, and proofs of the accessed
// allocation.

package memory

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/undefined"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Checks of memory accesses beyond the bounds and alignment checks of find: refused accesses under
// Config.NoMemcheck, and uses of uninitialised memory (Config.Uninitialised).
//
// For the latter, device, shared and local memory have shadow memory with one bit for each byte, set when the byte is
// written. Variables of the module are initialised, and copies by the host count as writes. SlowPath checks an access
// lane by lane. Ranges, and the sites of the assembly, bypass SlowPath, so they cover only fully initialised memory:
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

// SlowPath locates an address outside of the cached range, and may set the range to the memory found. It returns nil
// after raising a fault.
func SlowPath(ac *state.Access, x *state.Engine, in *state.Inst, w *cachedRange, addr uint64, i int) unsafe.Pointer {
	// A generic address may be in shared or local memory, to which find would set the range for the next lanes.
	// A store may complete the initialisation of shared memory, so that the next lanes find no range.
	if !quick(ac, x) || x.M.Cfg.TracksLocal() && (ac.Space == isa.SpaceNone || w.Lim == 0) {
		usual := fastRange(ac, x)
		w = &usual
	}
	var p unsafe.Pointer
	if inVariable(ac, x, in, addr, i) {
		if p = w.At(addr, ac.Size, i); p == nil {
			p = find(ac, x, in, w, addr, i)
		}
	}
	if p == nil && ac.Kind == isa.AccessLoad && x.Fault != nil && x.Fault.Class == "out-of-bounds" {
		p, ac = withoutUnused(ac, x, in, addr, i)
	}
	switch {
	case p == nil && x.M.Cfg.NoMemcheck && ac.Size <= state.MaxSink:
		x.Fault = nil
		x.Sink = [state.MaxSink / 8]uint64{}
		return unsafe.Pointer(&x.Sink)
	case p != nil && x.M.Cfg.Unwritten != nil && x.M.Dev.Mem.SpaceIn(ac.Space, addr) == isa.SpaceLocal:
		trackLocal(ac, x, in, addr, i)
	}
	if p != nil && x.M.Cfg.Uninitialised {
		return tracked(ac, x, in, p, addr, i)
	}
	return p
}

// withoutUnused takes the fault of a vector load back if nothing reads the elements that are out of bounds: compilers load
// one more element to have one instruction, and a GPU's memory is there up to the next multiple of the vector's size. It
// returns the elements, nil if one is missing, and the access to those that are there.
func withoutUnused(ac *state.Access, x *state.Engine, in *state.Inst, addr uint64, i int) (unsafe.Pointer, *state.Access) {
	source := x.Frame.Fn.SourceOf(in.Src).In
	if undefined.FlowOf(source) != undefined.Loads || source.Operands[0].Kind != rewrite.OperandVector ||
		ac.Size > state.MaxSink || addr%ac.Size != 0 {
		return nil, ac
	}
	elements, live, fault := source.Operands[0].Elems, undefined.LiveAfter(source), x.Fault
	one, there, operand := *ac, *ac, source.Operands[source.Access.Addr]
	one.Size, there.Size = ac.Size/uint64(len(elements)), 0
	x.Sink = [state.MaxSink / 8]uint64{}
	for _, e := range elements {
		x.Fault = nil
		one.Overrun = overrun(&operand, ac.Space, one.Size)
		if at := addr + there.Size; inVariable(&one, x, in, at, i) {
			w := fastRange(&one, x)
			if p := find(&one, x, in, &w, at, i); p != nil {
				copy(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(&x.Sink), there.Size)), one.Size), unsafe.Slice((*byte)(p), one.Size))
				there.Size += one.Size
				operand.Off += int64(one.Size)
				continue
			}
		}
		if there.Size == 0 || e.Reg != nil && live.Has(e.Reg) {
			x.Fault = fault
			return nil, ac
		}
	}
	x.Fault = nil
	return unsafe.Pointer(&x.Sink), &there
}

// trackLocal checks and marks the shadow bytes of an access to local memory.
func trackLocal(ac *state.Access, x *state.Engine, in *state.Inst, addr uint64, i int) {
	s, off := Shadow(ac, x, addr, i)
	if ac.Kind != isa.AccessStore && s.Holes(off, ac.Size).All != 0 {
		x.M.Cfg.Unwritten(x.Frame.Fn.SourceOf(in.Src).In)
	}
	if ac.Kind != isa.AccessLoad && !x.M.Cfg.Uninitialised {
		s.Set(off, ac.Size)
	}
}

// tracked checks and marks the shadow bytes of an access at p.
func tracked(ac *state.Access, x *state.Engine, in *state.Inst, p unsafe.Pointer, addr uint64, i int) unsafe.Pointer {
	s, off := Shadow(ac, x, addr, i)
	if ac.Kind != isa.AccessStore && !ac.Carried {
		if h := s.Holes(off, ac.Size); h.All != 0 {
			read := &unwrittenRead{ac: ac, at: faults.Blame(x, x.Frame, in.Src), addr: addr, missing: h.Count()}
			if ac.Value == nil || !undefine(ac, x, h, read, i) {
				uses(x, read, i, nil)
			}
		}
	}
	switch {
	case ac.Kind == isa.AccessLoad:
	case x.Storing != nil:
		storeUndefined(x, ac, addr, i)
	default:
		s.Store(off, ac.Size)
	}
	return p
}

// unwrittenRead is a read of memory that was never written, by one thread.
type unwrittenRead struct {
	ac       *state.Access
	at       *rewrite.Inst
	addr     uint64
	missing  int // bytes
	reported bool
}

// undefine gives the registers of a load undefined bits in lane i. It returns false for registers that are not
// followed.
func undefine(ac *state.Access, x *state.Engine, h gmem.Holes, read *unwrittenRead, i int) bool {
	if ac.Live == nil {
		ac.Live = slices.Clone(undefined.LiveAfter(ac.Value))
	}
	return undefined.Load(ac.Value, h.All, h.Padding, func(r *rewrite.Reg, v undefined.Value) {
		if ac.Live.Has(r) {
			x.Frame.Undefined.Set(r, i, v, read)
		}
	})
}

// TrackSpan is tracked for n bytes.
func TrackSpan(ac *state.Access, x *state.Engine, in *state.Inst, addr, n uint64, i int) {
	whole := *ac
	whole.Size = n
	s, off := Shadow(&whole, x, addr, i)
	if ac.Kind != isa.AccessStore && !ac.Carried {
		if _, count := s.Unwritten(off, n); count > 0 {
			uses(x, &unwrittenRead{ac: &whole, at: faults.Blame(x, x.Frame, in.Src), addr: addr, missing: int(count)},
				i, nil)
		}
	}
	if ac.Kind != isa.AccessLoad {
		s.Set(off, n)
	}
}

// Fetched checks n bytes that a texture or surface instruction reads.
func Fetched(x *state.Engine, in *state.Inst, addr, n uint64, i int) {
	ac := state.Access{Space: isa.SpaceGlobal, Kind: isa.AccessLoad}
	TrackSpan(&ac, x, in, addr, n, i)
}

// Carry marks n bytes of the destination of a copy as written where those of the source are. In global memory,
// unwritten bytes that are no padding are a use.
func Carry(x *state.Engine, in *state.Inst, to *state.Access, toAddr uint64, from *state.Access, fromAddr, n uint64,
	i int,
) {
	if !x.M.Cfg.Uninitialised || !from.Carried {
		return
	}
	source := *from
	source.Size = n
	s, off := Shadow(&source, x, fromAddr, i)
	if s.Complete() {
		return
	}
	d, at := Shadow(to, x, toAddr, i)
	if x.M.Dev.Mem.SpaceIn(to.Space, toAddr) == isa.SpaceGlobal {
		if _, count := s.Unwritten(off, n); count > 0 {
			uses(x, &unwrittenRead{
				ac: &source, at: faults.Blame(x, x.Frame, in.Src), addr: fromAddr,
				missing: int(count),
			}, i,
				nil)
		}
		d = x.M.Dev.Mem.Tracked(x.M.Dev.Mem.Find(toAddr))
		x.M.Dev.Mem.Forget()
	}
	d.Copy(at, s, off, n)
}

// storeUndefined marks the bytes that x.storing stores: those with undefined bits become unwritten. In global memory
// this is a use, except of padding, and between rows.
func storeUndefined(x *state.Engine, ac *state.Access, addr uint64, i int) {
	s, off := Shadow(ac, x, addr, i)
	bytes, padding, from := x.Frame.Undefined.Store(x.Storing, i)
	if x.M.Dev.Mem.SpaceIn(ac.Space, addr) == isa.SpaceGlobal && bytes != 0 {
		s = x.M.Dev.Mem.Tracked(x.M.Dev.Mem.Find(addr))
		if bytes != padding && !s.Between(off, ac.Size) {
			uses(x, from.(*unwrittenRead), i, x.Storing)
			bytes = padding
		}
		x.M.Dev.Mem.Forget()
	}
	s.StoreBut(off, ac.Size, bytes)
}

// Inspect follows undefined bits through an instruction that the lanes in mask are about to execute; next is the one
// behind it.
func Inspect(x *state.Engine, in, next *state.Inst, mask state.Lanes) {
	u, f := &x.Frame.Undefined, x.Frame
	s := f.Fn.SourceOf(in.Src).In
	if s == nil {
		return
	}
	usesReg(x, s.Guard, mask, s)
	m := mask & (*f.P(in.Guard) ^ in.GuardXor)
	if next.Src == in.Src && next.Guard == in.Guard && next.GuardXor == in.GuardXor || m == 0 {
		return // the last of the instructions that s became counts
	}
	flow := undefined.FlowOf(s)
	switch flow {
	case undefined.Moves, undefined.Computes:
		for ; m != 0; m &= m - 1 {
			i := m.First()
			u.Follow(s, i, func(o *rewrite.Operand) (uint64, bool) { return valueOf(f, o, i) })
		}
	case undefined.Stores:
		usesReg(x, s.Operands[s.Access.Addr].Reg, m, s)
		x.Storing = s
	case undefined.Shuffles: // shuffles
		for i := range s.Operands[2:] {
			usesReg(x, s.Operands[2+i].Reg, m, s)
		}
	default:
		s.Uses(func(r *rewrite.Reg) { usesReg(x, r, m, s) })
		s.Defs(func(r *rewrite.Reg) { u.Clear(r, uint32(m)) })
	}
	if b := s.Func.CFG().BlockOf[s.Index]; s.Index+1 == b.End && flow != undefined.Stores { // which is still to read them
		u.Keep(s.Func.Liveness().Out(b), uint32(m))
	}
}

// usesReg reports the use of a register, which may be nil, by the lanes in m.
func usesReg(x *state.Engine, r *rewrite.Reg, m state.Lanes, by *rewrite.Inst) {
	if r == nil {
		return
	}
	for rest := m & state.Lanes(x.Frame.Undefined.In(r)); rest != 0; rest &= rest - 1 {
		_, from := x.Frame.Undefined.Get(r, rest.First())
		uses(x, from.(*unwrittenRead), rest.First(), by)
	}
	x.Frame.Undefined.Clear(r, uint32(m))
}

// valueOf returns the value of an operand in lane i: a register or a constant.
func valueOf(f *state.Frame, o *rewrite.Operand, i int) (v uint64, known bool) {
	if o.Kind != rewrite.OperandReg || o.Reg.Vec > 1 || o.Reg.Type.Bits() > 64 {
		return o.Imm, o.Kind == rewrite.OperandImm
	}
	at := f.Fn.Bodies[0].Regs[o.Reg.Index]
	if o.Reg.Type == isa.Pred {
		v = uint64(*f.P(at) >> i & 1)
		if o.Not {
			v ^= 1
		}
		return v, true
	}
	return f.Word(at, o.Reg.Type.Bits() == 64, i), true
}

// uses reports the use of an unwritten read by lane i, at an instruction after the read unless by is nil.
func uses(x *state.Engine, read *unwrittenRead, i int, by *rewrite.Inst) {
	if read.reported {
		return
	}
	read.reported = true
	ac, after := read.ac, ""
	if by != nil {
		after = fmt.Sprintf("; used in line %d (%s)", by.Line, by.Text())
	}
	faults.Fail(x, x.Warp, i, read.at, "uninitialised", events.Generic(ac, read.addr),
		fmt.Sprintf("%s of %d bytes, %d of them never written, at %s%s", ac.Kind.Word(), ac.Size, read.missing,
			place(ac, x, read.addr), after))
	x.Fault.Continued = true
	faults.RecordFault(x)
	s, off := Shadow(ac, x, read.addr, i)
	s.Set(off, ac.Size) // report it only once
}

// place describes an address in words, with the allocation if it is in device memory.
func place(ac *state.Access, x *state.Engine, addr uint64) string {
	if x.M.Dev.Mem.SpaceIn(ac.Space, addr) == isa.SpaceGlobal {
		return fmt.Sprintf("address 0x%x, which %s", addr, x.M.Dev.Mem.Where(addr, ac.Size))
	}
	return fmt.Sprintf("%s address 0x%x", ac.Space, addr)
}

// Shadow returns the shadow memory of the byte at addr for lane i, and the offset in it; nil for memory that is always
// initialised.
func Shadow(ac *state.Access, x *state.Engine, addr uint64, i int) (*gmem.Shadow, uint64) {
	switch x.M.Dev.Mem.SpaceIn(ac.Space, addr) {
	case isa.SpaceShared:
		c, rank := x.CTA, state.RankOf(addr)
		if rank != c.Rank {
			c = c.Cluster.Blocks[rank]
		}
		return c.Shadow, addr&(1<<gmem.SlotBits-1) - c.SharedBase()
	case isa.SpaceLocal:
		return x.Warp.Shadow, uint64(i)*x.Warp.StackStride + addr&(1<<gmem.SlotBits-1)
	case isa.SpaceParam:
		return nil, 0
	}
	a := x.M.Dev.Mem.Find(addr)
	if ac.Kind == isa.AccessStore {
		return a.Shadow, addr - a.Base
	}
	return a.State(addr-a.Base, ac.Size), addr - a.Base
}

// Constant memory written by the kernel. A .const variable is in device memory, and a kernel that has its address may
// store to it for later launches (CUDA C++ Programming Guide, "__constant__": its address can be taken). Loads of
// constants are cached: loading bytes that the same launch has written is undefined, and a fault here.

// constant locates the bytes at addr in the .const variable a, whose contents are data. It does not set the range there
// for stores, nor for loads of constants once the launch has written some: those are checked one by one.
func constant(ac *state.Access, x *state.Engine, in *state.Inst, a *gmem.Allocation, data []byte, addr uint64,
	i int,
) unsafe.Pointer {
	off := addr - a.Base
	written := ac.Space == isa.SpaceConst && a.WrittenIn(x.L)
	switch {
	case ac.Kind != isa.AccessLoad && x.L.Proof != nil:
		faults.Raise(x, in, i, "conflict", addr, "the block may write what another one reads")
		return nil
	case ac.Kind != isa.AccessLoad:
		x.M.Dev.Mem.WriteConstant(a, x.L, off, ac.Size)
	case !written:
		x.M.Dev.Mem.Fill(&ac.Cache, a, data, addr, ac.Size)
	case a.Wrote(off, ac.Size):
		faults.Raise(x, in, i, "out-of-bounds", addr,
			"read of %d bytes at address 0x%x of the constant %s, which the same launch has written: constants are cached", ac.Size, addr, a.Name)
		return nil
	}
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), off)
}

// booking returns the proof about operand i of an instruction, nil when there is none.
func booking(d *state.Decoder, in *rewrite.Inst, i int) *state.AccessProof {
	if d.M.Cfg.Booking == nil {
		return nil
	}
	r := d.M.Cfg.Booking.Root(in, i)
	if r.Kind != address.RootVar && r.Kind != address.RootParam {
		return nil
	}
	return &state.AccessProof{Inst: in, Root: r}
}

// Verify compares the allocation that an access goes to with the proof.
func Verify(b *state.AccessProof, x *state.Engine, to *gmem.Allocation) {
	if b.Current != x.L {
		b.Current, b.To = x.L, rootedIn(x.M, x.L, b.Root)
	}
	if k := x.M.Cfg.Booking; b.To != to && k.Strayed == nil {
		k.Strayed = b.Inst
	}
}

// rootedIn returns the allocation that a root points into in a launch, nil if there is none. The root may belong to
// another version of the module with the same variables and parameters.
func rootedIn(m *state.Machine, l *state.Launch, r address.Root) *gmem.Allocation {
	const pointer = 8
	if r.Kind == address.RootVar {
		if r.Var.Space != isa.SpaceGlobal && r.Var.Space != isa.SpaceConst {
			return nil
		}
		return m.Dev.Mem.Find(namesake(m, l, r.Var))
	}
	for _, p := range l.Kernel.Formals {
		if at := p.Offset + uint64(r.At); p.Var.Name == r.Var.Name && r.At >= 0 && at+pointer <= p.Offset+p.Size {
			return m.Dev.Mem.Find(binary.LittleEndian.Uint64(l.Params[at:]))
		}
	}
	return nil
}

// namesake returns the address of the variable with the name of v, 0 if there is none.
func namesake(m *state.Machine, l *state.Launch, v *rewrite.Var) uint64 {
	if addr, ok := m.Vars[v]; ok {
		return addr
	}
	for _, f := range l.Kernel.Src.Locals {
		if v.Func != nil && f.Name == v.Name {
			return m.Vars[f]
		}
	}
	if s, ok := m.Src.Lookup(v.Name); ok && v.Func == nil {
		if own, is := s.(*rewrite.Var); is {
			return m.Vars[own]
		}
	}
	return 0
}

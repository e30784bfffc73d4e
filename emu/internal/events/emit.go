// Events for the listener, with the values that it needs.

package events

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// SetListener gives an emitter its listener and what that needs.
func SetListener(t *state.Emitter, l abi.Receiver, of state.Interest) {
	t.Listener, t.Batches, t.Interest = l, l, of
	r, ok := l.(abi.LoopReceiver)
	t.Loops = ok && r.TakesLoops()
}

// InterestOf returns the interest of a listener, an empty one for nil.
func InterestOf(l state.Listener) state.Interest {
	if l == nil {
		return state.Interest{}
	}
	return l.Interest()
}

// Ignored reports whether the listener is not notified of an access.
func Ignored(t *state.Emitter, ac *state.Access) bool {
	if t.Listener == nil || ac.Space == isa.SpaceLocal || ac.Space == isa.SpaceParam {
		return true
	}
	return !t.All && (ac.Silent || ac.Space == isa.SpaceShared && !t.Interest.Shared)
}

// beginEvent sets the event to one of the lanes in m of w.
func beginEvent(x *state.Engine, kind abi.EventKind, w *state.Warp, in *rewrite.Inst, m state.Lanes) *state.Facts {
	f, ev := fact(x, in), &x.Ev
	x.In, ev.Kind, ev.Site = in, kind, f.Site
	ev.Block, ev.Cluster, ev.Warp = w.CTA.Linear, w.CTA.Cluster.Linear, uint32(w.Index)
	ev.Mask, ev.Live = uint32(m), uint32(w.Live)
	return f
}

// RunningEvent is beginEvent for the lanes in m of the running group at in.
func RunningEvent(x *state.Engine, kind abi.EventKind, in *state.Inst, m state.Lanes) *state.Facts {
	return beginEvent(x, kind, x.Warp, InstOf(x, in), m)
}

// EmitMachineEvent emits an event that belongs to no warp.
func EmitMachineEvent(x *state.Engine, kind abi.EventKind, block uint64) {
	x.In, x.Ev.Kind, x.Ev.Site, x.Ev.Block, x.Ev.Mask = nil, kind, 0, block, 0
	x.Listener.Event(&x.Ev)
}

// EmitKernelBegin emits the beginning of the launch, or of a part of it.
func EmitKernelBegin(x *state.Engine) {
	l, ev := x.L, &x.Ev
	ev.Op, ev.Proxy = l.Number, abi.ProxyGeneric
	if usesAsyncProxy(x.M.Src) {
		ev.Proxy = abi.ProxyAsync
	}
	for i, n := range [...]uint32{l.Grid.X, l.Grid.Y, l.Grid.Z, l.Block.X, l.Block.Y, l.Block.Z} {
		ev.Addr[i] = uint64(n)
	}
	ev.Addr[6] = l.ClusterDim().Count()
	EmitMachineEvent(x, abi.EventKernelBegin, 0)
}

// EmitBlockBegin emits the beginning of a block.
func EmitBlockBegin(x *state.Engine, c *state.CTA) {
	c.Unwatched = x.L.Number == 0 && x.Interest.Block != nil && !x.Interest.Block(c.Linear)
	EmitMachineEvent(x, abi.EventBlockBegin, c.Linear)
}

// InstOf returns the PTX instruction that in was decoded from; in belongs to the running group.
func InstOf(x *state.Engine, in *state.Inst) *rewrite.Inst { return x.Frame.Fn.SourceOf(in.Src).In }

// EmitLaneAccess emits a device memory access of one lane that has no address operand: by a texture or a surface. It
// must not be called when x.listener is nil.
func EmitLaneAccess(x *state.Engine, in *state.Inst, kind isa.AccessKind, addr, size uint64, i int) {
	ac := state.Access{Space: isa.SpaceGlobal, Kind: kind, Size: size}
	addrs := [state.WarpSize]uint64{}
	addrs[i] = addr
	EmitAccess(x, in, &ac, 1<<i, &addrs)
}

// EmitStep reports to the listener that a group of threads executes instruction in. The group has the lanes in active;
// the guard predicate is true in those of m.
func EmitStep(x *state.Engine, in *state.Inst, active, m state.Lanes) {
	x.Step = state.Step{
		Inst: x.Frame.Fn.SourceOf(in.Src).In, Block: x.CTA.Linear, Warp: uint32(x.Warp.Index),
		Live: uint32(x.Warp.Live), Active: uint32(active), Mask: uint32(m), Stored: x.Step.Stored,
	}
	x.Step.From(x.Frame, in.Src)
	x.Interest.Step(&x.Step)
}

// EmitAccess emits a memory access of the running group. It must not be called when x.listener is nil.
func EmitAccess(x *state.Engine, in *state.Inst, ac *state.Access, m state.Lanes, addrs *[32]uint64) {
	next, same := neighbours(addrs, uint32(m), ac.Size)
	emitAccessRow(x, in, ac, m, addrs, next, same)
}

// neighbours returns abi.Access.Next and Same.
func neighbours(addrs *[32]uint64, m uint32, size uint64) (next, same uint32) {
	for i, a := range addrs[1:] {
		if a-addrs[i] == size {
			next |= 2 << i
		}
		if a == addrs[i] {
			same |= 2 << i
		}
	}
	m &= m << 1
	return next & m, same & m
}

// emitAccessRow is EmitAccess with Next and Same given. A generic access to several spaces is one event for each space.
func emitAccessRow(x *state.Engine, in *state.Inst, ac *state.Access, m state.Lanes, addrs *[32]uint64, next,
	same uint32,
) {
	if ac.Space != isa.SpaceNone {
		emitAccessIn(x, in, ac, x.M.Dev.Mem.SpaceIn(ac.Space, addrs[m.First()]), m, addrs, next, same)
		return
	}
	for done := x.Values.Done; m != 0; {
		space, part := spaceOfFirst(x.M.Dev.Mem, addrs, m, m&^state.Lanes(next|same))
		x.Values.Done = done & uint32(part)
		emitAccessIn(x, in, ac, space, part, addrs, next&uint32(part), same&uint32(part))
		m &^= part
	}
}

// spaceOfFirst returns the space of the first address in m, and the lanes with addresses in that space. Lanes not in
// begins have an address that adjoins that of the preceding lane.
func spaceOfFirst(mm *gmem.Memory, addrs *[32]uint64, m, begins state.Lanes) (isa.Space, state.Lanes) {
	first := addrs[m.First()]
	space, part, here := mm.SpaceOf(first), m, true
	if m&begins&(m-1) == 0 {
		return space, part
	}
	for r := m & (m - 1); r != 0; r &= r - 1 {
		i := r.First()
		if begins>>i&1 != 0 {
			here = addrs[i]>>gmem.SlotBits == first>>gmem.SlotBits || mm.SpaceOf(addrs[i]) == space
		}
		if !here {
			part &^= 1 << i
		}
	}
	return space, part
}

// emitAccessIn is emitAccessRow for addresses in one known space.
func emitAccessIn(x *state.Engine, in *state.Inst, ac *state.Access, space isa.Space, m state.Lanes, addrs *[32]uint64,
	next, same uint32,
) {
	class := neededClass(x, in, ac, space)
	if class == nil {
		return
	}
	// Each field separately: the compiler would build a literal elsewhere and copy it.
	a := &x.List[0]
	a.AccessClass, a.Addr, a.Base, a.Step = class, addrs, 0, 0
	a.Mask, a.Next, a.Same, a.Wrote = uint32(m), next, same, 0
	a.New, a.Old, a.Ages, a.Again = nil, nil, x.Ages, x.Repeated
	if class.Access.Writes() {
		a.Wrote = uint32(m)
	}
	if ac.Async == abi.Synchronous && x.Interest.Values {
		setValues(x, a, ac, m)
	}
	emitBatch(x, ac, x.List[:])
}

// neededClass returns the class of an access of the running group to a space, nil if the listener does not need it.
func neededClass(x *state.Engine, in *state.Inst, ac *state.Access, space isa.Space) *abi.AccessClass {
	x.In = x.Frame.Fn.SourceOf(in.Src).In
	f := fact(x, x.In)
	if !f.Accessed {
		accesses(x, x.In, f)
	}
	class := classOf(x.M, f, ac, space)
	if !x.All && (f.Silent || x.Warp.CTA.Unwatched && ac.Async == abi.Synchronous && class.Weak()) {
		return nil
	}
	return class
}

// emitBatch passes accesses of the running group to the listener.
func emitBatch(x *state.Engine, ac *state.Access, list []abi.Access) {
	b, w := &x.Made, x.Warp
	b.Block, b.Cluster, b.Warp, b.Live = w.CTA.Linear, w.CTA.Cluster.Linear, uint32(w.Index), uint32(w.Live)
	if b.Async, b.Op, b.List = ac.Async, 0, list; b.Async != abi.Synchronous {
		b.Op, b.Pipe = x.Op, x.Pipe
	}
	x.Listener.Accesses(b)
	checkContextSoon(x)
}

// EmitRuns emits that lane i of the running group accesses runs of bytes, at generic addresses in one space: an access
// for each run, all in one batch.
func EmitRuns(x *state.Engine, in *state.Inst, ac *state.Access, runs state.Runs, i int) {
	var class, other *abi.AccessClass // often there are runs of two sizes
	of, list := *ac, x.Each[:0]
	for _, r := range runs {
		if of.Space == isa.SpaceNone {
			of.Space = x.M.Dev.Mem.SpaceOf(r.Addr)
		}
		if class == nil || uint64(class.Bytes) != r.Bytes {
			class, other = other, class
		}
		if class == nil || uint64(class.Bytes) != r.Bytes {
			of.Size = r.Bytes
			if class = neededClass(x, in, &of, of.Space); class == nil {
				return
			}
		}
		a := abi.Access{AccessClass: class, Mask: 1 << i, Base: r.Addr}
		if class.Access.Writes() {
			a.Wrote = a.Mask
		}
		list = append(list, a)
	}
	if len(list) > 0 {
		emitBatch(x, ac, list)
	}
	x.Each = list
}

// setValues sets the values of an access that writes.
func setValues(x *state.Engine, a *abi.Access, ac *state.Access, m state.Lanes) {
	v := valuesOf(ac, x, m)
	if v == nil {
		return
	}
	if a.New, a.Wrote = &v.New, v.Done; a.Access == abi.AccessRMW {
		a.Old = &v.Old
	}
}

// Emit emits the access, unless no other thread can access the memory.
func Emit(ac *state.Access, x *state.Engine, in *state.Inst, base state.Slot, m state.Lanes) {
	if Ignored(&x.Emitter, ac) {
		return
	}
	a := x.Frame.R64(base)
	for r := m; r != 0; r &= r - 1 {
		i := r.First()
		x.Addrs[i] = Generic(ac, a[i]+ac.Off)
	}
	EmitAccess(x, in, ac, m, &x.Addrs)
}

// PrepareEmit saves the addresses of a read-modify-write operation. EmitPrepared emits it after the operation, which
// may overwrite the address registers.
func PrepareEmit(ac *state.Access, x *state.Engine, base state.Slot, m state.Lanes) {
	x.Values.Done = 0
	a := x.Frame.R64(base)
	for ; m != 0; m &= m - 1 {
		i := m.First()
		x.Addrs[i] = Generic(ac, a[i]+ac.Off)
	}
}

// EmitPrepared emits the access whose addresses PrepareEmit has saved.
func EmitPrepared(ac *state.Access, x *state.Engine, in *state.Inst, m state.Lanes) {
	if !Ignored(&x.Emitter, ac) {
		EmitAccess(x, in, ac, m, &x.Addrs)
	}
}

// valuesOf returns the values that an access of the lanes in m writes. A read-modify-write operation, and stmatrix, has
// recorded them already.
func valuesOf(ac *state.Access, x *state.Engine, m state.Lanes) *state.Values {
	v := &x.Values
	switch {
	case ac.Kind >= isa.AccessStore && ac.Noted:
		return v
	case ac.Kind != isa.AccessStore || ac.Stores == nil:
		return nil
	}
	v.Done = uint32(m)
	storedValues(ac, x, m, 0, &v.New)
	for at := 64; at < int(ac.Size)*8; at += 64 {
		var rest vector.Row
		storedValues(ac, x, m, at, &rest)
		Fingerprint(&v.New, &rest)
	}
	return v
}

// storedValues sets values to the eight bytes, from bit first on, that a store of the lanes in m writes.
func storedValues(ac *state.Access, x *state.Engine, m state.Lanes, first int, values *vector.Row) {
	for ; m != 0; m &= m - 1 {
		i := m.First()
		values[i] = 0
		for k, r := range ac.Stores {
			words := x.Frame.Lane(r.Slot, SlotBits(r.Typ), i)
			for j := range (ac.Elem.Bits() + 63) / 64 {
				if at := k*ac.Elem.Bits() + j*64 - first; at >= 0 && at < 64 {
					values[i] |= words[j] & LowBits(ac.Elem.Bits()) << at
				}
			}
		}
	}
}

// LowBits returns a mask of the low n bits, at most 64.
func LowBits(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// Note records the values of a read-modify-write operation of lane i.
func Note(v *state.Values, i int, old, val uint64, wrote bool) {
	v.Old[i], v.New[i] = old, val
	if wrote {
		v.Done |= 1 << i
	}
}

// NoteElement records one element, beginning at bit at, of a read-modify-write operation on several elements.
func NoteElement(v *state.Values, i, at int, old, val uint64, wrote bool) {
	if at == 0 {
		Note(v, i, old, val, wrote)
	} else if at < 64 {
		v.Old[i] |= old << at
		v.New[i] |= val << at
	}
}

// BeginAsync assigns a number to the asynchronous operation that the running group starts.
func BeginAsync(x *state.Engine) { x.Op++ }

// EmitBarrierEvent emits a barrier event of the lanes in m of w.
func EmitBarrierEvent(x *state.Engine, w *state.Warp, in *rewrite.Inst, m state.Lanes, kind abi.EventKind, id,
	count uint32,
) {
	f, ev := beginEvent(x, kind, w, in, m), &x.Ev
	ev.Barrier, ev.Expected, ev.Mode, ev.Sem, ev.Scope = id, count, f.Mode, f.Sem, f.Scope
	if kind == abi.EventBarrierComplete {
		ev.Site = 0 // an exit may complete a barrier too
	}
	if x.All || x.Interest.Wants(ev) {
		x.Listener.Event(ev)
	}
}

// EmitTogether emits that lanes have synchronised and that this orders memory, for an instruction that is one of the
// whole warp: no program puts a barrier between its lanes and those that use what it writes.
func EmitTogether(x *state.Engine, in *state.Inst, m state.Lanes) {
	if x.Listener == nil {
		return
	}
	f, ev := beginEvent(x, abi.EventWarpSync, x.Warp, InstOf(x, in), m), &x.Ev
	ev.Barrier, ev.Expected, ev.Mode, ev.Sem, ev.Scope = 0, 0, f.Mode, abi.SemAcqRel, f.Scope
	if x.All || x.Interest.Wants(ev) {
		x.Listener.Event(ev)
	}
}

// emitBranchEvent emits that the lanes in m of w diverge or reconverge; taken are lanes that branch to the same target.
func emitBranchEvent(x *state.Engine, w *state.Warp, in *rewrite.Inst, m state.Lanes, kind abi.EventKind,
	taken state.Lanes,
) {
	beginEvent(x, kind, w, in, m)
	x.Ev.Wrote = uint32(taken)
	x.Listener.Event(&x.Ev)
}

// EmitFence emits a fence of the lanes in m.
func EmitFence(x *state.Engine, in *state.Inst, m state.Lanes) {
	if x.Listener == nil {
		return
	}
	f, ev := RunningEvent(x, abi.EventFence, in, m), &x.Ev
	ev.Kind, ev.Sem, ev.Scope, ev.Proxy = f.Fence, f.Sem, f.Scope, f.Proxy
	x.Listener.Event(ev)
}

// EmitDepend emits griddepcontrol.
func EmitDepend(x *state.Engine, in *state.Inst, m state.Lanes) {
	if x.Listener == nil {
		return
	}
	RunningEvent(x, abi.EventDepend, in, m)
	if x.Ev.Mode = abi.BarrierArrive; x.In.Has("wait") {
		x.Ev.Mode = abi.BarrierSync
	}
	x.Listener.Event(&x.Ev)
}

// EmitBarrier emits an arrival of the lanes in m at a barrier of the block.
func EmitBarrier(x *state.Engine, in *state.Inst, m state.Lanes, id, count uint32) {
	if x.Weak != nil {
		WeakArrive(x, m, state.PhaseOf{At: x.CTA.Linear, Number: id})
	}
	if x.Listener != nil && (x.All || !x.Interest.NoArrivals) {
		EmitBarrierEvent(x, x.Warp, InstOf(x, in), m, abi.EventBarrierArrive, id, count)
	}
}

// EmitBarrierPass emits that groups which have waited at a barrier continue.
func EmitBarrierPass(x *state.Engine, kind abi.EventKind, id, count uint32, groups []*state.Group) {
	if x.Weak != nil && len(groups) > 0 && kind != abi.EventClusterPass {
		WeakPass(x, groups, state.PhaseOf{At: groups[0].Warp.CTA.Linear, Number: id}, kind == abi.EventBarrierPass &&
			count == 0)
	}
	if x.Listener == nil || kind == abi.EventBarrierPass && x.Interest.NoPasses && !x.All {
		return
	}
	for _, g := range groups {
		EmitBarrierEvent(x, g.Warp, g.Inst(), g.Mask, kind, id, count)
	}
}

// NotePhase records the parity of the phase in progress of lane i's mbarrier, for EmitMbarrier.
func NotePhase(x *state.Engine, i int, parity uint32) { x.Phases = x.Phases&^(1<<i) | parity<<i }

// EmitMbarrier emits an operation of the lanes in m on mbarriers, after the event of its access. Counts are those of
// the lanes' arrivals or bytes, nil if the kind has none.
func EmitMbarrier(x *state.Engine, in *state.Inst, kind abi.EventKind, m state.Lanes, form abi.MbarrierForm,
	counts *state.Vec32,
) {
	if x.Weak != nil && m != 0 {
		weakObject(x, m)
	}
	if x.Listener != nil && m != 0 && x.Fault == nil {
		f, ev := RunningEvent(x, kind, in, m), &x.Ev
		ev.Addr, ev.Sem, ev.Scope, ev.Phases, ev.Form = x.Addrs, f.Sem, f.Scope, x.Phases, form
		if counts != nil {
			ev.Pending = *counts
		}
		x.Listener.Event(ev)
	}
}

// EmitAsyncGroups emits that the lanes in m commit their open group of that kind, or have waited.
func EmitAsyncGroups(x *state.Engine, in *state.Inst, m state.Lanes, what abi.EventKind, of state.FlightKind,
	pending *state.Vec32, read bool,
) {
	kind := abi.AsyncCopies
	if of == state.FlightBulk {
		kind = abi.AsyncBulk
	}
	EmitAsyncGroupsOf(x, in, m, what, kind, pending, read)
}

// EmitAsyncGroupsOf is EmitAsyncGroups for groups of any kind.
func EmitAsyncGroupsOf(x *state.Engine, in *state.Inst, m state.Lanes, what abi.EventKind, of abi.AsyncKind,
	pending *state.Vec32, read bool,
) {
	if x.Listener == nil {
		return
	}
	RunningEvent(x, what, in, m)
	if pending != nil {
		x.Ev.Pending = *pending
	}
	EmitAsync(x, of, 0, read)
}

// EmitAsync emits the event of an operation, or of groups, of a kind; read says that it is only the end of its reads.
func EmitAsync(x *state.Engine, of abi.AsyncKind, op uint64, read bool) {
	ev := &x.Ev
	if ev.Async, ev.Op, ev.Mode = of, op, abi.BarrierSync; read {
		ev.Mode = abi.BarrierRead
	}
	x.Listener.Event(ev)
}

// EmitTensorCommit emits that a thread makes an mbarrier track its tcgen05 operations.
func EmitTensorCommit(x *state.Engine, in *state.Inst, i int) {
	if x.Listener != nil {
		RunningEvent(x, abi.EventAsyncCommit, in, 1<<i)
		EmitAsync(x, abi.AsyncTensor, x.Op, false)
	}
}

// EmitAsyncDone emits that an asynchronous operation of a thread of w has written its data.
func EmitAsyncDone(x *state.Engine, w *state.Warp, f *state.Flight) {
	if x.Listener != nil && (f.Kind == state.FlightSignal || f.Kind == state.FlightCommit) {
		b, _ := mbar.Unpack(*f.Signal)
		of := abi.AsyncSignals
		if f.Kind == state.FlightCommit {
			of = abi.AsyncTensor
		}
		beginEvent(x, abi.EventAsyncDone, w, f.Inst, 1<<f.Lane)
		x.Ev.Signal, x.Ev.Phases, x.Ev.Bytes = f.SignalAddr, b.Phase<<f.Lane, uint32(min(f.Bytes, 1<<32-1))
		EmitAsync(x, of, f.Op, false)
	}
}

// EmitBranch emits that the running group diverges.
func EmitBranch(x *state.Engine, in *state.Inst, all, taken state.Lanes) {
	if x.Interest.Branches {
		emitBranchEvent(x, x.Warp, InstOf(x, in), all, abi.EventDiverge, taken)
	}
}

// EmitMeet emits that the lanes in m reconverge at pc of f.
func EmitMeet(x *state.Engine, f *state.Frame, pc int32, m state.Lanes) {
	if x.Interest.Branches {
		emitBranchEvent(x, f.Warp, f.Fn.InstAt(pc), m, abi.EventConverge, 0)
	}
}

// EmitMemory emits that a thread allocates or frees memory. Of tensor memory, size is that in each lane.
func EmitMemory(x *state.Engine, kind abi.EventKind, in *state.Inst, lane int, addr, size uint64) {
	if x.Listener == nil {
		return
	}
	RunningEvent(x, kind, in, 1<<lane)
	for i := range x.Ev.Addr {
		x.Ev.Addr[i] = addr
	}
	x.Ev.Bytes = uint32(min(size, 1<<32-1))
	x.Listener.Event(&x.Ev)
}

// EmitFree emits that the allocation at addr is about to be freed. It emits nothing if there is none.
func EmitFree(x *state.Engine, in *state.Inst, lane int, addr uint64) {
	if a := x.M.Dev.Mem.Find(addr); a != nil && a.Base == addr && !a.Freed() {
		EmitMemory(x, abi.EventFree, in, lane, addr, a.Size)
	}
}

// EmitLaunch emits that a thread launches a grid.
func EmitLaunch(x *state.Engine, in *state.Inst, lane int, l *state.Launch, stream uint64) {
	if x.Listener == nil {
		return
	}
	RunningEvent(x, abi.EventLaunch, in, 1<<lane)
	x.Ev.Op, x.Ev.Addr[0], x.Ev.Addr[1] = l.Number, stream, uint64(slices.Index(x.M.Src.Funcs, l.Kernel.Src))
	x.Listener.Event(&x.Ev)
}

// EmitJoin emits that a thread has waited for the grids that its block has launched.
func EmitJoin(x *state.Engine, in *state.Inst, lane int) {
	if x.Listener != nil && x.Fault == nil {
		RunningEvent(x, abi.EventJoin, in, 1<<lane)
		x.Listener.Event(&x.Ev)
	}
}

// SlotBits returns the width of the slot that holds a register of type t: 1, 32, 64 or 128.
func SlotBits(t isa.Type) int {
	switch b := t.Bits(); {
	case t == isa.Pred:
		return 1
	case b <= 32:
		return 32
	default:
		return b
	}
}

// Generic returns the generic address for an address in the instruction's space.
func Generic(ac *state.Access, addr uint64) uint64 {
	if base := gmem.SpaceBase(ac.Space); base != 0 {
		return base + addr&(1<<gmem.SlotBits-1)
	}
	return addr
}

// Emitting events: only this file calls the engine's listener.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// emitter is the part of the engine that notifies a listener. The event and the batch are reused, so that emitting one
// does not allocate.
type emitter struct {
	listener abi.Receiver // nil when there is no listener
	batches  abi.Receiver // receives the accesses that the assembly notes: not the recorder of a round
	interest Interest     // of the listener
	loops    bool         // the listener takes batches with loops
	all      bool         // the listener receives all accesses and barrier events, regardless of its interest

	step Step
	ev   abi.Event
	in   *rewrite.Inst // that of the event
	one  abi.Batch     // a batch of one access
	list [1]abi.Access

	described *rewrite.Func // function of the last event
	facts     []facts       // of its instructions

	addrs, aged [warpSize]uint64
	values      values
	op          uint64            // number of the last asynchronous operation
	pipe        abi.Pipe          // of that operation, if it is of tcgen05
	ages        *[warpSize]uint64 // abi.Access.Ages of the next event, nil or &aged
	repeated    bool              // abi.Access.Again of the next event
	phases      uint32            // abi.Event.Phases of the current operation on an mbarrier
}

func (t *emitter) setListener(l abi.Receiver, of Interest) {
	t.listener, t.batches, t.interest = l, l, of
	r, ok := l.(abi.LoopReceiver)
	t.loops = ok && r.TakesLoops()
}

// interestOf returns the interest of a listener, an empty one for nil.
func interestOf(l Listener) Interest {
	if l == nil {
		return Interest{}
	}
	return l.Interest()
}

// ignored reports whether the listener is not notified of an access.
func (t *emitter) ignored(ac *access) bool {
	if t.listener == nil || ac.space == isa.SpaceLocal || ac.space == isa.SpaceParam {
		return true
	}
	return !t.all && (ac.silent || ac.space == isa.SpaceShared && !t.interest.Shared)
}

// beginEvent sets the event to one of the lanes in m of w.
func (x *engine) beginEvent(kind abi.EventKind, w *warp, in *rewrite.Inst, m lanes) *facts {
	f, ev := x.fact(in), &x.ev
	x.in, ev.Kind, ev.Site = in, kind, f.site
	ev.Block, ev.Cluster, ev.Warp = w.cta.linear, w.cta.cluster.linear, uint32(w.index)
	ev.Mask, ev.Live = uint32(m), uint32(w.live)
	return f
}

// runningEvent is beginEvent for the lanes in m of the running group at in.
func (x *engine) runningEvent(kind abi.EventKind, in *inst, m lanes) *facts {
	return x.beginEvent(kind, x.warp, x.instOf(in), m)
}

// emitMachineEvent emits an event that belongs to no warp.
func (x *engine) emitMachineEvent(kind abi.EventKind, block uint64) {
	x.in, x.ev.Kind, x.ev.Site, x.ev.Block, x.ev.Mask = nil, kind, 0, block, 0
	x.listener.Event(&x.ev)
}

// emitKernelBegin emits the beginning of the launch, or of a part of it.
func (x *engine) emitKernelBegin() {
	l, ev := x.l, &x.ev
	ev.Op, ev.Proxy = l.number, abi.ProxyGeneric
	if usesAsyncProxy(x.m.src) {
		ev.Proxy = abi.ProxyAsync
	}
	for i, n := range [...]uint32{l.grid.X, l.grid.Y, l.grid.Z, l.block.X, l.block.Y, l.block.Z} {
		ev.Addr[i] = uint64(n)
	}
	x.emitMachineEvent(abi.EventKernelBegin, 0)
}

// emitBlockBegin emits the beginning of a block.
func (x *engine) emitBlockBegin(c *cta) {
	c.unwatched = x.l.number == 0 && x.interest.Block != nil && !x.interest.Block(c.linear)
	x.emitMachineEvent(abi.EventBlockBegin, c.linear)
}

// instOf returns the PTX instruction that in was decoded from; in belongs to the running group.
func (x *engine) instOf(in *inst) *rewrite.Inst { return x.frame.fn.sourceOf(in.src).in }

// emitLaneAccess emits a device memory access of one lane that has no address operand: by a texture or a surface. It
// must not be called when x.listener is nil.
func (x *engine) emitLaneAccess(in *inst, kind isa.AccessKind, addr, size uint64, i int) {
	ac := access{space: isa.SpaceGlobal, kind: kind, size: size}
	addrs := [warpSize]uint64{}
	addrs[i] = addr
	x.emitAccess(in, &ac, 1<<i, &addrs)
}

// emitStep emits that the group with the lanes active executes in; m are the lanes whose guard is true.
func (x *engine) emitStep(in *inst, active, m lanes) {
	x.step = Step{
		Inst: x.frame.fn.sourceOf(in.src).in, Block: x.cta.linear, Warp: uint32(x.warp.index),
		Live: uint32(x.warp.live), Active: uint32(active), Mask: uint32(m),
	}
	x.interest.Step(&x.step)
}

// emitAccess emits a memory access of the running group. It must not be called when x.listener is nil.
func (x *engine) emitAccess(in *inst, ac *access, m lanes, addrs *[32]uint64) {
	next, same := neighbours(addrs, uint32(m), ac.size)
	x.emitAccessRow(in, ac, m, addrs, next, same)
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

// emitAccessRow is emitAccess with Next and Same given. A generic access to several spaces is one event for each space.
func (x *engine) emitAccessRow(in *inst, ac *access, m lanes, addrs *[32]uint64, next, same uint32) {
	if ac.space != isa.SpaceNone {
		x.emitAccessIn(in, ac, ac.space, m, addrs, next, same)
		return
	}
	for done := x.values.Done; m != 0; {
		space, part := spaceOfFirst(x.m.dev.mem, addrs, m, m&^lanes(next|same))
		x.values.Done = done & uint32(part)
		x.emitAccessIn(in, ac, space, part, addrs, next&uint32(part), same&uint32(part))
		m &^= part
	}
}

// spaceOfFirst returns the space of the first address in m, and the lanes with addresses in that space. Lanes not in
// begins have an address that adjoins that of the preceding lane.
func spaceOfFirst(mm *gmem.Memory, addrs *[32]uint64, m, begins lanes) (isa.Space, lanes) {
	first := addrs[m.first()]
	space, part, here := mm.SpaceOf(first), m, true
	if m&begins&(m-1) == 0 {
		return space, part
	}
	for r := m & (m - 1); r != 0; r &= r - 1 {
		i := r.first()
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
func (x *engine) emitAccessIn(in *inst, ac *access, space isa.Space, m lanes, addrs *[32]uint64, next, same uint32) {
	x.in = x.frame.fn.sourceOf(in.src).in
	f, b, w := x.fact(x.in), &x.one, x.warp
	if !f.accessed {
		x.accesses(x.in, f)
	}
	class := x.m.classOf(f, ac, space)
	if !x.all && (f.silent || w.cta.unwatched && ac.async == abi.Synchronous && class.Weak()) {
		return
	}
	b.Block, b.Cluster, b.Warp, b.Live = w.cta.linear, w.cta.cluster.linear, uint32(w.index), uint32(w.live)
	b.Async, b.Op, b.List = ac.async, 0, x.list[:]
	// Each field separately: the compiler would build a literal elsewhere and copy it.
	a := &x.list[0]
	a.AccessClass, a.Addr, a.Base, a.Step = class, addrs, 0, 0
	a.Mask, a.Next, a.Same, a.Wrote = uint32(m), next, same, 0
	a.New, a.Old, a.Ages, a.Again = nil, nil, x.ages, x.repeated
	if class.Access.Writes() {
		a.Wrote = uint32(m)
	}
	if ac.async != abi.Synchronous {
		b.Op, b.Pipe = x.op, x.pipe
	} else if x.interest.Values {
		x.setValues(a, ac, m)
	}
	x.listener.Accesses(b)
	x.checkContextSoon()
}

// setValues sets the values of an access that writes.
func (x *engine) setValues(a *abi.Access, ac *access, m lanes) {
	v := ac.valuesOf(x, m)
	if v == nil {
		return
	}
	if a.New, a.Wrote = &v.New, v.Done; a.Access == abi.AccessRMW {
		a.Old = &v.Old
	}
}

// emit emits the access, unless no other thread can access the memory.
func (ac *access) emit(x *engine, in *inst, base slot, m lanes) {
	if x.ignored(ac) {
		return
	}
	a := x.frame.r64(base)
	for r := m; r != 0; r &= r - 1 {
		i := r.first()
		x.addrs[i] = ac.generic(a[i] + ac.off)
	}
	x.emitAccess(in, ac, m, &x.addrs)
}

// prepareEmit saves the addresses of a read-modify-write operation. emitPrepared emits it after the operation, which
// may overwrite the address registers.
func (ac *access) prepareEmit(x *engine, base slot, m lanes) {
	x.values.Done = 0
	a := x.frame.r64(base)
	for ; m != 0; m &= m - 1 {
		i := m.first()
		x.addrs[i] = ac.generic(a[i] + ac.off)
	}
}

// emitPrepared emits the access whose addresses prepareEmit has saved.
func (ac *access) emitPrepared(x *engine, in *inst, m lanes) {
	if !x.ignored(ac) {
		x.emitAccess(in, ac, m, &x.addrs)
	}
}

// values holds the values of an access by lane. Of stores of more than eight bytes, New has a fingerprint of the bytes.
type values struct {
	New  [32]uint64
	Old  [32]uint64 // values that read-modify-write operations found in memory
	Done uint32     // lanes that have stored a value; a lane whose compare-and-swap fails stores none
}

// valuesOf returns the values that an access of the lanes in m writes. A read-modify-write operation, and stmatrix, has
// recorded them already.
func (ac *access) valuesOf(x *engine, m lanes) *values {
	v := &x.values
	switch {
	case ac.kind >= isa.AccessStore && ac.noted:
		return v
	case ac.kind != isa.AccessStore || ac.stores == nil:
		return nil
	}
	v.Done = uint32(m)
	ac.storedValues(x, m, 0, &v.New)
	for at := 64; at < int(ac.size)*8; at += 64 {
		var rest vector.Row
		ac.storedValues(x, m, at, &rest)
		fingerprint(&v.New, &rest)
	}
	return v
}

// storedValues sets values to the eight bytes, from bit first on, that a store of the lanes in m writes.
func (ac *access) storedValues(x *engine, m lanes, first int, values *vector.Row) {
	for ; m != 0; m &= m - 1 {
		i := m.first()
		values[i] = 0
		for k, r := range ac.stores {
			words := x.frame.lane(r.slot, slotBits(r.typ), i)
			for j := range (ac.elem.Bits() + 63) / 64 {
				if at := k*ac.elem.Bits() + j*64 - first; at >= 0 && at < 64 {
					values[i] |= words[j] & lowBits(ac.elem.Bits()) << at
				}
			}
		}
	}
}

// lowBits returns a mask of the low n bits, at most 64.
func lowBits(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// note records the values of a read-modify-write operation of lane i.
func (v *values) note(i int, old, val uint64, wrote bool) {
	v.Old[i], v.New[i] = old, val
	if wrote {
		v.Done |= 1 << i
	}
}

// noteElement records one element, beginning at bit at, of a read-modify-write operation on several elements.
func (v *values) noteElement(i, at int, old, val uint64, wrote bool) {
	if at == 0 {
		v.note(i, old, val, wrote)
	} else if at < 64 {
		v.Old[i] |= old << at
		v.New[i] |= val << at
	}
}

// beginAsync assigns a number to the asynchronous operation that the running group starts.
func (x *engine) beginAsync() { x.op++ }

// emitBarrierEvent emits a barrier event of the lanes in m of w.
func (x *engine) emitBarrierEvent(w *warp, in *rewrite.Inst, m lanes, kind abi.EventKind, id, count uint32) {
	f, ev := x.beginEvent(kind, w, in, m), &x.ev
	ev.Barrier, ev.Expected, ev.Mode, ev.Sem, ev.Scope = id, count, f.mode, f.sem, f.scope
	switch {
	case kind == abi.EventWarpSync && f.proxy == abi.ProxyTensorMap:
		ev.Sem = abi.SemAcqRel
	case kind == abi.EventBarrierComplete:
		ev.Site = 0 // an exit may complete a barrier too
	}
	if x.all || x.interest.Wants(ev) {
		x.listener.Event(ev)
	}
}

// emitBranchEvent emits that the lanes in m of w diverge or reconverge; taken are lanes that branch to the same target.
func (x *engine) emitBranchEvent(w *warp, in *rewrite.Inst, m lanes, kind abi.EventKind, taken lanes) {
	x.beginEvent(kind, w, in, m)
	x.ev.Wrote = uint32(taken)
	x.listener.Event(&x.ev)
}

// emitFence emits a fence of the lanes in m.
func (x *engine) emitFence(in *inst, m lanes) {
	if x.listener == nil {
		return
	}
	f, ev := x.runningEvent(abi.EventFence, in, m), &x.ev
	ev.Kind, ev.Sem, ev.Scope, ev.Proxy = f.fence, f.sem, f.scope, f.proxy
	x.listener.Event(ev)
}

// emitDepend emits griddepcontrol.
func (x *engine) emitDepend(in *inst, m lanes) {
	if x.listener == nil {
		return
	}
	x.runningEvent(abi.EventDepend, in, m)
	if x.ev.Mode = abi.BarrierArrive; x.in.Has("wait") {
		x.ev.Mode = abi.BarrierSync
	}
	x.listener.Event(&x.ev)
}

// emitBarrier emits an arrival of the lanes in m at a barrier of the block.
func (x *engine) emitBarrier(in *inst, m lanes, id, count uint32) {
	if x.weak != nil {
		x.weakArrive(m, phaseOf{x.cta.linear, id})
	}
	if x.listener != nil && (x.all || !x.interest.NoArrivals) {
		x.emitBarrierEvent(x.warp, x.instOf(in), m, abi.EventBarrierArrive, id, count)
	}
}

// emitBarrierPass emits that groups which have waited at a barrier continue.
func (x *engine) emitBarrierPass(kind abi.EventKind, id, count uint32, groups []*group) {
	if x.weak != nil && len(groups) > 0 && kind != abi.EventClusterPass {
		x.weakPass(groups, phaseOf{groups[0].warp.cta.linear, id}, kind == abi.EventBarrierPass && count == 0)
	}
	if x.listener == nil || kind == abi.EventBarrierPass && x.interest.NoPasses && !x.all {
		return
	}
	for _, g := range groups {
		x.emitBarrierEvent(g.warp, g.inst(), g.mask, kind, id, count)
	}
}

// notePhase records the parity of the phase in progress of lane i's mbarrier, for emitMbarrier.
func (x *engine) notePhase(i int, parity uint32) { x.phases = x.phases&^(1<<i) | parity<<i }

// emitMbarrier emits an operation of the lanes in m on mbarriers, after the event of its access.
func (x *engine) emitMbarrier(in *inst, kind abi.EventKind, m lanes) {
	if x.weak != nil && m != 0 {
		x.weakObject(m)
	}
	if x.listener != nil && m != 0 && x.fault == nil {
		f, ev := x.runningEvent(kind, in, m), &x.ev
		ev.Addr, ev.Sem, ev.Scope, ev.Phases = x.addrs, f.sem, f.scope, x.phases
		x.listener.Event(ev)
	}
}

// emitAsyncGroups emits that the lanes in m commit their open group of that kind, or have waited.
func (x *engine) emitAsyncGroups(in *inst, m lanes, what abi.EventKind, of flightKind, pending *vec32, read bool) {
	kind := abi.AsyncCopies
	if of == flightBulk {
		kind = abi.AsyncBulk
	}
	x.emitAsyncGroupsOf(in, m, what, kind, pending, read)
}

// emitAsyncGroupsOf is emitAsyncGroups for groups of any kind.
func (x *engine) emitAsyncGroupsOf(in *inst, m lanes, what abi.EventKind, of abi.AsyncKind, pending *vec32, read bool) {
	if x.listener == nil {
		return
	}
	x.runningEvent(what, in, m)
	if pending != nil {
		x.ev.Pending = *pending
	}
	x.emitAsync(of, 0, read)
}

// emitAsync emits the event of an operation, or of groups, of a kind; read says that it is only the end of its reads.
func (x *engine) emitAsync(of abi.AsyncKind, op uint64, read bool) {
	ev := &x.ev
	if ev.Async, ev.Op, ev.Mode = of, op, abi.BarrierSync; read {
		ev.Mode = abi.BarrierRead
	}
	x.listener.Event(ev)
}

// emitTensorCommit emits that a thread makes an mbarrier track its tcgen05 operations.
func (x *engine) emitTensorCommit(in *inst, i int) {
	if x.listener != nil {
		x.runningEvent(abi.EventAsyncCommit, in, 1<<i)
		x.emitAsync(abi.AsyncTensor, x.op, false)
	}
}

// emitAsyncDone emits that an asynchronous operation of a thread of w has written its data.
func (x *engine) emitAsyncDone(w *warp, f *flight) {
	if x.listener != nil && (f.kind == flightSignal || f.kind == flightCommit) {
		b, _ := mbar.Unpack(*f.signal)
		of := abi.AsyncSignals
		if f.kind == flightCommit {
			of = abi.AsyncTensor
		}
		x.beginEvent(abi.EventAsyncDone, w, f.inst, 1<<f.lane)
		x.ev.Signal, x.ev.Phases = f.signalAddr, b.Phase<<f.lane
		x.emitAsync(of, f.op, false)
	}
}

// emitBranch emits that the running group diverges.
func (x *engine) emitBranch(in *inst, all, taken lanes) {
	if x.interest.Branches {
		x.emitBranchEvent(x.warp, x.instOf(in), all, abi.EventDiverge, taken)
	}
}

// emitMeet emits that the lanes in m reconverge at pc of f.
func (x *engine) emitMeet(f *frame, pc int32, m lanes) {
	if x.interest.Branches {
		x.emitBranchEvent(f.warp, f.fn.instAt(pc), m, abi.EventConverge, 0)
	}
}

// emitMemory emits that a thread allocates or frees memory. Of tensor memory, size is that in each lane.
func (x *engine) emitMemory(kind abi.EventKind, in *inst, lane int, addr, size uint64) {
	if x.listener == nil {
		return
	}
	x.runningEvent(kind, in, 1<<lane)
	for i := range x.ev.Addr {
		x.ev.Addr[i] = addr
	}
	x.ev.Bytes = uint32(min(size, 1<<32-1))
	x.listener.Event(&x.ev)
}

// emitFree emits that the allocation at addr is about to be freed. It emits nothing if there is none.
func (x *engine) emitFree(in *inst, lane int, addr uint64) {
	if a := x.m.dev.mem.Find(addr); a != nil && a.Base == addr && !a.Freed() {
		x.emitMemory(abi.EventFree, in, lane, addr, a.Size)
	}
}

// emitLaunch emits that a thread launches a grid.
func (x *engine) emitLaunch(in *inst, lane int, l *launch, stream uint64) {
	if x.listener == nil {
		return
	}
	x.runningEvent(abi.EventLaunch, in, 1<<lane)
	x.ev.Op, x.ev.Addr[0], x.ev.Addr[1] = l.number, stream, uint64(slices.Index(x.m.src.Funcs, l.kernel.src))
	x.listener.Event(&x.ev)
}

// emitJoin emits that a thread has waited for the grids that its block has launched.
func (x *engine) emitJoin(in *inst, lane int) {
	if x.listener != nil && x.fault == nil {
		x.runningEvent(abi.EventJoin, in, 1<<lane)
		x.listener.Event(&x.ev)
	}
}

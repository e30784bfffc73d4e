// Emitting events: only this file calls the engine's listener.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// emitter is the part of the engine that notifies a listener. The event structs are reused, so that emitting one does not
// allocate.
type emitter struct {
	listener Listener           // nil when there is no listener
	batches  BatchListener      // listener, if it receives batches
	steps    StepListener       // listener, if it observes instructions
	depends  DependenceListener // listener, if it observes griddepcontrol
	interest Interest           // of the listener
	all      bool               // the listener receives all accesses and barrier events, regardless of its interest

	// The latest event of each kind:
	step    StepEvent
	access  AccessEvent
	fence   SyncEvent
	barrier BarrierEvent
	branch  BranchEvent

	addrs, aged [warpSize]uint64
	values      Values
	op          uint64            // number of the last asynchronous operation
	pipe        abi.Pipe          // of that operation, if it is of tcgen05
	ages        *[warpSize]uint64 // AccessEvent.Ages of the next event, nil or &aged
	repeated    bool              // AccessEvent.Again of the next event
	phases      uint32            // MbarrierEvent.Phases of the current operation
}

func (t *emitter) setListener(l Listener, of Interest) {
	t.listener, t.interest = l, of
	t.steps, _ = l.(StepListener)
	t.batches, _ = l.(BatchListener)
	t.depends, _ = l.(DependenceListener)
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

// runningSync returns the SyncEvent of the lanes in m of the running group at in.
func (x *engine) runningSync(in *inst, m lanes) SyncEvent {
	return x.syncEvent(x.warp, x.instOf(in), m)
}

func (x *engine) syncEvent(w *warp, in *rewrite.Inst, m lanes) (ev SyncEvent) {
	x.fillSync(&ev, w, in, m)
	return ev
}

// fillSync sets ev to an operation of the lanes in m of w. It sets each field separately, because the compiler would build a
// literal elsewhere and copy it.
func (x *engine) fillSync(ev *SyncEvent, w *warp, in *rewrite.Inst, m lanes) {
	ev.Inst, ev.Block, ev.Cluster = in, w.cta.index, w.cta.cluster.linear
	ev.Warp, ev.Mask, ev.Live = uint32(w.index), uint32(m), uint32(w.live)
}

// instOf returns the PTX instruction that in was decoded from; in belongs to the running group.
func (x *engine) instOf(in *inst) *rewrite.Inst { return x.frame.fn.sourceOf(in.src).in }

// emitLaneAccess emits a device memory access of one lane that has no address operand: by a texture or a surface. It must not be
// called when x.listener is nil.
func (x *engine) emitLaneAccess(in *inst, kind isa.AccessKind, addr, size uint64, i int) {
	ac := access{space: isa.SpaceGlobal, kind: kind, size: size}
	addrs := [warpSize]uint64{}
	addrs[i] = addr
	x.emitAccess(in, &ac, 1<<i, &addrs)
}

// emitStep emits that the group with the lanes active executes in; m are the lanes whose guard is true.
func (x *engine) emitStep(in *inst, active, m lanes) {
	x.step = StepEvent{
		Inst: x.frame.fn.sourceOf(in.src).in, Block: x.cta.index, Warp: uint32(x.warp.index),
		Live: uint32(x.warp.live), Active: uint32(active), Mask: uint32(m),
	}
	x.steps.Step(&x.step)
}

// emitAccess emits a memory access of the running group. It must not be called when x.listener is nil.
func (x *engine) emitAccess(in *inst, ac *access, m lanes, addrs *[32]uint64) {
	next, same := neighbours(addrs, uint32(m), ac.size)
	x.emitAccessRow(in, ac, m, addrs, next, same)
}

// neighbours returns AccessEvent.Next and Same.
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
		space, part := spaceOfFirst(x.m.mem, addrs, m, m&^lanes(next|same))
		x.values.Done = done & uint32(part)
		x.emitAccessIn(in, ac, space, part, addrs, next&uint32(part), same&uint32(part))
		m &^= part
	}
}

// spaceOfFirst returns the space of the first address in m, and the lanes with addresses in that space. Lanes not in begins have
// an address that adjoins that of the preceding lane.
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
	// Each field separately: the compiler would build a literal elsewhere and copy it.
	ev, w := &x.access, x.warp
	ev.Inst, ev.Block, ev.Cluster = x.frame.fn.sourceOf(in.src).in, w.cta.index, w.cta.cluster.linear
	ev.Warp, ev.Mask, ev.Live = uint32(w.index), uint32(m), uint32(w.live)
	ev.Addrs, ev.Next, ev.Same = addrs, next, same
	ev.Kind, ev.Size, ev.Scalar, ev.Space = ac.kind, int(ac.size), int(ac.scalar), space
	ev.Async, ev.Op, ev.Map, ev.Values, ev.Ages, ev.Again = ac.async, 0, false, nil, x.ages, x.repeated
	if ac.async != abi.Synchronous {
		ev.Op, ev.Pipe, ev.Map = x.op, x.pipe, ac.tensorMap
	} else if x.interest.Values {
		ev.Values = ac.valuesOf(x, m)
	}
	x.listener.Access(ev)
	x.checkContextSoon()
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

// prepareEmit saves the addresses of a read-modify-write operation. emitPrepared emits it after the operation, which may
// overwrite the address registers.
func (ac *access) prepareEmit(x *engine, base slot, m lanes) {
	x.values.Done, x.values.Wide = 0, ac.size > 8
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

// valuesOf returns the values that an access of the lanes in m writes. A read-modify-write operation, and stmatrix, has recorded them already.
func (ac *access) valuesOf(x *engine, m lanes) *Values {
	v := &x.values
	switch {
	case ac.kind >= isa.AccessStore && ac.noted:
		return v
	case ac.kind != isa.AccessStore || ac.stores == nil:
		return nil
	}
	v.Done, v.Wide = uint32(m), ac.size > 8
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
func (v *Values) note(i int, old, val uint64, wrote bool) {
	v.Old[i], v.New[i] = old, val
	if wrote {
		v.Done |= 1 << i
	}
}

// noteElement records one element, beginning at bit at, of a read-modify-write operation on several elements.
func (v *Values) noteElement(i, at int, old, val uint64, wrote bool) {
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
func (x *engine) emitBarrierEvent(w *warp, in *rewrite.Inst, m lanes, kind BarrierKind, id, count uint32, waits bool) {
	ev := &x.barrier
	x.fillSync(&ev.SyncEvent, w, in, m)
	ev.Kind, ev.ID, ev.Count, ev.Waits = kind, id, count, waits
	x.listener.Barrier(ev)
}

// emitBranchEvent emits that the lanes in m of w diverge or reconverge.
func (x *engine) emitBranchEvent(w *warp, in *rewrite.Inst, m lanes, meet bool, taken lanes) {
	ev := &x.branch
	x.fillSync(&ev.SyncEvent, w, in, m)
	ev.Meet, ev.Taken = meet, uint32(taken)
	x.listener.Branch(ev)
}

// emitBarrier emits an arrival of the lanes in m at a barrier of the block.
func (x *engine) emitBarrier(in *inst, m lanes, kind BarrierKind, id, count uint32, waits bool) {
	if x.weak != nil {
		x.weakArrive(m, phaseOf{x.cta.linear, id})
	}
	if x.listener != nil && (x.all || !x.interest.NoArrivals) {
		x.emitBarrierEvent(x.warp, x.instOf(in), m, kind, id, count, waits)
	}
}

// emitBarrierPass emits that groups which have waited at a barrier continue.
func (x *engine) emitBarrierPass(kind BarrierKind, id, count uint32, groups []*group) {
	if x.weak != nil && len(groups) > 0 && kind != ClusterPass {
		x.weakPass(groups, phaseOf{groups[0].warp.cta.linear, id}, kind == BarrierPass && count == 0)
	}
	if x.listener == nil || kind == BarrierPass && x.interest.NoPasses && !x.all {
		return
	}
	for _, g := range groups {
		x.emitBarrierEvent(g.warp, g.inst(), g.mask, kind, id, count, false)
	}
}

// notePhase records the parity of the phase in progress of lane i's mbarrier, for emitMbarrier.
func (x *engine) notePhase(i int, parity uint32) { x.phases = x.phases&^(1<<i) | parity<<i }

// emitMbarrier emits an operation of the lanes in m on mbarriers, after the event of its access.
func (x *engine) emitMbarrier(in *inst, kind MbarrierKind, m lanes) {
	if x.weak != nil && m != 0 {
		x.weakObject(m)
	}
	if x.listener != nil && m != 0 && x.fault == nil {
		x.listener.Mbarrier(&MbarrierEvent{SyncEvent: x.runningSync(in, m), Kind: kind, Addrs: &x.addrs, Phases: x.phases})
	}
}

// emitAsyncGroups emits that the lanes in m commit their open group of that kind, or have waited.
func (x *engine) emitAsyncGroups(in *inst, m lanes, what AsyncEventKind, of flightKind, pending *vec32, read bool) {
	kind := abi.AsyncCopies
	if of == flightBulk {
		kind = abi.AsyncBulk
	}
	x.emitAsyncGroupsOf(in, m, what, kind, pending, read)
}

// emitAsyncGroupsOf is emitAsyncGroups for groups of any kind.
func (x *engine) emitAsyncGroupsOf(in *inst, m lanes, what AsyncEventKind, of abi.AsyncKind, pending *vec32, read bool) {
	if x.listener == nil {
		return
	}
	ev := AsyncEvent{SyncEvent: x.runningSync(in, m), Kind: what, Of: of, Read: read}
	if pending != nil {
		n := *pending
		ev.Pending = &n
	}
	x.listener.Async(&ev)
}

// emitTensorCommit emits that a thread makes an mbarrier track its tcgen05 operations.
func (x *engine) emitTensorCommit(in *inst, i int) {
	if x.listener != nil {
		x.listener.Async(&AsyncEvent{SyncEvent: x.runningSync(in, 1<<i), Kind: AsyncCommit, Of: abi.AsyncTensor, Op: x.op})
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
		x.listener.Async(&AsyncEvent{
			SyncEvent: x.syncEvent(w, f.inst, 1<<f.lane), Kind: AsyncDone, Of: of, Op: f.op,
			Signal: f.signalAddr, Phase: b.Phase,
		})
	}
}

// emitBranch emits that the running group diverges.
func (x *engine) emitBranch(in *inst, all, taken lanes) {
	if x.interest.Branches {
		x.emitBranchEvent(x.warp, x.instOf(in), all, false, taken)
	}
}

// emitMeet emits that the lanes in m reconverge at pc of f.
func (x *engine) emitMeet(f *frame, pc int32, m lanes) {
	if x.interest.Branches {
		x.emitBranchEvent(f.warp, f.fn.instAt(pc), m, true, 0)
	}
}

// emitTensorAlloc emits an allocation of tensor memory in the running block.
func (x *engine) emitTensorAlloc(in *inst, lane, column, columns int) {
	if x.listener != nil {
		x.listener.Heap(&HeapEvent{SyncEvent: x.runningSync(in, 1<<lane), Addr: tensorAddr(x.cta, 0, column), Size: uint64(columns) * 4, Tensor: true})
	}
}

// emitAlloc emits an allocation.
func (x *engine) emitAlloc(in *inst, lane int, a *gmem.Allocation) {
	if x.listener != nil {
		x.listener.Heap(&HeapEvent{SyncEvent: x.runningSync(in, 1<<lane), Addr: a.Base, Size: a.Size})
	}
}

// emitFree emits that the allocation at addr is about to be freed. It emits nothing if there is none.
func (x *engine) emitFree(in *inst, lane int, addr uint64) {
	if x.listener == nil {
		return
	}
	if a := x.m.mem.Find(addr); a != nil && a.Base == addr && !a.Freed() {
		x.listener.Heap(&HeapEvent{SyncEvent: x.runningSync(in, 1<<lane), Addr: addr, Size: a.Size, Freed: true})
	}
}

// Asynchronous operations in flight: their state and completion, groups, st.async and red.async.

package emu

import (
	"bytes"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/tensor"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// An asynchronous operation usually completes immediately, which is one of the orders that the manual allows: a missing
// wait then does not change the result. Under Config.LateAsync it is in flight until a thread waits for it, at the
// latest until no group can run. A thread that does not wait then reads the old contents, and if the source is
// overwritten too early, the new contents of the source are copied.

// transfer is the memory operation of an asynchronous operation.
type transfer struct {
	to, from []byte // of equal length; a shorter source is extended with zeros
	// combine computes an element of type elem from the old one and the source's; nil for a copy.
	combine func(old, v [2]uint64) [2]uint64
	elem    isa.Type
	sixes   bool   // the source has six-bit elements in bytes
	swap    int    // swap of units, as in tensor.Piece
	source  uint64 // address of from in device memory, if the operation reports what it finds there
}

func (t *transfer) run(x *engine) {
	x.wrote()
	if t.sixes {
		tensor.PackSixes(t.to, t.from)
		return
	}
	if t.swap != 0 {
		for u := range len(t.to) / tensor.Unit {
			copy(t.to[(u^t.swap)*tensor.Unit:][:tensor.Unit], t.from[u*tensor.Unit:])
		}
		return
	}
	if t.combine == nil {
		clear(t.to[copy(t.to, t.from):])
		return
	}
	for k := 0; k < len(t.to); k += t.elem.Size() {
		p := unsafe.Pointer(&t.to[k])
		poke(p, t.elem, t.combine(peek(p, t.elem), peek(unsafe.Pointer(&t.from[k]), t.elem)))
	}
}

// flightKind is the kind of group, or the mbarrier, that an operation belongs to.
type flightKind uint8

const (
	flightCopy        flightKind = iota // a cp.async group
	flightBulk                          // a bulk group
	flightSignal                        // no group: completes on an mbarrier
	flightArrive                        // an arrival at an mbarrier when the thread's earlier flightCopy operations are complete
	flightTensor                        // of tcgen05: ordered with others, also of other threads
	flightTensorStore                   // a tcgen05.st
	flightCommit                        // an arrival at an mbarrier when the earlier flightTensor operations are complete
	flightFabric                        // on a logical endpoint, and not submitted
	flightKinds       = 2               // number of kinds with groups
)

// flight is an asynchronous operation in flight.
type flight struct {
	transfer
	parts []transfer // further transfers of a tensor operation
	// work executes a tcgen05 operation, in place of transfers.
	work   func() *diag.Violation
	kind   flightKind
	signal *uint64      // mbarrier
	looks  mbar.Pattern // for what the operation looks in its sources, to report it to the mbarrier
	bytes  uint64       // transaction bytes completed on the mbarrier
	fabric fabricWay    // of an operation on a logical endpoint
	lane   int
	group  uint64        // number of the group of its thread and kind
	copied uint64        // bytes of the sources, if they have been copied
	at     *rewrite.Inst // position for faults
	// For listeners: the instruction, the number of the operation and the generic address of the mbarrier.
	inst       *rewrite.Inst
	op         uint64
	signalAddr uint64
}

// startFlight starts an asynchronous operation of one lane: it executes it immediately, or under Config.LateAsync
// later. It returns false after a fault.
func (x *engine) startFlight(in *inst, f flight, lane int) bool {
	w := x.warp
	f.lane, f.op, f.inst = lane, x.op, x.frame.fn.sourceOf(in.src).in
	if !x.m.cfg.LateAsync && f.fabric == notFabric {
		bad := x.complete(w, &f)
		if bad != nil {
			x.raise(in, lane, bad.Class, 0, "%s", bad.Msg)
		}
		return bad == nil
	}
	late := f
	late.at = x.blame(x.frame, in.src)
	if f.kind < flightKinds {
		late.group = w.open[f.kind][lane]
	}
	w.flights = append(w.flights, &late)
	return x.claim(late.state(), "asynchronous operations")
}

// state returns the bytes that the operation occupies while it is in flight.
func (f *flight) state() uint64 {
	return f.copied + uint64(unsafe.Sizeof(flight{})) + uint64(len(f.parts))*uint64(unsafe.Sizeof(transfer{}))
}

// complete completes an operation in flight of a thread of w.
func (x *engine) complete(w *warp, f *flight) *diag.Violation {
	if f.kind == flightCommit {
		x.completeTensor(w.cta, f.op)
	}
	if f.work != nil {
		if bad := f.work(); bad != nil {
			return bad
		}
	}
	if f.to != nil {
		f.run(x)
	}
	for i := range f.parts {
		f.parts[i].run(x)
	}
	if f.signal == nil {
		return nil
	}
	lane, bytes, arrives := f.lane, f.bytes, f.kind == flightArrive || f.kind == flightCommit
	if f.kind == flightArrive {
		x.completeSome(w, func(g *flight) bool { return g.kind == flightCopy && g.lane == lane })
	}
	x.emitAsyncDone(w, f)
	return x.update(w.cta.cluster, f.signal, func(b *mbar.Object) *diag.Violation {
		if arrives {
			return b.Arrive(mbar.Arrival{Count: 1})
		}
		if bad := f.report(b); bad != nil {
			return bad
		}
		return b.Done(uint32(min(bytes, mbar.MaxCount+1)))
	})
}

// report reports to the mbarrier b what the operation has found in its sources.
func (f *flight) report(b *mbar.Object) *diag.Violation {
	found := func(t *transfer) bool { return t.source != 0 && f.looks.In(t.source, t.from) }
	switch {
	case !f.looks.Looks():
		return nil
	case !b.V1:
		return diag.Violationf("mbarrier",
			"a copy that reports what it finds completes on an mbarrier of layout::v0, expected layout::v1")
	case found(&f.transfer), slices.ContainsFunc(f.parts, func(t transfer) bool { return found(&t) }):
		return b.ReportOn(0)
	}
	return nil
}

// read copies the sources now, so that f does not depend on later writes to them.
func (f *flight) read() {
	f.from = bytes.Clone(f.from)
	f.copied = uint64(len(f.from))
	for i := range f.parts {
		f.parts[i].from = bytes.Clone(f.parts[i].from)
		f.copied += uint64(len(f.parts[i].from))
	}
}

// completeSome completes the operations in flight of a warp for which wanted returns true, in the order in which they
// began. It reports whether there were any.
func (x *engine) completeSome(w *warp, wanted func(f *flight) bool) bool {
	if !slices.ContainsFunc(w.flights, wanted) {
		return false
	}
	var due []*flight
	w.flights = slices.DeleteFunc(w.flights, func(f *flight) bool {
		if !wanted(f) {
			return false
		}
		due = append(due, f)
		return true
	})
	for _, f := range due {
		x.unclaim(f.state())
		if bad := x.complete(w, f); bad != nil {
			x.fail(w, f.lane, f.at, bad.Class, 0, bad.Msg)
		}
	}
	return true
}

// completeSignals completes the operations in flight in the cluster that complete on the mbarrier at p, for which a
// thread waits.
func (x *engine) completeSignals(p *uint64) {
	if !x.m.cfg.LateAsync && !x.m.fabric {
		return
	}
	for _, c := range x.cta.cluster.blocks {
		if c != nil {
			x.completeBlock(c, func(f *flight) bool { return f.signal == p && f.kind != flightFabric })
		}
	}
}

// completeBlock completes the operations in flight of a block's threads for which wanted returns true. It reports
// whether there were any.
func (x *engine) completeBlock(c *cta, wanted func(f *flight) bool) bool {
	found := false
	for _, w := range c.warps {
		if len(w.flights) > 0 && x.completeSome(w, wanted) {
			found = true
		}
	}
	return found
}

// completeAll completes all operations in flight that may complete. It reports whether there were any.
func (x *engine) completeAll() bool {
	found := false
	for _, c := range x.l.resident {
		if x.completeBlock(c, func(f *flight) bool { return f.kind != flightFabric }) {
			found = true
		}
	}
	return found
}

// completeCluster completes the operations in flight of a cluster before one of its blocks ends: they may access the
// shared memory of that block.
func (x *engine) completeCluster(cl *cluster) {
	for _, c := range cl.blocks {
		if c != nil {
			x.refuseUnsubmitted(c)
			x.completeBlock(c, func(*flight) bool { return true })
		}
	}
}

// decodeGroups decodes commit_group, wait_group and wait_all of copies and of bulk copies.
func decodeGroups(d *decoder, in *rewrite.Inst, step isa.CopyGroups, bulk bool) (inst, error) {
	kind := flightCopy
	if bulk {
		kind = flightBulk
	}
	out := inst{flags: flagVisible | flagFaults}
	if step == isa.CopyGroupsCommit {
		out.body = func(x *engine, in *inst, m lanes) {
			x.commit(kind, m)
			x.emitAsyncGroups(in, m, abi.EventAsyncCommit, kind, nil, false)
		}
		return out, nil
	}
	all, read := step == isa.CopyGroupsWaitAll, in.Has("read")
	if !all {
		n, err := d.value(in, &in.Operands[0], isa.U32)
		if err != nil {
			return inst{}, err
		}
		out.a = n.slot
	} else {
		out.a = d.constant(32, 0)
	}
	out.body = func(x *engine, in *inst, m lanes) {
		if all {
			x.commit(kind, m)
			x.emitAsyncGroups(in, m, abi.EventAsyncCommit, kind, nil, false)
		}
		x.waitGroups(kind, m, x.frame.r32(in.a), read)
		x.emitAsyncGroups(in, m, abi.EventAsyncWait, kind, x.frame.r32(in.a), read)
	}
	return out, nil
}

// commit commits the open groups of the lanes in m.
func (x *engine) commit(kind flightKind, m lanes) {
	for ; m != 0; m &= m - 1 {
		x.warp.open[kind][m.first()]++
	}
}

// waitGroups completes the committed groups of the lanes in m except the last pending ones; with read, it only reads
// their sources.
func (x *engine) waitGroups(kind flightKind, m lanes, pending *vec32, read bool) {
	w := x.warp
	due := func(f *flight) bool {
		return f.kind == kind && m.has(f.lane) && f.group+uint64(pending[f.lane]) < w.open[kind][f.lane]
	}
	if !read {
		x.completeSome(w, due)
		return
	}
	for _, f := range w.flights {
		if due(f) && f.copied == 0 {
			f.read()
			x.claim(f.copied, "sources of asynchronous operations")
		}
	}
}

// st.async and red.async of sm_90: one store or reduction into the shared memory of a block of the cluster, which then
// signals an mbarrier of the same block (PTX ISA, "st.async", "red.async"). The forms of sm_100 on global memory, which
// complete by the end of the block, are executed immediately like st.release and red.release.

// asyncReduce decodes red.async.
func (d *decoder) asyncReduce(in *rewrite.Inst) (inst, error) {
	fn := reduction(in.Access.AtomOp, in.Decoded.Operands[1].Type)
	if fn == nil {
		return inst{}, d.unsupported(in, "%s", in.Text())
	}
	return d.asyncStore(in, fn)
}

// asyncStore decodes st.async and red.async [a], b, [mbar]; fn is transfer.combine.
func (d *decoder) asyncStore(in *rewrite.Inst, fn func(old, v [2]uint64) [2]uint64) (inst, error) {
	regs, err := d.memRegs(in, 1, false)
	if err != nil {
		return inst{}, err
	}
	t := in.Decoded.Operands[1].Type
	n := uint64(len(regs) * t.Size())
	ac, out, err := d.decodeAccess(in, 0, in.Access.Kind, n)
	if err != nil {
		return inst{}, err
	}
	ac.cluster, ac.async = true, abi.AsyncSignals
	done, err := d.signalAt(in, 2)
	if err != nil {
		return inst{}, err
	}
	out.body = func(x *engine, in *inst, m lanes) {
		if x.listener != nil {
			x.beginAsync()
			ac.emit(x, in, in.a, m)
		}
		w := ac.window(x)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			addr := x.frame.r64(in.a)[i] + ac.off
			if !x.checkShared(in, addr, ac.space == isa.SpaceNone, i) {
				return
			}
			mbar, ok := done.addr(x, in, i)
			if !ok {
				return
			}
			if rankOf(mbar) != rankOf(addr) {
				x.raise(in, i, "out-of-bounds", gmem.SharedWindow+mbar,
					"the mbarrier is in block %d of the cluster, the destination in block %d", rankOf(mbar),
					rankOf(addr))
				return
			}
			p := ac.locate(x, in, &w, addr, i)
			if p == nil {
				return
			}
			f := flight{
				kind: flightSignal, bytes: n, signal: done.object(x, in, mbar, i),
				signalAddr: gmem.SharedWindow + mbar,
			}
			if f.signal == nil {
				return
			}
			f.transfer = transfer{to: unsafe.Slice((*byte)(p), n), from: x.stored(regs, t, i), combine: fn, elem: t}
			if !x.startFlight(in, f, i) {
				return
			}
		}
	}
	return out, nil
}

// stored returns the bytes of lane i's registers as values of type t.
func (x *engine) stored(regs []operand, t isa.Type, i int) []byte {
	b := make([]byte, len(regs)*t.Size())
	for k, r := range regs {
		poke(unsafe.Pointer(&b[k*t.Size()]), t, x.frame.lane(r.slot, slotBits(r.typ), i))
	}
	return b
}

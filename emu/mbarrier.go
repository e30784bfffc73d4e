// Instructions on mbarriers: initialisation, arrivals, transactions, waiting.

package emu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semBarrierObject is the semantics of mbarrier. Lanes execute their operations one after the other, in ascending order. Waiting
// is at the end of the file.
var semBarrierObject = map[string]decodeFunc{"mbarrier": decodeMbarrier}

// decodeMbarrier decodes all operations on mbarriers.
func decodeMbarrier(d *decoder, in *rewrite.Inst) (inst, error) {
	switch in.Mbarrier() {
	case isa.MbarrierInit:
		return d.mbarrierInit(in)
	case isa.MbarrierInval:
		return d.mbarrierInval(in)
	case isa.MbarrierArrive, isa.MbarrierDrop:
		return d.mbarrierArrive(in)
	case isa.MbarrierTest, isa.MbarrierTry:
		return d.mbarrierWait(in)
	case isa.MbarrierExpect:
		return d.mbarrierTx(in, MbarrierExpect, (*mbar.Object).Expect)
	case isa.MbarrierDone:
		return d.mbarrierTx(in, MbarrierComplete, (*mbar.Object).Done)
	case isa.MbarrierPending:
		return d.mbarrierPending(in)
	}
	return inst{}, d.unsupported(in, "%s", in.Text())
}

// mbarrierAccess resolves operand i as the address of an mbarrier. Unless remote, it must be in the block's own shared memory.
func (d *decoder) mbarrierAccess(in *rewrite.Inst, i int, kind isa.AccessKind, remote bool) (*access, inst, error) {
	ac, out, err := d.decodeAccess(in, i, kind, mbar.Size)
	if err != nil {
		return nil, inst{}, err
	}
	if ac.space != isa.SpaceNone && ac.space != isa.SpaceShared {
		return nil, inst{}, d.errorf(in, "%s: an mbarrier lies in .shared memory, not in .%s", in.Text(), ac.space)
	}
	ac.cluster, ac.object = ac.cluster && remote, true
	return ac, out, nil
}

// count returns the number in operand i, or 1 if there is no such operand.
func (d *decoder) count(in *rewrite.Inst, i int) (slot, error) {
	if i >= len(in.Operands) {
		return d.constant(32, 1), nil
	}
	o, err := d.value(in, &in.Operands[i], isa.U32)
	if err != nil {
		return 0, err
	}
	return o.slot, d.fitsType(in, &in.Operands[i], isa.U32, o)
}

// forEachMbarrier calls f with the memory of every lane's mbarrier, until one faults.
func (ac *access) forEachMbarrier(x *engine, in *inst, base slot, m lanes, f func(i int, p *uint64) *diag.Violation) {
	if x.listener != nil {
		ac.emit(x, in, base, m)
	}
	w, a := ac.window(x), x.frame.r64(base)
	for ; m != 0; m &= m - 1 {
		i := m.first()
		addr := a[i] + ac.off
		if !x.checkShared(in, addr, ac.space == isa.SpaceNone, i) {
			return
		}
		p := (*uint64)(ac.locate(x, in, &w, addr, i))
		if p == nil {
			return
		}
		if b, ok := mbar.Unpack(*p); ok {
			x.notePhase(i, b.Phase)
		}
		if bad := f(i, p); bad != nil {
			x.raise(in, i, bad.Class, ac.generic(addr), "%s", bad.Msg)
			return
		}
	}
}

// update calls f with the mbarrier at p in a block of a cluster and writes it back.
func (x *engine) update(cl *cluster, p *uint64, f func(b *mbar.Object) *diag.Violation) *diag.Violation {
	b, ok := mbar.Unpack(*p)
	if !ok {
		return cl.noObject(p)
	}
	if bad := f(&b); bad != nil {
		return bad
	}
	if w := b.Pack(); w != *p {
		e := cl.entryOf(p)
		if e == nil { // data that looks like an object
			return cl.noObject(p)
		}
		*p, e.Used = w, true
		x.wrote()
	}
	return nil
}

// mbarrierInit: mbarrier.init [addr], count.
func (d *decoder) mbarrierInit(in *rewrite.Inst) (inst, error) {
	ac, out, err := d.mbarrierAccess(in, 0, isa.AccessStore, false)
	if err != nil {
		return inst{}, err
	}
	out.b, err = d.count(in, 1)
	out.body = func(x *engine, in *inst, m lanes) {
		ac.forEachMbarrier(x, in, in.a, m, func(i int, p *uint64) *diag.Violation {
			b, bad := mbar.New(x.frame.r32(in.b)[i])
			at := x.objectAt(in, i)
			if bad == nil {
				bad = x.again(p, b, at)
			}
			if bad == nil {
				*p = b.Pack()
				x.cta.objects.Make(x.cta.offsetOf(p), at)
				x.wrote()
			}
			return bad
		})
		x.emitMbarrier(in, MbarrierInit, m)
	}
	return out, err
}

// again returns a violation if there is a valid mbarrier where a thread initialises one as b. If several threads execute one
// mbarrier.init with one count before any of them has used the mbarrier, that is left to detectors: it is a race, unless they
// are ordered.
func (x *engine) again(p *uint64, b mbar.Object, at objectAt) *diag.Violation {
	e := x.cta.objects.At(x.cta.offsetOf(p))
	if e == nil || !e.Valid || e.Init.inst == at.inst && e.Init.thread != at.thread && !e.Used && *p == b.Pack() {
		return nil
	}
	return diag.Violationf("mbarrier", "there is a valid mbarrier here, initialised at %s: mbarrier.inval has to end it first", placeText(e.Init.inst))
}

// mbarrierInval: mbarrier.inval [addr].
func (d *decoder) mbarrierInval(in *rewrite.Inst) (inst, error) {
	ac, out, err := d.mbarrierAccess(in, 0, isa.AccessStore, false)
	out.body = func(x *engine, in *inst, m lanes) {
		ac.forEachMbarrier(x, in, in.a, m, func(i int, p *uint64) *diag.Violation {
			bad := x.update(x.cta.cluster, p, func(*mbar.Object) *diag.Violation { return nil })
			if bad == nil {
				*p = 0
				x.cta.objects.End(x.cta.offsetOf(p), x.objectAt(in, i))
				x.wrote()
			}
			return bad
		})
		x.emitMbarrier(in, MbarrierInval, m)
	}
	return out, err
}

// mbarrierTx: mbarrier.expect_tx and complete_tx [addr], count.
func (d *decoder) mbarrierTx(in *rewrite.Inst, kind MbarrierKind, op func(*mbar.Object, uint32) *diag.Violation) (inst, error) {
	ac, out, err := d.mbarrierAccess(in, 0, isa.AccessReduce, true)
	if err != nil {
		return inst{}, err
	}
	out.b, err = d.count(in, 1)
	out.body = func(x *engine, in *inst, m lanes) {
		ac.forEachMbarrier(x, in, in.a, m, func(i int, p *uint64) *diag.Violation {
			return x.update(x.cta.cluster, p, func(b *mbar.Object) *diag.Violation { return op(b, x.frame.r32(in.b)[i]) })
		})
		x.emitMbarrier(in, kind, m)
	}
	return out, err
}

// mbarrierArrive: mbarrier.arrive and arrive_drop, with a count of arrivals or of bytes (.expect_tx). The result is the state
// before the operation.
func (d *decoder) mbarrierArrive(in *rewrite.Inst) (inst, error) {
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	if err = d.fitsType(in, &in.Operands[0], isa.B64, dst); err != nil {
		return inst{}, err
	}
	sink := in.Operands[0].Kind == rewrite.OperandNone // arrivals in other blocks return no state
	ac, out, err := d.mbarrierAccess(in, 1, isa.AccessAtomic, sink)
	if err != nil {
		return inst{}, err
	}
	out.d = dst.slot
	out.b, err = d.count(in, 2)
	op := mbar.Arrival{Count: 1, Drop: in.Has("arrive_drop"), NoComplete: in.Has("noComplete")}
	expect := in.Has("expect_tx")
	out.body = func(x *engine, in *inst, m lanes) {
		ac.forEachMbarrier(x, in, in.a, m, func(i int, p *uint64) *diag.Violation {
			return x.update(x.cta.cluster, p, func(b *mbar.Object) *diag.Violation {
				x.frame.r64(in.d)[i] = b.Pack()
				a, n := op, x.frame.r32(in.b)[i]
				if !expect {
					a.Count = n
				} else if bad := b.Expect(n); bad != nil {
					return bad
				}
				return b.Arrive(a)
			})
		})
		x.emitMbarrier(in, MbarrierArrive, m)
	}
	return out, err
}

// mbarrierPending: mbarrier.pending_count count, state.
func (d *decoder) mbarrierPending(in *rewrite.Inst) (inst, error) {
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	if err = d.fitsType(in, &in.Operands[0], isa.U32, dst); err != nil {
		return inst{}, err
	}
	state, err := d.value(in, &in.Operands[1], isa.B64)
	if err != nil {
		return inst{}, err
	}
	out := inst{d: dst.slot, a: state.slot, flags: flagFaults}
	out.body = func(x *engine, in *inst, m lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.first()
			v := x.frame.r64(in.a)[i]
			b, ok := mbar.Unpack(v)
			if !ok {
				x.raise(in, i, "uninitialised", 0, "0x%x is no state of an mbarrier", v)
				return
			}
			x.frame.r32(in.d)[i] = b.Pending
		}
	}
	return out, d.fitsType(in, &in.Operands[1], isa.B64, state)
}

// signal is the mbarrier on which an asynchronous operation completes.
type signal struct {
	ac   *access
	base slot
}

// signalAt resolves operand i as the mbarrier of an asynchronous operation.
func (d *decoder) signalAt(in *rewrite.Inst, i int) (*signal, error) {
	ac, out, err := d.mbarrierAccess(in, i, isa.AccessReduce, true)
	if err != nil {
		return nil, err
	}
	ac.cluster = true
	return &signal{ac, out.a}, nil
}

// addr returns the shared address of lane i's mbarrier, and whether it is in shared memory.
func (s *signal) addr(x *engine, in *inst, i int) (uint64, bool) {
	a := x.frame.r64(s.base)[i] + s.ac.off
	return a & (1<<gmem.SlotBits - 1), x.checkShared(in, a, s.ac.space == isa.SpaceNone, i)
}

// object returns the mbarrier at a shared address of the cluster, nil after a fault.
func (s *signal) object(x *engine, in *inst, addr uint64, i int) *uint64 {
	shared := *s.ac
	shared.space = isa.SpaceShared
	return (*uint64)(shared.peer(x, in, addr, i))
}

// Waiting for the end of a phase of an mbarrier. mbarrier.try_wait does not suspend the thread: it yields and reports that the
// phase is not complete, as it may after its time limit. Threads that loop around it are parked like in any spin loop.

// mbarrierWait is a decoded test_wait or try_wait.
type mbarrierWait struct {
	ac     *access
	parity bool // the operand is the parity of the phase, not a state
	yields bool // try_wait
}

// mbarrierWait decodes test_wait and try_wait. The time limit of try_wait is only a hint, and is ignored.
func (d *decoder) mbarrierWait(in *rewrite.Inst) (inst, error) {
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	if err = d.fitsType(in, &in.Operands[0], isa.Pred, dst); err != nil {
		return inst{}, err
	}
	ac, out, err := d.mbarrierAccess(in, 1, isa.AccessLoad, false)
	if err != nil {
		return inst{}, err
	}
	op := &mbarrierWait{ac: ac, parity: in.Has("parity"), yields: in.Has("try_wait")}
	t := isa.B64
	if op.parity {
		t = isa.U32
	}
	which, err := d.value(in, &in.Operands[2], t)
	if err != nil {
		return inst{}, err
	}
	out.d, out.b, out.body = dst.slot, which.slot, op.exec
	out.flags |= flagControl
	return out, d.fitsType(in, &in.Operands[2], t, which)
}

func (op *mbarrierWait) exec(x *engine, in *inst, m lanes) {
	w, done := x.warp, lanes(0)
	op.ac.forEachMbarrier(x, in, in.a, m, func(i int, p *uint64) *diag.Violation {
		phase, bad := waitedPhase(x.frame.word(in.b, !op.parity, i), op.parity)
		if bad != nil {
			return bad
		}
		x.completeSignals(p)
		x.notePhase(i, phase)
		return x.update(x.cta.cluster, p, func(b *mbar.Object) *diag.Violation {
			if b.Phase != phase {
				done |= 1 << i
				return nil
			}
			w.awaits(p, uint32(x.frame.r64(in.a)[i]+op.ac.off), i)
			return nil
		})
	})
	if x.fault != nil {
		return
	}
	w.awaited.mask &^= done
	setPred(x.frame, in.d, m, done)
	x.emitMbarrier(in, MbarrierWait, done)
	x.running.pc++
	x.yield = x.yield || op.yields && done != m
}

// waitedPhase returns the parity of the phase that a state or parity operand denotes. A phase is "indicated by the integer parity
// of the operand phaseParity" (PTX ISA 9.4, "mbarrier.test_wait, mbarrier.try_wait"): only the lowest bit counts, and ptxas
// shifts the others out.
func waitedPhase(v uint64, parity bool) (uint32, *diag.Violation) {
	if parity {
		return uint32(v & 1), nil
	}
	b, ok := mbar.Unpack(v)
	if !ok {
		return 0, diag.Violationf("uninitialised", "0x%x is no state of an mbarrier", v)
	}
	return b.Phase, nil
}

// awaited is the mbarrier that lanes of a warp have last found incomplete, for the report of a deadlock.
type awaited struct {
	object *uint64
	addr   uint32 // shared address
	mask   lanes
}

// awaits records that lane i found the object at p incomplete.
func (w *warp) awaits(p *uint64, addr uint32, i int) {
	if w.awaited.object != p {
		w.awaited = awaited{object: p, addr: addr}
	}
	w.awaited.mask |= 1 << i
}

// describeMbarriers describes what the mbarriers that spinning threads wait for are missing.
func describeMbarriers(ws []waiter) string {
	var text strings.Builder
	var seen []*uint64
	for _, w := range ws {
		a := &w.warp.awaited
		if w.state != groupParked || a.mask&w.mask == 0 || slices.Contains(seen, a.object) {
			continue
		}
		b, ok := mbar.Unpack(*a.object)
		if !ok {
			continue
		}
		if seen = append(seen, a.object); len(seen) > maxPlaces {
			break
		}
		fmt.Fprintf(&text, "; the mbarrier at shared address 0x%x of block %v lacks %s", a.addr, w.warp.cta.index, b.Lacks())
	}
	return text.String()
}

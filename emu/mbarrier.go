// Instructions on mbarriers: initialisation, arrivals, transactions, queries.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// semBarrierObject is the semantics of mbarrier. Lanes execute their operations one after the other, in ascending
// order. Waiting is in sem_async.go.
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
		return d.mbarrierTx(in, abi.EventMbarrierExpect, (*mbar.Object).Expect)
	case isa.MbarrierDone:
		return d.mbarrierTx(in, abi.EventMbarrierComplete, (*mbar.Object).Done)
	case isa.MbarrierPending:
		return d.mbarrierPending(in)
	}
	if in.Has("check_layout") {
		return d.mbarrierLayout(in)
	}
	return inst{}, d.unsupported(in, "%s", in.Text())
}

// mbarrierAccess resolves operand i as the address of an mbarrier. Unless remote, it must be in the block's own shared
// memory.
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
	ac.visitMbarriers(x, in, base, m, func(addr uint64) uint64 { return addr }, f)
}

// visitMbarriers is forEachMbarrier for addresses computed from those of the lanes, without the event of the access.
func (ac *access) visitMbarriers(x *engine, in *inst, base slot, m lanes, to func(addr uint64) uint64,
	f func(i int, p *uint64) *diag.Violation,
) {
	w, a := ac.window(x), x.frame.r64(base)
	for ; m != 0; m &= m - 1 {
		i := m.first()
		addr := to(a[i] + ac.off)
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

// signalMbarriers calls f with the memory of every lane's mbarriers and emits the operation. With a mask of blocks, a
// lane has one in each of them, at the same offset (PTX ISA 9.4, "mbarrier.arrive", ".multicast::cluster::32b").
func (ac *access) signalMbarriers(x *engine, in *inst, base slot, mask ctaMask, kind abi.EventKind, m lanes,
	f func(i int, p *uint64) *diag.Violation,
) {
	if mask.slot == 0 {
		ac.forEachMbarrier(x, in, base, m, f)
		x.emitMbarrier(in, kind, m)
		return
	}
	a := x.frame.r64(base)
	mask.forEach(x, m, func(rank uint32, m lanes) bool {
		to := func(addr uint64) uint64 { return toRank(addr, rank) }
		for r := m; r != 0 && x.listener != nil; r &= r - 1 {
			x.addrs[r.first()] = ac.generic(to(a[r.first()] + ac.off))
		}
		if !x.ignored(ac) {
			x.emitAccess(in, ac, m, &x.addrs)
		}
		ac.visitMbarriers(x, in, base, m, to, f)
		x.emitMbarrier(in, kind, m)
		return x.fault == nil
	})
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
	v1 := in.Has("layout::v1")
	out.body = func(x *engine, in *inst, m lanes) {
		ac.forEachMbarrier(x, in, in.a, m, func(i int, p *uint64) *diag.Violation {
			b, bad := mbar.New(x.frame.r32(in.b)[i], v1)
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
		x.emitMbarrier(in, abi.EventMbarrierInit, m)
	}
	return out, err
}

// again returns a violation if there is a valid mbarrier where a thread initialises one as b. If several threads
// execute one mbarrier.init with one count before any of them has used the mbarrier, that is left to detectors: it is a
// race, unless they are ordered.
func (x *engine) again(p *uint64, b mbar.Object, at objectAt) *diag.Violation {
	e := x.cta.objects.At(x.cta.offsetOf(p))
	if e == nil || !e.Valid || e.Init.inst == at.inst && e.Init.thread != at.thread && !e.Used && *p == b.Pack() {
		return nil
	}
	return diag.Violationf("mbarrier",
		"there is a valid mbarrier here, initialised at %s: mbarrier.inval has to end it first", placeText(e.Init.inst))
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
		x.emitMbarrier(in, abi.EventMbarrierInval, m)
	}
	return out, err
}

// mbarrierTx: mbarrier.expect_tx and complete_tx [addr], count.
func (d *decoder) mbarrierTx(in *rewrite.Inst, kind abi.EventKind,
	op func(*mbar.Object, uint32) *diag.Violation,
) (inst, error) {
	ac, out, err := d.mbarrierAccess(in, 0, isa.AccessReduce, true)
	if err != nil {
		return inst{}, err
	}
	mask, err := d.ctaMask(in)
	if err != nil {
		return inst{}, err
	}
	out.b, err = d.count(in, 1)
	out.body = func(x *engine, in *inst, m lanes) {
		ac.signalMbarriers(x, in, in.a, mask, kind, m, func(i int, p *uint64) *diag.Violation {
			return x.update(x.cta.cluster, p, func(b *mbar.Object) *diag.Violation {
				return op(b,
					x.frame.r32(in.b)[i])
			})
		})
	}
	return out, err
}

// mbarrierArrive: mbarrier.arrive and arrive_drop, with a count of arrivals or of bytes (.expect_tx). The result is the
// state before the operation.
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
	mask, err := d.ctaMask(in)
	if err != nil {
		return inst{}, err
	}
	if out.b = d.constant(32, 1); len(in.Operands) > 2 && in.Decoded.Operands[2].Spec.Name != "ctaMask" {
		out.b, err = d.count(in, 2)
	}
	op := mbar.Arrival{Count: 1, Drop: in.Has("arrive_drop"), NoComplete: in.Has("noComplete")}
	expect := in.Has("expect_tx")
	out.body = func(x *engine, in *inst, m lanes) {
		ac.signalMbarriers(x, in, in.a, mask, abi.EventMbarrierArrive, m, func(i int, p *uint64) *diag.Violation {
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
			if b.V1 {
				x.raise(in, i, "mbarrier", 0, "the pending count of an mbarrier of layout::v1, expected layout::v0")
				return
			}
			x.frame.r32(in.d)[i] = b.Pending
		}
	}
	return out, d.fitsType(in, &in.Operands[1], isa.B64, state)
}

// mbarrierLayout: mbarrier.check_layout p, [addr].
func (d *decoder) mbarrierLayout(in *rewrite.Inst) (inst, error) {
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	ac, out, err := d.mbarrierAccess(in, 1, isa.AccessLoad, false)
	if err != nil {
		return inst{}, err
	}
	v1 := in.Has("layout::v1")
	out.d = dst.slot
	out.body = func(x *engine, in *inst, m lanes) {
		same := lanes(0)
		ac.forEachMbarrier(x, in, in.a, m, func(i int, p *uint64) *diag.Violation {
			return x.update(x.cta.cluster, p, func(b *mbar.Object) *diag.Violation {
				if b.V1 == v1 {
					same |= 1 << i
				}
				return nil
			})
		})
		setPred(x.frame, in.d, m, same)
	}
	return out, d.fitsType(in, &in.Operands[0], isa.Pred, dst)
}

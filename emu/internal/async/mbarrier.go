// Instructions on mbarriers: initialisation, arrivals, transactions, queries.

package async

import (
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/flights"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// SemBarrierObject is the semantics of mbarrier. Lanes execute their operations one after the other, in ascending
// order. Waiting is in copy.go.
var SemBarrierObject = map[string]state.DecodeFunc{"mbarrier": decodeMbarrier}

// decodeMbarrier decodes all operations on mbarriers.
func decodeMbarrier(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	switch in.Mbarrier() {
	case isa.MbarrierInit:
		return mbarrierInit(d, in)
	case isa.MbarrierInval:
		return mbarrierInval(d, in)
	case isa.MbarrierArrive, isa.MbarrierDrop:
		return mbarrierArrive(d, in)
	case isa.MbarrierTest, isa.MbarrierTry:
		return decodeMbarrierWait(d, in)
	case isa.MbarrierExpect:
		return mbarrierTx(d, in, abi.EventMbarrierExpect, (*mbar.Object).Expect)
	case isa.MbarrierDone:
		return mbarrierTx(d, in, abi.EventMbarrierComplete, (*mbar.Object).Done)
	case isa.MbarrierPending:
		return mbarrierPending(d, in)
	}
	if in.Has("check_layout") {
		return mbarrierLayout(d, in)
	}
	return state.Inst{}, decode.Unsupported(d, in, "%s", in.Text())
}

// mbarrierAccess resolves operand i as the address of an mbarrier. Unless remote, it must be in the block's own shared
// memory.
func mbarrierAccess(d *state.Decoder, in *rewrite.Inst, i int, kind isa.AccessKind,
	remote bool,
) (*state.Access, state.Inst, error) {
	ac, out, err := memory.DecodeAccess(d, in, i, kind, mbar.Size)
	if err != nil {
		return nil, state.Inst{}, err
	}
	if ac.Space != isa.SpaceNone && ac.Space != isa.SpaceShared {
		return nil, state.Inst{}, decode.Errorf(d, in, "%s: an mbarrier lies in .shared memory, not in .%s", in.Text(),
			ac.Space)
	}
	ac.Cluster, ac.Object = ac.Cluster && remote, true
	return ac, out, nil
}

// Count returns the number in operand i, or 1 if there is no such operand.
func Count(d *state.Decoder, in *rewrite.Inst, i int) (state.Slot, error) {
	if i >= len(in.Operands) {
		return decode.Constant(d, 32, 1), nil
	}
	o, err := decode.Value(d, in, &in.Operands[i], isa.U32)
	if err != nil {
		return 0, err
	}
	return o.Slot, decode.FitsType(d, in, &in.Operands[i], isa.U32, o)
}

// forEachMbarrier calls f with the memory of every lane's mbarrier, until one faults.
func forEachMbarrier(ac *state.Access, x *state.Engine, in *state.Inst, base state.Slot, m state.Lanes,
	f func(i int, p *uint64) *diag.Violation,
) {
	if x.Listener != nil {
		events.Emit(ac, x, in, base, m)
	}
	visitMbarriers(ac, x, in, base, m, func(addr uint64) uint64 { return addr }, f)
}

// visitMbarriers is forEachMbarrier for addresses computed from those of the lanes, without the event of the access.
func visitMbarriers(ac *state.Access, x *state.Engine, in *state.Inst, base state.Slot, m state.Lanes,
	to func(addr uint64) uint64,
	f func(i int, p *uint64) *diag.Violation,
) {
	w, a := memory.Window(ac, x), x.Frame.R64(base)
	for ; m != 0; m &= m - 1 {
		i := m.First()
		addr := to(a[i] + ac.Off)
		if !memory.CheckShared(x, in, addr, ac.Space == isa.SpaceNone, i) {
			return
		}
		p := (*uint64)(memory.Locate(ac, x, in, &w, addr, i))
		if p == nil {
			return
		}
		if b, ok := mbar.Unpack(*p); ok {
			events.NotePhase(x, i, b.Phase)
		}
		if bad := f(i, p); bad != nil {
			faults.Raise(x, in, i, bad.Class, events.Generic(ac, addr), "%s", bad.Msg)
			return
		}
	}
}

// signalMbarriers calls f with the memory of every lane's mbarriers and emits the operation. With a mask of blocks, a
// lane has one in each of them, at the same offset (PTX ISA 9.4, "mbarrier.arrive", ".multicast::cluster::32b").
func signalMbarriers(ac *state.Access, x *state.Engine, in *state.Inst, base state.Slot, mask memory.CTAMask,
	kind abi.EventKind, form abi.MbarrierForm, m state.Lanes,
	f func(i int, p *uint64) *diag.Violation,
) {
	if mask.Slot == 0 {
		forEachMbarrier(ac, x, in, base, m, f)
		events.EmitMbarrier(x, in, kind, m, form, x.Frame.R32(in.B))
		return
	}
	a := x.Frame.R64(base)
	mask.ForEach(x, m, func(rank uint32, m state.Lanes) bool {
		to := func(addr uint64) uint64 { return memory.ToRank(addr, rank) }
		for r := m; r != 0 && x.Listener != nil; r &= r - 1 {
			x.Addrs[r.First()] = events.Generic(ac, to(a[r.First()]+ac.Off))
		}
		if !events.Ignored(&x.Emitter, ac) {
			events.EmitAccess(x, in, ac, m, &x.Addrs)
		}
		visitMbarriers(ac, x, in, base, m, to, f)
		events.EmitMbarrier(x, in, kind, m, form, x.Frame.R32(in.B))
		return x.Fault == nil
	})
}

// formIf returns a variant if a condition holds, else none.
func formIf(holds bool, form abi.MbarrierForm) abi.MbarrierForm {
	if holds {
		return form
	}
	return 0
}

// mbarrierInit: mbarrier.init [addr], count.
func mbarrierInit(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	ac, out, err := mbarrierAccess(d, in, 0, isa.AccessStore, false)
	if err != nil {
		return state.Inst{}, err
	}
	out.B, err = Count(d, in, 1)
	v1 := in.Has("layout::v1")
	form := formIf(v1, abi.FormReports)
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		forEachMbarrier(ac, x, in, in.A, m, func(i int, p *uint64) *diag.Violation {
			b, bad := mbar.New(x.Frame.R32(in.B)[i], v1)
			at := memory.ObjectAt(x, in, i)
			if bad == nil {
				bad = again(x, p, b, at)
			}
			if bad == nil {
				*p = b.Pack()
				x.CTA.Objects.Make(x.CTA.OffsetOf(p), at)
				x.Wrote()
			}
			return bad
		})
		events.EmitMbarrier(x, in, abi.EventMbarrierInit, m, form, x.Frame.R32(in.B))
	}
	return out, err
}

// again returns a violation if there is a valid mbarrier where a thread initialises one as b. If several threads
// execute one mbarrier.init with one count before any of them has used the mbarrier, that is left to detectors: it is a
// race, unless they are ordered.
func again(x *state.Engine, p *uint64, b mbar.Object, at state.ObjectAt) *diag.Violation {
	e := x.CTA.Objects.At(x.CTA.OffsetOf(p))
	if e == nil || !e.Valid || e.Init.Inst == at.Inst && e.Init.Thread != at.Thread && !e.Used && *p == b.Pack() {
		return nil
	}
	return diag.Violationf("mbarrier",
		"there is a valid mbarrier here, initialised at %s: mbarrier.inval has to end it first", faults.PlaceText(e.Init.Inst))
}

// mbarrierInval: mbarrier.inval [addr].
func mbarrierInval(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	ac, out, err := mbarrierAccess(d, in, 0, isa.AccessStore, false)
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		forEachMbarrier(ac, x, in, in.A, m, func(i int, p *uint64) *diag.Violation {
			bad := flights.Update(x, x.CTA.Cluster, p, func(*mbar.Object) *diag.Violation { return nil })
			if bad == nil {
				*p = 0
				x.CTA.Objects.End(x.CTA.OffsetOf(p), memory.ObjectAt(x, in, i))
				x.Wrote()
			}
			return bad
		})
		events.EmitMbarrier(x, in, abi.EventMbarrierInval, m, 0, nil)
	}
	return out, err
}

// mbarrierTx: mbarrier.expect_tx and complete_tx [addr], count.
func mbarrierTx(d *state.Decoder, in *rewrite.Inst, kind abi.EventKind,
	op func(*mbar.Object, uint32) *diag.Violation,
) (state.Inst, error) {
	ac, out, err := mbarrierAccess(d, in, 0, isa.AccessReduce, true)
	if err != nil {
		return state.Inst{}, err
	}
	mask, err := memory.DecodeCTAMask(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	out.B, err = Count(d, in, 1)
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		signalMbarriers(ac, x, in, in.A, mask, kind, 0, m, func(i int, p *uint64) *diag.Violation {
			return flights.Update(x, x.CTA.Cluster, p, func(b *mbar.Object) *diag.Violation {
				return op(b,
					x.Frame.R32(in.B)[i])
			})
		})
	}
	return out, err
}

// mbarrierArrive: mbarrier.arrive and arrive_drop, with a count of arrivals or of bytes (.expect_tx). The result is the
// state before the operation.
func mbarrierArrive(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	dst, err := decode.Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	if err = decode.FitsType(d, in, &in.Operands[0], isa.B64, dst); err != nil {
		return state.Inst{}, err
	}
	sink := in.Operands[0].Kind == rewrite.OperandNone // arrivals in other blocks return no state
	ac, out, err := mbarrierAccess(d, in, 1, isa.AccessAtomic, sink)
	if err != nil {
		return state.Inst{}, err
	}
	out.D = dst.Slot
	mask, err := memory.DecodeCTAMask(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	if out.B = decode.Constant(d, 32, 1); len(in.Operands) > 2 && in.Decoded.Operands[2].Spec.Name != "ctaMask" {
		out.B, err = Count(d, in, 2)
	}
	op := mbar.Arrival{Count: 1, Drop: in.Has("arrive_drop"), NoComplete: in.Has("noComplete")}
	expect := in.Has("expect_tx")
	form := formIf(expect, abi.FormExpects) | formIf(op.Drop, abi.FormDrops) | formIf(op.NoComplete, abi.FormIncomplete)
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		signalMbarriers(ac, x, in, in.A, mask, abi.EventMbarrierArrive, form, m, func(i int,
			p *uint64,
		) *diag.Violation {
			return flights.Update(x, x.CTA.Cluster, p, func(b *mbar.Object) *diag.Violation {
				x.Frame.R64(in.D)[i] = b.Pack()
				a, n := op, x.Frame.R32(in.B)[i]
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
func mbarrierPending(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	dst, err := decode.Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	if err = decode.FitsType(d, in, &in.Operands[0], isa.U32, dst); err != nil {
		return state.Inst{}, err
	}
	st, err := decode.Value(d, in, &in.Operands[1], isa.B64)
	if err != nil {
		return state.Inst{}, err
	}
	out := state.Inst{D: dst.Slot, A: st.Slot, Flags: state.FlagFaults}
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.First()
			v := x.Frame.R64(in.A)[i]
			b, ok := mbar.Unpack(v)
			if !ok {
				faults.Raise(x, in, i, "uninitialised", 0, "0x%x is no state of an mbarrier", v)
				return
			}
			if b.V1 {
				faults.Raise(x, in, i, "mbarrier", 0,
					"the pending count of an mbarrier of layout::v1, expected layout::v0")
				return
			}
			x.Frame.R32(in.D)[i] = b.Pending
		}
	}
	return out, decode.FitsType(d, in, &in.Operands[1], isa.B64, st)
}

// mbarrierLayout: mbarrier.check_layout p, [addr].
func mbarrierLayout(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	dst, err := decode.Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	ac, out, err := mbarrierAccess(d, in, 1, isa.AccessLoad, false)
	if err != nil {
		return state.Inst{}, err
	}
	v1 := in.Has("layout::v1")
	out.D = dst.Slot
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		same := state.Lanes(0)
		forEachMbarrier(ac, x, in, in.A, m, func(i int, p *uint64) *diag.Violation {
			return flights.Update(x, x.CTA.Cluster, p, func(b *mbar.Object) *diag.Violation {
				if b.V1 == v1 {
					same |= 1 << i
				}
				return nil
			})
		})
		decode.SetPred(x.Frame, in.D, m, same)
	}
	return out, decode.FitsType(d, in, &in.Operands[0], isa.Pred, dst)
}

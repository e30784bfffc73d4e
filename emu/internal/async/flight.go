// Groups of asynchronous copies: commit, wait.

package async

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/flights"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// StartFlight starts an asynchronous operation of one lane: it executes it immediately, or under Config.LateAsync
// later. It returns false after a fault.
func StartFlight(x *state.Engine, in *state.Inst, f state.Flight, lane int) bool {
	w := x.Warp
	f.Lane, f.Op, f.Inst = lane, x.Op, x.Frame.Fn.SourceOf(in.Src).In
	if !x.M.Cfg.LateAsync && f.Fabric == notFabric {
		bad := flights.Complete(x, w, &f)
		if bad != nil {
			faults.Raise(x, in, lane, bad.Class, 0, "%s", bad.Msg)
		}
		return bad == nil
	}
	late := f
	late.At = faults.Blame(x, x.Frame, in.Src)
	if f.Kind < state.FlightKinds {
		late.Group = w.Open[f.Kind][lane]
	}
	w.Flights = append(w.Flights, &late)
	return faults.Claim(x, flights.State(&late), "asynchronous operations")
}

// decodeGroups decodes commit_group, wait_group and wait_all of copies and of bulk copies.
func decodeGroups(d *state.Decoder, in *rewrite.Inst, step isa.CopyGroups, bulk bool) (state.Inst, error) {
	kind := state.FlightCopy
	if bulk {
		kind = state.FlightBulk
	}
	out := state.Inst{Flags: state.FlagVisible | state.FlagFaults}
	if step == isa.CopyGroupsCommit {
		out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
			commit(x, kind, m)
			events.EmitAsyncGroups(x, in, m, abi.EventAsyncCommit, kind, nil, false)
		}
		return out, nil
	}
	all, read := step == isa.CopyGroupsWaitAll, in.Has("read")
	if !all {
		n, err := decode.Value(d, in, &in.Operands[0], isa.U32)
		if err != nil {
			return state.Inst{}, err
		}
		out.A = n.Slot
	} else {
		out.A = decode.Constant(d, 32, 0)
	}
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		if all {
			commit(x, kind, m)
			events.EmitAsyncGroups(x, in, m, abi.EventAsyncCommit, kind, nil, false)
		}
		waitGroups(x, kind, m, x.Frame.R32(in.A), read)
		events.EmitAsyncGroups(x, in, m, abi.EventAsyncWait, kind, x.Frame.R32(in.A), read)
	}
	return out, nil
}

// commit commits the open groups of the lanes in m.
func commit(x *state.Engine, kind state.FlightKind, m state.Lanes) {
	for ; m != 0; m &= m - 1 {
		x.Warp.Open[kind][m.First()]++
	}
}

// waitGroups completes the committed groups of the lanes in m except the last pending ones; with read, it only reads
// their sources.
func waitGroups(x *state.Engine, kind state.FlightKind, m state.Lanes, pending *state.Vec32, read bool) {
	w := x.Warp
	due := func(f *state.Flight) bool {
		return f.Kind == kind && m.Has(f.Lane) && f.Group+uint64(pending[f.Lane]) < w.Open[kind][f.Lane]
	}
	if !read {
		flights.CompleteSome(x, w, due)
		return
	}
	for _, f := range w.Flights {
		if due(f) && f.Copied == 0 {
			flights.Read(f)
			faults.Claim(x, f.Copied, "sources of asynchronous operations")
		}
	}
}

// st.async and red.async of sm_90: one store or reduction into the shared memory of a block of the cluster, which then
// signals an mbarrier of the same block (PTX ISA, "st.async", "red.async"). The forms of sm_100 on global memory, which
// complete by the end of the block, are executed immediately like st.release and red.release.

// DecodeReduce decodes red.async.
func DecodeReduce(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	fn := Reduction(in.Access.AtomOp, in.Decoded.Operands[1].Type)
	if fn == nil {
		return state.Inst{}, decode.Unsupported(d, in, "%s", in.Text())
	}
	return DecodeStore(d, in, fn)
}

// DecodeStore decodes st.async and red.async [a], b, [mbar]; fn is Transfer.Combine.
func DecodeStore(d *state.Decoder, in *rewrite.Inst, fn func(old, v [2]uint64) [2]uint64) (state.Inst, error) {
	regs, err := decode.MemRegs(d, in, 1, false)
	if err != nil {
		return state.Inst{}, err
	}
	t := in.Decoded.Operands[1].Type
	n := uint64(len(regs) * t.Size())
	ac, out, err := memory.DecodeAccess(d, in, 0, in.Access.Kind, n)
	if err != nil {
		return state.Inst{}, err
	}
	ac.Cluster, ac.Async = true, abi.AsyncSignals
	done, err := signalAt(d, in, 2)
	if err != nil {
		return state.Inst{}, err
	}
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		if x.Listener != nil {
			events.BeginAsync(x)
			events.Emit(ac, x, in, in.A, m)
		}
		w := memory.Window(ac, x)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			addr := x.Frame.R64(in.A)[i] + ac.Off
			if !memory.CheckShared(x, in, addr, ac.Space == isa.SpaceNone, i) {
				return
			}
			mbar, ok := done.addr(x, in, i)
			if !ok {
				return
			}
			if state.RankOf(mbar) != state.RankOf(addr) {
				faults.Raise(x, in, i, "out-of-bounds", gmem.SharedWindow+mbar,
					"the mbarrier is in block %d of the cluster, the destination in block %d", state.RankOf(mbar),
					state.RankOf(addr))
				return
			}
			p := memory.Locate(ac, x, in, &w, addr, i)
			if p == nil {
				return
			}
			f := state.Flight{
				Kind: state.FlightSignal, Bytes: n, Signal: done.object(x, in, mbar, i),
				SignalAddr: gmem.SharedWindow + mbar,
			}
			if f.Signal == nil {
				return
			}
			f.Transfer = state.Transfer{
				To: unsafe.Slice((*byte)(p), n), From: stored(x, regs, t, i), Combine: fn,
				Elem: t,
			}
			if !StartFlight(x, in, f, i) {
				return
			}
		}
	}
	return out, nil
}

// stored returns the bytes of lane i's registers as values of type t.
func stored(x *state.Engine, regs []state.Operand, t isa.Type, i int) []byte {
	b := make([]byte, len(regs)*t.Size())
	for k, r := range regs {
		state.Poke(unsafe.Pointer(&b[k*t.Size()]), t, x.Frame.Lane(r.Slot, events.SlotBits(r.Typ), i))
	}
	return b
}

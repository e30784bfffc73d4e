// Requests to cancel the launch of a cluster.

package async

import (
	"encoding/binary"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// SemLaunchControl is the semantics of requests to cancel the launch of a cluster (PTX ISA,
// "clusterlaunchcontrol.try_cancel", "clusterlaunchcontrol.query_cancel").
var SemLaunchControl = map[string]state.DecodeFunc{"clusterlaunchcontrol": decodeLaunchControl}

func bytesOfResponse(r grids.Response) []byte {
	var b []byte
	for _, w := range r {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

func decodeLaunchControl(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	if in.Has("try_cancel") {
		return tryCancel(d, in)
	}
	return queryCancel(d, in)
}

// tryCancel: clusterlaunchcontrol.try_cancel.async [addr], [mbar]. The request takes effect immediately. Its response
// is an asynchronous write to shared memory (with .multicast::cluster::all that of every block of the cluster), which
// completes on an mbarrier of that block.
func tryCancel(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	c := &bulkCopy{}
	ac, out, err := memory.DecodeAccess(d, in, 0, isa.AccessStore, bulkUnit)
	if err != nil {
		return state.Inst{}, err
	}
	if c.signal, err = signalAt(d, in, 1); err != nil {
		return state.Inst{}, err
	}
	ac.Async = abi.AsyncSignals
	generic, all := ac.Space == isa.SpaceNone, in.Has("multicast::cluster::all")
	ac.Space, ac.Cluster = isa.SpaceShared, true
	c.to = ac
	d.M.Cancels = true
	out.Flags |= state.FlagResumable
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		for ; m != 0 && x.Fault == nil; m &= m - 1 {
			i := m.First()
			to := x.Frame.R64(in.A)[i] + ac.Off
			if !memory.CheckShared(x, in, to, generic, i) {
				return
			}
			to &= 1<<gmem.SlotBits - 1
			answer := bytesOfResponse(grids.CancelCluster(x))
			if !all {
				c.respond(x, in, to, answer, false, i)
				continue
			}
			for rank := range x.CTA.Cluster.Blocks {
				c.respond(x, in, memory.ToRank(to, uint32(rank)), answer, true, i)
			}
		}
	}
	return out, nil
}

// respond writes the response to a request of lane i to a shared address.
func (c *bulkCopy) respond(x *state.Engine, in *state.Inst, to uint64, answer []byte, multicast bool, i int) {
	if x.Fault != nil {
		return
	}
	events.BeginAsync(x)
	emitSpan(c.to, x, in, to, bulkUnit, i)
	p := span(c.to, x, in, to, bulkUnit, i)
	if p == nil {
		return
	}
	f := state.Flight{Transfer: state.Transfer{To: p, From: answer}, Bytes: bulkUnit}
	if signals(&f, x, in, c.signal, to, multicast, i) {
		StartFlight(x, in, f, i)
	}
}

// queryCancel: clusterlaunchcontrol.query_cancel of a response in a register. If the request failed, the index of the
// block is undefined on a device, and a fault here.
func queryCancel(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	last := len(in.Operands) - 1
	from, err := decode.Src(d, in, last)
	if err != nil {
		return state.Inst{}, err
	}
	if err := decode.Fits(d, in, last, from); err != nil {
		return state.Inst{}, err
	}
	if in.Has("is_canceled") {
		dst, err := decode.Dst(d, in)
		if err != nil {
			return state.Inst{}, err
		}
		return state.Inst{D: dst.Slot, A: from.Slot, Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			_, hi := x.Frame.R128(in.A)
			set := state.Lanes(0)
			for r := m; r != 0; r &= r - 1 {
				if hi[r.First()]>>32 == grids.ResponseCanceled {
					set |= r & -r
				}
			}
			decode.SetPred(x.Frame, in.D, m, set)
		}}, decode.Fits(d, in, 0, dst)
	}
	parts, first := decode.Elems(d, in, 0), 0
	for k, dimension := range []string{"get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z"} {
		if in.Has(dimension) {
			first = k
		}
	}
	to := make([]state.Slot, len(parts))
	for k := range parts {
		o, err := decode.Target(d, in, &parts[k], isa.B32)
		if err == nil {
			err = decode.FitsType(d, in, &parts[k], isa.B32, o)
		}
		if err != nil {
			return state.Inst{}, err
		}
		to[k] = o.Slot
	}
	return state.Inst{
		A: from.Slot, Flags: state.FlagFaults,
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			lo, hi := x.Frame.R128(in.A)
			for ; m != 0; m &= m - 1 {
				i := m.First()
				answer := grids.Response{uint32(lo[i]), uint32(lo[i] >> 32), uint32(hi[i]), uint32(hi[i] >> 32)}
				if answer[3] != grids.ResponseCanceled {
					faults.Raise(x, in, i, "unsupported", 0,
						"the first block of a cluster whose cancellation was not granted: the result is undefined")
					return
				}
				for k, s := range to {
					x.Frame.R32(s)[i] = answer[min(first+k, 3)]
				}
			}
		},
	}, nil
}

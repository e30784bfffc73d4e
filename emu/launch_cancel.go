// Requests to cancel the launch of a cluster, and their responses: clusterlaunchcontrol.

package emu

import (
	"encoding/binary"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semLaunchControl is the semantics of requests to cancel the launch of a cluster (PTX ISA,
// "clusterlaunchcontrol.try_cancel", "clusterlaunchcontrol.query_cancel").
var semLaunchControl = map[string]decodeFunc{"clusterlaunchcontrol": decodeLaunchControl}

// A program that cancels clusters takes over their work, so most of its grid must not have started yet. A device starts as many
// clusters as fit; the emulator keeps only cancelRoom clusters resident until they make no progress.
const cancelRoom = 2

// hasRoom reports whether another cluster of n blocks may start.
func (l *launch) hasRoom(n int) bool { return l.room == 0 || len(l.resident) < l.room*n }

// response is the 16-byte response to a request, opaque to programs: the index of the first block of the cluster, and a word with
// the outcome.
type response [4]uint32

const (
	responseFailed   = 0x636c6330
	responseCanceled = 0x636c6331
)

func (r response) bytes() []byte {
	var b []byte
	for _, w := range r {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

// cancelCluster cancels the next cluster that has not started.
func (x *engine) cancelCluster() response {
	l := x.l
	if l.next == l.total {
		return response{3: responseFailed}
	}
	dim := l.clusterDim()
	first := l.grid.over(dim).unflatten(l.next / dim.count()).times(dim)
	l.next += dim.count()
	x.progress++
	return response{first.X, first.Y, first.Z, responseCanceled}
}

func decodeLaunchControl(d *decoder, in *rewrite.Inst) (inst, error) {
	if in.Has("try_cancel") {
		return d.tryCancel(in)
	}
	return d.queryCancel(in)
}

// tryCancel: clusterlaunchcontrol.try_cancel.async [addr], [mbar]. The request takes effect immediately. Its response is an
// asynchronous write to shared memory (with .multicast::cluster::all that of every block of the cluster), which completes on an
// mbarrier of that block.
func (d *decoder) tryCancel(in *rewrite.Inst) (inst, error) {
	c := &bulkCopy{}
	ac, out, err := d.decodeAccess(in, 0, isa.AccessStore, bulkUnit)
	if err != nil {
		return inst{}, err
	}
	if c.signal, err = d.signalAt(in, 1); err != nil {
		return inst{}, err
	}
	ac.async = AsyncSignals
	generic, all := ac.space == isa.SpaceNone, in.Has("multicast::cluster::all")
	ac.space, ac.cluster = isa.SpaceShared, true
	c.to = ac
	d.m.cancels = true
	out.flags |= flagResumable
	out.body = func(x *engine, in *inst, m lanes) {
		for ; m != 0 && x.fault == nil; m &= m - 1 {
			i := m.first()
			to := x.frame.r64(in.a)[i] + ac.off
			if !x.checkShared(in, to, generic, i) {
				return
			}
			to &= 1<<gmem.SlotBits - 1
			answer := x.cancelCluster().bytes()
			if !all {
				c.respond(x, in, to, answer, false, i)
				continue
			}
			for rank := range x.cta.cluster.blocks {
				c.respond(x, in, toRank(to, uint32(rank)), answer, true, i)
			}
		}
	}
	return out, nil
}

// respond writes the response to a request of lane i to a shared address.
func (c *bulkCopy) respond(x *engine, in *inst, to uint64, answer []byte, multicast bool, i int) {
	if x.fault != nil {
		return
	}
	x.beginAsync()
	c.to.emitSpan(x, in, to, bulkUnit, i)
	p := c.to.span(x, in, to, bulkUnit, i)
	if p == nil {
		return
	}
	f := flight{transfer: transfer{to: p, from: answer}, bytes: bulkUnit}
	if f.signals(x, in, c.signal, to, multicast, i) {
		x.startFlight(in, f, i)
	}
}

// queryCancel: clusterlaunchcontrol.query_cancel of a response in a register. If the request failed, the index of the block is
// undefined on a device, and a fault here.
func (d *decoder) queryCancel(in *rewrite.Inst) (inst, error) {
	last := len(in.Operands) - 1
	from, err := d.src(in, last)
	if err != nil {
		return inst{}, err
	}
	if err := d.fits(in, last, from); err != nil {
		return inst{}, err
	}
	if in.Has("is_canceled") {
		dst, err := d.dst(in)
		if err != nil {
			return inst{}, err
		}
		return inst{d: dst.slot, a: from.slot, body: func(x *engine, in *inst, m lanes) {
			_, hi := x.frame.r128(in.a)
			set := lanes(0)
			for r := m; r != 0; r &= r - 1 {
				if hi[r.first()]>>32 == responseCanceled {
					set |= r & -r
				}
			}
			setPred(x.frame, in.d, m, set)
		}}, d.fits(in, 0, dst)
	}
	parts, first := d.elems(in, 0), 0
	for k, dimension := range []string{"get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z"} {
		if in.Has(dimension) {
			first = k
		}
	}
	to := make([]slot, len(parts))
	for k := range parts {
		o, err := d.target(in, &parts[k], isa.B32)
		if err == nil {
			err = d.fitsType(in, &parts[k], isa.B32, o)
		}
		if err != nil {
			return inst{}, err
		}
		to[k] = o.slot
	}
	return inst{a: from.slot, flags: flagFaults, body: func(x *engine, in *inst, m lanes) {
		lo, hi := x.frame.r128(in.a)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			answer := response{uint32(lo[i]), uint32(lo[i] >> 32), uint32(hi[i]), uint32(hi[i] >> 32)}
			if answer[3] != responseCanceled {
				x.raise(in, i, "unsupported", 0, "the first block of a cluster whose cancellation was not granted: the result is undefined")
				return
			}
			for k, s := range to {
				x.frame.r32(s)[i] = answer[min(first+k, 3)]
			}
		}
	}}, nil
}

// Non-bulk asynchronous copies: cp.async and its arrival at an mbarrier.

package emu

import (
	"cmp"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semAsync is the semantics of asynchronous copies (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous copy").
// async_flight.go decides when they take effect; addresses are checked immediately.
var semAsync = map[string]decodeFunc{"cp": decodeCopy}

// decodeCopy decodes cp.async and cp.reduce.async.
func decodeCopy(d *decoder, in *rewrite.Inst) (inst, error) {
	step, bulk := in.CopyGroups()
	switch {
	case in.Has("prefetch"):
		return decodeHint(d, in)
	case in.Has("tensor"):
		return d.tensorCopy(in)
	case step != isa.CopyGroupsNone:
		return decodeGroups(d, in, step, bulk)
	case in.Has("mbarrier"):
		return d.copyArrive(in)
	case in.Has("bulk"):
		return d.bulkCopy(in)
	}
	size := in.Operands[2].Imm
	if in.Operands[2].Kind != rewrite.OperandImm || size != 4 && size != 8 && size != 16 {
		return inst{}, d.errorf(in, "%s: the size must be 4, 8 or 16", in.Text())
	}
	return d.copyBody(in, size)
}

// copyArrive: cp.async.mbarrier.arrive{.noinc} arrives when the earlier copies are complete. Without .noinc, it increments the
// pending count immediately.
func (d *decoder) copyArrive(in *rewrite.Inst) (inst, error) {
	ac, out, err := d.mbarrierAccess(in, 0, isa.AccessReduce, false)
	noinc := in.Has("noinc")
	out.body = func(x *engine, in *inst, m lanes) {
		ac.forEachMbarrier(x, in, in.a, m, func(i int, p *uint64) *diag.Violation {
			bad := x.update(x.cta.cluster, p, func(b *mbar.Object) *diag.Violation {
				if noinc {
					return nil
				}
				return b.More()
			})
			if bad == nil {
				x.startFlight(in, flight{kind: flightArrive, signal: p}, i)
			}
			return bad
		})
		x.emitMbarrier(in, MbarrierCopyArrive, m)
	}
	return out, err
}

// copyBody copies size bytes: the first src-size are read, the others are zero.
func (d *decoder) copyBody(in *rewrite.Inst, size uint64) (inst, error) {
	to, out, err := d.decodeAccess(in, 0, isa.AccessStore, size)
	if err != nil {
		return inst{}, err
	}
	from, src, err := d.decodeAccess(in, 1, isa.AccessLoad, size)
	if err != nil {
		return inst{}, err
	}
	to.space, from.space = isa.SpaceShared, isa.SpaceGlobal
	to.async, from.async = AsyncCopies, AsyncCopies
	from.carried = true
	out.b = src.a
	if out.c, err = d.sourceSize(in, size); err != nil {
		return inst{}, err
	}
	out.body = func(x *engine, in *inst, m lanes) {
		x.beginAsync()
		from.emit(x, in, in.b, m)
		to.emit(x, in, in.a, m)
		tw, fw := to.window(x), from.window(x)
		a, b, n := x.frame.r64(in.a), x.frame.r64(in.b), x.frame.r32(in.c)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := to.locate(x, in, &tw, a[i]+to.off, i)
			if p == nil {
				return
			}
			t := transfer{to: unsafe.Slice((*byte)(p), size)}
			if n := min(uint64(n[i]), size); n > 0 {
				q := from.locate(x, in, &fw, b[i]+from.off, i)
				if q == nil {
					return
				}
				t.from = unsafe.Slice((*byte)(q), n)
				x.carry(in, to, a[i]+to.off, from, b[i]+from.off, n, i)
			}
			x.startFlight(in, flight{transfer: t, kind: flightCopy}, i)
		}
	}
	return out, nil
}

// sourceSize returns the number of bytes that a copy of size bytes reads: the optional fourth operand, which may instead be a
// predicate that suppresses the read.
func (d *decoder) sourceSize(in *rewrite.Inst, size uint64) (slot, error) {
	if n := len(in.Operands); n <= 3 || n == 4 && in.Has("L2::cache_hint") {
		return d.constant(32, size), nil
	}
	op := &in.Operands[3]
	n, err := d.value(in, op, isa.U32)
	if err != nil || n.typ != isa.Pred {
		return n.slot, cmp.Or(err, d.fitsType(in, op, isa.U32, n))
	}
	count := d.temp(32)
	d.emit(inst{d: count, a: n.slot, body: func(x *engine, in *inst, m lanes) {
		d, ignore := x.frame.r32(in.d), *x.frame.p(in.a)
		for ; m != 0; m &= m - 1 {
			if d[m.first()] = uint32(size); ignore.has(m.first()) {
				d[m.first()] = 0
			}
		}
	}})
	return count, nil
}

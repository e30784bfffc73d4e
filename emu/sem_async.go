// Non-bulk asynchronous copies (cp.async), the mbarriers on which asynchronous operations complete, and waits for
// these.

package emu

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// semAsync is the semantics of asynchronous copies (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous
// copy"). async_flight.go decides when they take effect; addresses are checked immediately.
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

// copyArrive: cp.async.mbarrier.arrive{.noinc} arrives when the earlier copies are complete. Without .noinc, it
// increments the pending count immediately.
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
		x.emitMbarrier(in, abi.EventMbarrierCopyArrive, m)
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
	to.async, from.async = abi.AsyncCopies, abi.AsyncCopies
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

// sourceSize returns the number of bytes that a copy of size bytes reads: the optional fourth operand, which may
// instead be a predicate that suppresses the read.
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

// Waiting for the end of a phase of an mbarrier. mbarrier.try_wait does not suspend the thread: it yields and reports
// that the phase is not complete, as it may after its time limit. Threads that loop around it are parked like in any
// spin loop.

// mbarrierWait is a decoded test_wait or try_wait.
type mbarrierWait struct {
	ac          *access
	parity      bool // the operand is the parity of the phase, not a state
	conditional bool // the phase is the conditional one
	yields      bool // try_wait
	// The report of the completed phase; 0 for none.
	predicate, value slot
}

// mbarrierWait decodes test_wait and try_wait. The time limit of try_wait is only a hint, and is ignored.
func (d *decoder) mbarrierWait(in *rewrite.Inst) (inst, error) {
	dst, report, err := d.pair(in, isa.Pred)
	if err != nil {
		return inst{}, err
	}
	if dst.typ != isa.Pred || report.slot != 0 && report.typ != isa.Pred {
		return inst{}, d.errorf(in, "%s: the destination must be a predicate", in.Text())
	}
	op := &mbarrierWait{
		parity: in.Has("parity"), conditional: in.Has("phase_type::conditional"),
		yields: in.Has("try_wait"), predicate: report.slot,
	}
	at := 1
	if in.Decoded.Operands[at].Spec.Name == "value" {
		v, wrong := d.target(in, &in.Operands[at], isa.B8)
		if wrong != nil {
			return inst{}, wrong
		}
		op.value, at = v.slot, at+1
	}
	ac, out, err := d.mbarrierAccess(in, at, isa.AccessLoad, false)
	if err != nil {
		return inst{}, err
	}
	op.ac = ac
	t := isa.B64
	if op.parity {
		t = isa.U32
	}
	which, err := d.value(in, &in.Operands[at+1], t)
	if err != nil {
		return inst{}, err
	}
	out.d, out.b, out.body = dst.slot, which.slot, op.exec
	out.flags |= flagControl
	return out, d.fitsType(in, &in.Operands[at+1], t, which)
}

func (op *mbarrierWait) exec(x *engine, in *inst, m lanes) {
	w, done := x.warp, lanes(0)
	op.ac.forEachMbarrier(x, in, in.a, m, func(i int, p *uint64) *diag.Violation {
		phase, bad := waitedPhase(x.frame.word(in.b, !op.parity, i), op.parity)
		if bad != nil {
			return bad
		}
		x.completeSignals(p)
		return x.update(x.cta.cluster, p, func(b *mbar.Object) *diag.Violation {
			passed, primary := b.Passed(phase, op.conditional)
			x.notePhase(i, primary)
			if !passed {
				w.awaits(p, uint32(x.frame.r64(in.a)[i]+op.ac.off), i)
				return nil
			}
			done |= 1 << i
			op.report(x.frame, b.Completed, i)
			return nil
		})
	})
	if x.fault != nil {
		return
	}
	w.awaited.mask &^= done
	setPred(x.frame, in.d, m, done)
	x.emitMbarrier(in, abi.EventMbarrierPass, done)
	x.running.pc++
	x.yield = x.yield || op.yields && done != m
}

// report sets lane i's operands for the report of a completed phase. They keep their values while the phase is not
// complete.
func (op *mbarrierWait) report(f *frame, r mbar.Report, i int) {
	if op.predicate != 0 {
		var set lanes
		if r.Predicate() {
			set = 1 << i
		}
		setPred(f, op.predicate, 1<<i, set)
	}
	if op.value != 0 {
		f.r32(op.value)[i] = uint32(r.Value())
	}
}

// waitedPhase returns the parity of the phase that a state or parity operand denotes. A phase is "indicated by the
// integer parity of the operand phaseParity" (PTX ISA 9.4, "mbarrier.test_wait, mbarrier.try_wait"): only the lowest
// bit counts, and ptxas shifts the others out.
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

// incompleteWait is the mbarrier that lanes of a warp have last found incomplete, for the report of a deadlock.
type incompleteWait struct {
	object *uint64
	addr   uint32 // shared address
	mask   lanes
}

// awaits records that lane i found the object at p incomplete.
func (w *warp) awaits(p *uint64, addr uint32, i int) {
	if w.awaited.object != p {
		w.awaited = incompleteWait{object: p, addr: addr}
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
		fmt.Fprintf(&text, "; the mbarrier at shared address 0x%x of block %v lacks %s", a.addr, w.warp.cta.index,
			b.Lacks())
	}
	return text.String()
}

// Non-bulk asynchronous copies (cp.async), the mbarriers on which asynchronous operations complete, and waits for
// these.

package async

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/flights"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// SemAsync is the semantics of asynchronous copies (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous
// copy"). flight.go and package flights decide when they take effect; addresses are checked immediately.
var SemAsync = map[string]state.DecodeFunc{"cp": decodeCopy}

// decodeCopy decodes cp.async and cp.reduce.async.
func decodeCopy(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	step, bulk := in.CopyGroups()
	switch {
	case in.Has("prefetch"):
		return DecodeHint(d, in)
	case in.Has("tensor"):
		return decodeTensorCopy(d, in)
	case step != isa.CopyGroupsNone:
		return decodeGroups(d, in, step, bulk)
	case in.Has("mbarrier"):
		return copyArrive(d, in)
	case in.Has("bulk"):
		return BulkCopy(d, in)
	}
	size := in.Operands[2].Imm
	if in.Operands[2].Kind != rewrite.OperandImm || size != 4 && size != 8 && size != 16 {
		return state.Inst{}, decode.Errorf(d, in, "%s: the size must be 4, 8 or 16", in.Text())
	}
	return copyBody(d, in, size)
}

// copyArrive: cp.async.mbarrier.arrive{.noinc} arrives when the earlier copies are complete. Without .noinc, it
// increments the pending count immediately.
func copyArrive(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	ac, out, err := mbarrierAccess(d, in, 0, isa.AccessReduce, false)
	noinc := in.Has("noinc")
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		forEachMbarrier(ac, x, in, in.A, m, func(i int, p *uint64) *diag.Violation {
			bad := flights.Update(x, x.CTA.Cluster, p, func(b *mbar.Object) *diag.Violation {
				if noinc {
					return nil
				}
				return b.More()
			})
			if bad == nil {
				StartFlight(x, in, state.Flight{Kind: state.FlightArrive, Signal: p}, i)
			}
			return bad
		})
		events.EmitMbarrier(x, in, abi.EventMbarrierCopyArrive, m, formIf(noinc, abi.FormUncounted), nil)
	}
	return out, err
}

// copyBody copies size bytes: the first src-size are read, the others are zero.
func copyBody(d *state.Decoder, in *rewrite.Inst, size uint64) (state.Inst, error) {
	to, out, err := memory.DecodeAccess(d, in, 0, isa.AccessStore, size)
	if err != nil {
		return state.Inst{}, err
	}
	from, src, err := memory.DecodeAccess(d, in, 1, isa.AccessLoad, size)
	if err != nil {
		return state.Inst{}, err
	}
	to.Space, from.Space = isa.SpaceShared, isa.SpaceGlobal
	to.Async, from.Async = abi.AsyncCopies, abi.AsyncCopies
	from.Carried = true
	out.B = src.A
	if out.C, err = sourceSize(d, in, size); err != nil {
		return state.Inst{}, err
	}
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		events.BeginAsync(x)
		events.Emit(from, x, in, in.B, m)
		events.Emit(to, x, in, in.A, m)
		tw, fw := memory.Window(to, x), memory.Window(from, x)
		a, b, n := x.Frame.R64(in.A), x.Frame.R64(in.B), x.Frame.R32(in.C)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			p := memory.Locate(to, x, in, &tw, a[i]+to.Off, i)
			if p == nil {
				return
			}
			t := state.Transfer{To: unsafe.Slice((*byte)(p), size)}
			if n := min(uint64(n[i]), size); n > 0 {
				q := memory.Locate(from, x, in, &fw, b[i]+from.Off, i)
				if q == nil {
					return
				}
				t.From = unsafe.Slice((*byte)(q), n)
				memory.Carry(x, in, to, a[i]+to.Off, from, b[i]+from.Off, n, i)
			}
			StartFlight(x, in, state.Flight{Transfer: t, Kind: state.FlightCopy}, i)
		}
	}
	return out, nil
}

// sourceSize returns the number of bytes that a copy of size bytes reads: the optional fourth operand, which may
// instead be a predicate that suppresses the read.
func sourceSize(d *state.Decoder, in *rewrite.Inst, size uint64) (state.Slot, error) {
	if n := len(in.Operands); n <= 3 || n == 4 && in.Has("L2::cache_hint") {
		return decode.Constant(d, 32, size), nil
	}
	op := &in.Operands[3]
	n, err := decode.Value(d, in, op, isa.U32)
	if err != nil || n.Typ != isa.Pred {
		return n.Slot, cmp.Or(err, decode.FitsType(d, in, op, isa.U32, n))
	}
	count := decode.Temp(d, 32)
	decode.Emit(d, state.Inst{D: count, A: n.Slot, Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
		d, ignore := x.Frame.R32(in.D), *x.Frame.P(in.A)
		for ; m != 0; m &= m - 1 {
			if d[m.First()] = uint32(size); ignore.Has(m.First()) {
				d[m.First()] = 0
			}
		}
	}})
	return count, nil
}

// signal is the mbarrier on which an asynchronous operation completes.
type signal struct {
	ac   *state.Access
	base state.Slot
}

// signalAt resolves operand i as the mbarrier of an asynchronous operation.
func signalAt(d *state.Decoder, in *rewrite.Inst, i int) (*signal, error) {
	ac, out, err := mbarrierAccess(d, in, i, isa.AccessReduce, true)
	if err != nil {
		return nil, err
	}
	ac.Cluster = true
	return &signal{ac, out.A}, nil
}

// addr returns the shared address of lane i's mbarrier, and whether it is in shared memory.
func (s *signal) addr(x *state.Engine, in *state.Inst, i int) (uint64, bool) {
	a := x.Frame.R64(s.base)[i] + s.ac.Off
	return a & (1<<gmem.SlotBits - 1), memory.CheckShared(x, in, a, s.ac.Space == isa.SpaceNone, i)
}

// object returns the mbarrier at a shared address of the cluster, nil after a fault.
func (s *signal) object(x *state.Engine, in *state.Inst, addr uint64, i int) *uint64 {
	shared := *s.ac
	shared.Space = isa.SpaceShared
	return (*uint64)(memory.Peer(&shared, x, in, addr, i))
}

// Waiting for the end of a phase of an mbarrier. mbarrier.try_wait does not suspend the thread: it yields and reports
// that the phase is not complete, as it may after its time limit. Threads that loop around it are parked like in any
// spin loop.

// mbarrierWait is a decoded test_wait or try_wait.
type mbarrierWait struct {
	ac          *state.Access
	parity      bool // the operand is the parity of the phase, not a state
	conditional bool // the phase is the conditional one
	yields      bool // try_wait
	// The report of the completed phase; 0 for none.
	predicate, value state.Slot
}

// decodeMbarrierWait decodes test_wait and try_wait. The time limit of try_wait is only a hint, and is ignored.
func decodeMbarrierWait(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	dst, report, err := decode.Pair(d, in, isa.Pred)
	if err != nil {
		return state.Inst{}, err
	}
	if dst.Typ != isa.Pred || report.Slot != 0 && report.Typ != isa.Pred {
		return state.Inst{}, decode.Errorf(d, in, "%s: the destination must be a predicate", in.Text())
	}
	op := &mbarrierWait{
		parity: in.Has("parity"), conditional: in.Has("phase_type::conditional"),
		yields: in.Has("try_wait"), predicate: report.Slot,
	}
	at := 1
	if in.Decoded.Operands[at].Spec.Name == "value" {
		v, wrong := decode.Target(d, in, &in.Operands[at], isa.B8)
		if wrong != nil {
			return state.Inst{}, wrong
		}
		op.value, at = v.Slot, at+1
	}
	ac, out, err := mbarrierAccess(d, in, at, isa.AccessLoad, false)
	if err != nil {
		return state.Inst{}, err
	}
	op.ac = ac
	t := isa.B64
	if op.parity {
		t = isa.U32
	}
	which, err := decode.Value(d, in, &in.Operands[at+1], t)
	if err != nil {
		return state.Inst{}, err
	}
	out.D, out.B, out.Body = dst.Slot, which.Slot, op.exec
	out.Flags |= state.FlagControl
	return out, decode.FitsType(d, in, &in.Operands[at+1], t, which)
}

func (op *mbarrierWait) exec(x *state.Engine, in *state.Inst, m state.Lanes) {
	w, done := x.Warp, state.Lanes(0)
	forEachMbarrier(op.ac, x, in, in.A, m, func(i int, p *uint64) *diag.Violation {
		phase, bad := waitedPhase(x.Frame.Word(in.B, !op.parity, i), op.parity)
		if bad != nil {
			return bad
		}
		flights.CompleteSignals(x, p)
		return flights.Update(x, x.CTA.Cluster, p, func(b *mbar.Object) *diag.Violation {
			passed, primary := b.Passed(phase, op.conditional)
			events.NotePhase(x, i, primary)
			if !passed {
				awaits(w, p, uint32(x.Frame.R64(in.A)[i]+op.ac.Off), i)
				return nil
			}
			done |= 1 << i
			op.report(x.Frame, b.Completed, i)
			return nil
		})
	})
	if x.Fault != nil {
		return
	}
	w.Awaited.Mask &^= done
	decode.SetPred(x.Frame, in.D, m, done)
	events.EmitMbarrier(x, in, abi.EventMbarrierPass, done, formIf(op.conditional, abi.FormConditional), nil)
	x.Running.PC++
	x.Yield = x.Yield || op.yields && done != m
}

// report sets lane i's operands for the report of a completed phase. They keep their values while the phase is not
// complete.
func (op *mbarrierWait) report(f *state.Frame, r mbar.Report, i int) {
	if op.predicate != 0 {
		var set state.Lanes
		if r.Predicate() {
			set = 1 << i
		}
		decode.SetPred(f, op.predicate, 1<<i, set)
	}
	if op.value != 0 {
		f.R32(op.value)[i] = uint32(r.Value())
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

// awaits records that lane i found the object at p incomplete.
func awaits(w *state.Warp, p *uint64, addr uint32, i int) {
	if w.Awaited.Object != p {
		w.Awaited = state.IncompleteWait{Object: p, Addr: addr}
	}
	w.Awaited.Mask |= 1 << i
}

// DescribeMbarriers describes what the mbarriers that spinning threads wait for are missing.
func DescribeMbarriers(ws []faults.Waiter) string {
	var text strings.Builder
	var seen []*uint64
	for _, w := range ws {
		a := &w.Warp.Awaited
		if w.State != state.GroupParked || a.Mask&w.Mask == 0 || slices.Contains(seen, a.Object) {
			continue
		}
		b, ok := mbar.Unpack(*a.Object)
		if !ok {
			continue
		}
		if seen = append(seen, a.Object); len(seen) > faults.MaxPlaces {
			break
		}
		fmt.Fprintf(&text, "; the mbarrier at shared address 0x%x of block %v lacks %s", a.Addr, w.Warp.CTA.Index,
			b.Lacks())
	}
	return text.String()
}

// DecodeHint decodes instructions that only affect caches.
func DecodeHint(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	return state.Inst{Body: func(*state.Engine, *state.Inst, state.Lanes) {}}, nil
}

// Atomic operations and reductions.

package exec

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/async"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/weak"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// reads reports whether an instruction of the body reads r.
func reads(b *state.Body, r *rewrite.Reg) bool {
	if b.Read == nil {
		b.Read = make([]bool, len(b.Src.Regs))
		for _, in := range b.Src.Insts {
			in.Uses(func(r *rewrite.Reg) { b.Read[r.Index] = true })
		}
	}
	return b.Read[r.Index]
}

// ToEnd is a branch target: the end of the body, before its index is known.
const ToEnd = -2

// semAtomic is the semantics of atom and red (PTX ISA, "Parallel Synchronization and Communication Instructions"). The
// lanes of a warp execute their operations one after the other, in ascending order.
var semAtomic = map[string]state.DecodeFunc{
	"atom": decodeAtomic,
	"red":  decodeAtomic,
}

// atomic returns the body of atom and red with operands in registers viewed as R and memory as T.
func atomic[T async.Stored, R decode.Word](ac *state.Access, op async.AtomicOp[T]) state.BodyFunc {
	result, mask := ac.Kind == isa.AccessAtomic, events.LowBits(8*int(ac.Size))
	ac.Noted = true
	ac.Redo = func(b, c, old *state.Vec64, m state.Lanes) (done state.Lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.First()
			if !ac.Compares || T(old[i]) == T(b[i]) {
				done |= 1 << i
			}
			b[i] = uint64(op(T(old[i]), T(b[i]), T(c[i]))) & mask
		}
		return done
	}
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		all := m
		if x.Listener != nil {
			events.PrepareEmit(ac, x, in.A, m)
		}
		w := memory.Window(ac, x)
		a, b, c, d := x.Frame.R64(in.A), decode.View[R](x.Frame, in.B), decode.View[R](x.Frame, in.C),
			decode.View[R](x.Frame, in.D)
		changed := false
		for ; m != 0; m &= m - 1 {
			i := m.First()
			p := (*T)(memory.Locate(ac, x, in, &w, a[i]+ac.Off, i))
			if p == nil {
				break
			}
			old := *p
			v := op(old, T(b[i]), T(c[i]))
			if x.Listener != nil {
				events.Note(&x.Values, i, uint64(old)&mask, uint64(v)&mask, !ac.Compares || old == T(b[i]))
			}
			if v != old {
				*p = v
				changed = true
			}
			if result {
				d[i] = R(old)
			}
		}
		if changed {
			x.Changed(ac)
		}
		if x.Listener != nil {
			events.EmitPrepared(ac, x, in, all)
		}
	}
}

// decodeAtomic decodes atom and red.
func decodeAtomic(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	if in.Has("async") && len(in.Operands) == 3 { // with an mbarrier
		return async.DecodeReduce(d, in)
	}
	first := in.Access.Addr // number of operands before the address: 1 for the result of atom
	t := in.Decoded.Operands[first+1].Type
	if in.Decoded.Operands[first+1].Vec > 1 || t.Bits() == 128 || t.Lanes() > 1 && d.M.Cfg.Memory == weak.PTX {
		return atomicVector(d, in, first, t)
	}
	ac, out, err := memory.DecodeAccess(d, in, first, in.Access.Kind, uint64(t.Size()))
	if err != nil {
		return state.Inst{}, err
	}
	ac.Compares = in.Access.AtomOp == "cas"
	if in.Access.AtomOp == "exch" {
		ac.Value = in
	}
	slots := []*state.Slot{&out.B, &out.C}
	for i := first + 1; i < len(in.Operands) && i <= first+len(slots); i++ {
		if in.Decoded.Operands[i].Type != t { // the cache policy
			break
		}
		s, err := decode.Src(d, in, i)
		if err != nil {
			return state.Inst{}, err
		}
		if err := decode.Fits(d, in, i, s); err != nil {
			return state.Inst{}, err
		}
		*slots[i-first-1] = s.Slot
	}
	out.D = decode.Temp(d, events.SlotBits(t))
	if first > 0 {
		dst, err := decode.Dst(d, in)
		if err != nil {
			return state.Inst{}, err
		}
		if err := decode.Fits(d, in, 0, dst); err != nil {
			return state.Inst{}, err
		}
		out.D = dst.Slot
	}
	if out.Body = atomicBody(ac, in.Access.AtomOp, t); out.Body == nil {
		return state.Inst{}, decode.Unsupported(d, in, "%s", in.Text())
	}
	if weak.Weakly(d, ac) {
		out.Body = weak.Scalar(ac, t, out)
		if first == 0 {
			out.Body = weak.Scalar(ac, t, state.Inst{B: out.B, C: out.C})
		}
		return out, nil
	}
	op := lowering.Atomic(in.Access.AtomOp, t, ac.Space)
	if unread, ok := lowering.Unread[op]; ok && d.M.Cfg.Listener == nil &&
		(first == 0 || in.Operands[0].Reg != nil && !reads(d.Body, in.Operands[0].Reg)) {
		op = unread
	}
	memoryOfInst(&out, op, ac, nil)
	return out, nil
}

// atomicBody returns the body for an operation and type, nil if there is none.
func atomicBody(ac *state.Access, op string, t isa.Type) state.BodyFunc {
	switch t {
	case isa.U32, isa.B32:
		return wordAtomic[uint32, uint32](ac, op)
	case isa.S32:
		return wordAtomic[int32, int32](ac, op)
	case isa.U64, isa.B64:
		return wordAtomic[uint64, uint64](ac, op)
	case isa.S64:
		return wordAtomic[int64, int64](ac, op)
	case isa.B16:
		return wordAtomic[uint16, uint32](ac, op)
	case isa.F32:
		switch op {
		case "add":
			return addF32(ac)
		case "exch":
			return wordAtomic[uint32, uint32](ac, op)
		}
	case isa.F64:
		switch op {
		case "add":
			return atomic[uint64, uint64](ac, func(old, b, _ uint64) uint64 { return num.AddF64(old, b, num.RN) })
		case "exch":
			return wordAtomic[uint64, uint64](ac, op)
		}
	case isa.F16x2, isa.BF16x2:
		if fn := async.HalfAtomic(op, t); fn != nil {
			return atomic[uint32, uint32](ac, func(old, b, _ uint32) uint32 { return num.Pair(old, b, fn) })
		}
	case isa.F16, isa.BF16:
		if fn := async.HalfAtomic(op, t); fn != nil {
			return atomic[uint16, uint32](ac, func(old, b,
				_ uint16,
			) uint16 {
				return uint16(fn(uint32(old), uint32(b)))
			})
		}
	}
	return nil
}

// wordAtomic returns the body of an operation on integers or bits.
func wordAtomic[T async.Stored, R decode.Word](ac *state.Access, op string) state.BodyFunc {
	fn := async.WordAtomicOp[T](op)
	if fn == nil {
		return nil
	}
	body := atomic[T, R](ac, fn)
	if row, each := redoRow(op, events.LowBits(8*int(ac.Size))), ac.Redo; row != nil {
		ac.Redo = func(b, c, old *state.Vec64, m state.Lanes) state.Lanes {
			if m.Count() < leastRedoneRow {
				return each(b, c, old, m)
			}
			row(b, old)
			return m
		}
	}
	return body
}

// leastRedoneRow is the least number of lanes for which redoRow takes less time than the lanes one by one.
const leastRedoneRow = 8

// redoRow returns a function that computes for all lanes the values that an operation writes, as Access.Redo does. It
// returns nil unless the operation is a frequent one and always writes.
func redoRow(op string, mask uint64) func(b, old *state.Vec64) {
	const step = 4 // the compiler would check for nil in each round of a loop over all lanes
	switch op {
	case "add":
		return func(b, old *state.Vec64) {
			for i := 0; i < state.WarpSize; i += step {
				x, y := (*[step]uint64)(b[i:]), (*[step]uint64)(old[i:])
				x[0] = (x[0] + y[0]) & mask
				x[1] = (x[1] + y[1]) & mask
				x[2] = (x[2] + y[2]) & mask
				x[3] = (x[3] + y[3]) & mask
			}
		}
	case "or":
		return func(b, old *state.Vec64) {
			for i := 0; i < state.WarpSize; i += step {
				x, y := (*[step]uint64)(b[i:]), (*[step]uint64)(old[i:])
				x[0] |= y[0]
				x[1] |= y[1]
				x[2] |= y[2]
				x[3] |= y[3]
			}
		}
	case "exch":
		return func(_, _ *state.Vec64) {}
	}
	return nil
}

// addF32 returns the body of atom.add.f32. On global memory it flushes subnormal operands and results to zero, on
// shared memory it does not (PTX ISA, atom).
func addF32(ac *state.Access) state.BodyFunc {
	keep := atomic[uint32, uint32](ac, func(old, b, _ uint32) uint32 { return num.AddF32(old, b, num.Mode{}) })
	flush := atomic[uint32, uint32](ac, func(old, b, _ uint32) uint32 {
		return num.AddF32(old, b,
			num.Mode{Ftz: true})
	})
	switch ac.Space {
	case isa.SpaceShared:
		return keep
	case isa.SpaceNone:
		return func(x *state.Engine, in *state.Inst, m state.Lanes) {
			shared := sharedLanes(x, in.A, ac.Off, m)
			if shared != 0 {
				keep(x, in, shared)
			}
			if m &^= shared; m != 0 {
				flush(x, in, m)
			}
		}
	}
	return flush
}

// sharedLanes returns the lanes whose generic address is in shared memory.
func sharedLanes(x *state.Engine, base state.Slot, off uint64, m state.Lanes) (shared state.Lanes) {
	a := x.Frame.R64(base)
	for ; m != 0; m &= m - 1 {
		i := m.First()
		if (a[i]+off)>>gmem.SlotBits == gmem.SharedWindow>>gmem.SlotBits {
			shared |= 1 << i
		}
	}
	return shared
}

// maxVector is the greatest number of elements of an atomic operation.
const maxVector = 8

// atomicVector decodes the forms with vectors, whose elements are updated one by one, and those of 128 bits.
func atomicVector(d *state.Decoder, in *rewrite.Inst, first int, t isa.Type) (state.Inst, error) {
	op := async.VectorAtomicOp(in.Access.AtomOp, t)
	if op == nil {
		return state.Inst{}, decode.Unsupported(d, in, "%s", in.Text())
	}
	n := max(in.Decoded.Operands[first+1].Vec, 1)
	ac, out, err := memory.DecodeAccess(d, in, first, in.Access.Kind, uint64(n*t.Size()))
	if err != nil {
		return state.Inst{}, err
	}
	var b, c, dst []state.Operand
	if b, err = decode.MemRegs(d, in, first+1, false); err != nil {
		return state.Inst{}, err
	}
	c = b
	if in.Access.AtomOp == "cas" {
		if c, err = decode.MemRegs(d, in, first+2, false); err != nil {
			return state.Inst{}, err
		}
	}
	if first > 0 {
		if dst, err = decode.MemRegs(d, in, 0, true); err != nil {
			return state.Inst{}, err
		}
	}
	ac.Noted, ac.Compares = true, in.Access.AtomOp == "cas"
	if weak.Weakly(d, ac) {
		op = async.VectorAtomicOp(in.Access.AtomOp, halfOf(t))
		of, given := weak.ScalarsOf(t, b)
		_, next := weak.ScalarsOf(t, c)
		_, found := weak.ScalarsOf(t, dst)
		out.Body = weak.Atomic(ac, of, given, next, found,
			func(_ *state.Engine, _ uint64, old, b, c [2]uint64) ([2]uint64, bool) {
				return op(old, b, c), !ac.Compares || old == b
			})
		return out, nil
	}
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		if x.Listener != nil {
			events.PrepareEmit(ac, x, in.A, m)
			defer events.EmitPrepared(ac, x, in, m)
		}
		w := memory.Window(ac, x)
		a := x.Frame.R64(in.A)
		var found [maxVector][2]uint64
		for ; m != 0; m &= m - 1 {
			i := m.First()
			p := memory.Locate(ac, x, in, &w, a[i]+ac.Off, i)
			if p == nil {
				return
			}
			for k := range b {
				bits := events.SlotBits(b[k].Typ)
				old, given := state.Peek(p, t), x.Frame.Lane(b[k].Slot, bits, i)
				v := op(old, given, x.Frame.Lane(c[k].Slot, bits, i))
				if state.Poke(p, t, v) {
					x.Changed(ac)
				}
				events.NoteElement(&x.Values, i, k*t.Bits(), old[0], v[0], !ac.Compares || old == given)
				found[k] = old
				p = unsafe.Add(p, t.Size())
			}
			for k := range dst { // they may be in the registers of operands
				x.Frame.SetLane(dst[k].Slot, events.SlotBits(dst[k].Typ), i, found[k])
			}
		}
	}
	return out, nil
}

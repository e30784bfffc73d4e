// Atomic operations: atom and red.

package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semAtomic is the semantics of atom and red (PTX ISA, "Parallel Synchronization and Communication Instructions"). The
// lanes of a warp execute their operations one after the other, in ascending order.
var semAtomic = map[string]decodeFunc{
	"atom": decodeAtomic,
	"red":  decodeAtomic,
}

// atomicOp computes the new value at an address from the old one and the operands.
type atomicOp[T stored] func(old, b, c T) T

// atomic returns the body of atom and red with operands in registers viewed as R and memory as T.
func atomic[T stored, R word](ac *access, op atomicOp[T]) bodyFunc {
	result, mask := ac.kind == isa.AccessAtomic, lowBits(8*int(ac.size))
	ac.noted = true
	ac.redo = func(b, c, old *vec64, m lanes) (done lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.first()
			if !ac.compares || T(old[i]) == T(b[i]) {
				done |= 1 << i
			}
			b[i] = uint64(op(T(old[i]), T(b[i]), T(c[i]))) & mask
		}
		return done
	}
	return func(x *engine, in *inst, m lanes) {
		all := m
		if x.listener != nil {
			ac.prepareEmit(x, in.a, m)
		}
		w := ac.window(x)
		a, b, c, d := x.frame.r64(in.a), view[R](x.frame, in.b), view[R](x.frame, in.c), view[R](x.frame, in.d)
		changed := false
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := (*T)(ac.locate(x, in, &w, a[i]+ac.off, i))
			if p == nil {
				break
			}
			old := *p
			v := op(old, T(b[i]), T(c[i]))
			if x.listener != nil {
				x.values.note(i, uint64(old)&mask, uint64(v)&mask, !ac.compares || old == T(b[i]))
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
			x.changed(ac)
		}
		if x.listener != nil {
			ac.emitPrepared(x, in, all)
		}
	}
}

// decodeAtomic decodes atom and red.
func decodeAtomic(d *decoder, in *rewrite.Inst) (inst, error) {
	if in.Has("async") && len(in.Operands) == 3 { // with an mbarrier
		return d.asyncReduce(in)
	}
	first := in.Access.Addr // number of operands before the address: 1 for the result of atom
	t := in.Decoded.Operands[first+1].Type
	if in.Decoded.Operands[first+1].Vec > 1 || t.Bits() == 128 || t.Lanes() > 1 && d.m.cfg.Memory == PTX {
		return d.atomicVector(in, first, t)
	}
	ac, out, err := d.decodeAccess(in, first, in.Access.Kind, uint64(t.Size()))
	if err != nil {
		return inst{}, err
	}
	ac.compares = in.Access.AtomOp == "cas"
	if in.Access.AtomOp == "exch" {
		ac.value = in
	}
	slots := []*slot{&out.b, &out.c}
	for i := first + 1; i < len(in.Operands) && i <= first+len(slots); i++ {
		if in.Decoded.Operands[i].Type != t { // the cache policy
			break
		}
		s, err := d.src(in, i)
		if err != nil {
			return inst{}, err
		}
		if err := d.fits(in, i, s); err != nil {
			return inst{}, err
		}
		*slots[i-first-1] = s.slot
	}
	out.d = d.temp(slotBits(t))
	if first > 0 {
		dst, err := d.dst(in)
		if err != nil {
			return inst{}, err
		}
		if err := d.fits(in, 0, dst); err != nil {
			return inst{}, err
		}
		out.d = dst.slot
	}
	if out.body = atomicBody(ac, in.Access.AtomOp, t); out.body == nil {
		return inst{}, d.unsupported(in, "%s", in.Text())
	}
	if d.weakly(ac) {
		out.body = weakScalar(ac, t, out)
		if first == 0 {
			out.body = weakScalar(ac, t, inst{b: out.b, c: out.c})
		}
		return out, nil
	}
	op := lowering.Atomic(in.Access.AtomOp, t, ac.space)
	if unread, ok := lowering.Unread[op]; ok && d.m.cfg.Listener == nil &&
		(first == 0 || in.Operands[0].Reg != nil && !d.body.reads(in.Operands[0].Reg)) {
		op = unread
	}
	out.memory(op, ac, nil)
	return out, nil
}

// atomicBody returns the body for an operation and type, nil if there is none.
func atomicBody(ac *access, op string, t isa.Type) bodyFunc {
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
		if fn := halfAtomic(op, t); fn != nil {
			return atomic[uint32, uint32](ac, func(old, b, _ uint32) uint32 { return num.Pair(old, b, fn) })
		}
	case isa.F16, isa.BF16:
		if fn := halfAtomic(op, t); fn != nil {
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
func wordAtomic[T stored, R word](ac *access, op string) bodyFunc {
	fn := wordAtomicOp[T](op)
	if fn == nil {
		return nil
	}
	body := atomic[T, R](ac, fn)
	if row, each := redoRow(op, lowBits(8*int(ac.size))), ac.redo; row != nil {
		ac.redo = func(b, c, old *vec64, m lanes) lanes {
			if m.count() < leastRedoneRow {
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

// redoRow returns a function that computes for all lanes the values that an operation writes, as access.redo does. It
// returns nil unless the operation is a frequent one and always writes.
func redoRow(op string, mask uint64) func(b, old *vec64) {
	const step = 4 // the compiler would check for nil in each round of a loop over all lanes
	switch op {
	case "add":
		return func(b, old *vec64) {
			for i := 0; i < warpSize; i += step {
				x, y := (*[step]uint64)(b[i:]), (*[step]uint64)(old[i:])
				x[0] = (x[0] + y[0]) & mask
				x[1] = (x[1] + y[1]) & mask
				x[2] = (x[2] + y[2]) & mask
				x[3] = (x[3] + y[3]) & mask
			}
		}
	case "or":
		return func(b, old *vec64) {
			for i := 0; i < warpSize; i += step {
				x, y := (*[step]uint64)(b[i:]), (*[step]uint64)(old[i:])
				x[0] |= y[0]
				x[1] |= y[1]
				x[2] |= y[2]
				x[3] |= y[3]
			}
		}
	case "exch":
		return func(_, _ *vec64) {}
	}
	return nil
}

func wordAtomicOp[T stored](op string) atomicOp[T] {
	switch op {
	case "add":
		return func(old, b, _ T) T { return old + b }
	case "and":
		return func(old, b, _ T) T { return old & b }
	case "or":
		return func(old, b, _ T) T { return old | b }
	case "xor":
		return func(old, b, _ T) T { return old ^ b }
	case "exch":
		return func(_, b, _ T) T { return b }
	case "min":
		return func(old, b, _ T) T { return min(old, b) }
	case "max":
		return func(old, b, _ T) T { return max(old, b) }
	case "cas":
		return func(old, b, c T) T { return pick(old == b, c, old) }
	case "inc":
		return func(old, b, _ T) T { return pick(old >= b, 0, old+1) }
	case "dec":
		return func(old, b, _ T) T { return pick(old == 0 || old > b, b, old-1) }
	}
	return nil
}

// addF32 returns the body of atom.add.f32. On global memory it flushes subnormal operands and results to zero, on
// shared memory it does not (PTX ISA, atom).
func addF32(ac *access) bodyFunc {
	keep := atomic[uint32, uint32](ac, func(old, b, _ uint32) uint32 { return num.AddF32(old, b, num.Mode{}) })
	flush := atomic[uint32, uint32](ac, func(old, b, _ uint32) uint32 {
		return num.AddF32(old, b,
			num.Mode{Ftz: true})
	})
	switch ac.space {
	case isa.SpaceShared:
		return keep
	case isa.SpaceNone:
		return func(x *engine, in *inst, m lanes) {
			shared := sharedLanes(x, in.a, ac.off, m)
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
func sharedLanes(x *engine, base slot, off uint64, m lanes) (shared lanes) {
	a := x.frame.r64(base)
	for ; m != 0; m &= m - 1 {
		i := m.first()
		if (a[i]+off)>>gmem.SlotBits == gmem.SharedWindow>>gmem.SlotBits {
			shared |= 1 << i
		}
	}
	return shared
}

// halfAtomic returns the operation on one f16 or bf16, which keeps subnormals.
func halfAtomic(op string, t isa.Type) func(old, b uint32) uint32 {
	f := halfFormat(t)
	switch op {
	case "add":
		return func(old, b uint32) uint32 { return f.Add(old, b, num.Mode{}) }
	case "min", "max":
		mm := num.MinMax{Max: op == "max"}
		return func(old, b uint32) uint32 { return uint32(mm.Select(f, uint64(old), uint64(b))) }
	}
	return nil
}

// maxVector is the greatest number of elements of an atomic operation.
const maxVector = 8

// elementOp is the operation on one element of a vector, or on 128 bits.
type elementOp func(old, b, c [2]uint64) [2]uint64

// atomicVector decodes the forms with vectors, whose elements are updated one by one, and those of 128 bits.
func (d *decoder) atomicVector(in *rewrite.Inst, first int, t isa.Type) (inst, error) {
	op := vectorAtomicOp(in.Access.AtomOp, t)
	if op == nil {
		return inst{}, d.unsupported(in, "%s", in.Text())
	}
	n := max(in.Decoded.Operands[first+1].Vec, 1)
	ac, out, err := d.decodeAccess(in, first, in.Access.Kind, uint64(n*t.Size()))
	if err != nil {
		return inst{}, err
	}
	var b, c, dst []operand
	if b, err = d.memRegs(in, first+1, false); err != nil {
		return inst{}, err
	}
	c = b
	if in.Access.AtomOp == "cas" {
		if c, err = d.memRegs(in, first+2, false); err != nil {
			return inst{}, err
		}
	}
	if first > 0 {
		if dst, err = d.memRegs(in, 0, true); err != nil {
			return inst{}, err
		}
	}
	ac.noted, ac.compares = true, in.Access.AtomOp == "cas"
	if d.weakly(ac) {
		op = vectorAtomicOp(in.Access.AtomOp, halfOf(t))
		of, given := scalarsOf(t, b)
		_, next := scalarsOf(t, c)
		_, found := scalarsOf(t, dst)
		out.body = weakAtomic(ac, of, given, next, found,
			func(_ *engine, _ uint64, old, b, c [2]uint64) ([2]uint64, bool) {
				return op(old, b, c), !ac.compares || old == b
			})
		return out, nil
	}
	out.body = func(x *engine, in *inst, m lanes) {
		if x.listener != nil {
			ac.prepareEmit(x, in.a, m)
			defer ac.emitPrepared(x, in, m)
		}
		w := ac.window(x)
		a := x.frame.r64(in.a)
		var found [maxVector][2]uint64
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := ac.locate(x, in, &w, a[i]+ac.off, i)
			if p == nil {
				return
			}
			for k := range b {
				bits := slotBits(b[k].typ)
				old, given := peek(p, t), x.frame.lane(b[k].slot, bits, i)
				v := op(old, given, x.frame.lane(c[k].slot, bits, i))
				if poke(p, t, v) {
					x.changed(ac)
				}
				x.values.noteElement(i, k*t.Bits(), old[0], v[0], !ac.compares || old == given)
				found[k] = old
				p = unsafe.Add(p, t.Size())
			}
			for k := range dst { // they may be in the registers of operands
				x.frame.setLane(dst[k].slot, slotBits(dst[k].typ), i, found[k])
			}
		}
	}
	return out, nil
}

func vectorAtomicOp(op string, t isa.Type) elementOp {
	switch {
	case t.Bits() == 128 && op == "exch":
		return func(_, b, _ [2]uint64) [2]uint64 { return b }
	case t.Bits() == 128 && op == "cas":
		return func(old, b, c [2]uint64) [2]uint64 { return pick(old == b, c, old) }
	case t == isa.F32 && op == "add":
		return func(old, b, _ [2]uint64) [2]uint64 {
			return [2]uint64{uint64(num.AddF32(uint32(old[0]), uint32(b[0]), num.Mode{Ftz: true}))}
		}
	case halfFormat(t) == nil:
		return nil
	}
	fn := halfAtomic(op, t)
	if fn == nil {
		return nil
	}
	return func(old, b, _ [2]uint64) [2]uint64 {
		if t.Lanes() == 2 {
			return [2]uint64{uint64(num.Pair(uint32(old[0]), uint32(b[0]), fn))}
		}
		return [2]uint64{uint64(fn(uint32(old[0]), uint32(b[0])))}
	}
}

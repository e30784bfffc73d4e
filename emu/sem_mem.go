// Loads and stores: of one value, of several words, of vectors and of elements of 128 bits.

package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/undefined"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semMemory is the semantics of loads and stores (PTX ISA, "Data Movement and Conversion Instructions"). Values in
// memory are little-endian; the host must be little-endian too. There are no caches: cache operators and eviction
// priorities have no effect.
var semMemory = map[string]decodeFunc{
	"ld":  decodeLoad,
	"ldu": decodeLoad,
	"st":  decodeStore,

	"multimem": decodeMultimem,
}

// decodeMultimem decodes all of multimem. On the single emulated device, a multicast object has one replica, whose
// address stands for that of the object: a reduction over all replicas returns the one value, and a store to all
// replicas stores once.
func decodeMultimem(d *decoder, in *rewrite.Inst) (inst, error) {
	switch {
	case in.Has("bulk"):
		return d.bulkCopy(in)
	case in.Has("ld_reduce"):
		return decodeLoad(d, in)
	case in.Has("st"):
		return decodeStore(d, in)
	}
	return decodeAtomic(d, in)
}

// stored is an integer type in memory.
type stored interface {
	~uint8 | ~int8 | ~uint16 | ~int16 | ~uint32 | ~int32 | ~uint64 | ~int64
}

// load returns the body of a scalar load: memory holds T, the register D.
func load[T stored, D word](ac *access) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		if x.listener != nil {
			ac.emit(x, in, in.a, m)
		}
		w := ac.window(x)
		d, a := view[D](x.frame, in.d), x.frame.r64(in.a)
		size := uint64(unsafe.Sizeof(*new(T)))
		for h := 0; h < warpSize; h += halfWarp {
			part := m >> h & fullHalf
			if part == fullHalf {
				if r, ok := w.run((*[halfWarp]uint64)(a[h:]), ac.off, size, h); ok {
					loadRun[T]((*[halfWarp]D)(d[h:]), r)
					continue
				}
			}
			for ; part != 0; part &= part - 1 {
				i := h + part.first()
				addr := a[i] + ac.off
				if o := addr - w.Base; o < w.Lim && addr&(size-1) == 0 {
					d[i] = D(*(*T)(unsafe.Add(w.Ptr, o+uint64(i)*w.stride)))
					continue
				}
				p := ac.slowPath(x, in, &w, addr, i)
				if p == nil {
					return
				}
				d[i] = D(*(*T)(p))
			}
		}
	}
}

// loadRun loads from a run.
func loadRun[T stored, D word](d *[halfWarp]D, r run) {
	switch size := uint64(unsafe.Sizeof(*new(T))); {
	case r.step == size && unsafe.Sizeof(d[0]) == uintptr(size):
		*d = *(*[halfWarp]D)(r.ptr)
	case r.step == 0:
		v := D(*(*T)(r.ptr))
		for i := range d {
			d[i] = v
		}
	default:
		for i := range d {
			d[i] = D(*(*T)(unsafe.Add(r.ptr, uint64(i)*r.step)))
		}
	}
}

// store returns the body of a scalar store.
func store[T stored, S word](ac *access) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		if x.listener != nil {
			ac.emit(x, in, in.a, m)
		}
		w := ac.window(x)
		b, a := view[S](x.frame, in.b), x.frame.r64(in.a)
		size := uint64(unsafe.Sizeof(*new(T)))
		var changed T
		for h := 0; h < warpSize; h += halfWarp {
			part := m >> h & fullHalf
			if part == fullHalf {
				if r, ok := w.run((*[halfWarp]uint64)(a[h:]), ac.off, size, h); ok {
					changed |= storeRun[T]((*[halfWarp]S)(b[h:]), r)
					continue
				}
			}
			for ; part != 0; part &= part - 1 {
				i := h + part.first()
				p := (*T)(ac.locate(x, in, &w, a[i]+ac.off, i))
				if p == nil {
					m = 0
					break
				}
				v := T(b[i])
				changed |= *p ^ v
				*p = v
			}
		}
		if changed != 0 {
			x.changed(ac)
		}
	}
}

// storeRun stores to a run and returns the bits that it changed.
func storeRun[T stored, S word](b *[halfWarp]S, r run) (changed T) {
	for i, v := range b {
		p := (*T)(unsafe.Add(r.ptr, uint64(i)*r.step))
		changed |= *p ^ T(v)
		*p = T(v)
	}
	return changed
}

// loadBody selects the body by the type in memory and the width of the register: integers are sign- or zero-extended
// according to their type, others zero-extended.
func loadBody(t isa.Type, reg isa.Type) func(*access) bodyFunc {
	signed := t.Signed()
	switch reg.Bits() {
	case 8, 16:
		switch {
		case t == isa.S8 && reg.Bits() == 16:
			return loadS8U16
		case t.Bits() == 8:
			return load[uint8, uint32]
		}
		return load[uint16, uint32]
	case 32:
		switch {
		case t.Bits() == 8 && signed:
			return load[int8, int32]
		case t.Bits() == 8:
			return load[uint8, uint32]
		case t.Bits() == 16 && signed:
			return load[int16, int32]
		case t.Bits() == 16:
			return load[uint16, uint32]
		}
		return load[uint32, uint32]
	}
	switch {
	case t.Bits() == 8 && signed:
		return load[int8, int64]
	case t.Bits() == 8:
		return load[uint8, uint64]
	case t.Bits() == 16 && signed:
		return load[int16, int64]
	case t.Bits() == 16:
		return load[uint16, uint64]
	case t.Bits() == 32 && signed:
		return load[int32, int64]
	case t.Bits() == 32:
		return load[uint32, uint64]
	}
	return load[uint64, uint64]
}

// loadS8U16 loads a signed byte into a 16-bit register.
func loadS8U16(ac *access) bodyFunc {
	body := load[int8, int32](ac)
	return func(x *engine, in *inst, m lanes) {
		body(x, in, m)
		d := x.frame.r32(in.d)
		for ; m != 0; m &= m - 1 {
			d[m.first()] &= 0xffff
		}
	}
}

// storeBody selects the body by the type in memory and the width of the register.
func storeBody(t isa.Type, wide bool) func(*access) bodyFunc {
	switch {
	case t.Bits() == 8 && wide:
		return store[uint8, uint64]
	case t.Bits() == 8:
		return store[uint8, uint32]
	case t.Bits() == 16 && wide:
		return store[uint16, uint64]
	case t.Bits() == 16:
		return store[uint16, uint32]
	case t.Bits() == 32 && wide:
		return store[uint32, uint64]
	case t.Bits() == 32:
		return store[uint32, uint32]
	}
	return store[uint64, uint64]
}

// decodeLoad decodes ld and ldu.
func decodeLoad(d *decoder, in *rewrite.Inst) (inst, error) {
	regs, err := d.memRegs(in, 0, true)
	if err != nil {
		return inst{}, err
	}
	t := in.Decoded.Operands[0].Type
	ac, out, err := d.decodeAccess(in, 1, isa.AccessLoad, uint64(len(regs)*t.Size()))
	if err != nil {
		return inst{}, err
	}
	if undefined.FlowOf(in) == undefined.Loads {
		ac.value = in
	}
	op := lowering.LoadTuple(t, typesOf(regs), ac.space)
	switch {
	case len(regs) == 1 && t.Bits() <= 64:
		out.d = regs[0].slot
		out.body = loadBody(t, regs[0].typ)(ac)
		op = lowering.Load(t, regs[0].typ, ac.space)
	case allOf(regs, 32) && t.Bits() == 32:
		out.body = loadWords[uint32](ac, regs)
	case allOf(regs, 64) && t.Bits() == 64:
		out.body = loadWords[uint64](ac, regs)
	default:
		out.body = loadVector(ac, t, regs)
	}
	out.memory(op, ac, regs)
	if d.weakly(ac) {
		out.body = weakLoad(ac, t, regs, out.body)
		if in.Strong() || ac.space == isa.SpaceShared {
			out.op, out.form = vector.Slow, nil
		}
	}
	return out, nil
}

// decodeStore decodes st.
func decodeStore(d *decoder, in *rewrite.Inst) (inst, error) {
	switch {
	case in.Has("async") && len(in.Operands) == 3: // with an mbarrier
		return d.asyncStore(in, nil)
	case in.Has("bulk"):
		return d.bulkStore(in)
	}
	regs, err := d.memRegs(in, 1, false)
	if err != nil {
		return inst{}, err
	}
	t := in.Decoded.Operands[1].Type
	ac, out, err := d.decodeAccess(in, 0, isa.AccessStore, uint64(len(regs)*t.Size()))
	if err != nil {
		return inst{}, err
	}
	ac.stores, ac.elem = regs, t
	op := lowering.StoreTuple(t, typesOf(regs), ac.space)
	switch {
	case len(regs) == 1 && t.Bits() <= 64:
		out.b = regs[0].slot
		out.body = storeBody(t, regs[0].wide())(ac)
		op = lowering.Store(t, regs[0].wide(), ac.space)
	case allOf(regs, 32) && t.Bits() == 32:
		out.body = storeWords[uint32](ac, regs)
	case allOf(regs, 64) && t.Bits() == 64:
		out.body = storeWords[uint64](ac, regs)
	default:
		out.body = storeVector(ac, t, regs)
	}
	out.memory(op, ac, regs)
	if d.weakly(ac) {
		out.body, out.op, out.form = weakStore(ac, t, regs, out.body), vector.Slow, nil
	}
	return out, nil
}

// loadWords returns the body of a load of several 32- or 64-bit elements into registers of that width.
func loadWords[T uint32 | uint64](ac *access, regs []operand) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		if x.listener != nil {
			ac.emit(x, in, in.a, m)
		}
		w := ac.window(x)
		a := x.frame.r64(in.a)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := ac.locate(x, in, &w, a[i]+ac.off, i)
			if p == nil {
				return
			}
			for _, r := range regs {
				view[T](x.frame, r.slot)[i] = *(*T)(p)
				p = unsafe.Add(p, unsafe.Sizeof(*new(T)))
			}
		}
	}
}

// storeWords returns the body of the corresponding store.
func storeWords[T uint32 | uint64](ac *access, regs []operand) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		if x.listener != nil {
			ac.emit(x, in, in.a, m)
		}
		w := ac.window(x)
		a := x.frame.r64(in.a)
		var changed T
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := ac.locate(x, in, &w, a[i]+ac.off, i)
			if p == nil {
				break
			}
			for _, r := range regs {
				v := view[T](x.frame, r.slot)[i]
				changed |= *(*T)(p) ^ v
				*(*T)(p) = v
				p = unsafe.Add(p, unsafe.Sizeof(*new(T)))
			}
		}
		if changed != 0 {
			x.changed(ac)
		}
	}
}

// loadVector returns the body of any other load of several elements, or of 128 bits.
func loadVector(ac *access, t isa.Type, regs []operand) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		if x.listener != nil {
			ac.emit(x, in, in.a, m)
		}
		w := ac.window(x)
		a := x.frame.r64(in.a)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := ac.locate(x, in, &w, a[i]+ac.off, i)
			if p == nil {
				return
			}
			for _, r := range regs {
				x.frame.setLane(r.slot, slotBits(r.typ), i, extend(t, r.typ, peek(p, t)))
				p = unsafe.Add(p, t.Size())
			}
		}
	}
}

// storeVector returns the body of any other store of several elements, or of 128 bits.
func storeVector(ac *access, t isa.Type, regs []operand) bodyFunc {
	return func(x *engine, in *inst, m lanes) {
		if x.listener != nil {
			ac.emit(x, in, in.a, m)
		}
		w := ac.window(x)
		a := x.frame.r64(in.a)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			p := ac.locate(x, in, &w, a[i]+ac.off, i)
			if p == nil {
				return
			}
			for _, r := range regs {
				if v := x.frame.lane(r.slot, slotBits(r.typ), i); poke(p, t, v) {
					x.changed(ac)
				}
				p = unsafe.Add(p, t.Size())
			}
		}
	}
}

// extend widens a value of type t to a register.
func extend(t, reg isa.Type, v [2]uint64) [2]uint64 {
	if t.Signed() && reg.Bits() > t.Bits() {
		s := 64 - uint(t.Bits())
		v[0] = uint64(int64(v[0]<<s)>>s) & (1<<uint(reg.Bits()) - 1)
	}
	return v
}

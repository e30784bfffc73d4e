// Loads and stores: of one value, of several words, of vectors and of elements of 128 bits.

package exec

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/async"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/undefined"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/emu/internal/weak"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semMemory is the semantics of loads and stores (PTX ISA, "Data Movement and Conversion Instructions"). Values in
// memory are little-endian; the host must be little-endian too. There are no caches: cache operators and eviction
// priorities have no effect.
var semMemory = map[string]state.DecodeFunc{
	"ld":  decodeLoad,
	"ldu": decodeLoad,
	"st":  decodeStore,

	"multimem": decodeMultimem,
}

// load returns the body of a scalar load: memory holds T, the register D.
func load[T async.Stored, D decode.Word](ac *state.Access) state.BodyFunc {
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		if x.Listener != nil {
			events.Emit(ac, x, in, in.A, m)
		}
		w := memory.Window(ac, x)
		d, a := decode.View[D](x.Frame, in.D), x.Frame.R64(in.A)
		size := uint64(unsafe.Sizeof(*new(T)))
		for h := 0; h < state.WarpSize; h += memory.HalfWarp {
			part := m >> h & memory.FullHalf
			if part == memory.FullHalf {
				if r, ok := w.Run((*[memory.HalfWarp]uint64)(a[h:]), ac.Off, size, h); ok {
					loadRun[T]((*[memory.HalfWarp]D)(d[h:]), r)
					continue
				}
			}
			for ; part != 0; part &= part - 1 {
				i := h + part.First()
				addr := a[i] + ac.Off
				if o := addr - w.Base; o < w.Lim && addr&(size-1) == 0 {
					d[i] = D(*(*T)(unsafe.Add(w.Ptr, o+uint64(i)*w.Stride)))
					continue
				}
				p := memory.SlowPath(ac, x, in, &w, addr, i)
				if p == nil {
					return
				}
				d[i] = D(*(*T)(p))
			}
		}
	}
}

// loadRun loads from a run.
func loadRun[T async.Stored, D decode.Word](d *[memory.HalfWarp]D, r memory.Run) {
	switch size := uint64(unsafe.Sizeof(*new(T))); {
	case r.Step == size && unsafe.Sizeof(d[0]) == uintptr(size):
		*d = *(*[memory.HalfWarp]D)(r.Ptr)
	case r.Step == 0:
		v := D(*(*T)(r.Ptr))
		for i := range d {
			d[i] = v
		}
	default:
		for i := range d {
			d[i] = D(*(*T)(unsafe.Add(r.Ptr, uint64(i)*r.Step)))
		}
	}
}

// store returns the body of a scalar store.
func store[T async.Stored, S decode.Word](ac *state.Access) state.BodyFunc {
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		if x.Listener != nil {
			events.Emit(ac, x, in, in.A, m)
		}
		w := memory.Window(ac, x)
		b, a := decode.View[S](x.Frame, in.B), x.Frame.R64(in.A)
		size := uint64(unsafe.Sizeof(*new(T)))
		var changed T
		for h := 0; h < state.WarpSize; h += memory.HalfWarp {
			part := m >> h & memory.FullHalf
			if part == memory.FullHalf {
				if r, ok := w.Run((*[memory.HalfWarp]uint64)(a[h:]), ac.Off, size, h); ok {
					changed |= storeRun[T]((*[memory.HalfWarp]S)(b[h:]), r)
					continue
				}
			}
			for ; part != 0; part &= part - 1 {
				i := h + part.First()
				p := (*T)(memory.Locate(ac, x, in, &w, a[i]+ac.Off, i))
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
			x.Changed(ac)
		}
	}
}

// storeRun stores to a run and returns the bits that it changed.
func storeRun[T async.Stored, S decode.Word](b *[memory.HalfWarp]S, r memory.Run) (changed T) {
	for i, v := range b {
		p := (*T)(unsafe.Add(r.Ptr, uint64(i)*r.Step))
		changed |= *p ^ T(v)
		*p = T(v)
	}
	return changed
}

// loadBody selects the body by the type in memory and the width of the register: integers are sign- or zero-extended
// according to their type, others zero-extended.
func loadBody(t isa.Type, reg isa.Type) func(*state.Access) state.BodyFunc {
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
func loadS8U16(ac *state.Access) state.BodyFunc {
	body := load[int8, int32](ac)
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		body(x, in, m)
		d := x.Frame.R32(in.D)
		for ; m != 0; m &= m - 1 {
			d[m.First()] &= 0xffff
		}
	}
}

// storeBody selects the body by the type in memory and the width of the register.
func storeBody(t isa.Type, wide bool) func(*state.Access) state.BodyFunc {
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
func decodeLoad(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	regs, err := decode.MemRegs(d, in, 0, true)
	if err != nil {
		return state.Inst{}, err
	}
	t := in.Decoded.Operands[0].Type
	ac, out, err := memory.DecodeAccess(d, in, 1, isa.AccessLoad, uint64(len(regs)*t.Size()))
	if err != nil {
		return state.Inst{}, err
	}
	if undefined.FlowOf(in) == undefined.Loads {
		ac.Value = in
	}
	op := lowering.LoadTuple(t, decode.TypesOf(regs), ac.Space)
	switch {
	case len(regs) == 1 && t.Bits() <= 64:
		out.D = regs[0].Slot
		out.Body = loadBody(t, regs[0].Typ)(ac)
		op = lowering.Load(t, regs[0].Typ, ac.Space)
	case decode.AllOf(regs, 32) && t.Bits() == 32:
		out.Body = loadWords[uint32](ac, regs)
	case decode.AllOf(regs, 64) && t.Bits() == 64:
		out.Body = loadWords[uint64](ac, regs)
	default:
		out.Body = loadVector(ac, t, regs)
	}
	memoryOfInst(&out, op, ac, regs)
	if weak.Weakly(d, ac) {
		out.Body = weak.Load(ac, t, regs, out.Body)
		if in.Strong() || ac.Space == isa.SpaceShared {
			out.Op, out.Form = vector.Slow, nil
		}
	}
	return out, nil
}

// decodeStore decodes st.
func decodeStore(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	switch {
	case in.Has("async") && len(in.Operands) == 3: // with an mbarrier
		return async.DecodeStore(d, in, nil)
	case in.Has("bulk"):
		return async.BulkStore(d, in)
	}
	regs, err := decode.MemRegs(d, in, 1, false)
	if err != nil {
		return state.Inst{}, err
	}
	t := in.Decoded.Operands[1].Type
	ac, out, err := memory.DecodeAccess(d, in, 0, isa.AccessStore, uint64(len(regs)*t.Size()))
	if err != nil {
		return state.Inst{}, err
	}
	ac.Stores, ac.Elem = regs, t
	op := lowering.StoreTuple(t, decode.TypesOf(regs), ac.Space)
	switch {
	case len(regs) == 1 && t.Bits() <= 64:
		out.B = regs[0].Slot
		out.Body = storeBody(t, regs[0].Wide())(ac)
		op = lowering.Store(t, regs[0].Wide(), ac.Space)
	case decode.AllOf(regs, 32) && t.Bits() == 32:
		out.Body = storeWords[uint32](ac, regs)
	case decode.AllOf(regs, 64) && t.Bits() == 64:
		out.Body = storeWords[uint64](ac, regs)
	default:
		out.Body = storeVector(ac, t, regs)
	}
	memoryOfInst(&out, op, ac, regs)
	if weak.Weakly(d, ac) {
		out.Body, out.Op, out.Form = weak.Store(ac, t, regs, out.Body), vector.Slow, nil
	}
	return out, nil
}

// loadWords returns the body of a load of several 32- or 64-bit elements into registers of that width.
func loadWords[T uint32 | uint64](ac *state.Access, regs []state.Operand) state.BodyFunc {
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		if x.Listener != nil {
			events.Emit(ac, x, in, in.A, m)
		}
		w := memory.Window(ac, x)
		a := x.Frame.R64(in.A)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			p := memory.Locate(ac, x, in, &w, a[i]+ac.Off, i)
			if p == nil {
				return
			}
			for _, r := range regs {
				decode.View[T](x.Frame, r.Slot)[i] = *(*T)(p)
				p = unsafe.Add(p, unsafe.Sizeof(*new(T)))
			}
		}
	}
}

// storeWords returns the body of the corresponding store.
func storeWords[T uint32 | uint64](ac *state.Access, regs []state.Operand) state.BodyFunc {
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		if x.Listener != nil {
			events.Emit(ac, x, in, in.A, m)
		}
		w := memory.Window(ac, x)
		a := x.Frame.R64(in.A)
		var changed T
		for ; m != 0; m &= m - 1 {
			i := m.First()
			p := memory.Locate(ac, x, in, &w, a[i]+ac.Off, i)
			if p == nil {
				break
			}
			for _, r := range regs {
				v := decode.View[T](x.Frame, r.Slot)[i]
				changed |= *(*T)(p) ^ v
				*(*T)(p) = v
				p = unsafe.Add(p, unsafe.Sizeof(*new(T)))
			}
		}
		if changed != 0 {
			x.Changed(ac)
		}
	}
}

// loadVector returns the body of any other load of several elements, or of 128 bits.
func loadVector(ac *state.Access, t isa.Type, regs []state.Operand) state.BodyFunc {
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		if x.Listener != nil {
			events.Emit(ac, x, in, in.A, m)
		}
		w := memory.Window(ac, x)
		a := x.Frame.R64(in.A)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			p := memory.Locate(ac, x, in, &w, a[i]+ac.Off, i)
			if p == nil {
				return
			}
			for _, r := range regs {
				x.Frame.SetLane(r.Slot, events.SlotBits(r.Typ), i, weak.Extend(t, r.Typ, state.Peek(p, t)))
				p = unsafe.Add(p, t.Size())
			}
		}
	}
}

// storeVector returns the body of any other store of several elements, or of 128 bits.
func storeVector(ac *state.Access, t isa.Type, regs []state.Operand) state.BodyFunc {
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		if x.Listener != nil {
			events.Emit(ac, x, in, in.A, m)
		}
		w := memory.Window(ac, x)
		a := x.Frame.R64(in.A)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			p := memory.Locate(ac, x, in, &w, a[i]+ac.Off, i)
			if p == nil {
				return
			}
			for _, r := range regs {
				if v := x.Frame.Lane(r.Slot, events.SlotBits(r.Typ), i); state.Poke(p, t, v) {
					x.Changed(ac)
				}
				p = unsafe.Add(p, t.Size())
			}
		}
	}
}

// memoryOfInst makes i a memory operation in assembly, unless op is Slow.
func memoryOfInst(i *state.Inst, op vector.Op, ac *state.Access, regs []state.Operand) {
	if op == vector.Slow || ac.Overrun != nil {
		return
	}
	f := &state.VectorForm{Ac: ac}
	for _, r := range regs {
		f.Regs = append(f.Regs, r.Slot)
	}
	i.Op, i.Form = op, f
}

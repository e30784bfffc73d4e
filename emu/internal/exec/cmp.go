// Comparisons and selections: setp, set, selp, slct.

package exec

import (
	"github.com/ptxsan/ptxsan/emu/internal/async"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semCompare is the semantics of comparison and selection (PTX ISA, "Comparison
// and Selection Instructions" and their half-precision counterparts).
var semCompare = map[string]state.DecodeFunc{
	"setp": decodeSetp,
	"set":  decodeSet,
	"selp": decodeSelp,
	"slct": decodeSlct,
}

// compareFn returns the set of lanes where the comparison of slots a and b holds; lanes outside of m may have any
// value.
type compareFn func(f *state.Frame, a, b state.Slot, m state.Lanes) state.Lanes

// comparison returns the comparison for a type and operator.
func comparison(in *rewrite.Inst, t isa.Type) (compareFn, bool) {
	op, found := lowering.CompareOf(in)
	if !found {
		return nil, false
	}
	ftz := in.Has("ftz")
	switch t {
	case isa.B16, isa.U16:
		return compareHalves(op, func(v uint32) uint16 { return uint16(v) }), true
	case isa.S16:
		return compareHalves(op, func(v uint32) int16 { return int16(v) }), true
	case isa.B32, isa.U32:
		return compareWords[uint32](op), true
	case isa.S32:
		return compareWords[int32](op), true
	case isa.B64, isa.U64:
		return compareWords[uint64](op), true
	case isa.S64:
		return compareWords[int64](op), true
	case isa.F64:
		return compareWords[float64](op), true
	case isa.F32:
		if ftz {
			return compareHalves(op, floatReader(t, true)), true
		}
		return compareWords[float32](op), true
	case isa.F16, isa.BF16:
		return compareHalves(op, floatReader(t, ftz)), true
	}
	return nil, false
}

// floatReader returns a function that reads an f16, bf16 or f32 from the low bits of a register.
func floatReader(t isa.Type, ftz bool) func(uint32) float64 {
	f, mask := scalar.Format(t), uint32(1)<<t.Bits()-1
	return func(v uint32) float64 {
		if v &= mask; ftz {
			v = f.Flush(v)
		}
		return f.Float64(uint64(v))
	}
}

// compareWords returns a comparison of values that fill their slots.
func compareWords[T decode.Word](op num.Cmp) compareFn {
	switch op {
	case num.Eq:
		return compareWith(func(a, b *[state.WarpSize]T) (m state.Lanes) {
			for i := range a {
				if a[i] == b[i] {
					m |= 1 << i
				}
			}
			return m
		})
	case num.Ne:
		return compareWith(func(a, b *[state.WarpSize]T) (m state.Lanes) {
			for i := range a {
				if a[i] < b[i] || a[i] > b[i] {
					m |= 1 << i
				}
			}
			return m
		})
	case num.Lt:
		return compareWith(lessThan[T])
	case num.Gt:
		return compareWith(func(a, b *[state.WarpSize]T) state.Lanes { return lessThan(b, a) })
	case num.Le:
		return compareWith(lessOrEqual[T])
	case num.Ge:
		return compareWith(func(a, b *[state.WarpSize]T) state.Lanes { return lessOrEqual(b, a) })
	}
	return compareWith(func(a, b *[state.WarpSize]T) (m state.Lanes) {
		for i := range a {
			if num.Compare(op, a[i], b[i]) {
				m |= 1 << i
			}
		}
		return m
	})
}

func lessThan[T decode.Word](a, b *[state.WarpSize]T) (m state.Lanes) {
	for i := range a {
		if a[i] < b[i] {
			m |= 1 << i
		}
	}
	return m
}

func lessOrEqual[T decode.Word](a, b *[state.WarpSize]T) (m state.Lanes) {
	for i := range a {
		if a[i] <= b[i] {
			m |= 1 << i
		}
	}
	return m
}

func compareWith[T decode.Word](fn func(a, b *[state.WarpSize]T) state.Lanes) compareFn {
	return func(f *state.Frame, a, b state.Slot, _ state.Lanes) state.Lanes {
		return fn(decode.View[T](f, a), decode.View[T](f, b))
	}
}

// compareHalves returns a comparison of values that are read from 32-bit slots.
func compareHalves[T num.Ordered](op num.Cmp, read func(uint32) T) compareFn {
	return func(f *state.Frame, a, b state.Slot, m state.Lanes) (r state.Lanes) {
		va, vb := f.R32(a), f.R32(b)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			if num.Compare(op, read(va[i]), read(vb[i])) {
				r |= 1 << i
			}
		}
		return r
	}
}

// combiner returns the boolean operation with the predicate operand at index i, the identity if the instruction has
// none.
func combiner(d *state.Decoder, in *rewrite.Inst, i int) (func(f *state.Frame, t state.Lanes) state.Lanes, error) {
	if i >= len(in.Operands) {
		return func(_ *state.Frame, t state.Lanes) state.Lanes { return t }, nil
	}
	op := num.And
	for _, s := range in.Mods {
		if b, ok := num.BoolOf(s); ok {
			op = b
		}
	}
	c, err := decode.Pred(d, in, i)
	return func(f *state.Frame, t state.Lanes) state.Lanes {
		return state.Lanes(op.Apply(uint32(t), uint32(*f.P(c))))
	}, err
}

// compareOperands resolves operands 1 and 2.
func compareOperands(d *state.Decoder, in *rewrite.Inst) (a, b state.Slot, err error) {
	var s [2]state.Operand
	for i := range s {
		if s[i], err = decode.Src(d, in, i+1); err != nil {
			return 0, 0, err
		}
		if err = decode.Fits(d, in, i+1, s[i]); err != nil {
			return 0, 0, err
		}
	}
	return s[0].Slot, s[1].Slot, nil
}

// decodeSetp decodes setp: p = cmp BoolOp c, and q = !cmp BoolOp c. On packed types p is for the low and q for the high
// halves.
func decodeSetp(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	t := in.Type(0)
	a, b, err := compareOperands(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	dst := decode.Elems(d, in, 0)
	p, err := decode.Target(d, in, &dst[0], isa.Pred)
	if err != nil {
		return state.Inst{}, err
	}
	q := state.Operand{Slot: decode.Temp(d, 1), Typ: isa.Pred}
	if len(dst) > 1 {
		if q, err = decode.Target(d, in, &dst[1], isa.Pred); err != nil {
			return state.Inst{}, err
		}
	}
	if p.Typ != isa.Pred || q.Typ != isa.Pred {
		return state.Inst{}, decode.Errorf(d, in, "%s: the destination must be a predicate", in.Text())
	}
	combine, err := combiner(d, in, 3)
	if err != nil {
		return state.Inst{}, err
	}
	out := state.Inst{D: p.Slot, A: a, B: b}
	out.Body = setpBody(in, t, q.Slot, len(dst) > 1, len(in.Operands) > 3, combine)
	if out.Body == nil {
		return state.Inst{}, decode.Unsupported(d, in, "%s", in.Text())
	}
	return out, vectorSetp(d, in, &out, q.Slot, len(dst) > 1)
}

// belowOne reports whether an instruction asks whether an unsigned number is less than 1: for "equal to 0" there are
// operations that do more at once.
func belowOne(in *rewrite.Inst, cmp lowering.Comparison) bool {
	return cmp == lowering.Comparison{Op: vector.SetGtU32, Swap: true} && in.Operands[2].Kind == rewrite.OperandImm &&
		in.Operands[2].Imm == 1
}

// vectorSetp adds the assembly program: the comparison, and its combination with a predicate or its negated result.
func vectorSetp(d *state.Decoder, in *rewrite.Inst, out *state.Inst, q state.Slot, paired bool) error {
	cmp := lowering.Compare(in, in.Type(0))
	if cmp.Op == vector.Slow {
		return nil
	}
	b := out.B
	if belowOne(in, cmp) {
		cmp, b = lowering.Comparison{Op: vector.SetEq32}, decode.Constant(d, 32, 0)
	}
	f := &state.VectorForm{}
	set := vector.Inst{
		D: uint32(out.D), A: widened(d, f, cmp.Op, in.Type(0), out.A),
		B: widened(d, f, cmp.Op, in.Type(0), b),
	}
	if cmp.Swap {
		set.A, set.B = set.B, set.A
	}
	set.Set(cmp.Op)
	out.Op, out.Form = cmp.Op, f
	f.Seq = append(f.Seq, set)
	if !paired && len(in.Operands) <= 3 {
		return nil
	}
	yes, no := uint32(decode.Temp(d, 1)), uint32(decode.Temp(d, 1))
	f.Seq[len(f.Seq)-1].D = yes
	f.Add(vector.NotPred, no, yes, 0)
	if len(in.Operands) > 3 {
		c, err := decode.Pred(d, in, 3)
		if err != nil {
			return err
		}
		op := lowering.Bool(in)
		f.Add(op, yes, yes, uint32(c))
		f.Add(op, no, no, uint32(c))
	}
	f.Add(vector.MovPred, uint32(out.D), yes, 0)
	f.Add(vector.MovPred, uint32(q), no, 0)
	return nil
}

// widened returns the operand of a comparison of type t in assembly, widened if necessary.
func widened(d *state.Decoder, f *state.VectorForm, by vector.Op, t isa.Type, s state.Slot) uint32 {
	op, narrow := lowering.Widening[t]
	if !narrow || by == vector.SetEq32 || by == vector.SetNe32 {
		return uint32(s)
	}
	w := uint32(decode.Temp(d, 32))
	f.Add(op, w, uint32(s), 0)
	return w
}

func setpBody(in *rewrite.Inst, t isa.Type, q state.Slot, paired, combined bool,
	combine func(*state.Frame, state.Lanes) state.Lanes,
) state.BodyFunc {
	if t == isa.F16x2 || t == isa.BF16x2 {
		lo, hi := packedComparisons(in, t)
		return func(x *state.Engine, in *state.Inst, m state.Lanes) {
			l, h := combine(x.Frame, lo(x.Frame, in.A, in.B, m)), combine(x.Frame, hi(x.Frame, in.A, in.B, m))
			Put(x.Frame.P(in.D), m, l)
			Put(x.Frame.P(q), m, h)
		}
	}
	cmp, ok := comparison(in, t)
	switch {
	case !ok:
		return nil
	case !paired && !combined:
		return func(x *state.Engine, in *state.Inst, m state.Lanes) {
			Put(x.Frame.P(in.D), m, cmp(x.Frame, in.A, in.B, m))
		}
	}
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		r := cmp(x.Frame, in.A, in.B, m)
		yes, no := combine(x.Frame, r), combine(x.Frame, ^r)
		Put(x.Frame.P(in.D), m, yes)
		Put(x.Frame.P(q), m, no)
	}
}

// Put sets the lanes in m of a predicate to v.
func Put(p *state.Lanes, m, v state.Lanes) { *p = *p&^m | v&m }

// packedComparisons returns the comparisons of the low and high halves of packed operands.
func packedComparisons(in *rewrite.Inst, t isa.Type) (lo, hi compareFn) {
	op, _ := lowering.CompareOf(in)
	read := floatReader(halfOf(t), in.Has("ftz"))
	return compareHalves(op, read), compareHalves(op, func(v uint32) float64 { return read(v >> 16) })
}

// decodeSet decodes set: all ones or 1.0 where the comparison holds, else zero.
func decodeSet(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	to, from := in.Type(0), in.Type(1)
	a, b, err := compareOperands(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	dst, err := decode.Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	if err = decode.Fits(d, in, 0, dst); err != nil {
		return state.Inst{}, err
	}
	combine, err := combiner(d, in, 3)
	if err != nil {
		return state.Inst{}, err
	}
	out := state.Inst{D: dst.Slot, A: a, B: b}
	if from == isa.F16x2 || from == isa.BF16x2 {
		lo, hi := packedComparisons(in, from)
		one := trueValue(halfOf(to)) & 0xffff
		if !to.Float() {
			one = 0xffff
		}
		out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
			d := x.Frame.R32(in.D)
			l, h := combine(x.Frame, lo(x.Frame, in.A, in.B, m)), combine(x.Frame, hi(x.Frame, in.A, in.B, m))
			for ; m != 0; m &= m - 1 {
				i := m.First()
				d[i] = one*uint32(l>>i&1) | one*uint32(h>>i&1)<<16
			}
		}
		return out, nil
	}
	cmp, ok := comparison(in, from)
	if !ok {
		return state.Inst{}, decode.Unsupported(d, in, "%s", in.Text())
	}
	one := trueValue(to)
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		d := x.Frame.R32(in.D)
		r := combine(x.Frame, cmp(x.Frame, in.A, in.B, m))
		for ; m != 0; m &= m - 1 {
			i := m.First()
			d[i] = one * uint32(r>>i&1)
		}
	}
	return out, nil
}

// trueValue returns the value that set writes for "true" in a type.
func trueValue(t isa.Type) uint32 {
	switch t {
	case isa.F32:
		return 0x3f800000
	case isa.F16:
		return 0x3c00
	case isa.BF16:
		return 0x3f80
	case isa.U16, isa.S16:
		return 0xffff
	}
	return 0xffffffff
}

// decodeSelp decodes selp: a where c holds, else b.
func decodeSelp(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	if in.Type(0).Bits() == 64 {
		return decode.Simple(d, in, execSelp[uint64])
	}
	return decode.Simple(d, in, execSelp[uint32])
}

// decodeSlct decodes slct: a where c >= 0, else b, also for NaN.
func decodeSlct(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	wide := in.Type(0).Bits() == 64
	if in.Type(1) == isa.F32 {
		read := floatReader(isa.F32, in.Has("ftz"))
		if wide {
			return decode.Simple(d, in, map3(func(a, b uint64,
				c uint32,
			) uint64 {
				return async.Pick(read(c) >= 0, a, b)
			}))
		}
		return decode.Simple(d, in, map3(func(a, b, c uint32) uint32 { return async.Pick(read(c) >= 0, a, b) }))
	}
	if wide {
		return decode.Simple(d, in, map3(func(a, b uint64, c int32) uint64 { return async.Pick(c >= 0, a, b) }))
	}
	return decode.Simple(d, in, map3(func(a, b uint32, c int32) uint32 { return async.Pick(c >= 0, a, b) }))
}

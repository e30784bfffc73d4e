// Comparisons and selections: setp, set, selp, slct.

package emu

import (
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semCompare is the semantics of comparison and selection (PTX ISA, "Comparison
// and Selection Instructions" and their half-precision counterparts).
var semCompare = map[string]decodeFunc{
	"setp": decodeSetp,
	"set":  decodeSet,
	"selp": decodeSelp,
	"slct": decodeSlct,
}

// compareFn returns the set of lanes where the comparison of slots a and b holds; lanes outside of m may have any
// value.
type compareFn func(f *frame, a, b slot, m lanes) lanes

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
func compareWords[T word](op num.Cmp) compareFn {
	switch op {
	case num.Eq:
		return compareWith(func(a, b *[warpSize]T) (m lanes) {
			for i := range a {
				if a[i] == b[i] {
					m |= 1 << i
				}
			}
			return m
		})
	case num.Ne:
		return compareWith(func(a, b *[warpSize]T) (m lanes) {
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
		return compareWith(func(a, b *[warpSize]T) lanes { return lessThan(b, a) })
	case num.Le:
		return compareWith(lessOrEqual[T])
	case num.Ge:
		return compareWith(func(a, b *[warpSize]T) lanes { return lessOrEqual(b, a) })
	}
	return compareWith(func(a, b *[warpSize]T) (m lanes) {
		for i := range a {
			if num.Compare(op, a[i], b[i]) {
				m |= 1 << i
			}
		}
		return m
	})
}

func lessThan[T word](a, b *[warpSize]T) (m lanes) {
	for i := range a {
		if a[i] < b[i] {
			m |= 1 << i
		}
	}
	return m
}

func lessOrEqual[T word](a, b *[warpSize]T) (m lanes) {
	for i := range a {
		if a[i] <= b[i] {
			m |= 1 << i
		}
	}
	return m
}

func compareWith[T word](fn func(a, b *[warpSize]T) lanes) compareFn {
	return func(f *frame, a, b slot, _ lanes) lanes { return fn(view[T](f, a), view[T](f, b)) }
}

// compareHalves returns a comparison of values that are read from 32-bit slots.
func compareHalves[T num.Ordered](op num.Cmp, read func(uint32) T) compareFn {
	return func(f *frame, a, b slot, m lanes) (r lanes) {
		va, vb := f.r32(a), f.r32(b)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			if num.Compare(op, read(va[i]), read(vb[i])) {
				r |= 1 << i
			}
		}
		return r
	}
}

// combiner returns the boolean operation with the predicate operand at index i, the identity if the instruction has
// none.
func (d *decoder) combiner(in *rewrite.Inst, i int) (func(f *frame, t lanes) lanes, error) {
	if i >= len(in.Operands) {
		return func(_ *frame, t lanes) lanes { return t }, nil
	}
	op := num.And
	for _, s := range in.Mods {
		if b, ok := num.BoolOf(s); ok {
			op = b
		}
	}
	c, err := d.pred(in, i)
	return func(f *frame, t lanes) lanes { return lanes(op.Apply(uint32(t), uint32(*f.p(c)))) }, err
}

// compareOperands resolves operands 1 and 2.
func (d *decoder) compareOperands(in *rewrite.Inst) (a, b slot, err error) {
	var s [2]operand
	for i := range s {
		if s[i], err = d.src(in, i+1); err != nil {
			return 0, 0, err
		}
		if err = d.fits(in, i+1, s[i]); err != nil {
			return 0, 0, err
		}
	}
	return s[0].slot, s[1].slot, nil
}

// decodeSetp decodes setp: p = cmp BoolOp c, and q = !cmp BoolOp c. On packed types p is for the low and q for the high
// halves.
func decodeSetp(d *decoder, in *rewrite.Inst) (inst, error) {
	t := in.Type(0)
	a, b, err := d.compareOperands(in)
	if err != nil {
		return inst{}, err
	}
	dst := d.elems(in, 0)
	p, err := d.target(in, &dst[0], isa.Pred)
	if err != nil {
		return inst{}, err
	}
	q := operand{slot: d.temp(1), typ: isa.Pred}
	if len(dst) > 1 {
		if q, err = d.target(in, &dst[1], isa.Pred); err != nil {
			return inst{}, err
		}
	}
	if p.typ != isa.Pred || q.typ != isa.Pred {
		return inst{}, d.errorf(in, "%s: the destination must be a predicate", in.Text())
	}
	combine, err := d.combiner(in, 3)
	if err != nil {
		return inst{}, err
	}
	out := inst{d: p.slot, a: a, b: b}
	out.body = setpBody(in, t, q.slot, len(dst) > 1, len(in.Operands) > 3, combine)
	if out.body == nil {
		return inst{}, d.unsupported(in, "%s", in.Text())
	}
	return out, d.vectorSetp(in, &out, q.slot, len(dst) > 1)
}

// belowOne reports whether an instruction asks whether an unsigned number is less than 1: for "equal to 0" there are
// operations that do more at once.
func belowOne(in *rewrite.Inst, cmp lowering.Comparison) bool {
	return cmp == lowering.Comparison{Op: vector.SetGtU32, Swap: true} && in.Operands[2].Kind == rewrite.OperandImm &&
		in.Operands[2].Imm == 1
}

// vectorSetp adds the assembly program: the comparison, and its combination with a predicate or its negated result.
func (d *decoder) vectorSetp(in *rewrite.Inst, out *inst, q slot, paired bool) error {
	cmp := lowering.Compare(in, in.Type(0))
	if cmp.Op == vector.Slow {
		return nil
	}
	b := out.b
	if belowOne(in, cmp) {
		cmp, b = lowering.Comparison{Op: vector.SetEq32}, d.constant(32, 0)
	}
	f := &vectorForm{}
	set := vector.Inst{
		D: uint32(out.d), A: d.widened(f, cmp.Op, in.Type(0), out.a),
		B: d.widened(f, cmp.Op, in.Type(0), b),
	}
	if cmp.Swap {
		set.A, set.B = set.B, set.A
	}
	set.Set(cmp.Op)
	out.op, out.form = cmp.Op, f
	f.seq = append(f.seq, set)
	if !paired && len(in.Operands) <= 3 {
		return nil
	}
	yes, no := uint32(d.temp(1)), uint32(d.temp(1))
	f.seq[len(f.seq)-1].D = yes
	f.add(vector.NotPred, no, yes, 0)
	if len(in.Operands) > 3 {
		c, err := d.pred(in, 3)
		if err != nil {
			return err
		}
		op := lowering.Bool(in)
		f.add(op, yes, yes, uint32(c))
		f.add(op, no, no, uint32(c))
	}
	f.add(vector.MovPred, uint32(out.d), yes, 0)
	f.add(vector.MovPred, uint32(q), no, 0)
	return nil
}

// widened returns the operand of a comparison of type t in assembly, widened if necessary.
func (d *decoder) widened(f *vectorForm, by vector.Op, t isa.Type, s slot) uint32 {
	op, narrow := lowering.Widening[t]
	if !narrow || by == vector.SetEq32 || by == vector.SetNe32 {
		return uint32(s)
	}
	w := uint32(d.temp(32))
	f.add(op, w, uint32(s), 0)
	return w
}

func setpBody(in *rewrite.Inst, t isa.Type, q slot, paired, combined bool, combine func(*frame, lanes) lanes) bodyFunc {
	if t == isa.F16x2 || t == isa.BF16x2 {
		lo, hi := packedComparisons(in, t)
		return func(x *engine, in *inst, m lanes) {
			l, h := combine(x.frame, lo(x.frame, in.a, in.b, m)), combine(x.frame, hi(x.frame, in.a, in.b, m))
			put(x.frame.p(in.d), m, l)
			put(x.frame.p(q), m, h)
		}
	}
	cmp, ok := comparison(in, t)
	switch {
	case !ok:
		return nil
	case !paired && !combined:
		return func(x *engine, in *inst, m lanes) {
			put(x.frame.p(in.d), m, cmp(x.frame, in.a, in.b, m))
		}
	}
	return func(x *engine, in *inst, m lanes) {
		r := cmp(x.frame, in.a, in.b, m)
		yes, no := combine(x.frame, r), combine(x.frame, ^r)
		put(x.frame.p(in.d), m, yes)
		put(x.frame.p(q), m, no)
	}
}

// put sets the lanes in m of a predicate to v.
func put(p *lanes, m, v lanes) { *p = *p&^m | v&m }

// packedComparisons returns the comparisons of the low and high halves of packed operands.
func packedComparisons(in *rewrite.Inst, t isa.Type) (lo, hi compareFn) {
	op, _ := lowering.CompareOf(in)
	read := floatReader(halfOf(t), in.Has("ftz"))
	return compareHalves(op, read), compareHalves(op, func(v uint32) float64 { return read(v >> 16) })
}

// decodeSet decodes set: all ones or 1.0 where the comparison holds, else zero.
func decodeSet(d *decoder, in *rewrite.Inst) (inst, error) {
	to, from := in.Type(0), in.Type(1)
	a, b, err := d.compareOperands(in)
	if err != nil {
		return inst{}, err
	}
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	if err = d.fits(in, 0, dst); err != nil {
		return inst{}, err
	}
	combine, err := d.combiner(in, 3)
	if err != nil {
		return inst{}, err
	}
	out := inst{d: dst.slot, a: a, b: b}
	if from == isa.F16x2 || from == isa.BF16x2 {
		lo, hi := packedComparisons(in, from)
		one := trueValue(halfOf(to)) & 0xffff
		if !to.Float() {
			one = 0xffff
		}
		out.body = func(x *engine, in *inst, m lanes) {
			d := x.frame.r32(in.d)
			l, h := combine(x.frame, lo(x.frame, in.a, in.b, m)), combine(x.frame, hi(x.frame, in.a, in.b, m))
			for ; m != 0; m &= m - 1 {
				i := m.first()
				d[i] = one*uint32(l>>i&1) | one*uint32(h>>i&1)<<16
			}
		}
		return out, nil
	}
	cmp, ok := comparison(in, from)
	if !ok {
		return inst{}, d.unsupported(in, "%s", in.Text())
	}
	one := trueValue(to)
	out.body = func(x *engine, in *inst, m lanes) {
		d := x.frame.r32(in.d)
		r := combine(x.frame, cmp(x.frame, in.a, in.b, m))
		for ; m != 0; m &= m - 1 {
			i := m.first()
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
func decodeSelp(d *decoder, in *rewrite.Inst) (inst, error) {
	if in.Type(0).Bits() == 64 {
		return d.simple(in, execSelp[uint64])
	}
	return d.simple(in, execSelp[uint32])
}

// decodeSlct decodes slct: a where c >= 0, else b, also for NaN.
func decodeSlct(d *decoder, in *rewrite.Inst) (inst, error) {
	wide := in.Type(0).Bits() == 64
	if in.Type(1) == isa.F32 {
		read := floatReader(isa.F32, in.Has("ftz"))
		if wide {
			return d.simple(in, map3(func(a, b uint64, c uint32) uint64 { return pick(read(c) >= 0, a, b) }))
		}
		return d.simple(in, map3(func(a, b, c uint32) uint32 { return pick(read(c) >= 0, a, b) }))
	}
	if wide {
		return d.simple(in, map3(func(a, b uint64, c int32) uint64 { return pick(c >= 0, a, b) }))
	}
	return d.simple(in, map3(func(a, b uint32, c int32) uint32 { return pick(c >= 0, a, b) }))
}

func pick[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

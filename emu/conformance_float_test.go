package emu

import (
	"math/big"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// realFormat is a binary floating-point format of IEEE 754.
type realFormat struct {
	bits, mant uint
	emin       int // exponent of the least normal number
	nan        uint64
}

var realFormats = map[isa.Type]*realFormat{
	isa.F16:  {16, 10, -14, 0x7fff},
	isa.BF16: {16, 7, -126, 0x7fff},
	isa.F32:  {32, 23, -126, 0x7fffffff},
	isa.F64:  {64, 52, -1022, 0xfff8000000000000},
}

// formatOf is nil for formats that are not of IEEE 754.
func formatOf(t isa.Type) *realFormat { return realFormats[t] }

func (f *realFormat) inf() uint64 { return (1<<(f.bits-1-f.mant) - 1) << f.mant }

func (f *realFormat) one() uint64 { return uint64(1-f.emin) << f.mant }

// real is a value: a rational number, an infinity or NaN. neg is the sign of zeros and
// infinities as well.
type real struct {
	neg, inf, nan bool
	abs           *big.Rat
}

// read decodes bits; subnormal numbers are 0 under ftz.
func (f *realFormat) read(v uint64, ftz bool) real {
	x := real{neg: v>>(f.bits-1)&1 != 0, abs: new(big.Rat)}
	m, e := v&(1<<f.mant-1), int(v&f.inf()>>f.mant)
	switch {
	case v&f.inf() == f.inf():
		x.inf, x.nan = m == 0, m != 0
	case e == 0 && ftz:
	case e == 0:
		x.abs = scaled(m, f.emin-int(f.mant))
	default:
		x.abs = scaled(m|1<<f.mant, e-1+f.emin-int(f.mant))
	}
	return x
}

// scaled is m times 2^e.
func scaled(m uint64, e int) *big.Rat {
	n := new(big.Int).SetUint64(m)
	if e >= 0 {
		return new(big.Rat).SetInt(n.Lsh(n, uint(e)))
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), uint(-e)))
}

// write rounds to the format: rn, rz, rm or rp.
func (f *realFormat) write(x real, rnd string) uint64 {
	sign := b2u(x.neg) << (f.bits - 1)
	switch {
	case x.nan:
		return f.nan
	case x.inf:
		return sign | f.inf()
	case x.abs.Sign() == 0:
		return sign
	}
	e := max(exponent(x.abs), f.emin)
	q, rest := new(big.Int).QuoRem(
		new(big.Int).Mul(x.abs.Num(), shiftedOne(int(f.mant)-e)),
		new(big.Int).Mul(x.abs.Denom(), shiftedOne(e-int(f.mant))), new(big.Int))
	den := new(big.Int).Mul(x.abs.Denom(), shiftedOne(e-int(f.mant)))
	half := new(big.Int).Lsh(rest, 1).Cmp(den)
	if roundsUp(rnd, x.neg, rest.Sign() != 0, half, q.Bit(0) == 1) {
		q.Add(q, big.NewInt(1))
	}
	v := uint64(e-f.emin)<<f.mant + q.Uint64() // q has the implicit bit, which counts the exponent up
	if v >= f.inf() {
		v = f.inf()
		if rnd == "rz" || rnd == "rm" && !x.neg || rnd == "rp" && x.neg {
			v--
		}
	}
	return sign | v
}

// shiftedOne is 2^n, 1 for a negative n.
func shiftedOne(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(max(n, 0))) }

// roundsUp reports whether the magnitude is rounded up.
func roundsUp(rnd string, neg, inexact bool, half int, odd bool) bool {
	switch rnd {
	case "rz":
		return false
	case "rm":
		return inexact && neg
	case "rp":
		return inexact && !neg
	}
	return half > 0 || half == 0 && odd
}

// exponent is that of the largest power of two that is not above x.
func exponent(x *big.Rat) int {
	e := x.Num().BitLen() - x.Denom().BitLen()
	if new(big.Int).Mul(x.Num(), shiftedOne(-e)).Cmp(new(big.Int).Mul(x.Denom(), shiftedOne(e))) < 0 {
		e--
	}
	return e
}

// signed is the number with its sign.
func (x real) signed() *big.Rat {
	if x.neg {
		return new(big.Rat).Neg(x.abs)
	}
	return x.abs
}

func (x real) zero() bool { return !x.nan && !x.inf && x.abs.Sign() == 0 }

// plus is x + y; a sum of 0 from numbers of unlike signs is -0 when rounding down.
func (x real) plus(y real, rnd string) real {
	switch {
	case x.nan || y.nan || x.inf && y.inf && x.neg != y.neg:
		return real{nan: true}
	case x.inf:
		return x
	case y.inf:
		return y
	}
	r := new(big.Rat).Add(x.signed(), y.signed())
	out := real{neg: r.Sign() < 0, abs: r.Abs(r)}
	if r.Sign() == 0 {
		out.neg = x.neg && y.neg || x.neg != y.neg && rnd == "rm"
	}
	return out
}

func (x real) times(y real) real {
	out := real{neg: x.neg != y.neg}
	switch {
	case x.nan || y.nan || x.inf && y.zero() || y.inf && x.zero():
		out.nan = true
	case x.inf || y.inf:
		out.inf = true
	default:
		out.abs = new(big.Rat).Mul(x.abs, y.abs)
	}
	return out
}

func (x real) over(y real) real {
	out := real{neg: x.neg != y.neg, abs: new(big.Rat)}
	switch {
	case x.nan || y.nan || x.inf && y.inf || x.zero() && y.zero():
		out.nan = true
	case x.inf || y.zero():
		out.inf = true
	case !y.inf:
		out.abs.Quo(x.abs, y.abs)
	}
	return out
}

// root returns the square root, or a number so close that it is rounded in the same way: no root of a number of these
// formats is closer to the middle between two numbers.
func (x real) root() real {
	switch {
	case x.zero() || x.nan || x.inf && !x.neg:
		return x
	case x.neg:
		return real{nan: true}
	}
	r := new(big.Float).SetPrec(400).SetRat(x.abs)
	r.Sqrt(r)
	out := real{}
	out.abs, _ = r.Rat(nil)
	return out
}

// rounding is the instruction's.
func (s *specimen) rounding() string {
	if r := s.one("rn", "rz", "rm", "rp"); r != "" {
		return r
	}
	return "rn"
}

// finish flushes and saturates a result of the format.
func (s *specimen) finish(f *realFormat, v uint64) uint64 {
	abs := v &^ (1 << (f.bits - 1))
	switch neg := v != abs; {
	case s.has("sat") && (abs > f.inf() || neg), s.has("relu") && neg && abs <= f.inf():
		return 0
	case s.has("sat") && abs > f.one():
		return f.one()
	case s.has("ftz") && abs < 1<<f.mant:
		return v &^ (1<<f.mant - 1)
	}
	return v
}

// arithmetic makes a reference of an exact function; the result is rounded once.
func arithmetic(f func(s *specimen, x []real) real) reference {
	same := elementwise(func(s *specimen, fm *realFormat, v []uint64) uint64 {
		x := make([]real, len(v))
		for i := range v {
			x[i] = fm.read(v[i], s.has("ftz"))
		}
		return s.finish(fm, fm.write(f(s, x), s.rounding()))
	})
	return func(s *specimen) result {
		if t := s.typ(1); s.typ(0) != isa.F32 || t != isa.F16 && t != isa.BF16 {
			return same(s)
		}
		return mixed(s, f)
	}
}

// mixed is an exact function of operands of several formats, rounded to f32 (PTX ISA 9.7.5).
func mixed(s *specimen, f func(s *specimen, x []real) real) result {
	return func(v []uint64) (uint64, bool) {
		x := make([]real, len(v))
		for i := range v {
			x[i] = formatOf(s.typ(i+1)).read(v[i], false)
		}
		to := realFormats[isa.F32]
		return s.finish(to, to.write(f(s, x), s.rounding())), true
	}
}

// elementwise makes a reference of a function of elements of one floating-point type.
func elementwise(f func(s *specimen, fm *realFormat, v []uint64) uint64) reference {
	return func(s *specimen) result {
		t := s.typ(0)
		for i := range s.Operands {
			if s.typ(i) != t {
				return nil
			}
		}
		n := t.Lanes()
		if n > 1 {
			t = lane(t)
		}
		fm := formatOf(t)
		if fm == nil || s.has("approx") || s.has("full") || s.has("oob") {
			return nil
		}
		return func(v []uint64) (uint64, bool) {
			out, mask := uint64(0), ^uint64(0)>>(64-fm.bits)
			for k := range n {
				shift := uint(k) * fm.bits
				args := make([]uint64, len(v))
				for i := range v {
					args[i] = v[i] >> shift & mask
				}
				out |= f(s, fm, args) << shift
			}
			return out, true
		}
	}
}

// floatReferences are floating-point instructions as the manual defines them (PTX ISA
// 9.7.3 to 9.7.5), on rational numbers.
var floatReferences = map[string]reference{
	"add":  arithmetic(func(s *specimen, x []real) real { return x[0].plus(x[1], s.rounding()) }),
	"sub":  arithmetic(func(s *specimen, x []real) real { return x[0].plus(opposite(x[1]), s.rounding()) }),
	"mul":  arithmetic(func(_ *specimen, x []real) real { return x[0].times(x[1]) }),
	"fma":  arithmetic(fused),
	"mad":  arithmetic(fused),
	"div":  arithmetic(func(_ *specimen, x []real) real { return x[0].over(x[1]) }),
	"rcp":  arithmetic(func(_ *specimen, x []real) real { return real{abs: big.NewRat(1, 1)}.over(x[0]) }),
	"sqrt": arithmetic(func(_ *specimen, x []real) real { return x[0].root() }),
	"abs":  elementwise(func(s *specimen, f *realFormat, v []uint64) uint64 { return s.flushed(f, v[0]) &^ (1 << (f.bits - 1)) }),
	"neg":  elementwise(func(s *specimen, f *realFormat, v []uint64) uint64 { return s.flushed(f, v[0]) ^ 1<<(f.bits-1) }),
	"copysign": elementwise(func(_ *specimen, f *realFormat, v []uint64) uint64 {
		sign := uint64(1) << (f.bits - 1)
		return v[0]&sign | v[1]&^sign
	}),
	"min":   elementwise(func(s *specimen, f *realFormat, v []uint64) uint64 { return s.extreme(f, v, -1) }),
	"max":   elementwise(func(s *specimen, f *realFormat, v []uint64) uint64 { return s.extreme(f, v, 1) }),
	"testp": refTestp,
	"setp":  refCompare,
	"set":   refCompare,
	"cvt":   refConvert,
}

func opposite(x real) real { x.neg = !x.neg; return x }

func fused(s *specimen, x []real) real { return x[0].times(x[1]).plus(x[2], s.rounding()) }

// flushed is v, 0 with its sign when it is subnormal and the instruction flushes.
func (s *specimen) flushed(f *realFormat, v uint64) uint64 {
	if s.has("ftz") && v&f.inf() == 0 {
		return v & (1 << (f.bits - 1))
	}
	return v
}

// extreme is the least or, with dir 1, the greatest of the operands: NaN only when all
// are, or one is and .NaN asks for it; -0 is below +0.
func (s *specimen) extreme(f *realFormat, v []uint64, dir int) uint64 {
	signBit := uint64(1) << (f.bits - 1)
	best, have, signs := uint64(0), false, uint64(0)
	for _, x := range v {
		x = s.flushed(f, x)
		signs ^= x & signBit
		if s.has("abs") {
			x &^= signBit
		}
		if x&^signBit > f.inf() {
			if s.has("NaN") {
				return f.nan
			}
			continue
		}
		if !have || dir*f.compare(x, best) > 0 {
			best, have = x, true
		}
	}
	if !have {
		return f.nan
	}
	if s.has("xorsign") {
		best |= signs
	}
	return best
}

// compare orders numbers, -0 below +0.
func (f *realFormat) compare(a, b uint64) int {
	x, y := f.read(a, false), f.read(b, false)
	switch {
	case x.inf || y.inf || x.zero() && y.zero():
		return rank(x) - rank(y)
	}
	return x.signed().Cmp(y.signed())
}

// rank orders infinities, zeros and the numbers between.
func rank(x real) int {
	r := 1
	switch {
	case x.inf:
		r = 3
	case !x.zero():
		r = 2
	}
	if x.neg {
		return -r
	}
	return r
}

func refTestp(s *specimen) result {
	f := formatOf(s.typ(1))
	return func(v []uint64) (uint64, bool) {
		abs := v[0] &^ (1 << (f.bits - 1))
		return b2u(map[string]bool{
			"finite": abs < f.inf(), "infinite": abs == f.inf(), "number": abs <= f.inf(), "notanumber": abs > f.inf(),
			"normal": abs >= 1<<f.mant && abs < f.inf(), "subnormal": abs != 0 && abs < 1<<f.mant,
		}[s.mods[0]]), true
	}
}

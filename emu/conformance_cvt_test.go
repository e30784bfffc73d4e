package emu

import (
	"math/big"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/async"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Comparison and conversion as the manual defines them (PTX ISA 9.7.6, 9.7.9.21).

// comparisons are the operators on -1, 0 and 1; those whose names end in u hold for NaN as well.
var comparisons = map[string]func(c int) bool{
	"eq": func(c int) bool { return c == 0 }, "ne": func(c int) bool { return c != 0 },
	"lt": func(c int) bool { return c < 0 }, "le": func(c int) bool { return c <= 0 },
	"gt": func(c int) bool { return c > 0 }, "ge": func(c int) bool { return c >= 0 },
	"lo": func(c int) bool { return c < 0 }, "ls": func(c int) bool { return c <= 0 },
	"hi": func(c int) bool { return c > 0 }, "hs": func(c int) bool { return c >= 0 },
}

// refCompare is set and setp without a second predicate; conformance_bool_test.go has the
// others.
func refCompare(s *specimen) result {
	compare := s.comparison()
	if compare == nil || len(s.Operands) != 3 || s.typ(1).Lanes() > 1 || s.Operands[0].Spec.Pair != "" && !s.Operands[0].Spec.PairOptional {
		return nil
	}
	return func(v []uint64) (uint64, bool) {
		return async.Pick(compare(v[0], v[1]), truth(s.typ(0)), 0), true
	}
}

// truth returns the result of set and setp for a comparison that holds.
func truth(t isa.Type) uint64 {
	switch {
	case t.Float():
		return formatOf(t).one()
	case t == isa.Pred:
		return 1
	}
	return lowWord(big.NewInt(-1), uint(t.Bits()))
}

// comparison is the operator of set or setp on elements of the source type, nil where the
// manual does not define it.
func (s *specimen) comparison() func(a, b uint64) bool {
	t, op := s.typ(1), s.mods[0]
	if t.Lanes() > 1 {
		t = lane(t)
	}
	plain := strings.TrimSuffix(op, "u")
	unsigned := strings.Contains("lo ls hi hs", op)
	switch {
	case t.Float() && (unsigned || comparisons[plain] == nil && op != "num" && op != "nan"):
		return nil
	case !t.Float() && (comparisons[op] == nil || unsigned && t.Signed() || t.Kind() == isa.KindBits && op != "eq" && op != "ne"):
		return nil
	}
	if f := formatOf(t); f != nil {
		ftz := s.has("ftz") && t != isa.F64
		return func(a, b uint64) bool { return floatCompares(op, f, f.read(a, ftz), f.read(b, ftz)) }
	}
	if unsigned {
		t = isa.U64
	}
	return func(a, b uint64) bool { return comparisons[op](numberAt(a, t, 0).Cmp(numberAt(b, t, 0))) }
}

func floatCompares(op string, f *realFormat, x, y real) bool {
	ordered := !x.nan && !y.nan
	switch op {
	case "num":
		return ordered
	case "nan":
		return !ordered
	}
	plain, unordered := strings.CutSuffix(op, "u")
	if !ordered {
		return unordered
	}
	c := 0
	switch {
	case x.zero() && y.zero():
	default:
		c = f.compare(f.write(x, "rn"), f.write(y, "rn"))
	}
	return comparisons[plain](c)
}

// refConvert is cvt between single numbers.
func refConvert(s *specimen) result {
	if len(s.Operands) != 2 || s.typ(0).Lanes() > 1 || s.typ(1).Lanes() > 1 || s.has("pack") || s.has("satfinite") || s.has("relu") || s.has("tf32") {
		return nil
	}
	d, a := s.typ(0), s.typ(1)
	from, to := formatOf(a), formatOf(d)
	if a.Float() != (from != nil) || d.Float() != (to != nil) || a.Kind() == isa.KindBits || d.Kind() == isa.KindBits {
		return nil
	}
	if !s.sensible(from, to) {
		return nil
	}
	return func(v []uint64) (uint64, bool) {
		var x real
		if from != nil {
			x = from.read(v[0]&(^uint64(0)>>(64-from.bits)), s.has("ftz") && a == isa.F32)
		} else {
			x = realOf(numberAt(v[0], a, 0))
		}
		if r := s.one("rni", "rzi", "rmi", "rpi"); r != "" && !x.nan && !x.inf {
			x = whole(x, r[:2])
		}
		if to != nil {
			return s.toFloat(x, to, d), true
		}
		return s.toInteger(x, d, a), true
	}
}

// sensible reports whether a conversion has the rounding and flushing that the manual allows for its types.
func (s *specimen) sensible(from, to *realFormat) bool {
	integral, rounds := s.one("rni", "rzi", "rmi", "rpi") != "", s.one("rn", "rz", "rm", "rp") != ""
	if s.has("ftz") && s.typ(0) != isa.F32 && s.typ(1) != isa.F32 {
		return false
	}
	switch {
	case to == nil:
		return integral == (from != nil) && !rounds
	case from == nil:
		return rounds && !integral
	case from == to:
		return !rounds
	case from.mant > to.mant || from.emin < to.emin:
		return rounds && !integral
	}
	return !rounds && !integral
}

func realOf(n *big.Int) real {
	return real{neg: n.Sign() < 0, abs: new(big.Rat).SetInt(new(big.Int).Abs(n))}
}

// whole rounds to a whole number.
func whole(x real, rnd string) real {
	q, rest := new(big.Int).QuoRem(x.abs.Num(), x.abs.Denom(), new(big.Int))
	half := new(big.Int).Lsh(rest, 1).Cmp(x.abs.Denom())
	if roundsUp(rnd, x.neg, rest.Sign() != 0, half, q.Bit(0) == 1) {
		q.Add(q, big.NewInt(1))
	}
	return real{neg: x.neg, abs: new(big.Rat).SetInt(q)}
}

func (s *specimen) toFloat(x real, to *realFormat, d isa.Type) uint64 {
	v := to.write(x, s.rounding())
	abs := v &^ (1 << (to.bits - 1))
	switch {
	case s.has("sat") && (v != abs || abs > to.inf()):
		return 0
	case s.has("sat") && abs > to.one():
		return to.one()
	case s.has("ftz") && d == isa.F32 && abs < 1<<to.mant:
		return v &^ (1<<to.mant - 1)
	}
	return v
}

// toInteger clamps floating-point numbers always, integers under .sat. The result for NaN depends on the types. The
// result fills the register.
func (s *specimen) toInteger(x real, d, a isa.Type) uint64 {
	bits := uint(d.Bits())
	if x.nan {
		if a != isa.F64 && bits != 64 {
			return 0
		}
		return lowWord(bigPart(1<<(bits-1), 0, bits, d.Signed()), max(bits, 16))
	}
	n := new(big.Int)
	switch {
	case x.inf:
		n.Lsh(big.NewInt(1), 200)
		if x.neg {
			n.Neg(n)
		}
	default:
		n.Set(x.signed().Num())
	}
	if a.Float() || s.has("sat") {
		n = clamped(n, bits, d.Signed())
	}
	n = bigPart(lowWord(n, bits), 0, bits, d.Signed())
	return lowWord(n, max(bits, 16))
}

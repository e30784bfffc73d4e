// Translation of formulas to bits (bit blasting), optionally over reduced ranges of the variables.

package solve

import (
	"context"
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// maxBitWidth limits the width of a vector.
const maxBitWidth = 160

// blaster translates formulas to bits.
type blaster struct {
	circuit
	lo, hi  *big.Int // limits to which ranges are reduced; nil: not reduced
	cut     bool     // some range was reduced
	ints    map[string]bitvec
	bools   map[string]blit
	memo    map[*expr.Int]bitvec
	defined []blit // the conditions under which divisions and shifts are defined
	failed  bool   // something is too wide
	limit   int64  // the limit of work for the translation
}

// newBlaster returns a blaster with ranges reduced to at most lo … hi, or with whole ranges for nil.
func newBlaster(ctx context.Context, lo, hi *big.Int, limit int64) *blaster {
	return &blaster{
		circuit: circuit{newSAT(ctx), make(map[gate]blit)}, lo: lo, hi: hi, limit: limit,
		ints: make(map[string]bitvec), bools: make(map[string]blit), memo: make(map[*expr.Int]bitvec),
	}
}

// variable returns the vector of a variable.
func (b *blaster) variable(v *expr.Variable) bitvec {
	lo, hi := v.Lo, v.Hi
	if b.lo != nil {
		if lo == nil || lo.Cmp(b.lo) < 0 && (hi == nil || hi.Cmp(b.lo) >= 0) {
			lo, b.cut = b.lo, true
		}
		if hi == nil || hi.Cmp(b.hi) > 0 {
			hi, b.cut = b.hi, true
			if hi.Cmp(lo) < 0 {
				hi = lo
			}
		}
	}
	if lo == nil || hi == nil || lo.Cmp(hi) > 0 {
		return b.fail()
	}
	if z, ok := b.ints[v.Name]; ok {
		b.add(b.le(constVec(lo), z))
		b.add(b.le(z, constVec(hi)))
		return z
	}
	z := b.free(lo, hi)
	b.ints[v.Name] = z
	return z
}

// fail marks the translation as failed.
func (b *blaster) fail() bitvec {
	b.failed = true
	return constVec(new(big.Int))
}

// int translates an expression.
func (b *blaster) int(x *expr.Int) bitvec {
	if z, ok := b.memo[x]; ok {
		return z
	}
	if b.failed || b.work > b.limit || b.ended() {
		return b.fail()
	}
	z := b.compute(x)
	if len(z.bits) > maxBitWidth {
		return b.fail()
	}
	b.memo[x] = z
	return z
}

// compute is int without memoization.
func (b *blaster) compute(x *expr.Int) bitvec {
	switch x.Op() {
	case expr.OpConst:
		k, _ := x.Const()
		return constVec(k)
	case expr.OpVar:
		return b.variable(x.Variable())
	case expr.OpUnknown:
		return b.fail()
	case expr.OpSum:
		return b.sumOf(x)
	case expr.OpIte:
		return b.choose2(b.bool(x.Cond()), b.int(x.Args()[0]), b.int(x.Args()[1]))
	}
	args := make([]bitvec, len(x.Args()))
	for i, a := range x.Args() {
		args[i] = b.int(a)
	}
	if b.failed {
		return b.fail()
	}
	switch x.Op() {
	case expr.OpMul:
		z := args[0]
		for _, a := range args[1:] {
			if z = b.mul2(z, a); len(z.bits) > maxBitWidth || b.work > b.limit {
				return b.fail()
			}
		}
		return z
	case expr.OpMin:
		return b.choose2(b.le(args[0], args[1]), args[0], args[1])
	case expr.OpMax:
		return b.choose2(b.le(args[0], args[1]), args[1], args[0])
	case expr.OpAnd, expr.OpOr, expr.OpXor:
		return b.bitwise(x.Op(), args[0], args[1])
	case expr.OpWrap:
		bits, signed := x.Width()
		return wrapVec(args[0], bits, signed)
	case expr.OpLen, expr.OpOnes, expr.OpFlip:
		return b.count(x, args[0])
	case expr.OpShl, expr.OpShr:
		return b.shift(x.Op() == expr.OpShl, args[0], args[1])
	}
	q, r := b.divide(args[0], args[1])
	if x.Op() == expr.OpDiv {
		return q
	}
	return r
}

// sumOf translates a sum.
func (b *blaster) sumOf(x *expr.Int) bitvec {
	k, terms := x.Linear()
	z := constVec(k)
	for _, t := range terms {
		y := b.int(t.X)
		switch {
		case b.failed:
			return z
		case t.Coef.Cmp(bigOne) == 0:
			z = b.add2(z, y)
		case t.Coef.Cmp(bigMinusOne) == 0:
			z = b.sub2(z, y)
		default:
			z = b.add2(z, b.mul2(y, constVec(t.Coef)))
		}
	}
	return z
}

// bitwise translates and, or, exclusive or.
func (b *blaster) bitwise(op expr.Op, x, y bitvec) bitvec {
	w := max(len(x.bits), len(y.bits))
	z := bitvec{bits: make([]blit, w)}
	for i := range z.bits {
		switch op {
		case expr.OpAnd:
			z.bits[i] = b.and(x.bit(i), y.bit(i))
		case expr.OpOr:
			z.bits[i] = b.or(x.bit(i), y.bit(i))
		default:
			z.bits[i] = b.xor(x.bit(i), y.bit(i))
		}
	}
	return z.anyOfWidth()
}

// anyOfWidth returns the vector with the interval of its width.
func (v bitvec) anyOfWidth() bitvec {
	n := len(v.bits)
	v.hi = new(big.Int).Lsh(bigOne, uint(n-1))
	v.lo = new(big.Int).Neg(v.hi)
	v.hi = new(big.Int).Sub(v.hi, bigOne)
	if v.bits[n-1] == btrue.not() {
		v.lo = new(big.Int)
	}
	return v
}

// wrapVec reduces a vector to a width.
func wrapVec(x bitvec, bits int, signed bool) bitvec {
	z := bitvec{bits: make([]blit, 0, bits+1)}
	for i := range bits {
		z.bits = append(z.bits, x.bit(i))
	}
	if !signed {
		z.bits = append(z.bits, btrue.not())
	}
	return z.anyOfWidth()
}

// shift translates a shift by a count of 0 to 64.
func (b *blaster) shift(left bool, x, k bitvec) bitvec {
	top := big.NewInt(64)
	if k.lo.Sign() < 0 || k.hi.Cmp(top) > 0 {
		if b.lo == nil { // a proof must hold for any value of an undefined shift
			return b.fail()
		}
		b.cut = true
		b.add(k.bits[len(k.bits)-1].not())
		b.add(b.le(k, constVec(top)))
		k = k.within(new(big.Int), top)
	}
	z := x
	for i := 0; i < len(k.bits)-1; i++ {
		n := 1 << i
		y := bitvec{}
		if left {
			for range n {
				y.bits = append(y.bits, btrue.not())
			}
			y.bits = append(y.bits, z.bits...)
		} else {
			for j := range len(z.bits) {
				y.bits = append(y.bits, z.bit(j+n))
			}
		}
		if len(y.bits) > maxBitWidth {
			return b.fail()
		}
		z = b.choose2(k.bits[i], y.anyOfWidth(), z)
	}
	return z
}

// divide translates a truncated division: x = d·q + r with |r| < |d| and the sign of x.
func (b *blaster) divide(x, d bitvec) (q, r bitvec) {
	m := new(big.Int).Abs(x.lo)
	if h := new(big.Int).Abs(x.hi); h.Cmp(m) > 0 {
		m = h
	}
	lo := new(big.Int).Neg(m)
	if x.lo.Sign() >= 0 {
		if d.lo.Sign() >= 0 {
			q = b.free(new(big.Int), m)
		} else {
			q = b.free(lo, m)
		}
		r = b.free(new(big.Int), m)
	} else {
		q, r = b.free(lo, m), b.free(lo, m)
	}
	zero := constVec(new(big.Int))
	byZero := b.eq(d, zero)
	if byZero != btrue.not() {
		b.defined = append(b.defined, byZero.not())
		if b.lo == nil { // the value is arbitrary, even outside these ranges
			b.failed = true
		}
	}
	ok := func(l blit) { b.add(byZero, l) }
	ok(b.eq(x, b.add2(b.mul2(d, q), r)))
	xneg, dneg, rneg := x.bits[len(x.bits)-1], d.bits[len(d.bits)-1], r.bits[len(r.bits)-1]
	abs := func(v bitvec, neg blit) bitvec { return b.choose2(neg, b.sub2(zero, v), v) }
	ok(b.le(abs(d, dneg), abs(r, rneg)).not())
	ok(b.or(b.eq(r, zero), b.xor(rneg, xneg).not()))
	return q, r
}

// bool translates a condition.
func (b *blaster) bool(f *expr.Bool) blit {
	switch f.Kind() {
	case expr.KindConst:
		if v, _ := f.Const(); v {
			return btrue
		}
		return btrue.not()
	case expr.KindVar:
		return b.boolVar(f)
	case expr.KindAll, expr.KindAny:
		z := btrue
		for _, part := range f.Parts() {
			if f.Kind() == expr.KindAll {
				z = b.and(z, b.bool(part))
			} else {
				z = b.and(z, b.bool(part).not())
			}
		}
		if f.Kind() == expr.KindAny {
			return z.not()
		}
		return z
	case expr.KindMaybe:
		return b.newVar()
	}
	d, zero := b.int(f.Diff()), constVec(new(big.Int))
	switch f.Kind() {
	case expr.KindEq:
		return b.eq(d, zero)
	case expr.KindNe:
		return b.eq(d, zero).not()
	}
	return b.le(d, zero)
}

// boolVar returns the literal of a boolean variable.
func (b *blaster) boolVar(f *expr.Bool) blit {
	v, negated := f.Variable()
	l, ok := b.bools[v.Name]
	if !ok {
		l = b.newVar()
		b.bools[v.Name] = l
	}
	if negated {
		return l.not()
	}
	return l
}

// read returns the value of a vector in the solution.
func (b *blaster) read(v bitvec) *big.Int {
	z := new(big.Int)
	n := len(v.bits) - 1
	for i, l := range v.bits {
		if b.value[l] > 0 {
			w := new(big.Int).Lsh(bigOne, uint(i))
			if i == n {
				w.Neg(w)
			}
			z.Add(z, w)
		}
	}
	return z
}

// Double-precision arithmetic with every rounding mode, in integers.

package num

import (
	"math"
	"math/bits"
)

// Directed rounding of f64 operations, on integers of 128 bits.

// wide is the positive number hi:lo * 2^exp. It is normalised when the top bit of hi is clear and the next one set.
type wide struct {
	hi, lo uint64
	exp    int
}

// split returns the magnitude of a finite non-zero x as man * 2^exp, where man has its top bit set.
func split(x float64) (man uint64, exp int) {
	u := math.Float64bits(x)
	man, exp = u&(1<<52-1), int(u>>52&0x7ff)
	if exp == 0 {
		exp = 1
	} else {
		man |= 1 << 52
	}
	z := bits.LeadingZeros64(man)
	return man << uint(z), exp - 1075 - z
}

// normalise moves the leading one of w to bit 126; w is not zero.
func (w wide) normalise() wide {
	if w.hi == 0 {
		w.hi, w.lo, w.exp = w.lo, 0, w.exp-64
	}
	z := uint(bits.LeadingZeros64(w.hi))
	if z == 0 {
		return w.right(1)
	}
	z--
	w.hi = w.hi<<z | w.lo>>(64-z)
	w.lo <<= z
	w.exp -= int(z)
	return w
}

// right shifts the bits of w to the right by n and keeps its value, except for a sticky last bit.
func (w wide) right(n uint) wide {
	w.exp += int(n)
	var lost uint64
	switch {
	case n == 0:
		return w
	case n < 64:
		lost = w.lo << (64 - n)
		w.lo = w.lo>>n | w.hi<<(64-n)
		w.hi >>= n
	case n < 128:
		lost = w.lo | w.hi<<(127-n)<<1
		w.lo = w.hi >> (n - 64)
		w.hi = 0
	default:
		lost = w.hi | w.lo
		w.hi, w.lo = 0, 0
	}
	if lost != 0 {
		w.lo |= 1
	}
	return w
}

// round rounds w, which is not zero, to f64.
func (w wide) round(neg bool, r Rounding) uint64 {
	w = w.normalise()
	man := w.hi<<1 | w.lo>>63
	if w.lo<<1 != 0 {
		man |= 1
	}
	return F64.round(neg, man, w.exp+126, r)
}

// fma64 is a*b+c under any rounding mode.
func fma64(a, b, c float64, r Rounding) uint64 {
	if a == 0 || b == 0 || !finite(a) || !finite(b) || !finite(c) {
		return special64(a, b, c, r)
	}
	negP, negC := math.Signbit(a) != math.Signbit(b), math.Signbit(c)
	am, ae := split(a)
	bm, be := split(b)
	p := wide{exp: ae + be}
	p.hi, p.lo = bits.Mul64(am, bm)
	p = p.normalise()
	if c == 0 {
		return p.round(negP, r)
	}
	cm, ce := split(c)
	q := wide{hi: cm, exp: ce - 64}.normalise()
	if p.exp < q.exp {
		p, q, negP, negC = q, p, negC, negP
	}
	q = q.right(uint(p.exp - q.exp))
	sum := wide{exp: p.exp}
	if negP == negC {
		var carry uint64
		sum.lo, carry = bits.Add64(p.lo, q.lo, 0)
		sum.hi, _ = bits.Add64(p.hi, q.hi, carry)
		return sum.round(negP, r)
	}
	if p.hi < q.hi || p.hi == q.hi && p.lo < q.lo {
		p, q, negP = q, p, negC
	}
	var borrow uint64
	sum.lo, borrow = bits.Sub64(p.lo, q.lo, 0)
	sum.hi, _ = bits.Sub64(p.hi, q.hi, borrow)
	if sum.hi|sum.lo == 0 {
		return F64.sign(r == RM)
	}
	return sum.round(negP, r)
}

// special64 is a*b+c where the product is zero or an operand is not finite: the
// result is exact.
func special64(a, b, c float64, r Rounding) uint64 {
	if !finite(c) && finite(a) && finite(b) {
		return canon64(c) // a*b may overflow
	}
	p := a * b
	if c == 0 && p == 0 && math.Signbit(p) != math.Signbit(c) {
		return F64.sign(r == RM)
	}
	return canon64(p + c)
}

// div64 is a/b for finite non-zero operands.
func div64(a, b float64, r Rounding) uint64 {
	am, ae := split(a)
	bm, be := split(b)
	q, rem := bits.Div64(am>>1, am<<63, bm)
	w := wide{hi: q >> 1, lo: q << 63, exp: ae - be - 126}
	if rem != 0 {
		w.lo |= 1
	}
	return w.round(math.Signbit(a) != math.Signbit(b), r)
}

// sqrt64 is the square root of a finite positive a.
func sqrt64(a float64, r Rounding) uint64 {
	man, exp := split(a)
	if exp&1 != 0 {
		man, exp = man>>1, exp+1 // split leaves at least ten low zero bits
	}
	root := isqrt(man)
	w := wide{hi: root, exp: (exp-64)/2 - 64} // root is of man*2^64
	hi, lo := bits.Mul64(root, root)
	if hi != man || lo != 0 {
		w.lo = 1
	}
	return w.round(false, r)
}

// isqrt is the integer square root of v*2^64, digit by digit.
func isqrt(v uint64) uint64 {
	var root uint64
	for bit := uint64(1) << 63; bit != 0; bit >>= 1 {
		hi, lo := bits.Mul64(root|bit, root|bit)
		if hi < v || hi == v && lo == 0 {
			root |= bit
		}
	}
	return root
}

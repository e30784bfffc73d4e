// 128-bit sums of products, for the propagation of bounds.

package solve

import "math/bits"

// limit is the magnitude beyond which bounds of variables are not represented.
const limit = int64(1) << 62

// inf stands for no upper bound, -inf for no lower bound.
const inf = limit

// maxCoef limits the coefficients of linear constraints, so that sums of products fit 128 bits.
const maxCoef = int64(1) << 40

// wide is a signed 128-bit integer.
type wide struct {
	hi int64
	lo uint64
}

// product128 returns a·b.
func product128(a, b int64) wide {
	hi, lo := bits.Mul64(abs64(a), abs64(b))
	w := wide{int64(hi), lo}
	if (a < 0) != (b < 0) {
		return w.neg()
	}
	return w
}

// add returns w + x.
func (w wide) add(x wide) wide {
	lo, carry := bits.Add64(w.lo, x.lo, 0)
	return wide{w.hi + x.hi + int64(carry), lo}
}

// neg returns -w.
func (w wide) neg() wide {
	lo, borrow := bits.Sub64(0, w.lo, 0)
	return wide{-w.hi - int64(borrow), lo}
}

// sub returns w - x.
func (w wide) sub(x wide) wide { return w.add(x.neg()) }

// negative reports whether w is less than 0.
func (w wide) negative() bool { return w.hi < 0 }

// floorDiv returns w / d rounded down for d > 0, as a bound: at most inf in magnitude.
func (w wide) floorDiv(d int64) int64 {
	if w.negative() {
		n := w.neg()
		q, r, ok := n.quo(d)
		if !ok {
			return -inf
		}
		if r != 0 {
			q++
		}
		return max(-q, -inf)
	}
	q, _, ok := w.quo(d)
	if !ok {
		return inf
	}
	return min(q, inf)
}

// ceilDiv returns w / d rounded up for d > 0, as a bound.
func (w wide) ceilDiv(d int64) int64 { return -w.neg().floorDiv(d) }

// quo divides a non-negative w; ok reports whether the quotient is below the limit.
func (w wide) quo(d int64) (q int64, r uint64, ok bool) {
	if uint64(w.hi) >= uint64(d) {
		return 0, 0, false
	}
	hi, rest := bits.Div64(uint64(w.hi), w.lo, uint64(d))
	if hi > uint64(limit) {
		return 0, 0, false
	}
	return int64(hi), rest, true
}

// clamp returns w as a bound.
func (w wide) clamp() int64 { return w.floorDiv(1) }

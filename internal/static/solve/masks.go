// Masks: bitwise conjunctions with one less than a power of two, whose exponent is a variable.

package solve

import (
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// conjunction is z = x & y.
type conjunction struct{ x, y, z poly }

// maxMasks limits the conjunctions, and the powers of two, that are compared with each other.
const maxMasks = 8

// masks adds that x & (p - 1) is x mod p for a power of two p or its double, and that a positive x is a power of two if
// x & (x - 1) is zero.
func (t *translator) masks() {
	list := t.ands[:min(len(t.ands), maxMasks)]
	for _, a := range list {
		t.singleBit(a.x, a.y, a.z)
		t.singleBit(a.y, a.x, a.z)
	}
	for _, a := range list {
		for _, p := range t.powers[:min(len(t.powers), maxMasks)] {
			for _, q := range []poly{p, p.scaled(2)} {
				t.mask(a.x, a.y, a.z, q)
				t.mask(a.y, a.x, a.z, q)
			}
		}
	}
}

// mask adds that z = x & y is x mod p if y is p - 1, for a power of two p.
func (t *translator) mask(x, y, z, p poly) {
	other := t.nonzero(y.sub(p).plus(1))
	if other.truth == always {
		return
	}
	if d, ok := t.floorDivide(x, p); ok {
		t.lemma(other, t.zero(z.sub(d.r)))
	}
}

// greatestExponent is that of the powers of two that coefficients hold.
const greatestExponent = 40

// singleBit adds, for z = x & (x - 1) of an x that is at most 2^greatestExponent, that x is a power of two if z is zero
// and x is positive.
func (t *translator) singleBit(x, less, z poly) {
	if d, ok := less.sub(x).plus(1).constant(); !ok || d.Sign() != 0 {
		return
	}
	_, hi := t.polyBounds(x)
	if hi == nil || hi.BitLen() > greatestExponent {
		return
	}
	k := expr.Uniform("", 0, int64(hi.BitLen()))
	count := t.varPoly(t.fresh(new(big.Int), big.NewInt(int64(hi.BitLen())), t.uniformPoly(x)))
	if p, ok := t.powerOf2(k, count); ok {
		t.lemma(t.nonzero(z), t.leq(x), t.zero(x.sub(p)))
	}
}

// Bounds of linear forms that the query states, and the wrap-around that they exclude.

package solve

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// bounded is a polynomial without constant whose values are bounded by a conjunct of the query.
type bounded struct {
	p      poly
	lo, hi *big.Int // nil: none
	tag    uint64
}

// Limits of the search for bounds.
const (
	maxBounded   = 64  // recorded forms
	maxStated    = 200 // nodes of a recorded inequality
	maxReduction = 3   // forms that are combined
)

// collectBounds records the inequalities and equations among the conjuncts that contain no wrap-around.
func (t *translator) collectBounds(fs []tagged) {
	index := make(map[string]int)
	for _, f := range fs {
		kind := f.f.Kind()
		if kind != expr.KindLe && kind != expr.KindEq || f.f.Size() > maxStated || wraps(f.f.Diff()) {
			continue
		}
		if t.full() {
			return
		}
		t.tag = 0
		q, ok := t.poly(f.f.Diff())
		if !ok || len(q) == 0 || len(t.stated) >= maxBounded {
			continue
		}
		k := new(big.Int)
		if q[0].m == 0 {
			k, q = new(big.Int).Neg(q[0].c), q[1:]
		}
		if len(q) > 0 {
			t.state(index, q, k, kind == expr.KindEq, f.tag|t.tag)
		}
	}
}

// state records that q ≤ k, or q = k.
func (t *translator) state(index map[string]int, q poly, k *big.Int, equal bool, tag uint64) {
	upper := q[0].c.Sign() > 0
	if !upper {
		q, k = q.neg(), new(big.Int).Neg(k)
	}
	i, known := index[q.key()]
	if !known {
		i = len(t.stated)
		index[q.key()] = i
		t.stated = append(t.stated, bounded{p: q})
	}
	b := &t.stated[i]
	b.tag |= tag
	if (upper || equal) && (b.hi == nil || k.Cmp(b.hi) < 0) {
		b.hi = k
	}
	if (!upper || equal) && (b.lo == nil || k.Cmp(b.lo) > 0) {
		b.lo = k
	}
}

// wraps reports whether an expression contains wrap-around.
func wraps(x *expr.Int) bool {
	if x.Op() == expr.OpWrap || x.Op() == expr.OpIte {
		return true
	}
	if x.Op() == expr.OpSum {
		_, terms := x.Linear()
		return slices.ContainsFunc(terms, func(t expr.Term) bool { return wraps(t.X) })
	}
	return slices.ContainsFunc(x.Args(), wraps)
}

// fits reports whether the values of a polynomial lie within lo … hi, according to the ranges of its variables and the
// bounds stated by the query. The facts used are added to the tag.
func (t *translator) fits(q poly, lo, hi *big.Int) bool {
	tag, ok := t.fitsBy(q, lo, hi, 0)
	t.tag |= tag
	return ok
}

// fitsBy is fits after depth stated forms have been subtracted from the polynomial; it returns the tag of the facts
// used.
func (t *translator) fitsBy(q poly, lo, hi *big.Int, depth int) (uint64, bool) {
	qlo, qhi := t.polyBounds(q)
	if qlo != nil && qhi != nil && qlo.Cmp(lo) >= 0 && qhi.Cmp(hi) <= 0 {
		return 0, true
	}
	if depth == maxReduction {
		return 0, false
	}
	widest, ok := t.widest(q)
	if !ok {
		return 0, false
	}
	for _, b := range t.stated {
		i := slices.IndexFunc(b.p, func(x pterm) bool { return x.m == widest.m })
		if i < 0 {
			continue
		}
		c, rest := new(big.Int).QuoRem(widest.c, b.p[i].c, new(big.Int))
		blo, bhi := b.lo, b.hi
		if c.Sign() < 0 {
			blo, bhi = bhi, blo
		}
		if rest.Sign() != 0 || blo == nil || bhi == nil {
			continue
		}
		// q = c·b + rest; the rest must lie within what remains of lo … hi after c·b
		l, h := new(big.Int).Sub(lo, new(big.Int).Mul(c, blo)), new(big.Int).Sub(hi, new(big.Int).Mul(c, bhi))
		if l.Cmp(h) > 0 {
			continue
		}
		if tag, ok := t.fitsBy(q.addScaled(new(big.Int).Neg(c), b.p), l, h, depth+1); ok {
			return tag | b.tag, true
		}
	}
	return 0, false
}

// widest returns the term of a polynomial with the largest range.
func (t *translator) widest(q poly) (pterm, bool) {
	var best pterm
	var most *big.Int
	for _, x := range q {
		lo, hi := t.polyBounds(poly{x})
		if lo == nil || hi == nil {
			return x, true
		}
		if w := new(big.Int).Sub(hi, lo); most == nil || w.Cmp(most) > 0 {
			best, most = x, w
		}
	}
	return best, most != nil
}

// Conditions as bits: comparisons of single bits, their connections, and atoms for all others.

package solve

import (
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// cond returns the truth of a condition: a bit where that is what it compares, else an atom.
func (t *atomizer) cond(c *expr.Bool) (parity, bool) {
	switch c.Kind() {
	case expr.KindMaybe:
		return parity{}, false
	case expr.KindConst:
		v, _ := c.Const()
		if v {
			return oneBit, true
		}
		return parity{}, true
	case expr.KindAll, expr.KindAny:
		return t.connected(c)
	}
	if f, ok := t.test(c); ok {
		return f, true
	}
	if f, known := t.conds[c.String()]; known {
		return f, true
	}
	if f, known := t.conds[expr.Not(c).String()]; known {
		return f.plus(oneBit), true
	}
	if !definite(c) {
		return parity{}, false
	}
	f, ok := t.atom()
	if ok {
		t.conds[c.String()] = f
	}
	return f, ok
}

// definite reports whether a condition has no unknown part, which may differ from an unknown part that looks the same.
func definite(c *expr.Bool) bool {
	ok := c.Kind() != expr.KindMaybe
	var look func(*expr.Int) *expr.Int
	enter := func(f *expr.Bool) *expr.Bool {
		ok = ok && definite(f)
		return f
	}
	look = func(x *expr.Int) *expr.Int {
		ok = ok && solid(x)
		return x
	}
	if ok {
		c.Map(look, enter)
	}
	return ok
}

// connected returns the truth of a conjunction or disjunction: of a conjunction of negations, negated.
func (t *atomizer) connected(c *expr.Bool) (parity, bool) {
	var flip parity
	if c.Kind() == expr.KindAny {
		flip = oneBit
	}
	out := oneBit
	for _, part := range c.Parts() {
		f, ok := t.cond(part)
		if ok {
			out, ok = t.product(out, f.plus(flip))
		}
		if !ok {
			return parity{}, false
		}
	}
	return out.plus(flip), true
}

// test returns the truth of a comparison of a single bit with a constant.
func (t *atomizer) test(c *expr.Bool) (parity, bool) {
	if c.Diff() == nil {
		return parity{}, false
	}
	a, b, ok := t.sides(c.Diff())
	if !ok {
		return parity{}, false
	}
	var open []parity
	values := [2]*big.Int{new(big.Int), new(big.Int)} // a - b with the open bit 0 and 1
	for side, v := range []vector{a, b} {
		for i, f := range v {
			w := new(big.Int).Lsh(bigOne, uint(i))
			if (i == len(v)-1) != (side == 1) {
				w.Neg(w)
			}
			if f == (parity{}) {
				continue
			}
			if f != oneBit {
				if f[0]&1 != 0 { // the value with the bit 0
					values[0].Add(values[0], w)
					f = f.plus(oneBit)
				} else {
					values[1].Add(values[1], w)
				}
				if open = append(open, f); f != open[0] {
					return parity{}, false
				}
				continue
			}
			values[0].Add(values[0], w)
			values[1].Add(values[1], w)
		}
	}
	if len(open) == 0 {
		return parity{}, false
	}
	var truths [2]bool
	for i, d := range values {
		truths[i] = map[expr.BoolKind]bool{
			expr.KindEq: d.Sign() == 0, expr.KindNe: d.Sign() != 0,
			expr.KindLe: d.Sign() <= 0,
		}[c.Kind()]
	}
	out := parity{}
	if truths[0] {
		out = oneBit
	}
	if truths[0] != truths[1] {
		out = out.plus(open[0])
	}
	return out, true
}

// Invariants of loops: ranges that loop-carried values do not leave.

package symbolic

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Known returns the known constraints on a variable besides its range: the invariant range of a loop-carried value and
// its formula of the iteration, and the value of a shuffle to which all lanes pass the same. Nil for none.
func (o *Origin) Known(v expr.Variable) *expr.Bool {
	if o.Sides != nil || o.asked || v.Bool || o.value < 0 {
		return o.Sides
	}
	o.asked = true
	switch x := o.passed(); {
	case x != nil:
		o.Sides, o.Data = expr.Eq(expr.NewVar(v), read(x, o.Inst.Type(0))), false
	case o.loop != nil:
		o.Sides = both(o.Frame.stays(v, o.value), o.Frame.stepped(v, o.value, o.loop))
		if x := o.ring(v); x != nil {
			o.Sides = both(o.Sides, expr.Eq(expr.NewVar(v), read(x, o.Frame.ssa.Values[o.value].Reg.Type)))
		}
	}
	return o.Sides
}

// both returns the conjunction of two conditions, either of which may be nil for none.
func both(a, b *expr.Bool) *expr.Bool {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return expr.All(a, b)
}

// maxWiden limits the attempts to find an invariant range.
const maxWiden = 6

// next is a back edge of a loop: the value carried to the next iteration, and the condition under which there is one.
type next struct {
	val  *expr.Int
	cond *expr.Bool
}

// span is a range of integers; nil bounds are infinite.
type span struct{ lo, hi *big.Int }

func (s span) bounded() bool { return s.lo != nil && s.hi != nil }

// with returns the smallest range that contains both.
func (s span) with(o span) span {
	if o.lo.Cmp(s.lo) > 0 {
		o.lo = s.lo
	}
	if o.hi.Cmp(s.hi) < 0 {
		o.hi = s.hi
	}
	return o
}

// stays searches for an invariant range of a loop-carried value by widening. The loop's tests restrict the values of
// the next iteration.
func (f *Frame) stays(v expr.Variable, i int32) *expr.Bool {
	phi := &f.ssa.Values[i]
	t := phi.Reg.Type
	init := f.merged(phi, i, func(p int) bool { return !f.latch(phi.Block, p) }).Int
	if init == nil || init.IsUnknown() {
		return nil
	}
	var nexts []next
	for k, in := range phi.In {
		if f.latch(phi.Block, k) && in != rewrite.NoValue {
			n := f.value(in).Int
			if n == nil || n.IsUnknown() {
				return nil
			}
			from := phi.Block.Preds[k]
			nexts = append(nexts, next{read(n, t), expr.All(f.between(from, phi.Block), f.edgeOr(from, phi.Block))})
		}
	}
	lo, hi := read(init, t).Range()
	now := settled(v, span{lo, hi}, nexts)
	if now == nil {
		return nil
	}
	x := expr.NewVar(v)
	return expr.All(expr.Ge(x, expr.Big(now.lo)), expr.Le(x, expr.Big(now.hi)))
}

// settled returns a range that contains first and, of each value in it, the next values; nil when none is found.
func settled(v expr.Variable, first span, nexts []next) *span {
	now, end := first, span{v.Lo, v.Hi}
	if !now.bounded() || !end.bounded() {
		return nil
	}
	limit, marks := joined(end, nexts, v), thresholds(nexts)
	for range maxWiden {
		got := joined(now, nexts, v)
		if got == nil || limit == nil {
			return nil
		}
		if got.lo.Cmp(now.lo) >= 0 && got.hi.Cmp(now.hi) <= 0 {
			now = first.with(*got)
			return &now
		}
		now.lo = wider(now.lo, got.lo, -1, append(marks, limit.lo, end.lo)...)
		now.hi = wider(now.hi, got.hi, 1, append(marks, limit.hi, end.hi)...)
	}
	return nil
}

// joined returns the range of the next values for a variable in range now; nil when that is not known.
func joined(now span, nexts []next, v expr.Variable) *span {
	var out *span
	for _, n := range nexts {
		at := trimmed(v, now, n.cond)
		if at == nil {
			continue
		}
		got := n.after(v, *at)
		if got == nil {
			continue
		}
		if !got.bounded() {
			return nil
		}
		if out != nil {
			*got = out.with(*got)
		}
		out = got
	}
	if out == nil {
		return &now // there is no next iteration
	}
	return out
}

// after returns the range of the next value for a variable in range at; nil when there is none.
func (n *next) after(v expr.Variable, at span) *span {
	got := ranged(n.val, v, at)
	lo, hi := got.lo, got.hi
	if op := n.val.Op(); !got.bounded() || op == expr.OpVar || op == expr.OpSum || op == expr.OpConst {
		return &got
	}
	w := expr.Variable{Name: "next", Lo: lo, Hi: hi}
	return trimmed(w, got, replaced(n.cond, n.val, expr.NewVar(w)).Subst(inSpan(v, at)))
}

// ranged returns the range of an expression for a variable in range at. A selection is asked for each side with the
// values of the variable that lead there.
func ranged(x *expr.Int, v expr.Variable, at span) span {
	lo, hi := x.Subst(inSpan(v, at)).Range()
	switch x.Op() {
	case expr.OpWrap:
		if in := ranged(x.Args()[0], v, at); in.bounded() && lo.Cmp(in.lo) <= 0 && hi.Cmp(in.hi) >= 0 {
			return in
		}
	case expr.OpIte:
		first, second := trimmed(v, at, x.Cond()), trimmed(v, at, expr.Not(x.Cond()))
		switch {
		case first == nil && second != nil:
			return ranged(x.Args()[1], v, *second)
		case second == nil && first != nil:
			return ranged(x.Args()[0], v, *first)
		case first != nil && second != nil:
			if s, t := ranged(x.Args()[0], v, *first), ranged(x.Args()[1], v, *second); s.bounded() && t.bounded() {
				return s.with(t)
			}
		}
	}
	return span{lo, hi}
}

// maxThresholds limits the thresholds of a loop-carried value.
const maxThresholds = 32

// thresholds returns the bounds to which ranges are widened first: 0, and the constants that the next values have, less
// or more by one.
func thresholds(nexts []next) []*big.Int {
	out := []*big.Int{new(big.Int)}
	var ints func(*expr.Int) *expr.Int
	var bools func(*expr.Bool) *expr.Bool
	ints = func(x *expr.Int) *expr.Int {
		k, terms := x.Linear()
		if len(out) < maxThresholds && (len(terms) > 0 || x.Op() == expr.OpConst) {
			for d := int64(-1); d <= 1; d++ {
				up := new(big.Int).Add(k, big.NewInt(d))
				out = append(out, up, new(big.Int).Neg(up))
			}
		}
		return x.Map(ints, bools)
	}
	bools = func(c *expr.Bool) *expr.Bool { return c.Map(ints, bools) }
	for _, n := range nexts {
		ints(n.val)
	}
	return slices.Clip(out)
}

// replaced returns a condition with every occurrence of old replaced.
func replaced(c *expr.Bool, old, by *expr.Int) *expr.Bool {
	var ints func(*expr.Int) *expr.Int
	var bools func(*expr.Bool) *expr.Bool
	ints = func(x *expr.Int) *expr.Int {
		if x.Equal(old) {
			return by
		}
		return x.Map(ints, bools)
	}
	bools = func(c *expr.Bool) *expr.Bool { return c.Map(ints, bools) }
	return bools(c)
}

// inSpan returns a substitution that restricts a variable to a range.
func inSpan(v expr.Variable, s span) expr.Substitution {
	name := v.Name
	v.Lo, v.Hi = s.lo, s.hi
	narrow := expr.NewVar(v)
	return expr.Substitution{Int: func(x expr.Variable) *expr.Int {
		if x.Name == name {
			return narrow
		}
		return nil
	}}
}

// trimmed returns a range of a variable without the ends that a condition excludes; nil when nothing remains.
func trimmed(v expr.Variable, s span, c *expr.Bool) *span {
	excluded := func(lo, hi *big.Int) bool { return c.Subst(inSpan(v, span{lo, hi})) == expr.False }
	if c == expr.True || !s.bounded() {
		return &s
	}
	if excluded(s.lo, s.hi) {
		return nil
	}
	// cut bisects for the last value, from good (not excluded) toward bad, that is not excluded.
	cut := func(good, bad *big.Int, out func(at *big.Int) bool) *big.Int {
		if !out(bad) {
			return bad
		}
		for {
			mid := new(big.Int).Add(good, bad)
			mid.Rsh(mid, 1)
			switch {
			case mid.Cmp(good) == 0 || mid.Cmp(bad) == 0:
				return good
			case out(mid):
				bad = mid
			default:
				good = mid
			}
		}
	}
	hi := cut(s.lo, s.hi, func(at *big.Int) bool { return excluded(at, s.hi) })
	lo := cut(s.hi, s.lo, func(at *big.Int) bool { return excluded(s.lo, at) })
	if lo.Cmp(hi) > 0 {
		return &s
	}
	return &span{lo, hi}
}

// wider widens a bound to the nearest of the given ends that passed does not exceed, if passed exceeds the bound.
func wider(bound, passed *big.Int, sign int, ends ...*big.Int) *big.Int {
	if passed.Cmp(bound)*sign <= 0 {
		return bound
	}
	best := ends[len(ends)-1]
	for _, e := range ends {
		if passed.Cmp(e)*sign <= 0 && e.Cmp(best)*sign < 0 {
			best = e
		}
	}
	return best
}

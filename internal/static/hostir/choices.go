// Choices: values that are one of a few, and what several of them are together.

package hostir

import (
	"maps"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// decision is a variable with values from 0 that stands for which of some ways the program has taken.
type decision struct {
	ways    int
	follows []facts.Condition // what else is known of it
	certain bool              // nothing excludes a way that these conditions allow
	// counters are the variables that a loop changes, for a decision about the iterations of the loop: the program takes
	// way 0 in the first iteration.
	counters map[string]bool
}

// occurs reports whether a launch certainly exists with one way of a decision.
func (x *executor) occurs(d *decision, way *expr.Int, l *facts.Launch) bool {
	mentioned := slices.Collect(maps.Keys(l.Mentioned()))
	return d.certain && !slices.ContainsFunc(d.follows, func(c facts.Condition) bool { return x.loses(c.That) }) ||
		d.counters != nil && way.Equal(expr.Const(0)) &&
			!slices.ContainsFunc(mentioned, func(v string) bool { return d.counters[v] })
}

// loses reports whether a condition has a value that was not followed.
func (x *executor) loses(c *expr.Bool) bool {
	return slices.ContainsFunc(c.Vars(), func(v expr.Variable) bool {
		of := x.vars[v.Name]
		return x.decisions[v.Name] == nil && (of == nil || of.Lost)
	})
}

// decide makes the variable of a decision.
func (x *executor) decide(hint string, ways int) *expr.Int {
	v := x.vars[x.leaf(hint, 32, true).Num.Variable().Name]
	v.Lo, v.Hi = new(big.Int), big.NewInt(int64(ways-1))
	x.decisions[v.Name] = &decision{ways: ways}
	return v.Int()
}

// alternative is what values are together under some conditions.
type alternative struct {
	vals  []memory.Value
	when  []*expr.Bool
	fixed map[string]*expr.Int // decisions
}

// alternatives returns the combinations of values that can occur together. Values for which kept is true are not split
// into their cases. ok is false if there are more combinations than the limit most.
func (x *executor) alternatives(vals []memory.Value, most int, kept func(memory.Value) bool) (list []alternative, ok bool) {
	work := []alternative{{vals: vals}}
	for len(work) > 0 {
		a := work[len(work)-1]
		work = work[:len(work)-1]
		i := slices.IndexFunc(a.vals, func(v memory.Value) bool { return !kept(v) })
		if i < 0 {
			list = append(list, a)
		} else {
			parts := x.split(a, i)
			slices.Reverse(parts)
			work = append(work, parts...)
		}
		if len(list)+len(work) > 4*most {
			return nil, false
		}
	}
	return list, len(list) <= most
}

// split replaces an alternative by several, in which value i has fewer cases: one for each way of a decision on which the
// value depends, or else one for each of its cases.
func (x *executor) split(a alternative, i int) (list []alternative) {
	v := a.vals[i]
	for _, on := range v.Vars() {
		d, ok := x.decisions[on.Name]
		if !ok {
			continue
		}
		for k := range d.ways {
			if b, possible := a.decided(on.Name, expr.Const(int64(k))); possible {
				list = append(list, b)
			}
		}
		return list
	}
	cases := v.Cases
	if c := condition(v.Num); c != nil {
		cases = []memory.Case{{When: c, Value: v}, {When: expr.Not(c), Value: v}}
	}
	for _, c := range cases {
		with := a
		with.vals = slices.Clone(a.vals)
		with.vals[i] = c.Value
		if b, possible := with.under(c.When); possible {
			list = append(list, b)
		}
	}
	if cases == nil {
		a.vals = slices.Clone(a.vals)
		a.vals[i] = memory.Value{}
		list = append(list, a)
	}
	return list
}

// condition returns a condition that decides about a number; nil if there is none.
func condition(n *expr.Int) (c *expr.Bool) {
	if n == nil || n.Op() == expr.OpIte {
		if n != nil {
			c = n.Cond()
		}
		return c
	}
	n.Map(func(m *expr.Int) *expr.Int {
		if c == nil {
			c = condition(m)
		}
		return m
	}, func(f *expr.Bool) *expr.Bool { return f })
	return c
}

// decided returns an alternative in which a decision is known.
func (a alternative) decided(name string, k *expr.Int) (alternative, bool) {
	s := deciding(map[string]*expr.Int{name: k})
	a.fixed = maps.Clone(a.fixed)
	if a.fixed == nil {
		a.fixed = make(map[string]*expr.Int)
	}
	a.fixed[name] = k
	return a.mapped(func(n *expr.Int) *expr.Int { return n.Subst(s) },
		func(f *expr.Bool) *expr.Bool { return f.Subst(s) })
}

// deciding returns the substitution of decisions that are known.
func deciding(fixed map[string]*expr.Int) expr.Substitution {
	return expr.Substitution{Int: func(v expr.Variable) *expr.Int { return fixed[v.Name] }}
}

// under returns an alternative under a further condition.
func (a alternative) under(c *expr.Bool) (alternative, bool) {
	r := replacer{c, expr.Not(c)}
	a, possible := a.mapped(r.int, r.bool)
	a.when = append(a.when, c)
	return a, possible
}

// mapped returns an alternative with its formulas replaced; possible is false if a value can be none of its cases, or a
// condition does not hold.
func (a alternative) mapped(
	ints func(*expr.Int) *expr.Int, bools func(*expr.Bool) *expr.Bool,
) (b alternative, possible bool) {
	vals := a.vals
	a.vals = make([]memory.Value, len(vals))
	for i, v := range vals {
		a.vals[i] = v.Map(ints, bools)
		if v.Cases != nil && !slices.ContainsFunc(v.Cases, func(c memory.Case) bool {
			holds, ok := bools(c.When).Const()
			return holds || !ok
		}) {
			return a, false
		}
	}
	a.when = slices.Clone(a.when)
	for i, c := range a.when {
		a.when[i] = bools(c)
		if holds, ok := a.when[i].Const(); ok && !holds {
			return a, false
		}
	}
	return a, true
}

// replacer replaces in formulas what a condition decides.
type replacer struct{ holds, not *expr.Bool }

func (r replacer) int(n *expr.Int) *expr.Int { return n.Map(r.int, r.bool) }

func (r replacer) bool(f *expr.Bool) *expr.Bool {
	switch {
	case f.Equal(r.holds):
		return expr.Truth(true)
	case f.Equal(r.not):
		return expr.Truth(false)
	case r.holds.Kind() == expr.KindEq && (f.Kind() == expr.KindEq || f.Kind() == expr.KindNe || f.Kind() == expr.KindLe):
		for _, d := range []*expr.Int{expr.Sub(f.Diff(), r.holds.Diff()), expr.Add(f.Diff(), r.holds.Diff())} {
			if k, ok := d.Const(); ok { // the difference is that number
				return compared(f.Kind(), k)
			}
		}
		if r.excludes(f) {
			return expr.Truth(f.Kind() == expr.KindNe)
		}
	case r.holds.Kind() == expr.KindAll:
		for _, p := range r.holds.Parts() {
			f = replacer{p, expr.Not(p)}.bool(f)
		}
		return f
	}
	return f.Map(r.int, r.bool)
}

// compared returns the comparison of a number with zero.
func compared(kind expr.BoolKind, k *big.Int) *expr.Bool {
	switch kind {
	case expr.KindEq:
		return expr.Truth(k.Sign() == 0)
	case expr.KindNe:
		return expr.Truth(k.Sign() != 0)
	default:
		return expr.Truth(k.Sign() <= 0)
	}
}

// excludes reports whether the condition, that a remainder is a number, excludes that another one of the same divisor is
// a number, as k % 3 == 0 excludes (k + 1) % 3 == 0.
func (r replacer) excludes(f *expr.Bool) bool {
	of, m, is, ok := residue(r.holds)
	of2, m2, is2, ok2 := residue(f)
	if !ok || !ok2 || m.Cmp(m2) != 0 {
		return false
	}
	apart, ok := expr.Sub(of2, of).Const()
	apart = new(big.Int).Sub(new(big.Int).Add(is, apart), is2)
	return ok && apart.Mod(apart, m).Sign() != 0
}

// residue returns n, m and k of a comparison whether n % m is k.
func residue(f *expr.Bool) (n *expr.Int, m, k *big.Int, ok bool) {
	if f.Kind() != expr.KindEq && f.Kind() != expr.KindNe {
		return nil, nil, nil, false
	}
	sum, terms := f.Diff().Linear()
	if len(terms) != 1 || !terms[0].Coef.IsInt64() || new(big.Int).Abs(terms[0].Coef).Cmp(big.NewInt(1)) != 0 {
		return nil, nil, nil, false
	}
	k = new(big.Int).Neg(new(big.Int).Mul(sum, terms[0].Coef))
	x := terms[0].X
	bits, signed := x.Width()
	switch {
	case x.Op() == expr.OpRem:
		n = x.Args()[0]
		if m, ok = x.Args()[1].Const(); !ok || m.Sign() <= 0 {
			return nil, nil, nil, false
		}
		if bits, _ = n.Width(); n.Op() == expr.OpWrap && m.TrailingZeroBits() == uint(m.BitLen()-1) && m.BitLen() <= bits {
			n = n.Args()[0] // a power of two divides what is lost
		}
		return n, m, k, true
	case x.Op() == expr.OpWrap && !signed:
		return x.Args()[0], new(big.Int).Lsh(big.NewInt(1), uint(bits)), k, true
	}
	return nil, nil, nil, false
}

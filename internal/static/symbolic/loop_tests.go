// What the tests of a loop imply for its iterations.

package symbolic

import (
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Facts returns what is known of the iterations of a loop: what held at the end of the iteration that is back
// iterations before the current one, if there was one. back is at least 1.
func (l *Loop) Facts(back int64) []*expr.Bool {
	l.find()
	var out []*expr.Bool
	prev := expr.Sub(l.Round, expr.Const(back))
	name := l.Round.Variable().Name
	shift := expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if v.Name == name {
			return prev
		}
		return nil
	}}
	for _, t := range l.tests {
		out = append(out, expr.Any(expr.Lt(l.Round, expr.Const(back)), t.cond.Subst(shift)))
		if back == 1 {
			out = append(out, l.hits(t.cond)...)
			out = append(out, l.bounded(t.cond)...)
		}
	}
	return out
}

// Filled returns the facts derived from steps and bounds that become constants only after substituting facts about the
// launch.
func (l *Loop) Filled(facts expr.Substitution) []*expr.Bool {
	l.find()
	var out []*expr.Bool
	for _, t := range l.tests {
		c := t.cond.Subst(facts)
		if c.Equal(t.cond) {
			continue
		}
		for _, c := range conjuncts(c) {
			out = append(append(out, l.hits(c)...), l.bounded(c)...)
		}
	}
	return out
}

// find collects the tests: branches in blocks that every iteration passes, with one edge that leaves the loop. It takes
// only conditions that vary in the loop with nothing but the iteration number.
func (l *Loop) find() {
	if l.done {
		return
	}
	l.done = true
	f := l.Frame
	for _, b := range l.Loop.Blocks {
		if len(b.Succs) != 2 || !l.always(b) {
			continue
		}
		stay := -1
		for i, s := range b.Succs {
			if f.InLoop(s, l.Loop) {
				if stay >= 0 {
					stay = -2
					break
				}
				stay = i
			}
		}
		if stay < 0 {
			continue
		}
		if c, ok := f.edge(b, b.Succs[stay]); ok {
			for _, c := range conjuncts(f.Kernel.inFull(c).Subst(f.Kernel.Turning())) {
				if l.rounds(c) {
					l.tests = append(l.tests, test{c})
				}
			}
		}
	}
}

// inFull returns a condition with the predicates that stand for long formulas replaced by these.
func (k *Kernel) inFull(c *expr.Bool) *expr.Bool {
	return c.Subst(expr.Substitution{Bool: func(v expr.Variable) *expr.Bool {
		if o := k.Origin(v.Name); o != nil {
			return o.test
		}
		return nil
	}})
}

// always reports whether every iteration that is followed by another passes a block.
func (l *Loop) always(b *rewrite.Block) bool {
	for k, p := range l.Loop.Header.Preds {
		if l.Frame.latch(l.Loop.Header, k) && l.Frame.CFG.Reached(p) && !l.Frame.CFG.Dominates(b, p) {
			return false
		}
	}
	return true
}

// conjuncts splits a conjunction.
func conjuncts(c *expr.Bool) []*expr.Bool {
	if c.Kind() == expr.KindAll {
		return c.Parts()
	}
	return []*expr.Bool{c}
}

// rounds reports whether a condition varies in the loop only with the iteration number.
func (l *Loop) rounds(c *expr.Bool) bool {
	for _, v := range c.Vars() {
		if v.Name != l.Round.Variable().Name && !l.steady(v.Name) {
			return false
		}
	}
	return true
}

// steady reports whether a variable has one value in all rounds of the loop.
func (l *Loop) steady(name string) bool {
	o := l.Frame.Kernel.Origin(name)
	switch {
	case o == nil:
		return true
	case o.Frame != l.Frame:
		return !l.inside(o.Frame)
	}
	b := l.where(o)
	return b != nil && !l.Frame.InLoop(b, l.Loop)
}

// Fixed reports whether a variable has one value in all rounds of a loop, or while the thread runs if the loop is nil.
func (f *Frame) Fixed(l *Loop, name string) bool {
	if l != nil {
		return l.steady(name)
	}
	o := f.Kernel.Origin(name)
	if o == nil {
		return true
	}
	b := (&Loop{Frame: f}).where(o)
	return o.Frame == f && o.Loop() == nil && b != nil && f.inner[b.Index] == nil
}

// inside reports whether a frame is called from within the loop.
func (l *Loop) inside(f *Frame) bool {
	for ; f != nil && f.Parent != nil; f = f.Parent {
		if f.Parent == l.Frame {
			return l.Frame.InLoop(l.Frame.Block(f.Call), l.Loop)
		}
	}
	return false
}

// where returns the block that defines a variable, nil when that is not known.
func (l *Loop) where(o *Origin) *rewrite.Block {
	switch {
	case o.value >= 0:
		return l.Frame.ssa.Values[o.value].Block
	case o.Inst != nil:
		return l.Frame.CFG.BlockOf[o.Inst.Index]
	case o.loop != nil:
		return o.loop.Header
	}
	return nil
}

// hits returns what follows if x != y held in all iterations before the current one, where x is a + s*k and y does not
// change: if s divides y - a and y - a has the sign of s, then s*k has not passed y - a.
func (l *Loop) hits(c *expr.Bool) []*expr.Bool {
	if c.Kind() != expr.KindNe {
		return nil
	}
	d := c.Diff() // d != 0
	at := func(n int64) *expr.Int { return unwrapped(d).Subst(l.inRound(n)) }
	a := at(0)
	s, ok := expr.Sub(at(1), a).Const()
	if !ok || s.Sign() == 0 || !expr.Sub(unwrapped(d),
		expr.Add(a, expr.Mul(expr.Big(s), l.Round))).Equal(expr.Const(0)) {
		return nil
	}
	if s.Sign() > 0 {
		a = expr.Neg(a)
	} else {
		s = new(big.Int).Neg(s)
	}
	// a - s*k != 0 in all earlier iterations: a >= 0 and s divides a, so k <= a/s
	divides := expr.Eq(expr.Rem(a, expr.Big(s)), expr.Const(0))
	return []*expr.Bool{expr.Any(expr.Lt(a, expr.Const(0)), expr.Not(divides),
		expr.Le(expr.Mul(expr.Big(s), l.Round), a))}
}

// bounded returns what follows if x <= y held in all iterations before the current one, where x is a + s*k reduced to
// the width of a register, s is positive, and y does not change: if both a and y + s fit the register, then x has never
// been reduced. Likewise for x >= y and a negative s.
func (l *Loop) bounded(c *expr.Bool) []*expr.Bool {
	if c.Kind() != expr.KindLe {
		return nil
	}
	_, terms := c.Diff().Linear() // their sum is at most 0
	for _, t := range terms {
		a, s, ok := l.steps(t.X)
		sign := t.Coef.Int64()
		if !ok || !t.Coef.IsInt64() || sign != 1 && sign != -1 || s.Sign() != int(sign) {
			continue
		}
		y := expr.Sub(expr.Mul(expr.Big(t.Coef), t.X), c.Diff()) // x <= y, or -x <= y
		if l.changes(y) {
			return nil
		}
		lo, hi := t.X.Range()
		last := expr.Add(a, expr.Mul(expr.Big(s), expr.Sub(l.Round, expr.Const(1))))
		out := []*expr.Bool{expr.Lt(a, expr.Big(lo)), expr.Gt(a, expr.Big(hi)), expr.Le(l.Round, expr.Const(0))}
		if sign > 0 {
			out = append(out, expr.Gt(expr.Add(y, expr.Big(s)), expr.Big(hi)), expr.Le(last, y))
		} else {
			out = append(out, expr.Lt(expr.Add(expr.Neg(y), expr.Big(s)), expr.Big(lo)), expr.Ge(last, expr.Neg(y)))
		}
		return []*expr.Bool{expr.Any(out...)}
	}
	return nil
}

// steps returns a and s when x is a + s*k reduced to the width of a register, where k is the iteration number.
func (l *Loop) steps(x *expr.Int) (a *expr.Int, s *big.Int, ok bool) {
	if x.Op() != expr.OpWrap {
		return nil, nil, false
	}
	inner := x.Args()[0]
	a = inner.Subst(l.inRound(0))
	s, ok = expr.Sub(inner.Subst(l.inRound(1)), a).Const()
	return a, s, ok && expr.Sub(inner, expr.Add(a, expr.Mul(expr.Big(s), l.Round))).Equal(expr.Const(0))
}

// changes reports whether a value depends on the iteration number.
func (l *Loop) changes(x *expr.Int) bool { return !x.Subst(l.inRound(0)).Equal(x) }

// inRound returns a substitution of the iteration number.
func (l *Loop) inRound(n int64) expr.Substitution {
	name := l.Round.Variable().Name
	return expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if v.Name == name {
			return expr.Const(n)
		}
		return nil
	}}
}

// unwrapped returns x without the reduction around it: what is not 0 modulo a power of two is not 0.
func unwrapped(x *expr.Int) *expr.Int {
	if x.Op() == expr.OpWrap {
		return x.Args()[0]
	}
	return x
}

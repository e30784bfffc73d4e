// Counters: numbers that each iteration of a loop changes in the same way.

package hostir

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// counter is how each iteration of a loop changes a number.
type counter struct {
	step    *big.Int // what it adds; nil: something else
	shrinks bool     // it divides it
	grows   bool     // it multiplies it
	wraps   bool     // it multiplies it by a shift, whose result may be cut off
	plain   bool     // it is not a counter
}

// counting assumes what is known of a counter in an arbitrary iteration.
func (x *executor) counting(l *llvm.Loop, b *binding) {
	x.running(l, b)
	x.at = l.Header.Instrs[0]
	v, first := b.leaf.AsSigned(), b.first.AsSigned()
	nonNegative := expr.Ge(first, expr.Const(0))
	switch {
	case b.step != nil && b.step.Sign() > 0:
		x.assume(expr.Ge(v, first), facts.Bounds)
	case b.step != nil:
		x.assume(expr.Le(v, first), facts.Bounds)
	case b.shrinks:
		x.assume(expr.Implies(nonNegative, expr.All(expr.Le(v, first), expr.Ge(v, expr.Const(0)))), facts.Bounds)
	case b.grows && b.wraps:
		x.assume(expr.Implies(nonNegative, expr.Ge(v, first)), facts.Overflow)
	case b.grows:
		x.assume(expr.Implies(nonNegative, expr.Ge(v, first)), facts.Bounds)
	}
	if b.step != nil && b.step.CmpAbs(big.NewInt(1)) > 0 {
		x.assume(expr.Eq(expr.Rem(expr.Sub(v, first), expr.Big(new(big.Int).Abs(b.step))), expr.Const(0)),
			facts.Bounds)
	}
}

// counts determines whether a binding is a counter, and reports whether that is new.
func (b *binding) counts(backs []edge) bool {
	if !b.bound || !b.leaf.Known() || b.plain || !b.first.Known() {
		return false
	}
	n := b.leaf.Num
	var step *big.Int
	shrinks, grows, wraps := true, true, false
	for _, e := range backs {
		v := b.valueAt(e)
		if v.Num == nil || v.Num.IsUnknown() {
			b.plain = true
			return b.forgetCounter()
		}
		k, ok := expr.Sub(v.Num, n).Const()
		if !ok || step != nil && step.Cmp(k) != 0 {
			k = new(big.Int)
		}
		step = k
		half, twice := false, false
		for p := int64(1); p <= 16; p++ {
			half = half || v.Num.Equal(expr.Shr(n, expr.Const(p))) || v.Num.Equal(expr.Div(n, expr.Const(1<<p)))
			more := expr.Mul(n, expr.Const(1<<p))
			if v.Num.Equal(more) {
				twice = true
			} else if v.Num.Equal(expr.Wrap(more, int(b.leaf.Bits), b.leaf.Signed)) {
				fits, signed := b.fits(e.st.Path, more)
				twice, wraps = twice || fits || signed, wraps || !fits
			}
		}
		shrinks, grows = shrinks && half, grows && twice
	}
	switch known := b.step != nil || b.shrinks || b.grows; {
	case step == nil:
		return false
	case step.Sign() != 0:
		news := b.step == nil
		if !news && b.step.Cmp(step) != 0 {
			b.plain = true
			return b.forgetCounter()
		}
		b.step = step
		return news
	case (shrinks || grows) && b.step == nil:
		again := !known || wraps && !b.wraps
		b.shrinks, b.grows, b.wraps = shrinks, grows, b.wraps || wraps
		return again
	default:
		b.plain = true
		return b.forgetCounter()
	}
}

// fits reports whether the conditions of a path bound a counter so that a multiple of it is in the range of its type,
// and whether the program compares it as a signed number, whose arithmetic is not meant to overflow.
func (b *binding) fits(path *memory.Node, multiple *expr.Int) (fits, signed bool) {
	name := b.leaf.Num.Variable().Name
	typ := "u"
	if b.leaf.Signed {
		typ = "s"
	}
	_, most, _ := facts.TypeRange(typ + itoa(b.leaf.Bits))
	for ; path != nil; path = path.Before {
		if path.That.Kind() != expr.KindLe {
			continue
		}
		limit := expr.Sub(b.leaf.Num, path.That.Diff()) // no less than the counter
		if slices.ContainsFunc(limit.Vars(), func(v expr.Variable) bool { return v.Name == name }) {
			continue
		}
		signed = signed || b.leaf.Signed
		limit = multiple.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
			if v.Name == name {
				return limit
			}
			return nil
		}})
		if _, hi := limit.Range(); hi != nil && most != nil && hi.Cmp(most) <= 0 {
			fits = true
		}
	}
	return fits, signed
}

// forgetCounter marks a binding as plain, and reports whether it was a counter.
func (b *binding) forgetCounter() bool {
	was := b.step != nil || b.shrinks || b.grows
	b.step, b.shrinks, b.grows = nil, false, false
	return was
}

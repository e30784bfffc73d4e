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
	step    *expr.Int    // what it adds, the same in each iteration; nil: something else
	shift   int          // the bits by which it shifts it to the left, or to the right if negative; 0: by several
	shrinks bool         // it divides it by powers of two
	floors  bool         // and rounds down, not to zero
	ceils   bool         // and rounds up, as (n + d - 1) / d does
	grows   bool         // it multiplies it by powers of two
	wraps   bool         // the result may be cut off
	plain   bool         // it is not a counter
	sign    int          // whether it increases or decreases; 0: not known
	times   memory.Value // how many iterations there were before; for shifts and steps that are variables
}

// counts reports whether each iteration changes the number in a known way.
func (c *counter) counts() bool { return c.step != nil || c.shrinks || c.grows }

// exact reports whether the values that are assumed of a counter are all that it has, and no others.
func (c *counter) exact() bool { return c.step != nil || c.shift != 0 }

// same reports whether two changes are of one kind.
func (c *counter) same(d *counter) bool {
	return c.shrinks == d.shrinks && c.grows == d.grows && c.floors == d.floors && c.ceils == d.ceils &&
		(c.step == nil) == (d.step == nil) && (c.step == nil || c.step.Equal(d.step))
}

// joined returns the change of a number that changes by c on some paths of an iteration and by d on others.
func (c counter) joined(d counter) counter {
	if c.plain || d.plain || !c.same(&d) {
		return counter{plain: true}
	}
	if c.shift != d.shift {
		c.shift = 0
	}
	c.wraps = c.wraps || d.wraps
	return c
}

// signOf returns whether a counter increases or decreases; 0: that is not known.
func (x *executor) signOf(b *binding) int {
	natural := x.atLeastZero(b.number(b.first))
	switch {
	case b.step != nil && x.atLeastZero(b.step) || b.grows && natural:
		return 1
	case b.step != nil && x.atLeastZero(expr.Neg(b.step)) || b.shrinks && natural:
		return -1
	}
	return 0
}

// atLeastZero reports whether a number is not negative, by its parts, or one condition of the path.
func (x *executor) atLeastZero(n *expr.Int) bool {
	if natural(n) {
		return true
	}
	k, terms := n.Linear()
	switch {
	case n.Op() == expr.OpDiv && natural(n.Args()[1]):
		return x.atLeastZero(n.Args()[0])
	case n.Op() == expr.OpSum && k.Sign() >= 0 && !slices.ContainsFunc(terms, func(t expr.Term) bool {
		return t.Coef.Sign() < 0 || !x.atLeastZero(t.X)
	}):
		return true
	}
	for c := x.st.Path; c != nil; c = c.Before {
		if c.That.Kind() == expr.KindLe && natural(expr.Add(n, c.That.Diff())) {
			return true
		}
	}
	return false
}

// number returns a value as an integer of the sign of the counter.
func (b *binding) number(v memory.Value) *expr.Int {
	if b.leaf.Signed {
		return v.AsSigned()
	}
	return v.AsUnsigned()
}

// counting assumes what is known of the counters of a loop in an arbitrary iteration.
func (x *executor) counting(l *llvm.Loop, list []*binding) {
	x.at = l.Header.Instrs[0]
	var counters []*binding
	for _, b := range list {
		if b.counts() && b.first.Known() {
			b.sign = x.signOf(b)
			counters = append(counters, b)
		}
	}
	for _, b := range counters {
		x.progressing(b)
	}
	linked := x.together(counters)
	inside, after := x.earlier(l, counters)
	inside, after = inside && linked, after && linked
	x.about(l).certain = after
	for _, b := range counters {
		x.stopped(b, b.number(b.first))
		x.unfollow(b, !inside || !b.exact() || !x.traced(b.number(b.first)) || b.step != nil && !x.traced(b.step))
	}
}

// counters determines which bindings of a loop are counters, and the conditions under which it goes on, and reports
// whether that is new.
func (x *executor) counters(l *llvm.Loop, list []*binding, start *memory.State, backs []edge) (again bool) {
	invariant := func(n *expr.Int) bool {
		return !slices.ContainsFunc(n.Vars(), func(v expr.Variable) bool { return !x.about(l).outer[v.Name] })
	}
	some := false
	for _, b := range list {
		again = x.examine(b, backs, invariant) || again
		some = some || b.counts()
	}
	if !some {
		return again
	}
	again = x.learns(l, goesOn(start.Path, backs)) || again
	return x.endsInside(l, start.Path) || again
}

// progressing assumes the values that a counter can have, given its first value and its change.
func (x *executor) progressing(b *binding) {
	v, first, class := b.number(b.leaf), b.number(b.first), facts.Bounds
	if b.wraps {
		class = facts.Overflow
	}
	nonNegative := expr.Ge(first, expr.Const(0))
	if b.sign != 0 {
		nonNegative = expr.True
	}
	switch {
	case b.step != nil && b.sign > 0:
		x.assume(expr.Ge(v, first), class)
	case b.step != nil && b.sign < 0:
		x.assume(expr.Le(v, first), class)
	case b.shrinks:
		x.assume(expr.Implies(nonNegative, expr.All(expr.Le(v, first), expr.Ge(v, expr.Const(0)))), class)
	case b.grows:
		x.assume(expr.Implies(nonNegative, expr.Ge(v, first)), class)
	}
	if times := b.times.Num; times != nil {
		x.assume(expr.Eq(v, b.after(first, times)), class)
	} else if k, ok := b.step.Const(); ok && k.CmpAbs(big.NewInt(1)) > 0 {
		x.assume(expr.Eq(expr.Rem(expr.Sub(v, first), expr.Big(new(big.Int).Abs(k))), expr.Const(0)), class)
	}
}

// after returns the value of a counter after so many iterations.
func (b *binding) after(first, times *expr.Int) *expr.Int {
	bits := expr.Mul(times, expr.Const(max(int64(b.shift), -int64(b.shift))))
	switch {
	case b.step != nil:
		return expr.Add(first, expr.Mul(b.step, times))
	case b.grows:
		if k, ok := first.Const(); ok && k.Sign() > 0 { // in powers of two
			n := k.TrailingZeroBits()
			return expr.Mul(expr.Big(new(big.Int).Rsh(k, n)), expr.Shl(expr.Const(1), expr.Add(bits, expr.Const(int64(n)))))
		}
		return expr.Shl(first, bits)
	case b.floors:
		return expr.Shr(first, bits)
	}
	divisor := expr.Shl(expr.Const(1), bits)
	if b.ceils {
		first = expr.Add(first, expr.Sub(divisor, expr.Const(1)))
	}
	return expr.Div(first, divisor)
}

// shifted returns a number as an iteration shifts it to the right.
func (b *binding) shifted(n *expr.Int) *expr.Int {
	switch {
	case b.floors:
		return expr.Shr(n, expr.Const(int64(-b.shift)))
	case b.ceils:
		n = expr.Add(n, expr.Const(1<<-b.shift-1))
	}
	return expr.Div(n, expr.Const(1<<-b.shift))
}

// newTimes makes the number of iterations of a counter a variable, if its values need that.
func (x *executor) newTimes(b *binding) {
	if !b.exact() || b.step != nil && isConstant(b.step) || b.times.Num != nil {
		return
	}
	most, bits := b.leaf.Bits, b.leaf.Bits
	if b.shift != 0 {
		p := max(int64(b.shift), -int64(b.shift))
		most, bits = (most+p-1)/p, 8
	}
	b.times = x.leaf(b.leaf.Num.Variable().Name+".times", max(bits, 8), false)
	if b.shift != 0 {
		v := x.vars[b.times.Num.Variable().Name]
		v.Hi = big.NewInt(most)
		b.times.Num = v.Int()
	}
}

// examine determines whether a binding is a counter, and reports whether that is new. invariant reports whether a
// number is the same in all iterations.
func (x *executor) examine(b *binding, backs []edge, invariant func(*expr.Int) bool) (again bool) {
	if b.ordered || !b.bound || !b.leaf.Known() || b.plain || !b.first.Known() || len(backs) == 0 {
		return false
	}
	now := b.change(backs[0], invariant)
	for _, e := range backs[1:] {
		now = now.joined(b.change(e, invariant))
	}
	was := b.counter
	switch {
	case !was.counts():
		b.counter = now
		x.newTimes(b)
		return !now.plain
	case now.plain || !was.same(&now):
		b.counter = counter{plain: true}
		return true
	}
	b.wraps = was.wraps || now.wraps
	if was.shift != now.shift {
		b.shift, b.times = 0, memory.Value{}
	}
	return b.wraps != was.wraps || b.shift != was.shift
}

// maxShift is the limit of the bits by which an iteration shifts a counter.
const maxShift = 16

// change returns how an iteration changes a binding.
func (b *binding) change(e edge, invariant func(*expr.Int) bool) counter {
	now := b.valueAt(e).Num
	if now == nil || now.IsUnknown() {
		return counter{plain: true}
	}
	n, c := b.leaf.Num, counter{}
	for p := 1; p <= maxShift; p++ {
		for _, c := range []counter{{}, {floors: true}, {ceils: true}} {
			c.shrinks, c.shift = true, -p
			if of := (&binding{counter: c}); now.Equal(of.shifted(n)) {
				return c
			}
		}
	}
	if bits, signed := now.Width(); now.Op() == expr.OpWrap && int64(bits) == b.leaf.Bits && signed == b.leaf.Signed {
		now = now.Args()[0]
		fits, compared := b.fits(e.st.Path, now)
		if c.wraps = !fits; c.wraps && !compared {
			return counter{plain: true}
		}
	}
	for p := 1; p <= maxShift; p++ {
		if now.Equal(expr.Mul(n, expr.Const(1<<p))) {
			c.grows, c.shift = true, p
			return c
		}
	}
	step := expr.Sub(now, n)
	if k, ok := step.Const(); ok && k.Sign() == 0 || !invariant(step) {
		return counter{plain: true}
	}
	c.step = step
	return c
}

// fits reports whether the conditions of a path bound a counter so that its next value is in the range of its type, and
// whether the program compares it as a signed number, whose arithmetic is not meant to overflow.
func (b *binding) fits(path *memory.Node, next *expr.Int) (fits, compared bool) {
	name := b.leaf.Num.Variable().Name
	typ := "u"
	if b.leaf.Signed {
		typ = "s"
	}
	least, most, known := facts.TypeRange(typ + itoa(b.leaf.Bits))
	d, constant := expr.Sub(next, b.leaf.Num).Const()
	down := constant && d.Sign() < 0
	for ; path != nil && known; path = path.Before {
		if path.That.Kind() != expr.KindLe {
			continue
		}
		limit := expr.Sub(b.leaf.Num, path.That.Diff()) // no less than the counter
		if down {
			limit = expr.Add(b.leaf.Num, path.That.Diff()) // no greater
		}
		if mentions(limit, name) {
			continue
		}
		compared = compared || b.leaf.Signed
		lo, hi := next.Subst(replacing(name, limit)).Range()
		if down {
			fits = fits || lo != nil && lo.Cmp(least) >= 0
		} else {
			fits = fits || hi != nil && hi.Cmp(most) <= 0
		}
	}
	return fits, compared
}

// replacing returns the substitution of one variable.
func replacing(name string, by *expr.Int) expr.Substitution {
	return expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if v.Name == name {
			return by
		}
		return nil
	}}
}

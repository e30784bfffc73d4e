// What an iteration of a loop knows of those before it: how often its counters have changed, and that the loop went on.

package hostir

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// mentions reports whether a variable occurs in an expression.
func mentions(x *expr.Int, name string) bool {
	return slices.ContainsFunc(x.Vars(), func(v expr.Variable) bool { return v.Name == name })
}

// together assumes that the counters of a loop have changed equally often, and reports whether that says it of all.
func (x *executor) together(counters []*binding) bool {
	i := slices.IndexFunc(counters, (*binding).stepped)
	if i < 0 {
		return len(counters) < 2
	}
	base, all := counters[i], true
	done, each := base.progress()
	for _, b := range counters {
		switch d, e := b.progress(); {
		case b == base:
		case b.wraps || base.wraps || !b.exact():
			all = false
		case b.shrinks: // further shifts than those of all bits change nothing
			_, most := d.Range()
			last, way := expr.Big(most), expr.Const(int64(base.sign))
			x.assume(expr.Any(expr.Ge(d, last), expr.Eq(done, expr.Mul(d, each))), facts.Bounds)
			x.assume(expr.Any(expr.Lt(d, last), expr.Ge(expr.Mul(way, done), expr.Mul(way, last, each))), facts.Bounds)
		default:
			x.assume(expr.Implies(b.moves(), expr.Eq(expr.Mul(done, e), expr.Mul(d, each))), facts.Bounds)
		}
	}
	return all
}

// stepped reports whether each iteration adds the same constant.
func (b *binding) stepped() bool { return b.step != nil && isConstant(b.step) }

// timed reports whether a variable says how many iterations have changed the counter.
func (b *binding) timed() bool { return b.times.Num != nil }

// progress returns by how much a counter has progressed since the first iteration, and by how much it does in each.
func (b *binding) progress() (done, each *expr.Int) {
	if b.timed() {
		return b.times.Num, expr.Const(1)
	}
	return expr.Sub(b.number(b.leaf), b.number(b.first)), b.step
}

// moves is the condition that each iteration makes another value of a counter that does not shrink.
func (b *binding) moves() *expr.Bool {
	if b.step != nil {
		return expr.Ne(b.step, expr.Const(0))
	}
	return expr.Ne(b.number(b.first), expr.Const(0))
}

// goesOn returns the conditions of branches under which an iteration leads to another one: those of all its paths since
// a point of the program.
func goesOn(since *memory.Node, backs []edge) (list []facts.Condition) {
	for i, e := range backs {
		var own []facts.Condition
		for n := e.st.Path; n != nil && n != since; n = n.Before {
			if _, constant := n.That.Const(); n.Branch && !constant && n.That.Uniform() {
				own = append(own, n.Condition)
			}
		}
		if i == 0 {
			list = own
			continue
		}
		list = slices.DeleteFunc(list, func(c facts.Condition) bool {
			return !slices.ContainsFunc(own, func(d facts.Condition) bool { return c.That.Equal(d.That) })
		})
	}
	slices.Reverse(list)
	return list
}

// learns records under which conditions a loop goes on, and reports whether that is new. Conditions that change from
// execution to execution are given up.
func (x *executor) learns(l *llvm.Loop, list []facts.Condition) (again bool) {
	about := x.about(l)
	if slices.EqualFunc(about.goesOn, list, func(a, b facts.Condition) bool { return a.That.Equal(b.That) }) {
		return false
	}
	if about.learned++; about.learned > 3 {
		list = nil
		again = about.goesOn != nil
	} else {
		again = true
	}
	about.goesOn = list
	return again
}

// earlier assumes that each iteration but the first has one before it from which the loop went on, where that says
// more than the conditions of the iteration itself. inside reports whether the loop comes to each iteration whose
// counters have values that they can have and meet its conditions, and after whether it is left with all values of the
// counters for which the assumptions hold.
func (x *executor) earlier(l *llvm.Loop, counters []*binding) (inside, after bool) {
	inside = x.goesOnBehind(l)
	after = inside
	about, first := x.about(l), x.testedFirst(l)
	about.behind = nil
	for _, c := range about.goesOn {
		p := previous{x: x, l: l, counters: counters}
		before := p.condition(c.That)
		inside = inside && p.steady && !p.vague
		after = after && inside && p.equal
		if before == nil || len(counters) == 0 {
			continue
		}
		atFirst := expr.True
		for _, b := range counters {
			atFirst = expr.All(atFirst, expr.Eq(b.number(b.leaf), b.number(b.first)))
		}
		class := facts.Bounds
		if p.wraps {
			class = facts.Overflow
		}
		entry := x.st.Path
		x.assume(expr.Any(atFirst, before), class)
		if !first || p.passes {
			continue
		}
		for ; x.st.Path != entry; x.st.Path = x.st.Path.Before {
			about.behind = append(about.behind, x.st.Path.Condition)
		}
	}
	return inside, after
}

// concludes assumes behind a loop what its last iteration shows of the iterations before.
func (x *executor) concludes(l *llvm.Loop, outs []way) {
	for _, w := range outs {
		x.st = w.e.st
		for _, c := range x.about(l).behind {
			x.st.Path = &memory.Node{Before: x.st.Path, Depth: memory.Depth(x.st.Path) + 1, Condition: c}
		}
	}
}

// testedFirst reports whether one branch alone leads out of a loop, before anything that may launch in an iteration.
func (x *executor) testedFirst(l *llvm.Loop) bool {
	if x.exits(l) != 1 {
		return false
	}
	for _, b := range l.Blocks {
		if slices.ContainsFunc(b.Instrs, x.mayLaunch) {
			return false
		}
		if slices.ContainsFunc(x.frame.f.Targets(b), func(to *llvm.Block) bool { return !l.In[to] }) {
			return true
		}
	}
	return false
}

// previous rewrites a condition on the counters of one iteration as a condition on the counters of the next iteration.
type previous struct {
	x        *executor
	l        *llvm.Loop
	counters []*binding
	steady   bool // if it holds in an iteration, it holds in all before
	equal    bool // the two conditions hold for the same values
	wraps    bool // a counter in it may wrap around
	vague    bool // the values of a counter in it are not exactly known
	passes   bool // it says more than ≠: see below
}

// of returns the counter that a variable stands for; nil if it stands for none.
func (p *previous) of(name string) *binding {
	i := slices.IndexFunc(p.counters, func(b *binding) bool { return b.leaf.Num.Variable().Name == name })
	if i < 0 {
		return nil
	}
	p.wraps, p.vague = p.wraps || p.counters[i].wraps, p.vague || !p.counters[i].exact()
	return p.counters[i]
}

// counted reports whether an expression has a counter in it.
func (p *previous) counted(x *expr.Int) bool {
	return slices.ContainsFunc(x.Vars(), func(v expr.Variable) bool { return p.of(v.Name) != nil })
}

// condition returns the condition on the values in the next iteration; nil if it says nothing of counters, or is not
// understood.
func (p *previous) condition(c *expr.Bool) *expr.Bool {
	p.steady, p.equal = true, true
	counter, steps := false, true
	for _, v := range c.Vars() {
		b := p.of(v.Name)
		if b == nil && !p.x.about(p.l).outer[v.Name] {
			return nil
		}
		counter, steps = counter || b != nil, steps && (b == nil || b.step != nil)
	}
	if !counter {
		return nil
	}
	if c.Kind() == expr.KindNe {
		if less := p.below(c); less != nil {
			c, p.passes = less, true
		}
	}
	p.steady = p.lasting(c)
	if next := p.carried(c); next != nil {
		return next
	}
	if steps {
		return c.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
			if b := p.of(v.Name); b != nil {
				return expr.Sub(b.leaf.Num, b.step)
			}
			return nil
		}})
	}
	if c.Kind() != expr.KindLe {
		p.equal = false
		return nil
	}
	return p.limit(c.Diff())
}

// carried returns a condition on one counter that is shifted to the right as a condition on its next value; nil for other
// conditions.
func (p *previous) carried(c *expr.Bool) *expr.Bool {
	if k := c.Kind(); k != expr.KindLe && k != expr.KindNe && k != expr.KindEq {
		return nil
	}
	k, terms := c.Diff().Linear()
	sum := expr.Big(k)
	for _, t := range terms {
		x := t.X
		for _, b := range p.counters {
			if b.shrinks && b.exact() && x.Equal(b.shifted(b.leaf.Num)) {
				x = b.leaf.Num
				break
			}
		}
		if x == t.X && p.counted(x) {
			return nil
		}
		sum = expr.Add(sum, expr.Mul(expr.Big(t.Coef), x))
	}
	switch c.Kind() {
	case expr.KindLe:
		return expr.Le(sum, expr.Const(0))
	case expr.KindNe:
		return expr.Ne(sum, expr.Const(0))
	}
	return expr.Eq(sum, expr.Const(0))
}

// below returns the inequality that holds instead of one with ≠, as a counter that changes by one does not pass what it
// is compared with: then the loop would not end. Nil: it does not follow.
func (p *previous) below(c *expr.Bool) *expr.Bool {
	_, terms := c.Diff().Linear()
	for _, t := range terms {
		if t.X.Op() != expr.OpVar || t.Coef.CmpAbs(big.NewInt(1)) != 0 || !p.x.onlyTested(p.l) {
			continue
		}
		b := p.of(t.X.Variable().Name)
		if b == nil || b.step == nil || p.counted(expr.Sub(c.Diff(), expr.Mul(expr.Big(t.Coef), t.X))) {
			continue
		}
		k, ok := b.step.Const()
		switch {
		case !ok || k.CmpAbs(big.NewInt(1)) != 0:
		case k.Cmp(t.Coef) == 0: // the difference grows to 0
			return expr.Lt(c.Diff(), expr.Const(0))
		default:
			return expr.Gt(c.Diff(), expr.Const(0))
		}
	}
	return nil
}

// lasting reports whether a condition that holds in an iteration holds in all before.
func (p *previous) lasting(c *expr.Bool) bool {
	switch c.Kind() {
	case expr.KindLe:
		d, ok := p.direction(c.Diff())
		return ok && d >= 0
	case expr.KindNe: // what is halved stays 0
		return slices.ContainsFunc(p.counters, func(b *binding) bool {
			return b.shrinks && (c.Diff().Equal(b.leaf.Num) || b.exact() && c.Diff().Equal(b.shifted(b.leaf.Num)))
		})
	case expr.KindAny, expr.KindAll:
		return !slices.ContainsFunc(c.Parts(), func(q *expr.Bool) bool { return !p.lasting(q) })
	}
	return !slices.ContainsFunc(c.Vars(), func(v expr.Variable) bool { return p.of(v.Name) != nil })
}

// direction returns whether an expression increases or decreases from iteration to iteration, 0 if it does not change.
func (p *previous) direction(x *expr.Int) (d int, ok bool) {
	if !p.counted(x) {
		return 0, true
	}
	switch x.Op() {
	case expr.OpVar:
		d = p.of(x.Variable().Name).sign
		return d, d != 0
	case expr.OpSum:
		_, terms := x.Linear()
		for _, t := range terms {
			e, known := p.direction(t.X)
			e *= t.Coef.Sign()
			if !known || d*e < 0 {
				return 0, false
			}
			d += e
		}
		return min(max(d, -1), 1), true
	case expr.OpMul, expr.OpMin, expr.OpMax:
		for _, a := range x.Args() {
			e, known := p.direction(a)
			if lo, _ := a.Range(); !known || d*e < 0 || x.Op() == expr.OpMul && (lo == nil || lo.Sign() < 0) {
				return 0, false
			}
			d = min(max(d+e, -1), 1)
		}
		return d, true
	case expr.OpShl, expr.OpShr, expr.OpDiv:
		return p.directionOf(x)
	}
	return 0, false
}

// directionOf returns the direction of a shift or division of one that is not negative.
func (p *previous) directionOf(x *expr.Int) (d int, ok bool) {
	d, ok = p.direction(x.Args()[0])
	e, known := p.direction(x.Args()[1])
	if x.Op() != expr.OpShl {
		e = -e
	}
	lo, _ := x.Args()[0].Range()
	least, _ := x.Args()[1].Range()
	if !ok || !known || d*e < 0 || lo == nil || lo.Sign() < 0 || least == nil ||
		least.Sign() < 0 || x.Op() == expr.OpDiv && least.Sign() == 0 {
		return 0, false
	}
	return min(max(d+e, -1), 1), true
}

// limit returns the condition that a sum was at most zero in the iteration before, or one that follows from it. Where
// counters are multiplied, the sum is.
func (p *previous) limit(sum *expr.Int) *expr.Bool {
	k, terms := sum.Linear()
	shift := 0
	for _, t := range terms {
		if b := p.factor(t.X); b != nil && b.grows {
			if b.shift == 0 || shift != 0 && shift != b.shift {
				p.equal = false
				return nil
			}
			shift = b.shift
		}
	}
	scale := expr.Const(1 << shift)
	out := expr.Mul(scale, expr.Big(k))
	for _, t := range terms {
		x := expr.Mul(expr.Big(t.Coef), t.X)
		b := p.factor(t.X)
		switch {
		case b == nil && p.counted(t.X):
			p.equal = false
			return nil
		case b == nil || !b.grows:
			if x = p.before(x, b); x == nil {
				return nil
			}
			x = expr.Mul(scale, x)
		}
		out = expr.Add(out, x)
	}
	return expr.Le(out, expr.Const(0))
}

// factor returns the counter that is the one in a term, as a factor; nil for another term.
func (p *previous) factor(x *expr.Int) (b *binding) {
	factors := []*expr.Int{x}
	if x.Op() == expr.OpMul {
		factors = x.Args()
	}
	for _, f := range factors {
		switch {
		case !p.counted(f):
		case b != nil || f.Op() != expr.OpVar:
			return nil
		default:
			b = p.of(f.Variable().Name)
		}
	}
	return b
}

// before returns a term with a counter in terms of its next value, or something that is at most as large; nil if that
// is not known.
func (p *previous) before(x *expr.Int, b *binding) *expr.Int {
	if b == nil {
		return x
	}
	name, n := b.leaf.Num.Variable().Name, b.leaf.Num
	if b.step != nil {
		return x.Subst(replacing(name, expr.Sub(n, b.step)))
	}
	p.equal = false
	_, hi := x.Subst(replacing(name, expr.Const(1))).Range() // what it is multiplied with
	if b.shift == 0 || hi == nil || hi.Sign() > 0 {
		return nil
	}
	each := expr.Const(1 << -b.shift)
	if b.ceils {
		return x.Subst(replacing(name, expr.Mul(each, n)))
	}
	return x.Subst(replacing(name, expr.Sub(expr.Mul(each, expr.Add(n, expr.Const(1))), expr.Const(1))))
}

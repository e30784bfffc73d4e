// Orders: what the pointers and indices that a loop exchanges are together, as two buffers that change places.

package hostir

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// maxOrders limits the orders of a loop.
const maxOrders = 8

// orders are the values that bindings of a loop have together in its iterations: pointers, and integers that have few
// values.
type orders struct {
	of    []*binding
	list  [][]memory.Value // for each order, a value for each binding; the first is that of the first iteration
	next  []map[int]bool   // for each order, those that may follow it; nil: not known yet
	turn  *expr.Int        // the order in an iteration; nil: there is one order only
	outer map[string]bool  // variables from before the loop
	spent int              // executions of the loop to find the orders
}

// newOrders returns the orders of a loop that starts.
func (x *executor) newOrders() *orders {
	g := &orders{outer: make(map[string]bool)}
	for _, name := range x.leaves {
		g.outer[name] = true
	}
	return g
}

// add adds a binding, which was assumed to have its first value in all orders.
func (g *orders) add(b *binding) {
	b.ordered = true
	g.of, g.next = append(g.of, b), nil
	if g.list == nil {
		g.list = [][]memory.Value{nil}
	}
	for i := range g.list {
		g.list[i] = append(slices.Clone(g.list[i]), b.first)
	}
}

// remove removes the bindings of which a function says so. Then nothing is known of them.
func (g *orders) remove(which func(*binding) bool) {
	old := g.list
	var keep []int
	for j, b := range g.of {
		if which(b) {
			b.ordered, b.plain = false, true
		} else {
			keep = append(keep, j)
		}
	}
	of := g.of
	g.of, g.list, g.next = nil, nil, nil
	for _, j := range keep {
		g.of = append(g.of, of[j])
	}
	for _, row := range old {
		var rest []memory.Value
		for _, j := range keep {
			rest = append(rest, row[j])
		}
		g.index(rest)
	}
}

// restart leaves only the order of the first iteration.
func (g *orders) restart() { g.list, g.next = g.list[:1], nil }

// index returns the number of an order, a new one if there is none with its values.
func (g *orders) index(row []memory.Value) int {
	i := slices.IndexFunc(g.list, func(o []memory.Value) bool {
		return slices.EqualFunc(o, row, memory.Value.Equal)
	})
	if i < 0 {
		i = len(g.list)
		g.list = append(g.list, row)
	}
	return i
}

// bindOrders gives the bindings their values in an arbitrary iteration.
func (x *executor) bindOrders(l *llvm.Loop, g *orders, list []*binding) {
	if g.turn = nil; len(g.list) > 1 {
		x.at = l.Header.Instrs[0]
		g.turn = x.decide(g.name(x), len(g.list))
		x.following(g, list)
	}
	for j, b := range g.of {
		v := g.value(j)
		x.st.Lost(v)
		if b.o != nil {
			x.st.Put(b.o, b.at, b.size, v)
		} else {
			x.frame.regs[phis(l.Header)[b.phi].Name] = v
		}
	}
}

// name returns a name for the number of an order: that of an index if there is one.
func (g *orders) name(x *executor) string {
	for _, b := range g.of {
		if b.o != nil && b.first.Known() {
			return x.hint(b.o, b.at)
		}
	}
	return "order"
}

// value returns the value of a binding in an arbitrary iteration.
func (g *orders) value(j int) memory.Value {
	if g.turn == nil {
		return g.list[0][j]
	}
	if first := g.list[0][j]; first.Known() {
		v := memory.Value{Num: g.list[len(g.list)-1][j].Int(), Signed: true, Bits: first.Bits}
		regular := true
		step := expr.Sub(g.list[1][j].Int(), first.Int())
		for i := len(g.list) - 2; i >= 0; i-- {
			n := g.list[i][j].Int()
			regular = regular && expr.Sub(g.list[i+1][j].Int(), n).Equal(step)
			v.Num = expr.Ite(expr.Eq(g.turn, expr.Const(int64(i))), n, v.Num)
		}
		if regular {
			v.Num = expr.Add(first.Int(), expr.Mul(step, g.turn))
		}
		return v
	}
	var cases []memory.Case
	for i, row := range g.list {
		cases = append(cases, memory.Case{When: expr.Eq(g.turn, expr.Const(int64(i))), Value: row[j]})
	}
	return memory.Choose(cases)
}

// chain returns, of orders of which one certainly follows each, the one that follows the last.
func (g *orders) chain() (back int, ok bool) {
	if len(g.next) < len(g.list) {
		return 0, false
	}
	for i, next := range g.next {
		if len(next) != 1 || i+1 < len(g.next) && !next[i+1] {
			return 0, false
		}
		for back = range next {
		}
	}
	return back, true
}

// following records what is known of the order in an iteration: from a counter of the loop if there is one.
func (x *executor) following(g *orders, list []*binding) {
	d := x.decisions[g.turn.Variable().Name]
	back, chain := g.chain()
	d.certain, d.counters = chain, make(map[string]bool)
	for _, b := range list {
		if b.leaf.Num != nil {
			d.counters[b.leaf.Num.Variable().Name] = true
		}
	}
	i := slices.IndexFunc(list, func(b *binding) bool {
		return !b.ordered && !b.wraps &&
			(b.stepped() || b.grows && b.timed() && natural(expr.Sub(b.number(b.first), expr.Const(1))))
	})
	if i < 0 {
		return
	}
	since, each := list[i].progress()
	that := expr.Any(expr.Eq(g.turn, expr.Const(0)), expr.Ne(since, expr.Const(0)))
	if chain {
		done, first := expr.Div(since, each), expr.Const(int64(back))
		now := expr.Add(first, expr.Rem(expr.Sub(done, first), expr.Const(int64(len(g.list)-back))))
		if back > 0 {
			now = expr.Ite(expr.Lt(done, first), done, now)
		}
		that = expr.Eq(g.turn, now)
	}
	d.follows = append(d.follows, facts.Condition{That: that, Class: facts.Bounds, Site: x.here()})
}

// settled reports whether a value of an order needs no distinction of cases: it is the same in all iterations in which it
// occurs, or not known.
func (x *executor) settled(g *orders, v memory.Value) bool {
	if v.Known() {
		return isConstant(v.Int())
	}
	for _, on := range v.Vars() {
		if _, ok := x.decisions[on.Name]; ok && !g.outer[on.Name] {
			return false
		}
	}
	return v.Cases == nil || g.lasts(v)
}

// lasts reports whether a value is made of variables from before the loop.
func (g *orders) lasts(v memory.Value) bool {
	return !slices.ContainsFunc(v.Vars(), func(on expr.Variable) bool { return !g.outer[on.Name] })
}

// holds reports whether a value can be that of a binding in another iteration: a small integer, or a pointer to objects
// that this iteration, which made those after some number, has not made.
func (g *orders) holds(b *binding, v memory.Value, made int) bool {
	if b.first.Known() {
		k, ok := v.Int(), v.Known()
		if !ok {
			return false
		}
		n, ok := k.Int64()
		return ok && n >= -1<<15 && n < 1<<15 && (v.Bits > 16 || n >= 0 && n < 128)
	}
	return (isPointer(v) || v.Zero()) && g.lasts(v) && !slices.ContainsFunc(v.Targets(), func(o *memory.Object) bool {
		return o.Kind != memory.Static && o.ID > made
	})
}

// follow finds the orders that follow those of an iteration, and reports whether there are new ones.
func (x *executor) follow(g *orders, backs []edge, made int) (again bool) {
	if len(g.of) == 0 {
		return false
	}
	n := len(g.list)
	back, was := g.chain()
	g.next = make([]map[int]bool, n)
	for i := range n {
		g.next[i] = make(map[int]bool)
		for _, e := range backs {
			list, ok := x.alternatives(g.after(i, e), maxOrders, func(v memory.Value) bool { return x.settled(g, v) })
			if !ok {
				g.tooMany()
				return true
			}
			for _, a := range list {
				wrong := make(map[*binding]bool)
				for j, b := range g.of {
					if !g.holds(b, a.vals[j], made) {
						wrong[b] = true
					}
				}
				if len(wrong) > 0 {
					x.withdraw(g, func(b *binding) bool { return wrong[b] }, func(b *binding) bool { return g.stays(b, a.vals) })
					return true
				}
				if g.next[i][g.index(a.vals)] = true; slices.ContainsFunc(g.of, g.walks) {
					x.withdraw(g, g.walks, g.walks)
					g.restart()
					return true
				}
				if len(g.list) > maxOrders {
					g.tooMany()
					return true
				}
			}
		}
	}
	last, is := g.chain()
	return len(g.list) > n || n > 1 && (was != is || last != back)
}

// after returns the values of the bindings at the end of an iteration with an order.
func (g *orders) after(i int, e edge) []memory.Value {
	vals := make([]memory.Value, len(g.of))
	for j, b := range g.of {
		if vals[j] = b.valueAt(e); g.turn != nil {
			s := deciding(map[string]*expr.Int{g.turn.Variable().Name: expr.Const(int64(i))})
			vals[j] = vals[j].Map(func(n *expr.Int) *expr.Int { return n.Subst(s) },
				func(f *expr.Bool) *expr.Bool { return f.Subst(s) })
		}
	}
	return vals
}

// tooMany removes integers, or everything if there are none.
func (g *orders) tooMany() {
	g.restart()
	some := slices.ContainsFunc(g.of, func(b *binding) bool { return b.first.Known() })
	g.remove(func(b *binding) bool { return !some || b.first.Known() })
}

// indices adds integers that are no counters, select elements of arrays, and have few values, such as one that is 0 and
// 1 in turn. It reports whether there are new ones.
func (x *executor) indices(g *orders, list []*binding, backs []edge) (again bool) {
	var of []*binding
	for _, b := range list {
		if b.plain && !b.indexed && b.leaf.Num != nil && x.indexing[b.leaf.Num.Variable().Name] && g.holds(b, b.first, 0) {
			b.indexed = true
			of = append(of, b)
		}
	}
	for len(of) > 0 {
		few, wrong := x.fewValues(of, backs)
		if few {
			break
		}
		of = slices.DeleteFunc(of, func(b *binding) bool { return wrong == nil || wrong[b] })
	}
	for _, b := range of {
		g.add(b)
	}
	if len(of) > 0 {
		g.restart()
	}
	return len(of) > 0
}

// fewValues reports whether integers have few values together in the iterations of a loop, or which of them have many;
// nil: all of them.
func (x *executor) fewValues(of []*binding, backs []edge) (few bool, wrong map[*binding]bool) {
	g := new(orders)
	for _, b := range of {
		g.list = [][]memory.Value{append(slices.Concat(g.list...), b.first)}
	}
	for i := 0; i < len(g.list); i++ {
		fixed := make(map[string]*expr.Int)
		for j, b := range of {
			fixed[b.leaf.Num.Variable().Name] = g.list[i][j].Int()
		}
		s := deciding(fixed)
		for _, e := range backs {
			vals := make([]memory.Value, len(of))
			for j, b := range of {
				vals[j] = b.valueAt(e).Map(func(n *expr.Int) *expr.Int { return n.Subst(s) },
					func(f *expr.Bool) *expr.Bool { return f.Subst(s) })
			}
			list, ok := x.alternatives(vals, maxOrders, func(v memory.Value) bool {
				return !v.Known() || isConstant(v.Int())
			})
			if !ok {
				return false, nil
			}
			for _, a := range list {
				wrong = make(map[*binding]bool)
				for j, b := range of {
					if !g.holds(b, a.vals[j], 0) {
						wrong[b] = true
					}
				}
				if len(wrong) > 0 {
					return false, wrong
				}
				if g.index(a.vals); len(g.list) > maxOrders {
					return false, nil
				}
			}
		}
	}
	return true, nil
}

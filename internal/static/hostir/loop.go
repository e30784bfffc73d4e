// Loops: the memory that they change, and their counters.

package hostir

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// binding is a piece of memory, or a phi, that a loop changes.
type binding struct {
	o        *object // nil for a phi
	at, size int64
	phi      int
	first    value
	leaf     value
	step     *big.Int // for a counter
	shrinks  bool     // each iteration divides it
	grows    bool     // each iteration multiplies it
	wraps    bool     // it grows by a shift, whose result may be cut off
	plain    bool     // it is not a counter
	bound    bool     // an iteration has used it
}

// maxRounds limits the executions of a loop to find what it changes.
const maxRounds = 12

// loop executes a loop until all that it changes is known, and returns the paths that leave it.
func (x *executor) loop(l *loop, entry edge) []way {
	if outs, ok := x.counted(l, entry); ok {
		return outs
	}
	var list []*binding
	for i, in := range phis(l.header) {
		b := &binding{phi: i, first: entry.vals[i]}
		if in.typ != nil && in.typ.kind == tyInt {
			b.leaf = x.leaf(in.name, in.typ.bits, true)
		}
		list = append(list, b)
	}
	before := make(map[*object]facts.Contents)
	entry.st = entry.st.clone()
	clear(entry.st.pure)
	for round := 0; ; round++ {
		m := x.mark()
		st := entry.st.clone()
		x.st = st
		if round >= maxRounds {
			x.giveUp(list)
			clear(before)
		}
		x.bind(l, list)
		x.firstRound(before, list)
		start, made := x.st.clone(), x.ids
		r := &region{blocks: l.blocks, in: map[*block][]edge{}, loop: l}
		x.body(r, l)
		again := x.changed(&list, before, entry.st, start, r.backs, made)
		if again && x.steps < maxSteps {
			x.undo(m, list)
			continue
		}
		x.ended(list)
		for _, w := range r.outs {
			for o := range before {
				delete(w.e.st.init, o)
			}
		}
		return r.outs
	}
}

// firstRound records the contents of allocations in the first iteration, which other iterations may find changed: those
// before the loop.
func (x *executor) firstRound(before map[*object]facts.Contents, list []*binding) {
	if len(before) == 0 {
		return
	}
	var when []facts.Condition
	for _, b := range list {
		if !b.first.known() && b.first.to == nil {
			continue
		}
		if b.first.to != nil || !b.leaf.known() || b.first.cond != nil || b.leaf.cond != nil {
			return // the start of the first iteration cannot be expressed as a condition
		}
		when = append(when, facts.Condition{
			That: expr.Eq(b.leaf.asSigned(), b.first.asSigned()), Class: facts.Bounds,
			Site: x.here(),
		})
	}
	for o, c := range before {
		x.st.init[o] = c.First(when)
	}
}

// giveUp makes everything unknown that a loop may change, since what it changes could not be determined.
func (x *executor) giveUp(list []*binding) {
	x.wild()
	for _, b := range list {
		b.plain = true
		b.forgetCounter()
	}
}

// body executes the blocks of a loop once.
func (x *executor) body(r *region, l *loop) {
	x.block(r, l.header)
	rest := *r
	rest.blocks = l.blocks[1:]
	x.region(&rest)
	r.backs, r.outs = rest.backs, rest.outs
}

// bind gives the memory and phis that a loop changes their value in an arbitrary iteration.
func (x *executor) bind(l *loop, list []*binding) {
	l.bound = list
	for _, b := range list {
		b.bound = true
		x.st.lost(b.first)
		if b.o != nil {
			x.st.put(b.o, b.at, b.size, b.leaf)
		} else {
			x.frame.regs[phis(l.header)[b.phi].name] = b.leaf
		}
		if !b.first.known() || !b.leaf.known() || b.plain {
			continue
		}
		x.running(l, b)
		x.at = l.header.instrs[0]
		v, first := b.leaf.asSigned(), b.first.asSigned()
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
}

// changed adds bindings for what an iteration has changed although it was assumed constant; again is true if there are
// new ones. Objects made by the iteration, which follow the first made ones, are not part of the state in which another
// iteration starts.
func (x *executor) changed(list *[]*binding, before map[*object]facts.Contents, entry, start *state, backs []edge,
	made int,
) (again bool) {
	for _, e := range backs {
		x.steps += len(start.mem) / 4
		for _, o := range ordered(start.mem) {
			for _, c := range start.mem[o] {
				v, ok := e.st.get(o, c.at, c.size)
				if ok && v.equal(c.v) || bound(*list, o, c) != nil {
					continue
				}
				b := &binding{o: o, at: c.at, size: c.size, first: c.v}
				if c.v.known() && c.v.cond == nil {
					b.leaf = x.leaf(x.hint(o, c.at), 8*c.size, c.v.signed || !o.keep)
				}
				*list = append(*list, b)
				again = true
			}
		}
		for o, n := range start.init {
			_, known := before[o]
			if m, ok := e.st.init[o]; !known && (!ok || !m.Equal(n)) {
				before[o] = n
				delete(entry.init, o)
				again = true
			}
		}
		again = x.reachedLater(entry, start, e, *list, made) || again
	}
	for _, b := range *list {
		again = b.counts(backs) || again
	}
	return again
}

// reachedLater records in the state before a loop which objects an iteration makes known elsewhere: by their addresses
// in what the loop changes, too, and to what writes later. It reports whether there are new ones.
func (x *executor) reachedLater(entry, start *state, e edge, list []*binding, made int) (again bool) {
	after := e.st.clone()
	for _, b := range list {
		if b.o != nil {
			v, _ := after.get(b.o, b.at, b.size)
			after.lost(v)
		} else if b.phi < len(e.vals) {
			after.lost(e.vals[b.phi])
		}
	}
	for o := range after.escaped {
		if !start.escaped[o] && (o.kind == static || o.id <= made) {
			entry.escaped[o] = true
			again = true
		}
	}
	for o, w := range after.pending {
		if old, ok := start.pending[o]; (!ok || old.ends && (!w.ends || !old.stream.equal(w.stream))) &&
			(o.kind == static || o.id <= made) {
			entry.writtenLater(o, write{})
			again = true
		}
	}
	return again
}

// bound returns the binding of a piece of memory.
func bound(list []*binding, o *object, c cell) *binding {
	for _, b := range list {
		if b.o == o && b.at < c.at+c.size && c.at < b.at+b.size {
			return b
		}
	}
	return nil
}

// counts determines whether a binding is a counter, and reports whether that is new.
func (b *binding) counts(backs []edge) bool {
	if !b.bound || !b.leaf.known() || b.plain || !b.first.known() {
		return false
	}
	n := b.leaf.num
	var step *big.Int
	shrinks, grows, wraps := true, true, false
	for _, e := range backs {
		var v value
		if b.o != nil {
			v, _ = e.st.get(b.o, b.at, b.size)
		} else if b.phi < len(e.vals) {
			v = e.vals[b.phi]
		}
		if v.num == nil || v.num.IsUnknown() {
			b.plain = true
			return b.forgetCounter()
		}
		k, ok := expr.Sub(v.num, n).Const()
		if !ok || step != nil && step.Cmp(k) != 0 {
			k = new(big.Int)
		}
		step = k
		half, twice := false, false
		for p := int64(1); p <= 16; p++ {
			half = half || v.num.Equal(expr.Shr(n, expr.Const(p))) || v.num.Equal(expr.Div(n, expr.Const(1<<p)))
			more := expr.Mul(n, expr.Const(1<<p))
			if v.num.Equal(more) {
				twice = true
			} else if v.num.Equal(expr.Wrap(more, int(b.leaf.bits), b.leaf.signed)) {
				fits, signed := b.fits(e.st.path, more)
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
func (b *binding) fits(path *node, multiple *expr.Int) (fits, signed bool) {
	name := b.leaf.num.Variable().Name
	typ := "u"
	if b.leaf.signed {
		typ = "s"
	}
	_, most, _ := facts.TypeRange(typ + itoa(b.leaf.bits))
	for ; path != nil; path = path.before {
		if path.That.Kind() != expr.KindLe {
			continue
		}
		limit := expr.Sub(b.leaf.num, path.That.Diff()) // no less than the counter
		if slices.ContainsFunc(limit.Vars(), func(v expr.Variable) bool { return v.Name == name }) {
			continue
		}
		signed = signed || b.leaf.signed
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

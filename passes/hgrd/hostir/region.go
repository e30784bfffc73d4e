// The execution of blocks: ways that part and join, and loops.

package hostir

import (
	"math/big"

	"github.com/ptxsan/ptxsan/passes/hgrd/expr"
	"github.com/ptxsan/ptxsan/passes/hgrd/facts"
)

// region is a function or the body of a loop, being executed.
type region struct {
	blocks []*block
	in     map[*block][]edge
	loop   *loop // nil for a function
	backs  []edge
	outs   []way
}

// way is an edge that leaves a region.
type way struct {
	to *block
	e  edge
}

// add adds an edge.
func (r *region) add(to *block, e edge) {
	switch {
	case r.loop == nil:
		r.in[to] = append(r.in[to], e)
	case to == r.loop.header:
		r.backs = append(r.backs, e)
	case r.loop.in[to]:
		r.in[to] = append(r.in[to], e)
	default:
		r.outs = append(r.outs, way{to, e})
	}
}

// region executes blocks in order.
func (x *executor) region(r *region) {
	inner := make(map[*block]bool)
	for _, b := range r.blocks {
		edges := r.in[b]
		if len(edges) == 0 || inner[b] {
			continue
		}
		if l := x.frame.f.flow.loops[b]; l != nil && l != r.loop {
			for _, c := range l.blocks {
				inner[c] = true
			}
			for _, w := range x.loop(l, x.joinEdges(edges, len(phis(b)))) {
				r.add(w.to, w.e)
			}
			continue
		}
		e := x.joinEdges(edges, len(phis(b)))
		x.st = e.st
		for i, in := range phis(b) {
			x.frame.regs[in.name] = e.vals[i]
		}
		x.block(r, b)
	}
}

// phis are those of a block.
func phis(b *block) []*instr {
	for i, in := range b.instrs {
		if in.op != "phi" {
			return b.instrs[:i]
		}
	}
	return b.instrs
}

// maxJoined is the number of ways to a block that are joined one by one, the latest fork first.
const maxJoined = 24

// joinEdges joins the ways to a block, those first that parted last.
func (x *executor) joinEdges(edges []edge, n int) edge {
	list := append([]edge(nil), edges...)
	for len(list) > 1 {
		a, b, deepest := 0, 1, -1
		for i := range min(len(list), maxJoined) {
			for j := i + 1; j < min(len(list), maxJoined); j++ {
				if common, _, _ := fork(list[i].st.path, list[j].st.path); depth(common) > deepest {
					a, b, deepest = i, j, depth(common)
				}
			}
		}
		list[a] = x.joined(list[a], list[b], n)
		list = append(list[:b], list[b+1:]...)
	}
	e := list[0]
	e.st = e.st.clone()
	x.steps += len(e.st.mem) / 8
	for len(e.vals) < n {
		e.vals = append(e.vals, value{})
	}
	return e
}

// joined joins two ways.
func (x *executor) joined(a, b edge, n int) edge {
	_, c, first := fork(a.st.path, b.st.path)
	if c != nil && !first {
		a, b = b, a
	}
	out := edge{st: x.merge(a.st, b.st)}
	for i := range n {
		var v value
		if i < len(a.vals) && i < len(b.vals) {
			v = x.either(c, a.vals[i], b.vals[i], nil, 0, 0)
		}
		out.vals = append(out.vals, v)
	}
	return out
}

// block executes a block and adds the ways that leave it.
func (x *executor) block(r *region, b *block) {
	for _, in := range b.instrs {
		if x.steps++; x.steps >= maxSteps {
			return
		}
		x.at = in
		switch in.op {
		case "phi":
		case "br", "switch":
			x.jump(r, b, in)
			return
		case "ret":
			e := edge{st: x.st, vals: []value{{}}}
			if len(in.args) > 0 {
				e.vals[0] = x.operand(in.args[0])
			}
			x.frame.left = append(x.frame.left, e)
			return
		case "unreachable", "resume":
			return
		case "invoke":
			if x.execute(in); x.st != nil && len(in.labels) > 0 {
				x.leave(r, b, in.labels[0], x.st)
			}
			return
		case "indirectbr", "callbr":
			x.cut = true
			return
		default:
			if x.execute(in); x.st == nil { // it does not come back
				return
			}
		}
	}
}

// leave goes from a block to another.
func (x *executor) leave(r *region, b *block, label string, st *state) {
	to := x.frame.f.byLabel[label]
	if to == nil {
		return
	}
	e := edge{st: st}
	for _, in := range phis(to) {
		var v value
		for i, l := range in.labels {
			if l == b.label && i < len(in.args) {
				v = x.operand(in.args[i])
			}
		}
		e.vals = append(e.vals, v)
	}
	r.add(to, e)
}

// jump executes a branch or a switch.
func (x *executor) jump(r *region, b *block, in *instr) {
	if len(in.args) == 0 || len(in.labels) < 2 {
		if len(in.labels) > 0 {
			x.leave(r, b, in.labels[0], x.st)
		}
		return
	}
	x.forks++
	st, v := x.st, x.operand(in.args[0])
	conds := make([]*expr.Bool, len(in.labels))
	if in.op == "br" {
		conds[0] = v.bool()
		conds[1] = expr.Not(conds[0])
	} else {
		conds[0] = expr.Truth(true)
		for i := 1; i < len(conds) && i < len(in.args); i++ {
			conds[i] = expr.Maybe()
			if k := x.operand(in.args[i]); v.known() && k.known() && v.cond == nil {
				conds[i] = expr.Eq(v.asSigned(), k.asSigned())
			}
			conds[0] = expr.All(conds[0], expr.Not(conds[i]))
		}
	}
	for arm, c := range conds {
		if c == nil {
			c = expr.Maybe()
		}
		if k, ok := c.Const(); ok && !k {
			continue
		}
		x.st = st.clone()
		x.steps += len(st.mem) / 8
		mark := &node{before: x.st.path, depth: depth(x.st.path) + 1, fork: x.forks, arm: arm}
		if in.op == "br" {
			mark.taken = conds[0]
		}
		mark.That = expr.Truth(true)
		x.st.path = mark
		x.assume(c, x.class(r, b, in, arm))
		x.leave(r, b, in.labels[arm], x.st)
	}
}

// class is the class of the condition under which a branch goes one way.
func (x *executor) class(r *region, b *block, in *instr, arm int) facts.Class {
	f := x.frame.f
	for i, l := range in.labels {
		if i != arm && f.fails(f.byLabel[l]) {
			return facts.Asserts
		}
	}
	if r.loop != nil {
		latch := b == r.loop.header
		for _, to := range f.targets(b) {
			latch = latch || to == r.loop.header
		}
		for _, to := range f.targets(b) {
			if latch && !r.loop.in[to] {
				return facts.Bounds
			}
		}
	}
	return facts.Path
}

// binding is a piece of memory, or a phi, that a loop changes.
type binding struct {
	o        *object // nil: a phi
	at, size int64
	phi      int
	first    value
	leaf     value
	step     *big.Int // of a counter
	shrinks  bool     // it is divided in each round
	grows    bool     // it is multiplied
	plain    bool     // it is no counter
	bound    bool     // it was used in a round
}

// maxRounds limits how often a loop is executed to find what it changes.
const maxRounds = 12

// loop executes a loop until what it changes is known, and returns the ways that leave it.
func (x *executor) loop(l *loop, entry edge) []way {
	var list []*binding
	for i, in := range phis(l.header) {
		b := &binding{phi: i, first: entry.vals[i]}
		if in.typ != nil && in.typ.kind == tyInt {
			b.leaf = x.leaf(in.name, in.typ.bits, true)
		}
		list = append(list, b)
	}
	for round := 0; ; round++ {
		m := x.mark()
		st := entry.st.clone()
		x.st = st
		if round >= maxRounds {
			st.forget(func(*object) bool { return true })
			clear(st.init)
		}
		x.bind(l, list)
		start := x.st.clone()
		r := &region{blocks: l.blocks, in: map[*block][]edge{}, loop: l}
		x.body(r, l)
		again := x.changed(&list, entry.st, start, r.backs)
		if again && round < maxRounds && x.steps < maxSteps {
			x.undo(m, list)
			continue
		}
		x.cut = x.cut || round >= maxRounds
		return r.outs
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

// bind gives what a loop changes the value of some round.
func (x *executor) bind(l *loop, list []*binding) {
	for _, b := range list {
		b.bound = true
		if b.o != nil {
			x.st.put(b.o, b.at, b.size, b.leaf)
		} else {
			x.frame.regs[phis(l.header)[b.phi].name] = b.leaf
		}
		if !b.first.known() || !b.leaf.known() || b.plain {
			continue
		}
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
		case b.grows:
			x.assume(expr.Implies(nonNegative, expr.Ge(v, first)), facts.Bounds)
		}
		if b.step != nil && b.step.CmpAbs(big.NewInt(1)) > 0 {
			x.assume(expr.Eq(expr.Rem(expr.Sub(v, first), expr.Big(new(big.Int).Abs(b.step))), expr.Const(0)), facts.Bounds)
		}
	}
}

// changed notes what a round has changed that was taken to be the same in all; again is true when
// there is something new.
func (x *executor) changed(list *[]*binding, entry, start *state, backs []edge) (again bool) {
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
			if m := e.st.init[o]; m == nil || !m.Equal(n) {
				delete(entry.init, o)
				again = true
			}
		}
		for o := range e.st.escaped {
			if !start.escaped[o] && (o.owner == nil || start.mem[o] != nil) {
				entry.escaped[o] = true
				again = true
			}
		}
	}
	for _, b := range *list {
		again = b.counts(backs) || again
	}
	return again
}

// bound is the binding of a piece of memory.
func bound(list []*binding, o *object, c cell) *binding {
	for _, b := range list {
		if b.o == o && b.at < c.at+c.size && c.at < b.at+b.size {
			return b
		}
	}
	return nil
}

// counts finds out whether a binding is a counter; it reports whether that is news.
func (b *binding) counts(backs []edge) bool {
	if !b.bound || !b.leaf.known() || b.plain || !b.first.known() {
		return false
	}
	n := b.leaf.num
	var step *big.Int
	shrinks, grows := true, true
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
			twice = twice || v.num.Equal(expr.Mul(n, expr.Const(1<<p)))
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
		b.shrinks, b.grows = shrinks, grows
		return !known
	default:
		b.plain = true
		return b.forgetCounter()
	}
}

// forgetCounter makes a binding plain; it reports whether it was a counter.
func (b *binding) forgetCounter() bool {
	was := b.step != nil || b.shrinks || b.grows
	b.step, b.shrinks, b.grows = nil, false, false
	return was
}

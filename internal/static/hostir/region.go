// The execution of blocks: paths that diverge and join, and loops.

package hostir

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// region is a function or the body of a loop under execution.
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

// phis returns the phis of a block.
func phis(b *block) []*instr {
	for i, in := range b.instrs {
		if in.op != "phi" {
			return b.instrs[:i]
		}
	}
	return b.instrs
}

// maxJoined is the limit of paths to a block that are joined one by one, the latest fork first.
const maxJoined = 24

// joinEdges joins the paths to a block, those that diverged last first.
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

// joined joins two paths.
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
			for from, w := range map[*state]value{a.st: a.vals[i], b.st: b.vals[i]} {
				if w.points() && !v.has(w) {
					from.walk(w, out.st)
				}
			}
		}
		out.vals = append(out.vals, v)
	}
	return out
}

// block executes a block and adds the edges that leave it.
func (x *executor) block(r *region, b *block) {
	for i, in := range b.instrs {
		if x.steps++; x.steps >= maxSteps {
			return
		}
		x.at = in
		x.last[b] = max(x.last[b], i)
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
		case "cleanupret", "catchret", "catchswitch", "cleanuppad", "catchpad":
			x.cut = true
			return
		case "invoke":
			x.invoke(r, b, in)
			return
		case "indirectbr", "callbr":
			x.cut = true
			return
		default:
			if x.execute(in); x.st == nil { // it does not return
				return
			}
		}
	}
}

// invoke executes a call that may end with an exception. Then everything is unknown that the call may have changed
// before it.
func (x *executor) invoke(r *region, b *block, in *instr) {
	caught := x.st.clone()
	if x.execute(in); x.st != nil && len(in.labels) > 0 {
		x.leave(r, b, in.labels[0], x.st)
	}
	if len(in.labels) < 2 {
		return
	}
	x.st, x.at = caught, in
	x.forks++
	x.st.path = &node{
		before: x.st.path, depth: depth(x.st.path) + 1, fork: x.forks,
		Condition: facts.Condition{That: expr.Truth(true)},
	}
	args := x.operands(in)
	for _, v := range args {
		if v.to != nil {
			x.st.escape(v.to)
		}
	}
	x.unknown(args)
	delete(x.frame.regs, in.name)
	x.leave(r, b, in.labels[1], x.st)
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
	if l := r.loop; l != nil && !x.followed(l, conds[0]) &&
		slices.ContainsFunc(x.frame.f.targets(b), func(to *block) bool { return !l.in[to] }) {
		l.unsure = true
	}
	x.taken[arm{in, -1}] = true
	for way, c := range conds {
		if c == nil {
			c = expr.Maybe()
		}
		if k, ok := c.Const(); ok && !k {
			continue
		}
		x.taken[arm{in, way}] = true
		x.st = st.clone()
		x.steps += len(st.mem) / 8
		mark := &node{before: x.st.path, depth: depth(x.st.path) + 1, fork: x.forks, arm: way}
		if in.op == "br" {
			mark.taken = conds[0]
		}
		mark.That = expr.Truth(true)
		x.st.path = mark
		x.assume(c, x.class(r, b, in, way))
		x.leave(r, b, in.labels[way], x.st)
	}
}

// class returns the class of the condition under which a branch takes an arm.
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

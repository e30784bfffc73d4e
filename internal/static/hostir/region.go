// The execution of blocks: paths that diverge and join, and loops.

package hostir

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// region is a function or the body of a loop under execution.
type region struct {
	blocks []*llvm.Block
	in     map[*llvm.Block][]edge
	loop   *llvm.Loop // nil for a function
	backs  []edge
	outs   []way
}

// way is an edge that leaves a region.
type way struct {
	to *llvm.Block
	e  edge
}

// add adds an edge.
func (r *region) add(to *llvm.Block, e edge) {
	switch {
	case r.loop == nil:
		r.in[to] = append(r.in[to], e)
	case to == r.loop.Header:
		r.backs = append(r.backs, e)
	case r.loop.In[to]:
		r.in[to] = append(r.in[to], e)
	default:
		r.outs = append(r.outs, way{to, e})
	}
}

// region executes blocks in order.
func (x *executor) region(r *region) {
	inner := make(map[*llvm.Block]bool)
	for _, b := range r.blocks {
		edges := r.in[b]
		if len(edges) == 0 || inner[b] {
			continue
		}
		if l := x.frame.f.Flow.Loops[b]; l != nil && l != r.loop {
			for _, c := range l.Blocks {
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
			x.frame.regs[in.Name] = e.vals[i]
		}
		x.block(r, b)
	}
}

// phis returns the phis of a block.
func phis(b *llvm.Block) []*llvm.Instr {
	for i, in := range b.Instrs {
		if in.Op != "phi" {
			return b.Instrs[:i]
		}
	}
	return b.Instrs
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
				if common, _, _ := memory.Fork(list[i].st.Path, list[j].st.Path); memory.Depth(common) > deepest {
					a, b, deepest = i, j, memory.Depth(common)
				}
			}
		}
		list[a] = x.joined(list[a], list[b], n)
		list = append(list[:b], list[b+1:]...)
	}
	e := list[0]
	e.st = e.st.Clone()
	x.steps += len(e.st.Mem) / 8
	for len(e.vals) < n {
		e.vals = append(e.vals, memory.Value{})
	}
	return e
}

// joined joins two paths.
func (x *executor) joined(a, b edge, n int) edge {
	common, c, first := memory.Fork(a.st.Path, b.st.Path)
	if c != nil && !first {
		a, b = b, a
	}
	f := x.newFork(c)
	out := edge{st: x.merge(f, common, a.st, b.st)}
	for i := range n {
		var v memory.Value
		if i < len(a.vals) && i < len(b.vals) {
			v = x.either(f, a.vals[i], b.vals[i], nil, 0, 0)
			for from, w := range map[*memory.State]memory.Value{a.st: a.vals[i], b.st: b.vals[i]} {
				if w.Points() && !v.Has(w) {
					from.Walk(w, out.st)
				}
			}
		}
		out.vals = append(out.vals, v)
	}
	return out
}

// block executes a block and adds the edges that leave it.
func (x *executor) block(r *region, b *llvm.Block) {
	for i, in := range b.Instrs {
		if x.steps++; x.steps >= maxSteps {
			return
		}
		x.at = in
		x.last[b] = max(x.last[b], i)
		switch in.Op {
		case "phi":
		case "br", "switch":
			x.jump(r, b, in)
			return
		case "ret":
			e := edge{st: x.st, vals: []memory.Value{{}}}
			if len(in.Args) > 0 {
				e.vals[0] = x.operand(in.Args[0])
			}
			x.frame.left = append(x.frame.left, e)
			return
		case "unreachable", "resume":
			x.ends = append(x.ends, x.st.Path)
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
func (x *executor) invoke(r *region, b *llvm.Block, in *llvm.Instr) {
	caught := x.st.Clone()
	if x.execute(in); x.st != nil && len(in.Labels) > 0 {
		x.leave(r, b, in.Labels[0], x.st)
	}
	if len(in.Labels) < 2 {
		return
	}
	x.st, x.at = caught, in
	x.forks++
	x.st.Path = &memory.Node{
		Before: x.st.Path, Depth: memory.Depth(x.st.Path) + 1, Fork: x.forks,
		Condition: facts.Condition{That: expr.Truth(true)},
	}
	args := x.operands(in)
	for _, v := range args {
		if v.To != nil {
			x.st.Escape(v.To)
		}
	}
	x.unknown(args)
	delete(x.frame.regs, in.Name)
	x.leave(r, b, in.Labels[1], x.st)
}

// leave goes from a block to another.
func (x *executor) leave(r *region, b *llvm.Block, label string, st *memory.State) {
	to := x.frame.f.ByLabel[label]
	if to == nil {
		return
	}
	e := edge{st: st}
	for _, in := range phis(to) {
		var v memory.Value
		for i, l := range in.Labels {
			if l == b.Label && i < len(in.Args) {
				v = x.operand(in.Args[i])
			}
		}
		e.vals = append(e.vals, v)
	}
	r.add(to, e)
}

// jump executes a branch or a switch.
func (x *executor) jump(r *region, b *llvm.Block, in *llvm.Instr) {
	if len(in.Args) == 0 || len(in.Labels) < 2 {
		if len(in.Labels) > 0 {
			x.leave(r, b, in.Labels[0], x.st)
		}
		return
	}
	x.forks++
	st, v := x.st, x.operand(in.Args[0])
	conds := make([]*expr.Bool, len(in.Labels))
	if in.Op == "br" {
		conds[0] = v.Bool()
		conds[1] = expr.Not(conds[0])
	} else {
		conds[0] = expr.Truth(true)
		for i := 1; i < len(conds) && i < len(in.Args); i++ {
			conds[i] = expr.Maybe()
			if k := x.operand(in.Args[i]); v.Known() && k.Known() && v.Cond == nil {
				conds[i] = expr.Eq(v.AsSigned(), k.AsSigned())
			}
			conds[0] = expr.All(conds[0], expr.Not(conds[i]))
		}
	}
	if l := r.loop; l != nil &&
		slices.ContainsFunc(x.frame.f.Targets(b), func(to *llvm.Block) bool { return !l.In[to] }) {
		x.exit(l, b, conds[0])
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
		x.st = st.Clone()
		x.steps += len(st.Mem) / 8
		mark := &memory.Node{Before: x.st.Path, Depth: memory.Depth(x.st.Path) + 1, Fork: x.forks, Arm: way}
		if in.Op == "br" {
			mark.Taken = conds[0]
		}
		mark.That = expr.Truth(true)
		x.st.Path = mark
		x.assume(c, x.class(r, b, in, way))
		for n := x.st.Path; n != mark; n = n.Before {
			n.Branch = true
		}
		x.leave(r, b, in.Labels[way], x.st)
	}
}

// class returns the class of the condition under which a branch takes an arm.
func (x *executor) class(r *region, b *llvm.Block, in *llvm.Instr, arm int) facts.Class {
	f := x.frame.f
	for i, l := range in.Labels {
		if i != arm && fails(f, f.ByLabel[l]) {
			return facts.Asserts
		}
	}
	if r.loop != nil {
		latch := b == r.loop.Header
		for _, to := range f.Targets(b) {
			latch = latch || to == r.loop.Header
		}
		for _, to := range f.Targets(b) {
			if latch && !r.loop.In[to] {
				return facts.Bounds
			}
		}
	}
	return facts.Path
}

// Ways of a thread through one iteration of a loop, or through the kernel: what it has executed before an access, in
// earlier iterations, and what it executes after one.

package rules

import (
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// body is what a thread executes in an iteration of a loop of the kernel itself; without a loop, in all of the kernel.
type body struct {
	*synchronisation
	loop *symbolic.Loop
}

// passage is something that a thread passes: an instruction, or an edge of the control flow graph.
type passage struct {
	inst func(*rewrite.Inst) bool
	edge func(from, to *rewrite.Block) bool
}

// executing returns the passage of an instruction without a guard.
func executing(in *rewrite.Inst) passage {
	return passage{
		inst: func(x *rewrite.Inst) bool { return x == in && in.Guard == nil },
		edge: func(_, _ *rewrite.Block) bool { return false },
	}
}

// none is no passage.
var none = passage{func(*rewrite.Inst) bool { return false }, func(_, _ *rewrite.Block) bool { return false }}

// ends are the ways in which a part of an iteration may end for a thread.
type ends struct {
	comes  bool // it comes to the instruction that was asked for
	again  bool // it begins another iteration
	leaves bool // it leaves the loop, or ends
}

// follow returns how a thread may go on from an instruction of a block without a passage, by edges that may be taken.
func (b body) follow(
	blk *rewrite.Block, at int, to *rewrite.Inst, by passage, may func(from, to *rewrite.Block) bool,
) ends {
	f := b.Kernel.Root
	seen := make([]bool, len(f.CFG.Blocks)+1)
	var out ends
	var work []*rewrite.Block
	// walk goes through a block from an instruction on.
	walk := func(blk *rewrite.Block, at int) {
		for _, in := range f.Func.Insts[at:blk.End] {
			if in == to {
				out.comes = true
				return
			}
			if by.inst(in) {
				return
			}
			out.leaves = out.leaves || in.Effects()&(isa.Exits|isa.Aborts) != 0
		}
		for _, s := range blk.Succs {
			switch {
			case by.edge(blk, s) || !may(blk, s):
			case s == f.CFG.Exit, b.loop != nil && !f.InLoop(s, b.loop.Loop):
				out.leaves = true
			case b.loop != nil && s == b.loop.Loop.Header:
				out.again = true
			case !seen[s.Index]:
				seen[s.Index] = true
				work = append(work, s)
			}
		}
	}
	for walk(blk, at); len(work) > 0; {
		next := work[len(work)-1]
		work = work[:len(work)-1]
		walk(next, next.Start)
	}
	return out
}

// start returns the block with which an iteration begins.
func (b body) start() *rewrite.Block {
	if b.loop == nil {
		return b.Kernel.Root.CFG.BlockOf[0]
	}
	return b.loop.Loop.Header
}

// anyEdge says that a thread may take an edge.
func anyEdge(_, _ *rewrite.Block) bool { return true }

// edges returns which edges threads may take in an iteration if the first thread is where conditions hold: those of
// thread are for what is the same in all iterations, round is the number of the iteration.
func (b body) edges(given []*expr.Bool, thread int, round *expr.Int) func(from, to *rewrite.Block) bool {
	f, kept := b.Kernel.Root, make(map[[2]*rewrite.Block]bool)
	number := func(v expr.Variable) int {
		if f.Fixed(b.loop, v.Name) {
			return thread
		}
		return 3 // of another iteration, or of none that is known
	}
	by := expr.Substitution{
		Int: func(v expr.Variable) *expr.Int {
			if b.loop != nil && v.Name == b.loop.Round.Variable().Name {
				return round
			}
			return expr.NewVar(v).Instance(number(v))
		},
		Bool: func(v expr.Variable) *expr.Bool { return expr.BoolVar(v.Name, v.Uniform).Instance(number(v)) },
	}
	return func(from, to *rewrite.Block) bool {
		c := f.Taken(from, to)
		if c == expr.True {
			return true
		}
		key := [2]*rewrite.Block{from, to}
		may, ok := kept[key]
		if !ok {
			c = c.Subst(b.Kernel.Turning()).Subst(by)
			may = !b.prove(given, c)
			kept[key] = may
		}
		return may
	}
}

// round returns the number of the iteration of a thread; nil without a loop.
func (b body) round(thread int) *expr.Int {
	if b.loop == nil {
		return nil
	}
	return b.loop.Round.Instance(thread)
}

// making returns what holds for the first thread if it makes an access.
func (b body) making(it *kernel.Item) []*expr.Bool {
	out := it.Formulas(1)
	if b.loop != nil {
		for _, f := range b.loop.Facts(1) {
			out = append(out, f.Instance(1))
		}
	}
	return out
}

// before reports whether each thread that makes an access has passed something before in the same iteration, if that is
// one from a number on.
func (b body) before(by passage, it *kernel.Item, least int64) bool {
	to, given := it.Access.Inst, b.making(it)
	if !b.follow(b.start(), b.start().Start, to, by, anyEdge).comes {
		return true
	}
	if least > 0 {
		given = append(given, expr.Ge(b.round(1), expr.Const(least)))
	}
	return !b.follow(b.start(), b.start().Start, to, by, b.edges(given, 1, b.round(1))).comes
}

// earlier reports whether each thread that makes an access has passed something in all earlier iterations from a number
// on.
func (b body) earlier(by passage, it *kernel.Item, least int64) bool {
	if !b.follow(b.start(), b.start().Start, nil, by, anyEdge).again {
		return true
	}
	then := b.round(3)
	given := append(b.making(it), expr.Lt(then, b.round(1)), expr.Ge(then, expr.Const(least)))
	return !b.follow(b.start(), b.start().Start, nil, by, b.edges(given, 1, then)).again
}

// after reports whether each thread that makes an access passes something later in the same iteration.
func (b body) after(by passage, it *kernel.Item) bool {
	blk, at := b.Kernel.Root.Block(it.Access.Inst), it.Access.Inst.Index+1
	e := b.follow(blk, at, nil, by, anyEdge)
	if e.again || e.leaves {
		e = b.follow(blk, at, nil, by, b.edges(b.making(it), 1, b.round(1)))
	}
	return !e.again && !e.leaves
}

// leads reports whether a thread may come from one instruction to another in the same iteration.
func (b body) leads(from, to *rewrite.Inst) bool {
	return b.follow(b.Kernel.Root.Block(from), from.Index+1, to, none, anyEdge).comes
}

// Pairs of accesses ordered by a counter of blocks: the block with the last increment follows all others.

package rules

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// counter is an atomic operation, of a scope that includes all threads that make it, that increments a word once for
// each block, or once for each thread. The word is 0 at the start of the launch, and no other write precedes the last
// increment. The operation therefore returns each of the values 0 to n-1 once, where n is the number of increments. The
// block or thread that gets n-1 is the last one: its increment observes all the others (PTX ISA, "Observation Order").
//
// What precedes an increment is released to it by a fence of its thread, and the last increment acquires by a fence of
// its thread. Two fence.sc need not be of these threads. Let one, f, precede an increment in causality order, and
// another, g, follow the last increment. The Fence-SC order has f before g, or g before f, and then the first of them
// synchronizes with the second (PTX ISA, "Fence-SC", "Causality Order"). If that were g, the last increment would
// precede the other one in causality order, but it observes it. So f synchronizes with g.
type counter struct {
	*synchronisation
	raise   *kernel.Item
	threads bool      // each thread adds, rather than one thread of a block
	scope   isa.Scope // of the threads that add
	sc      bool      // fences are fence.sc, of any threads
	all     *expr.Int // number of increments
	lasts   map[*kernel.Item]bool
}

// counted reports whether a counter orders the accesses of two threads, or excludes one of them: the accesses of a
// block before its increment precede those of the last block after its increment, and those of a block that has waited
// for all increments; and there is only one last block. The same holds for threads.
func (y *synchronisation) counted(q *Conflict) bool {
	if len(y.Kernel.Unknown) > 0 || y.Traits.Hidden != nil || kernel.Async(q.X) || kernel.Async(q.Y) {
		return false
	}
	for _, c := range y.allCounters() {
		if q.Kind != kernel.InterBlock && !c.threads {
			continue
		}
		first, second := c.last(q.X), c.last(q.Y)
		if first && second || (second || c.waited(q.Y)) && c.before(q.X) || (first || c.waited(q.X)) && c.before(q.Y) {
			return true
		}
	}
	return false
}

// allCounters returns the counters of the kernel.
func (y *synchronisation) allCounters() []*counter {
	if y.counters == nil {
		y.counters = []*counter{}
		for _, it := range y.Items {
			for _, threads := range []bool{false, true} {
				c := y.counter(it, threads)
				if c == nil {
					continue
				}
				byAny := *c
				byAny.sc, byAny.lasts = true, make(map[*kernel.Item]bool)
				for _, d := range []*counter{c, &byAny} {
					if d.alone() {
						y.counters = append(y.counters, d)
					}
				}
			}
		}
	}
	return y.counters
}

// counter returns the counter of an access by which each thread, or one of each block, adds, if it is alone; nil if it
// is none.
func (y *synchronisation) counter(r *kernel.Item, threads bool) *counter {
	in := r.Access.Inst
	root := y.Kernel.Root
	if r.Access.AtomOp != "add" && r.Access.AtomOp != "inc" || r.Access.Frame != root || in.Guard != nil ||
		!in.Strong() || !r.Addr.Uniform() || r.Access.Size != 4 || !r.Access.Single() ||
		in.Type(0).Float() || y.Again(in) {
		return nil
	}
	start, name, ok := StartsWith(y.Model, r)
	if !ok || start.Sign() != 0 {
		return nil
	}
	scope := isa.ScopeGPU
	if threads {
		scope = y.scopeFor(r, kernel.IntraBlock)
	}
	if in.StrongScope() < scope {
		return nil
	}
	y.uses(name)
	c := &counter{synchronisation: y, raise: r, threads: threads, scope: scope, lasts: make(map[*kernel.Item]bool)}
	c.all = expr.Mul(facts.Dim("nctaid", 'x'), facts.Dim("nctaid", 'y'), facts.Dim("nctaid", 'z'))
	if threads {
		c.all = expr.Mul(c.all, facts.Dim("ntid", 'x'), facts.Dim("ntid", 'y'), facts.Dim("ntid", 'z'))
	}
	if !c.prove(nil, expr.Ge(c.all, expr.Const(1<<31))) || !c.addsOne() || !threads && !c.once() {
		return nil
	}
	return c
}

// readBy returns the variable, among others, for the value that an access reads; nil if there is none.
func readBy(m *kernel.Model, it *kernel.Item, among []expr.Variable) *expr.Int {
	for _, x := range among {
		if o := m.Kernel.Origin(x.Name); o != nil && o.Frame == it.Access.Frame && o.Inst == it.Access.Inst && !x.Bool {
			return expr.NewVar(x)
		}
	}
	return nil
}

// prove reports whether conditions are contradictory for two threads of one block.
func (y *synchronisation) prove(goal []*expr.Bool, more ...*expr.Bool) bool {
	if y.Left < y.floor {
		return false
	}
	r := y.RefuteInBlock(slices.Concat(goal, more))
	y.uses(r.Core...)
	return r.Unsat
}

// addsOne reports whether the operation adds one to every value that a block may find, except the last.
func (c *counter) addsOne() bool {
	r := c.raise
	n := r.Access.Value
	if n < 0 || n >= len(r.Access.Inst.Operands) {
		return false
	}
	v := r.Access.Frame.Operand(r.Access.Inst, n)
	if r.Access.AtomOp == "inc" { // up to a limit, after which it restarts
		return c.prove(nil, expr.Lt(expr.Wrap(v, 32, false), expr.Sub(c.all, expr.Const(1))).Instance(1))
	}
	k, ok := v.Const()
	return ok && k.IsInt64() && k.Int64() == 1
}

// once reports whether no two threads of a block increment the counter.
func (c *counter) once() bool {
	r := c.raise
	return c.prove(append(r.Formulas(1), r.Formulas(2)...), kernel.Different(kernel.AnyThread))
}

// alone reports whether all other writes to the counter follow the last increment, or write the value that they found.
func (c *counter) alone() bool {
	for _, w := range c.Items {
		if !w.Access.Writes() || w == c.raise {
			continue
		}
		rel, _, _ := c.relate(c.raise, w)
		if rel != kernel.Apart && !c.last(w) && (!c.writesBack(w) || !c.onCounter(w)) {
			return false
		}
	}
	return true
}

// last reports whether only threads of the block with the last increment make an access, after the increment, and have
// acquired what the others have released.
func (c *counter) last(it *kernel.Item) bool {
	known, ok := c.lasts[it]
	if !ok {
		c.lasts[it] = false // while it is computed
		known = it.Access.Frame == c.raise.Access.Frame && !kernel.Async(it) &&
			(c.lastByCounter(it) || !c.threads && c.lastByFlag(it))
		c.lasts[it] = known
	}
	return known
}

// less is the condition that the found value is not that of the last increment.
func (c *counter) less(found *expr.Int) *expr.Bool {
	return expr.All(expr.Ge(found, expr.Const(0)), expr.Le(found, expr.Sub(c.all, expr.Const(2))))
}

// lastByCounter is last for the thread that increments the counter.
func (c *counter) lastByCounter(it *kernel.Item) bool {
	found := readBy(c.Model, c.raise, it.Cond.Vars())
	return found != nil && c.ExecutedBefore(c.raise.Access.Inst, it.Access.Inst) && c.acquires(it.Access.Inst) &&
		c.prove(it.Formulas(1), c.less(found.Instance(1)))
}

// acquires reports whether a thread acquires between the increment and an instruction.
func (c *counter) acquires(at *rewrite.Inst) bool {
	return !c.sc && c.raise.Access.Inst.Sem.Acquires() || c.fences(c.raise.Access.Inst, at, isa.Sem.Acquires)
}

// fences reports whether a thread fences between two instructions, so that the fence has a property.
func (c *counter) fences(from, to *rewrite.Inst, has func(isa.Sem) bool) bool {
	return !c.raise.Access.Frame.Leads(from, to, func(in *rewrite.Inst) bool {
		return isFence(in, c.scope, func(s isa.Sem) bool { return has(s) && (!c.sc || s == isa.SemSC) })
	})
}

// before reports whether an access precedes the increment of its block, which releases it: the thread itself increments
// the counter later, or there is a barrier in between.
func (c *counter) before(it *kernel.Item) bool {
	a, r := c.synchronisation, c.raise
	if it.Access.Frame != r.Access.Frame || a.Leads(r.Access.Inst, it.Access.Inst) {
		return false
	}
	released := func(from *rewrite.Inst) bool {
		return !c.sc && r.Access.Inst.Sem.Releases() || c.fences(from, r.Access.Inst, isa.Sem.Releases)
	}
	if released(it.Access.Inst) && (c.threads || c.prove(append(it.Formulas(1), r.Formulas(2)...),
		kernel.Different(kernel.AnyThread))) {
		return true
	}
	return !c.threads && slices.ContainsFunc(a.Stops(), func(b *rewrite.Inst) bool {
		return a.ExecutedBefore(b, r.Access.Inst) && a.ExecutesLater(it.Access.Inst, b) &&
			!a.Leads(b, it.Access.Inst) &&
			(released(b) || c.sc && c.fences(it.Access.Inst, b, isa.Sem.Releases))
	})
}

// Waits for a counter: barriers of the grid, where one thread of each block, or each thread, adds to a counter and
// reads it until all have.

package rules

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// waited reports whether a thread makes an access only after it has waited for all increments, or, with a barrier
// between, the first thread of its block has. All writes to the counter are atomic operations, so that who reads the
// greatest value observes the increments of all (PTX ISA, "Observation Order").
func (c *counter) waited(it *kernel.Item) bool {
	if it.Access.Frame != c.raise.Access.Frame || kernel.Async(it) {
		return false
	}
	return slices.ContainsFunc(c.Items, func(r *kernel.Item) bool {
		return c.reads(r) && (c.waitedBefore(r, it.Access.Inst) || !c.threads && c.waitedInBlock(r, it))
	})
}

// reads reports whether an access reads the counter, by an operation that observes the increments.
func (c *counter) reads(r *kernel.Item) bool {
	return r.Access.Kind != isa.AccessStore && r.Access.Inst.Guard == nil && c.onCounter(r)
}

// onCounter reports whether an access is a strong one, and of the counter alone.
func (c *counter) onCounter(r *kernel.Item) bool {
	return r != c.raise && !r.Chosen && !kernel.Async(r) && r.Access.Frame == c.raise.Access.Frame &&
		r.Object.Base == c.raise.Object.Base && r.Addr.Equal(c.raise.Addr) && sameWord(r, c.raise) &&
		r.Access.Inst.Strong() && r.Access.Inst.StrongScope() >= c.scope && r.Access.Inst.Proxy() == isa.ProxyGeneric
}

// waitedBefore reports whether a thread that executes an instruction has read the counter before, until all had
// incremented it, and has acquired what they have released.
func (c *counter) waitedBefore(r *kernel.Item, at *rewrite.Inst) bool {
	in := r.Access.Inst
	return c.ExecutedBefore(in, at) && c.waitsUntil(r, at) && c.acquiresBy(in, at)
}

// acquiresBy reports whether a thread that has read the counter acquires before another instruction.
func (c *counter) acquiresBy(in, at *rewrite.Inst) bool {
	return !c.sc && in.Sem.Acquires() || c.fences(in, at, isa.Sem.Acquires)
}

// waitsUntil reports whether a thread that reads less than the number of increments does not come to an instruction
// without another reading.
func (c *counter) waitsUntil(r *kernel.Item, at *rewrite.Inst) bool {
	b := body{synchronisation: c.synchronisation}
	blk := c.Kernel.Root.Block(r.Access.Inst)
	return !b.follow(blk, r.Access.Inst.Index+1, at, executing(r.Access.Inst), func(from, to *rewrite.Block) bool {
		taken := c.Kernel.Root.Taken(from, to)
		found := readBy(c.Model, r, taken.Vars())
		if found == nil {
			return taken != expr.False
		}
		early := expr.All(expr.Ge(found, expr.Const(0)), expr.Lt(found, c.all))
		return !c.prove([]*expr.Bool{taken.Instance(1), early.Instance(1)})
	}).comes
}

// waitedInBlock reports whether the first thread of a block has waited, and acquired, before a barrier that is before
// an access.
func (c *counter) waitedInBlock(r, it *kernel.Item) bool {
	a, in := c.synchronisation, r.Access.Inst
	return slices.ContainsFunc(a.Stops(), func(b *rewrite.Inst) bool {
		return a.ExecutedBefore(b, it.Access.Inst) && !a.Leads(b, in) && a.ExecutesLater(in, b) &&
			c.waitsUntil(r, b) && c.acquiresBy(in, b)
	}) && c.stored(r, it)
}

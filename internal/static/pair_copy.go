// Pairs with an asynchronous copy for which the thread waits by groups. Others are decided by execution.

package static

import (
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/rules"
)

// copies reports whether all asynchronous parts of two accesses are waited for by groups.
func copies(x, y *kernel.Item) bool {
	return (x.Access.Copy || !x.Access.Async) && (y.Access.Copy || !y.Access.Async)
}

// bulk reports whether all asynchronous parts of two accesses are bulk copies.
func bulk(x, y *kernel.Item) bool {
	return (x.Access.Bulk || !kernel.Async(x)) && (y.Access.Bulk || !kernel.Async(y)) &&
		kernel.Async(x) != kernel.Async(y) || x.Access.Bulk && y.Access.Bulk
}

// own returns clean if no thread accesses memory of its own copy before it has waited for the copy, and none writes
// what it loads as read-only data.
func (a *analysis) own(x, y *kernel.Item) finding {
	switch {
	case bulk(x, y):
		return a.ownBulk(x, y)
	case kernel.ApartFromOrder(x, y):
		return a.decideOrdered(x, y, kernel.OwnThread, expr.True)
	}
	out := clean(ByBarriers)
	for _, p := range [][2]*kernel.Item{{x, y}, {y, x}} {
		if !p[0].Access.Copy {
			continue
		}
		f := a.waited(p[0], p[1])
		switch {
		case f.reason == outOfBudget:
			return f
		case f.verdict != Clean:
			return a.copying()
		}
		out.needed = append(out.needed, f.needed...)
	}
	return out
}

// copying returns the finding that an asynchronous copy leaves a pair open.
func (a *analysis) copying() finding {
	return possible("an asynchronous copy at %s", kernel.Where(a.Traits.Async))
}

// waited returns the finding for accesses of the thread itself before it has waited for its own copy.
func (a *analysis) waited(copying, other *kernel.Item) finding {
	if !a.Blocks.Complete() {
		return a.copying()
	}
	var ways []*expr.Bool
	for _, p := range a.Blocks.Meanwhile(copying.Access, other.Access) {
		ways = append(ways, kernel.Together(p))
	}
	order := expr.Any(ways...)
	if order == expr.False {
		return clean(ByBarriers)
	}
	return a.decideOrdered(copying, other, kernel.OwnThread, order)
}

// decideBulk decides a pair with a bulk copy: by a phase that counts its bytes, by what precedes its issue, or by
// addresses in the iterations for which a condition holds.
func (a *analysis) decideBulk(x, y *kernel.Item, kind kernel.Kind, order *expr.Bool) finding {
	q := &rules.Conflict{Contents: a.Contents, X: x, Y: y, Kind: kind}
	if needed, ok := q.BulkInOrder(); ok {
		return clean(BySynchronisation, needed...)
	}
	return a.decideOrdered(x, y, kind, order)
}

// ownBulk returns the finding for accesses of a thread itself during its own bulk copy. An execution of the copy does not
// race with itself.
func (a *analysis) ownBulk(x, y *kernel.Item) finding {
	if x.Access.Inst != y.Access.Inst || x.Access.Frame != a.Kernel.Root {
		return a.decideBulk(x, y, kernel.OwnThread, expr.True)
	}
	var other []*expr.Bool
	for _, l := range a.Kernel.Root.LoopsAround(a.Kernel.Root.Block(x.Access.Inst)) {
		other = append(other, expr.Ne(l.Round.Instance(1), l.Round.Instance(2)))
	}
	if len(other) == 0 && !a.Again(x.Access.Inst) {
		return clean(BySynchronisation)
	}
	return a.decideBulk(x, y, kernel.OwnThread, expr.Any(other...))
}

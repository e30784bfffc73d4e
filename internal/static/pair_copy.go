// Pairs with an asynchronous copy for which the thread waits by groups. Others are decided by execution.

package static

import "github.com/ptxsan/ptxsan/internal/static/expr"

// copies reports whether all asynchronous parts of two accesses are waited for by groups.
func copies(x, y *item) bool {
	return (x.acc.Copy || !x.acc.Async) && (y.acc.Copy || !y.acc.Async)
}

// bulk reports whether all asynchronous parts of two accesses are bulk copies.
func bulk(x, y *item) bool {
	return (x.acc.Bulk || !async(x)) && (y.acc.Bulk || !async(y)) && async(x) != async(y) || x.acc.Bulk && y.acc.Bulk
}

// own returns clean if no thread accesses memory of its own copy before it has waited for the copy, and none writes
// what it loads as read-only data.
func (a *analysis) own(x, y *item) finding {
	switch {
	case bulk(x, y):
		return a.ownBulk(x, y)
	case apartFromOrder(x, y):
		return a.decideOrdered(x, y, ownThread, expr.True)
	}
	out := clean(ByBarriers)
	for _, p := range [][2]*item{{x, y}, {y, x}} {
		if !p[0].acc.Copy {
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
	return possible("an asynchronous copy at %s", where(a.traits.async))
}

// waited returns the finding for accesses of the thread itself before it has waited for its own copy.
func (a *analysis) waited(copying, other *item) finding {
	if !a.blocks.Complete() {
		return a.copying()
	}
	var ways []*expr.Bool
	for _, p := range a.blocks.Meanwhile(copying.acc, other.acc) {
		ways = append(ways, together(p))
	}
	order := expr.Any(ways...)
	if order == expr.False {
		return clean(ByBarriers)
	}
	return a.decideOrdered(copying, other, ownThread, order)
}

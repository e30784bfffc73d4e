// Starts and ends of the blocks of a cluster: they are accesses to all of a block's shared memory, so that those of
// other blocks follow the start and precede the end (docs/detectors/precise-model.md, "Blocks of a cluster").

package static

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/intervals"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/rules"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// lives decides the pairs of the accesses that may be to other blocks' shared memory and the starts and ends of these
// blocks.
func (a *analysis) lives() {
	var order *intervals.ClusterOrder
	for _, it := range a.Items {
		if !it.Remote {
			continue
		}
		if order == nil {
			order = intervals.ClusterOrderOf(a.Kernel)
		}
		for _, p := range []*Pair{
			a.life(it, detect.BlockStart, order.AfterStart),
			a.life(it, detect.BlockEnd, order.BeforeEnd),
		} {
			if a.merge(a.merged, p); a.opt.Stop != nil && a.opt.Stop(p) {
				return
			}
		}
	}
	if order != nil && !a.Over() && slices.ContainsFunc(a.result.Pairs, func(p *Pair) bool { return p.Try }) {
		a.tryClusters()
	}
}

// life returns the pair of an access and an event, which the barrier of the cluster orders or nothing that is known.
func (a *analysis) life(it *kernel.Item, event detect.Event, ordered func(*symbolic.Access) bool) *Pair {
	p := a.start(it, it)
	p.Second = Access{Kind: isa.AccessStore, Operand: -1, Event: event}
	p.Kind, p.Kinds, p.Space = kernel.InterBlock, []kernel.Kind{kernel.InterBlock}, isa.SpaceShared
	clean := ordered(it.Access)
	switch {
	case a.Over():
		p.open(query.OutOfTime)
	case clean:
		p.Rules = []Rule{ByBarriers}
		return p
	default:
		p.open(fmt.Sprintf("no barrier of the cluster orders it with the %s of the other block", event))
	}
	p.Cause = string(detect.MissingBarrier)
	p.Try = !a.opt.ProofOnly && a.byExecution() && !a.LoadedIndex(it)
	return p
}

// tryClusters proposes a launch with clusters of two blocks, if the facts allow it.
func (a *analysis) tryClusters() {
	pair := expr.Eq(facts.Dim("cluster_nctaid", 'x'), expr.Const(2))
	some := expr.Ge(expr.Mul(facts.Dim("cluster_nctaid", 'x'), facts.Dim("cluster_nctaid", 'y'),
		facts.Dim("cluster_nctaid", 'z')), expr.Const(2))
	grid := expr.All(expr.Eq(facts.Dim("nctaid", 'x'), expr.Const(2)), expr.Eq(facts.Dim("nctaid", 'y'), expr.Const(1)),
		expr.Eq(facts.Dim("nctaid", 'z'), expr.Const(1)))
	before := len(a.result.Tries)
	for _, more := range [][]*expr.Bool{{pair, grid}, {pair}, {some}} {
		goal := append(append(append(more, kernel.Different(kernel.InterBlock)), a.Ranges(1)...), a.Ranges(2)...)
		if r := a.Solve(goal, nil, query.Cheap); r.Sat {
			a.try(&pairQuery{Conflict: rules.Conflict{Contents: a.Contents, Kind: kernel.InterBlock}, a: a}, r.Model)
		}
		if len(a.result.Tries) > before {
			return
		}
	}
}

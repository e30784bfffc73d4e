// Pairs of accesses, and the decision for each kind of race.

package static

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/rules"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// finding is the result for a pair and one kind of race.
type finding struct {
	verdict Verdict
	rule    Rule // of a clean one
	needed  []string
	reason  string
	data    bool
	fault   int // see Pair
	witness *Witness
}

func clean(by Rule, needed ...string) finding { return finding{rule: by, needed: needed} }

func possible(format string, args ...any) finding {
	return finding{verdict: Possible, reason: fmt.Sprintf(format, args...)}
}

// decide decides a pair for all kinds of races.
func (a *analysis) decide(p *Pair, x, y *kernel.Item) {
	var all [kernel.Kinds]finding
	if isNull(a.Model, x) || isNull(a.Model, y) {
		p.Needed, p.Rules, p.Kinds = []string{notNull}, []Rule{ByObjects}, a.KindsOf(x, y)
		if a.faulting(p, x, y); p.Verdict != Clean {
			p.Rules, p.Cause = nil, cause(a.Model, x, y, p.Kind)
		}
		return
	}
	looked := a.KindsOf(x, y)
	a.opt.Proofs.Begin()
	if f := a.inBlock(x, y, looked); f != nil {
		all[kernel.IntraBlock], all[kernel.IntraWarp] = *f, *f
	} else {
		for _, k := range []kernel.Kind{kernel.IntraBlock, kernel.IntraWarp} {
			if slices.Contains(looked, k) {
				all[k] = a.decideKind(x, y, k)
			}
		}
	}
	if slices.Contains(looked, kernel.InterBlock) {
		all[kernel.InterBlock] = a.decideKind(x, y, kernel.InterBlock)
	}
	if own := a.own(x, y); own.verdict == Clean {
		p.Needed = own.needed
	} else {
		for _, k := range looked {
			all[k] = own
		}
	}
	for _, k := range looked {
		p.Verdict = max(p.Verdict, all[k].verdict)
	}
	for _, k := range looked {
		p.Needed = append(p.Needed, all[k].needed...)
		if all[k].rule != "" && !slices.Contains(p.Rules, all[k].rule) {
			p.Rules = append(p.Rules, all[k].rule)
		}
		if all[k].verdict == p.Verdict {
			if len(p.Kinds) == 0 {
				p.Kind, p.Reason, p.DataDependent, p.Witness, p.Fault = k, all[k].reason, all[k].data, all[k].witness,
					all[k].fault
			}
			p.Kinds = append(p.Kinds, k)
			if all[k].fault == 0 {
				p.Fault = 0
			}
		}
	}
	if !slices.Contains(looked, kernel.InterBlock) && a.PerBlockMemory(x, y) {
		p.Needed = append(p.Needed, a.LocalBy...)
	}
	if slices.Contains(looked, kernel.IntraBlock) || slices.Contains(looked, kernel.IntraWarp) {
		p.Needed = append(append(p.Needed, a.AgreedBy...), a.TeamsBy...)
	}
	p.Wider = slices.Contains(looked, kernel.IntraBlock) && all[kernel.IntraBlock].verdict != Clean
	slices.Sort(p.Needed)
	p.Needed = slices.Compact(p.Needed)
	p.Try = p.Verdict == Possible && !a.opt.ProofOnly && a.byExecution() && !a.LoadedIndex(x) && !a.LoadedIndex(y)
	a.faulting(p, x, y)
	a.within(p, x, y)
	a.onlyFollowed(p, x, y)
	a.reused(p, x, y)
	p.Wanted = a.wanted(p, x, y)
	if p.Verdict == Clean {
		p.Proofs = a.opt.Proofs.Used()
	} else {
		p.Rules, p.Cause = nil, cause(a.Model, x, y, p.Kind)
	}
}

// within opens a pair whose proof rests on accesses that stay in their allocations, if no launch is recorded in which
// one of them does.
func (a *analysis) within(p *Pair, x, y *kernel.Item) {
	for _, it := range []*kernel.Item{x, y} {
		if to := a.Pointer(&it.Object); p.Verdict == Clean && to != nil && slices.Contains(p.Needed, to.Bound) &&
			a.opt.Proofs != nil && !a.ShownInside(it) {
			p.Needed = nil
			p.open(fmt.Sprintf("no launch is known in which the access at %s is inside of %s",
				kernel.Where(it.Access.Inst),
				to.Buffer))
		}
	}
}

// inBlock tries to prove with one query that no two threads of a block race; nil if that fails, or there is nothing to
// prove.
func (a *analysis) inBlock(x, y *kernel.Item, looked []kernel.Kind) *finding {
	if !slices.Contains(looked, kernel.IntraBlock) || !slices.Contains(looked, kernel.IntraWarp) {
		return nil
	}
	f := a.decideKind(x, y, kernel.AnyThread)
	if f.verdict == Clean {
		return &f
	}
	return nil
}

// decideKind decides a pair for one kind of race.
func (a *analysis) decideKind(x, y *kernel.Item, kind kernel.Kind) finding {
	if bulk(x, y) {
		return a.decideBulk(x, y, kind, expr.True)
	}
	if !copies(x, y) {
		return a.copying()
	}
	if kernel.ApartFromOrder(x, y) {
		return a.decideOrdered(x, y, kind, expr.True)
	}
	order := a.Ordered(x, y, kind)
	if order == expr.False {
		return clean(ByBarriers)
	}
	return a.decideOrdered(x, y, kind, order)
}

// decideOrdered decides a pair of accesses for a condition on the rounds in which threads make them.
func (a *analysis) decideOrdered(x, y *kernel.Item, kind kernel.Kind, order *expr.Bool) finding {
	rel, distance, needed := a.Relate(x, y)
	if rel == kernel.Apart {
		return clean(ByObjects, append(needed, a.BoundNames(x, y)...)...)
	}
	copying, unordered := kernel.Async(x) || kernel.Async(y), kernel.ApartFromOrder(x, y)
	q := &pairQuery{Conflict: rules.Conflict{
		Contents: a.Contents, X: x, Y: y, Kind: kind, Order: order, Distance: distance,
		Anywhere: rel == kernel.Unclear,
	}, a: a}
	q.proof = copying || unordered || x.Access.Rows || y.Access.Rows
	f := q.decide()
	switch {
	case f.verdict == Clean:
		f.needed = append(f.needed, needed...)
	case copying && f.reason != outOfBudget:
		return a.copying()
	case unordered:
		return possible("the kernel may write what %s loads as read-only data",
			kernel.Where(kernel.ReadOnly(x, y).Access.Inst))
	}
	return f
}

// cause returns what is missing between two accesses, as a cause of the detectors.
func cause(m *kernel.Model, x, y *kernel.Item, kind kernel.Kind) string {
	sx, sy := x.Access.Inst.Strong(), y.Access.Inst.Strong()
	switch {
	case kernel.ApartFromOrder(x, y):
		return "not-read-only"
	case sx && sy && x.Access.Atomic() && y.Access.Atomic():
		return "insufficient-atomic-scope"
	case sx != sy && (x.Access.Atomic() || y.Access.Atomic()):
		return "not-strong"
	case kind == kernel.IntraWarp:
		return "missing-warp-sync"
	case kind == kernel.IntraBlock:
		return "missing-barrier"
	case m.Traits.Fences && x.Access.Space != isa.SpaceShared:
		return "insufficient-fence-scope"
	}
	return "missing-fence"
}

// All pairs of the accesses of a kernel, one after the other, within the limits of pairs, races, work and time.

package static

import (
	"fmt"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
)

// MaxPairs limits the pairs of accesses of a kernel that are examined. The first pair beyond is Possible, and stands
// for all others.
const MaxPairs = 20_000

// MaxRacy limits the pairs of a kernel that are shown to race: pairs after them are Possible.
const MaxRacy = 1000

// two is two items whose accesses may race.
type two struct{ x, y *kernel.Item }

// candidates returns the pairs that may race, at most MaxPairs and one more, how many there are, as far as they are
// counted, and those that are left open whatever their addresses.
func (a *analysis) candidates() (todo []two, all int, open []two) {
	for i, x := range a.Items {
		if a.Over() {
			break
		}
		for _, y := range a.Items[i:] {
			switch {
			case !x.Access.Writes() && !y.Access.Writes():
			case !a.NeverRace(x, y):
				if all++; len(todo) <= MaxPairs {
					todo = append(todo, two{x, y})
				}
			case a.leavesOpen(x, y):
				open = append(open, two{x, y})
			}
		}
		if all > countedPairs {
			break
		}
	}
	return todo, all, open
}

// countedPairs is the number of pairs of a kernel from which on no more are counted.
const countedPairs = 1 << 20

// pairs decides all pairs.
func (a *analysis) pairs() {
	todo, all, open := a.candidates()
	if all > MaxPairs {
		a.result.Rest = all - MaxPairs - 1
		a.result.note("the kernel has %d pairs of accesses%s, of which %d are looked at", all, orMore(all), MaxPairs)
	}
	var done []*Pair
	racy := 0
	for n, t := range todo {
		if a.Over() && a.Err != nil {
			return
		}
		p := a.start(t.x, t.y)
		switch {
		case n >= MaxPairs:
			p.open(fmt.Sprintf("the kernel has %d pairs of accesses%s, of which %d are looked at: this is the first of the others", all, orMore(all), MaxPairs))
		case a.Late:
			p.open(query.OutOfTime)
		case a.Left <= 0:
			if !a.withoutSolver(p, t.x, t.y) {
				p.open("budget")
			}
		case racy >= MaxRacy:
			p.open(fmt.Sprintf("%d races were found before", MaxRacy))
		default:
			a.Left -= pairWork + formulaWork*(t.x.Size()+t.y.Size())
			a.decideInTime(p, t.x, t.y)
		}
		if p.Verdict == Racy {
			racy++
		}
		done = append(done, p)
		if a.opt.Progress != nil {
			a.opt.Progress(n+1, len(todo))
		}
		if a.opt.Stop != nil && a.opt.Stop(p) {
			a.mergeAll(done)
			return
		}
	}
	a.decideAgain(todo, done)
	a.mergeAll(done)
	for _, t := range open {
		if a.Left <= 0 || a.Over() {
			break
		}
		if p := a.leftOpen(t.x, t.y); p != nil && !a.Over() {
			a.merge(a.merged, p)
		}
	}
}

// decideInTime decides a pair. What is not shown to race when the time is over is open: parts of an argument may be
// missing.
func (a *analysis) decideInTime(p *Pair, x, y *kernel.Item) {
	a.decide(p, x, y)
	if a.Over() && (p.Verdict == Clean || p.Reason == "undecided: "+query.OutOfTime) {
		p.Needed, p.Rules, p.Proofs = nil, nil, nil
		p.open(query.OutOfTime)
	}
}

// mergeAll adds pairs to the result.
func (a *analysis) mergeAll(pairs []*Pair) {
	for _, p := range pairs {
		a.merge(a.merged, p)
	}
}

// outOfBudget is the reason for a pair whose query was not decided within its limit.
const outOfBudget = "undecided: budget"

// morePatience is the factor of a query's limit in the second attempt.
const morePatience = 8

// decideAgain gives the pairs whose queries have reached their limits a second attempt, with at most half of what is
// left of the budget.
func (a *analysis) decideAgain(todo []two, done []*Pair) {
	before, least := a.Patience, a.Left/2
	a.Patience *= morePatience
	for i, p := range done {
		if p.Verdict != Possible || p.Reason != outOfBudget || a.Left <= least || a.Over() {
			continue
		}
		q := a.start(todo[i].x, todo[i].y)
		if a.decideInTime(q, todo[i].x, todo[i].y); q.Verdict != Possible {
			done[i] = q
		}
	}
	a.Patience = before
}

// withoutSolver proves a pair that barriers order, after the budget is used up: such a proof asks no solver. MaxPairs
// limits its work.
func (a *analysis) withoutSolver(p *Pair, x, y *kernel.Item) bool {
	if bulk(x, y) || kernel.Async(x) || kernel.Async(y) || kernel.ApartFromOrder(x, y) || initialises(x, y) {
		return false
	}
	kinds := a.KindsOf(x, y)
	for _, k := range kinds {
		if a.Ordered(x, y, k) != expr.False {
			return false
		}
	}
	p.Kinds, p.Rules = kinds, []Rule{ByBarriers}
	if len(kinds) > 0 {
		p.Kind = kinds[0]
	}
	return true
}

// orMore says of a number of pairs that they were not counted to the end.
func orMore(all int) string {
	if all > countedPairs {
		return " or more"
	}
	return ""
}

// pairWork is the work units of a pair apart from its queries, formulaWork that of each node of its formulas.
const (
	pairWork    = 1000
	formulaWork = 4
)

// open marks a pair as undecided.
func (p *Pair) open(reason string) {
	p.Verdict, p.Reason, p.Kinds = Possible, reason, []kernel.Kind{kernel.InterBlock}
}

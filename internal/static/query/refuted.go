// Refutations that hold in other queries: pairs of unrolled loops, of the kinds of races and of the cases of a loop
// differ in conditions that their proofs do not use.

package query

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// refutation is what a proof uses: conjuncts of a goal and facts which no values satisfy together. It refutes each
// query with these among its conjuncts and facts.
type refutation struct {
	goal  []*expr.Bool
	facts []solve.Fact // those that queries bring along
	core  []string     // the names of all facts that it needs
	loose []string     // those of core that were free in its query, and that it may not need
	rough bool         // core was not narrowed
}

// refutations finds the refutation of a query.
type refutations struct {
	by     map[uint64][]*refutation // by the hash of the conjunct that was the least common one at the time
	common map[uint64]int           // how many queries had a conjunct, by its hash
	count  int
}

// maxRefutations limits the refutations that are kept, maxCommon the conjuncts that are counted.
const (
	maxRefutations = 4000
	maxCommon      = 1 << 16
)

func newRefutations() *refutations {
	return &refutations{by: make(map[uint64][]*refutation), common: make(map[uint64]int)}
}

// Conjuncts appends the conjuncts of formulas to a list.
func Conjuncts(list, fs []*expr.Bool) []*expr.Bool {
	for _, f := range fs {
		if f.Kind() == expr.KindAll {
			list = Conjuncts(list, f.Parts())
		} else {
			list = append(list, f)
		}
	}
	return list
}

// find returns a refutation of a query of which some facts are free, nil if there is none. A rough one may need more
// facts.
func (r *refutations) find(goal []*expr.Bool, facts []solve.Fact, free []string, rough bool) *refutation {
	has := make(map[uint64]*expr.Bool, len(goal))
	for _, f := range goal {
		has[f.Hash()] = f
		if len(r.common) < maxCommon {
			r.common[f.Hash()]++
		}
	}
	for _, f := range goal {
		for _, x := range r.by[f.Hash()] {
			if (rough || !x.rough) && x.refutes(has, facts, free) {
				return x
			}
		}
	}
	return nil
}

// refutes reports whether a query has the conjuncts and facts of a refutation.
func (x *refutation) refutes(has map[uint64]*expr.Bool, facts []solve.Fact, free []string) bool {
	for _, f := range x.goal {
		if g := has[f.Hash()]; g == nil || !g.Equal(f) {
			return false
		}
	}
	for _, f := range x.facts {
		if !slices.ContainsFunc(facts, func(g solve.Fact) bool {
			return g.Name == f.Name &&
				g.Formula.Equal(f.Formula)
		}) {
			return false
		}
	}
	return !slices.ContainsFunc(x.loose, func(name string) bool { return !slices.Contains(free, name) })
}

// add keeps the refutation of a query by conjuncts of its goal.
func (r *refutations) add(goal []*expr.Bool, facts []solve.Fact, core, free []string, rough bool) {
	if len(goal) == 0 || r.count >= maxRefutations {
		return
	}
	x := &refutation{goal: goal, core: core, rough: rough}
	for _, f := range facts {
		if slices.Contains(core, f.Name) {
			x.facts = append(x.facts, f)
		}
	}
	for _, name := range core {
		if slices.Contains(free, name) {
			x.loose = append(x.loose, name)
		}
	}
	rarest := goal[0]
	for _, f := range goal[1:] {
		if r.common[f.Hash()] < r.common[rarest.Hash()] {
			rarest = f
		}
	}
	r.by[rarest.Hash()] = append(r.by[rarest.Hash()], x)
	r.count++
}

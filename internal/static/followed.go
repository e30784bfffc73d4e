// Values that the reader of host code has not followed: a race that needs one of them is not certain.

package static

import (
	"fmt"
	"maps"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
)

// onlyFollowed opens a racy pair that depends on a value which the reader of host code has not followed: the program
// may never launch the kernel with the value that the witness has.
func (a *analysis) onlyFollowed(p *Pair, x, y *kernel.Item) {
	if p.Verdict != Racy {
		return
	}
	if what := a.Lost(leading(a.Model, x, y, p.Witness)); what != "" {
		p.open(fmt.Sprintf("the race depends on %s", what))
		return
	}
	for _, it := range []*kernel.Item{x, y} {
		if to := a.Pointer(&it.Object); to != nil && to.Lost && x.Object.Base != y.Object.Base {
			p.open(fmt.Sprintf("the race depends on whether %s leads to %s, which was not followed", it.Object.Param, to.Buffer))
			return
		}
	}
}

// leading returns the variables that lead to a race: those of addresses and conditions, of the allocations, and the
// extents that the indices of the witness need.
func leading(m *kernel.Model, x, y *kernel.Item, w *Witness) map[string]bool {
	vars := make(map[string]bool)
	m.WhereTo(vars, x)
	m.WhereTo(vars, y)
	for _, t := range w.Threads {
		for i, d := range query.Dims {
			vars[facts.Dim("ntid", d).String()] = vars[facts.Dim("ntid", d).String()] || t.Thread[i] > 0
			vars[facts.Dim("nctaid", d).String()] = vars[facts.Dim("nctaid", d).String()] || t.Block[i] > 0
		}
	}
	maps.DeleteFunc(vars, func(_ string, needed bool) bool { return !needed })
	return vars
}

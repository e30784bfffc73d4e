// What would have to be known of the launches to decide more.

package analysis

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// wanted returns what may decide more pairs of all kernels; nil for nothing.
func (out *Outcome) wanted(o *Options) *report.Wanted {
	w := &report.Wanted{Unread: facts.Join(o.Facts).Unread, Disjoint: out.wants[static.DisjointPointers]}
	delete(out.wants, static.DisjointPointers)
	// Parameters come before extents, and 2 before 10.
	w.Facts = slices.SortedFunc(maps.Keys(out.wants), func(a, b string) int {
		extent := func(name string) int { return strings.Count(name, ".") }
		return cmp.Or(extent(a)-extent(b), len(a)-len(b), strings.Compare(a, b))
	})
	if w.Unread == "" && !w.Disjoint && len(w.Facts) == 0 {
		return nil
	}
	return w
}

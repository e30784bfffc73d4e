// What of a launch would have to be known to decide a pair of accesses.

package static

import (
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
)

// DisjointPointers is the wish that pointer parameters do not alias.
const DisjointPointers = "disjoint"

// wanted returns what decides where the two accesses of a pair go and is not known of the launch: parameters, extents,
// and DisjointPointers. It is nil for what no launch decides, and where host code is known to launch.
func (a *analysis) wanted(p *Pair, x, y *kernel.Item) (list []string) {
	if a.Given.Site != "" || p.Verdict == Clean || p.DataDependent {
		return nil
	}
	vars := make(map[string]bool)
	if p.Witness != nil {
		vars = leading(a.Model, x, y, p.Witness)
	} else {
		a.WhereTo(vars, x)
		a.WhereTo(vars, y)
	}
	vars[facts.Dim("nctaid", 'x').String()] = vars[facts.Dim("nctaid", 'x').String()] ||
		p.Witness == nil && slices.Contains(p.Kinds, kernel.InterBlock)
	for name := range maps.Clone(vars) {
		if extent := query.ExtentOf(name); extent != "" {
			vars[extent] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if a.Definitions[name] != nil || a.Given.Defines(name) || !vars[name] {
			continue
		}
		switch param, isParam := facts.ParamOf(name); {
		case isParam && !a.IsPointer(param):
			list = append(list, param.String())
		case strings.HasPrefix(name, "ntid."), strings.HasPrefix(name, "nctaid."):
			list = append(list, facts.ExtentName(name))
		}
	}
	if one, other := x.Object.Param, y.Object.Param; one != nil && other != nil && *one != *other &&
		!a.Given.Disjoint && a.Given.Pointers[*one].Buffer == "" {
		list = append(list, DisjointPointers)
	}
	return list
}

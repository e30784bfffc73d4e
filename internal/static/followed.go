// Values that the reader of host code has not followed: a race that needs one of them is not certain.

package static

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// onlyFollowed opens a racy pair that depends on a value which the reader of host code has not followed: the program
// may never launch the kernel with the value that the witness has.
func (a *analysis) onlyFollowed(p *Pair, x, y *item) {
	if p.Verdict != Racy {
		return
	}
	if what := a.lost(a.leading(x, y, p.Witness)); what != "" {
		p.open(fmt.Sprintf("the race depends on %s, of which the value at the launch was not followed", what))
	}
}

// leading returns the variables that lead to a race: those of addresses and conditions, of the allocations, and the
// extents that the indices of the witness need.
func (m *model) leading(x, y *item, w *Witness) map[string]bool {
	vars := make(map[string]bool)
	m.whereTo(vars, x)
	m.whereTo(vars, y)
	for _, t := range w.Threads {
		for i, d := range dims {
			vars[facts.Dim("ntid", d).String()] = vars[facts.Dim("ntid", d).String()] || t.Thread[i] > 0
			vars[facts.Dim("nctaid", d).String()] = vars[facts.Dim("nctaid", d).String()] || t.Block[i] > 0
		}
	}
	maps.DeleteFunc(vars, func(_ string, needed bool) bool { return !needed })
	return vars
}

// whereTo adds the variables of an access's address and conditions, and of its allocation.
func (m *model) whereTo(vars map[string]bool, it *item) {
	ints := []*expr.Int{it.acc.Addr, it.addr}
	if to := m.pointer(&it.obj); to != nil {
		ints = append(ints, to.Offset, to.Size)
	}
	ints = slices.DeleteFunc(ints, func(n *expr.Int) bool { return n == nil })
	for _, v := range expr.Vars(ints, append([]*expr.Bool{it.acc.Cond, it.cond}, it.sides...)) {
		vars[v.Name] = true
	}
}

// connecting lists the classes of the conditions under which a launch is executed at all.
var connecting = []facts.Class{facts.Asserts, facts.Path, facts.API}

// lost returns a value that was not followed and that decides about variables, by the facts that connect them; "" if
// there is none. Bounds of loops do not count: a counter whose bound was not followed has not been followed, and the
// values after a loop exclude none of its bound.
func (m *model) lost(vars map[string]bool) string {
	for again := true; again; {
		again = false
		for _, f := range m.given.Facts {
			names := f.Formula.Vars()
			if f.Var == "" && !slices.Contains(connecting, f.Class) ||
				!slices.ContainsFunc(names, func(v expr.Variable) bool { return vars[v.Name] }) {
				continue
			}
			for _, v := range names {
				again = again || !vars[v.Name]
				vars[v.Name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		if what := m.unfollowed(name); what != "" {
			return what
		}
	}
	return ""
}

// unfollowed describes a variable of formulas if its value was not followed: one of the host, a numeric parameter or an
// extent.
func (m *model) unfollowed(name string) string {
	if _, assumed := m.defs[name]; m.given.Lost[name] && !assumed {
		if host, ok := strings.CutPrefix(name, "h."); ok {
			return host
		}
		return strings.NewReplacer("nctaid", "grid", "ntid", "block").Replace(name)
	}
	if param, ok := facts.ParamOf(name); ok && m.given.Site != "" && !m.given.Defines(name) && !m.isPointer(param) {
		return param.String()
	}
	return ""
}

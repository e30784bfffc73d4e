// The variables of a kernel's accesses, and those among them that decide where threads go.

package kernel

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/query"
)

// Variables returns the variables of all accesses.
func (m *Model) Variables() []expr.Variable {
	if m.vars == nil {
		var ints []*expr.Int
		var bools []*expr.Bool
		for _, it := range m.Items {
			ints, bools = append(ints, it.Addr), append(append(bools, it.Cond), it.Sides...)
		}
		m.vars = expr.Vars(ints, bools)
	}
	return m.vars
}

// LoadedIndex reports whether what memory holds decides where an access goes.
func (m *Model) LoadedIndex(it *Item) bool {
	vars := it.whole.Addr.Vars()     // with what chooses the address
	for i := 0; i < len(vars); i++ { // those of merged values are appended
		o := m.Kernel.Origin(vars[i].Name)
		switch {
		case o == nil:
		case o.Data:
			return true
		case o.Loop() == nil && o.Known(vars[i]) != nil:
			for _, v := range o.Known(vars[i]).Vars() {
				if !slices.ContainsFunc(vars, func(w expr.Variable) bool { return w.Name == v.Name }) {
					vars = append(vars, v)
				}
			}
		}
	}
	return false
}

// Scalars returns the variables of the host in parameters that are numbers, and such parameters that are unknown.
func (m *Model) Scalars() []expr.Variable {
	var out []expr.Variable
	add := func(v expr.Variable) {
		if !v.Bool && !slices.ContainsFunc(out, func(w expr.Variable) bool { return w.Name == v.Name }) {
			out = append(out, v)
		}
	}
	for _, f := range m.Given.Facts {
		var p facts.Param
		if _, err := fmt.Sscanf(f.Var, "p%d", &p.Index); err == nil {
			for _, v := range f.Value.Vars() {
				add(v)
			}
		}
	}
	for _, v := range m.Variables() {
		var p facts.Param
		if _, err := fmt.Sscanf(v.Name, "p%d", &p.Index); err == nil && v.Uniform {
			add(v)
		}
	}
	return out
}

// FromMemory reports whether a variable of formulas depends on the contents of memory.
func (m *Model) FromMemory(v expr.Variable) bool {
	o := m.Kernel.Origin(v.Name)
	return o != nil && o.Data
}

// WhereTo adds the variables of an access's address and conditions, and of its allocation.
func (m *Model) WhereTo(vars map[string]bool, it *Item) {
	ints := []*expr.Int{it.Access.Addr, it.Addr}
	if to := m.Pointer(&it.Object); to != nil {
		ints = append(ints, to.Offset, to.Size)
	}
	ints = slices.DeleteFunc(ints, func(n *expr.Int) bool { return n == nil })
	for _, v := range expr.Vars(ints, append([]*expr.Bool{it.Access.Cond, it.Cond}, it.Sides...)) {
		vars[v.Name] = true
	}
}

// Lost returns a value that was not followed and that decides about variables, by the facts that connect them; "" if
// there is none. Bounds of loops do not count: a counter whose bound was not followed has not been followed, and the
// values after a loop exclude none of its bound.
func (m *Model) Lost(vars map[string]bool) string {
	for again := true; again; {
		again = false
		for _, f := range m.Given.Facts {
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

// connecting lists the classes of the conditions under which a launch is executed at all.
var connecting = []facts.Class{facts.Asserts, facts.Path, facts.API}

// unfollowed says of a variable of formulas that its value was not followed, if so: one of the host, a numeric parameter or an
// extent.
func (m *Model) unfollowed(name string) string {
	if _, assumed := m.Definitions[name]; m.Given.Lost[name] && !assumed {
		if host, ok := strings.CutPrefix(name, "h."); ok {
			return m.lostAt(name, host)
		}
		return facts.ExtentName(name) + unknownValue
	}
	if param, ok := facts.ParamOf(name); ok && m.Given.Site != "" && !m.Given.Defines(name) && !m.IsPointer(param) {
		return param.String() + unknownValue
	}
	return ""
}

// lostAt says of a variable of the host that it was not followed, and from which place on.
func (m *Model) lostAt(name, host string) string {
	if at := m.Given.LostAt[name]; at != "" {
		return host + ", which was not followed from " + at + " on"
	}
	return host + unknownValue
}

// unknownValue says of a variable that its value is not known.
const unknownValue = ", of which the value at the launch was not followed"

// Sizes returns the numbers of a launch that decide how long and how large it is: those that host code passes, and
// extents.
func (m *Model) Sizes() []*expr.Int {
	if m.sized != nil {
		return m.sized
	}
	m.sized = []*expr.Int{}
	for _, d := range query.Dims {
		for _, of := range []string{"ntid", "nctaid"} {
			if x := facts.Dim(of, d).Subst(m.Filling); len(x.Vars()) > 0 {
				m.sized = append(m.sized, x)
			}
		}
	}
	numbers := m.Scalars()
	for _, f := range m.Facts {
		numbers = append(numbers, f.Formula.Vars()...)
	}
	seen := make(map[string]bool)
	for _, v := range numbers {
		var p facts.Param
		if n, _ := fmt.Sscanf(v.Name, "p%d@%d", &p.Index, &p.Offset); v.Bool || seen[v.Name] ||
			n > 0 && m.IsPointer(p) {
			continue
		}
		seen[v.Name] = true
		m.sized = append(m.sized, expr.NewVar(v))
	}
	return m.sized
}

// Followed reports whether the values of a launch that decide where an access goes were all followed.
func (m *Model) Followed(it *Item) bool {
	vars := make(map[string]bool)
	m.WhereTo(vars, it)
	to := m.Pointer(&it.Object)
	return !m.Given.Unfollowed && m.Lost(vars) == "" && (to == nil || !to.Lost)
}

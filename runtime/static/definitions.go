// Definitions: variables that facts equate with constants or other variables, which formulas have in their place.

package static

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
	"github.com/ptxsan/ptxsan/runtime/static/solve"
)

// prepare prepares the facts: definitions are substituted, the others are passed to the solver.
func (a *analysis) prepare() {
	a.defs, a.defining, a.restsOn = make(map[string]*expr.Int), make(map[string]solve.Fact), make(map[string][]string)
	a.filling = expr.Substitution{Int: func(v expr.Variable) *expr.Int { return a.defs[v.Name] }}
	var open []facts.Fact
	for _, f := range a.given.Facts {
		if _, known := a.defs[f.Var]; f.Var != "" && f.Value != nil && simple(f.Value) && !known {
			a.define(f.Var, f.Value, solve.Fact{Name: f.Name, Formula: f.Formula})
			continue
		}
		open = append(open, f)
	}
	for _, f := range a.settle(open) {
		a.facts = append(a.facts, solve.Fact{Name: f.Name, Formula: f.Formula})
	}
	a.directives()
	a.findNumbers()
	for _, name := range a.order {
		a.noteRanges(a.ranged, a.defining[name].Formula)
	}
}

// simple reports whether a definition is substituted: a constant or another variable. Others, products above all, would hide the
// shape of formulas from the solver, which gets them as facts.
func simple(x *expr.Int) bool { return x.Op() == expr.OpConst || x.Op() == expr.OpVar }

// define adds a definition of a variable.
func (a *analysis) define(v string, value *expr.Int, fact solve.Fact) {
	a.defs[v], a.defining[v] = value, fact
	a.order = append(a.order, v)
}

// settle adds the definitions of variables that facts make constant together with other definitions: n by n == 2 * ntid.x, and then p3
// by p3 == n. It returns the facts that define nothing.
//
// Each such definition follows from its own fact and from those that define the variables in it, which restsOn lists. What a proof
// needs is all of them.
func (a *analysis) settle(list []facts.Fact) []facts.Fact {
	for changed := true; changed; {
		changed = false
		for _, d := range a.order {
			if x := a.defs[d]; x.Op() == expr.OpVar && x.Subst(a.filling).Op() == expr.OpConst {
				a.rest(d, x.Vars())
				a.defs[d], changed = x.Subst(a.filling), true
			}
		}
		list = slices.DeleteFunc(list, func(f facts.Fact) bool {
			parts := flatten(nil, []*expr.Bool{f.Formula.Subst(a.filling)})
			defines := func(part *expr.Bool) bool {
				v, value := pinned(part)
				if v == "" || a.defs[v] != nil || a.given.Lost[v] {
					return false
				}
				a.define(v, value, solve.Fact{Name: f.Name, Formula: f.Formula})
				a.rest(v, f.Formula.Vars())
				changed = true
				return true
			}
			rest := slices.DeleteFunc(parts, defines)
			return len(rest) == 0
		})
	}
	return list
}

// pinned returns the variable that a condition equates with a constant in its range, and the constant; "" for other conditions.
func pinned(f *expr.Bool) (string, *expr.Int) {
	if f.Kind() != expr.KindEq {
		return "", nil
	}
	k, terms := f.Diff().Linear()
	if len(terms) != 1 || terms[0].X.Op() != expr.OpVar {
		return "", nil
	}
	v := terms[0].X.Variable()
	value, rest := new(big.Int).QuoRem(new(big.Int).Neg(k), terms[0].Coef, new(big.Int))
	if rest.Sign() != 0 || v.Lo != nil && value.Cmp(v.Lo) < 0 || v.Hi != nil && value.Cmp(v.Hi) > 0 {
		return "", nil
	}
	return v.Name, expr.Big(value)
}

// rest records that the definition of a variable rests on those of others, and on what these rest on.
func (a *analysis) rest(v string, on []expr.Variable) {
	for _, o := range on {
		for _, name := range append([]string{o.Name}, a.restsOn[o.Name]...) {
			if a.defs[name] != nil && name != v && !slices.Contains(a.restsOn[v], name) {
				a.restsOn[v] = append(a.restsOn[v], name)
			}
		}
	}
}

// definitionsOf returns the names of the facts on which the definition of a variable rests, its own first; none if it has no definition.
func (a *analysis) definitionsOf(v string) (names []string) {
	if a.defs[v] == nil {
		return nil
	}
	names = append(names, a.defining[v].Name)
	for _, on := range a.restsOn[v] {
		names = append(names, a.defining[on].Name)
	}
	return names
}

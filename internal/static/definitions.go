// Definitions: variables that facts equate with constants or other variables, which formulas have in their place.

package static

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// prepare prepares the facts: definitions are substituted, the others are passed to the solver.
func (b *builder) prepare() {
	b.defs, b.defining, b.restsOn = make(map[string]*expr.Int), make(map[string]solve.Fact), make(map[string][]string)
	b.filling = expr.Substitution{Int: func(v expr.Variable) *expr.Int { return b.defs[v.Name] }}
	var open []facts.Fact
	for _, f := range b.given.Facts {
		if _, known := b.defs[f.Var]; f.Var != "" && f.Value != nil && simple(f.Value) && !known {
			b.define(f.Var, f.Value, solve.Fact{Name: f.Name, Formula: f.Formula})
			continue
		}
		open = append(open, f)
	}
	for _, f := range b.settle(open) {
		b.facts = append(b.facts, solve.Fact{Name: f.Name, Formula: f.Formula})
	}
	b.directives()
	b.findNumbers()
	for _, name := range b.order {
		b.noteRanges(b.ranged, b.defining[name].Formula)
	}
}

// simple reports whether a definition is substituted: a constant or another variable. Others, products above all, would
// hide the shape of formulas from the solver, which gets them as facts.
func simple(x *expr.Int) bool { return x.Op() == expr.OpConst || x.Op() == expr.OpVar }

// define adds a definition of a variable.
func (l *launchFacts) define(v string, value *expr.Int, fact solve.Fact) {
	l.defs[v], l.defining[v] = value, fact
	l.order = append(l.order, v)
}

// settle adds the definitions of variables that facts make constant together with other definitions: n by n == 2 *
// ntid.x, and then p3 by p3 == n. It returns the facts that define nothing.
//
// Each such definition follows from its own fact and from those that define the variables in it, which restsOn lists.
// What a proof needs is all of them.
func (l *launchFacts) settle(list []facts.Fact) []facts.Fact {
	for changed := true; changed; {
		changed = false
		for _, d := range l.order {
			if x := l.defs[d]; x.Op() == expr.OpVar && x.Subst(l.filling).Op() == expr.OpConst {
				l.rest(d, x.Vars())
				l.defs[d], changed = x.Subst(l.filling), true
			}
		}
		list = slices.DeleteFunc(list, func(f facts.Fact) bool {
			parts := flatten(nil, []*expr.Bool{f.Formula.Subst(l.filling)})
			defines := func(part *expr.Bool) bool {
				v, value := pinned(part)
				if v == "" || l.defs[v] != nil || l.given.Lost[v] {
					return false
				}
				l.define(v, value, solve.Fact{Name: f.Name, Formula: f.Formula})
				l.rest(v, f.Formula.Vars())
				changed = true
				return true
			}
			rest := slices.DeleteFunc(parts, defines)
			return len(rest) == 0
		})
	}
	return list
}

// pinned returns the variable that a condition equates with a constant in its range, and the constant; "" for other
// conditions.
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
func (l *launchFacts) rest(v string, on []expr.Variable) {
	for _, o := range on {
		for _, name := range append([]string{o.Name}, l.restsOn[o.Name]...) {
			if l.defs[name] != nil && name != v && !slices.Contains(l.restsOn[v], name) {
				l.restsOn[v] = append(l.restsOn[v], name)
			}
		}
	}
}

// definitionsOf returns the names of the facts on which the definition of a variable rests, its own first; none if it
// has no definition.
func (l *launchFacts) definitionsOf(v string) (names []string) {
	if l.defs[v] == nil {
		return nil
	}
	names = append(names, l.defining[v].Name)
	for _, on := range l.restsOn[v] {
		names = append(names, l.defining[on].Name)
	}
	return names
}

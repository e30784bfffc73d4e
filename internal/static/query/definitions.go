// Definitions: variables that facts equate with constants or other variables, which formulas have in their place.

package query

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// simple reports whether a definition is substituted: a constant or another variable. Others, products above all, would
// hide the shape of formulas from the solver, which gets them as facts.
func simple(x *expr.Int) bool { return x.Op() == expr.OpConst || x.Op() == expr.OpVar }

// Define adds a definition of a variable.
func (l *Launches) Define(v string, value *expr.Int, fact solve.Fact) {
	l.Definitions[v], l.defining[v] = value, fact
	l.Defined = append(l.Defined, v)
}

// settle adds the definitions of variables that facts make constant together with other definitions: n by n == 2 *
// ntid.x, and then p3 by p3 == n. It returns the facts that define nothing.
//
// Each such definition follows from its own fact and from those that define the variables in it, which restsOn lists.
// What a proof needs is all of them.
func (l *Launches) settle(list []facts.Fact) []facts.Fact {
	for changed := true; changed; {
		changed = false
		for _, d := range l.Defined {
			if x := l.Definitions[d]; x.Op() == expr.OpVar && x.Subst(l.Filling).Op() == expr.OpConst {
				l.rest(d, x.Vars())
				l.Definitions[d], changed = x.Subst(l.Filling), true
			}
		}
		list = slices.DeleteFunc(list, func(f facts.Fact) bool {
			parts := Conjuncts(nil, []*expr.Bool{f.Formula.Subst(l.Filling)})
			defines := func(part *expr.Bool) bool {
				v, value := Pinned(part)
				if v == "" || l.Definitions[v] != nil || l.Given.Lost[v] {
					return false
				}
				l.Define(v, value, solve.Fact{Name: f.Name, Formula: f.Formula})
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

// Pinned returns the variable that a condition equates with a constant in its range, and the constant; "" for other
// conditions.
func Pinned(f *expr.Bool) (string, *expr.Int) {
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
func (l *Launches) rest(v string, on []expr.Variable) {
	for _, o := range on {
		for _, name := range append([]string{o.Name}, l.restsOn[o.Name]...) {
			if l.Definitions[name] != nil && name != v && !slices.Contains(l.restsOn[v], name) {
				l.restsOn[v] = append(l.restsOn[v], name)
			}
		}
	}
}

// DefinitionsOf returns the names of the facts on which the definition of a variable rests, its own first; none if it
// has no definition.
func (l *Launches) DefinitionsOf(v string) (names []string) {
	if l.Definitions[v] == nil {
		return nil
	}
	names = append(names, l.defining[v].Name)
	for _, on := range l.restsOn[v] {
		names = append(names, l.defining[on].Name)
	}
	return names
}

// SettleGiven finds the definitions among the given facts.
func (l *Launches) SettleGiven() {
	l.Definitions, l.defining = make(map[string]*expr.Int), make(map[string]solve.Fact)
	l.restsOn = make(map[string][]string)
	l.Filling = expr.Substitution{Int: func(v expr.Variable) *expr.Int { return l.Definitions[v.Name] }}
	var open []facts.Fact
	for _, f := range l.Given.Facts {
		if _, known := l.Definitions[f.Var]; f.Var != "" && f.Value != nil && simple(f.Value) && !known {
			l.Define(f.Var, f.Value, solve.Fact{Name: f.Name, Formula: f.Formula})
			continue
		}
		open = append(open, f)
	}
	for _, f := range l.settle(open) {
		l.Facts = append(l.Facts, solve.Fact{Name: f.Name, Formula: f.Formula})
	}
}

// NoteDefinitions notes the ranges of the variables of definitions.
func (s *Session) NoteDefinitions() {
	for _, name := range s.Defined {
		s.noteRanges(s.ranged, s.defining[name].Formula)
	}
}

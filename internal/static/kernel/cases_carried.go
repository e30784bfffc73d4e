// The cases of what loops carry: the states of their rounds, or the values of one variable.

package kernel

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
)

// carried has what a loop may carry in one of the two threads: one of the cases holds, given those of the loops before.
type carried struct {
	thread int
	cases  func(given []loopCase) []loopCase
}

// carrying collects the loops that carry what the two accesses depend on. A loop comes behind those whose values its
// own start from.
type carrying struct {
	c       *Cases
	seen    map[string]bool
	stepped map[*symbolic.Loop]bool
	list    []func(given []loopCase) []loopCase
}

// carried returns the cases of each loop, and of each variable that has few values, alternating between the threads.
func (c *Cases) carried() []carried {
	r := &carrying{c: c, seen: make(map[string]bool), stepped: make(map[*symbolic.Loop]bool)}
	for i, it := range c.items {
		left := it.Access.Frame.Left(it.Access.Inst)
		r.need(left.Vars())
		left = left.Subst(c.m.Filling)
		c.left = append(c.left, c.oneBlock(left.Instance(i+1)))
		r.visit(expr.Vars([]*expr.Int{it.Addr}, append([]*expr.Bool{it.Cond, left}, it.Sides...)))
	}
	var out []carried
	for _, f := range r.list {
		for i := range c.items {
			out = append(out, carried{i + 1, f})
		}
	}
	return out
}

func (r *carrying) visit(vars []expr.Variable) {
	for _, v := range vars {
		o := r.c.m.Kernel.Origin(v.Name)
		if o == nil || r.seen[v.Name] {
			continue
		}
		r.seen[v.Name] = true
		l := o.Carrier()
		if l != nil && l.Steps().Has(v.Name) {
			r.steps(l)
			continue
		}
		if few := few(o, v); few != nil {
			r.list = append(r.list, func([]loopCase) []loopCase { return few })
		}
	}
}

// few returns the cases of a variable with few values.
func few(o *symbolic.Origin, v expr.Variable) (out []loopCase) {
	for _, d := range o.Orbit(v) {
		out = append(out, loopCase{d.String(), map[string]*expr.Int{v.Name: expr.Big(d)}, expr.True})
	}
	return out
}

// steps adds the states of a loop.
func (r *carrying) steps(l *symbolic.Loop) {
	if r.stepped[l] {
		return
	}
	r.stepped[l] = true
	s := l.Steps()
	inputs := s.Inputs()
	r.need(inputs)
	r.visit(inputs)
	for _, v := range inputs {
		r.c.Inputs = append(r.c.Inputs, expr.NewVar(v).Subst(r.c.m.Filling).Vars()...)
	}
	memo := make(map[string][]loopCase)
	r.list = append(r.list, func(given []loopCase) []loopCase {
		key := ""
		for _, g := range given {
			key += g.name + " "
		}
		if memo[key] == nil {
			memo[key] = states(l, s.States(r.given(given)))
		}
		if memo[key] == nil {
			memo[key] = []loopCase{{when: expr.True}}
		}
		return memo[key]
	})
}

// given returns a substitution of what facts and cases define.
func (r *carrying) given(cases []loopCase) expr.Substitution {
	s := r.c.m.Filling
	facts := s.Int
	s.Int = func(v expr.Variable) *expr.Int {
		for _, c := range cases {
			if x := c.values[v.Name]; x != nil {
				return x
			}
		}
		if x := facts(v); x != nil {
			return x.Subst(r.c.pinning)
		}
		return r.c.pinning.Int(v)
	}
	return s
}

// need notes the facts that define variables.
func (r *carrying) need(vars []expr.Variable) {
	m := r.c.m
	for _, v := range vars {
		if slices.Contains(m.Defined, v.Name) {
			for _, name := range m.DefinitionsOf(v.Name) {
				r.c.Needed[name] = true
			}
		}
		if p, ok := facts.ParamOf(v.Name); ok && m.Numbers[p] != "" {
			r.c.Needed[m.Numbers[p]] = true
		}
	}
}

// states returns the states of a loop as cases.
func states(l *symbolic.Loop, list []symbolic.State) (out []loopCase) {
	for _, s := range list {
		c := loopCase{fmt.Sprint(s.Round), s.Values, s.When}
		round := l.Round.Variable().Name
		if s.Later {
			c.when = expr.All(c.when, expr.Ge(l.Round, expr.Const(s.Round)))
		} else {
			c.values[round] = expr.Const(s.Round)
		}
		out = append(out, c)
	}
	return out
}

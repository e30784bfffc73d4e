// Values from outside of the program, which can be any: its input, and the arguments of functions that others call.

package host

import (
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// fromOutside calls a function that returns an unknown value which the program is given.
func (x *executor) fromOutside(f func() value) value {
	before := x.outside
	x.outside = true
	defer func() { x.outside = before }()
	return f()
}

// leafOf is leaf for a value that has every value which the conditions allow, or some of them.
func (x *executor) leafOf(every bool, hint, typ string) value {
	if every {
		return x.fromOutside(func() value { return x.leaf(hint, typ) })
	}
	return x.leaf(hint, typ)
}

// given gives an unknown variable, and the fields of one, values from outside.
func (x *executor) given(v *variable) {
	x.fromOutside(func() value {
		if of := x.st.values[v].of; of != nil && of != dim3Type {
			for i := range of.fields {
				x.fieldOf(v, of.fields[i].name)
			}
		}
		return x.read(v)
	})
}

// input gives the variables whose addresses are arguments values from outside.
func (x *executor) input(args []value) {
	for _, a := range args {
		switch {
		case a.to == nil:
		case a.field == "":
			x.given(a.to)
		default:
			x.fromOutside(func() value { return x.fieldOf(a.to, a.field) })
		}
	}
}

// boundedBy records that a loop runs while a condition holds. If some of it was not followed, then its counter was not.
func (x *executor) boundedBy(counter *facts.Var, c *expr.Bool) {
	for _, v := range c.Vars() {
		counter.Lost = counter.Lost || x.vars[v.Name].Lost
	}
	counter.Lost = counter.Lost || !definite(c)
}

// everyRound reports whether a loop ends only by its condition: then it runs for each value of its counter that the condition allows.
func everyRound(s *stmt) bool {
	return !contains(s.body, stBreak) && !contains(s.body, stReturn) && !contains(s.body, stGoto)
}

// readsInto gives values from outside to the variables to which a loop assigns nothing but what it parses, as loops over the command
// line do.
func (x *executor) readsInto(s *stmt) {
	parsed, other := make(map[string]bool), make(map[string]bool)
	walk([]*stmt{s}, func(n *node) {
		if n.kind == exAssign && n.x.kind == exName && n.op == "=" && parses(n.y) {
			parsed[n.x.op] = true
			return
		}
		x.addName(other, x.unit, n)
	})
	for f := range x.callsIn(s.body) {
		for _, g := range x.functionsOf(x.unit, f) {
			x.addCallee(other, g, map[*function]bool{})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(parsed)) {
		if v := x.lookup(name); v != nil && !other[name] && x.st.values[v].empty() {
			x.given(v)
		}
	}
}

// parsing lists functions of the C library that return a number in a text.
var parsing = setOf("atoi atol atoll strtol strtoll strtoul strtoull stoi")

// Parsing reports whether a function of the C library returns a number in a text.
func Parsing(name string) bool { return parsing[name] }

// parses reports whether an expression is a number parsed from text.
func parses(n *node) bool {
	for n != nil && n.kind == exCast {
		n = n.x
	}
	return n != nil && n.kind == exCall && n.x.kind == exName && parsing[n.x.op]
}

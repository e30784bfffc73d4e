// Values that are one of a few, such as a pointer that a branch or an index has chosen.

package memory

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// Case is a value that another one is under a condition.
type Case struct {
	When  *expr.Bool
	Value Value
}

// Limits of a choice.
const (
	maxCases = 8
	maxWhen  = 2_000 // terms of a condition
)

// Choose returns the value of the case whose condition holds. One condition of a choice holds; where several do, their
// values are the same. It is unknown where there are too many cases.
func Choose(cases []Case) Value {
	var list []Case
	for _, c := range cases {
		list = addCase(list, c.When, c.Value)
	}
	known := false
	for _, c := range list {
		if always, ok := c.When.Const(); ok && always {
			return c.Value
		}
		if !c.When.Uniform() || c.When.Size() > maxWhen {
			return Value{}
		}
		known = known || c.Value.Something()
	}
	switch {
	case !known || len(list) > maxCases:
		return Value{}
	case len(list) == 1:
		return list[0].Value
	}
	return Value{Cases: list}
}

// addCase adds a case to others: to that of the same value if there is one.
func addCase(list []Case, when *expr.Bool, v Value) []Case {
	if holds, ok := when.Const(); ok && !holds {
		return list
	}
	if v.Cases != nil {
		for _, c := range v.Cases {
			list = addCase(list, expr.All(when, c.When), c.Value)
		}
		return list
	}
	for i := range list {
		if list[i].Value.Equal(v) || !list[i].Value.Something() && !v.Something() {
			list[i].When = expr.Any(list[i].When, when)
			return list
		}
	}
	return append(list, Case{when, v})
}

// Targets returns the objects that a value may point to.
func (v Value) Targets() (list []*Object) {
	if v.To != nil {
		list = append(list, v.To)
	}
	for _, p := range v.Parts {
		list = append(list, p.Value.Targets()...)
	}
	for _, c := range v.Cases {
		list = append(list, c.Value.Targets()...)
	}
	return list
}

// Each returns the values that a value may be.
func (v Value) Each() []Value {
	if v.Cases == nil {
		return []Value{v}
	}
	list := make([]Value, len(v.Cases))
	for i, c := range v.Cases {
		list[i] = c.Value
	}
	return list
}

// Of returns what a function makes of each value that this one may be.
func (v Value) Of(f func(Value) Value) Value {
	if v.Cases == nil {
		return f(v)
	}
	list := make([]Case, len(v.Cases))
	for i, c := range v.Cases {
		list[i] = Case{c.When, f(c.Value)}
	}
	return Choose(list)
}

// Map returns a value with its integers and conditions replaced.
func (v Value) Map(ints func(*expr.Int) *expr.Int, bools func(*expr.Bool) *expr.Bool) Value {
	if v.Num != nil {
		v.Num = ints(v.Num)
	}
	if v.Offset != nil {
		v.Offset = ints(v.Offset)
	}
	if v.Cond != nil {
		v.Cond = bools(v.Cond)
	}
	if v.Parts != nil {
		v.Parts = slices.Clone(v.Parts)
		for i := range v.Parts {
			v.Parts[i].Value = v.Parts[i].Value.Map(ints, bools)
		}
	}
	if v.Cases == nil {
		return v
	}
	list := make([]Case, len(v.Cases))
	for i, c := range v.Cases {
		list[i] = Case{bools(c.When), c.Value.Map(ints, bools)}
	}
	return Choose(list)
}

// Vars returns the variables in a value and in the conditions of its cases.
func (v Value) Vars() []expr.Variable {
	var ints []*expr.Int
	var bools []*expr.Bool
	v.Map(func(n *expr.Int) *expr.Int { ints = append(ints, n); return n },
		func(f *expr.Bool) *expr.Bool { bools = append(bools, f); return f })
	return expr.Vars(ints, bools)
}

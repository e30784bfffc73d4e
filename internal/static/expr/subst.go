// Substitution, instances of threads, and the variables of formulas.

package expr

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// A Substitution replaces variables. Either function may be nil, and returns nil for a variable that is kept.
type Substitution struct {
	Int  func(Variable) *Int
	Bool func(Variable) *Bool
}

// Subst returns x with variables replaced; x itself if none is.
func (x *Int) Subst(s Substitution) *Int { return (&substituter{s: s}).int(x) }

// Subst returns f with variables replaced; f itself if none is.
func (f *Bool) Subst(s Substitution) *Bool { return (&substituter{s: s}).bool(f) }

// leastShared is the least size of a node whose result is kept for other places that share the node.
const leastShared = 8

// A substituter replaces variables, once in each shared node.
type substituter struct {
	s     Substitution
	ints  map[*Int]*Int
	bools map[*Bool]*Bool
}

func (t *substituter) int(x *Int) *Int {
	switch x.op {
	case OpConst, OpUnknown:
		return x
	case OpVar:
		if t.s.Int != nil {
			if y := t.s.Int(*x.v); y != nil {
				return y
			}
		}
		return x
	}
	if x.size < leastShared {
		return x.Map(t.int, t.bool)
	}
	if y, ok := t.ints[x]; ok {
		return y
	}
	if t.ints == nil {
		t.ints = make(map[*Int]*Int)
	}
	y := x.Map(t.int, t.bool)
	t.ints[x] = y
	return y
}

func (t *substituter) bool(f *Bool) *Bool {
	if f.op == boolVar {
		return t.variable(f)
	}
	if f.size < leastShared {
		return f.Map(t.int, t.bool)
	}
	if g, ok := t.bools[f]; ok {
		return g
	}
	if t.bools == nil {
		t.bools = make(map[*Bool]*Bool)
	}
	g := f.Map(t.int, t.bool)
	t.bools[f] = g
	return g
}

func (t *substituter) variable(f *Bool) *Bool {
	if t.s.Bool == nil {
		return f
	}
	g := t.s.Bool(*f.v)
	switch {
	case g == nil:
		return f
	case f.value:
		return g
	}
	return Not(g)
}

// Map returns the operation of x applied to the results of the functions for its operands; x itself if these are its
// operands. Constants, variables and the unknown value have no operands.
func (x *Int) Map(ints func(*Int) *Int, bools func(*Bool) *Bool) *Int {
	switch x.op {
	case OpConst, OpVar, OpUnknown:
		return x
	case OpSum:
		return x.mapSum(ints)
	}
	var few [2]*Int
	args, changed := few[:0], false
	for _, a := range x.args {
		b := ints(a)
		args, changed = append(args, b), changed || b != a
	}
	cond := x.cond
	if cond != nil {
		cond = bools(cond)
	}
	if !changed && cond == x.cond {
		return x
	}
	switch x.op {
	case OpMul:
		return Mul(args...)
	case OpWrap:
		return Wrap(args[0], int(x.bits), x.signed)
	case OpLen, OpOnes, OpFlip:
		return counted(x.op, args[0], int(x.bits))
	case OpIte:
		return Ite(cond, args[0], args[1])
	}
	return binary[x.op](args[0], args[1])
}

// mapSum is Map for a sum.
func (x *Int) mapSum(ints func(*Int) *Int) *Int {
	var few [8]*Int
	parts, changed := few[:0], false
	for _, t := range x.terms {
		y := ints(t.X)
		parts, changed = append(parts, y), changed || y != t.X
	}
	if !changed {
		return x
	}
	s := summands{k: new(big.Int).Set(x.k), terms: make([]Term, 0, len(parts))}
	for i, y := range parts {
		if y.op == OpUnknown {
			return unknown
		}
		s.add(x.terms[i].Coef, y)
	}
	return s.make()
}

// binary has the constructors of operations with two operands.
var binary = map[Op]func(x, y *Int) *Int{
	OpDiv: Div, OpRem: Rem, OpMin: Min, OpMax: Max, OpAnd: And, OpOr: Or, OpXor: Xor, OpShl: Shl, OpShr: Shr,
}

// Map returns the operation of f applied to the results of the functions for its operands; f itself if these are its
// operands. Constants and variables have no operands.
func (f *Bool) Map(ints func(*Int) *Int, bools func(*Bool) *Bool) *Bool {
	switch f.op {
	case boolEq, boolNe, boolLe:
		d := ints(f.d)
		switch {
		case d == f.d:
			return f
		case f.op == boolLe:
			return newLe(d)
		}
		return newEq(d, f.op)
	case boolAll, boolAny:
		parts, changed := make([]*Bool, len(f.parts)), false
		for i, p := range f.parts {
			parts[i] = bools(p)
			changed = changed || parts[i] != p
		}
		if changed {
			return connect(f.op, parts)
		}
	}
	return f
}

// instance returns the substitution that renames the variables of threads.
func instance(n int) Substitution {
	rename := func(v Variable) (Variable, bool) {
		if v.Uniform || strings.Contains(v.Name, "#") {
			return v, false
		}
		v.Name += "#" + strconv.Itoa(n)
		return v, true
	}
	return Substitution{
		Int: func(v Variable) *Int {
			if w, ok := rename(v); ok {
				return NewVar(w)
			}
			return nil
		},
		Bool: func(v Variable) *Bool {
			if w, ok := rename(v); ok {
				return BoolVar(w.Name, false)
			}
			return nil
		},
	}
}

// Instance returns x for thread number n: its variables v that are not uniform become v#n. Variables with a number keep
// it.
func (x *Int) Instance(n int) *Int { return x.Subst(instance(n)) }

// Instance returns f for thread number n; see [Int.Instance].
func (f *Bool) Instance(n int) *Bool { return f.Subst(instance(n)) }

// Vars returns the variables of x, sorted by name.
func (x *Int) Vars() []Variable { return Vars([]*Int{x}, nil) }

// Vars returns the variables of f, sorted by name.
func (f *Bool) Vars() []Variable { return Vars(nil, []*Bool{f}) }

// Vars returns the variables of formulas, sorted by name. An integer variable that occurs with several ranges is
// returned with each.
func Vars(xs []*Int, fs []*Bool) []Variable {
	c := collector{seen: make(map[string][]Variable)}
	for _, x := range xs {
		c.ints(x)
	}
	for _, f := range fs {
		c.bools(f)
	}
	slices.SortFunc(c.vars, compareVars)
	return c.vars
}

// compareVars orders variables by name, then by kind and range.
func compareVars(v, w Variable) int {
	if d := strings.Compare(v.Name, w.Name); d != 0 {
		return d
	}
	rest := func(v Variable) string { return strconv.FormatBool(v.Bool) + " " + v.Lo.String() + " " + v.Hi.String() }
	return strings.Compare(rest(v), rest(w))
}

// A collector collects variables.
type collector struct {
	seen    map[string][]Variable
	vars    []Variable
	visited map[*Int]bool // shared nodes
}

// add adds a variable.
func (c *collector) add(v *Variable) {
	for _, w := range c.seen[v.Name] {
		if w.Bool == v.Bool && sameBound(w.Lo, v.Lo) && sameBound(w.Hi, v.Hi) {
			return
		}
	}
	c.seen[v.Name] = append(c.seen[v.Name], *v)
	c.vars = append(c.vars, *v)
}

func sameBound(a, b *big.Int) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 }

// ints adds the variables of an expression.
func (c *collector) ints(x *Int) {
	if x.v != nil {
		c.add(x.v)
		return
	}
	if x.size >= leastShared {
		if c.visited[x] {
			return
		}
		if c.visited == nil {
			c.visited = make(map[*Int]bool)
		}
		c.visited[x] = true
	}
	for _, t := range x.terms {
		c.ints(t.X)
	}
	for _, a := range x.args {
		c.ints(a)
	}
	if x.cond != nil {
		c.bools(x.cond)
	}
}

// bools adds the variables of a condition.
func (c *collector) bools(f *Bool) {
	if f.v != nil {
		c.add(f.v)
	}
	if f.d != nil {
		c.ints(f.d)
	}
	for _, p := range f.parts {
		c.bools(p)
	}
}

// Conditions: comparisons, connectives, boolean variables.

package expr

import (
	"math/big"
	"strings"
	"sync/atomic"
)

// boolOp is the operator of a condition.
type boolOp uint8

// The operators. There is no negation except of variables: other conditions are negated by negating their parts.
const (
	boolConst boolOp = iota
	boolMaybe
	boolVar // a variable, or its negation
	boolEq  // d = 0
	boolNe  // d ≠ 0
	boolLe  // d ≤ 0
	boolAll
	boolAny
)

// A Bool is a condition. It is immutable, and nil is none.
type Bool struct {
	op      boolOp
	value   bool // boolConst: the value; boolVar: false if negated
	uniform bool
	size    int32
	hash    uint64
	v       *Variable
	d       *Int // for a comparison
	parts   []*Bool
	negated atomic.Pointer[Bool] // the result of Not, once it is asked for
}

// BoolKind is the kind of a condition; see [Bool.Kind].
type BoolKind uint8

// The kinds of conditions.
const (
	KindConst BoolKind = iota // [Bool.Const]
	KindMaybe                 // nothing is known
	KindVar                   // [Bool.Variable]
	KindEq                    // [Bool.Diff] = 0
	KindNe                    // [Bool.Diff] ≠ 0
	KindLe                    // [Bool.Diff] ≤ 0
	KindAll                   // all of [Bool.Parts]
	KindAny                   // any of [Bool.Parts]
)

// True and False are the conditions that always and never hold.
var (
	True  = sealBool(&Bool{op: boolConst, value: true, uniform: true})
	False = sealBool(&Bool{op: boolConst, uniform: true})
	maybe = &Bool{op: boolMaybe, size: 1, hash: newHash(255).sum()}
)

// Truth returns True or False.
func Truth(b bool) *Bool {
	if b {
		return True
	}
	return False
}

// Maybe returns the unknown condition. Its negation is unknown, too.
func Maybe() *Bool { return maybe }

// BoolVar returns a boolean variable.
func BoolVar(name string, uniform bool) *Bool {
	v := &Variable{Name: name, Uniform: uniform, Bool: true}
	return sealBool(&Bool{op: boolVar, value: true, v: v, uniform: uniform})
}

// sealBool sets hash and size of a new node, and replaces one that is too large.
func sealBool(f *Bool) *Bool {
	h := newHash(uint64(f.op) + 64)
	size := int64(1)
	if f.value {
		h.word(1)
	}
	if f.v != nil {
		h.text(f.v.Name)
	}
	if f.d != nil {
		h.word(f.d.hash)
		size += int64(f.d.size)
	}
	for _, p := range f.parts {
		h.word(p.hash)
		size += int64(p.size)
	}
	if size > MaxBoolSize {
		return maybe
	}
	f.hash, f.size = h.sum(), int32(size)
	return f
}

// Kind returns the kind of f.
func (f *Bool) Kind() BoolKind { return BoolKind(f.op) }

// Const returns the value of a condition that always or never holds.
func (f *Bool) Const() (value, ok bool) { return f.value, f.op == boolConst }

// Variable returns the variable of a KindVar, and whether the condition is its negation. Callers must not change it.
func (f *Bool) Variable() (v *Variable, negated bool) { return f.v, !f.value }

// Diff returns the expression that a comparison compares with zero.
func (f *Bool) Diff() *Int { return f.d }

// Parts returns the operands of a KindAll or KindAny. Callers must not change them.
func (f *Bool) Parts() []*Bool { return f.parts }

// Size returns the number of nodes of f as a tree.
func (f *Bool) Size() int { return int(f.size) }

// Hash returns a hash of the structure of f, the same in every run.
func (f *Bool) Hash() uint64 { return f.hash }

// Uniform reports whether f has one value for all threads.
func (f *Bool) Uniform() bool { return f.uniform }

// Equal reports whether f and g have the same structure. Unknown conditions are not equal.
func (f *Bool) Equal(g *Bool) bool {
	return f.op != boolMaybe && (f == g || f.hash == g.hash && compareBools(f, g) == 0)
}

// Eq returns x == y.
func Eq(x, y *Int) *Bool { return newEq(Sub(x, y), boolEq) }

// Ne returns x != y.
func Ne(x, y *Int) *Bool { return newEq(Sub(x, y), boolNe) }

// Le returns x <= y.
func Le(x, y *Int) *Bool { return newLe(Sub(x, y)) }

// Lt returns x < y.
func Lt(x, y *Int) *Bool { return newLe(Add(Sub(x, y), one)) }

// Ge returns x >= y.
func Ge(x, y *Int) *Bool { return Le(y, x) }

// Gt returns x > y.
func Gt(x, y *Int) *Bool { return Lt(y, x) }

// newEq makes d = 0 or d ≠ 0.
func newEq(d *Int, op boolOp) *Bool {
	if d.op == OpUnknown {
		return maybe
	}
	if d.op == OpConst {
		return Truth((d.k.Sign() == 0) == (op == boolEq))
	}
	if d.lo != nil && d.lo.Sign() > 0 || d.hi != nil && d.hi.Sign() < 0 {
		return Truth(op == boolNe)
	}
	k, g := content(d)
	if new(big.Int).Rem(k, g).Sign() != 0 { // the terms sum up to a multiple of g, and k is none
		return Truth(op == boolNe)
	}
	if _, terms := d.Linear(); terms[0].Coef.Sign() < 0 { // x = y and y = x are one condition
		g = new(big.Int).Neg(g)
	}
	d = reduce(d, g, new(big.Int).Quo(k, g))
	return sealBool(&Bool{op: op, d: d, uniform: d.uniform})
}

// newLe makes d ≤ 0.
func newLe(d *Int) *Bool {
	switch {
	case d.op == OpUnknown:
		return maybe
	case d.hi != nil && d.hi.Sign() <= 0:
		return True
	case d.lo != nil && d.lo.Sign() > 0:
		return False
	}
	k, g := content(d)
	k = new(big.Int).Neg(new(big.Int).Div(new(big.Int).Neg(k), g)) // rounded up: g·t + k ≤ 0 is t ≤ floor(-k/g)
	d = reduce(d, g, k)
	if d.hi != nil && d.hi.Sign() <= 0 {
		return True
	}
	if d.lo != nil && d.lo.Sign() > 0 {
		return False
	}
	return sealBool(&Bool{op: boolLe, d: d, uniform: d.uniform})
}

// content returns the constant of d and the greatest common divisor of its coefficients.
func content(d *Int) (k, g *big.Int) {
	k, terms := d.Linear()
	g = new(big.Int)
	for _, t := range terms {
		g.GCD(nil, nil, g, new(big.Int).Abs(t.Coef))
	}
	return k, g
}

// reduce divides the terms of d by g and gives it the constant k.
func reduce(d *Int, g, k *big.Int) *Int {
	old, terms := d.Linear()
	if g.Cmp(bigOne) == 0 && old.Cmp(k) == 0 {
		return d
	}
	s := summands{k: k}
	for _, t := range terms {
		s.terms = append(s.terms, Term{Coef: new(big.Int).Quo(t.Coef, g), X: t.X})
	}
	return s.make()
}

// Not returns the negation.
func Not(f *Bool) *Bool {
	g := f.negated.Load()
	if g == nil {
		g = negation(f)
		f.negated.Store(g)
	}
	return g
}

// negation is Not without memory.
func negation(f *Bool) *Bool {
	switch f.op {
	case boolConst:
		return Truth(!f.value)
	case boolVar:
		return sealBool(&Bool{op: boolVar, value: !f.value, v: f.v, uniform: f.uniform})
	case boolEq:
		return sealBool(&Bool{op: boolNe, d: f.d, uniform: f.uniform})
	case boolNe:
		return sealBool(&Bool{op: boolEq, d: f.d, uniform: f.uniform})
	case boolLe:
		return newLe(Sub(one, f.d))
	case boolAll, boolAny:
		parts := make([]*Bool, len(f.parts))
		for i, p := range f.parts {
			parts[i] = Not(p)
		}
		return connect(boolAll+boolAny-f.op, parts)
	}
	return f
}

// All returns the conjunction; True if there are no parts.
func All(fs ...*Bool) *Bool { return connect(boolAll, fs) }

// Any returns the disjunction; False if there are no parts.
func Any(fs ...*Bool) *Bool { return connect(boolAny, fs) }

// Implies returns the implication of g by f.
func Implies(f, g *Bool) *Bool { return Any(Not(f), g) }

// Iff returns the condition that f and g are both true or both false.
func Iff(f, g *Bool) *Bool { return All(Implies(f, g), Implies(g, f)) }

// connect makes a conjunction or disjunction: flat, and without repeated parts.
func connect(op boolOp, fs []*Bool) *Bool {
	c := connective{op: op}
	for _, f := range fs {
		if !c.add(f) {
			return Truth(op == boolAny)
		}
	}
	switch len(c.parts) {
	case 0:
		return Truth(op == boolAll)
	case 1:
		return c.parts[0]
	}
	uniform := true
	for _, p := range c.parts {
		uniform = uniform && p.uniform
	}
	return sealBool(&Bool{op: op, parts: c.parts, uniform: uniform})
}

// A connective collects the parts of a conjunction or disjunction.
type connective struct {
	op    boolOp
	parts []*Bool
	seen  map[uint64][]*Bool // the parts by hash, if they are many
}

// manyParts is the number of parts from which on equal ones are found by their hashes.
const manyParts = 16

// add adds a part; it returns false if that part determines the result.
func (c *connective) add(f *Bool) bool {
	switch f.op {
	case boolConst:
		return f.value == (c.op == boolAll)
	case c.op:
		for _, p := range f.parts {
			if !c.add(p) {
				return false
			}
		}
		return true
	case boolMaybe:
		c.parts = append(c.parts, f)
		return true
	}
	if c.has(f) {
		return true
	}
	if f.op != boolAll && f.op != boolAny && c.has(Not(f)) {
		return false
	}
	c.parts = append(c.parts, f)
	switch {
	case c.seen != nil:
		c.seen[f.hash] = append(c.seen[f.hash], f)
	case len(c.parts) == manyParts:
		c.seen = make(map[uint64][]*Bool, 2*manyParts)
		for _, g := range c.parts {
			c.seen[g.hash] = append(c.seen[g.hash], g)
		}
	}
	return true
}

// has reports whether the connective has an equal part.
func (c *connective) has(f *Bool) bool {
	list := c.parts
	if c.seen != nil {
		list = c.seen[f.hash]
	}
	for _, g := range list {
		if g.hash == f.hash && g.Equal(f) {
			return true
		}
	}
	return false
}

// compareBools orders conditions by structure.
func compareBools(f, g *Bool) int {
	switch {
	case f == g:
		return 0
	case f.op != g.op:
		return int(f.op) - int(g.op)
	case f.value != g.value:
		if f.value {
			return 1
		}
		return -1
	case f.v != nil:
		return strings.Compare(f.v.Name, g.v.Name)
	case f.d != nil:
		return compare(f.d, g.d)
	}
	for i := range min(len(f.parts), len(g.parts)) {
		if c := compareBools(f.parts[i], g.parts[i]); c != 0 {
			return c
		}
	}
	return len(f.parts) - len(g.parts)
}

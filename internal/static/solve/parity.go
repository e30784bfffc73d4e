// Integers whose bits are sums modulo 2 of bits of variables: the addresses of swizzled layouts, slices of indices put
// together with or and exclusive or. Where formulas equate such integers, Gaussian elimination decides them without a
// search.

package solve

import (
	"math/big"
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// parity is a sum modulo 2 of atoms. Atom 0 is the constant 1, the others are bits of variables and products of sums.
type parity [8]uint64

// maxAtoms limits the atoms of a query.
const maxAtoms = 64 * len(parity{})

// oneBit is the constant 1.
var oneBit = parity{1}

func (f parity) plus(g parity) parity {
	for i := range f {
		f[i] ^= g[i]
	}
	return f
}

// top returns the atom with the highest number, -1 if there is none.
func (f *parity) top() int {
	for i := len(f) - 1; i >= 0; i-- {
		if f[i] != 0 {
			return 64*i + 63 - bits.LeadingZeros64(f[i])
		}
	}
	return -1
}

// vector is an integer in two's complement: its bits, the lowest first. The last one is the sign.
type vector []parity

// bit returns bit i of a vector; beyond the last bit it returns the sign.
func (v vector) bit(i int) parity { return v[min(i, len(v)-1)] }

// nonNegative reports whether the sign is known to be 0.
func (v vector) nonNegative() bool { return v[len(v)-1] == parity{} }

// zeros returns the number of lowest bits that are 0.
func (v vector) zeros() int {
	n := 0
	for n < len(v) && v[n] == (parity{}) {
		n++
	}
	return n
}

// maxVector limits the bits of a vector.
const maxVector = 80

// atomizer translates expressions to vectors.
type atomizer struct {
	vars     map[string]vector
	products map[[2]parity]parity
	conds    map[string]parity
	memo     map[*expr.Int]vector // nil: there is no translation
	halves   map[*expr.Int]halves
	atoms    int
	frozen   bool // no atoms are added
	work     int64
}

func newAtomizer() *atomizer {
	return &atomizer{
		vars: make(map[string]vector), products: make(map[[2]parity]parity), conds: make(map[string]parity),
		memo: make(map[*expr.Int]vector), halves: make(map[*expr.Int]halves), atoms: 1,
	}
}

// atom returns a new atom, false when there are too many.
func (t *atomizer) atom() (parity, bool) {
	if t.atoms >= maxAtoms || t.frozen {
		return parity{}, false
	}
	var f parity
	f[t.atoms/64] = 1 << (t.atoms % 64)
	t.atoms++
	return f, true
}

// product returns the product of two sums: a new atom, unless one of them decides it.
func (t *atomizer) product(f, g parity) (parity, bool) {
	switch {
	case f == parity{} || g == parity{} || f == g.plus(oneBit):
		return parity{}, true
	case f == oneBit || f == g:
		return g, true
	case g == oneBit:
		return f, true
	}
	key := [2]parity{f, g}
	if before(g, f) {
		key = [2]parity{g, f}
	}
	p, known := t.products[key]
	if known {
		return p, true
	}
	p, ok := t.atom()
	if ok {
		t.products[key] = p
	}
	return p, ok
}

// before is an order of sums.
func before(f, g parity) bool {
	for i := range f {
		if f[i] != g[i] {
			return f[i] < g[i]
		}
	}
	return false
}

// int returns the bits of an expression; nil if they are not known.
func (t *atomizer) int(x *expr.Int) vector {
	if v, known := t.memo[x]; known {
		return v
	}
	t.work += 20
	v := t.compute(x)
	if len(v) > maxVector || t.atoms >= maxAtoms {
		v = nil
	}
	t.memo[x] = v
	return v
}

// compute is int without memoization.
func (t *atomizer) compute(x *expr.Int) vector {
	switch x.Op() {
	case expr.OpConst:
		k, _ := x.Const()
		return constant(k)
	case expr.OpVar:
		return t.variable(x.Variable())
	case expr.OpSum:
		k, terms := x.Linear()
		return t.sum(k, terms, maxVector)
	case expr.OpWrap:
		return t.wrap(x)
	case expr.OpAnd, expr.OpOr, expr.OpXor:
		return t.bitwise(x.Op(), t.int(x.Args()[0]), t.int(x.Args()[1]))
	case expr.OpIte:
		if v := t.choose(x); v != nil {
			return v
		}
	case expr.OpShr, expr.OpDiv, expr.OpRem:
		return t.cutAt(x.Op(), t.int(x.Args()[0]), x.Args()[1])
	}
	t.work += int64(x.Size())
	if lo, hi := x.Range(); solid(x) {
		return t.fresh(lo, hi)
	}
	return nil
}

// solid reports whether an expression has one value for given values of its variables, which is within its range: no
// part of it is unknown or undefined.
func solid(x *expr.Int) bool {
	ok := true
	var look func(*expr.Int) *expr.Int
	look = func(y *expr.Int) *expr.Int {
		switch y.Op() {
		case expr.OpUnknown:
			ok = false
		case expr.OpDiv, expr.OpRem, expr.OpShl, expr.OpShr:
			k, constant := y.Args()[1].Const()
			ok = ok && constant && k.Sign() > 0
		}
		if ok {
			y.Map(look, func(f *expr.Bool) *expr.Bool {
				ok = ok && definite(f)
				return f
			})
		}
		return y
	}
	look(x)
	return ok
}

// constant returns the bits of a constant.
func constant(k *big.Int) vector {
	v := make(vector, width(k, k))
	for i := range v {
		v[i][0] = uint64(bitOf(k, i))
	}
	return v
}

// variable returns the bits of a variable.
func (t *atomizer) variable(v *expr.Variable) vector {
	z, known := t.vars[v.Name]
	if !known {
		z = t.fresh(v.Lo, v.Hi)
		t.vars[v.Name] = z
	}
	return z
}

// fresh returns new atoms for a number from lo to hi.
func (t *atomizer) fresh(lo, hi *big.Int) vector {
	if lo == nil || hi == nil || width(lo, hi) > maxVector {
		return nil
	}
	z := make(vector, width(lo, hi))
	for i := range z {
		if i == len(z)-1 && lo.Sign() >= 0 {
			break
		}
		var ok bool
		if z[i], ok = t.atom(); !ok {
			return nil
		}
	}
	return z
}

// wrap returns the lowest bits of an expression as a number.
func (t *atomizer) wrap(x *expr.Int) vector {
	n, signed := x.Width()
	y := x.Args()[0]
	v := t.int(y)
	if v == nil && y.Op() == expr.OpSum {
		k, terms := y.Linear()
		v = t.sum(k, terms, n)
	}
	if v == nil || n >= maxVector {
		return nil
	}
	z := make(vector, n, n+1)
	for i := range z {
		z[i] = v.bit(i)
	}
	if !signed {
		z = append(z, parity{})
	}
	return z
}

// bitwise returns the result of and, or, exclusive or.
func (t *atomizer) bitwise(op expr.Op, x, y vector) vector {
	if x == nil || y == nil {
		return nil
	}
	z := make(vector, max(len(x), len(y)))
	for i := range z {
		f, g := x.bit(i), y.bit(i)
		z[i] = f.plus(g)
		if op == expr.OpXor {
			continue
		}
		p, ok := t.product(f, g)
		if !ok {
			return nil
		}
		if op == expr.OpAnd {
			z[i] = p
		} else {
			z[i] = z[i].plus(p)
		}
	}
	return z
}

// choose returns one of two values by a condition: the second, and where both differ the condition is added.
func (t *atomizer) choose(x *expr.Int) vector {
	a, b := t.int(x.Args()[0]), t.int(x.Args()[1])
	if a == nil || b == nil {
		return nil
	}
	c, ok := t.cond(x.Cond())
	if !ok {
		return nil
	}
	z := make(vector, max(len(a), len(b)))
	for i := range z {
		p, ok := t.product(c, a.bit(i).plus(b.bit(i)))
		if !ok {
			return nil
		}
		z[i] = b.bit(i).plus(p)
	}
	return z
}

// cutAt returns the quotient or remainder by a power of two, or a number shifted to the right. Only of numbers that are
// not negative are truncated and rounded quotients the same.
func (t *atomizer) cutAt(op expr.Op, x vector, by *expr.Int) vector {
	k, ok := by.Const()
	if x == nil || !ok || k.Sign() < 0 || op != expr.OpShr && (!x.nonNegative() || k.Sign() == 0) {
		return nil
	}
	n := int(k.TrailingZeroBits())
	if op == expr.OpShr {
		if !k.IsInt64() || k.Int64() > maxVector {
			return nil
		}
		n = int(k.Int64())
	} else if k.BitLen() != n+1 {
		return nil
	}
	if op == expr.OpRem {
		return append(append(vector{}, x[:min(n, len(x))]...), parity{})
	}
	return append(vector{}, x[min(n, len(x)-1):]...)
}

// Invariants of loops: ranges that values carried by a loop do not leave.

package symbolic

import (
	"math/big"

	"github.com/ptxsan/ptxsan/passes/hgrd/expr"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Known is what is known of a variable besides its range: for a value that a loop carries, the
// range that it starts in and that no round leaves. Nil for nothing.
func (o *Origin) Known(v expr.Variable) *expr.Bool {
	if o.Sides == nil && o.loop != nil && o.value >= 0 && !o.asked && !v.Bool {
		o.asked = true
		o.Sides = o.Frame.stays(v, o.value)
	}
	return o.Sides
}

// maxWiden limits the attempts to find a range that a loop does not leave.
const maxWiden = 6

// stays finds a range that a carried value stays in, by trying.
func (f *Frame) stays(v expr.Variable, i int32) *expr.Bool {
	phi := &f.ssa.Values[i]
	t := phi.Reg.Type
	init := f.merged(phi, i, func(p int) bool { return !f.latch(phi.Block, p) }).Int
	if init == nil || init.IsUnknown() {
		return nil
	}
	var nexts []*expr.Int
	for k, in := range phi.In {
		if f.latch(phi.Block, k) && in != rewrite.NoValue {
			n := f.value(in).Int
			if n == nil || n.IsUnknown() {
				return nil
			}
			nexts = append(nexts, read(n, t))
		}
	}
	lo, hi := read(init, t).Range()
	for range maxWiden {
		if lo == nil || hi == nil {
			return nil
		}
		a, b := joined(lo, hi, nexts, v)
		if a == nil || b == nil {
			return nil
		}
		if a.Cmp(lo) >= 0 && b.Cmp(hi) <= 0 {
			x := expr.NewVar(v)
			return expr.All(expr.Ge(x, expr.Big(lo)), expr.Le(x, expr.Big(hi)))
		}
		lo, hi = wider(lo, a, v.Lo, -1), wider(hi, b, v.Hi, 1)
	}
	return nil
}

// joined is the range of the next values when a variable is in a range.
func joined(lo, hi *big.Int, nexts []*expr.Int, v expr.Variable) (a, b *big.Int) {
	name := v.Name
	v.Lo, v.Hi = lo, hi
	narrow := expr.NewVar(v)
	for _, n := range nexts {
		c, d := n.Subst(expr.Substitution{Int: func(x expr.Variable) *expr.Int {
			if x.Name == name {
				return narrow
			}
			return nil
		}}).Range()
		if c == nil || d == nil {
			return nil, nil
		}
		if a == nil || c.Cmp(a) < 0 {
			a = c
		}
		if b == nil || d.Cmp(b) > 0 {
			b = d
		}
	}
	return a, b
}

// wider moves a bound that was passed: to 0 if that will do, else to the end of the type.
func wider(bound, passed, end *big.Int, sign int) *big.Int {
	zero := new(big.Int)
	switch {
	case passed.Cmp(bound)*sign <= 0:
		return bound
	case passed.Cmp(zero)*sign <= 0:
		return zero
	}
	return end
}

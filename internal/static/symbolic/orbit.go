// Orbits: the few values that a loop-carried variable takes when it starts from constants, such as a doubling distance.

package symbolic

import (
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/rewrite"
)

// maxOrbit limits the values of an orbit: a doubling 64-bit register has 65.
const maxOrbit = 66

// Orbit returns all values of a loop-carried variable, in the order of discovery; nil when they are not known or are
// more than maxOrbit.
func (o *Origin) Orbit(v expr.Variable) []*big.Int {
	if o.loop == nil || o.value < 0 || v.Bool {
		return nil
	}
	if !o.followed {
		o.followed = true // prevents recursion: a value that depends on itself has no orbit
		o.orbit = o.Frame.orbit(v.Name, o.value)
	}
	return o.orbit
}

func (f *Frame) orbit(name string, i int32) []*big.Int {
	phi := &f.ssa.Values[i]
	init := f.merged(phi, i, func(p int) bool { return !f.latch(phi.Block, p) }).Int
	out, ok := f.valuesOf(init, phi.Reg)
	if !ok {
		return nil
	}
	var nexts []*expr.Int
	for k, in := range phi.In {
		if f.latch(phi.Block, k) && in != rewrite.NoValue {
			nexts = append(nexts, f.value(in).Int)
		}
	}
	for n := 0; n < len(out); n++ {
		for _, next := range nexts {
			if next == nil || next.IsUnknown() {
				return nil
			}
			d, ok := read(next.Subst(replace(name, out[n])), phi.Reg.Type).Const()
			if !ok {
				return nil
			}
			if out = insert(out, d); len(out) > maxOrbit {
				return nil
			}
		}
	}
	return out
}

// valuesOf returns the possible values of a formula: a constant, or a formula of one variable with an orbit.
func (f *Frame) valuesOf(x *expr.Int, r *rewrite.Reg) ([]*big.Int, bool) {
	if x == nil || x.IsUnknown() {
		return nil, false
	}
	vars := x.Vars()
	if len(vars) == 0 {
		d, ok := read(x, r.Type).Const()
		return []*big.Int{d}, ok
	}
	o := f.Kernel.Origin(vars[0].Name)
	if len(vars) > 1 || o == nil {
		return nil, false
	}
	var out []*big.Int
	for _, d := range o.Orbit(vars[0]) {
		y, ok := read(x.Subst(replace(vars[0].Name, d)), r.Type).Const()
		if !ok {
			return nil, false
		}
		out = insert(out, y)
	}
	return out, len(out) > 0
}

// insert returns a set of values with d added.
func insert(set []*big.Int, d *big.Int) []*big.Int {
	for _, x := range set {
		if x.Cmp(d) == 0 {
			return set
		}
	}
	return append(set, d)
}

// replace returns a substitution of one variable.
func replace(name string, by *big.Int) expr.Substitution {
	return expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if v.Name == name {
			return expr.Big(by)
		}
		return nil
	}}
}

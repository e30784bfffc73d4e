// Rings: loop-carried values that repeat, such as the stage of a pipeline and the parity of its phase, as formulas of
// the iteration.

package symbolic

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/rewrite"
)

// maxRing limits the different values of a ring.
const maxRing = 17

// ring returns a loop-carried variable as a formula of the iteration, nil if there is none: its first value is a
// constant and each next value depends on the one before alone, so that the values repeat; or each next value is one of
// such variables and of what does not change in the loop.
func (o *Origin) ring(v expr.Variable) *expr.Int {
	if o.loop == nil || o.value < 0 || v.Bool {
		return nil
	}
	if o.turn == nil && !o.turning {
		o.turning = true // prevents recursion
		if o.values, o.back = o.Frame.cycle(v.Name, o.value); o.values != nil {
			o.turn = turns(o.values, o.back, o.Frame.loop(o.loop).Round)
		} else {
			o.turn = o.Frame.delayed(v.Name, o.value, o.loop)
		}
	}
	return o.turn
}

// nextOf returns the first value of a loop-carried variable, and what each iteration makes of it for the next; nil if
// iterations may do so in different ways.
func (f *Frame) nextOf(i int32) (init, next *expr.Int) {
	phi := &f.ssa.Values[i]
	if !integer(phi.Reg.Type) {
		return nil, nil
	}
	for k, in := range phi.In {
		if !f.latch(phi.Block, k) || in == rewrite.NoValue {
			continue
		}
		n := f.value(in).Int
		if n == nil || n.IsUnknown() || next != nil && !next.Equal(n) {
			return nil, nil
		}
		next = n
	}
	init = f.merged(phi, i, func(p int) bool { return !f.latch(phi.Block, p) }).Int
	if init == nil || init.IsUnknown() || next == nil {
		return nil, nil
	}
	return read(init, phi.Reg.Type), read(next, phi.Reg.Type)
}

// cycle returns the values of a variable whose next value depends on itself alone, in order, and the index of the one
// that follows the last. A value that comes to stand, such as a distance that is halved, has none: see [Origin.Orbit].
func (f *Frame) cycle(name string, i int32) (values []*big.Int, back int) {
	init, next := f.nextOf(i)
	if init == nil {
		return nil, 0
	}
	d, ok := init.Const()
	for ok && len(values) < maxRing {
		if at := slices.IndexFunc(values, func(x *big.Int) bool { return x.Cmp(d) == 0 }); at >= 0 &&
			at < len(values)-1 {
			return values, at
		} else if at >= 0 {
			break
		}
		values = append(values, d)
		d, ok = read(f.Kernel.expanded(next, replace(name, d)), f.ssa.Values[i].Reg.Type).Const()
	}
	return nil, 0
}

// expanded returns a formula after a substitution, also in the long formulas that have names.
func (k *Kernel) expanded(x *expr.Int, by expr.Substitution) *expr.Int {
	return x.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if y := by.Int(v); y != nil {
			return y
		}
		if o := k.Origin(v.Name); o != nil && o.long != nil {
			return k.expanded(o.long, by)
		}
		return nil
	}})
}

// turns returns the value of an iteration: the values in order, and from the last one again that at index back.
func turns(values []*big.Int, back int, round *expr.Int) *expr.Int {
	n := int64(len(values) - back)
	ahead := (int64(back) + n - 1) / n * n // a multiple of n, so that the dividend is not negative
	again := listed(values[back:], expr.Rem(expr.Add(round, expr.Const(ahead-int64(back))), expr.Const(n)))
	if back == 0 {
		return again
	}
	return expr.Ite(expr.Lt(round, expr.Const(int64(back))), listed(values[:back], round), again)
}

// listed returns the value at an index of a list.
func listed(values []*big.Int, at *expr.Int) *expr.Int {
	first := values[0]
	if len(values) == 1 {
		return expr.Big(first)
	}
	step := new(big.Int).Sub(values[1], first)
	even := true
	for i := range values[1:] {
		even = even && new(big.Int).Sub(values[i+1], values[i]).Cmp(step) == 0
	}
	if even {
		return expr.Add(expr.Big(first), expr.Mul(expr.Big(step), at))
	}
	out := expr.Big(values[len(values)-1])
	for i := len(values) - 2; i >= 0; i-- {
		out = expr.Ite(expr.Eq(at, expr.Const(int64(i))), expr.Big(values[i]), out)
	}
	return out
}

// delayed returns the formula of a variable whose next value depends on one ring of the same loop and on what does not
// change in the loop, so that it is the first value and a constant that repeats, as the address of a stage.
func (f *Frame) delayed(name string, i int32, l *rewrite.Loop) *expr.Int {
	init, next := f.nextOf(i)
	if init == nil {
		return nil
	}
	loop, by, values, back := f.loop(l), "", []*big.Int(nil), 0
	for _, v := range f.Kernel.expanded(next,
		expr.Substitution{Int: func(expr.Variable) *expr.Int { return nil }}).Vars() {
		o := f.Kernel.Origin(v.Name)
		switch {
		case v.Name != loop.Round.Variable().Name && loop.steady(v.Name):
		case by == "" && v.Name != name && !v.Bool && o != nil && o.Frame == f && o.loop == l && o.ring(v) != nil &&
			o.values != nil:
			by, values, back = v.Name, o.values, o.back
		default:
			return nil
		}
	}
	if by == "" {
		return nil
	}
	first, bits := plain(init), f.ssa.Values[i].Reg.Type.Bits()
	offsets := []*big.Int{new(big.Int)}
	for _, d := range values {
		k, ok := expr.Wrap(expr.Sub(plain(f.Kernel.expanded(next, replace(by, d))), first), bits, true).Const()
		if !ok {
			return nil
		}
		offsets = append(offsets, k)
	}
	for back++; back > 0 && offsets[back-1].Cmp(offsets[len(offsets)-1]) == 0; back-- {
		offsets = offsets[:len(offsets)-1]
	}
	return expr.Add(first, turns(offsets, back, loop.Round))
}

// plain returns what a register of 32 or 64 bits is congruent to, without the reduction to its width.
func plain(x *expr.Int) *expr.Int {
	if bits, _ := x.Width(); x.Op() == expr.OpWrap && bits >= 32 {
		return x.Args()[0]
	}
	return x
}

// turned returns a formula with the formulas of rings, congruent modulo 2^32 for those of 32 bits.
func (k *Kernel) turned(x *expr.Int) *expr.Int {
	return x.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		o := k.Origin(v.Name)
		if o == nil || o.loop == nil || o.value < 0 {
			return nil
		}
		if y := o.ring(v); y != nil {
			return read(y, o.Frame.ssa.Values[o.value].Reg.Type)
		}
		return nil
	}})
}

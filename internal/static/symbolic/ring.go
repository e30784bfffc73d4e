// Rings: loop-carried values that repeat, such as the stage of a pipeline and the parity of its phase, as formulas of
// the iteration.

package symbolic

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/rewrite"
)

// maxRing limits the values of a ring of which each differs from the one before, maxTurns those of a tuple.
const (
	maxRing  = 17
	maxTurns = 2 * maxRing
)

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

// cycle returns the values of a variable whose next value depends on itself and on variables of the same kind of the
// same loop alone, such as the parity of a phase that changes when the stage wraps around: in order, with the index of
// the one that follows the last. A value that comes to stand, such as a distance that is halved, has none: see
// [Origin.Orbit].
func (f *Frame) cycle(name string, i int32) (values []*big.Int, back int) {
	t := f.tuple(name, i)
	if t == nil {
		return nil, 0
	}
	var states [][]*big.Int
	for now := t.first; len(states) < maxTurns; {
		at := slices.IndexFunc(states, func(x []*big.Int) bool {
			return slices.EqualFunc(x, now, func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
		})
		if at >= 0 {
			return shortest(values, at)
		}
		states, values = append(states, now), append(values, now[0])
		if now = t.after(f, now); now == nil {
			break
		}
	}
	return nil, 0
}

// shortest returns values that repeat from an index on with the least period; none for those that come to stand.
func shortest(values []*big.Int, back int) ([]*big.Int, int) {
	again := values[back:]
	changes := 0
	for j := range values[1:] {
		if values[j].Cmp(values[j+1]) != 0 {
			changes++
		}
	}
	for n := 1; n <= len(again) && changes < maxRing; n++ {
		repeats := len(again)%n == 0
		for j := range again {
			repeats = repeats && again[j].Cmp(again[j%n]) == 0
		}
		if repeats && n == 1 {
			break
		} else if repeats {
			return values[:back+n], back
		}
	}
	return nil, 0
}

// tuple holds loop-carried variables of which each next value depends on the variables alone, and their first values.
type tuple struct {
	names  []string
	values []int32
	first  []*big.Int
	next   []*expr.Int
}

// maxTuple limits the variables of a tuple.
const maxTuple = 4

// tuple returns the tuple of a variable, which is the first in it; nil if there is none.
func (f *Frame) tuple(name string, i int32) *tuple {
	t := &tuple{names: []string{name}, values: []int32{i}}
	none := expr.Substitution{Int: func(expr.Variable) *expr.Int { return nil }}
	for n := 0; n < len(t.names); n++ {
		init, next := f.nextOf(t.values[n])
		if init == nil {
			return nil
		}
		d, ok := init.Const()
		if next = f.Kernel.expanded(next, none); !ok {
			return nil
		}
		t.first, t.next = append(t.first, d), append(t.next, next)
		for _, v := range next.Vars() {
			o := f.Kernel.Origin(v.Name)
			switch {
			case slices.Contains(t.names, v.Name):
			case o == nil || v.Bool || o.Frame != f || o.value < 0 || o.loop == nil || len(t.names) == maxTuple ||
				o.loop != f.inner[f.ssa.Values[i].Block.Index]:
				return nil
			default:
				t.names, t.values = append(t.names, v.Name), append(t.values, o.value)
			}
		}
	}
	return t
}

// after returns the values of a tuple after those of an iteration; nil if one is no constant.
func (t *tuple) after(f *Frame, now []*big.Int) (out []*big.Int) {
	by := expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if n := slices.Index(t.names, v.Name); n >= 0 {
			return expr.Big(now[n])
		}
		return nil
	}}
	for n, next := range t.next {
		d, ok := read(next.Subst(by), f.ssa.Values[t.values[n]].Reg.Type).Const()
		if !ok {
			return nil
		}
		out = append(out, d)
	}
	return out
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
		switch same := func(j int) bool { return values[j].Cmp(values[i]) == 0 }; {
		case same(i + 1): // the condition of the next one includes this
		case i > 0 && same(i-1):
			out = expr.Ite(expr.Le(at, expr.Const(int64(i))), expr.Big(values[i]), out)
		default:
			out = expr.Ite(expr.Eq(at, expr.Const(int64(i))), expr.Big(values[i]), out)
		}
	}
	return out
}

// delayed returns the formula of a variable whose next value depends on what does not change in the loop, and on at
// most one ring of the same loop: then it is the first value and a constant that repeats, as the address of a stage.
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
		return expr.Ite(expr.Eq(loop.Round, expr.Const(0)), plain(init), plain(next))
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

// Turned returns a formula with the formulas of rings, congruent modulo 2^32 for those of 32 bits.
func (k *Kernel) Turned(x *expr.Int) *expr.Int { return x.Subst(k.Turning()) }

// Turning returns the substitution of rings by their formulas.
func (k *Kernel) Turning() expr.Substitution {
	return expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		o := k.Origin(v.Name)
		if o == nil || o.loop == nil || o.value < 0 {
			return nil
		}
		if y := o.ring(v); y != nil {
			return read(y, o.Frame.ssa.Values[o.value].Reg.Type)
		}
		return nil
	}}
}

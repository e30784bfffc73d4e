// Values to which the rounds of a loop add different multiples of one number, such as an index that advances under a
// condition.

package symbolic

import (
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/rewrite"
)

// stepped returns what follows for a variable that a loop carries if each round adds one of a few constants to it, nil
// if that is not so. Let g be the greatest common divisor of these constants, and least and most the smallest and
// largest of their multiples of g. Before round k, the loop has added k of the constants. So the variable is init + g·s
// modulo 2 to the power of its width, where s is an integer of the thread's own with k·least ≤ s ≤ k·most.
func (f *Frame) stepped(v expr.Variable, i int32, l *rewrite.Loop) *expr.Bool {
	phi := &f.ssa.Values[i]
	steps := f.stepsOf(phi, i, l)
	g, least, most, ok := multiples(steps)
	init := f.merged(phi, i, func(p int) bool { return !f.latch(phi.Block, p) }).Int
	if !ok || init == nil || init.IsUnknown() {
		return nil
	}
	name := f.Kernel.name("n")
	f.Kernel.origins[name] = &Origin{
		Frame: f, What: "the steps of a value carried around a loop", value: i,
		Sides: expr.True,
	}
	s, round := expr.Var(name, min(least, 0)*maxRounds, max(most, 0)*maxRounds), f.loop(l).Round // 0 before round 0
	return expr.All(
		expr.Eq(expr.NewVar(v), read(expr.Add(init, expr.Mul(expr.Big(g), s)), phi.Reg.Type)),
		expr.Le(expr.Mul(expr.Const(least), round), s), expr.Le(s, expr.Mul(expr.Const(most), round)),
	)
}

// maxMultiple limits the multiples, so that all numbers of steps fit 64 bits.
const maxMultiple = 1 << 10

// multiples returns the greatest common divisor of constants, and their least and largest multiple of it; false if they
// are no constants, or all are 0.
func multiples(steps []*expr.Int) (g *big.Int, least, most int64, ok bool) {
	g = new(big.Int)
	for _, x := range steps {
		k, ok := x.Const()
		if !ok {
			return nil, 0, 0, false
		}
		g.GCD(nil, nil, g, new(big.Int).Abs(k))
	}
	if g.Sign() == 0 {
		return nil, 0, 0, false
	}
	for n, x := range steps {
		k, _ := x.Const()
		m := new(big.Int).Quo(k, g)
		if m.CmpAbs(big.NewInt(maxMultiple)) > 0 {
			return nil, 0, 0, false
		}
		if n == 0 {
			least, most = m.Int64(), m.Int64()
		}
		least, most = min(least, m.Int64()), max(most, m.Int64())
	}
	return g, least, most, true
}

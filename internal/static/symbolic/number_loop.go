// Floating-point numbers that loops carry, and that each round changes by a constant.

package symbolic

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// clamped is the function x -> max(lo, min(x + add, hi)) of a number x; nil bounds are infinite. Conversions to
// integers have bounds.
type clamped struct {
	add, lo, hi *big.Int
	free        []*big.Int // what was added to x before the first bound, at each step: x must be so small that all these sums are exact
	bits        int        // of the numbers that the type with the least precision represents
}

// plus returns the function with a number added behind it.
func (c *clamped) plus(k *big.Int) *clamped {
	sum := func(x *big.Int) *big.Int {
		if x == nil {
			return nil
		}
		return new(big.Int).Add(x, k)
	}
	out := &clamped{add: sum(c.add), lo: sum(c.lo), hi: sum(c.hi), free: c.free, bits: c.bits}
	if c.lo == nil {
		out.free = append(slices.Clip(c.free), out.add)
	}
	return out
}

// within returns the function with its results limited to an interval.
func (c *clamped) within(lo, hi *big.Int) *clamped {
	limit := func(x, infinite *big.Int) *big.Int {
		switch {
		case x == nil:
			return infinite
		case x.Cmp(lo) < 0:
			return lo
		case x.Cmp(hi) > 0:
			return hi
		}
		return x
	}
	return &clamped{add: c.add, lo: limit(c.lo, lo), hi: limit(c.hi, hi), free: c.free, bits: c.bits}
}

// exactFor reports whether the sums before the first bound are exact for numbers in an interval.
func (c *clamped) exactFor(lo, hi *big.Int) bool {
	return c.small(lo) && c.small(hi) && !slices.ContainsFunc(c.free, func(k *big.Int) bool {
		return !c.small(new(big.Int).Add(lo, k)) || !c.small(new(big.Int).Add(hi, k))
	})
}

// small reports whether all types of the function represent a number.
func (c *clamped) small(x *big.Int) bool {
	return x.CmpAbs(new(big.Int).Lsh(big.NewInt(1), uint(c.bits))) <= 0
}

// carriedNumber returns the value of a register of a floating-point type that a loop carries.
//
// If each round applies x -> max(lo, min(x + s, hi)) with s >= 0 to a number whose start, with s added, is at least lo,
// then it is min(start + s * k, hi) in round k >= 1, by induction: the lower bound has no effect, and min(min(start +
// s*k, hi) + s, hi) is min(start + s*(k+1), hi). Likewise max(start + s*k, lo) for s <= 0. All these numbers lie
// between start and the bound, for which the sums of a round are checked to be exact.
func (f *Frame) carriedNumber(v *rewrite.SSAValue, i int32, l *rewrite.Loop) Value {
	none := f.opaque(v, Origin{What: "a value carried around a loop", value: i, loop: l})
	var c *clamped
	for k, in := range v.In {
		if !f.latch(v.Block, k) || in == rewrite.NoValue {
			continue
		}
		if c != nil {
			return none // several back edges
		}
		if c = f.clampedOf(in, i, l, 0); c == nil || c.lo == nil {
			return none
		}
	}
	init := f.merged(v, i, func(p int) bool { return !f.latch(v.Block, p) }).Number
	if c == nil || init == nil {
		return none
	}
	lo, hi := init.Range()
	if lo == nil || hi == nil {
		return none
	}
	round := f.loop(l).Round
	at := expr.Add(init, expr.Mul(expr.Big(c.add), round))
	switch first, last := new(big.Int).Add(lo, c.add), new(big.Int).Add(hi, c.add); {
	case c.add.Sign() >= 0 && first.Cmp(c.lo) >= 0 && c.exactFor(lo, greater(hi, c.hi)):
		at = expr.Min(at, expr.Big(c.hi))
	case c.add.Sign() <= 0 && last.Cmp(c.hi) <= 0 && c.exactFor(lesser(lo, c.lo), hi):
		at = expr.Max(at, expr.Big(c.lo))
	default:
		return none
	}
	if lo.Cmp(c.lo) < 0 || hi.Cmp(c.hi) > 0 {
		at = expr.Ite(expr.Ge(round, expr.Const(1)), at, init)
	}
	return Value{Int: expr.Unknown(), Number: at}
}

// greater and lesser return one of two numbers.
func greater(x, y *big.Int) *big.Int {
	if x.Cmp(y) > 0 {
		return x
	}
	return y
}

func lesser(x, y *big.Int) *big.Int {
	if x.Cmp(y) < 0 {
		return x
	}
	return y
}

// clampedOf returns a value as a function of the phi of a loop's header; nil if it is none of this kind.
func (f *Frame) clampedOf(i, phi int32, l *rewrite.Loop, depth int) *clamped {
	if i == phi {
		return &clamped{add: new(big.Int), bits: exactBits(f.ssa.Values[phi].Reg.Type)}
	}
	if i == rewrite.NoValue || depth > 64 {
		return nil
	}
	v := &f.ssa.Values[i]
	if v.Kind != rewrite.SSAWrite || v.Old != rewrite.NoValue || !f.InLoop(v.Block, l) || v.Inst.Guard != nil ||
		v.Inst.Has("sat") {
		return nil
	}
	in := v.Inst
	e := &evaluation{f: f, in: in, v: v, at: -1, bits: v.Reg.Type.Bits()}
	to := in.Type(0)
	if len(in.Operands) < 2 || in.Operands[0].Kind != rewrite.OperandReg || to.Bits() != e.bits {
		return nil
	}
	of := func(n int) *clamped {
		o := &in.Operands[n]
		if o.Kind != rewrite.OperandReg || o.Member != "" || o.Neg || o.Reg.Vec > 1 {
			return nil
		}
		return f.clampedOf(f.ssa.Use(in, o.Reg), phi, l, depth+1)
	}
	switch {
	case in.Instr.Calc == isa.CalcConvert:
		return e.clampedConversion(of(1), to, in.Type(1))
	case exactBits(to) == 0:
	case in.Instr.Calc == isa.CalcCopy:
		return of(1)
	case in.Instr.Calc == isa.CalcAdd:
		if c := of(1); c != nil {
			return e.shifted(c, e.number(2, to), to)
		}
		return e.shifted(of(2), e.number(1, to), to)
	case in.Instr.Calc == isa.CalcMulAdd:
		if c := of(3); c != nil {
			if x, y := e.number(1, to), e.number(2, to); x != nil && y != nil {
				return e.shifted(c, exact(expr.Mul(x, y), to), to)
			}
		}
	}
	return nil
}

// shifted returns a function with a constant of a type added behind it.
func (e *evaluation) shifted(c *clamped, by *expr.Int, t isa.Type) *clamped {
	if c == nil || by == nil {
		return nil
	}
	k, ok := by.Const()
	if !ok {
		return nil
	}
	out := c.plus(k)
	if out.bits = min(out.bits, exactBits(t)); out.lo != nil && (!out.small(out.lo) || !out.small(out.hi)) {
		return nil // behind bounds, all results lie between them
	}
	return out
}

// clampedConversion returns a function with a conversion behind it: to an integer type it has the type's bounds, and
// from one it is exact if its results are numbers of this type, which has no more bits than the other represents.
func (e *evaluation) clampedConversion(c *clamped, to, from isa.Type) *clamped {
	switch {
	case c == nil:
	case exactBits(from) > 0 && integer(to):
		lo, hi := limits(to)
		return c.within(lo, hi)
	case integer(from) && from.Bits() <= exactBits(to) && c.lo != nil:
		if lo, hi := limits(from); c.lo.Cmp(lo) >= 0 && c.hi.Cmp(hi) <= 0 {
			return c
		}
	}
	return nil
}

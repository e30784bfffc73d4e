// Bits of addresses of variables: the low ones are known by the alignment of the variable.

package symbolic

import (
	"math/big"
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// align records the alignment of a variable (PTX ISA, "Alignment") for its address, which it returns.
func (k *Kernel) align(address *expr.Int, v *rewrite.Var) *expr.Int {
	if k.aligned == nil {
		k.aligned = make(map[string]int)
	}
	k.aligned[address.Variable().Name] = bits.TrailingZeros(uint(max(v.Align, 1)))
	return address
}

// low returns how many low bits of an address are known, and their value: those below all bits in which multiples of
// the variable's alignment and the other terms may differ. It returns 0 bits for what is no address of a variable.
func (k *Kernel) low(x *expr.Int) (n uint, value *big.Int) {
	sum, terms := x.Linear()
	for _, t := range terms {
		v := t.X.Variable()
		if v == nil || !t.Coef.IsInt64() || t.Coef.Int64() != 1 {
			continue
		}
		if a, ok := k.aligned[v.Name]; ok {
			n = uint(min(a, expr.Twos(expr.Sub(x, expr.Add(t.X, expr.Big(sum))))))
			return n, new(big.Int).And(sum, ones(n))
		}
	}
	return 0, nil
}

func ones(n uint) *big.Int {
	return new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), n), big.NewInt(1))
}

// fold returns a bitwise operation of an address and a constant that changes known bits of the address alone: as for
// the second half of a vector, which compilers address by an or. It returns nil for others.
func (k *Kernel) fold(op isa.Calc, x *expr.Int, c *big.Int) *expr.Int {
	n, value := k.low(x)
	changed := c
	if op == isa.CalcAnd {
		changed = new(big.Int).Not(c)
	}
	if n == 0 || changed.Sign() < 0 || changed.Cmp(ones(n)) > 0 {
		return nil
	}
	to := new(big.Int)
	switch op {
	case isa.CalcAnd:
		to.And(value, c)
	case isa.CalcOr:
		to.Or(value, c)
	default:
		to.Xor(value, c)
	}
	return expr.Add(x, expr.Big(to.Sub(to, value)))
}

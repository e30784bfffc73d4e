// Exact evaluation under a model.

package expr

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Errors of an evaluation.
var (
	ErrUndefined = errors.New("undefined operation") // division by zero, a shift out of range, a value of too many bits
	ErrUnknown   = errors.New("unknown value")       // [Unknown] or [Maybe]
	ErrUnbound   = errors.New("variable without value")
)

// maxEvalBits limits the values of an evaluation.
const maxEvalBits = 1 << 16

// A Model assigns values to variables.
type Model struct {
	Ints  map[string]*big.Int
	Bools map[string]bool
}

// NewModel returns a model without values.
func NewModel() *Model {
	return &Model{Ints: make(map[string]*big.Int), Bools: make(map[string]bool)}
}

// String returns the values, sorted by name: x=1 y=-2 p=true.
func (m *Model) String() string {
	var parts []string
	for name, v := range m.Ints {
		parts = append(parts, name+"="+v.String())
	}
	for name, v := range m.Bools {
		parts = append(parts, fmt.Sprintf("%s=%t", name, v))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// Eval returns the value of x under m, or one of the errors above. It does not check the ranges of variables.
func (x *Int) Eval(m *Model) (*big.Int, error) {
	z, err := x.eval(m)
	if err == nil && z.BitLen() > maxEvalBits {
		return nil, fmt.Errorf("%w: more than %d bits", ErrUndefined, maxEvalBits)
	}
	return z, err
}

// eval is Eval without the limit on the result.
func (x *Int) eval(m *Model) (*big.Int, error) {
	switch x.op {
	case OpConst:
		return x.k, nil
	case OpUnknown:
		return nil, ErrUnknown
	case OpVar:
		if v, ok := m.Ints[x.v.Name]; ok {
			return v, nil
		}
		return nil, fmt.Errorf("%w: %s", ErrUnbound, x.v.Name)
	case OpSum:
		sum := new(big.Int).Set(x.k)
		for _, t := range x.terms {
			v, err := t.X.Eval(m)
			if err != nil {
				return nil, err
			}
			sum.Add(sum, new(big.Int).Mul(t.Coef, v))
		}
		return sum, nil
	case OpIte:
		c, err := x.cond.Eval(m)
		if err != nil {
			return nil, err
		}
		if c {
			return x.args[0].Eval(m)
		}
		return x.args[1].Eval(m)
	}
	return x.apply(m)
}

// apply evaluates an operation that uses all its operands.
func (x *Int) apply(m *Model) (*big.Int, error) {
	vals := make([]*big.Int, len(x.args))
	for i, a := range x.args {
		v, err := a.Eval(m)
		if err != nil {
			return nil, err
		}
		vals[i] = v
	}
	z := new(big.Int)
	switch x.op {
	case OpMul:
		return product(vals)
	case OpDiv, OpRem:
		if vals[1].Sign() == 0 {
			return nil, fmt.Errorf("%w: division by zero", ErrUndefined)
		}
		if x.op == OpDiv {
			return z.Quo(vals[0], vals[1]), nil
		}
		return z.Rem(vals[0], vals[1]), nil
	case OpMin, OpMax:
		if (vals[0].Cmp(vals[1]) <= 0) == (x.op == OpMin) {
			return vals[0], nil
		}
		return vals[1], nil
	case OpAnd:
		return z.And(vals[0], vals[1]), nil
	case OpOr:
		return z.Or(vals[0], vals[1]), nil
	case OpXor:
		return z.Xor(vals[0], vals[1]), nil
	case OpShl, OpShr:
		k := vals[1]
		if k.Sign() < 0 || k.Cmp(big.NewInt(MaxBits)) > 0 {
			return nil, fmt.Errorf("%w: shift by %s", ErrUndefined, k)
		}
		if x.op == OpShl {
			return z.Lsh(vals[0], uint(k.Int64())), nil
		}
		return z.Rsh(vals[0], uint(k.Int64())), nil
	}
	if count, ok := counts[x.op]; ok {
		return count(wrapBig(vals[0], int(x.bits), false), int(x.bits)), nil
	}
	return wrapBig(vals[0], int(x.bits), x.signed), nil
}

// product multiplies within the limit.
func product(vals []*big.Int) (*big.Int, error) {
	z := big.NewInt(1)
	for _, v := range vals {
		if z.Mul(z, v); z.BitLen() > maxEvalBits {
			return nil, fmt.Errorf("%w: more than %d bits", ErrUndefined, maxEvalBits)
		}
	}
	return z, nil
}

// Eval returns the value of f under m, or an error. A conjunction with a false part is false, whatever the others are,
// and a disjunction with a true part is true.
func (f *Bool) Eval(m *Model) (bool, error) {
	switch f.op {
	case boolConst:
		return f.value, nil
	case boolMaybe:
		return false, ErrUnknown
	case boolVar:
		v, ok := m.Bools[f.v.Name]
		if !ok {
			return false, fmt.Errorf("%w: %s", ErrUnbound, f.v.Name)
		}
		return v == f.value, nil
	case boolEq, boolNe, boolLe:
		d, err := f.d.Eval(m)
		if err != nil {
			return false, err
		}
		switch f.op {
		case boolEq:
			return d.Sign() == 0, nil
		case boolNe:
			return d.Sign() != 0, nil
		}
		return d.Sign() <= 0, nil
	}
	var failed error
	for _, p := range f.parts {
		v, err := p.Eval(m)
		if err != nil {
			failed = err
			continue
		}
		if v == (f.op == boolAny) {
			return v, nil
		}
	}
	return f.op == boolAll, failed
}

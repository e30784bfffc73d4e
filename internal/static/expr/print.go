// The text of formulas: C expressions, with min, max, and u32(x), s64(x) and so on for wrap-around.

package expr

import (
	"fmt"
	"math/big"
	"strings"
)

// The precedence of operators, as in C.
const (
	precIte = iota + 1
	precLor
	precLand
	precOr
	precXor
	precAnd
	precEq
	precRel
	precShift
	precAdd
	precMul
	precUnary
	precAtom
)

// String returns x in the form that [ParseInt] parses.
func (x *Int) String() string {
	var p printer
	p.ints(x, precIte)
	return p.String()
}

// String returns f in the form that [ParseBool] parses.
func (f *Bool) String() string {
	var p printer
	p.bools(f, precIte)
	return p.String()
}

// A printer writes formulas.
type printer struct{ strings.Builder }

// wrap writes something of precedence have, in parentheses if want is higher.
func (p *printer) wrap(have, want int, write func()) {
	if have < want {
		p.WriteByte('(')
		defer p.WriteByte(')')
	}
	write()
}

// infix gives the operators with two operands.
var infix = map[Op]struct {
	text string
	prec int
}{
	OpMul: {" * ", precMul}, OpDiv: {" / ", precMul}, OpRem: {" % ", precMul},
	OpAnd: {" & ", precAnd}, OpOr: {" | ", precOr}, OpXor: {" ^ ", precXor}, OpShl: {" << ", precShift},
	OpShr: {" >> ", precShift},
}

// ints writes an expression in the place of an operand of a precedence.
func (p *printer) ints(x *Int, want int) {
	switch x.op {
	case OpConst:
		have := precAtom
		if x.k.Sign() < 0 {
			have = precUnary
		}
		p.wrap(have, want, func() { p.WriteString(x.k.String()) })
	case OpUnknown:
		p.WriteString("unknown()")
	case OpVar:
		p.WriteString(x.v.Name)
	case OpSum:
		p.sum(x.k, x.terms, want)
	case OpMin, OpMax, OpWrap, OpLen, OpOnes, OpFlip:
		p.call(x)
	case OpIte:
		p.wrap(precIte, want, func() {
			p.bools(x.cond, precLor)
			p.WriteString(" ? ")
			p.ints(x.args[0], precLor)
			p.WriteString(" : ")
			p.ints(x.args[1], precIte)
		})
	default:
		op := infix[x.op]
		p.wrap(op.prec, want, func() {
			for i, a := range x.args {
				if i == 0 {
					p.ints(a, op.prec)
					continue
				}
				p.WriteString(op.text)
				p.ints(a, op.prec+1)
			}
		})
	}
}

// call writes an operation as a function of its operands.
func (p *printer) call(x *Int) {
	switch {
	case x.op == OpMin:
		p.WriteString("min(")
	case x.op == OpMax:
		p.WriteString("max(")
	case countNames[x.op] != "":
		p.WriteString(x.op.Name(int(x.bits)) + "(")
	case x.signed:
		fmt.Fprintf(p, "s%d(", x.bits)
	default:
		fmt.Fprintf(p, "u%d(", x.bits)
	}
	for i, a := range x.args {
		if i > 0 {
			p.WriteString(", ")
		}
		p.ints(a, precIte)
	}
	p.WriteByte(')')
}

// sum writes a sum: positive terms, then negative ones, then the constant.
func (p *printer) sum(k *big.Int, terms []Term, want int) {
	first := true
	minus := -1
	if len(terms) == 1 && k.Sign() == 0 && terms[0].Coef.CmpAbs(bigOne) != 0 {
		p.wrap(precMul, want, func() { p.summand(terms[0], true, terms[0].Coef) })
		return
	}
	p.wrap(precAdd, want, func() {
		for _, sign := range []int{1, minus} {
			if sign == minus && first && k.Sign() > 0 {
				p.WriteString(k.String())
				first, k = false, zero.k
			}
			for _, t := range terms {
				if t.Coef.Sign() == sign {
					p.sign(sign, first)
					p.summand(t, first && sign == minus, new(big.Int).Abs(t.Coef))
					first = false
				}
			}
		}
		if k.Sign() != 0 || first {
			p.sign(k.Sign(), first)
			p.WriteString(new(big.Int).Abs(k).String())
		}
	})
}

// sign writes the operator before a summand.
func (p *printer) sign(sign int, first bool) {
	switch {
	case sign < 0 && first:
		p.WriteString("-")
	case sign < 0:
		p.WriteString(" - ")
	case !first:
		p.WriteString(" + ")
	}
}

// summand writes a term with a coefficient. After a minus sign without left operand it has the precedence of a unary
// operator.
func (p *printer) summand(t Term, unary bool, coef *big.Int) {
	if coef.Cmp(bigOne) == 0 {
		want := precMul
		if unary {
			want = precUnary
		}
		p.ints(t.X, want)
		return
	}
	p.WriteString(coef.String())
	p.WriteString(" * ")
	p.ints(t.X, precMul+1)
}

// bools writes a condition in the place of an operand of a precedence.
func (p *printer) bools(f *Bool, want int) {
	switch f.op {
	case boolConst:
		fmt.Fprintf(p, "%t", f.value)
	case boolMaybe:
		p.WriteString("maybe()")
	case boolVar:
		if !f.value {
			p.WriteByte('!')
		}
		p.WriteString(f.v.Name)
	case boolAll, boolAny:
		text, prec := " && ", precLand
		if f.op == boolAny {
			text, prec = " || ", precLor
		}
		p.wrap(prec, want, func() {
			for i, part := range f.parts {
				if i > 0 {
					p.WriteString(text)
				}
				p.bools(part, prec+1)
			}
		})
	default:
		p.comparison(f, want)
	}
}

// comparison writes d = 0, d ≠ 0 or d ≤ 0, with the negative terms and the constant on the right.
func (p *printer) comparison(f *Bool, want int) {
	k, terms := f.d.Linear()
	var left, right []Term
	for _, t := range terms {
		if t.Coef.Sign() > 0 {
			left = append(left, t)
		} else {
			right = append(right, Term{Coef: new(big.Int).Neg(t.Coef), X: t.X})
		}
	}
	op, prec, k := operator(f.op, new(big.Int).Neg(k), len(left) > 0, len(right) > 0)
	if len(left) == 0 {
		left, right, k = right, nil, new(big.Int).Neg(k)
	}
	p.wrap(prec, want, func() {
		p.sum(zero.k, left, prec+1)
		p.WriteString(op)
		p.sum(k, right, prec+1)
	})
}

// operator returns the operator between the terms on the left and those on the right, which include the returned
// constant. If there is nothing on the left, the sides are exchanged.
func operator(op boolOp, k *big.Int, left, right bool) (text string, prec int, rest *big.Int) {
	switch {
	case op == boolEq:
		return " == ", precEq, k
	case op == boolNe:
		return " != ", precEq, k
	case !left && k.IsInt64() && k.Int64() == -1: // 0 ≤ x - 1
		return " > ", precRel, new(big.Int)
	case !left:
		return " >= ", precRel, k
	case k.Bit(0) == 1 && (!right || k.Sign() <= 0): // x ≤ 15 reads better as x < 16
		return " < ", precRel, new(big.Int).Add(k, bigOne)
	}
	return " <= ", precRel, k
}

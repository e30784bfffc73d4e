// What is done to formulas before they are read as equations modulo 2: definitions are put in, and ranges of variables tightened.

package solve

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
)

// maxDefined limits the variables that are replaced by what they equal.
const maxDefined = 8

// defined returns formulas in which variables that a condition outside of facts equates with something are replaced by it. The conditions
// themselves remain true.
func defined(fs []tagged) []tagged {
	for range maxDefined {
		name, by := "", (*expr.Int)(nil)
		for _, f := range fs {
			if f.tag == 0 && by == nil {
				name, by = definition(f.f)
			}
		}
		if by == nil {
			break
		}
		s := expr.Substitution{Int: func(v expr.Variable) *expr.Int {
			if v.Name == name {
				return by
			}
			return nil
		}}
		out := make([]tagged, len(fs))
		for i, f := range fs {
			out[i] = tagged{f.f.Subst(s), f.tag}
		}
		fs = out
	}
	return fs
}

// definition returns a variable and what a condition says that it equals, which it does not occur in.
func definition(f *expr.Bool) (string, *expr.Int) {
	if f.Kind() == expr.KindAll {
		for _, part := range f.Parts() {
			if name, by := definition(part); by != nil {
				return name, by
			}
		}
	}
	if f.Kind() != expr.KindEq {
		return "", nil
	}
	_, terms := f.Diff().Linear()
	for i, t := range terms {
		if t.X.Op() != expr.OpVar || t.Coef.CmpAbs(bigOne) != 0 {
			continue
		}
		name := t.X.Variable().Name
		if slices.ContainsFunc(terms, func(u expr.Term) bool {
			return !u.X.Equal(terms[i].X) && slices.ContainsFunc(u.X.Vars(), func(v expr.Variable) bool { return v.Name == name })
		}) {
			continue
		}
		by := expr.Sub(t.X, f.Diff())
		if t.Coef.Sign() < 0 {
			by = expr.Add(t.X, f.Diff())
		}
		return name, by
	}
	return "", nil
}

// tightened returns formulas with the ranges of variables that conditions outside of facts give, and whether a range is empty. Sums
// of bits then have no bits that are 0 in all values.
func tightened(fs []tagged) (out []tagged, empty bool) {
	ranges := make(map[string]*expr.Variable)
	for _, f := range fs {
		if f.tag == 0 {
			noteBound(f.f, ranges)
		}
	}
	narrow := make(map[string]*expr.Int)
	for name, v := range ranges {
		if v.Lo != nil && v.Hi != nil && v.Lo.Cmp(v.Hi) > 0 {
			return nil, true
		}
		narrow[name] = expr.NewVar(*v)
	}
	s := expr.Substitution{Int: func(v expr.Variable) *expr.Int { return narrow[v.Name] }}
	for _, f := range fs {
		out = append(out, tagged{f.f.Subst(s), f.tag})
	}
	return out, false
}

// noteBound notes the bound that a comparison of a variable with a constant gives.
func noteBound(f *expr.Bool, ranges map[string]*expr.Variable) {
	for _, part := range f.Parts() {
		if f.Kind() == expr.KindAll {
			noteBound(part, ranges)
		}
	}
	if f.Kind() != expr.KindLe && f.Kind() != expr.KindEq {
		return
	}
	k, terms := f.Diff().Linear()
	if len(terms) != 1 || terms[0].X.Op() != expr.OpVar || terms[0].Coef.CmpAbs(bigOne) != 0 {
		return
	}
	v := ranges[terms[0].X.Variable().Name]
	if v == nil {
		w := *terms[0].X.Variable()
		v, ranges[w.Name] = &w, &w
	}
	up := terms[0].Coef.Sign() > 0 // v ≤ -k, else v ≥ k
	at := new(big.Int).Set(k)
	if up {
		at.Neg(at)
	}
	if (up || f.Kind() == expr.KindEq) && (v.Hi == nil || v.Hi.Cmp(at) > 0) {
		v.Hi = at
	}
	if (!up || f.Kind() == expr.KindEq) && (v.Lo == nil || v.Lo.Cmp(at) < 0) {
		v.Lo = at
	}
}

// takesBits reports whether a condition compares bits taken out of numbers.
func takesBits(f *expr.Bool) bool {
	if d := f.Diff(); d != nil {
		return bitsOf(d)
	}
	return slices.ContainsFunc(f.Parts(), takesBits)
}

func bitsOf(x *expr.Int) bool {
	switch x.Op() {
	case expr.OpAnd, expr.OpOr, expr.OpXor, expr.OpShr, expr.OpWrap, expr.OpDiv, expr.OpRem, expr.OpLen, expr.OpOnes, expr.OpFlip:
		return true
	}
	_, terms := x.Linear()
	return x.Op() == expr.OpSum && slices.ContainsFunc(terms, func(t expr.Term) bool { return bitsOf(t.X) }) || slices.ContainsFunc(x.Args(), bitsOf)
}

// What is done to formulas before they are read as equations modulo 2: definitions are put in, and ranges of variables
// tightened.

package solve

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// maxDefined limits the variables that are replaced by what they equal.
const maxDefined = 8

// defined returns formulas in which variables that a condition outside of facts equates with something are replaced by
// it. The conditions themselves remain true.
func defined(fs []tagged, facts uint64) []tagged {
	for range maxDefined {
		name, by, tag := "", (*expr.Int)(nil), uint64(0)
		for _, f := range fs {
			if f.tag&facts == 0 && by == nil {
				name, by = definition(f.f)
				tag = f.tag
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
			if out[i] = (tagged{f.f.Subst(s), f.tag}); out[i].f != f.f {
				out[i].tag |= tag
			}
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
			return !u.X.Equal(terms[i].X) && slices.ContainsFunc(u.X.Vars(),
				func(v expr.Variable) bool { return v.Name == name })
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

// tightened returns formulas with the ranges of variables that conditions outside of facts give. Sums of bits then have
// no bits that are 0 in all values. If a range is empty, it returns the tags of the conditions that give it.
func tightened(fs []tagged, facts uint64) (out []tagged, tag uint64, empty bool) {
	ranges := make(map[string]*tightRange)
	for _, f := range fs {
		if f.tag&facts == 0 {
			noteBound(f.f, f.tag, ranges)
		}
	}
	narrow, least := make(map[string]*expr.Int), ""
	for name, r := range ranges {
		if r.v.Lo != nil && r.v.Hi != nil && r.v.Lo.Cmp(r.v.Hi) > 0 && (!empty || name < least) {
			least, tag, empty = name, r.tag, true
		}
		narrow[name] = expr.NewVar(r.v)
	}
	if empty {
		return nil, tag, true
	}
	for _, f := range fs {
		more := f.tag
		g := f.f.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
			if r := ranges[v.Name]; r != nil {
				more |= r.tag
			}
			return narrow[v.Name]
		}})
		out = append(out, tagged{g, more})
	}
	return out, 0, false
}

// tightRange is a variable with a tightened range, and the tags of the conditions that give it.
type tightRange struct {
	v   expr.Variable
	tag uint64
}

// noteBound notes the bound that a comparison of a variable with a constant gives.
func noteBound(f *expr.Bool, tag uint64, ranges map[string]*tightRange) {
	for _, part := range f.Parts() {
		if f.Kind() == expr.KindAll {
			noteBound(part, tag, ranges)
		}
	}
	if f.Kind() != expr.KindLe && f.Kind() != expr.KindEq {
		return
	}
	k, terms := f.Diff().Linear()
	if len(terms) != 1 || terms[0].X.Op() != expr.OpVar || terms[0].Coef.CmpAbs(bigOne) != 0 {
		return
	}
	r := ranges[terms[0].X.Variable().Name]
	if r == nil {
		r = &tightRange{v: *terms[0].X.Variable()}
		ranges[r.v.Name] = r
	}
	up := terms[0].Coef.Sign() > 0 // v ≤ -k, else v ≥ k
	at := new(big.Int).Set(k)
	if up {
		at.Neg(at)
	}
	if (up || f.Kind() == expr.KindEq) && (r.v.Hi == nil || r.v.Hi.Cmp(at) > 0) {
		r.v.Hi, r.tag = at, r.tag|tag
	}
	if (!up || f.Kind() == expr.KindEq) && (r.v.Lo == nil || r.v.Lo.Cmp(at) < 0) {
		r.v.Lo, r.tag = at, r.tag|tag
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
	case expr.OpAnd, expr.OpOr, expr.OpXor, expr.OpShr, expr.OpWrap, expr.OpDiv, expr.OpRem, expr.OpLen, expr.OpOnes,
		expr.OpFlip:
		return true
	}
	_, terms := x.Linear()
	return x.Op() == expr.OpSum && slices.ContainsFunc(terms, func(t expr.Term) bool { return bitsOf(t.X) }) ||
		slices.ContainsFunc(x.Args(), bitsOf)
}

// The search for a witness by fixing values of variables that occur in products.

package solve

import (
	"context"
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// maxFixed limits how many variables are fixed at a time.
const maxFixed = 4

// niceValues are the values that are tried.
var niceValues = []int64{1, 4, 2, 16, 3, 64}

// concretise tries values for the query's variable with the most products, then for the next one, until the rest is
// linear enough. It spends at most the given work.
func (a *attempt) concretise(ctx context.Context, fixed []tagged, limit int64) (status, error) {
	v := a.mostMultiplied()
	if v == nil || len(fixed) == maxFixed {
		return gaveUp, nil
	}
	for _, k := range niceValues {
		value := big.NewInt(k)
		if v.Lo != nil && value.Cmp(v.Lo) < 0 || v.Hi != nil && value.Cmp(v.Hi) > 0 {
			continue
		}
		if a.work >= limit {
			return gaveUp, nil
		}
		more := append(fixed[:len(fixed):len(fixed)], tagged{f: expr.Eq(expr.NewVar(*v), expr.Big(value))})
		a.translate(ctx, more)
		if a.t.tooLarge() {
			return gaveUp, ctx.Err()
		}
		st, err := a.linear(ctx, a.budget/32)
		if st == gaveUp && err == nil {
			st, err = a.concretise(ctx, more, limit)
		}
		if err != nil || st == found {
			return st, err
		}
	}
	return gaveUp, nil
}

// mostMultiplied returns the query's variable that occurs in the most products, preferring uniform ones, or nil.
func (a *attempt) mostMultiplied() *expr.Variable {
	count := make(map[int32]int)
	for _, m := range a.t.products {
		count[m.a]++
		count[m.b]++
	}
	fs := make([]*expr.Bool, len(a.fs))
	for i, f := range a.fs {
		fs[i] = f.f
	}
	var best *expr.Variable
	most := 0
	for _, v := range expr.Vars(nil, fs) {
		n := count[a.t.idOf(&v)]
		if v.Uniform {
			n *= 1000
		}
		if n > most {
			best, most = &v, n
		}
	}
	return best
}

// idOf returns the problem's variable for a variable of the query, or -1.
func (t *translator) idOf(v *expr.Variable) int32 {
	if id, ok := t.ints[v.Name]; ok && !v.Bool {
		return id
	}
	return -1
}

// Accesses at an address that is chosen from several: one item for each.

package kernel

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
)

// maxChoices limits the addresses that one access may choose from.
const maxChoices = 8

// choices returns an access as several, each under the condition that its address is chosen, if the address is one of
// several with different bases. Atomic and strong accesses stay whole: what they order depends on one address.
func (b *Builder) choices(x *symbolic.Access) []*symbolic.Access {
	if x.Atomic() || x.Inst.Strong() || x.Async || x.Copy || x.Bulk || !b.Takes(chosenAddresses) {
		return []*symbolic.Access{x}
	}
	list := b.choose(x)
	if len(list) > maxChoices {
		return []*symbolic.Access{x}
	}
	if len(list) > 1 {
		b.Applies(chosenAddresses)
	}
	return list
}

func (b *Builder) choose(x *symbolic.Access) []*symbolic.Access {
	if x.Addr.IsUnknown() || b.objectOf(x).Base != "" {
		return []*symbolic.Access{x}
	}
	k, terms := x.Addr.Linear()
	for i, t := range terms {
		if t.X.Op() != expr.OpIte || t.Coef.Cmp(big.NewInt(1)) != 0 || !slices.ContainsFunc(t.X.Vars(), b.pointerLike) {
			continue
		}
		rest := expr.Big(k)
		for j, o := range terms {
			if j != i {
				rest = expr.Add(rest, expr.Mul(expr.Big(o.Coef), o.X))
			}
		}
		var out []*symbolic.Access
		for side, c := range []*expr.Bool{t.X.Cond(), expr.Not(t.X.Cond())} {
			y := *x
			y.Addr, y.Cond = expr.Add(rest, t.X.Args()[side]), expr.All(x.Cond, c)
			if y.Cond == expr.False {
				continue
			}
			if out = append(out, b.choose(&y)...); len(out) > maxChoices {
				break
			}
		}
		return out
	}
	return []*symbolic.Access{x}
}

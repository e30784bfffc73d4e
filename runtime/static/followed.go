// Values of arguments that the reader of host code has not followed: a race that needs one of them is not certain.

package static

import (
	"fmt"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// onlyFollowed opens a racy pair whose addresses or conditions depend on a parameter to which host code gives a value that its
// reader has not followed: the program may never pass the value that the witness has.
func (a *analysis) onlyFollowed(p *Pair, x, y *item) {
	if p.Verdict != Racy || a.given.Site == "" {
		return
	}
	for _, v := range expr.Vars([]*expr.Int{x.acc.Addr, y.acc.Addr}, []*expr.Bool{x.acc.Cond, y.acc.Cond}) {
		if param, numeric := a.numeric(v.Name); numeric && !a.given.Defines(v.Name) {
			p.open(fmt.Sprintf("the race depends on %s, of which the value at the launch was not followed", param))
			return
		}
	}
}

// numeric returns the parameter that a variable of formulas stands for, if it is a number for these accesses and not a pointer.
func (a *analysis) numeric(name string) (facts.Param, bool) {
	param, ok := facts.ParamOf(name)
	if !ok {
		return param, false
	}
	return param, !a.isPointer(param)
}

// What allocations hold: in every execution, or in some executions that there are for certain.

package host

import (
	"github.com/ptxsan/ptxsan/passes/hgrd/expr"
	"github.com/ptxsan/ptxsan/passes/hgrd/facts"
)

// writes forgets what the allocations hold that an expression which is stored to may lead to: host code writes to managed
// memory by itself.
func (x *executor) writes(to *node) {
	names := make(map[string]bool)
	mentioned(to, names)
	for name := range names {
		if v := x.lookup(name); v != nil {
			x.touched([]value{x.st.values[v]})
			x.handsOut(x.st.values[v])
		}
	}
}

// writesIn is writes for all that statements store to by way of pointers.
func (x *executor) writesIn(list []*stmt) {
	walk(list, func(n *node) {
		if to := n.x; to != nil && (n.kind == exAssign || (n.kind == exUnary || n.kind == exPostfix) && (n.op == "++" || n.op == "--")) && to.kind != exName {
			x.writes(to)
		}
	})
}

// firstRound says of a loop's body, before which the state was another, what allocations hold in the first round: what the
// state says, when the variables have the values that it says.
func (x *executor) firstRound(before *state, at token) {
	if len(before.init) == 0 {
		return
	}
	var when []facts.Condition
	for _, v := range x.ordered(x.st.values) {
		then := before.values[v]
		if then.empty() || x.st.values[v].equal(then) {
			continue
		}
		now := x.read(v)
		if now.num == nil || then.num == nil || now.num.IsUnknown() || then.num.IsUnknown() {
			return // what the first round begins with is no condition
		}
		when = append(when, facts.Condition{That: expr.Eq(now.num, then.num), Class: facts.Bounds, Site: x.pos(at)})
	}
	for b, c := range before.init {
		if _, still := x.st.init[b]; still {
			continue
		}
		x.st.init[b] = c.First(when)
	}
}

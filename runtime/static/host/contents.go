// Contents of allocations: in all executions, or in some that certainly exist.

package host

import (
	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// writes makes the contents of allocations unknown that may be the target of a store: host code writes to managed memory
// directly.
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

// writesIn is writes for all stores through pointers in statements.
func (x *executor) writesIn(list []*stmt) {
	walk(list, func(n *node) {
		if to := n.x; to != nil && (n.kind == exAssign || (n.kind == exUnary || n.kind == exPostfix) && (n.op == "++" || n.op == "--")) && to.kind != exName {
			x.writes(to)
		}
	})
}

// firstRound records for a loop's body the contents of allocations in the first iteration: those of the state before, if the
// variables have the values of that state.
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
			return // the start of the first iteration cannot be expressed as a condition
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

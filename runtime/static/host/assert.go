// Assertions: functions and macros that check conditions.

package host

import (
	"strings"

	"github.com/ptxsan/ptxsan/runtime/static/facts"
)

// Asserting reports whether a function or macro that is not defined in the program checks a condition, by its name.
func Asserting(name string) bool {
	l := strings.ToLower(name)
	return strings.HasSuffix(l, "assert") || strings.HasPrefix(l, "assert") || name == "CHECK" || strings.HasPrefix(name, "CHECK_") || strings.HasPrefix(name, "DCHECK") || strings.HasSuffix(name, "_CHECK") || strings.HasSuffix(name, "_ENFORCE")
}

var comparisons = map[string]string{"EQ": "==", "NE": "!=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}

// assertion assumes the condition of an assertion.
func (x *executor) assertion(name string, n *node) {
	if i := strings.LastIndexByte(name, '_'); i > 0 && comparisons[name[i+1:]] != "" && len(n.args) >= 2 {
		op := comparisons[name[i+1:]]
		c := x.compare(op, x.eval(n.args[0], ""), x.eval(n.args[1], ""))
		x.assume(c, x.textOf(n.args[0])+" "+op+" "+x.textOf(n.args[1]), facts.Asserts, n.at, false)
		return
	}
	x.assume(x.eval(n.args[0], "").bool(), x.textOf(n.args[0]), facts.Asserts, n.at, false)
}

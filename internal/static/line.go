// Source lines of instructions.

package static

import (
	"fmt"
	"strings"
)

// lineKey returns the source line of an access, with the lines at which it was inlined, or an event; "" if there is
// none.
func (a *Access) lineKey() string {
	if a.Event != "" {
		return string(a.Event)
	}
	var b strings.Builder
	for l := a.Inst.Loc; l != nil && l.Line > 0; l = l.InlinedAt {
		fmt.Fprintf(&b, "%s:%d;", l.File, l.Line)
	}
	return b.String()
}

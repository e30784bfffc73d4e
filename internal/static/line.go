// Source lines of instructions.

package static

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/rewrite"
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

// where returns an instruction for a message: its source line, or else its PTX line.
func where(in *rewrite.Inst) string {
	if in == nil {
		return "an unknown place"
	}
	if in.Loc != nil && in.Loc.Line > 0 {
		return fmt.Sprintf("line %d", in.Loc.Line)
	}
	return fmt.Sprintf("PTX line %d", in.Line)
}

// Source lines of instructions.

package static

import (
	"fmt"
	"strings"

	"github.com/ptxsan/ptxsan/rewrite"
)

// lineKey returns the source line of an instruction, with the lines at which it was inlined; "" if there is none.
func lineKey(in *rewrite.Inst) string {
	var b strings.Builder
	for l := in.Loc; l != nil && l.Line > 0; l = l.InlinedAt {
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

// Places of instructions in the source, for messages.

package kernel

import (
	"fmt"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Where returns an instruction for a message: its source line, or else its PTX line.
func Where(in *rewrite.Inst) string {
	if in == nil {
		return "an unknown place"
	}
	if in.Loc != nil && in.Loc.Line > 0 {
		return fmt.Sprintf("line %d", in.Loc.Line)
	}
	return fmt.Sprintf("PTX line %d", in.Line)
}

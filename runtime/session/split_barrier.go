// Hints about barriers whose use is undefined in CUDA C.

package session

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// hint records the barriers of a launch that threads of a block passed at different places, each pair of lines once.
func (r *run) hint(b *boundLaunch, splits []emu.SplitBarrier) {
	for _, x := range splits {
		text := fmt.Sprintf("%s: warps of the block wait at this barrier while others wait at %s: CUDA C leaves that undefined though PTX allows it", hintedPlace(b, x.At), hintedPlace(b, x.Other))
		if !slices.Contains(r.hints, text) {
			r.hints = append(r.hints, text)
		}
	}
}

// hintedPlace returns the source line of an instruction, or else its PTX line.
func hintedPlace(b *boundLaunch, in *rewrite.Inst) string {
	if s := statedSource(in); s != nil {
		own := s.Own()
		return fmt.Sprintf("%s:%d", filepath.Base(own.File), own.Line)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(b.program.Module.AST.File.Name), in.Line)
}

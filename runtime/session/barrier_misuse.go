// Hints about barriers and operations among lanes that are complete although their use is undefined.

package session

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// hint records the misuses of barriers in a launch, each pair of lines once.
func (r *run) hint(b *boundLaunch, misuses []emu.BarrierMisuse) {
	for _, x := range misuses {
		if text := misuseText(b, x); !slices.Contains(r.hints, text) {
			r.hints = append(r.hints, text)
		}
	}
}

func misuseText(b *boundLaunch, x emu.BarrierMisuse) string {
	at := hintedPlace(b, x.At)
	switch x.Kind {
	case emu.SplitBarrier:
		return fmt.Sprintf("%s: warps of the block wait at this barrier while others wait at %s: CUDA C leaves that undefined though PTX allows it", at, hintedPlace(b, x.Other))
	case emu.LeftBarrier:
		return fmt.Sprintf("%s: threads of the block that have passed this barrier exit, while others come to it again: a barrier that not all threads of the block reach is undefined", at)
	}
	if x.At.Instr.Class == isa.ClassBarrier {
		return fmt.Sprintf("%s: threads of the block go around this barrier, and on at %s: a barrier that not all threads of the block reach is undefined, and may never complete", at, hintedPlace(b, x.Other))
	}
	return fmt.Sprintf("%s: lanes that the mask names go around this operation, and on at %s: the result is undefined, and the other lanes may wait for ever", at, hintedPlace(b, x.Other))
}

// hintedPlace returns the source line of an instruction, or else its PTX line.
func hintedPlace(b *boundLaunch, in *rewrite.Inst) string {
	if s := symbolize.StatedSource(in); s != nil {
		own := s.Own()
		return fmt.Sprintf("%s:%d", filepath.Base(own.File), own.Line)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(b.program.Module.AST.File.Name), in.Line)
}

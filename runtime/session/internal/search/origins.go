// The user's instructions among those of instrumented programs.

package search

import (
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"

	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
)

// UsersOnly returns a filter for the user's instructions, without those that detectors' passes have inserted. It
// returns nil for detectors that listen, for which nothing is inserted.
func UsersOnly(dets []*detectors.Detector) func(*rewrite.Inst) bool {
	if len(dets) == 0 || dets[0].Listens() {
		return nil
	}
	return func(in *rewrite.Inst) bool { return symbolize.UserLine(in) != 0 }
}

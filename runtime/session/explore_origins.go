// The user's instructions among those of instrumented programs.

package session

import "github.com/ptxsan/ptxsan/rewrite"

// usersOnly returns a filter for the user's instructions, without those that detectors' passes have inserted. It returns nil for
// detectors that listen, for which nothing is inserted.
func usersOnly(dets []*Detector) func(*rewrite.Inst) bool {
	if len(dets) == 0 || dets[0].Listens() {
		return nil
	}
	return func(in *rewrite.Inst) bool { return userLine(in) != 0 }
}

// userLine returns the line of an instruction in the user's program, 0 for one that a pass has inserted.
func userLine(in *rewrite.Inst) int { return in.Func.Module.Origin(in.Line).Line }

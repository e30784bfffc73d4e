// Which instructions of the programs that an exploration runs are the user's.

package session

import "github.com/ptxsan/ptxsan/rewrite"

// usersOnly is a filter that passes the user's instructions, not those that the detectors' passes have inserted. It is nil for detectors that
// listen, since nothing is inserted for them.
func usersOnly(dets []*Detector) func(*rewrite.Inst) bool {
	if len(dets) == 0 || dets[0].Listens() {
		return nil
	}
	return func(in *rewrite.Inst) bool { return userLine(in) != 0 }
}

// userLine is the line of an instruction in the user's program, 0 for one that a pass has inserted.
func userLine(in *rewrite.Inst) int { return in.Func.Module.Origin(in.Line).Line }

// Which instructions of the programs that an exploration runs are the user's.

package session

import "github.com/ptxsan/ptxsan/rewrite"

// ownedBy tells the user's instructions from those that the passes of the detectors have inserted; nil where detectors listen, and all
// instructions are the user's.
func ownedBy(dets []*Detector) func(*rewrite.Inst) bool {
	if len(dets) == 0 || dets[0].Listens() {
		return nil
	}
	return func(in *rewrite.Inst) bool { return userLine(in) != 0 }
}

// userLine is the line of an instruction in the user's program, 0 for one that a pass has inserted.
func userLine(in *rewrite.Inst) int { return in.Func.Module.Origin(in.Line).Line }

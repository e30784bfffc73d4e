// Turns: the rounds of loops between a barrier and what comes behind it.

package symbolic

import "github.com/ptxsan/ptxsan/rewrite"

// Where an access is made, counted in rounds of a loop from a barrier on. The last three are about
// asynchronous copies that are in flight at the barrier.
const (
	turnNone          uint8 = iota // in the round of the barrier
	turnOne                        // in the next round
	turnMany                       // in a round that is not known
	turnOut                        // outside: the thread has not entered the loop since the barrier
	turnFirst                      // in the first round: the thread has entered the loop since the barrier
	turnSecond                     // in the second round after that
	turnLeft                       // behind the loop, which the thread left in the round of the barrier
	turnLeftNext                   // behind the loop, which the thread left in the next round
	turnBefore                     // the copy was issued in the round before that of the barrier
	turnEntered                    // the copy was issued before the loop, and the barrier is in the loop's first round
	turnEnteredSecond              // the copy was issued before the loop, and the barrier is in its second round
	maxTurns          = 4
)

// turned counts an edge: into a loop, around it, or out of it.
func (b *Barriers) turned(start int, f *Frame, from, to *rewrite.Block, turns [maxTurns]uint8) [maxTurns]uint8 {
	for i, l := range b.starts[start].loops {
		if i == maxTurns {
			break
		}
		switch {
		case l.Frame != f:
		case l.Loop.Header == to:
			turns[i] = nextTurn(turns[i], f.inLoop(from, l.Loop))
		case turns[i] <= turnOne && f.inLoop(from, l.Loop) && !f.inLoop(to, l.Loop):
			turns[i] += turnLeft
		}
	}
	return turns
}

// nextTurn returns the count behind an edge to the header of a loop, from inside it or not.
func nextTurn(t uint8, inside bool) uint8 {
	switch {
	case !inside:
		return turnFirst
	case t == turnNone:
		return turnOne
	case t == turnFirst:
		return turnSecond
	}
	return turnMany
}

// goesOn reports whether a thread has begun the round of a loop behind that of the barrier.
func goesOn(turn uint8) bool { return turn == turnOne || turn == turnLeftNext }

// ahead returns how many rounds behind that of the barrier a thread is, or was when it left the loop.
func ahead(turn uint8) (int64, bool) {
	switch turn {
	case turnNone, turnLeft:
		return 0, true
	case turnOne, turnLeftNext:
		return 1, true
	case turnBefore:
		return -1, true
	}
	return 0, false
}

// roundOf returns the round of a loop that was entered since the barrier, or since a copy was issued.
func roundOf(turn uint8) (int64, bool) {
	return int64(turn) - int64(turnFirst), turn == turnFirst || turn == turnSecond
}

// entered returns the round of a loop in which a barrier is, when that is known of a copy that was issued before the loop.
func entered(turn uint8) (int64, bool) {
	return int64(turn) - int64(turnEntered), turn == turnEntered || turn == turnEnteredSecond
}

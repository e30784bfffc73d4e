// Turns: the iterations of loops between a barrier and a later instruction.

package intervals

import (
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Position of an access, counted in iterations of a loop since a barrier. Those from turnBefore on are for asynchronous
// copies that are in flight at the barrier.
const (
	turnNone     uint8                   = iota // in the iteration of the barrier
	turnOne                                     // in the next iteration
	turnMany                                    // in an unknown iteration
	turnOut                                     // outside: the thread has not entered the loop since the barrier
	turnFirst                                   // in the first iteration: the thread has entered the loop since the barrier
	turnSecond                                  // in the second iteration after that
	turnLeft                                    // behind the loop, which the thread left in the iteration of the barrier
	turnLeftNext                                // behind the loop, which the thread left in the next iteration
	turnBefore                                  // turnBefore + n: the copy was issued n + 1 iterations before that of the barrier
	turnEntered  = turnBefore + maxAhead        // turnEntered + n: the copy was issued before the loop, and the barrier is in iteration n
	maxTurns     = 4
	maxAhead     = 6 // iterations since a copy that are counted
)

// turned updates the counts for an edge that enters, repeats or leaves loops.
func (b *Barriers) turned(
	start int, f *symbolic.Frame, from, to *rewrite.Block, turns [maxTurns]uint8,
) [maxTurns]uint8 {
	for i, l := range b.starts[start].loops {
		if i == maxTurns {
			break
		}
		switch {
		case l.Frame != f:
		case l.Loop.Header == to:
			turns[i] = nextTurn(turns[i], f.InLoop(from, l.Loop))
		case turns[i] <= turnOne && f.InLoop(from, l.Loop) && !f.InLoop(to, l.Loop):
			turns[i] += turnLeft
		}
	}
	return turns
}

// nextTurn returns the count after an edge to the header of a loop, from inside it or not.
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

// goesOn reports whether a thread has begun the iteration after that of the barrier.
func goesOn(turn uint8) bool { return turn == turnOne || turn == turnLeftNext }

// ahead returns how many iterations after that of the barrier a thread is, or was when it left the loop.
func ahead(turn uint8) (int64, bool) {
	switch turn {
	case turnNone, turnLeft:
		return 0, true
	case turnOne, turnLeftNext:
		return 1, true
	}
	if turn >= turnBefore && turn < turnEntered {
		return int64(turnBefore) - int64(turn) - 1, true
	}
	return 0, false
}

// roundOf returns the iteration of a loop that was entered since the barrier.
func roundOf(turn uint8) (int64, bool) {
	return int64(turn) - int64(turnFirst), turn == turnFirst || turn == turnSecond
}

// entered returns the iteration of the barrier in a loop that was entered after a copy was issued, if known.
func entered(turn uint8) (int64, bool) {
	return int64(turn) - int64(turnEntered), turn >= turnEntered
}

// What threads find when they poll, from the emulator to the detector.

package enforced

import (
	"math/bits"
	"sync"
)

// Step is what lanes of a warp find in memory before a strong load or store, and the condition of a wait if it polls.
type Step struct {
	Block uint64
	Warp  uint32
	Site  uint32
	Mask  uint32
	// Of the lanes of Mask, in order:
	Found  []uint64   // in memory, if the lane is in Known
	Inputs [][]uint64 // of the condition
	Known  uint32

	Condition *Condition // nil for a store

	left uint32 // lanes of which it has not been taken
}

// of returns what a lane has found, and the inputs of its condition.
func (s *Step) of(lane int) (found uint64, inputs []uint64, known bool) {
	n := bits.OnesCount32(s.Mask & (1<<lane - 1))
	if s.Inputs != nil {
		inputs = s.Inputs[n]
	}
	return s.Found[n], inputs, s.Known>>lane&1 != 0
}

// Of returns what a lane has found, if that is known.
func (s *Step) Of(lane int) (found uint64, known bool) {
	if s == nil {
		return 0, false
	}
	found, _, known = s.of(lane)
	return found, known
}

// Polls passes steps to a detector that may run on another goroutine than the emulator, behind it.
type Polls struct {
	mu    sync.Mutex
	steps map[warp][]*Step // that have not been taken, in order
	over  bool             // none will be taken any more
}

// warp is a warp of a grid. Grids that threads launch come in between as a whole.
type warp struct {
	block  uint64
	number uint32
}

// Put adds a step, before the access of the instruction reaches the detector.
func (q *Polls) Put(s *Step) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over {
		return
	}
	if q.steps == nil {
		q.steps = make(map[warp][]*Step)
	}
	w := warp{s.Block, s.Warp}
	s.left = s.Mask
	q.steps[w] = append(q.steps[w], s)
}

// take returns the step of an access of lanes, nil if there was none. It forgets the steps before it. A generic access
// to several spaces takes one step for each of them.
func (q *Polls) take(block uint64, number, site, mask uint32) *Step {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := warp{block, number}
	for list := q.steps[w]; len(list) > 0; list = list[1:] {
		s := list[0]
		if s.Site != site || mask&^s.left != 0 {
			continue
		}
		if s.left &^= mask; s.left == 0 {
			list = list[1:]
		}
		q.steps[w] = list
		return s
	}
	delete(q.steps, w)
	return nil
}

// reset forgets all steps, at the beginning of a launch.
func (q *Polls) reset() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.steps, q.over = nil, false
}

// stop forgets all steps, and does not keep further ones.
func (q *Polls) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.steps, q.over = nil, true
}

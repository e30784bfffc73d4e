// Barriers of a block whose threads arrive with a count.

package phases

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

const (
	namedBarriers = 16 // of a block
	allLanes      = 1<<abi.WarpLanes - 1
)

// barrierID identifies a barrier of a block by the number of the block.
type barrierID struct{ block, id uint32 }

// named is a barrier that threads arrive at with a count.
type named struct {
	token  thread
	before *phase // the latest complete phase, nil for none that may be mistaken
	now    phase
	masks  [abi.WarpLanes]uint32 // lanes of each warp that have arrived
	live   [abi.WarpLanes]uint32 // lanes that had not exited when the warp's latest lanes arrived
	counts [2]uint32             // the least and the greatest count
}

// displacesThread is the text for an arrival at a barrier of a block that may come early.
const displacesThread = "{seed} may arrive at the barrier before {sink} has, in place of another thread of the phase " +
	"before: the thread does not wait for that phase"

// arrive handles arrivals of lanes. Those without a count matter at a barrier where there have been some with one.
func (s *State) arrive(ev *abi.Event) {
	if ev.Expected == 0 && len(s.named) == 0 {
		return
	}
	k := barrierID{s.ops.BlockOf(ev.Block).Number, ev.Barrier}
	b := s.named[k]
	switch {
	case b == nil && ev.Expected == 0:
		return
	case b == nil:
		b = &named{token: s.token(s.ops.UnsplitWarp(ev))}
		s.named[k] = b
	}
	s.ops.Tick()
	w := s.ops.UnsplitWarp(ev)
	w.Touched |= ev.Mask
	s.checkArrival(b, w, ev)
	if len(b.now.list) == 0 {
		b.counts = [2]uint32{ev.Expected, ev.Expected}
	}
	b.now.add(step{w.Unit, ev.Mask, s.ops.Now, ev.Site})
	b.now.site = ev.Site
	b.now.partial = b.now.partial || ev.Live != allLanes // exits count, too
	i := ev.Warp % abi.WarpLanes
	b.counts = [2]uint32{min(b.counts[0], ev.Expected), max(b.counts[1], ev.Expected)}
	b.masks[i], b.live[i] = b.masks[i]|ev.Mask, ev.Live
}

// checkArrival checks that lanes which arrive follow all arrivals of the phase before.
func (s *State) checkArrival(b *named, w *causality.Warp, ev *abi.Event) {
	if b.before == nil {
		return
	}
	for rest := ev.Mask; rest != 0; {
		lanes := same(w, rest)
		rest &^= lanes
		c := w.Of(bits.TrailingZeros32(lanes))
		if sink, ok := b.before.knows(b.token, c, w.Unit, lanes, s.ops.Now); !ok {
			s.fails(ev.Site, sink, displacesThread)
		}
	}
}

// complete handles the end of a phase.
func (s *State) complete(ev *abi.Event) {
	if len(s.named) == 0 {
		return
	}
	b := s.named[barrierID{s.ops.BlockOf(ev.Block).Number, ev.Barrier}]
	if b == nil {
		return
	}
	if ev.Expected != 0 && (b.counts[0] != b.counts[1] || b.arrived() != ev.Expected) {
		s.leaves("a barrier of a block with different counts, or with threads that exit")
	}
	s.ops.Tick()
	b.before = &phase{steps: b.now.steps, partial: b.now.partial, site: b.now.site, learned: s.ops.Now}
	b.now, b.masks, b.live = phase{}, [abi.WarpLanes]uint32{}, [abi.WarpLanes]uint32{}
}

// arrived returns the number of threads that have arrived. The first lane of a warp that has not exited stands for
// those that have.
func (b *named) arrived() (n uint32) {
	for i, mask := range b.masks {
		if n += uint32(bits.OnesCount32(mask)); mask&(b.live[i]&-b.live[i]) != 0 {
			n += uint32(bits.OnesCount32(^b.live[i] &^ mask))
		}
	}
	return n
}

// pass handles lanes that have waited for a phase.
func (s *State) pass(ev *abi.Event) {
	if len(s.named) == 0 {
		return
	}
	if b := s.named[barrierID{s.ops.BlockOf(ev.Block).Number, ev.Barrier}]; b != nil && b.before != nil {
		s.ops.UnsplitWarp(ev).Learn(&s.ops.Merges, ev.Mask, ev.Live, b.before.known(b.token))
	}
}

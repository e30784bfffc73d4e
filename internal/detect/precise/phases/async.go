// Asynchronous operations that complete on mbarriers.

package phases

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// operation identifies an asynchronous operation of a lane.
type operation struct {
	by     thread
	number uint64
}

// begun is the beginning of an asynchronous operation: what precedes it.
type begun struct {
	clock  *clock
	at     stamp
	landed bool // it has completed on some mbarrier; a copy to several blocks completes in each of them
}

// manyBegun is the number of operations from which on those that have completed somewhere are forgotten.
const manyBegun = 1 << 14

// Begin records that lanes of a warp begin an operation.
func (s *State) Begin(w *causality.Warp, number uint64, mask uint32) {
	if len(s.began) >= manyBegun {
		s.forget()
	}
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros32(mask)
		k := operation{thread{Unit: w.Unit, Lane: uint8(i)}, number}
		if s.began[k] == nil {
			s.began[k] = &begun{clock: w.Of(i), at: s.ops.Now}
		}
	}
}

// forget drops operations that have completed on some mbarrier.
func (s *State) forget() {
	for k, x := range s.began {
		if x.landed {
			delete(s.began, k)
		}
	}
}

// landed handles an operation that completes on an mbarrier: tcgen05.commit by an arrival, others by bytes.
func (s *State) landed(ev *abi.Event) {
	w, i := s.ops.UnsplitWarp(ev), bits.TrailingZeros32(ev.Mask)
	o := s.objects[address{w.At.ClusterKey(), ev.Signal}]
	if o == nil {
		return
	}
	s.ops.Tick()
	e := effect{warp: w, lanes: ev.Mask, site: ev.Site, later: true, silent: true}
	if x := s.began[operation{thread{Unit: w.Unit, Lane: uint8(i)}, ev.Op}]; x != nil {
		e.clock, e.at, x.landed = x.clock, x.at, true
	}
	if ev.Async == abi.AsyncTensor {
		e.arrivals = 1
	} else {
		e.completed = int64(ev.Bytes)
	}
	s.reach(o, ev.Phases>>i&1)
	s.takes(o, &e)
}

// The state of a launch's barriers, and the dispatch of events.

package phases

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/operations"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// State holds the barriers of a launch. Phases with effects of which it is not known what precedes them, and those that
// may differ in other schedules, are recorded as reasons.
type State struct {
	ops       *operations.State
	tokens    map[uint64]*tokens   // by cluster
	markers   map[unit]unit        // by warp
	apart     map[unit]uint32      // lanes of warps that have taken steps since they executed an instruction together
	objects   map[address]*object  // valid mbarriers
	homes     map[uint32][]address // of the mbarriers that a block initialised
	named     map[barrierID]*named // barriers of blocks that have had a count
	began     map[operation]*begun // asynchronous operations that complete on mbarriers
	reasons   map[detect.Dependence]bool
	undecided string
}

// New returns the state at the beginning of a launch.
func New(ops *operations.State) *State {
	return &State{
		ops: ops, tokens: make(map[uint64]*tokens), markers: make(map[unit]unit), apart: make(map[unit]uint32),
		objects: make(map[address]*object), homes: make(map[uint32][]address), named: make(map[barrierID]*named),
		began: make(map[operation]*begun), reasons: make(map[detect.Dependence]bool),
	}
}

// Event handles an event before package operations does.
func (s *State) Event(ev *abi.Event) {
	switch ev.Kind {
	case abi.EventBarrierArrive:
		s.arrive(ev)
	case abi.EventBarrierComplete:
		s.complete(ev)
	case abi.EventBarrierPass:
		s.pass(ev)
	case abi.EventMbarrierInit:
		s.init(ev)
	case abi.EventMbarrierInval:
		s.invalidate(ev)
	case abi.EventMbarrierArrive, abi.EventMbarrierExpect, abi.EventMbarrierComplete, abi.EventMbarrierCopyArrive:
		s.ops.Tick() // the effects are later than whatever their threads have released
		s.affect(ev)
	case abi.EventMbarrierPass:
		s.ops.Tick()
		s.waited(ev)
	case abi.EventAsyncDone:
		s.landed(ev)
	case abi.EventWarpSync:
		s.together(ev)
	case abi.EventAsyncCommit:
		switch ev.Async {
		case abi.AsyncTensor:
			s.Begin(s.ops.UnsplitWarp(ev), ev.Op, ev.Mask)
		case abi.AsyncMatrices:
			s.together(ev) // wgmma is .sync.aligned
		}
	case abi.EventAsyncWait:
		switch ev.Async {
		case abi.AsyncMatrices, abi.AsyncTensorLoads, abi.AsyncTensorStores:
			s.together(ev)
		}
	}
}

// fails records that a phase may be another one in some schedules.
func (s *State) fails(seed, sink uint32, what string) {
	s.reasons[detect.Dependence{On: detect.OnOrder, Seed: seed, Sink: sink, What: what}] = true
}

// leaves records why something has not been found out: the first of several reasons in alphabetical order, so that it
// does not depend on the order of blocks.
func (s *State) leaves(why string) {
	if s.undecided == "" || why < s.undecided {
		s.undecided = why
	}
}

// EndBlock ends the barriers of a block.
func (s *State) EndBlock(number uint32) {
	for _, k := range s.homes[number] {
		if o := s.objects[k]; o != nil && o.home == number {
			s.ends(o)
			delete(s.objects, k)
		}
	}
	delete(s.homes, number)
	if len(s.named) > 0 {
		for id := range uint32(namedBarriers) {
			delete(s.named, barrierID{number, id})
		}
	}
}

// End ends the launch.
func (s *State) End() {
	for _, o := range s.objects {
		s.ends(o)
	}
	s.objects, s.homes, s.named, s.began = nil, nil, nil, nil
}

// Reasons returns the reasons why phases may differ in other schedules, each once and in order of their sites, and why
// some may that are not known to.
func (s *State) Reasons() (list []detect.Dependence, undecided string) {
	for x := range s.reasons {
		list = append(list, x)
	}
	slices.SortFunc(list, func(a, b detect.Dependence) int {
		return cmp.Or(cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Sink, b.Sink), cmp.Compare(a.What, b.What))
	})
	return list, s.undecided
}

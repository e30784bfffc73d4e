// What threads know of barriers: which phases are complete, and who has waited.

package phases

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/operations"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

type (
	unit   = order.Unit
	stamp  = order.Stamp
	thread = order.Thread
	clock  = order.Clock
)

// most is the number of entries of a list of steps. What is beyond is not decided, or known by tokens alone.
const most = 4096

// step is a point in the execution of some lanes of a unit. A clock that includes it is of a later point.
type step struct {
	unit unit
	mask uint32
	at   stamp
	site uint32
}

// steps is a list of steps.
type steps struct {
	list []step
	full bool // some are missing
}

// add adds a step, and returns its index. It replaces an earlier one of the same lanes; lanes of one step are together.
func (s *steps) add(x step) int {
	for i := range s.list {
		e := &s.list[i]
		if e.unit != x.unit {
			continue
		}
		if e.at == x.at && e.site == x.site {
			x.mask |= e.mask
		}
		if e.mask&^x.mask == 0 {
			*e = x
			return i
		}
	}
	if s.full = s.full || len(s.list) == most; !s.full {
		s.list = append(s.list, x)
	}
	return len(s.list) - 1
}

// tokens are units without any accesses, for the threads of one cluster. A clock includes a lane of one up to some time
// if it follows what the lane stands for: the end of a phase, or in the case of markers a step of a lane of a warp.
type tokens struct {
	places []uint32 // numbers of the places of the units
	used   uint32   // units of the last place
	last   thread   // the latest token
}

// unit returns a new unit.
func (t *tokens) unit(ops *operations.State, w *causality.Warp) unit {
	if t.used%order.Radix == 0 {
		t.places, t.used = append(t.places, ops.PlaceFor(w)), 0
	}
	t.used++
	return unit(t.places[len(t.places)-1]<<order.RadixBits | (t.used - 1))
}

// token returns a new token for the cluster of a warp.
func (s *State) token(w *causality.Warp) thread {
	t := s.tokensOf(w)
	if t.last.Unit == 0 || t.last.Lane == order.Radix-1 {
		t.last = thread{Unit: t.unit(s.ops, w)}
	} else {
		t.last.Lane++
	}
	return t.last
}

// tokensOf returns the tokens of the cluster of a warp.
func (s *State) tokensOf(w *causality.Warp) *tokens {
	k := w.At.ClusterKey()
	t := s.tokens[k]
	if t == nil {
		t = new(tokens)
		s.tokens[k] = t
	}
	return t
}

// marker returns the unit whose lanes stand for those of a warp.
func (s *State) marker(w *causality.Warp) unit {
	u, ok := s.markers[w.Unit]
	if !ok {
		u = s.tokensOf(w).unit(s.ops, w)
		s.markers[w.Unit] = u
	}
	return u
}

// marked returns a clock that stands for the step of lanes of a warp at a time, and for what they have done before.
func (s *State) marked(w *causality.Warp, lanes uint32, at stamp) *clock {
	return &clock{Known: vclock.Threads(s.marker(w), lanes, at)}
}

// carried returns what lanes of a warp that have a clock know of phases and of steps of others. It has no accesses.
func (s *State) carried(w *causality.Warp, c *clock) *clock {
	var n *vclock.Clock
	for _, place := range s.tokensOf(w).places {
		n = vclock.Join(n, c.Tree().OfBlock(place))
	}
	return &clock{Known: n}
}

// lacking returns the index of the first step, from one on, that a clock does not include; it is their number if the
// clock includes all. The steps are those of threads, whose releases have them, or their markers.
func (s *State) lacking(of *steps, from int, c *clock) int {
	for i := from; i < len(of.list); i++ {
		x := &of.list[i]
		if c.IncludesAll(x.unit, x.mask, x.at) {
			continue
		}
		marker := s.markers[x.unit]
		for m := x.mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m)
			if !c.Includes(x.unit, lane, x.at) && (marker == 0 || !c.Includes(marker, lane, x.at)) {
				return i
			}
		}
	}
	return len(of.list)
}

// together makes lanes that have executed an instruction together know of each other that they have come there. Not
// all such instructions order accesses, so their releases do not show it.
func (s *State) together(ev *abi.Event) {
	w := s.ops.UnsplitWarp(ev)
	if s.apart[w.Unit]&ev.Mask == 0 || ev.Mask&(ev.Mask-1) == 0 {
		return
	}
	s.apart[w.Unit] &^= ev.Mask
	s.ops.Tick()
	w.Learn(&s.ops.Merges, ev.Mask, ev.Live, s.marked(w, ev.Mask, s.ops.Now))
	s.ops.Tick()
}

// phase is what is needed of a complete phase, or of one in progress.
type phase struct {
	steps
	// partial says that the steps do not show all effects, since some take place later. Who has the token follows all.
	partial bool
	learned stamp // time of the token
	site    uint32
	// silent has the steps of threads whose effects do not release what they have done, and of those whose effects take
	// place at once what they know of phases and steps.
	silent *clock
	passed bool // those who wait from now on acquire the token with the phase
}

// knows reports whether what lanes of a unit do, with a clock and by a time, follows all effects of a phase. If it does
// not, sink is the site of one of these.
func (p *phase) knows(token thread, c *clock, u unit, lanes uint32, at stamp) (sink uint32, ok bool) {
	if c.Includes(token.Unit, int(token.Lane), p.learned) {
		return 0, true
	}
	sink, ok = p.site, !p.partial && !p.full
	for i := range p.list {
		x := &p.list[i]
		mask := x.mask
		if x.unit == u && x.at < at && lanes&(lanes-1) == 0 {
			mask &^= lanes // program order
		}
		if mask != 0 && !c.IncludesAll(x.unit, mask, x.at) {
			return x.site, false
		}
	}
	return sink, ok
}

// known returns what a thread knows that has waited for a phase.
func (p *phase) known(token thread) *clock {
	return p.silent.With(vclock.Threads(token.Unit, 1<<token.Lane, p.learned))
}

// same returns the lanes of a mask that share the clock of the first one.
func same(w *causality.Warp, mask uint32) uint32 {
	if mask&w.Apart == 0 {
		return mask
	}
	return mask & -mask
}

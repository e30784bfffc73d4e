// What threads know of barriers: which phases are complete, and who has waited.

package phases

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/operations"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
	"github.com/ptxsan/ptxsan/internal/vclock"
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

// add adds a step. It replaces an earlier one of the same lanes.
func (s *steps) add(x step) {
	for i := range s.list {
		if e := &s.list[i]; e.unit == x.unit && e.mask&^x.mask == 0 {
			*e = x
			return
		}
	}
	if s.full = s.full || len(s.list) == most; !s.full {
		s.list = append(s.list, x)
	}
}

// lacking returns the first step that a clock does not include, nil if it includes all.
func (s *steps) lacking(c *clock) *step {
	for i := range s.list {
		if x := &s.list[i]; !c.IncludesAll(x.unit, x.mask, x.at) {
			return x
		}
	}
	return nil
}

// tokens are lanes of units without any accesses. A thread has one in its clock when it follows what the token stands
// for.
type tokens struct {
	last    thread
	none    bool // last is not valid
	markers map[unit]unit
}

// token returns a new token, allocated for a warp.
func (t *tokens) token(ops *operations.State, w *causality.Warp) thread {
	if t.none || t.last.Lane == order.Radix-1 {
		t.last, t.none = thread{Unit: ops.NewUnits(w)[0]}, false
	} else {
		t.last.Lane++
	}
	return t.last
}

// marker returns the unit whose lanes stand for the steps of a warp.
func (t *tokens) marker(ops *operations.State, w *causality.Warp) unit {
	u, ok := t.markers[w.Unit]
	if !ok {
		u = ops.NewUnits(w)[0]
		t.markers[w.Unit] = u
	}
	return u
}

// mark makes lanes know that they have come to a step, and returns the step. Unlike the lanes' own accesses, which
// only their releases contain, it is part of all clocks that are taken from theirs.
func (s *State) mark(w *causality.Warp, mask, live, site uint32) step {
	x := step{s.tokens.marker(s.ops, w), mask, s.ops.Now, site}
	w.Learn(&s.ops.Merges, mask, live, &clock{Known: vclock.Threads(x.unit, mask, x.at)})
	return x
}

// phase is what is needed of a complete phase, or of one in progress.
type phase struct {
	steps
	// partial says that not all effects are among the steps: some take place asynchronously, or release nothing. Who
	// has the token follows all.
	partial bool
	learned stamp // time of the token
	site    uint32
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

// learn makes lanes know that a phase is complete.
func (s *State) learn(w *causality.Warp, mask, live uint32, token thread, p *phase) {
	w.Learn(&s.ops.Merges, mask, live, &clock{Known: vclock.Threads(token.Unit, 1<<token.Lane, p.learned)})
}

// same returns the lanes of a mask that share the clock of the first one.
func same(w *causality.Warp, mask uint32) uint32 {
	if mask&w.Apart == 0 {
		return mask
	}
	return mask & -mask
}

// Verification of the engine's state between turns, for tests.

package emu

import (
	"fmt"
	"slices"
)

// A verifier of the engine's state, similar to the sanity checker of go/ssa: after a turn, every live lane of a block
// is in exactly one group or waits at exactly one join, and every join expects exactly the lanes that have not passed
// it. Tests enable it in TestMain. An inconsistency is a bug of the engine, never of the emulated program.

// verifyBlockPeriod is the number of turns after which the other warps of the block and its barriers are verified as
// well.
const verifyBlockPeriod = 8

// verifyTurn panics if the state of a warp or of its block is inconsistent between two turns.
func (x *engine) verifyTurn(w *warp) {
	c := w.cta
	if x.fault != nil || c.live == 0 {
		return // the launch ends, or the block has ended
	}
	err := x.checkJoins(w)
	if err == nil && x.l.turns%verifyBlockPeriod == 0 {
		err = x.checkBlock(c)
	}
	if err != nil {
		panic(fmt.Sprintf("BUG: emu: after turn %d of the launch, of warp %d of block %v: %v", x.l.turns, w.index, c.index, err))
	}
}

// checkBlock returns an error if the state of a block is inconsistent.
func (x *engine) checkBlock(c *cta) error {
	live := 0
	for _, w := range c.warps {
		if err := x.checkJoins(w); err != nil {
			return fmt.Errorf("warp %d: %w", w.index, err)
		}
		live += w.live.count()
	}
	if live != c.live {
		return fmt.Errorf("the block has %d live threads, its warps have %d", c.live, live)
	}
	for id := range c.barriers {
		if err := c.checkBarrier(id); err != nil {
			return fmt.Errorf("barrier %d: %w", id, err)
		}
	}
	return c.cluster.check()
}

// checkJoins returns an error if the groups and joins of a warp are inconsistent.
func (x *engine) checkJoins(w *warp) error {
	v := joinVerifier{warp: w}
	for _, g := range w.groups {
		if err := v.group(g); err != nil {
			return fmt.Errorf("group of lanes 0x%08x at pc %d: %w", g.mask, g.pc, err)
		}
		if err := x.checkState(g); err != nil {
			return fmt.Errorf("group of lanes 0x%08x at pc %d: %w", g.mask, g.pc, err)
		}
	}
	for _, j := range w.joins {
		if err := v.waiting(j); err != nil {
			return fmt.Errorf("join at pc %d: %w", j.pc, err)
		}
	}
	return v.totals()
}

// joinVerifier collects the lanes of one warp.
type joinVerifier struct {
	warp    *warp
	seen    lanes // in groups, or waiting at joins
	active  int   // groups that are not pending
	pending int   // pending groups
	held    []heldJoin
}

// heldJoin is a join and the lanes that have not passed it.
type heldJoin struct {
	join  *join
	lanes lanes
}

// group checks one group that the warp lists.
func (v *joinVerifier) group(g *group) error {
	w := v.warp
	switch {
	case g.warp != w:
		return fmt.Errorf("it is of another warp")
	case g.mask == 0:
		return fmt.Errorf("it has no lanes")
	case g.state == groupGone:
		return fmt.Errorf("it is gone, but listed")
	}
	if g.state == groupPending {
		v.pending++
	} else {
		v.active++
	}
	if err := v.add(g.mask); err != nil {
		return err
	}
	if err := checkFrames(g.frame, g.mask); err != nil {
		return err
	}
	return v.chain(g.join, g.frame, g.mask)
}

// waiting checks the lanes that wait at a join.
func (v *joinVerifier) waiting(j *join) error {
	switch {
	case j.free:
		return fmt.Errorf("it is closed, but listed")
	case j.arrived == 0:
		return fmt.Errorf("it is listed, but nobody waits there")
	case j.frame.warp != v.warp:
		return fmt.Errorf("it is of another warp")
	case j.arrived&^j.expected != 0:
		return fmt.Errorf("lanes 0x%08x wait there that are not expected", j.arrived&^j.expected)
	case j.arrived == j.expected:
		return fmt.Errorf("all expected lanes 0x%08x wait there", j.expected)
	}
	if err := v.add(j.arrived); err != nil {
		return err
	}
	if err := checkFrames(j.frame, j.arrived); err != nil {
		return err
	}
	v.hold(j, j.arrived)
	return v.chain(j.parent, j.frame, j.arrived)
}

// add counts lanes, each of which must be live and in one place only.
func (v *joinVerifier) add(m lanes) error {
	switch {
	case m&^v.warp.live != 0:
		return fmt.Errorf("lanes 0x%08x have exited", m&^v.warp.live)
	case m&v.seen != 0:
		return fmt.Errorf("lanes 0x%08x are in another place as well", m&v.seen)
	}
	v.seen |= m
	return nil
}

// hold records that lanes are expected at j.
func (v *joinVerifier) hold(j *join, m lanes) {
	for i := range v.held {
		if v.held[i].join == j {
			v.held[i].lanes |= m
			return
		}
	}
	v.held = append(v.held, heldJoin{j, m})
}

// maxChain is longer than any chain of joins in tests.
const maxChain = 1 << 20

// chain follows the joins that lanes in an activation are expected at.
func (v *joinVerifier) chain(j *join, f *frame, m lanes) error {
	for n := 0; j != nil; n, j = n+1, j.parent {
		switch {
		case n == maxChain:
			return fmt.Errorf("its chain of joins does not end: it comes to pc %d again", j.pc)
		case j.free:
			return fmt.Errorf("the join at pc %d on its chain is closed", j.pc)
		case m&^j.expected != 0:
			return fmt.Errorf("lanes 0x%08x are not expected at the join at pc %d on their chain", m&^j.expected, j.pc)
		case m&j.arrived != 0:
			return fmt.Errorf("lanes 0x%08x wait at the join at pc %d on their chain already", m&j.arrived, j.pc)
		}
		for f != nil && f != j.frame {
			f = f.caller
		}
		if f == nil {
			return fmt.Errorf("the join at pc %d on its chain is of an activation that does not call this one", j.pc)
		}
		v.hold(j, m)
	}
	return nil
}

// totals checks the sums over all groups and joins.
func (v *joinVerifier) totals() error {
	w := v.warp
	switch {
	case w.live&^w.exists != 0:
		return fmt.Errorf("lanes 0x%08x live that do not exist", w.live&^w.exists)
	case v.seen != w.live:
		return fmt.Errorf("lanes 0x%08x are in no group and wait nowhere", w.live&^v.seen)
	case v.active != w.active:
		return fmt.Errorf("%d groups are not pending, the warp counts %d", v.active, w.active)
	case v.pending != len(w.pending):
		return fmt.Errorf("%d groups are pending, the warp lists %d", v.pending, len(w.pending))
	}
	for _, h := range v.held {
		j := h.join
		if h.lanes != j.expected {
			return fmt.Errorf("the join at pc %d expects lanes 0x%08x, of which 0x%08x are not on their way", j.pc, j.expected, j.expected&^h.lanes)
		}
		if j.arrived != 0 && !slices.Contains(w.joins, j) {
			return fmt.Errorf("lanes 0x%08x wait at the join at pc %d, which is not listed", j.arrived, j.pc)
		}
	}
	return nil
}

// checkFrames returns an error if lanes are in an activation that they have returned from.
func checkFrames(f *frame, m lanes) error {
	for ; f != nil; f = f.caller {
		if gone := m &^ f.live; gone != 0 {
			return fmt.Errorf("lanes 0x%08x have returned from %s", gone, f.fn.src.Name)
		}
	}
	return nil
}

// checkState returns an error if a waiting group is not in the list that corresponds to its state.
func (x *engine) checkState(g *group) error {
	w := g.warp
	want := func(n int, where string) error {
		if n != 1 {
			return fmt.Errorf("it is in the list of %s %d times, expected once", where, n)
		}
		return nil
	}
	is := func(h *group) bool { return h == g }
	switch g.state {
	case groupPending:
		return want(count(w.pending, is), "pending groups")
	case groupSync:
		return want(count(w.syncs, func(s *syncWait) bool { return s.g == g }), "groups in .sync operations")
	case groupBarrier:
		n := count(w.cta.cluster.waiting, is)
		for id := range w.cta.barriers {
			n += count(w.cta.barriers[id].waiting, is)
		}
		return want(n, "groups at barriers")
	case groupParked:
		n := count(x.l.parked, is)
		if g.waitsFor != nil {
			n += count(g.waitsFor.groups, is)
		}
		return want(n, "parked groups")
	}
	return nil
}

// count returns the number of elements of s for which is returns true.
func count[T any](s []T, is func(T) bool) (n int) {
	for _, e := range s {
		if is(e) {
			n++
		}
	}
	return n
}

// checkBarrier returns an error if the counts of a barrier of the block are inconsistent. Lanes that have arrived at a
// barrier without a count and continued are only in its sum.
func (c *cta) checkBarrier(id int) error {
	b := &c.barriers[id]
	came := 0
	for _, g := range b.waiting {
		if g.state != groupBarrier {
			return fmt.Errorf("a group of warp %d is in its list that does not wait at a barrier", g.warp.index)
		}
		came += g.mask.count()
	}
	if b.arrived > 0 {
		for _, m := range b.passedBy {
			came += m.count()
		}
	}
	need := b.need
	if need == 0 {
		need = c.live
	}
	switch {
	case b.arrived > 0 && c.used&(1<<id) == 0:
		return fmt.Errorf("threads have arrived, but it is not marked as used")
	case b.arrived < came:
		return fmt.Errorf("%d threads have arrived, but its list has %d", b.arrived, came)
	case len(b.waiting) > 0 && b.arrived >= need:
		return fmt.Errorf("%d threads have arrived of %d, but it is not complete", b.arrived, need)
	}
	return nil
}

// check returns an error if the counts of the cluster barrier are inconsistent.
func (cl *cluster) check() error {
	live, arrived := 0, 0
	for _, c := range cl.blocks {
		if c == nil {
			continue
		}
		live += c.live
		for _, w := range c.warps {
			if both := w.arrived & w.passed; both != 0 {
				return fmt.Errorf("cluster barrier: lanes 0x%08x of warp %d have arrived and not waited for the phase before", both, w.index)
			}
			arrived += (w.arrived & w.live).count()
		}
	}
	switch {
	case live != cl.live:
		return fmt.Errorf("the cluster has %d live threads, its blocks have %d", cl.live, live)
	case arrived != cl.arrived:
		return fmt.Errorf("cluster barrier: %d threads have arrived, the warps have %d", cl.arrived, arrived)
	}
	for _, g := range cl.waiting {
		if g.state != groupBarrier || g.mask&^g.warp.arrived != 0 {
			return fmt.Errorf("cluster barrier: a group of warp %d waits that has not arrived", g.warp.index)
		}
	}
	return nil
}

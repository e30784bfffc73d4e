// Verification of the engine's state between turns, for tests.

package emu

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/state"
)

// A verifier of the engine's state, similar to the sanity checker of go/ssa: after a turn, every live lane of a block
// is in exactly one group or waits at exactly one join, and every join expects exactly the lanes that have not passed
// it. Tests enable it in TestMain. An inconsistency is a bug of the engine, never of the emulated program.

// verifyBlockPeriod is the number of turns after which the other warps of the block and its barriers are verified as
// well.
const verifyBlockPeriod = 8

// verifyTurn panics if the state of a warp or of its block is inconsistent between two turns.
func checkTurn(x *state.Engine, w *state.Warp) {
	c := w.CTA
	if x.Fault != nil || c.Live == 0 {
		return // the launch ends, or the block has ended
	}
	err := checkJoins(x, w)
	if err == nil && x.L.Turns%verifyBlockPeriod == 0 {
		err = checkBlock(x, c)
	}
	if err != nil {
		panic(fmt.Sprintf("BUG: emu: after turn %d of the launch, of warp %d of block %v: %v", x.L.Turns, w.Index, c.Index, err))
	}
}

// checkBlock returns an error if the state of a block is inconsistent.
func checkBlock(x *state.Engine, c *state.CTA) error {
	live := 0
	for _, w := range c.Warps {
		if err := checkJoins(x, w); err != nil {
			return fmt.Errorf("warp %d: %w", w.Index, err)
		}
		live += w.Live.Count()
	}
	if live != c.Live {
		return fmt.Errorf("the block has %d live threads, its warps have %d", c.Live, live)
	}
	for id := range c.Barriers {
		if err := checkBarrier(c, id); err != nil {
			return fmt.Errorf("barrier %d: %w", id, err)
		}
	}
	return check(c.Cluster)
}

// checkJoins returns an error if the groups and joins of a warp are inconsistent.
func checkJoins(x *state.Engine, w *state.Warp) error {
	v := joinVerifier{warp: w}
	for _, g := range w.Groups {
		if err := v.group(g); err != nil {
			return fmt.Errorf("group of lanes 0x%08x at pc %d: %w", g.Mask, g.PC, err)
		}
		if err := checkState(x, g); err != nil {
			return fmt.Errorf("group of lanes 0x%08x at pc %d: %w", g.Mask, g.PC, err)
		}
	}
	for _, j := range w.Joins {
		if err := v.waiting(j); err != nil {
			return fmt.Errorf("join at pc %d: %w", j.PC, err)
		}
	}
	return v.totals()
}

// joinVerifier collects the lanes of one warp.
type joinVerifier struct {
	warp    *state.Warp
	seen    state.Lanes // in groups, or waiting at joins
	active  int         // groups that are not pending
	pending int         // pending groups
	held    []heldJoin
}

// heldJoin is a join and the lanes that have not passed it.
type heldJoin struct {
	join  *state.Join
	lanes state.Lanes
}

// group checks one group that the warp lists.
func (v *joinVerifier) group(g *state.Group) error {
	w := v.warp
	switch {
	case g.Warp != w:
		return fmt.Errorf("it is of another warp")
	case g.Mask == 0:
		return fmt.Errorf("it has no lanes")
	case g.State == state.GroupGone:
		return fmt.Errorf("it is gone, but listed")
	}
	if g.State == state.GroupPending {
		v.pending++
	} else {
		v.active++
	}
	if err := v.add(g.Mask); err != nil {
		return err
	}
	if err := checkFrames(g.Frame, g.Mask); err != nil {
		return err
	}
	return v.chain(g.Join, g.Frame, g.Mask)
}

// waiting checks the lanes that wait at a join.
func (v *joinVerifier) waiting(j *state.Join) error {
	switch {
	case j.Free:
		return fmt.Errorf("it is closed, but listed")
	case j.Arrived == 0:
		return fmt.Errorf("it is listed, but nobody waits there")
	case j.Frame.Warp != v.warp:
		return fmt.Errorf("it is of another warp")
	case j.Arrived&^j.Expected != 0:
		return fmt.Errorf("lanes 0x%08x wait there that are not expected", j.Arrived&^j.Expected)
	case j.Arrived == j.Expected:
		return fmt.Errorf("all expected lanes 0x%08x wait there", j.Expected)
	}
	if err := v.add(j.Arrived); err != nil {
		return err
	}
	if err := checkFrames(j.Frame, j.Arrived); err != nil {
		return err
	}
	v.hold(j, j.Arrived)
	return v.chain(j.Parent, j.Frame, j.Arrived)
}

// add counts lanes, each of which must be live and in one place only.
func (v *joinVerifier) add(m state.Lanes) error {
	switch {
	case m&^v.warp.Live != 0:
		return fmt.Errorf("lanes 0x%08x have exited", m&^v.warp.Live)
	case m&v.seen != 0:
		return fmt.Errorf("lanes 0x%08x are in another place as well", m&v.seen)
	}
	v.seen |= m
	return nil
}

// hold records that lanes are expected at j.
func (v *joinVerifier) hold(j *state.Join, m state.Lanes) {
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
func (v *joinVerifier) chain(j *state.Join, f *state.Frame, m state.Lanes) error {
	for n := 0; j != nil; n, j = n+1, j.Parent {
		switch {
		case n == maxChain:
			return fmt.Errorf("its chain of joins does not end: it comes to pc %d again", j.PC)
		case j.Free:
			return fmt.Errorf("the join at pc %d on its chain is closed", j.PC)
		case m&^j.Expected != 0:
			return fmt.Errorf("lanes 0x%08x are not expected at the join at pc %d on their chain", m&^j.Expected, j.PC)
		case m&j.Arrived != 0:
			return fmt.Errorf("lanes 0x%08x wait at the join at pc %d on their chain already", m&j.Arrived, j.PC)
		}
		for f != nil && f != j.Frame {
			f = f.Caller
		}
		if f == nil {
			return fmt.Errorf("the join at pc %d on its chain is of an activation that does not call this one", j.PC)
		}
		v.hold(j, m)
	}
	return nil
}

// totals checks the sums over all groups and joins.
func (v *joinVerifier) totals() error {
	w := v.warp
	switch {
	case w.Live&^w.Exists != 0:
		return fmt.Errorf("lanes 0x%08x live that do not exist", w.Live&^w.Exists)
	case v.seen != w.Live:
		return fmt.Errorf("lanes 0x%08x are in no group and wait nowhere", w.Live&^v.seen)
	case v.active != w.Active:
		return fmt.Errorf("%d groups are not pending, the warp counts %d", v.active, w.Active)
	case v.pending != len(w.Pending):
		return fmt.Errorf("%d groups are pending, the warp lists %d", v.pending, len(w.Pending))
	}
	for _, h := range v.held {
		j := h.join
		if h.lanes != j.Expected {
			return fmt.Errorf("the join at pc %d expects lanes 0x%08x, of which 0x%08x are not on their way", j.PC, j.Expected, j.Expected&^h.lanes)
		}
		if j.Arrived != 0 && !slices.Contains(w.Joins, j) {
			return fmt.Errorf("lanes 0x%08x wait at the join at pc %d, which is not listed", j.Arrived, j.PC)
		}
	}
	return nil
}

// checkFrames returns an error if lanes are in an activation that they have returned from.
func checkFrames(f *state.Frame, m state.Lanes) error {
	for ; f != nil; f = f.Caller {
		if gone := m &^ f.Live; gone != 0 {
			return fmt.Errorf("lanes 0x%08x have returned from %s", gone, f.Fn.Src.Name)
		}
	}
	return nil
}

// checkState returns an error if a waiting group is not in the list that corresponds to its state.
func checkState(x *state.Engine, g *state.Group) error {
	w := g.Warp
	want := func(n int, where string) error {
		if n != 1 {
			return fmt.Errorf("it is in the list of %s %d times, expected once", where, n)
		}
		return nil
	}
	is := func(h *state.Group) bool { return h == g }
	switch g.State {
	case state.GroupPending:
		return want(count(w.Pending, is), "pending groups")
	case state.GroupSync:
		return want(count(w.Syncs, func(s *state.SyncWait) bool { return s.G == g }), "groups in .sync operations")
	case state.GroupBarrier:
		n := count(w.CTA.Cluster.Waiting, is)
		for id := range w.CTA.Barriers {
			n += count(w.CTA.Barriers[id].Waiting, is)
		}
		return want(n, "groups at barriers")
	case state.GroupParked:
		n := count(x.L.Parked, is)
		if g.WaitsFor != nil {
			n += count(g.WaitsFor.Groups, is)
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
func checkBarrier(c *state.CTA, id int) error {
	b := &c.Barriers[id]
	came := 0
	for _, g := range b.Waiting {
		if g.State != state.GroupBarrier {
			return fmt.Errorf("a group of warp %d is in its list that does not wait at a barrier", g.Warp.Index)
		}
		came += g.Mask.Count()
	}
	if b.Arrived > 0 {
		for _, m := range b.PassedBy {
			came += m.Count()
		}
	}
	need := b.Need
	if need == 0 {
		need = c.Live
	}
	switch {
	case b.Arrived > 0 && c.Used&(1<<id) == 0:
		return fmt.Errorf("threads have arrived, but it is not marked as used")
	case b.Arrived < came:
		return fmt.Errorf("%d threads have arrived, but its list has %d", b.Arrived, came)
	case len(b.Waiting) > 0 && b.Arrived >= need:
		return fmt.Errorf("%d threads have arrived of %d, but it is not complete", b.Arrived, need)
	}
	return nil
}

// check returns an error if the counts of the cluster barrier are inconsistent.
func check(cl *state.Cluster) error {
	live, arrived := 0, 0
	for _, c := range cl.Blocks {
		if c == nil {
			continue
		}
		live += c.Live
		for _, w := range c.Warps {
			if both := w.Arrived & w.Passed; both != 0 {
				return fmt.Errorf("cluster barrier: lanes 0x%08x of warp %d have arrived and not waited for the phase before", both, w.Index)
			}
			arrived += (w.Arrived & w.Live).Count()
		}
	}
	switch {
	case live != cl.Live:
		return fmt.Errorf("the cluster has %d live threads, its blocks have %d", cl.Live, live)
	case arrived != cl.Arrived:
		return fmt.Errorf("cluster barrier: %d threads have arrived, the warps have %d", cl.Arrived, arrived)
	}
	for _, g := range cl.Waiting {
		if g.State != state.GroupBarrier || g.Mask&^g.Warp.Arrived != 0 {
			return fmt.Errorf("cluster barrier: a group of warp %d waits that has not arrived", g.Warp.Index)
		}
	}
	return nil
}

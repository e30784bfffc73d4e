package emu

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/rewrite"
)

// verified is the state of a block with one warp in the middle of a kernel: lanes 0 to 7
// wait at a join where all lanes are expected, 8 to 15 at one of the inner branch, 16 to
// 19 are ready, 20 to 23 at barrier 1, 24 to 27 in a .sync operation, 28 to 31 are parked.
// All but the first are within the call of a function.
type verified struct {
	x                           *state.Engine
	c                           *state.CTA
	w                           *state.Warp
	ready, barrier, sync, spins *state.Group
	outer, inner                *state.Join
}

func newVerified() *verified {
	fn := &state.Function{Src: &rewrite.Func{Name: "f"}}
	c := &state.CTA{Live: state.WarpSize, Used: 2}
	w := &state.Warp{CTA: c, Exists: state.AllLanes, Live: state.AllLanes}
	c.Warps, c.Cluster = []*state.Warp{w}, &state.Cluster{Blocks: []*state.CTA{c}, Live: state.WarpSize}
	s := &verified{x: &state.Engine{L: &state.Launch{}}, c: c, w: w}
	kernel := &state.Frame{Fn: fn, Warp: w, Live: state.AllLanes}
	callee := &state.Frame{Fn: fn, Warp: w, Live: state.AllLanes &^ 0xff, Caller: kernel}
	s.outer = &state.Join{Frame: kernel, PC: 9, Expected: state.AllLanes, Arrived: 0xff}
	s.inner = &state.Join{Frame: callee, PC: 5, Expected: state.AllLanes &^ 0xff, Arrived: 0xff00, Parent: s.outer}
	w.Joins = []*state.Join{s.outer, s.inner}
	for i, g := range []**state.Group{&s.ready, &s.barrier, &s.sync, &s.spins} {
		st := []state.GroupState{state.GroupReady, state.GroupBarrier, state.GroupSync, state.GroupParked}[i]
		*g = &state.Group{Warp: w, Frame: callee, Join: s.inner, PC: 3, Mask: 0xf << (16 + 4*i), State: st}
		w.Groups = append(w.Groups, *g)
	}
	w.Active = len(w.Groups)
	w.Syncs = []*state.SyncWait{{G: s.sync}}
	s.x.L.Parked = []*state.Group{s.spins}
	c.Barriers[1] = state.Barrier{Arrived: 4, Waiting: []*state.Group{s.barrier}}
	return s
}

// TestVerifier: every inconsistency of groups, joins or barriers is found.
func TestVerifier(t *testing.T) {
	for _, c := range []struct {
		name, want string
		breaks     func(s *verified)
	}{
		{"nothing", "", func(*verified) {}},
		{"foreign group", "another warp", func(s *verified) { s.ready.Warp = &state.Warp{} }},
		{"empty group", "no lanes", func(s *verified) { s.ready.Mask = 0 }},
		{"gone group", "is gone", func(s *verified) { s.ready.State = state.GroupGone }},
		{"lane in two groups", "lanes 0x00080000 are in another place", func(s *verified) { s.barrier.Mask |= 1 << 19 }},
		{"lane at two joins", "lanes 0x00000001 are in another place", func(s *verified) { s.inner.Arrived, s.inner.Expected = 0xff01, state.AllLanes&^0xfe }},
		{"lane in no group", "lanes 0x00010000 are in no group", func(s *verified) { s.ready.Mask &^= 1 << 16 }},
		{"dead lane", "lanes 0x00010000 have exited", func(s *verified) { s.w.Live &^= 1 << 16 }},
		{"lane that does not exist", "do not exist", func(s *verified) { s.w.Exists &^= 1 << 16 }},
		{"not expected", "not expected at the join at pc 5", func(s *verified) { s.inner.Expected &^= 1 << 16 }},
		{"not expected further out", "not expected at the join at pc 9", func(s *verified) { s.outer.Expected &^= 1 << 16 }},
		{"waits unexpected", "wait there that are not expected", func(s *verified) { s.outer.Expected &^= 1 }},
		{"waits at two joins", "wait at the join at pc 9 on their chain already", func(s *verified) { s.outer.Arrived |= 1 << 16 }},
		{"expected in vain", "of which 0x000f0fff are not on their way", func(s *verified) {
			s.inner.Expected |= 0xff
			s.inner.Arrived = 0xf000
			s.ready.Mask, s.ready.Join = 0xf0f00, s.outer
		}},
		{"all there", "all expected lanes", func(s *verified) {
			for _, g := range s.w.Groups {
				g.Join = s.outer
			}
			s.inner.Expected = s.inner.Arrived
		}},
		{"closed join", "is closed", func(s *verified) { s.inner.Free = true }},
		{"closed join further out", "is closed", func(s *verified) { s.outer.Free, s.w.Joins = true, s.w.Joins[1:] }},
		{"unlisted join", "are in no group", func(s *verified) { s.w.Joins = s.w.Joins[:1] }},
		{"join nobody waits at", "nobody waits there", func(s *verified) { s.inner.Arrived = 0 }},
		{"join of another warp", "another warp", func(s *verified) {
			s.w.Joins = append(s.w.Joins, &state.Join{Frame: &state.Frame{Warp: &state.Warp{}}, Expected: 3, Arrived: 1})
		}},
		{"join of another activation", "does not call this one", func(s *verified) {
			s.outer.Frame = &state.Frame{Fn: &state.Function{}, Warp: s.w, Live: state.AllLanes}
		}},
		{"circle of joins", "does not end", func(s *verified) { s.w.Joins, s.outer.Arrived, s.outer.Parent = nil, 0, s.outer }},
		{"returned lane", "have returned", func(s *verified) { s.ready.Frame.Live &^= 1 << 16 }},
		{"returned lane that waits", "have returned", func(s *verified) { s.outer.Frame.Live &^= 1 }},
		{"active groups", "4 groups are not pending, the warp counts 3", func(s *verified) { s.w.Active-- }},
		{"pending groups", "0 groups are pending, the warp lists 1", func(s *verified) { s.w.Pending = append(s.w.Pending, s.ready) }},
		{"unlisted pending group", "list of pending groups 0 times", func(s *verified) { s.ready.State = state.GroupPending }},
		{"unlisted at barriers", "groups at barriers 0 times", func(s *verified) { s.c.Barriers[1].Waiting = nil }},
		{"at two barriers", "groups at barriers 2 times", func(s *verified) { s.c.Cluster.Waiting = []*state.Group{s.barrier} }},
		{"unlisted in .sync", "groups in .sync operations 0 times", func(s *verified) { s.w.Syncs = nil }},
		{"unlisted parked", "parked groups 0 times", func(s *verified) { s.x.L.Parked = nil }},
		{"threads of the block", "the block has 31 live threads, its warps have 32", func(s *verified) { s.c.Live-- }},
		{"barrier count", "barrier 1: 3 threads have arrived, but its list has 4", func(s *verified) { s.c.Barriers[1].Arrived-- }},
		{"barrier that is complete", "4 threads have arrived of 4, but it is not complete", func(s *verified) { s.c.Barriers[1].Need = 4 }},
		{"barrier not marked", "not marked as used", func(s *verified) { s.c.Used = 0 }},
		{"barrier of a running group", "does not wait at a barrier", func(s *verified) {
			s.c.Barriers[1].Waiting[0] = s.ready
			s.c.Cluster.Waiting = []*state.Group{s.barrier}
		}},
		{"threads of the cluster", "the cluster has 33 live threads", func(s *verified) { s.c.Cluster.Live++ }},
		{"arrivals of the cluster", "1 threads have arrived, the warps have 0", func(s *verified) { s.c.Cluster.Arrived++ }},
		{"arrived and passed", "not waited for the phase before", func(s *verified) { s.w.Arrived, s.w.Passed = 1, 1 }},
		{"waits for the cluster", "waits that has not arrived", func(s *verified) { s.c.Barriers[1], s.c.Cluster.Waiting = state.Barrier{}, []*state.Group{s.barrier} }},
	} {
		s := newVerified()
		c.breaks(s)
		got := "nothing"
		if err := checkBlock(s.x, s.c); err != nil {
			got = err.Error()
		}
		if c.want == "" && got != "nothing" || !strings.Contains(got, c.want) {
			t.Errorf("%s: found %q, expected %q", c.name, got, c.want)
		}
	}
}

// TestVerifyTurn: a launch with an inconsistent state does not continue.
func TestVerifyTurn(t *testing.T) {
	s := newVerified()
	checkTurn(s.x, s.w)
	s.w.Active++
	defer func() {
		if r, _ := recover().(string); !strings.Contains(r, "BUG: emu: after turn 0 of the launch, of warp 0 of block (0,0,0): 4 groups") {
			t.Errorf("found %q", r)
		}
	}()
	checkTurn(s.x, s.w)
}

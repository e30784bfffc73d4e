package emu

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/rewrite"
)

// verified is the state of a block with one warp in the middle of a kernel: lanes 0 to 7
// wait at a join where all lanes are expected, 8 to 15 at one of the inner branch, 16 to
// 19 are ready, 20 to 23 at barrier 1, 24 to 27 in a .sync operation, 28 to 31 are parked.
// All but the first are within the call of a function.
type verified struct {
	x                           *engine
	c                           *cta
	w                           *warp
	ready, barrier, sync, spins *group
	outer, inner                *join
}

func newVerified() *verified {
	fn := &function{src: &rewrite.Func{Name: "f"}}
	c := &cta{live: warpSize, used: 2}
	w := &warp{cta: c, exists: allLanes, live: allLanes}
	c.warps, c.cluster = []*warp{w}, &cluster{blocks: []*cta{c}, live: warpSize}
	s := &verified{x: &engine{l: &launch{}}, c: c, w: w}
	kernel := &frame{fn: fn, warp: w, live: allLanes}
	callee := &frame{fn: fn, warp: w, live: allLanes &^ 0xff, caller: kernel}
	s.outer = &join{frame: kernel, pc: 9, expected: allLanes, arrived: 0xff}
	s.inner = &join{frame: callee, pc: 5, expected: allLanes &^ 0xff, arrived: 0xff00, parent: s.outer}
	w.joins = []*join{s.outer, s.inner}
	for i, g := range []**group{&s.ready, &s.barrier, &s.sync, &s.spins} {
		state := []groupState{groupReady, groupBarrier, groupSync, groupParked}[i]
		*g = &group{warp: w, frame: callee, join: s.inner, pc: 3, mask: 0xf << (16 + 4*i), state: state}
		w.groups = append(w.groups, *g)
	}
	w.active = len(w.groups)
	w.syncs = []*syncWait{{g: s.sync}}
	s.x.l.parked = []*group{s.spins}
	c.barriers[1] = barrier{arrived: 4, waiting: []*group{s.barrier}}
	return s
}

// TestVerifier: every inconsistency of groups, joins or barriers is found.
func TestVerifier(t *testing.T) {
	for _, c := range []struct {
		name, want string
		breaks     func(s *verified)
	}{
		{"nothing", "", func(*verified) {}},
		{"foreign group", "another warp", func(s *verified) { s.ready.warp = &warp{} }},
		{"empty group", "no lanes", func(s *verified) { s.ready.mask = 0 }},
		{"gone group", "is gone", func(s *verified) { s.ready.state = groupGone }},
		{"lane in two groups", "lanes 0x00080000 are in another place", func(s *verified) { s.barrier.mask |= 1 << 19 }},
		{"lane at two joins", "lanes 0x00000001 are in another place", func(s *verified) { s.inner.arrived, s.inner.expected = 0xff01, allLanes&^0xfe }},
		{"lane in no group", "lanes 0x00010000 are in no group", func(s *verified) { s.ready.mask &^= 1 << 16 }},
		{"dead lane", "lanes 0x00010000 have exited", func(s *verified) { s.w.live &^= 1 << 16 }},
		{"lane that does not exist", "do not exist", func(s *verified) { s.w.exists &^= 1 << 16 }},
		{"not expected", "not expected at the join at pc 5", func(s *verified) { s.inner.expected &^= 1 << 16 }},
		{"not expected further out", "not expected at the join at pc 9", func(s *verified) { s.outer.expected &^= 1 << 16 }},
		{"waits unexpected", "wait there that are not expected", func(s *verified) { s.outer.expected &^= 1 }},
		{"waits at two joins", "wait at the join at pc 9 on their chain already", func(s *verified) { s.outer.arrived |= 1 << 16 }},
		{"expected in vain", "of which 0x000f0fff are not on their way", func(s *verified) {
			s.inner.expected |= 0xff
			s.inner.arrived = 0xf000
			s.ready.mask, s.ready.join = 0xf0f00, s.outer
		}},
		{"all there", "all expected lanes", func(s *verified) {
			for _, g := range s.w.groups {
				g.join = s.outer
			}
			s.inner.expected = s.inner.arrived
		}},
		{"closed join", "is closed", func(s *verified) { s.inner.free = true }},
		{"closed join further out", "is closed", func(s *verified) { s.outer.free, s.w.joins = true, s.w.joins[1:] }},
		{"unlisted join", "are in no group", func(s *verified) { s.w.joins = s.w.joins[:1] }},
		{"join nobody waits at", "nobody waits there", func(s *verified) { s.inner.arrived = 0 }},
		{"join of another warp", "another warp", func(s *verified) {
			s.w.joins = append(s.w.joins, &join{frame: &frame{warp: &warp{}}, expected: 3, arrived: 1})
		}},
		{"join of another activation", "does not call this one", func(s *verified) { s.outer.frame = &frame{fn: &function{}, warp: s.w, live: allLanes} }},
		{"circle of joins", "does not end", func(s *verified) { s.w.joins, s.outer.arrived, s.outer.parent = nil, 0, s.outer }},
		{"returned lane", "have returned", func(s *verified) { s.ready.frame.live &^= 1 << 16 }},
		{"returned lane that waits", "have returned", func(s *verified) { s.outer.frame.live &^= 1 }},
		{"active groups", "4 groups are not pending, the warp counts 3", func(s *verified) { s.w.active-- }},
		{"pending groups", "0 groups are pending, the warp lists 1", func(s *verified) { s.w.pending = append(s.w.pending, s.ready) }},
		{"unlisted pending group", "list of pending groups 0 times", func(s *verified) { s.ready.state = groupPending }},
		{"unlisted at barriers", "groups at barriers 0 times", func(s *verified) { s.c.barriers[1].waiting = nil }},
		{"at two barriers", "groups at barriers 2 times", func(s *verified) { s.c.cluster.waiting = []*group{s.barrier} }},
		{"unlisted in .sync", "groups in .sync operations 0 times", func(s *verified) { s.w.syncs = nil }},
		{"unlisted parked", "parked groups 0 times", func(s *verified) { s.x.l.parked = nil }},
		{"threads of the block", "the block has 31 live threads, its warps have 32", func(s *verified) { s.c.live-- }},
		{"barrier count", "barrier 1: 3 threads have arrived, but its list has 4", func(s *verified) { s.c.barriers[1].arrived-- }},
		{"barrier that is complete", "4 threads have arrived of 4, but it is not complete", func(s *verified) { s.c.barriers[1].need = 4 }},
		{"barrier not marked", "not marked as used", func(s *verified) { s.c.used = 0 }},
		{"barrier of a running group", "does not wait at a barrier", func(s *verified) { s.c.barriers[1].waiting[0] = s.ready; s.c.cluster.waiting = []*group{s.barrier} }},
		{"threads of the cluster", "the cluster has 33 live threads", func(s *verified) { s.c.cluster.live++ }},
		{"arrivals of the cluster", "1 threads have arrived, the warps have 0", func(s *verified) { s.c.cluster.arrived++ }},
		{"arrived and passed", "not waited for the phase before", func(s *verified) { s.w.arrived, s.w.passed = 1, 1 }},
		{"waits for the cluster", "waits that has not arrived", func(s *verified) { s.c.barriers[1], s.c.cluster.waiting = barrier{}, []*group{s.barrier} }},
	} {
		s := newVerified()
		c.breaks(s)
		got := "nothing"
		if err := s.x.checkBlock(s.c); err != nil {
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
	s.x.verifyTurn(s.w)
	s.w.active++
	defer func() {
		if r, _ := recover().(string); !strings.Contains(r, "BUG: emu: after turn 0 of the launch, of warp 0 of block (0,0,0): 4 groups") {
			t.Errorf("found %q", r)
		}
	}()
	s.x.verifyTurn(s.w)
}

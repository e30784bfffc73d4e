package barracuda

import (
	"math/bits"
	"slices"
	"testing"
)

// fullClocks is the state C and S with a whole vector clock for each thread and
// location and block, by the rules of Figures 2 and 3. A join gives all of its threads
// the largest clock that one of them has for itself, as the paper's barrier does
// (section 4.3.2) and a join of different clocks within a warp must with one local clock.
type fullClocks struct {
	c [testThreads][testThreads]uint32
	s map[fullKey]*[testBlocks][testThreads]uint32
}

type fullKey struct {
	shared bool
	block  int // of shared memory
	loc    uint64
}

func newFullClocks() *fullClocks {
	f := &fullClocks{s: make(map[fullKey]*[testBlocks][testThreads]uint32)}
	for t := range f.c {
		f.c[t][t] = 1
	}
	return f
}

func joinFull(a, b *[testThreads]uint32) {
	for i := range a {
		a[i] = max(a[i], b[i])
	}
}

func (f *fullClocks) event(e *event, acts []event) {
	switch t := bits.TrailingZeros32(uint32(e.who)); e.kind {
	case evJoin:
		f.join(e.who)
	case evEnter: // those who wait learn what all knew when they arrived
		f.enter(e.who, acts, e.after)
	case evAcquire:
		for b, vc := range f.location(e) {
			if e.scope == ScopeGlobal || b == blockOf(e.who) {
				joinFull(&f.c[t], &vc)
			}
		}
	case evRelease:
		x := f.location(e)
		for b := range x {
			if e.scope == ScopeGlobal || b == blockOf(e.who) {
				joinFull(&x[b], &f.c[t])
			}
		}
	}
}

func (f *fullClocks) location(e *event) *[testBlocks][testThreads]uint32 {
	k := fullKey{loc: e.loc, shared: e.shared}
	if e.shared {
		k.block = blockOf(e.who)
	}
	if f.s[k] == nil {
		f.s[k] = new([testBlocks][testThreads]uint32)
	}
	return f.s[k]
}

// join is ENDINSN, IF, ELSEENDIF and BAR.
func (f *fullClocks) join(who threads) {
	var vc [testThreads]uint32
	own := uint32(0)
	for m := uint32(who); m != 0; m &= m - 1 {
		t := bits.TrailingZeros32(m)
		joinFull(&vc, &f.c[t])
		own = max(own, f.c[t][t])
	}
	for m := uint32(who); m != 0; m &= m - 1 {
		vc[bits.TrailingZeros32(m)] = own
	}
	for m := uint32(who); m != 0; m &= m - 1 {
		t := bits.TrailingZeros32(m)
		f.c[t] = vc
		f.c[t][t] = own + 1
	}
}

// enter gives the threads that wait at a barrier what those knew that arrived.
func (f *fullClocks) enter(who threads, acts []event, after []int) {
	var vc [testThreads]uint32
	for _, i := range after {
		for m := uint32(acts[i].who); m != 0; m &= m - 1 {
			t := bits.TrailingZeros32(m)
			before := f.c[t]
			if who>>t&1 == 0 {
				before[t]-- // it has gone on: its endi is not known
			}
			joinFull(&vc, &before)
		}
	}
	for m := uint32(who); m != 0; m &= m - 1 {
		joinFull(&f.c[bits.TrailingZeros32(m)], &vc)
	}
}

// TestLossless compares the compressed clocks of all live threads with full ones after
// every operation of random traces: C_t(u) is the same for all t and u. Nobody has to
// know how late a thread was that has exited, if its last access is known.
func TestLossless(t *testing.T) {
	var seen [formats]int
	for seed := range uint64(600) {
		tr := newTrace(seed, 60)
		d, f, e := newTestDetector(t), newFullClocks(), 0
		live := ^threads(0)
		for i := range tr.ops {
			d.Op(&tr.ops[i])
			for ; e < tr.ends[i]; e++ {
				f.event(&tr.events[e], tr.events)
			}
			if o := &tr.ops[i]; o.Kind == Exit {
				live &^= threadsOf(int(o.Block), int(o.Warp), o.Mask)
			}
			if !compareClocks(t, d, f, live, &seen) {
				t.Fatalf("seed %d, operation %d: %+v", seed, i, tr.ops[i])
			}
		}
	}
	if slices.Contains(seen[:], 0) {
		t.Errorf("formats seen: %v", seen)
	}
}

func compareClocks(t *testing.T, d *Detector, f *fullClocks, live threads, seen *[formats]int) bool {
	for b, blk := range d.grids[0].blocks {
		for w, wp := range blk.warps {
			for i := 0; wp != nil && i < len(wp.paths); i++ {
				p := &wp.paths[i]
				seen[p.format(allLanes)]++
				v := wp.clockOf(p)
				for m := p.mask & wp.live & allLanes; m != 0; m &= m - 1 {
					me := first(m)
					for u := range testThreads {
						ub, uw, ul := u/(testWarps*testLanes), u/testLanes%testWarps, u%testLanes
						got, want := v.at(me, warpID(uint64(ub), uint32(uw)), ul), f.c[tid(int(b), w, me)][u]
						if got != want && live>>u&1 != 0 {
							t.Errorf("C of block %d, warp %d, lane %d for block %d, warp %d, lane %d: %d, want %d", b, w, me, ub, uw, ul, got, want)
							return false
						}
					}
				}
			}
		}
	}
	return true
}

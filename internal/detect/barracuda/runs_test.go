package barracuda

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// TestRuns: the runs hold of each warp what a list of its accesses holds, sorted by warp.
func TestRuns(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var set runs
		warps := make([]latest, 4+rng.IntN(60)) // the last access of each
		held := map[epochRun]uint32{}           // lanes by access, which is without lanes
		for range 400 {
			warp := rng.IntN(len(warps))
			x := &warps[warp]
			if x.clock == 0 || rng.IntN(3) > 0 { // another instruction
				*x = latest{warp: uint32(warp), path: rng.Uint32() | 1<<rng.IntN(32), clock: x.clock + 1, site: uint32(rng.IntN(2))}
				if rng.IntN(2) == 0 {
					x.path = ^uint32(0)
				}
			}
			x.lanes = x.path&-x.path | x.path&(1<<rng.IntN(32))
			hold(held, x)
			set.insert(x)
		}
		got := map[epochRun]uint32{}
		for i, r := range set {
			if i > 0 {
				if o := set[i-1]; o.warp > r.warp || o.end() > r.end() {
					t.Fatalf("seed %d: run %+v follows %+v", seed, r, o)
				}
			}
			for w := r.warp; w != r.end(); w++ {
				got[epochRun{warp: w, clock: r.clock, site: r.site}] |= r.mask
			}
		}
		if !maps.Equal(got, held) {
			t.Fatalf("seed %d: %v, expected %v", seed, got, held)
		}
	}
}

// hold makes an access the last one of its lanes, and drops those of the warp that it follows.
func hold(held map[epochRun]uint32, x *latest) {
	maps.DeleteFunc(held, func(r epochRun, lanes uint32) bool {
		return r.warp == x.warp && r.clock < x.clock && lanes&^(x.lanes|x.path) == 0
	})
	for r, lanes := range held {
		if r.warp == x.warp {
			held[r] = lanes &^ x.lanes
		}
	}
	maps.DeleteFunc(held, func(_ epochRun, lanes uint32) bool { return lanes == 0 })
	held[epochRun{warp: x.warp, clock: x.clock, site: x.site}] |= x.lanes
}

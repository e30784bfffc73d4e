package barracuda

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRunList: accesses that waited in a log, or next to the set, end in the runs that they
// make one by one.
func TestRunList(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var set epochSet
		var logged, direct runList
		warps := make([]latest, 4+rng.IntN(60)) // the last access of each
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
			x.lanes |= x.path & (1 << rng.IntN(32))
			direct.insert(x)
			logged.add(x)
			set.add(&access{threadClock: threadClock{path: path{mask: x.path, local: x.clock}, id: x.warp}, site: x.site}, x.lanes)
			if rng.IntN(40) == 0 {
				logged.settle()
			}
		}
		logged.settle()
		want := single(direct.list)
		if got := single(logged.list); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v, one by one %v", seed, got, want)
		}
		if got := single(set.runs().list); !slices.Equal(got, want) {
			t.Fatalf("seed %d: set %v, one by one %v", seed, got, want)
		}
	}
}

// single is a list with a run for each warp.
func single(list []epochRun) (out []epochRun) {
	for _, r := range list {
		for w := r.warp; w != r.end(); w++ {
			r := r
			r.warp, r.warps = w, 1
			out = append(out, r)
		}
	}
	return out
}

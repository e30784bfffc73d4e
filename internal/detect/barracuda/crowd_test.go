package barracuda

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestCrowd: of an access that races with many of a set, the same is reported as when it is compared
// with each, by each rule for scopes.
func TestCrowd(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var set epochSet
		sites, warps := 1+rng.IntN(4), 1+rng.IntN(6*fanout)
		accesses, long := 1+rng.IntN([]int{4, 300}[seed%2]), seed%50 == 0
		if long {
			accesses, warps = 3000, 50*warps
		}
		for range accesses {
			mask := rng.Uint32() | 1
			at := path{mask: mask, local: 1 + rng.Uint32N(3)}
			set.add(&access{threadClock: threadClock{path: at, id: rng.Uint32N(uint32(warps))}, site: rng.Uint32N(uint32(sites))}, mask&-mask|mask&(1<<rng.IntN(32)))
		}
		early := Kind(rng.IntN(4))
		scopes := make(atomicScopes, sites)
		for i := range scopes {
			scopes[i] = []Scope{ScopeBlock, ScopeGlobal}[rng.IntN(2)]
		}
		one := access{
			threadClock: threadClock{path: path{mask: 1, local: 4, block: rng.Uint32N(3), outside: &laneClocks{lanes: ^uint32(1), clock: 3}}, id: rng.Uint32N(uint32(warps))},
			op:          &Op{Reach: []Scope{ScopeBlock, ScopeGlobal}[rng.IntN(2)]}, checker: &checker{scopes: scopes}, kind: Kind(rng.IntN(4)), site: 9, lanes: 1,
		}
		together, apart := one, one
		together.races, apart.races = new(races), new(races)
		together.orderedSet(&set, early)
		for _, r := range set.runs {
			for w := r.warp; w != r.end(); w++ {
				for m := r.mask; m != 0; m &= m - 1 {
					if lane := first(m); r.clock > apart.at(0, w, lane) && apart.race(early, w, lane, r.clock, r.site) {
						break
					}
				}
			}
		}
		if !reflect.DeepEqual(together.races, apart.races) {
			t.Fatalf("seed %d: %+v, one by one %+v", seed, together.races.list, apart.races.list)
		}
	}
}

package barracuda

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestCrowd: of an access that races with many of a set, the same is reported as when it is compared
// with each.
func TestCrowd(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var set epochSet
		sites, warps := 1+rng.IntN(4), 1+rng.IntN(6*fanout)
		for range 1 + rng.IntN(300) {
			mask := rng.Uint32() | 1
			at := path{mask: mask, local: 1 + rng.Uint32N(3)}
			set.add(&access{threadClock: threadClock{path: at, id: rng.Uint32N(uint32(warps))}, site: rng.Uint32N(uint32(sites))}, mask&-mask|mask&(1<<rng.IntN(32)))
		}
		one := access{
			threadClock: threadClock{path: path{mask: 1, local: 4, block: rng.Uint32N(3), outside: &laneClocks{lanes: ^uint32(1), clock: 3}}, id: rng.Uint32N(uint32(warps))},
			op:          &Op{Reach: ScopeGlobal}, shard: new(shard), kind: Kind(rng.IntN(2)), site: 9, lanes: 1,
		}
		together, apart := one, one
		together.races, apart.races = new(races), new(races)
		together.orderedSet(&set, 0, Write)
		for k := range set.runs().list {
			for r, w := set.older.list[k], set.older.list[k].warp; w != r.end(); w++ {
				single := r
				single.warp, single.warps = w, 1
				apart.orderedRun(&single, r.mask, Write, false)
			}
		}
		if !reflect.DeepEqual(together.races, apart.races) {
			t.Fatalf("seed %d: %+v, one by one %+v", seed, together.races.list, apart.races.list)
		}
	}
}

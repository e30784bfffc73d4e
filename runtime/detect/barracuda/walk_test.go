package barracuda

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// TestWalks: what is found is the same when the accesses of loops are checked one by one and lane by lane, whatever
// they synchronise.
func TestWalks(t *testing.T) {
	found := 0
	var walks walkCount
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 9))
		each, lanes := walkListener(t, nil), walkListener(t, &walks)
		orders := Orders{}
		for site := range uint32(walkSites) {
			if r.IntN(4) == 0 {
				orders[site+1] = Order{Acquire: r.IntN(2) == 0, Release: r.IntN(3) == 0, Scope: Scope(r.IntN(3))}
			}
		}
		each.SetOrders(orders)
		lanes.SetOrders(orders)
		for range 14 {
			b := &abi.Batch{Block: r.Uint64N(3), Warp: r.Uint32N(2), Live: ^uint32(0)}
			b.Cluster = b.Block
			for range 1 + r.IntN(2) {
				list, period := randomWalk(r)
				if len(list) > 2*period {
					b.Loops = append(b.Loops, abi.Loop{At: len(b.List), Period: period, Listed: len(list)})
				}
				b.List = append(b.List, list...)
			}
			each.Accesses(b)
			lanes.Accesses(b)
			if r.IntN(3) == 0 {
				ev := abi.Event{Kind: abi.EventBarrierComplete, Block: b.Block, Cluster: b.Cluster}
				for warp := range uint32(2) {
					arrive := abi.Event{Kind: abi.EventBarrierArrive, Block: b.Block, Cluster: b.Cluster, Warp: warp, Mask: ^uint32(0), Live: ^uint32(0)}
					each.Event(&arrive)
					lanes.Event(&arrive)
				}
				each.Event(&ev)
				lanes.Event(&ev)
			}
		}
		want, got := each.End(), lanes.End()
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: %+v, one by one %+v", seed, got, want)
		}
		if each.Stats() != lanes.Stats() {
			t.Fatalf("seed %d: %+v, one by one %+v", seed, lanes.Stats(), each.Stats())
		}
		found += len(want)
	}
	if found < 5000 || walks.even < 1500 || walks.uneven < 300 {
		t.Errorf("%d races and %+v walks are too few to tell", found, walks)
	}
}

// walkCount is how many walks were checked lane by lane, by whether the lanes are evenly apart.
type walkCount struct{ even, uneven int }

// walkListener is a listener that counts the walks that it checks lane by lane, and makes none without a counter.
func walkListener(t *testing.T, walks *walkCount) *Listener {
	t.Helper()
	l, err := NewListener(Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	l.spares[0].accesses.least = 500 // so that accesses are dropped often
	l.from.walks = nil
	if walks != nil {
		l.from.walks = func(k *walk) bool {
			if !l.walk(k) {
				return false
			}
			if k.uneven {
				walks.uneven++
			} else {
				walks.even++
			}
			return true
		}
	}
	l.Begin(detect.Launch{LaunchShape: detect.LaunchShape{Grid: [3]uint32{3, 1, 1}, Block: [3]uint32{64, 1, 1}}})
	return l
}

// walkSites is how many instructions random walks have.
const walkSites = 12

// randomWalk is the accesses of a loop: words, or halves of them, by lanes that are far apart, near each other, or one alone.
func randomWalk(r *rand.Rand) (list []abi.Access, period int) {
	mask := []uint32{^uint32(0), 1 << r.IntN(32), r.Uint32() | r.Uint32() | 1}[r.IntN(3)]
	step := []uint64{4, 64, 256, ^uint64(255), 12}[r.IntN(5)]
	round := make([]abi.Access, 1+r.IntN(3))
	deltas := make([]uint64, len(round))
	same := []uint64{4, 8, ^uint64(3), 0}[r.IntN(4)]
	space, bytes := abi.SpaceGlobal, uint32(4)
	switch r.IntN(12) {
	case 0:
		space = abi.SpaceShared
	case 1:
		bytes = 2
	}
	for i := range round {
		class := &abi.AccessClass{Site: 1 + r.Uint32N(walkSites), Bytes: bytes, Space: space, Access: abi.AccessLoad, Sem: abi.SemWeak, Scope: abi.ScopeGPU}
		if r.IntN(3) == 0 {
			class.Access = abi.AccessStore
		}
		switch r.IntN(4) {
		case 0:
			class.Sem = abi.SemVolatile
		case 1:
			class.Sem = abi.SemRelaxed
		case 2:
			class.Sem, class.Scope = abi.SemRelaxed, abi.ScopeCTA
		}
		round[i] = abi.Access{AccessClass: class, Mask: mask, Base: 1<<20 + 64*r.Uint64N(24) + 4*r.Uint64N(2), Step: step}
		if step>>63 != 0 {
			round[i].Base += 31 * 256
		}
		if deltas[i] = same; r.IntN(6) == 0 {
			deltas[i] = -same
		}
	}
	var ahead [32]uint64 // of lanes that are in other rounds than the first
	uneven := step != 4 && r.IntN(3) == 0
	if uneven {
		ahead[r.IntN(32)], ahead[r.IntN(32)] = 4*r.Uint64N(9), 4*r.Uint64N(9)
	}
	for range 3 + r.IntN(10) {
		for i := range round {
			x := round[i]
			if uneven {
				x.Addr = new([32]uint64)
				for lane := range x.Addr {
					x.Addr[lane] = x.Base + uint64(lane)*step + ahead[lane]
				}
				list = append(list, x)
				round[i].Base += deltas[i]
				continue
			}
			if mask&(mask-1) == 0 && r.IntN(2) == 0 { // one lane: the step says nothing
				lane := first(mask)
				x.Base, x.Step = x.At(lane)-uint64(lane)*4, 4
			}
			list = append(list, x)
			round[i].Base += deltas[i]
		}
	}
	return list[:len(list)-r.IntN(len(round))], len(round)
}

// TestSpans compares meets with what it stands for.
func TestSpans(t *testing.T) {
	met := 0
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 11))
		a, b := span{1000 + r.Uint64N(300), 1 + r.Uint64N(100)}, span{1000 + r.Uint64N(300), 1 + r.Uint64N(100)}
		step, lanes := 16+r.Int64N(200), 1+r.Int64N(5)
		want := false
		for n := int64(1); n <= lanes; n++ {
			by := uint64(n * step)
			want = want || a.overlaps(span{b.from + by, b.bytes}) || a.overlaps(span{b.from - by, b.bytes})
		}
		if got := a.meets(b, step, lanes); got != want {
			t.Fatalf("%+v meets %+v, %d lanes %d apart: %v, want %v", a, b, lanes, step, got, want)
		}
		if want {
			met++
		}
	}
	if met < 2000 || met > 18000 {
		t.Errorf("%d of 20000 meet, which are no test", met)
	}
}

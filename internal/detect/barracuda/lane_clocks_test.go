package barracuda

import (
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/internal/vclock"
)

// TestLaneClocks: the lists of a warp whose paths part and meet say what an array of clocks for each lane does,
// and stay short.
func TestLaneClocks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 5))
	some := func(mask uint32) uint32 {
		for {
			if m := mask & rnd.Uint32(); m != 0 {
				return m
			}
		}
	}
	w := newWarp(0, ^uint32(0))
	var plain [fanout][fanout]uint32 // clocks of each lane for others
	meet := func(p *path) {
		for i := range fanout {
			for k := range fanout {
				if p.mask>>i&1 != 0 && p.mask>>k&1 != 0 {
					plain[i][k] = p.local - 1
				}
			}
		}
	}
	longest := uint64(0)
	for step := range 20000 {
		p := &w.paths[rnd.IntN(len(w.paths))]
		switch k := rnd.IntN(8); {
		case k < 4 && p.mask&(p.mask-1) != 0:
			meet(p)
			w.split(p, some(p.mask&(p.mask-1)))
		case k < 5:
			q := w.paths[rnd.IntN(len(w.paths))]
			mask := some(p.mask) | some(q.mask)
			if rnd.IntN(30) == 0 {
				mask = w.full
			}
			w.isolate(mask)
			var most [fanout]uint32
			for _, q := range w.paths {
				if q.mask&mask != 0 {
					for lane := range fanout {
						most[lane] = max(most[lane], plain[first(q.mask)][lane])
					}
				}
			}
			all := w.elseEndIf(mask)
			for m := all.mask; m != 0; m &= m - 1 {
				plain[first(m)] = most
			}
		case k < 6:
			lanes, c := w.full&^p.mask, vclock.Threads(0, rnd.Uint32(), vclock.Time(rnd.Uint32N(p.local+1)))
			if lanes == 0 {
				break
			}
			p.outside = p.outside.join(lanes, c.Unit(0))
			for m := lanes; m != 0; m &= m - 1 {
				for i := range fanout {
					if p.mask>>i&1 != 0 {
						plain[i][first(m)] = max(plain[i][first(m)], uint32(c.At(0, first(m))))
					}
				}
			}
		default:
			p.endInsn()
		}
		for i := range w.paths {
			p := &w.paths[i]
			meet(p)
			longest = max(longest, p.outside.sets())
			for m := w.full &^ p.mask; m != 0; m &= m - 1 {
				lane := first(m)
				want := plain[first(p.mask)][lane]
				if got := p.outside.at(lane); got != want {
					t.Fatalf("step %d: path %#x has clock %d for lane %d, want %d", step, p.mask, got, lane, want)
				}
				if !p.outside.reach(m&-m, want) || p.outside.reach(m&-m, want+1) {
					t.Fatalf("step %d: path %#x does not reach just %d for lane %d", step, p.mask, want, lane)
				}
			}
		}
	}
	if longest < 4 || longest > 2*fanout {
		t.Errorf("the longest list has %d sets", longest)
	}
}

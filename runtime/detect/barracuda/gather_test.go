package barracuda

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// gatherFrom makes acquires be gathered from that number of lanes on, and returns a function that undoes this.
func gatherFrom(lanes int) func() {
	before := gatherLanes
	gatherLanes = lanes
	return func() { gatherLanes = before }
}

// TestGatheredSmall: the models of random traces agree when all acquires are gathered.
func TestGatheredSmall(t *testing.T) {
	defer gatherFrom(1)()
	t.Run("lossless", TestLossless)
	t.Run("theorem", TestTheorem)
	t.Run("room", TestSyncs)
}

// The grid of rows: whole warps.
const (
	rowBlocks = 3
	rowWarps  = 3
	rowWords  = 96
)

// rows makes random operations of whole warps on rows of words, which acquire and release.
type rows struct {
	script
	rnd   *rand.Rand
	paths [rowBlocks][rowWarps][]uint32
}

// newRowDetector returns a detector in a launch of that many blocks of rowWarps warps.
func newRowDetector(t *testing.T, o Options, blocks uint32) *Detector {
	t.Helper()
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	d.Begin(detect.Launch{Kernel: "k", LaunchShape: detect.LaunchShape{Grid: [3]uint32{blocks, 1, 1}, Block: [3]uint32{rowWarps * fanout, 1, 1}}})
	return d
}

func newRows(seed uint64, n int) *rows {
	r := &rows{rnd: rand.New(rand.NewPCG(seed, 11))}
	for b := range r.paths {
		for w := range r.paths[b] {
			r.paths[b][w] = []uint32{allOfWarp}
		}
	}
	for len(r.ops) < n {
		r.step()
	}
	return r
}

func (r *rows) step() {
	b, w := r.rnd.IntN(rowBlocks), uint32(r.rnd.IntN(rowWarps))
	paths := &r.paths[b][w]
	i := r.rnd.IntN(len(*paths))
	lanes := (*paths)[i]
	switch k := r.rnd.IntN(100); {
	case k < 84:
		if some := lanes & r.rnd.Uint32(); some != 0 && r.rnd.IntN(4) == 0 {
			lanes = some
		}
		r.row(uint64(b), w, lanes)
	case k < 92:
		then := lanes & r.rnd.Uint32()
		if then == 0 || then == lanes {
			return
		}
		r.add(If, uint64(b), w, lanes).Then = then
		r.add(Else, uint64(b), w, lanes&^then)
		(*paths)[i] = lanes &^ then
		*paths = append(*paths, then)
	case k < 99:
		r.add(Fi, uint64(b), w, allOfWarp)
		*paths = []uint32{allOfWarp}
	default:
		for w := range uint32(rowWarps) {
			r.paths[b][w] = []uint32{allOfWarp}
			r.add(Fi, uint64(b), w, allOfWarp)
			r.add(Arrive, uint64(b), w, allOfWarp)
		}
		r.add(Complete, uint64(b), 0, 0)
	}
}

// row adds an operation of some lanes on a row of words: each its own, or some the same, or in falling order.
func (r *rows) row(b uint64, w, lanes uint32) {
	o := r.add(Atomic, b, w, lanes)
	o.Space, o.Bytes, o.Strong, o.Reach = abi.SpaceGlobal, 4, true, ScopeGlobal
	o.Order = Order{Scope: []Scope{ScopeBlock, ScopeGlobal, ScopeGlobal, ScopeGlobal}[r.rnd.IntN(4)]}
	how := r.rnd.IntN(8)
	o.Order.Acquire, o.Order.Release = how > 0, how != 1
	first := r.rnd.IntN(rowWords - fanout)
	for i := range o.Addr {
		word := first + i
		if how == 2 {
			word = first + i/2
		}
		o.Addr[i] = 0x1000 + 4*uint64(word)
	}
	if r.rnd.IntN(8) == 0 { // data
		o.Kind, o.Strong, o.Order = Read+Kind(r.rnd.IntN(2)), false, Order{}
		for i := range o.Addr {
			o.Addr[i] += 0x1000
		}
	}
}

// TestGathered compares the clocks of all threads after each operation, and all races, with those of a detector that does not gather
// acquires, under which every acquired clock is built.
func TestGathered(t *testing.T) {
	most := mostAcquired
	defer func() { mostAcquired = most }()
	full, gathered := 0, 0
	for seed := range uint64(30) {
		mostAcquired = []uint8{2, 4, most}[seed%3]
		for _, paper := range []bool{false, true} {
			r := newRows(seed, 240)
			one, two := newRowDetector(t, Options{Workers: 1, Paper: paper}, rowBlocks), newRowDetector(t, Options{Workers: 1, Paper: paper}, rowBlocks)
			for i := range r.ops {
				undo := gatherFrom(fanout + 1)
				again := r.ops[i]
				one.Op(&again)
				undo()
				two.Op(&r.ops[i])
				if at := differentClocks(one, two); at != "" {
					t.Fatalf("seed %d, paper %v, operation %d: %+v: %s", seed, paper, i, r.ops[i], at)
				}
			}
			for x := range two.grids[0].syncs.all {
				for a := x.global; a != nil; a = a.acquired {
					if a.depth == mostAcquired-1 {
						full++
					}
					if a.acquired != nil && a.acquired.acquired != nil {
						gathered++
					}
				}
			}
			if a, b := fmt.Sprint(one.End()), fmt.Sprint(two.End()); a != b {
				t.Fatalf("seed %d, paper %v: races %s, expected %s", seed, paper, b, a)
			}
		}
	}
	if full == 0 || gathered == 0 {
		t.Errorf("%d releases keep more than one other, %d as many as they may", gathered, full)
	}
}

// differentClocks returns a text that tells where the clocks of two detectors differ, "" if they do not.
func differentClocks(one, two *Detector) string {
	for b, blk := range one.grids[0].blocks {
		for w, wp := range blk.warps {
			for i := 0; wp != nil && i < len(wp.paths); i++ {
				other := two.grids[0].blocks[b].warps[w]
				v, u := wp.clockOf(&wp.paths[i]), other.clockOf(&other.paths[i])
				for known := range uint32(rowBlocks * rowWarps) {
					id := warpID(uint64(known/rowWarps), known%rowWarps)
					for lane := range fanout {
						if want, got := v.at(noLane, id, lane), u.at(noLane, id, lane); got != want {
							return fmt.Sprintf("block %d, warp %d, lanes %032b: lane %d of warp %d is known up to %d, expected %d", b, w, wp.paths[i].mask, lane, id, got, want)
						}
					}
				}
			}
		}
	}
	return ""
}

// TestGatheredChain: a release keeps a bounded number of those that it has acquired, and what it acquired itself, and what those
// acquired, is known to who acquires it.
func TestGatheredChain(t *testing.T) {
	warps := 3 * uint64(mostAcquired)
	d := newRowDetector(t, Options{Workers: 1}, uint32(warps))
	row := func(block uint64) {
		var s script
		o := s.on(Atomic, block, 0, allOfWarp, 0)
		o.Order = Order{Acquire: true, Release: true, Scope: ScopeGlobal}
		for lane := range o.Addr {
			o.Addr[lane] += 4 * uint64(lane)
		}
		d.Op(o)
	}
	for i := range warps {
		row(i)
		p := &d.grids[0].blocks[i].warps[0].paths[0]
		for k := range i {
			if got := p.known(warpID(k, 0), 7); got != 1 {
				t.Fatalf("warp %d knows lane 7 of warp %d up to %d", i, k, got)
			}
		}
	}
	for x := range d.grids[0].syncs.all {
		n := 0
		for a := x.global; a != nil; a = a.acquired {
			n++
		}
		if n > int(mostAcquired) {
			t.Fatalf("a location keeps %d releases", n)
		}
	}
	row(warps - 1)
	if a := d.grids[0].syncs.numbered(1).global; a.acquired != nil {
		t.Error("a release keeps one that its threads knew before")
	}
}

// A race detector in about a hundred lines, as one would add it below internal/detect. For each word of global memory,
// it keeps the thread that last wrote it since the last barrier of its block, and reports another thread that reads or
// writes the word.
//
// It is simpler than the real detectors, and its verdicts are wrong in cases that they handle: it ignores fences, flags
// and locks, and at a barrier it discards what the whole block has written.

package main

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// word is the granularity of the detector in bytes.
const word = 4

// write is the last write to a word.
type write struct {
	site   uint32 // the instruction, in the table of sites
	block  uint64
	thread uint32
}

// pair is two instructions that race.
type pair struct{ first, second uint32 }

// lastWriter implements detect.Detector.
type lastWriter struct {
	launch detect.Launch
	last   map[uint64]write // by address
	races  map[pair]*detect.Race
}

func newDetector() (detect.Detector, error) { return &lastWriter{}, nil }

// Begin implements detect.Detector: everything before a launch is ordered before it.
func (d *lastWriter) Begin(l detect.Launch) {
	d.launch, d.last, d.races = l, map[uint64]write{}, map[pair]*detect.Race{}
}

// Event implements detect.Detector: a barrier orders what its block has written.
func (d *lastWriter) Event(ev *abi.Event) {
	if ev.Kind != abi.EventBarrierComplete {
		return
	}
	for addr, w := range d.last {
		if w.block == ev.Block {
			delete(d.last, addr)
		}
	}
}

// Accesses implements detect.Detector.
func (d *lastWriter) Accesses(b *abi.Batch) {
	for i := range b.List {
		x := &b.List[i]
		for lanes := x.Mask; lanes != 0 && x.Space == abi.SpaceGlobal; lanes &= lanes - 1 {
			d.access(b, x, bits.TrailingZeros32(lanes))
		}
	}
}

// access handles the access of one lane.
func (d *lastWriter) access(b *abi.Batch, x *abi.Access, lane int) {
	me := write{x.Site, b.Block, b.Warp*abi.WarpLanes + uint32(lane)}
	for addr := x.At(lane) / word * word; addr < x.At(lane)+uint64(x.Bytes); addr += word {
		before, known := d.last[addr]
		if known && (before.block != me.block || before.thread != me.thread) {
			d.race(addr, before, me)
		}
		if x.Access.Writes() {
			d.last[addr] = me
		}
	}
}

// race adds a race, once for each pair of instructions.
func (d *lastWriter) race(addr uint64, first, second write) {
	p := pair{first.site, second.site}
	if r := d.races[p]; r != nil {
		r.Count++
		return
	}
	kind := detect.InterBlock
	if first.block == second.block {
		kind = detect.IntraBlock
	}
	d.races[p] = &detect.Race{
		Kind: kind, Cause: detect.MissingBarrier, Space: abi.SpaceGlobal, Address: addr, Size: word, Count: 1,
		First: d.side(first), Second: d.side(second), Detail: "the last writer is another thread",
	}
}

func (d *lastWriter) side(w write) detect.Side {
	return detect.Side{Site: w.site, Block: d.launch.BlockAt(w.block), Thread: d.launch.ThreadAt(w.thread)}
}

// End implements detect.Detector.
func (d *lastWriter) End() []detect.Race {
	var list []detect.Race
	for _, r := range d.races {
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b detect.Race) int {
		return cmp.Or(cmp.Compare(a.First.Site, b.First.Site), cmp.Compare(a.Second.Site, b.Second.Site))
	})
	return list
}

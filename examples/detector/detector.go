// Package detector is an example of a race detector in about a hundred lines, as one would add it under runtime/detect. For
// each word of global memory, it keeps the thread that last wrote it since the last barrier of its block, and reports another
// thread that reads or writes the word.
//
// It is simpler than the real detectors, and its verdicts are wrong in cases that they handle: it ignores fences, flags and
// locks, and at a barrier it discards what the whole block has written.
//
// The detector is a listener: the emulator notifies it of the events of a launch, warp by warp. It needs no instrumentation and
// does not depend on PTX.
package detector

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

// Detector implements detect.Detector.
type Detector struct {
	launch detect.Launch
	last   map[uint64]write // by address
	races  map[pair]*detect.Race
}

// New makes a detector.
func New() (detect.Detector, error) { return &Detector{}, nil }

// Begin implements detect.Detector: everything before a launch is ordered before it.
func (d *Detector) Begin(l detect.Launch) {
	d.launch, d.last, d.races = l, map[uint64]write{}, map[pair]*detect.Race{}
}

// Event implements detect.Detector: a barrier orders what its block has written.
func (d *Detector) Event(ev *abi.Event) {
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
func (d *Detector) Accesses(b *abi.Batch) {
	for i := range b.List {
		x := &b.List[i]
		for lanes := x.Mask; lanes != 0 && x.Space == abi.SpaceGlobal; lanes &= lanes - 1 {
			d.access(b, x, bits.TrailingZeros32(lanes))
		}
	}
}

// access handles the access of one lane.
func (d *Detector) access(b *abi.Batch, x *abi.Access, lane int) {
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
func (d *Detector) race(addr uint64, first, second write) {
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

func (d *Detector) side(w write) detect.Side {
	return detect.Side{Site: w.site, Block: d.launch.BlockAt(w.block), Thread: d.launch.ThreadAt(w.thread)}
}

// End implements detect.Detector.
func (d *Detector) End() []detect.Race {
	var list []detect.Race
	for _, r := range d.races {
		list = append(list, *r)
	}
	slices.SortFunc(list, func(a, b detect.Race) int {
		return cmp.Or(cmp.Compare(a.First.Site, b.First.Site), cmp.Compare(a.Second.Site, b.Second.Site))
	})
	return list
}

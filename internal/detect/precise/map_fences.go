// Tensor maps in global memory: operations that read them, and the fences after writes to them.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/vclock"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Asynchronous operations read their tensor map through a proxy of its own. What the grid has written to the map is
// ordered before such a read if a fence.proxy.tensormap::generic.acquire is between them in causality order (PTX ISA,
// "membar / fence"). The address of the fence is not looked at: one for another map counts as well.

// mapFence is an acquiring fence by a lane, with what it follows.
type mapFence struct {
	by    thread
	at    stamp
	known *vclock.Clock
}

// mostMapFences is the number of fences kept. When there are more, causality order suffices in the rest of the launch.
const mostMapFences = 1 << 12

// mapFences holds the acquiring fences of a launch.
type mapFences struct {
	list []mapFence
	over bool
}

// fence records a fence that lanes have executed at some time.
func (f *mapFences) fence(ev *abi.Event, w *warp, at stamp) {
	for m := ev.Mask; m != 0 && !f.over; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if f.over = len(f.list) >= mostMapFences; f.over {
			f.list = nil
			break
		}
		known := w.of(lane).With(vclock.Threads(w.unit, 1<<lane, at)).Tree()
		f.list = append(f.list, mapFence{thread{Unit: w.unit, Lane: uint8(lane)}, at, known})
	}
}

// mapAcquired reports whether the write of another lane in an entry is ordered before what a lane begins now to read as
// a tensor map.
func (d *Detector) mapAcquired(w *warp, lane int, e *entry, other int) bool {
	mine := w.of(lane)
	if d.maps.over {
		return e.unit == w.unit && other == lane || mine.Includes(e.unit, other, e.at)
	}
	for i := len(d.maps.list) - 1; i >= 0; i-- {
		f := &d.maps.list[i]
		own := f.by.Unit == w.unit && int(f.by.Lane) == lane
		if (own || mine.Includes(f.by.Unit, int(f.by.Lane), f.at)) && f.known.Includes(e.unit, other, e.at) {
			return true
		}
	}
	return false
}

// mapRead is the read of a tensor map by an operation that completes on an mbarrier.
type mapRead struct {
	unit unit
	at   stamp
}

// mapRead checks and records the read of a tensor map by a load of a lane. The phase of the mbarrier orders it, and so
// does cp.async.bulk.wait_group after a commit, though the manual names no group for loads: CUTLASS
// (tma_desc_wait_group) waits so before it edits maps.
func (d *Detector) mapRead(a *access, s *shadow) {
	async := d.asyncOf(a.warp)
	d.grouped(a, s, &async.groups[abi.AsyncBulk], asyncReads)
	async.noteMapRead(a)
}

// noteMapRead records the read of a tensor map by an operation of a lane.
func (x *asyncState) noteMapRead(a *access) {
	if x.mapReads == nil {
		x.mapReads = make(map[asyncOp]mapRead)
	}
	x.mapReads[asyncOp{a.ev.Op, bits.TrailingZeros32(a.ev.Mask)}] = mapRead{a.unit, a.at}
}

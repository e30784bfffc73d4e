// Tensor maps in global memory: operations that read them, and the fences after writes to them.

package causality

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
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

// MapFences holds the acquiring fences of a launch.
type MapFences struct {
	list []mapFence
	over bool
}

// fence records a fence that lanes have executed at some time.
func (f *MapFences) fence(ev *abi.Event, w *Warp, at stamp) {
	for m := ev.Mask; m != 0 && !f.over; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		if f.over = len(f.list) >= mostMapFences; f.over {
			f.list = nil
			break
		}
		known := w.Of(lane).With(vclock.Threads(w.Unit, 1<<lane, at)).Tree()
		f.list = append(f.list, mapFence{thread{Unit: w.Unit, Lane: uint8(lane)}, at, known})
	}
}

// mapAcquired reports whether the write of another lane in an entry is ordered before what a lane begins now to read as
// a tensor map.
func (d *Threads) mapAcquired(w *Warp, lane int, e *accesses.Entry, other int) bool {
	mine := w.Of(lane)
	if d.Maps.over {
		return e.Unit == w.Unit && other == lane || mine.Includes(e.Unit, other, e.At)
	}
	for i := len(d.Maps.list) - 1; i >= 0; i-- {
		f := &d.Maps.list[i]
		own := f.by.Unit == w.Unit && int(f.by.Lane) == lane
		if (own || mine.Includes(f.by.Unit, int(f.by.Lane), f.at)) && f.known.Includes(e.Unit, other, e.At) {
			return true
		}
	}
	return false
}

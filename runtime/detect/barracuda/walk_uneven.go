// Walks (walk.go) in which the distance between neighbouring lanes differs from lane to lane. This is so when lanes of a warp execute
// different rounds of a loop at the same time.

package barracuda

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// placeLanes sets w.gap and w.reach for the addresses of an access. It reports whether the addresses are those of words, increase
// from each lane to the next or decrease, and are far enough apart for a walk.
func (w *walk) placeLanes(x *abi.Access) bool {
	last := 31 - bits.LeadingZeros32(x.Mask)
	before := x.Addr[first(x.Mask)]
	whole, bytes := int64(x.Addr[last]-before), before
	w.gap, w.reach = 1<<63, distance(uint64(whole))
	for m := x.Mask & (x.Mask - 1); m != 0; m &= m - 1 {
		at := x.Addr[first(m)]
		between := int64(at - before)
		if between^whole < 0 {
			return false
		}
		bytes |= at
		w.gap, before = min(w.gap, distance(uint64(between))), at
	}
	return bytes%walkBytes == 0 && w.gap >= walkRounds*walkBytes
}

// fits reports whether x, an access of the first round, and y, that of the next, may be a column. If lanes are not evenly apart, they
// must be as far apart as in the walk's first access, and move as far as that does.
func (w *walk) fits(begin, x, y *abi.Access) bool {
	if !w.uneven || x.Addr == nil {
		return w.uneven == (x.Addr != nil)
	}
	lane := first(x.Mask)
	by := x.Addr[lane] - begin.Addr[lane]
	return by%walkBytes == 0 && isMoved(begin, x, by) && (len(w.columns) == 0 || y.Addr[lane]-x.Addr[lane] == w.columns[0].delta)
}

// isMoved reports whether the address of each lane in y is that in x, and by more. Both accesses have the same lanes.
func isMoved(x, y *abi.Access, by uint64) bool {
	for m := x.Mask; m != 0; m &= m - 1 {
		if lane := first(m); y.Addr[lane]-x.Addr[lane] != by {
			return false
		}
	}
	return true
}

// apartUnevenly is apart for lanes that are not evenly apart. All columns advance by the same distance.
func (w *walk) apartUnevenly() bool {
	lane, room := first(w.columns[0].op.Mask), uint64(1)<<63
	for i := range w.columns {
		for k := range w.columns[:i+1] {
			between := distance(w.columns[i].op.Addr[lane] - w.columns[k].op.Addr[lane])
			if between < w.gap { // the next lane's words lie between those of a lane, or after them
				between = w.gap - between
			} else {
				between -= min(between, w.reach)
			}
			room = min(room, between)
		}
	}
	return room >= walkBytes && uint64(w.rounds()-1)*distance(w.columns[0].delta) <= room-walkBytes
}

// The access in progress.

package causality

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Access is the state of one access, by a warp or by an asynchronous operation of its lanes, while it is checked.
type Access struct {
	*accesses.Class
	Index uint32 // of the access class
	Ev    *abi.Event
	Warp  *Warp
	Unit  unit // of the warp, or of the asynchronous operation

	At         stamp // time of the entries that the access makes
	WritesHere int   // number of writes in the history that the access is compared with
	Since      stamp // for a strong write: a thread that observes it observes all strong writes since then

	Began stamp // of an access by an asynchronous operation: when the operation began
	met   stamp // accesses of the warp's block up to this time precede the access (Warp.Met); 0 for none

	Told    bool // a cell has held the access: its messages have been recorded
	Before  Done
	Raced   uint32 // races found in the history that the access is compared with
	Crowded bool   // that history is crowded
	Late    bool   // at is before other events: the access is told again
	Chance  bool   // it might have come before those of an overlapping launch to the same location: see ByChance
}

// Begin reuses a for another access, for which there is no event. It assigns field by field: assigning the whole struct
// copies it, and the next load stalls on that copy.
func (a *Access) Begin(d *Threads, w *Warp, u unit, index uint32) {
	a.Class, a.Index, a.Ev, a.Warp, a.Unit = &d.Classes.List[index], index, nil, w, u
	a.At, a.WritesHere, a.Since = 0, 0, 0
	a.met = 0
	if a.Async == abi.Synchronous && a.Proxy == abi.ProxyGeneric {
		a.met = w.met
	}
	a.Told, a.Before, a.Raced, a.Crowded, a.Late, a.Chance = false, Done{}, 0, false, false, false
	d.Begun++
}

// Done says what has been done about an access before its event was made.
type Done struct {
	Lanes uint32 // lanes for which the access has been checked and recorded already
	Row   bool   // all lanes, those in lanes too, access consecutive elements
}

// SameAddress returns the longest run of lanes in mask, starting with the first, that access the same address.
func SameAddress(ev *abi.Event, mask uint32) uint32 {
	first := ev.Addr[bits.TrailingZeros32(mask)]
	out := Following(ev.Same, mask)
	for mask = AfterHole(mask, out); mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros32(mask)
		if ev.Addr[i] != first {
			break
		}
		out |= 1 << i
	}
	return out
}

// Following returns the first lane in mask and the lanes after it without a gap, as long as each is in next.
func Following(next, mask uint32) uint32 {
	first := bits.TrailingZeros32(mask)
	n := bits.TrailingZeros32(^(next & mask >> first >> 1))
	return uint32(2<<n-1) << first
}

// AfterHole returns mask without first, or 0 if the lane after first is in mask: Event.Next and Event.Same say nothing
// about the lanes after a gap.
func AfterHole(mask, first uint32) uint32 {
	if mask&(first+first&-first) != 0 {
		return 0
	}
	return mask &^ first
}

// IsAlike reports whether an access is morally strong with an entry that it overlaps. The test is conservative: false
// may mean unknown.
func (a *Access) IsAlike(e *accesses.Entry, x *accesses.Class) bool {
	return x.Code != 0 && x.Code == a.Code ||
		x.BlockCode != 0 && x.BlockCode == a.BlockCode && e.Unit>>radixBits == a.Unit>>radixBits
}

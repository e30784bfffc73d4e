// Crowds: locations and rows with so many racing accesses that not every pair can be examined.

package compare

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Many threads that write one word race pairwise. Two warps have up to 1024 pairs of threads, whose reports usually do
// not differ: these pairs are counted together (evidence.CountAlike), and so are the 32 pairs of lanes of two warps
// that write one row of words. At a location that has had CrowdedAt races, only a sample of pairs is examined for its
// report, and only the latest accesses by each instruction are kept.

// unordered returns the lanes of an entry that are not ordered before the access of lane.
func (d *Checker) unordered(a *causality.Access, e *accesses.Entry, x *accesses.Class, lane int) uint32 {
	out := e.Mask
	if a.Async != abi.Synchronous && e.Unit != a.Unit && e.Unit != a.Warp.Unit && d.NonePrecedesLane(a, e, x, lane) {
		return out
	}
	if a.Unit == a.Warp.Unit && a.Async == abi.Synchronous && d.Crossing(a, e, x) == accesses.CrossesNothing {
		if e.Unit == a.Unit {
			out &^= 1 << lane
		}
		if c := a.Warp.Of(lane); !d.MayBePerformed(x) && (c == nil || out&(out-1) != 0 && c.Most(e.Unit) < e.At) {
			return out
		}
	}
	for m := out; m != 0; m &= m - 1 {
		if other := bits.TrailingZeros32(m); d.Precedes(a, e, x, other, lane) {
			out &^= 1 << other
		}
	}
	return out
}

// conflicts reports races of lane's access with the lanes in others of an entry, which are not ordered before it. at is
// an address that all of them accessed.
func (d *Checker) conflicts(a *causality.Access, e *accesses.Entry, others uint32, lane int, at uint64) {
	if others == 0 {
		return
	}
	x := &d.Classes.List[e.Class]
	if !x.Writes() && !a.Writes() || d.MorallyStrong(a, e, x) {
		return
	}
	if x.Writes() && x.Strong && d.Crossing(a, e, x) == accesses.CrossesNothing {
		others &^= d.ObservedTimes.observed(d, a, e, others, lane, at)
	}
	if !d.countsPairs(a, x) {
		for ; others != 0; others &= others - 1 {
			d.conflict(a, e, bits.TrailingZeros32(others), lane, at)
		}
		return
	}
	harmless := uint32(0)
	if e.Unit == a.Unit && e.At == a.At {
		for m := others; m != 0; m &= m - 1 {
			if other := bits.TrailingZeros32(m); d.SameWrite(a, e, other, lane) {
				harmless |= 1 << other
			}
		}
	}
	place := func(int) (int, uint64) { return lane, at }
	d.addRaces(a, e, others&^harmless, false, place)
	d.addRaces(a, e, harmless, true, place)
}

// conflictsInRow reports races of an entry with an access: lane i in lanes of the entry races with lane i+by of the
// access, which accesses the same element. at is the address of the line.
func (d *Checker) conflictsInRow(a *causality.Access, e *accesses.Entry, lanes uint32, at uint64, by int) {
	if lanes == 0 {
		return
	}
	x := &d.Classes.List[e.Class]
	element := func(lane int) uint64 { return at + uint64((lane+int(e.Shift))*int(x.Size)) }
	switch {
	case !x.Writes() && !a.Writes(), d.MorallyStrong(a, e, x):
		return
	case d.countsPairs(a, x) && e.Unit != a.Unit && (!x.Writes() || !x.Strong):
		d.addRaces(a, e, lanes, false, func(lane int) (int, uint64) { return lane + by, element(lane) })
		return
	}
	for ; lanes != 0; lanes &= lanes - 1 {
		lane := bits.TrailingZeros32(lanes)
		d.conflicts(a, e, 1<<lane, lane+by, element(lane))
	}
}

// shifted returns the lanes that are by lanes after those in mask.
func shifted(mask uint32, by int) uint32 {
	if by >= 0 {
		return mask << by
	}
	return mask >> -by
}

// countsPairs reports whether races of an access with lanes that made access x may be counted together.
func (d *Checker) countsPairs(a *causality.Access, x *accesses.Class) bool {
	return a.Unit == a.Warp.Unit && a.Proxy == x.Proxy && d.LockSets.None()
}

// addRaces adds the races of an access with the lanes in others of an entry. For each of those lanes, place returns the
// lane of the access that races with it, and the address.
func (d *Checker) addRaces(a *causality.Access, e *accesses.Entry, others uint32, harmless bool,
	place func(other int) (lane int, at uint64),
) {
	if others == 0 {
		return
	}
	n := uint32(bits.OnesCount32(others))
	a.Raced += n
	if d.Launched != nil {
		for ; others != 0; others &= others - 1 {
			other := bits.TrailingZeros32(others)
			lane, at := place(other)
			d.relate(a, e, other, lane, at)
		}
		return
	}
	of := evidence.Pair{First: e.Class, Second: a.Index, Relation: d.Evidence.KindOf(e.Unit, a.Unit)}
	if !d.Evidence.CountAlike(of, others, a.Crowded, harmless) {
		d.Evidence.RaceAlike(of, others, a.Crowded, harmless, func(f *evidence.Finding, other int) {
			lane, at := place(other)
			*f = evidence.Finding{
				First: e.Class, Second: a.Index, FirstUnit: e.Unit, SecondUnit: a.Unit,
				FirstLane: uint8(other), SecondLane: uint8(lane), At: at, Since: e.At, Harmless: harmless,
			}
		})
	}
}

// crowd counts races at a location, and drops old accesses of a crowded one.
func (d *Checker) crowd(h *shadow.History, raced uint32) {
	if h.More == nil {
		return
	}
	h.More.Raced = min(h.More.Raced+min(raced, shadow.CrowdedAt), shadow.CrowdedAt)
	if h.More.Raced == shadow.CrowdedAt {
		d.dropOld(&h.More.Writes, shadow.CrowdKept, false)
		d.dropOld(&h.More.Reads, shadow.CrowdKept, false)
	}
}

// dropOld keeps the latest entries of each instruction in a log: so many of them or, of rows, as many as have so many
// elements.
func (d *Checker) dropOld(l *shadow.Log, most uint32, rows bool) {
	if len(l.Entries) <= int(max(l.Crowd, shadow.CrowdLimit)) {
		return
	}
	l.Tally.Expire()
	d.GiveUp("the oldest accesses of places that have more than 4096 races")
	d.Subsumed.Reset(len(l.Entries))
	kept := len(l.Entries)
	for i := len(l.Entries) - 1; i >= 0; i-- {
		e := l.Entries[i]
		later, size := d.Subsumed.Of(causality.SubsumptionKey{Class: e.Class}), uint32(1)
		if rows {
			size = uint32(bits.OnesCount32(e.Mask))
		}
		if *later < most {
			kept--
			l.Entries[kept] = e
		}
		*later += size
	}
	l.Entries = l.Entries[:copy(l.Entries, l.Entries[kept:])]
	l.Crowd = uint32(2 * len(l.Entries))
}

// conflict reports the race of an access with another lane's access in an entry, which is not ordered before it,
// morally strong or observed. at is an address that both accessed.
func (d *Checker) conflict(a *causality.Access, e *accesses.Entry, other, lane int, at uint64) {
	open := d.Crossing(a, e, &d.Classes.List[e.Class]) == accesses.CrossesOpen
	if d.Guarded(a, e, other, lane) ||
		open && d.Operations.Tensor.Addresses[d.Operations.SharedKey(a.Warp, at&^(wordBytes-1))] {
		return
	}
	if d.Launched != nil {
		d.relate(a, e, other, lane, at)
		return
	}
	d.Evidence.Race(&evidence.Finding{
		First: e.Class, Second: a.Index, FirstUnit: e.Unit, SecondUnit: a.Unit,
		FirstLane: uint8(other), SecondLane: uint8(lane), At: at, Since: e.At,
		Harmless: d.SameWrite(a, e, other, lane),
	})
}

// relate passes on a race of an access with one of another launch. Another detector judges those within a launch.
func (d *Checker) relate(a *causality.Access, e *accesses.Entry, other, lane int, at uint64) {
	first, second := d.LaunchOf(e.Unit), d.LaunchOf(a.Warp.Unit)
	if (second.MayOverlap(first) || second.IsBeside(first)) && !a.Shared && !a.Tensor {
		d.BetweenLaunches(Pair{first, e, a, second, other, lane, at})
	}
}

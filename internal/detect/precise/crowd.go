// Crowds: locations and rows with so many racing accesses that not every pair can be examined.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Many threads that write one word race pairwise. Two warps have up to 1024 pairs of threads, whose reports usually do
// not differ: these pairs are counted together (evidence.CountAlike), and so are the 32 pairs of lanes of two warps
// that write one row of words. At a location that has had crowdedAt races, only a sample of pairs is examined for its
// report, and only the latest accesses by each instruction are kept.

const (
	crowdedAt  = 1 << 12 // races at one location
	crowdKept  = 8       // accesses by each instruction that are kept at a crowded location
	crowdLimit = 16      // length at which a log of a crowded location is pruned
)

// isCrowded reports whether a location has had many races.
func (h *history) isCrowded() bool { return h.more != nil && h.more.raced >= crowdedAt }

// unordered returns the lanes of an entry that are not ordered before the access of lane.
func (d *Detector) unordered(a *access, e *entry, x *accesses.Class, lane int) uint32 {
	out := e.mask
	if a.unit == a.warp.unit && a.Async == abi.Synchronous && d.crossing(a, e, x) == accesses.CrossesNothing {
		if e.unit == a.unit {
			out &^= 1 << lane
		}
		if c := a.warp.of(lane); c == nil || out&(out-1) != 0 && c.Most(e.unit) < e.at {
			return out
		}
	}
	for m := out; m != 0; m &= m - 1 {
		if other := bits.TrailingZeros32(m); d.precedes(a, e, x, other, lane) {
			out &^= 1 << other
		}
	}
	return out
}

// conflicts reports races of lane's access with the lanes in others of an entry, which are not ordered before it. at is
// an address that all of them accessed.
func (d *Detector) conflicts(a *access, e *entry, others uint32, lane int, at uint64) {
	if others == 0 {
		return
	}
	x := &d.classes[e.class]
	if !x.Writes() && !a.Writes() || d.morallyStrong(a, e, x) {
		return
	}
	if x.Writes() && x.Strong && d.crossing(a, e, x) == accesses.CrossesNothing {
		others &^= d.observedTimes.observed(d, a, e, others, lane, at)
	}
	if !d.countsPairs(a, x) {
		for ; others != 0; others &= others - 1 {
			d.conflict(a, e, bits.TrailingZeros32(others), lane, at)
		}
		return
	}
	harmless := uint32(0)
	if e.unit == a.unit && e.at == a.at {
		for m := others; m != 0; m &= m - 1 {
			if other := bits.TrailingZeros32(m); d.sameWrite(a, e, other, lane) {
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
func (d *Detector) conflictsInRow(a *access, e *entry, lanes uint32, at uint64, by int) {
	if lanes == 0 {
		return
	}
	x := &d.classes[e.class]
	element := func(lane int) uint64 { return at + uint64((lane+int(e.shift))*int(x.Size)) }
	switch {
	case !x.Writes() && !a.Writes(), d.morallyStrong(a, e, x):
		return
	case d.countsPairs(a, x) && e.unit != a.unit && (!x.Writes() || !x.Strong):
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
func (d *Detector) countsPairs(a *access, x *accesses.Class) bool {
	return a.unit == a.warp.unit && a.Proxy == x.Proxy && d.lockSets.none()
}

// addRaces adds the races of an access with the lanes in others of an entry. For each of those lanes, place returns the
// lane of the access that races with it, and the address.
func (d *Detector) addRaces(a *access, e *entry, others uint32, harmless bool,
	place func(other int) (lane int, at uint64),
) {
	if others == 0 {
		return
	}
	n := uint32(bits.OnesCount32(others))
	a.raced += n
	of := evidence.Pair{First: e.class, Second: a.index, Relation: d.evidence.KindOf(e.unit, a.unit)}
	if !d.evidence.CountAlike(of, others, a.crowded, harmless) {
		d.evidence.RaceAlike(of, others, a.crowded, harmless, func(f *evidence.Finding, other int) {
			lane, at := place(other)
			*f = evidence.Finding{
				First: e.class, Second: a.index, FirstUnit: e.unit, SecondUnit: a.unit,
				FirstLane: uint8(other), SecondLane: uint8(lane), At: at, Since: e.at, Harmless: harmless,
			}
		})
	}
}

// crowd counts races at a location, and drops old accesses of a crowded one.
func (d *Detector) crowd(h *history, raced uint32) {
	if h.more == nil {
		return
	}
	if h.more.raced = min(h.more.raced+min(raced, crowdedAt), crowdedAt); h.more.raced == crowdedAt {
		d.dropOld(&h.more.writes, crowdKept, false)
		d.dropOld(&h.more.reads, crowdKept, false)
	}
}

// dropOld keeps the latest entries of each instruction in a log: so many of them or, of rows, as many as have so many
// elements.
func (d *Detector) dropOld(l *log, most uint32, rows bool) {
	if len(l.entries) <= int(max(l.crowd, crowdLimit)) {
		return
	}
	l.tally.expire()
	d.giveUp("the oldest accesses of places that have more than 4096 races")
	d.subsumed.reset(len(l.entries))
	kept := len(l.entries)
	for i := len(l.entries) - 1; i >= 0; i-- {
		e := l.entries[i]
		later, size := d.subsumed.of(subsumptionKey{class: e.class}), uint32(1)
		if rows {
			size = uint32(bits.OnesCount32(e.mask))
		}
		if *later < most {
			kept--
			l.entries[kept] = e
		}
		*later += size
	}
	l.entries = l.entries[:copy(l.entries, l.entries[kept:])]
	l.crowd = uint32(2 * len(l.entries))
}

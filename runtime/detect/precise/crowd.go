// Crowds: locations and rows with so many racing accesses that not every pair can be examined.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Many threads that write one word race pairwise. Two warps have up to 1024 pairs of threads, whose reports usually do not
// differ: these pairs are counted together (evidence.countAlike), and so are the 32 pairs of lanes of two warps that write one
// row of words. At a location that has had crowdedAt races, only a sample of pairs is examined for its report, and only the
// latest accesses by each instruction are kept.

const (
	crowdedAt   = 1 << 12 // races at one location
	crowdKept   = 8       // accesses by each instruction that are kept at a crowded location
	crowdLimit  = 16      // length at which a log of a crowded location is pruned
	crowdSample = 64      // one of so many pairs of a crowded location is examined
)

// isCrowded reports whether a location has had many races.
func (h *history) isCrowded() bool { return h.more != nil && h.more.raced >= crowdedAt }

// unordered returns the lanes of an entry that are not ordered before the access of lane.
func (d *Detector) unordered(a *access, e *entry, x *accessClass, lane int) uint32 {
	out := e.mask
	if a.unit == a.warp.unit && a.async == abi.Synchronous && d.crossing(a, e, x) == crossesNothing {
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

// conflicts reports races of lane's access with the lanes in others of an entry, which are not ordered before it. at is an
// address that all of them accessed.
func (d *Detector) conflicts(a *access, e *entry, others uint32, lane int, at uint64) {
	if others == 0 {
		return
	}
	x := &d.classes[e.class]
	if !x.writes() && !a.writes() || d.morallyStrong(a, e, x) {
		return
	}
	if x.writes() && x.strong && d.crossing(a, e, x) == crossesNothing && d.observedSpans.mayHave(d, a, e, lane, at) {
		others &^= d.observed(a, e, others, lane, at)
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

// conflictsInRow reports races of an entry with an access: lane i in lanes of the entry races with lane i+by of the access, which
// accesses the same element. at is the address of the line.
func (d *Detector) conflictsInRow(a *access, e *entry, lanes uint32, at uint64, by int) {
	if lanes == 0 {
		return
	}
	x := &d.classes[e.class]
	element := func(lane int) uint64 { return at + uint64((lane+int(e.shift))*int(x.size)) }
	switch {
	case !x.writes() && !a.writes(), d.morallyStrong(a, e, x):
		return
	case d.countsPairs(a, x) && e.unit != a.unit && (!x.writes() || !x.strong):
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
func (d *Detector) countsPairs(a *access, x *accessClass) bool {
	return a.unit == a.warp.unit && a.proxy == x.proxy && d.lockSets.none()
}

// addRaces adds the races of an access with the lanes in others of an entry. For each of those lanes, place returns the lane of
// the access that races with it, and the address.
func (d *Detector) addRaces(a *access, e *entry, others uint32, harmless bool, place func(other int) (lane int, at uint64)) {
	if others == 0 {
		return
	}
	n := uint32(bits.OnesCount32(others))
	a.raced += n
	of := classPair{e.class, a.index, d.evidence.kindOf(e.unit, a.unit)}
	if !d.evidence.countAlike(of, others, a.crowded, harmless) {
		d.evidence.raceAlike(of, others, a.crowded, harmless, func(f *finding, other int) {
			lane, at := place(other)
			*f = finding{
				first: e.class, second: a.index, firstUnit: e.unit, secondUnit: a.unit,
				firstLane: uint8(other), secondLane: uint8(lane), at: at, since: e.at, harmless: harmless,
			}
		})
	}
}

// classPair is two access classes and the distance of their threads.
type classPair struct {
	first, second uint32
	kind          kind
}

// alikeRace caches the finding of the latest occurrences of a race that are alike.
type alikeRace struct {
	of     classPair
	at     int    // index in findings.list
	times  uint32 // number of lookups
	silent bool   // the finding does not depend on the lanes as long as the evidence is silent
	fixed  bool   // it never does
}

// alikeRaces caches the latest, by the hash of the pair.
type alikeRaces [64]alikeRace

func (r *alikeRaces) of(p classPair) *alikeRace {
	return &r[p.slot(len(r))]
}

// countAlike adds occurrences of a race, one for each lane in others, to earlier ones if they are known to be alike, and reports
// whether it did. At a crowded location, what holds for a sample is taken to hold for all.
func (e *evidence) countAlike(of classPair, others uint32, crowded, harmless bool) bool {
	r := e.alike.of(of)
	if r.of != of || e.found.list[r.at].harmless && !harmless {
		return false
	}
	if !e.areAlike(r) && (!crowded || r.times%crowdSample == 0) {
		return false
	}
	r.times++
	e.found.list[r.at].count += uint64(bits.OnesCount32(others))
	return true
}

// areAlike reports whether further occurrences of a race have the same cause.
func (e *evidence) areAlike(r *alikeRace) bool { return r.fixed || r.silent && e.isSilent() }

// knownAlike returns the cached race of two access classes if further occurrences have the same cause and are not harmless, else nil.
// Such occurrences may be counted by countKnown.
func (e *evidence) knownAlike(of classPair) *alikeRace {
	r := e.alike.of(of)
	if r.of != of || e.found.list[r.at].harmless || !e.areAlike(r) {
		return nil
	}
	return r
}

// countKnown adds occurrences to a known race, in place of so many calls of countAlike.
func (e *evidence) countKnown(r *alikeRace, races, calls uint32) {
	r.times += calls
	e.found.list[r.at].count += uint64(races)
}

// raceAlike adds occurrences of a race that differ in nothing but lanes and addresses: one for each lane in others.
func (e *evidence) raceAlike(of classPair, others uint32, crowded, harmless bool, occurrence func(f *finding, lane int)) {
	silent, fixed := e.isSilent(), e.isFixed(e.class(of.first), e.class(of.second))
	for m := others; m != 0; m &= m - 1 {
		n := bits.OnesCount32(m)
		if fixed || silent || crowded {
			at := e.raceLikeTold(of, harmless, func(f *finding) { occurrence(f, bits.TrailingZeros32(m)) })
			r := e.alike.of(of)
			*r = alikeRace{of, at, r.times + 1, silent, fixed}
			e.found.list[at].count += uint64(n - 1)
			return
		}
		if e.countTold(of, harmless, n) {
			return
		}
		e.raceLikeTold(of, harmless, func(f *finding) { occurrence(f, bits.TrailingZeros32(m)) })
	}
}

// isSilent reports whether the evidence so far contains nothing by which races of the same two instructions, at the same
// distance, could differ: no messages, no fences that are too narrow, no locks.
func (e *evidence) isSilent() bool {
	return e.edges.total == 0 && e.hasOnlyMessages(false) && !e.countsDeferred()
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

// dropOld keeps the latest entries of each instruction in a log: so many of them or, of rows, as many as have so many elements.
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

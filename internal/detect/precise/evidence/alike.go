// Races alike: pairs of lanes that race with the same two instructions, counted together.

package evidence

import "math/bits"

// sample is such that one of so many pairs of lanes at a crowded location is examined.
const sample = 64

// Pair is two access classes and the distance of their threads.
type Pair struct {
	First, Second uint32 // indices of the classes
	Relation      Relation
}

// AlikeRace caches the finding of the latest occurrences of a race that are alike.
type AlikeRace struct {
	of     Pair
	at     int    // index in findings.list
	times  uint32 // number of lookups
	silent bool   // the finding does not depend on the lanes as long as the evidence is silent
	fixed  bool   // it never does
}

// alikeRaces caches the latest, by the hash of the pair.
type alikeRaces [64]AlikeRace

func (r *alikeRaces) of(p Pair) *AlikeRace {
	return &r[p.slot(len(r))]
}

// CountAlike adds occurrences of a race, one for each lane in others, to earlier ones if they are known to be alike,
// and reports whether it did. At a crowded location, what holds for a sample is taken to hold for all.
func (e *Evidence) CountAlike(of Pair, others uint32, crowded, harmless bool) bool {
	r := e.alike.of(of)
	if r.of != of || e.found.list[r.at].Harmless && !harmless {
		return false
	}
	if !e.areAlike(r) && (!crowded || r.times%sample == 0) {
		return false
	}
	r.times++
	e.found.list[r.at].Count += uint64(bits.OnesCount32(others))
	return true
}

// areAlike reports whether further occurrences of a race have the same cause.
func (e *Evidence) areAlike(r *AlikeRace) bool { return r.fixed || r.silent && e.isSilent() }

// KnownAlike returns the cached race of two access classes if further occurrences have the same cause and are not
// harmless, else nil. Such occurrences may be counted by CountKnown.
func (e *Evidence) KnownAlike(of Pair) *AlikeRace {
	r := e.alike.of(of)
	if r.of != of || e.found.list[r.at].Harmless || !e.areAlike(r) {
		return nil
	}
	return r
}

// CountKnown adds occurrences to a known race, in place of so many calls of CountAlike.
func (e *Evidence) CountKnown(r *AlikeRace, races, calls uint32) {
	r.times += calls
	e.found.list[r.at].Count += uint64(races)
}

// RaceAlike adds occurrences of a race that differ in nothing but lanes and addresses: one for each lane in others.
func (e *Evidence) RaceAlike(of Pair, others uint32, crowded, harmless bool, occurrence func(f *Finding, lane int)) {
	silent, fixed := e.isSilent(), e.isFixed(e.classes.At(of.First), e.classes.At(of.Second))
	for m := others; m != 0; m &= m - 1 {
		n := bits.OnesCount32(m)
		if fixed || silent || crowded {
			at := e.raceLikeTold(of, harmless, func(f *Finding) { occurrence(f, bits.TrailingZeros32(m)) })
			r := e.alike.of(of)
			*r = AlikeRace{of, at, r.times + 1, silent, fixed}
			e.found.list[at].Count += uint64(n - 1)
			return
		}
		if e.countTold(of, harmless, n) {
			return
		}
		e.raceLikeTold(of, harmless, func(f *Finding) { occurrence(f, bits.TrailingZeros32(m)) })
	}
}

// isSilent reports whether the evidence so far contains nothing by which races of the same two instructions, at the
// same distance, could differ: no messages, no fences that are too narrow, no locks.
func (e *Evidence) isSilent() bool {
	return e.edges.total == 0 && e.hasOnlyMessages(false) && !e.Deferred
}

// Tallies: the writes in a long history counted by block and access class, so that one comparison decides for many.

package compare

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// alikePairs says that some lanes of some entries race with an access, each as in a race that has been found before.
type alikePairs struct {
	of             *evidence.AlikeRace // the race found before
	lanes, entries uint32              // the numbers of lanes and of entries
}

// tryTally compares an access of one lane with the writes of a history, as against does, if a tally decides for all
// entries but some of the lane's own block. It reports whether that is so, and otherwise changes nothing.
func (d *Checker) tryTally(a *causality.Access, h *shadow.History, mask uint32, at uint64) bool {
	if h.More == nil || h.More.Writes.Tally == nil || mask&(mask-1) != 0 || a.Unit != a.Warp.Unit ||
		a.Async != abi.Synchronous || !d.LockSets.None() {
		return false
	}
	l := &h.More.Writes
	t := l.Tally
	if t.Stale || len(l.Entries) < d.Tuning.Writes || l.Same != 0 {
		return false
	}
	a.WritesHere = t.Entries
	v := tallyVerdict{lane: bits.TrailingZeros32(mask)}
	if !d.decide(&v, a, h, at) {
		t.Miss()
		return false
	}
	t.Misses = 0
	for _, p := range v.pairs[:v.found] {
		d.Evidence.CountKnown(p.of, p.lanes, p.entries)
		a.Raced += p.lanes
	}
	if v.own || v.precede != 0 {
		d.compareApart(&v, a, h, mask, at)
	}
	return true
}

// tallyVerdict is what the writes of a history that has a tally are to a lane of an access.
type tallyVerdict struct {
	lane  int
	pairs [2 * shadow.MaxGroups]alikePairs // races
	found int                              // number of pairs
	// Writes that must be compared one by one: those by the unit of the access, which may be by its thread, and those
	// of some groups that the access may subsume.
	own     bool
	precede uint8 // the set of these groups, a bit for each index
}

// decide finds the verdict about a lane of an access. It reports whether the tally decides.
func (d *Checker) decide(v *tallyVerdict, a *causality.Access, h *shadow.History, at uint64) bool {
	t := h.More.Writes.Tally
	mayBeOwn, c := t.Threads.Has(a.Unit, v.lane), a.Warp.Of(v.lane)
	for i := range t.Groups {
		g := &t.Groups[i]
		if g.Lanes == 0 {
			continue
		}
		x, first := &d.Classes.List[g.Class], accesses.Entry{Unit: unit(g.Block << radixBits)}
		if d.MorallyStrong(a, &first, x) {
			switch {
			case !a.Writes() || g.Newest <= a.Since: // the access subsumes none of them
			case c != nil && c.MostInBlock(first.Unit) >= g.Oldest:
				v.precede |= 1 << i
			case g.Block == uint32(a.Unit>>radixBits):
				v.own = v.own || mayBeOwn && g.Warps[a.Unit%radix].Entries > 0
			}
			continue
		}
		others, own, distance := alikePairs{lanes: g.Lanes, entries: g.Entries}, alikePairs{}, evidence.InterBlock
		if g.Block == uint32(a.Unit>>radixBits) {
			w := &g.Warps[a.Unit%radix]
			own, distance = alikePairs{lanes: uint32(w.Lanes), entries: uint32(w.Entries)}, evidence.IntraBlock
			others.lanes, others.entries = others.lanes-own.lanes, others.entries-own.entries
			if mayBeOwn {
				v.own, own = v.own || own.entries > 0, alikePairs{}
			}
		}
		if others.lanes+own.lanes != 0 && (!d.allRace(a, h, g, v.lane, at) || !v.add(d, a, g, others, distance) ||
			!v.add(d, a, g, own, evidence.IntraWarp)) {
			return false
		}
	}
	return true
}

// add adds races with writes of a group by threads at some distance. It reports whether they are known to be like
// earlier ones.
func (v *tallyVerdict) add(d *Checker, a *causality.Access, g *shadow.Group, p alikePairs,
	distance evidence.Relation,
) bool {
	if p.lanes == 0 {
		return true
	}
	p.of = d.Evidence.KnownAlike(evidence.Pair{First: g.Class, Second: a.Index, Relation: distance})
	v.pairs[v.found] = p
	v.found++
	return p.of != nil
}

// allRace reports whether all entries of a group, which are not morally strong with a lane of an access, race with it.
// If not, some may.
func (d *Checker) allRace(a *causality.Access, h *shadow.History, g *shadow.Group, lane int, at uint64) bool {
	c, x, block := a.Warp.Of(lane), &d.Classes.List[g.Class], unit(g.Block<<radixBits)
	if x.Proxy != a.Proxy || c != nil && c.MostInBlock(block) >= g.Oldest {
		return false
	}
	return !x.Strong || !d.mayHaveObserved(a, lane, at, g.Oldest,
		func(from, to stamp) bool { return g.Within(h, from, to) })
}

// compareApart compares an access with those writes of a history that has a tally for which there is no verdict.
func (d *Checker) compareApart(v *tallyVerdict, a *causality.Access, h *shadow.History, mask uint32, at uint64) {
	l := &h.More.Writes
	compare := func(e *accesses.Entry) {
		if own := v.own && e.Unit == a.Unit; !own && (v.precede == 0 || e.At <= a.Since ||
			v.precede>>l.Tally.IndexOf(e)&1 == 0) {
			return
		}
		l.Tally.Remove(e)
		d.compareEntry(a, e, mask, at)
		l.Tally.Add(&d.Record, e)
	}
	if h.Write.Mask != 0 {
		compare(&h.Write)
	}
	kept := 0
	for i := range l.Entries {
		e := &l.Entries[i]
		if compare(e); e.Mask == 0 {
			continue
		}
		if kept < i {
			l.Entries[kept] = *e
		}
		kept++
	}
	if h.Write.Mask == 0 && kept > 0 {
		kept--
		h.Write = l.Entries[kept]
	}
	if l.Entries = l.Entries[:kept]; kept < d.Tuning.Writes {
		l.Tally.Expire() // other paths, which do not know of it, handle the few
	}
}

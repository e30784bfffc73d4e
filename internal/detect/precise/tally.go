// Tallies: the writes in a long history counted by block and access class, so that one comparison decides for many.

package precise

import (
	"math/bits"
	"unsafe"

	"github.com/ptxsan/ptxsan/internal/detect/precise/evidence"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// When many threads race at one word, or none has acquired what others wrote there, its history has a write of each.
// Two questions decide whether an access races with all writes of a block by one instruction: whether the clock of its
// thread has a time for the block that is as late as the oldest of them, and whether accesses of the two classes at
// that distance are morally strong. What is left is to count. Where the answer is not the same for all, or the race is
// a new one, the access is compared with the entries one by one.

// tally counts the entries of a list of writes. It knows nothing that the list does not.
type tally struct {
	groups  []group
	threads threadSet // of the entries, and perhaps others
	entries int
	stale   bool // the list has changed otherwise
	// After a tally has not decided, it is not renewed for some accesses, twice as many each time.
	misses, wait uint8
}

// group is the entries of one block and access class.
type group struct {
	block, class   uint32
	oldest, newest stamp // no entry is older or newer
	lanes, entries uint32
	warps          [radix]struct{ lanes, entries uint16 }
}

// maxGroups is the number of groups of a tally. A list with more is compared entry by entry.
const maxGroups = 8

// threadSet is a set of threads. It may contain threads that were not added.
type threadSet [8]uint64

// bit returns a thread's word and bit in the set. Threads of two blocks of up to 256 threads have bits of their own.
func (s *threadSet) bit(u unit, lane int) (word *uint64, bit uint64) {
	at := uint32(u>>radixBits)*256 + uint32(u)%radix*radix + uint32(lane)
	return &s[at/64%uint32(len(s))], 1 << (at % 64)
}

// add adds lanes of a unit.
func (s *threadSet) add(u unit, lanes uint32) {
	word, bit := s.bit(u, 0)
	*word |= bit * uint64(lanes)
}

// has reports whether a thread may be in the set.
func (s *threadSet) has(u unit, lane int) bool {
	word, bit := s.bit(u, lane)
	return *word&bit != 0
}

// tallied makes a tally of the writes of a history if they are many, or renews it.
func (d *Detector) tallied(h *history) {
	if h.more == nil || len(h.more.writes.entries) < d.tuning.writes || !d.tuning.takes(tallies) {
		return
	}
	t := h.more.writes.tally
	switch {
	case t == nil && len(h.more.writes.entries) < d.tuning.writes*3/2:
		return
	case t == nil:
		t = &tally{groups: make([]group, 0, 2)}
		h.more.writes.tally = t
		d.uses(unsafe.Sizeof(*t) + 2*unsafe.Sizeof(group{}))
	case !t.stale:
		return
	case t.wait > 0:
		t.wait--
		return
	}
	*t = tally{groups: t.groups[:0], misses: t.misses}
	t.add(d, &h.write)
	for i := range h.more.writes.entries {
		t.add(d, &h.more.writes.entries[i])
	}
	if t.stale {
		t.miss()
	}
}

// miss notes that the tally has not decided.
func (t *tally) miss() {
	t.misses = min(2*t.misses+1, 127)
	t.wait = t.misses
}

// add counts an entry, which has been added to the list.
func (t *tally) add(d *Detector, e *entry) {
	if e.mask == 0 || t.stale {
		return
	}
	i := t.indexOf(e)
	if i < 0 {
		if t.stale = len(t.groups) == maxGroups || d.places[e.unit>>radixBits].owners != nil; t.stale {
			return
		}
		if len(t.groups) == cap(t.groups) {
			d.uses(2 * unsafe.Sizeof(group{}))
		}
		t.groups = append(t.groups, group{block: uint32(e.unit >> radixBits), class: e.class, oldest: e.at})
		i = len(t.groups) - 1
	}
	g := &t.groups[i]
	g.oldest, g.newest = min(g.oldest, e.at), max(g.newest, e.at)
	g.count(e.unit, bits.OnesCount32(e.mask), 1)
	t.threads.add(e.unit, e.mask)
	t.entries++
}

// indexOf returns the index of the group of an entry, -1 for none.
func (t *tally) indexOf(e *entry) int {
	for i := range t.groups {
		if g := &t.groups[i]; g.block == uint32(e.unit>>radixBits) && g.class == e.class {
			return i
		}
	}
	return -1
}

// within reports whether an entry of the group has a time from one to another.
func (g *group) within(h *history, from, to stamp) bool {
	is := func(e *entry) bool {
		return e.at >= from && e.at <= to && e.class == g.class && uint32(e.unit>>radixBits) == g.block
	}
	if is(&h.write) {
		return true
	}
	for i := range h.more.writes.entries {
		if is(&h.more.writes.entries[i]) {
			return true
		}
	}
	return false
}

// count adds numbers of lanes and entries of a unit, which may be negative.
func (g *group) count(u unit, lanes, entries int) {
	w := &g.warps[u%radix]
	w.lanes, w.entries = w.lanes+uint16(lanes), w.entries+uint16(entries)
	g.lanes, g.entries = g.lanes+uint32(lanes), g.entries+uint32(entries)
}

// extend counts further lanes of an entry.
func (t *tally) extend(e *entry, lanes uint32) {
	if t.stale {
		return
	}
	t.groups[t.indexOf(e)].count(e.unit, bits.OnesCount32(lanes), 0)
	t.threads.add(e.unit, lanes)
}

// expire has the tally renewed before it is used again.
func (t *tally) expire() {
	if t != nil {
		t.stale = true
	}
}

// remove uncounts an entry. Its thread stays in the set.
func (t *tally) remove(e *entry) {
	t.groups[t.indexOf(e)].count(e.unit, -bits.OnesCount32(e.mask), -1)
	t.entries--
}

// alikePairs says that some lanes of some entries race with an access, each as in a race that has been found before.
type alikePairs struct {
	of             *evidence.AlikeRace // the race found before
	lanes, entries uint32              // the numbers of lanes and of entries
}

// tryTally compares an access of one lane with the writes of a history, as against does, if a tally decides for all
// entries but some of the lane's own block. It reports whether that is so, and otherwise changes nothing.
func (d *Detector) tryTally(a *access, h *history, mask uint32, at uint64) bool {
	if h.more == nil || h.more.writes.tally == nil || mask&(mask-1) != 0 || a.unit != a.warp.unit ||
		a.Async != abi.Synchronous || !d.lockSets.none() {
		return false
	}
	l := &h.more.writes
	t := l.tally
	if t.stale || len(l.entries) < d.tuning.writes || l.same != 0 {
		return false
	}
	a.writesHere = t.entries
	v := tallyVerdict{lane: bits.TrailingZeros32(mask)}
	if !d.decide(&v, a, h, at) {
		t.miss()
		return false
	}
	t.misses = 0
	for _, p := range v.pairs[:v.found] {
		d.evidence.CountKnown(p.of, p.lanes, p.entries)
		a.raced += p.lanes
	}
	if v.own || v.precede != 0 {
		d.compareApart(&v, a, h, mask, at)
	}
	return true
}

// tallyVerdict is what the writes of a history that has a tally are to a lane of an access.
type tallyVerdict struct {
	lane  int
	pairs [2 * maxGroups]alikePairs // races
	found int                       // number of pairs
	// Writes that must be compared one by one: those by the unit of the access, which may be by its thread, and those
	// of some groups that the access may subsume.
	own     bool
	precede uint8 // the set of these groups, a bit for each index
}

// decide finds the verdict about a lane of an access. It reports whether the tally decides.
func (d *Detector) decide(v *tallyVerdict, a *access, h *history, at uint64) bool {
	t := h.more.writes.tally
	mayBeOwn, c := t.threads.has(a.unit, v.lane), a.warp.of(v.lane)
	for i := range t.groups {
		g := &t.groups[i]
		if g.lanes == 0 {
			continue
		}
		x, first := &d.classes[g.class], entry{unit: unit(g.block << radixBits)}
		if d.morallyStrong(a, &first, x) {
			switch {
			case !a.Writes() || g.newest <= a.since: // the access subsumes none of them
			case c != nil && c.MostInBlock(first.unit) >= g.oldest:
				v.precede |= 1 << i
			case g.block == uint32(a.unit>>radixBits):
				v.own = v.own || mayBeOwn && g.warps[a.unit%radix].entries > 0
			}
			continue
		}
		others, own, distance := alikePairs{lanes: g.lanes, entries: g.entries}, alikePairs{}, evidence.InterBlock
		if g.block == uint32(a.unit>>radixBits) {
			w := &g.warps[a.unit%radix]
			own, distance = alikePairs{lanes: uint32(w.lanes), entries: uint32(w.entries)}, evidence.IntraBlock
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
func (v *tallyVerdict) add(d *Detector, a *access, g *group, p alikePairs, distance evidence.Relation) bool {
	if p.lanes == 0 {
		return true
	}
	p.of = d.evidence.KnownAlike(evidence.Pair{First: g.class, Second: a.index, Relation: distance})
	v.pairs[v.found] = p
	v.found++
	return p.of != nil
}

// allRace reports whether all entries of a group, which are not morally strong with a lane of an access, race with it.
// If not, some may.
func (d *Detector) allRace(a *access, h *history, g *group, lane int, at uint64) bool {
	c, x, block := a.warp.of(lane), &d.classes[g.class], unit(g.block<<radixBits)
	if x.Proxy != a.Proxy || c != nil && c.MostInBlock(block) >= g.oldest {
		return false
	}
	return !x.Strong || !d.mayHaveObserved(a, lane, at, g.oldest,
		func(from, to stamp) bool { return g.within(h, from, to) })
}

// compareApart compares an access with those writes of a history that has a tally for which there is no verdict.
func (d *Detector) compareApart(v *tallyVerdict, a *access, h *history, mask uint32, at uint64) {
	l := &h.more.writes
	compare := func(e *entry) {
		if own := v.own && e.unit == a.unit; !own && (v.precede == 0 || e.at <= a.since ||
			v.precede>>l.tally.indexOf(e)&1 == 0) {
			return
		}
		l.tally.remove(e)
		d.compareEntry(a, e, mask, at)
		l.tally.add(d, e)
	}
	if h.write.mask != 0 {
		compare(&h.write)
	}
	kept := 0
	for i := range l.entries {
		e := &l.entries[i]
		if compare(e); e.mask == 0 {
			continue
		}
		if kept < i {
			l.entries[kept] = *e
		}
		kept++
	}
	if h.write.mask == 0 && kept > 0 {
		kept--
		h.write = l.entries[kept]
	}
	if l.entries = l.entries[:kept]; kept < d.tuning.writes {
		l.tally.expire() // other paths, which do not know of it, handle the few
	}
}

// Observations: strong reads that observed other threads' writes. These writes precede what follows the reads.

package precise

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
	"unsafe"
)

// observation is a read of a location, by each of some lanes, that observes the strong writes from since to upTo.
type observation struct {
	unit        unit
	lanes       uint32
	from        uint8 // lane of the write at since
	meanwhile   bool  // upTo is the time of the read: other lanes of the same instruction have written
	at          stamp
	event       uint32 // Detector.events at that time
	since, upTo stamp
}

// observations holds those of a location. Neither since nor upTo decreases along the list.
type observations struct {
	list   []observation
	next   int               // length at which to prune
	index  *observationIndex // nil until it is needed for many observations
	by     threadSet         // of the first noted reads
	noted  int
	across bool          // a read has observed a write of another block
	older  []observation // of older writes than the latest, in order of time (older.go)
}

// add adds a observation.
func (s *observations) add(d *Detector, x observation) {
	if n := len(s.list); n > 0 && s.list[n-1].stands(&x) {
		return
	}
	if cap(s.list) == 0 {
		s.list = make([]observation, 0, 4)
	}
	s.list = append(s.list, x)
	d.uses(unsafe.Sizeof(x))
}

// stands reports whether a later read adds nothing to r.
func (r *observation) stands(later *observation) bool {
	return r.unit == later.unit && later.lanes&^r.lanes == 0 && r.since == later.since && r.from == later.from &&
		r.upTo == later.upTo && (!r.meanwhile || later.meanwhile)
}

// prune drops observations that observe none of the writes that a history holds, the times of which are written, and
// those of threads that have observed the same of these writes before: what follows the later read follows the earlier
// one.
func (s *observations) prune(d *Detector, written []stamp) {
	d.subsumed.reset(len(s.list))
	s.list = slices.DeleteFunc(s.list, func(x observation) bool { // a copy: lanes are kept whole
		last := lastUpTo(written, x.upTo)
		if last < x.since {
			return true
		}
		before := d.subsumed.of(subsumptionKey{unit: x.unit, class: uint32(x.since), shift: int32(last), from: x.from})
		repeated := x.lanes&^*before == 0
		if !x.meanwhile {
			*before |= x.lanes
		}
		return repeated
	})
	s.next, s.noted = max(2*len(s.list), len(written)/4), 0 // it takes a look at all that has been written
	s.index.empty()
}

// lastUpTo returns the last of some times, which are in order, that is not later than another; 0 if there is none.
func lastUpTo(times []stamp, at stamp) stamp {
	i := sort.Search(len(times), func(i int) bool { return times[i] > at })
	if i == 0 {
		return 0
	}
	return times[i-1]
}

// timesWritten returns the times of the strong writes in the histories of the words of a location, in order, and of
// those of this instruction, which are not in them yet. There may be others.
func (d *Detector) timesWritten(a *access, loc *location) (times []stamp) {
	note := func(e *entry, reads bool) {
		if !reads && d.classes[e.class].Strong {
			times = append(times, e.at)
		}
	}
	l := d.line(d.shadowUnder(a), loc.addr)
	l.whole.each(note)
	for at := loc.addr &^ (wordBytes - 1); l.words != nil && at < loc.addr+uint64(loc.size); at += wordBytes {
		h := &l.words[at%lineBytes/wordBytes]
		h.each(note)
		if h.more != nil && h.more.bytes != nil {
			for i := range h.more.bytes {
				h.more.bytes[i].each(note)
			}
		}
	}
	times = append(times, d.now)
	slices.Sort(times)
	return times
}

// addObservation records a strong read by each of some lanes of the access. The writes from since to last precede it in
// observation order.
func (loc *location) addObservation(d *Detector, a *access, lanes uint32) {
	if d.observersAcquire {
		return
	}
	if loc.seen == nil {
		loc.seen = new(observations)
	}
	// Where the writes from since to last are of several blocks, an atomic operation of one has read a write of
	// another.
	loc.seen.across = loc.seen.across || loc.writer.Unit>>radixBits != a.warp.unit>>radixBits
	x := observation{
		unit: a.warp.unit, lanes: lanes, meanwhile: loc.last == d.now, at: a.at, event: d.events,
		since: loc.since, from: loc.from, upTo: loc.last,
	}
	if d.older || a.late { // the list is in order of time
		loc.seen.addOlder(x)
		return
	}
	loc.seen.add(d, x)
}

// pruneSeen prunes the observations of a location if they are many; a is an access to it.
func (d *Detector) pruneSeen(a *access, loc *location) {
	if loc.seen != nil && loc.seen.isLong(&d.tuning) {
		loc.seen.prune(d, d.timesWritten(a, loc))
	}
}

// isLong reports whether there are so many observations that they should be pruned.
func (s *observations) isLong(t *tuning) bool { return len(s.list) > max(s.next, t.manyObservations) }

// shadowUnder returns the shadow of the memory that an access accesses.
func (d *Detector) shadowUnder(a *access) *shadow {
	if a.Shared {
		return d.memoryOf(a.warp).shadow
	}
	return d.global
}

// observed returns those lanes in others whose writes, recorded in e, were observed by a read that is ordered before
// the access of lane. Such a write precedes the access in causality order (PTX ISA, "Causality order").
func (d *Detector) observed(a *access, e *entry, others uint32, lane int, at uint64) (found uint32) {
	s := d.shadowUnder(a)
	if !s.synced {
		return 0
	}
	d.line(s, at).overlapping(at, 1, func(loc *location) {
		if loc.seen != nil {
			found |= loc.seen.observed(d, a, e, others, lane) | loc.seen.olderObserved(d, a, e, others, lane)
		}
	})
	return found
}

// mayHaveObserved reports whether a read of a location that is ordered before the access of lane may have observed a
// write that a block made at time since or later. The function written reports whether one of the writes in question
// was made between two times; if it is nil, all writes are in question. The clock of the lane must include nothing that
// the block did at time since or later. The answer may be true although there is no such read.
func (d *Detector) mayHaveObserved(a *access, lane int, at uint64, since stamp,
	written func(from, to stamp) bool,
) (may bool) {
	s := d.shadowUnder(a)
	if !s.synced {
		return false
	}
	d.line(s, at).overlapping(at, 1, func(loc *location) {
		switch seen := loc.seen; {
		case may || seen == nil:
		case len(seen.older) > 0, seen.across && a.warp.of(lane) != nil:
			may = true // by a thread of another block that the clock has a time for
		default: // reads by threads of the block that wrote are later than since
			may = seen.mayBeBy(d.events, a.warp.unit, lane) &&
				(written == nil || seen.haveObserved(d.events, a.warp.unit, lane, since, written))
		}
	})
	return may
}

// mayHaveObservedEntry reports whether a read that is ordered before the access of lane may have observed a write
// recorded in e. It does not look at the reads one by one.
func (d *Detector) mayHaveObservedEntry(a *access, e *entry, lane int, at uint64) bool {
	c := a.warp.of(lane)
	return c != nil && c.MostInBlock(e.unit) >= e.at || d.mayHaveObserved(a, lane, at, e.at, nil)
}

// mayBeBy reports whether a thread may have made one of the reads before an event.
func (s *observations) mayBeBy(event uint32, u unit, lane int) bool {
	for ; s.noted < len(s.list) && s.list[s.noted].event != event; s.noted++ {
		s.by.add(s.list[s.noted].unit, s.list[s.noted].lanes)
	}
	return s.by.has(u, lane)
}

// haveObserved reports whether the reads by a thread before an event may have observed a write since some time, as
// mayHaveObserved does.
func (s *observations) haveObserved(event uint32, u unit, lane int, since stamp,
	written func(from, to stamp) bool,
) bool {
	s.extendIndex()
	slot, known := s.index.slots[u]
	if !known {
		return false
	}
	by := &s.index.by[slot]
	for i := by.previous(lane, len(by.list)); i >= 0; {
		r := &s.list[by.list[i].at]
		next := int(by.list[i].before)
		switch {
		case r.upTo < since:
			return false
		case r.event == event:
		case written(r.since, r.upTo):
			return true
		default: // earlier reads that observed writes since the same one observed no others
			next = min(next, searchBack(i, func(k int) bool { return s.list[by.list[k].at].since >= r.since }))
		}
		i = by.previous(lane, next)
	}
	return false
}

// lanesOf returns those lanes in others whose writes, recorded in e, the read by lane by has observed. The time of e
// must be from r.since to r.upTo. Lanes of one instruction act in order of their numbers.
func (r *observation) lanesOf(e *entry, others uint32, by int) uint32 {
	if e.at == r.since {
		others &= ^uint32(0) << r.from
	}
	if e.at == r.upTo && r.meanwhile && e.unit == r.unit {
		others &= 1<<by - 1
	}
	return others
}

// observed returns those lanes in others whose writes, recorded in e, were observed by a read of this location that is
// ordered before the access of lane. It skips observations whose writes are all earlier or all later than e.
func (s *observations) observed(d *Detector, a *access, e *entry, others uint32, lane int) (found uint32) {
	first, end := s.first(e.at), s.until(e)
	if end-first > d.tuning.observations {
		return s.observedByUnits(end, d, a, e, others, lane)
	}
	for i := end - 1; i >= first && found != others; i-- {
		found |= d.observedBy(&s.list[i], a, e, others&^found, lane)
	}
	return found
}

// observedByUnits is observed for many observations that begin before end. It looks only at those by units that the
// clock of lane has a time for.
func (s *observations) observedByUnits(end int, d *Detector, a *access, e *entry, others uint32,
	lane int,
) (found uint32) {
	s.extendIndex()
	if a.warp.of(lane) == nil { // the clock of the lane includes only the reads of the lane itself
		if slot, known := s.index.slots[a.warp.unit]; known {
			found = s.observedIn(slot, end, d, a, e, others, lane)
		}
		return found
	}
	for slot := range s.index.knownTo(a.warp.of(lane), a.warp.unit, d.tuning.observationUnits) {
		if found |= s.observedIn(slot, end, d, a, e, others&^found, lane); found == others {
			break
		}
	}
	return found
}

// first returns the index of the first observation that may have observed a write at a time: all earlier ones end with
// earlier writes.
func (s *observations) first(at stamp) int {
	return searchBack(len(s.list), func(i int) bool { return s.list[i].upTo >= at })
}

// until returns the number of observations, from the first, that may have observed e: all later ones begin with later
// writes.
func (s *observations) until(e *entry) int {
	return searchBack(len(s.list), func(i int) bool { return s.list[i].since > e.at })
}

// precedingIn returns how many of the first n observations by a unit may precede the access of lane, whose clock
// includes the first of the reads by another unit, up to some time.
func (s *observations) precedingIn(slot int32, n int, a *access, lane int) int {
	u, by := s.index.units[slot], s.index.by[slot].list
	if u == a.warp.unit {
		return n
	}
	known := a.warp.of(lane).Most(u)
	return searchBack(n, func(i int) bool { return s.list[by[i].at].at > known })
}

// observedIn is observed for the observations by one unit whose index in the list is less than end.
func (s *observations) observedIn(slot int32, end int, d *Detector, a *access, e *entry, others uint32,
	lane int,
) (found uint32) {
	by := s.index.by[slot].list
	last, _ := slices.BinarySearchFunc(by, int32(end),
		func(x listedObservation, end int32) int { return cmp.Compare(x.at, end) })
	last = s.precedingIn(slot, last, a, lane)
	for last--; last >= 0 && s.list[by[last].at].upTo >= e.at && found != others; last-- {
		found |= d.observedBy(&s.list[by[last].at], a, e, others&^found, lane)
	}
	return found
}

// observedBy is observed for one observation.
func (d *Detector) observedBy(r *observation, a *access, e *entry, others uint32, lane int) uint32 {
	if e.at < r.since || e.at > r.upTo {
		return 0
	}
	by := d.lastPreceding(a, r, 1<<lane)
	if by < 0 {
		return 0
	}
	return r.lanesOf(e, others, by)
}

// lastPreceding returns the last lane of a observation whose read is ordered before the access of one of some lanes
// with one clock, or is by the same thread and not of the access itself; -1 if there is none.
func (d *Detector) lastPreceding(a *access, r *observation, lanes uint32) int {
	c := a.warp.of(bits.TrailingZeros32(lanes))
	if r.unit != a.warp.unit && (c == nil || c.Most(r.unit) < r.at) {
		return -1
	}
	for m := r.lanes; m != 0; {
		by := 31 - bits.LeadingZeros32(m)
		m &^= 1 << by
		switch {
		case r.unit == a.warp.unit && lanes>>by&1 != 0:
			if r.event != d.events { // exclude the access itself
				return by
			}
		case c != nil && c.IncludesEager(r.unit, by, r.at):
			return by
		}
	}
	return -1
}

// searchBack is sort.Search in time logarithmic in the distance of the result from n, for lists in order of time: most
// searches are for recent elements.
func searchBack(n int, is func(i int) bool) int {
	step := 1
	for n-step >= 0 && is(n-step) {
		n, step = n-step, 2*step
	}
	from := max(n-step+1, 0)
	return from + sort.Search(n-from, func(i int) bool { return is(from + i) })
}

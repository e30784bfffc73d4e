// Observations: strong reads that observed other threads' writes. These writes precede what follows the reads.

package causality

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"
	"unsafe"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
)

// EachPreceding calls visit for the observations, from the index first on, whose reads are ordered before accesses of
// lanes with one clock, until visit returns false. Of the reads by a unit that have observed writes since the same one,
// the latest suffices: earlier ones have observed no others. The function look is called for each unit and each
// observation that is looked at, and ends the search, too.
func (s *Observations) EachPreceding(first int, d *Threads, a *Access, lanes uint32, look func() bool,
	visit func(r *Observation),
) {
	if len(s.List)-first <= d.Tuning.Observations {
		for i := first; i < len(s.List) && look(); i++ {
			if r := &s.List[i]; d.LastPreceding(a, r, lanes) >= 0 {
				visit(r)
			}
		}
		return
	}
	s.extendIndex()
	byUnit := func(slot int32) bool {
		by := s.index.by[slot].list
		for i := s.precedingIn(slot, len(by), a, bits.TrailingZeros32(lanes)) - 1; i >= 0 && int(by[i].at) >= first; {
			if !look() {
				return false
			}
			r := &s.List[by[i].at]
			if i--; d.LastPreceding(a, r, lanes) >= 0 {
				visit(r)
				i = searchBack(i+1, func(k int) bool { return s.List[by[k].at].Since >= r.Since }) - 1
			}
		}
		return look()
	}
	if c := a.Warp.Of(bits.TrailingZeros32(lanes)); c != nil {
		s.index.knownTo(c, a.Warp.Unit, d.Tuning.ObservationUnits)(byUnit)
	} else if slot, known := s.index.slots[a.Warp.Unit]; known {
		byUnit(slot)
	}
}

// Observation is a read of a location, by each of some lanes, that observes the strong writes from since to UpTo.
type Observation struct {
	Unit        unit
	Lanes       uint32
	From        uint8 // lane of the write at since
	Meanwhile   bool  // UpTo is the time of the read: other lanes of the same instruction have written
	At          stamp
	event       uint32 // Threads.Events at that time
	Since, UpTo stamp
}

// Observations holds those of a location. Neither since nor UpTo decreases along the list.
type Observations struct {
	List   []Observation
	next   int               // length at which to prune
	index  *observationIndex // nil until it is needed for many observations
	by     ThreadSet         // of the first noted reads
	noted  int
	Across bool          // a read has observed a write of another block
	Older  []Observation // of older writes than the latest, in order of time (older.go)
}

// add adds a observation.
func (s *Observations) add(d *Threads, x Observation) {
	if n := len(s.List); n > 0 && s.List[n-1].stands(&x) {
		return
	}
	if cap(s.List) == 0 {
		s.List = make([]Observation, 0, 4)
	}
	s.List = append(s.List, x)
	d.Used.Add(unsafe.Sizeof(x))
}

// stands reports whether a later read adds nothing to r.
func (r *Observation) stands(later *Observation) bool {
	return r.Unit == later.Unit && later.Lanes&^r.Lanes == 0 && r.Since == later.Since && r.From == later.From &&
		r.UpTo == later.UpTo && (!r.Meanwhile || later.Meanwhile)
}

// Prune drops observations that observe none of the writes that a history holds, the times of which are written, and
// those of threads that have observed the same of these writes before: what follows the later read follows the earlier
// one.
func (s *Observations) Prune(d *Threads, written []stamp) {
	d.Subsumed.Reset(len(s.List))
	s.List = slices.DeleteFunc(s.List, func(x Observation) bool { // a copy: lanes are kept whole
		last := lastUpTo(written, x.UpTo)
		if last < x.Since {
			return true
		}
		before := d.Subsumed.Of(SubsumptionKey{Unit: x.Unit, Class: uint32(x.Since), Shift: int32(last), from: x.From})
		repeated := x.Lanes&^*before == 0
		if !x.Meanwhile {
			*before |= x.Lanes
		}
		return repeated
	})
	s.next, s.noted = max(2*len(s.List), len(written)/4), 0 // it takes a look at all that has been written
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

// AddObservation records a strong read by each of some lanes of the access. The writes from since to last precede it in
// observation order.
func (loc *Location) AddObservation(d *Threads, a *Access, lanes uint32) {
	if d.ObserversAcquire {
		return
	}
	if loc.Seen == nil {
		loc.Seen = new(Observations)
	}
	// Where the writes from since to last are of several blocks, an atomic operation of one has read a write of
	// another.
	loc.Seen.Across = loc.Seen.Across || loc.Writer.Unit>>radixBits != a.Warp.Unit>>radixBits
	x := Observation{
		Unit: a.Warp.Unit, Lanes: lanes, Meanwhile: loc.Last == d.Now, At: a.At, event: d.Events,
		Since: loc.Since, From: loc.From, UpTo: loc.Last,
	}
	if d.older || a.Late { // the list is in order of time
		loc.Seen.addOlder(x)
		return
	}
	loc.Seen.add(d, x)
}

// IsLong reports whether there are so many observations that they should be pruned.
func (s *Observations) IsLong(t *options.Tuning) bool {
	return len(s.List) > max(s.next, t.ManyObservations)
}

// MayBeBy reports whether a thread may have made one of the reads before an event.
func (s *Observations) MayBeBy(event uint32, u unit, lane int) bool {
	for ; s.noted < len(s.List) && s.List[s.noted].event != event; s.noted++ {
		s.by.Add(s.List[s.noted].Unit, s.List[s.noted].Lanes)
	}
	return s.by.Has(u, lane)
}

// HaveObserved reports whether the reads by a thread before an event may have observed a write since some time, as
// mayHaveObserved does.
func (s *Observations) HaveObserved(event uint32, u unit, lane int, since stamp,
	written func(from, to stamp) bool,
) bool {
	s.extendIndex()
	slot, known := s.index.slots[u]
	if !known {
		return false
	}
	by := &s.index.by[slot]
	for i := by.previous(lane, len(by.list)); i >= 0; {
		r := &s.List[by.list[i].at]
		next := int(by.list[i].before)
		switch {
		case r.UpTo < since:
			return false
		case r.event == event:
		case written(r.Since, r.UpTo):
			return true
		default: // earlier reads that observed writes since the same one observed no others
			next = min(next, searchBack(i, func(k int) bool { return s.List[by.list[k].at].Since >= r.Since }))
		}
		i = by.previous(lane, next)
	}
	return false
}

// lanesOf returns those lanes in others whose writes, recorded in e, the read by lane by has observed. The time of e
// must be from r.since to r.UpTo. Lanes of one instruction act in order of their numbers.
func (r *Observation) lanesOf(e *accesses.Entry, others uint32, by int) uint32 {
	if e.At == r.Since {
		others &= ^uint32(0) << r.From
	}
	if e.At == r.UpTo && r.Meanwhile && e.Unit == r.Unit {
		others &= 1<<by - 1
	}
	return others
}

// Observed returns those lanes in others whose writes, recorded in e, were observed by a read of this location that is
// ordered before the access of lane. It skips observations whose writes are all earlier or all later than e.
func (s *Observations) Observed(d *Threads, a *Access, e *accesses.Entry, others uint32, lane int) (found uint32) {
	first, end := s.First(e.At), s.until(e)
	if end-first > d.Tuning.Observations {
		return s.observedByUnits(end, d, a, e, others, lane)
	}
	for i := end - 1; i >= first && found != others; i-- {
		found |= d.observedBy(&s.List[i], a, e, others&^found, lane)
	}
	return found
}

// observedByUnits is observed for many observations that begin before end. It looks only at those by units that the
// clock of lane has a time for.
func (s *Observations) observedByUnits(end int, d *Threads, a *Access, e *accesses.Entry, others uint32,
	lane int,
) (found uint32) {
	s.extendIndex()
	if a.Warp.Of(lane) == nil { // the clock of the lane includes only the reads of the lane itself
		if slot, known := s.index.slots[a.Warp.Unit]; known {
			found = s.observedIn(slot, end, d, a, e, others, lane)
		}
		return found
	}
	for slot := range s.index.knownTo(a.Warp.Of(lane), a.Warp.Unit, d.Tuning.ObservationUnits) {
		if found |= s.observedIn(slot, end, d, a, e, others&^found, lane); found == others {
			break
		}
	}
	return found
}

// First returns the index of the first observation that may have observed a write at a time: all earlier ones end with
// earlier writes.
func (s *Observations) First(at stamp) int {
	return searchBack(len(s.List), func(i int) bool { return s.List[i].UpTo >= at })
}

// until returns the number of observations, from the first, that may have observed e: all later ones begin with later
// writes.
func (s *Observations) until(e *accesses.Entry) int {
	return searchBack(len(s.List), func(i int) bool { return s.List[i].Since > e.At })
}

// precedingIn returns how many of the first n observations by a unit may precede the access of lane, whose clock
// includes the first of the reads by another unit, up to some time.
func (s *Observations) precedingIn(slot int32, n int, a *Access, lane int) int {
	u, by := s.index.units[slot], s.index.by[slot].list
	if u == a.Warp.Unit {
		return n
	}
	known := a.Warp.Of(lane).Most(u)
	return searchBack(n, func(i int) bool { return s.List[by[i].at].At > known })
}

// observedIn is observed for the observations by one unit whose index in the list is less than end.
func (s *Observations) observedIn(slot int32, end int, d *Threads, a *Access, e *accesses.Entry, others uint32,
	lane int,
) (found uint32) {
	by := s.index.by[slot].list
	last, _ := slices.BinarySearchFunc(by, int32(end),
		func(x listedObservation, end int32) int { return cmp.Compare(x.at, end) })
	last = s.precedingIn(slot, last, a, lane)
	for last--; last >= 0 && s.List[by[last].at].UpTo >= e.At && found != others; last-- {
		found |= d.observedBy(&s.List[by[last].at], a, e, others&^found, lane)
	}
	return found
}

// observedBy is observed for one observation.
func (d *Threads) observedBy(r *Observation, a *Access, e *accesses.Entry, others uint32, lane int) uint32 {
	if e.At < r.Since || e.At > r.UpTo {
		return 0
	}
	by := d.LastPreceding(a, r, 1<<lane)
	if by < 0 {
		return 0
	}
	return r.lanesOf(e, others, by)
}

// LastPreceding returns the last lane of a observation whose read is ordered before the access of one of some lanes
// with one clock, or is by the same thread and not of the access itself; -1 if there is none.
func (d *Threads) LastPreceding(a *Access, r *Observation, lanes uint32) int {
	c := a.Warp.Of(bits.TrailingZeros32(lanes))
	if r.Unit != a.Warp.Unit && (c == nil || c.Most(r.Unit) < r.At) {
		return -1
	}
	for m := r.Lanes; m != 0; {
		by := 31 - bits.LeadingZeros32(m)
		m &^= 1 << by
		switch {
		case r.Unit == a.Warp.Unit && lanes>>by&1 != 0:
			if r.event != d.Events { // exclude the access itself
				return by
			}
		case c != nil && c.IncludesEager(r.Unit, by, r.At):
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

// The times of the writes that an access may have observed.

package precise

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
)

// eachPreceding calls visit for the observations, from the index first on, whose reads are ordered before accesses of
// lanes with one clock, until visit returns false. Of the reads by a unit that have observed writes since the same one,
// the latest suffices: earlier ones have observed no others. The function look is called for each unit and each
// observation that is looked at, and ends the search, too.
func (s *observations) eachPreceding(first int, d *Detector, a *access, lanes uint32, look func() bool,
	visit func(r *observation),
) {
	if len(s.list)-first <= d.tuning.observations {
		for i := first; i < len(s.list) && look(); i++ {
			if r := &s.list[i]; d.lastPreceding(a, r, lanes) >= 0 {
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
			r := &s.list[by[i].at]
			if i--; d.lastPreceding(a, r, lanes) >= 0 {
				visit(r)
				i = searchBack(i+1, func(k int) bool { return s.list[by[k].at].since >= r.since }) - 1
			}
		}
		return look()
	}
	if c := a.warp.of(bits.TrailingZeros32(lanes)); c != nil {
		s.index.knownTo(c, a.warp.unit, d.tuning.observationUnits)(byUnit)
	} else if slot, known := s.index.slots[a.warp.unit]; known {
		byUnit(slot)
	}
}

// observedSpan returns the times of the writes since a time, to an address that lanes with one clock access, that reads
// before the accesses have observed. It may return more: it gives up if it would have to look at many reads.
func (d *Detector) observedSpan(a *access, since stamp, lanes uint32, at uint64) (observed accesses.Span) {
	left := d.tuning.spanObservations
	d.line(d.shadowUnder(a), at).overlapping(at, 1, func(loc *location) {
		if seen := loc.seen; seen != nil {
			left -= len(seen.older) * (d.tuning.spanObservations + 1) // looks at none
			seen.eachPreceding(seen.first(since), d, a, lanes, func() bool { left--; return left >= 0 },
				func(r *observation) {
					observed = observed.With(accesses.Span{First: r.since, Last: r.upTo})
				})
		}
	})
	if left < 0 {
		return accesses.AnyTime
	}
	return observed
}

// observedTimes are times of the writes to an address that reads before an access have observed.
type observedTimes struct {
	any, all spans // of some lanes at least; of all lanes
}

// observedByLanes caches them for the lanes of an access, each of which may be compared with thousands of writes.
type observedByLanes struct {
	of    *access
	begun uint32 // threads.begun when the cache was filled
	at    uint64
	known uint32 // lanes whose times are known
	times [radix]observedTimes
}

// observed is Detector.observed for an access whose cache this is.
func (o *observedByLanes) observed(d *Detector, a *access, e *entry, others uint32, lane int, at uint64) uint32 {
	if o.of != a || o.begun != d.begun || o.at != at {
		o.of, o.begun, o.at, o.known = a, d.begun, at, 0
	}
	if d.tuning.spanObservations < 0 {
		return d.observed(a, e, others, lane, at)
	}
	t := &o.times[lane]
	if o.known>>lane&1 == 0 {
		if !d.mayHaveObservedEntry(a, e, lane, at) {
			return 0
		}
		t.find(d, a, lane, at)
		o.known |= 1 << lane
	}
	switch {
	case !t.any.has(e.at):
		return 0
	case t.all.has(e.at):
		return others
	}
	return d.observed(a, e, others, lane, at)
}

// find finds the times for an access of a lane.
func (t *observedTimes) find(d *Detector, a *access, lane int, at uint64) {
	t.any, t.all = t.any[:0], t.all[:0]
	d.line(d.shadowUnder(a), at).overlapping(at, 1, func(loc *location) {
		if loc.seen != nil {
			loc.seen.eachPreceding(0, d, a, 1<<lane, func() bool { return true }, t.add)
			t.addOlder(d, a, loc.seen, lane)
		}
	})
	t.any.join()
	t.all.join()
}

// add adds the times of the writes that a read has observed. Of the writes at its first and last times, lanesOf may
// exclude some lanes.
func (t *observedTimes) add(r *observation) {
	s := accesses.Span{First: r.since, Last: r.upTo}
	t.any.add(s)
	if r.from != 0 {
		s.First++
	}
	if r.meanwhile {
		s.Last--
	}
	if s.First <= s.Last {
		t.all.add(s)
	}
}

// spans is a set of times: spans in order, without times in common as soon as they are joined.
type spans []accesses.Span

// add adds a span, unless the latest one includes it.
func (s *spans) add(x accesses.Span) {
	if n := len(*s); n > 0 {
		switch y := &(*s)[n-1]; {
		case y.First <= x.First && x.Last <= y.Last:
			return
		case x.First <= y.First && y.Last <= x.Last:
			*y = x
			return
		}
	}
	*s = append(*s, x)
}

// join sorts the spans, and joins those that have times in common.
func (s *spans) join() {
	slices.SortFunc(*s, func(x, y accesses.Span) int { return cmp.Compare(x.First, y.First) })
	n := 0
	for _, x := range *s {
		if n > 0 && x.First <= (*s)[n-1].Last {
			(*s)[n-1].Last = max((*s)[n-1].Last, x.Last)
			continue
		}
		(*s)[n] = x
		n++
	}
	*s = (*s)[:n]
}

// has reports whether a time is in one of the spans.
func (s spans) has(at stamp) bool {
	i := sort.Search(len(s), func(i int) bool { return s[i].Last >= at })
	return i < len(s) && s[i].First <= at
}

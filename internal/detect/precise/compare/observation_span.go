// The times of the writes that an access may have observed.

package compare

import (
	"cmp"
	"slices"
	"sort"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
)

// ObservedSpan returns the times of the writes since a time, to an address that lanes with one clock access, that reads
// before the accesses have observed. It may return more: it gives up if it would have to look at many reads.
func (d *Checker) ObservedSpan(a *causality.Access, since stamp, lanes uint32, at uint64) (observed accesses.Span) {
	left := d.Tuning.SpanObservations
	d.Line(d.shadowUnder(a), at).Overlapping(at, 1, func(loc *causality.Location) {
		if seen := loc.Seen; seen != nil {
			left -= len(seen.Older) * (d.Tuning.SpanObservations + 1) // looks at none
			seen.EachPreceding(seen.First(since), &d.Threads, a, lanes, func() bool { left--; return left >= 0 },
				func(r *causality.Observation) {
					observed = observed.With(accesses.Span{First: r.Since, Last: r.UpTo})
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
	Of    *causality.Access
	begun uint32 // Threads.Begun when the cache was filled
	at    uint64
	known uint32 // lanes whose times are known
	times [radix]observedTimes
}

// observed returns those lanes in others whose writes, recorded in e, an access of a lane has observed; the cache is
// that of the access.
func (o *observedByLanes) observed(d *Checker, a *causality.Access, e *accesses.Entry, others uint32, lane int,
	at uint64,
) uint32 {
	if o.Of != a || o.begun != d.Begun || o.at != at {
		o.Of, o.begun, o.at, o.known = a, d.Begun, at, 0
	}
	if d.Tuning.SpanObservations < 0 {
		return d.Observed(a, e, others, lane, at)
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
	case !t.any.has(e.At):
		return 0
	case t.all.has(e.At):
		return others
	}
	return d.Observed(a, e, others, lane, at)
}

// find finds the times for an access of a lane.
func (t *observedTimes) find(d *Checker, a *causality.Access, lane int, at uint64) {
	t.any, t.all = t.any[:0], t.all[:0]
	d.Line(d.shadowUnder(a), at).Overlapping(at, 1, func(loc *causality.Location) {
		if loc.Seen != nil {
			loc.Seen.EachPreceding(0, &d.Threads, a, 1<<lane, func() bool { return true }, t.add)
			t.addOlder(d, a, loc.Seen, lane)
		}
	})
	t.any.join()
	t.all.join()
}

// add adds the times of the writes that a read has observed. Of the writes at its first and last times, lanesOf may
// exclude some lanes.
func (t *observedTimes) add(r *causality.Observation) {
	s := accesses.Span{First: r.Since, Last: r.UpTo}
	t.any.add(s)
	if r.From != 0 {
		s.First++
	}
	if r.Meanwhile {
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

// addOlder adds the times of the older writes that reads before an access of a lane have observed.
func (t *observedTimes) addOlder(d *Checker, a *causality.Access, s *causality.Observations, lane int) {
	for i := range s.Older {
		if d.LastPreceding(a, &s.Older[i], 1<<lane) >= 0 {
			t.add(&s.Older[i])
		}
	}
}

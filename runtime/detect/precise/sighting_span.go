// The times of the writes that an access may have observed.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/detect/precise/accesses"
)

// observedSpan returns the times of the writes since a time, to an address that lanes with one clock access, that reads before the
// accesses have observed. It may return more.
func (d *Detector) observedSpan(a *access, since stamp, lanes uint32, at uint64) (observed accesses.Span) {
	d.line(d.shadowUnder(a), at).overlapping(at, 1, func(loc *location) {
		if loc.seen != nil {
			observed = observed.With(loc.seen.observedSpan(d, a, since, lanes))
		}
	})
	return observed
}

// observedSpan is Detector.observedSpan for the reads of one location.
func (s *sightings) observedSpan(d *Detector, a *access, since stamp, lanes uint32) (observed accesses.Span) {
	first := s.first(since)
	if len(s.list)-first > d.tuning.sightings {
		return s.spanByUnits(first, d, a, lanes)
	}
	for i := first; i < len(s.list); i++ {
		if r := &s.list[i]; d.lastPreceding(a, r, lanes) >= 0 {
			observed = observed.With(accesses.Span{First: r.since, Last: r.upTo})
		}
	}
	return observed
}

// spanByUnits is observedSpan for the sightings from the index first on. It looks only at those by units that the clock of the lanes
// has a time for, and gives up if these are many.
func (s *sightings) spanByUnits(first int, d *Detector, a *access, lanes uint32) (observed accesses.Span) {
	s.extendIndex()
	left := d.tuning.spanSightings
	visit := func(slot int32) bool {
		by := s.index.by[slot].list
		for i := len(by) - 1; i >= 0 && int(by[i].at) >= first && left >= 0; i-- {
			left--
			if r := &s.list[by[i].at]; d.lastPreceding(a, r, lanes) >= 0 {
				observed = observed.With(accesses.Span{First: r.since, Last: r.upTo})
			}
		}
		return left >= 0
	}
	if c := a.warp.of(bits.TrailingZeros32(lanes)); c != nil {
		s.index.knownTo(c, a.warp.unit, d.tuning.sightingUnits)(visit)
	} else if slot, known := s.index.slots[a.warp.unit]; known {
		visit(slot)
	}
	if left < 0 {
		return accesses.AnyTime
	}
	return observed
}

// observedByLanes caches for the lanes of an access the times of the writes to an address that reads before the access have observed.
type observedByLanes struct {
	of    *access // nil if the cache is empty
	at    uint64
	asked [radix]uint8 // how often mayHave could not rule it out otherwise; the span is known from the second time on
	span  [radix]accesses.Span
}

// mayHave reports whether reads before the access of lane may have observed a write, recorded in e, to an address.
func (o *observedByLanes) mayHave(d *Detector, a *access, e *entry, lane int, at uint64) bool {
	if o.of != a || o.at != at {
		o.begin(a, at)
	}
	switch o.asked[lane] {
	case 0:
		if !d.mayHaveObservedEntry(a, e, lane, at) {
			return false
		}
		o.asked[lane] = 1
		return true
	case 1:
		o.asked[lane], o.span[lane] = 2, d.observedSpan(a, 0, 1<<lane, at)
	}
	return o.span[lane].Has(e.at)
}

// begin empties the cache for an access to an address.
func (o *observedByLanes) begin(a *access, at uint64) {
	o.of, o.at, o.asked = a, at, [radix]uint8{}
}

// The times of the writes that an access may have observed.

package precise

// span is the times from the first to the last; empty if the last is 0.
type span struct{ first, last stamp }

func (s span) has(at stamp) bool { return s.first <= at && at <= s.last }

// anyTime is the span of all times.
var anyTime = span{0, ^stamp(0)}

// observedSpan returns the times of the writes since a time, to what a lane accesses, that reads before the access have observed.
// It may return more.
func (d *Detector) observedSpan(a *access, since stamp, lane int) (observed span) {
	at, s := a.ev.Addr[lane], d.global
	if a.shared {
		s = d.clusterOf(a.warp).memory
	}
	d.line(s, at).overlapping(at, 1, func(loc *location) {
		if loc.seen != nil {
			observed = observed.with(loc.seen.observedSpan(d, a, since, lane))
		}
	})
	return observed
}

// observedSpan is Detector.observedSpan for the reads of one location.
func (s *sightings) observedSpan(d *Detector, a *access, since stamp, lane int) (observed span) {
	first := s.since(&entry{at: since})
	if len(s.list)-first > fewSightings {
		return anyTime
	}
	for i := first; i < len(s.list); i++ {
		if r := &s.list[i]; d.lastPreceding(a, r, lane) >= 0 {
			observed = observed.with(span{r.since, r.upTo})
		}
	}
	return observed
}

// with returns the least span that includes both.
func (s span) with(o span) span {
	switch {
	case s.last == 0:
		return o
	case o.last == 0:
		return s
	}
	return span{min(s.first, o.first), max(s.last, o.last)}
}

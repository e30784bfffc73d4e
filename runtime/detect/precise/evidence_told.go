// Races that repeat: those with a known cause are counted.

package precise

// toldRace caches for a classPair the finding of its latest race, and the cause if further races of the pair have the same.
type toldRace struct {
	of classPair
	at int // index in findings.list
	knownCause
}

// toldRaces caches the latest, by the hash of the pair.
type toldRaces [64]toldRace

func (r *toldRaces) of(p classPair) *toldRace { return &r[p.slot(len(r))] }

// countTold adds n occurrences of a race to a finding if their cause is known, and reports whether it did.
func (e *evidence) countTold(of classPair, harmless bool, n int) bool {
	r := e.told.of(of)
	if r.of != of || !e.holds(&r.knownCause, n) {
		return false
	}
	f := e.found.list[r.at]
	if f.harmless && !harmless {
		return false
	}
	f.count += uint64(n)
	r.query.times += r.queries * n
	return true
}

// raceLikeTold adds an occurrence of a race, which fill fills in, and returns the index of its finding.
func (e *evidence) raceLikeTold(of classPair, harmless bool, fill func(*finding)) (at int) {
	r := e.told.of(of)
	if e.countTold(of, harmless, 1) {
		return r.at
	}
	e.replayCounts() // may find messages and races
	f := e.found.next()
	fill(f)
	f.kind = of.kind
	if !e.hasOnlyMessages(of.kind != interBlock) { // the cause may differ from one occurrence to the next
		at = e.race(f)
		*r = toldRace{of: of, at: at}
		return at
	}
	this, before := *f, *e.queryOf(f)
	at = e.race(f) // may keep f, or use it again
	*r = toldRace{of, at, e.causeKnownAfter(&this, &before)}
	return at
}

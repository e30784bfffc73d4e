// Races that repeat in launches with messages: the cause of most is known without a look at the threads.

package precise

// toldRace is the latest race of accesses of two classes whose threads have some distance, for further occurrences. As long as the
// evidence contains nothing but messages, the cause depends on the message that the search for the two instructions has found, and
// on nothing else of an occurrence.
type toldRace struct {
	of      classPair
	at      int      // index in findings.list
	query   *query   // nil if nothing is known
	message *message // of the query
	queries int      // number of times that an occurrence asks for the message, 0 or 1
	one     bool     // the accesses are by one weak store
}

// toldRaces caches the latest, by the hash of the pair.
type toldRaces [64]toldRace

func (r *toldRaces) of(p classPair) *toldRace {
	return &r[(p.first*5+p.second*3+uint32(p.kind))%uint32(len(r))]
}

// countTold adds n occurrences of a race to a finding if they are known to be like an earlier one, and reports whether it did.
func (e *evidence) countTold(of classPair, harmless bool, n int) bool {
	r := e.told.of(of)
	if r.of != of || !e.isTold(r, r.queries*n) {
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

// isTold reports whether further occurrences of a race, which ask for its message so many times, have the same cause.
func (e *evidence) isTold(r *toldRace, times int) bool {
	return countRepeats && r.query != nil && r.query.message == r.message && e.hasOnlyMessages() && !e.countsDeferred() && !r.query.isDueWithin(r.one, times)
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
	x, y, q, one := e.class(f.first), e.class(f.second), e.queryOf(f), e.isOneStore(f)
	before := *q
	_, _, locked := e.scorLocksAt(f)
	at = e.race(f)
	*r = toldRace{of: of, at: at, message: q.message, queries: q.times - before.times, one: one}
	sameUnits := x.strong == y.strong || of.kind != interBlock || !e.hasClusters() // evidence.uneven looks at the clusters
	if !locked && q.message == before.message && sameUnits && e.hasOnlyMessages() && x.isPlain() && y.isPlain() {
		r.query = q
	}
	return at
}

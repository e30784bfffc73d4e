// Causes that are known: those of further races or warnings about the same two instructions, without a look at the
// threads.

package evidence

// knownCause is the cause of an earlier race or warning, for further ones with the same Pair: the same two access
// classes, by threads of the same warp, the same block, or two blocks. As long as the evidence contains nothing but
// messages, the cause depends on the message that the search for the two instructions has found, and not on the
// threads.
type knownCause struct {
	query   *query   // nil if the cause is not known
	message *message // of the query, when the cause was found
	queries int      // number of times that an occurrence asks for the message, 0 or 1
	one     bool     // the accesses are by one weak store
	within  bool     // the accesses and the message are within a block, where no fence or acquire is too narrow
}

// holds reports whether the next n occurrences have the known cause.
func (e *Evidence) holds(k *knownCause, n int) bool {
	return e.usesKnown && k.query != nil && k.query.message == k.message && e.hasOnlyMessages(k.within) &&
		!e.Deferred &&
		!k.query.isDueWithin(k.one, k.queries*n)
}

// causeKnownAfter returns the known cause after an occurrence has been described; before is a copy of its query before
// that.
func (e *Evidence) causeKnownAfter(f *Finding, before *query) knownCause {
	x, y, q := e.classes.At(f.First), e.classes.At(f.Second), e.queryOf(f)
	_, _, locked := e.LocksAt(f)
	varies := x.Strong != y.Strong && f.Relation == InterBlock && e.Clustered // uneven looks at the clusters of the threads
	within := f.Relation != InterBlock && q.message.isWithinBlock()
	one := e.isOneStore(f)
	handed := one && q.message != nil && q.message.how == elsewhere // isSentTooEarly looks at the threads
	if locked || varies || handed || q.message != before.message || !e.hasOnlyMessages(within) || !x.IsPlain() ||
		!y.IsPlain() {
		return knownCause{}
	}
	return knownCause{query: q, message: q.message, queries: q.times - before.times, one: one, within: within}
}

// slot returns the index of the pair in a cache with so many entries.
func (p Pair) slot(entries int) uint32 {
	hash := p.First*0x9e3779b1 + p.Second*0x85ebca6b + uint32(p.Relation)*0xc2b2ae35
	return (hash ^ hash>>16) % uint32(entries)
}

// hasOnlyMessages reports whether the cause of a race can follow from messages alone: no thread has executed a fence,
// release or acquire of too narrow a scope, holds a lock, has arrived at a barrier or mbarrier without waiting, or at a
// cluster barrier with relaxed semantics. within says that the race and its message are within a block, where no fence,
// release or acquire is too narrow.
func (e *Evidence) hasOnlyMessages(within bool) bool {
	return (within || len(e.fences) == 0 && len(e.acquires) == 0) &&
		len(e.misreads) == 0 && len(e.unheard) == 0 && len(e.relaxed) == 0 && len(e.arrivals) == 0 &&
		e.locks.holds == nil
}

// isWithinBlock reports whether a message, or none, is between threads of one block.
func (m *message) isWithinBlock() bool {
	return m == nil || m.writer.Unit>>radixBits == m.reader.Unit>>radixBits
}

// toldRace caches for a Pair the finding of its latest race, and the cause if further races of the pair have the same.
type toldRace struct {
	of Pair
	at int // index in findings.list
	knownCause
}

// toldRaces caches the latest, by the hash of the pair.
type toldRaces [64]toldRace

func (r *toldRaces) of(p Pair) *toldRace { return &r[p.slot(len(r))] }

// countTold adds n occurrences of a race to a finding if their cause is known, and reports whether it did.
func (e *Evidence) countTold(of Pair, harmless bool, n int) bool {
	r := e.told.of(of)
	if r.of != of || !e.holds(&r.knownCause, n) {
		return false
	}
	f := e.found.list[r.at]
	if f.Harmless && !harmless {
		return false
	}
	f.Count += uint64(n)
	r.query.times += r.queries * n
	return true
}

// raceLikeTold adds an occurrence of a race, which fill fills in, and returns the index of its finding.
func (e *Evidence) raceLikeTold(of Pair, harmless bool, fill func(*Finding)) (at int) {
	r := e.told.of(of)
	if e.countTold(of, harmless, 1) {
		return r.at
	}
	e.replayDeferred() // may find messages and races
	f := e.found.next()
	fill(f)
	f.Relation = of.Relation
	if !e.hasOnlyMessages(of.Relation != InterBlock) { // the cause may differ from one occurrence to the next
		at = e.Race(f)
		*r = toldRace{of: of, at: at}
		return at
	}
	this, before := *f, *e.queryOf(f)
	at = e.Race(f) // may keep f, or use it again
	*r = toldRace{of, at, e.causeKnownAfter(&this, &before)}
	return at
}

// Causes that are known: those of further races or warnings about the same two instructions, without a look at the threads.

package precise

import "github.com/ptxsan/ptxsan/runtime/abi"

// knownCause is the cause of an earlier race or warning, for further ones with the same classPair: the same two access classes, by threads
// of the same warp, the same block, or two blocks. As long as the evidence contains nothing but messages, the cause depends on the message
// that the search for the two instructions has found, and not on the threads.
type knownCause struct {
	query   *query   // nil if the cause is not known
	message *message // of the query, when the cause was found
	queries int      // number of times that an occurrence asks for the message, 0 or 1
	one     bool     // the accesses are by one weak store
	within  bool     // the accesses and the message are within a block, where no fence or acquire is too narrow
}

// holds reports whether the next n occurrences have the known cause.
func (e *evidence) holds(k *knownCause, n int) bool {
	return e.usesKnown && k.query != nil && k.query.message == k.message && e.hasOnlyMessages(k.within) && !e.countsDeferred() &&
		!k.query.isDueWithin(k.one, k.queries*n)
}

// causeKnownAfter returns the known cause after an occurrence has been described; before is a copy of its query before that.
func (e *evidence) causeKnownAfter(f *finding, before *query) knownCause {
	x, y, q := e.class(f.first), e.class(f.second), e.queryOf(f)
	_, _, locked := e.scorLocksAt(f)
	varies := x.strong != y.strong && f.kind == interBlock && e.hasClusters() // evidence.uneven looks at the clusters of the threads
	within := f.kind != interBlock && q.message.isWithinBlock()
	if locked || varies || q.message != before.message || !e.hasOnlyMessages(within) || !x.isPlain() || !y.isPlain() {
		return knownCause{}
	}
	return knownCause{query: q, message: q.message, queries: q.times - before.times, one: e.isOneStore(f), within: within}
}

// slot returns the index of the pair in a cache with so many entries.
func (p classPair) slot(entries int) uint32 {
	hash := p.first*0x9e3779b1 + p.second*0x85ebca6b + uint32(p.kind)*0xc2b2ae35
	return (hash ^ hash>>16) % uint32(entries)
}

// isPlain reports whether an access is synchronous and by the generic proxy.
func (x *accessClass) isPlain() bool {
	return x.async == abi.Synchronous && x.proxy == abi.ProxyGeneric
}

// hasOnlyMessages reports whether the cause of a race can follow from messages alone: no thread has executed a fence, release or acquire
// of too narrow a scope, holds a lock, or has arrived at a cluster barrier with relaxed semantics. within says that the race and its
// message are within a block, where no fence, release or acquire is too narrow.
func (e *evidence) hasOnlyMessages(within bool) bool {
	return (within || len(e.fences) == 0 && len(e.acquires) == 0) &&
		len(e.misreads) == 0 && len(e.unheard) == 0 && len(e.relaxed) == 0 && e.locks.holds == nil
}

// isWithinBlock reports whether a message, or none, is between threads of one block.
func (m *message) isWithinBlock() bool {
	return m == nil || m.writer.Unit>>radixBits == m.reader.Unit>>radixBits
}

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

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

// countRepeats permits the use of known causes, and of races of an access that are known. Tests compare reports with and without.
var countRepeats = true

// holds reports whether the next n occurrences have the known cause.
func (e *evidence) holds(k *knownCause, n int) bool {
	return countRepeats && k.query != nil && k.query.message == k.message && e.hasOnlyMessages(k.within) && !e.countsDeferred() &&
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
	return m == nil || m.writer.unit>>radixBits == m.reader.unit>>radixBits
}

// The cause of a race: which kind of synchronisation is missing.

package precise

import (
	"math"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// cause returns the report's word for the missing synchronisation. docs/detectors/precise-model.md has the rules as a table.
func (e *evidence) cause(f *finding) detect.Cause {
	x, y := e.class(f.first), e.class(f.second)
	same := e.ownerOf(f.firstUnit) == e.ownerOf(f.secondUnit) && f.firstLane == f.secondLane
	crossing := x.crossing(y)
	switch {
	case f.lacks != lacksNothing:
		return tensorCauses[f.lacks]
	case (crossing == crossesByEnd || y.crossing(x) == crossesByEnd) && e.placeOf(f.firstUnit).grid == e.placeOf(f.secondUnit).grid:
		return detect.NotReadOnly // whichever of the two came first in this schedule
	case crossing != crossesNothing && (same || e.orderedOtherwise(f)):
		f.open = crossing == crossesOpen
		return detect.MissingFence
	case !f.warning && x.hasFixedCause(y):
		return detect.InsufficientAtomicScope
	case x.async != abi.Synchronous, y.async == abi.AsyncSignals && !y.completes:
		if f.narrow = e.findUnheard(f); f.narrow.site != 0 {
			return narrowCauses[f.narrow.side]
		}
		short, _ := e.shortWait(f)
		f.short = short != nil
		return detect.MissingAsyncWait
	case f.warning:
	case x.strong && y.strong && x.proxy != y.proxy:
	case x.strong && y.strong && x.scalar != y.scalar:
		return detect.NotStrong
	case x.strong && y.strong:
		return detect.InsufficientAtomicScope
	case e.needNoOrder(x, y):
		return detect.NotStrong
	}
	f.otherwise = e.causeOfOrder(f)
	if f.wrong, f.locks = e.unlocked(f); f.locks != nil {
		return detect.MissingLock
	}
	return f.otherwise
}

// hasFixedCause reports whether races of two accesses have the cause InsufficientAtomicScope whatever the threads do otherwise,
// unless they lack a proxy fence.
func (x *accessClass) hasFixedCause(y *accessClass) bool {
	return x.strong && y.strong && x.atomic() && y.atomic() && x.scalar == y.scalar && x.proxy == y.proxy
}

// needNoOrder reports whether two accesses need no order, whatever else the threads do, but lack strength: stores that store alike,
// or a guess beside a strong access.
func (e *evidence) needNoOrder(x, y *accessClass) bool {
	return e.storeAlike(x, y) || x.strong != y.strong && e.isGuess(weak(x, y), strong(x, y))
}

// isGuess reports whether a weak access guesses what a compare-and-swap after it will find. A look, whose value decides if the swap
// is executed, guesses what other swaps leave behind; it may have to be ordered after other strong accesses, such as those that clear
// a table.
func (e *evidence) isGuess(weak, strong *accessClass) bool {
	return e.guesses.has(weak.site) || e.looks.has(weak.site) && e.swaps.has(strong.site)
}

// isFixed reports whether all races of two accesses have the same cause, whatever the threads do otherwise.
func (e *evidence) isFixed(x, y *accessClass) bool {
	return x.hasFixedCause(y) || x.isPlain() && y.isPlain() && e.needNoOrder(x, y)
}

// causeOfOrder returns the cause of a race that ordering the accesses would repair.
func (e *evidence) causeOfOrder(f *finding) detect.Cause {
	f.narrow = e.tooNarrow(f)
	plain := e.lacksStrength(f)
	if plain && f.narrow.site == 0 {
		return detect.NotStrong
	}
	q := e.queryMessage(f)
	told := q.message != nil && q.message.how == direct
	if f.narrow.site != 0 && !told {
		return narrowCauses[f.narrow.side]
	}
	passed := told && q.message.passed()
	if plain && passed {
		return detect.NotStrong
	}
	narrow := f.narrow.site != 0
	if f.message = q.message; q.cause == "" || !told {
		q.cause = e.causeOfMessage(f)
		q.narrow = f.narrow
	}
	switch f.narrow = q.narrow; {
	case q.cause == detect.NotStrong:
		f.message = nil // the message is unrelated
	case narrow && f.narrow.site != 0 && !passed && f.message.reader == f.message.to:
		f.message = nil // the narrow operation explains it fully
	case plain:
		f.message = nil
		return detect.NotStrong
	}
	return q.cause
}

// lacksStrength reports whether one of two accesses should be strong, whatever synchronisation there is between them.
func (e *evidence) lacksStrength(f *finding) bool {
	x, y := e.class(f.first), e.class(f.second)
	switch {
	case !f.warning && x.strong != y.strong:
		return e.uneven(f, x, y)
	case !x.strong && !y.strong:
		return e.decisions.has(x.site) || e.decisions.has(y.site) // a poll of a weak flag
	}
	return false
}

// causeOfMessage returns the cause of a race, given the message between the threads, which is nil when there is none.
func (e *evidence) causeOfMessage(f *finding) detect.Cause {
	if f.narrow = e.tooNarrow(f); f.narrow.site != 0 {
		return narrowCauses[f.narrow.side]
	}
	switch {
	case f.message != nil && f.message.how == direct, e.relaxedArrival(f) != nil:
		return detect.MissingFence
	case f.kind == intraWarp:
		return detect.MissingWarpSync
	case e.isOneStore(f):
		return detect.NotStrong // all execute one store on one element
	case f.message != nil && f.message.how == otherLanes:
		return detect.MissingWarpSync
	case f.message != nil && f.message.how == otherThreads:
		return detect.MissingBarrier
	case f.message != nil:
		return detect.MissingFence
	}
	return detect.MissingBarrier
}

// storeAlike reports whether two accesses are weak stores that store the same value, so that their order is irrelevant.
func (e *evidence) storeAlike(x, y *accessClass) bool {
	value := e.marks[x.site]
	return value != 0 && value == e.marks[y.site] && x.size == y.size
}

// isOneStore reports whether threads execute one weak store on one element. Only a message that makes the second thread wait
// orders them: other fences between them have another purpose.
func (e *evidence) isOneStore(f *finding) bool {
	x, y := e.class(f.first), e.class(f.second)
	return x.site == y.site && !x.strong
}

// uneven reports, of a strong and a weak access of one place, whether the likely fault is the weak access rather than a missing
// barrier: the weak one writes, or no barrier exists for the two threads.
func (e *evidence) uneven(f *finding, x, y *accessClass) bool {
	return weak(x, y).writes() || !e.placeOf(f.firstUnit).within(reachCluster, e.placeOf(f.secondUnit))
}

// weak returns the weak one of two accesses of which the other is strong.
func weak(x, y *accessClass) *accessClass {
	if x.strong {
		return y
	}
	return x
}

// strong returns the strong one of two accesses of which the other is weak.
func strong(x, y *accessClass) *accessClass {
	if x.strong {
		return x
	}
	return y
}

// orderedOtherwise reports whether the only missing operation is a proxy fence.
func (e *evidence) orderedOtherwise(f *finding) bool {
	c := e.currentClock(int(f.secondLane))
	return c != nil && c.IncludesEager(f.firstUnit, int(f.firstLane), f.since)
}

// settle completes the causes that depend on the whole launch: whether the held words were locks, whether copies were waited
// for, and what other races the same instructions have.
func (e *evidence) settle() {
	r := &e.found
	for _, f := range r.list {
		x := e.class(f.first)
		switch {
		case f.locks != nil && !e.locks.real(f.locks):
			f.cause, f.wrong = f.otherwise, ""
		case f.locks != nil:
			f.missing, f.hint, f.repair, f.fence = "", "", "", 0 // the report has texts for these
		case f.lacks != lacksNothing:
		case f.cause == detect.MissingAsyncWait && e.awaited[f.firstUnit] && x.async != abi.AsyncSignals && !f.short && e.ownerOf(f.firstUnit) != e.ownerOf(f.secondUnit):
			f.cause = detect.MissingBarrier // between a thread that has waited and one that has not
		}
	}
	old := r.list
	*r = findings{}
	of := findingsBySites(old, e.keyOf)
	for _, f := range old {
		if cause := of.wider(e.keyOf(f), f); cause != f.cause {
			f.cause, f.message, f.fence = cause, nil, 0
			e.explainPlaces(f)
		}
		e.enter(f, e.keyOf(f))
	}
}

// unconnected reports whether the cause of a finding says that the threads communicate without relation to the accesses.
func (f *finding) unconnected() bool {
	return f.cause == detect.MissingWarpSync || f.cause == detect.MissingFence && f.message != nil && f.message.how == elsewhere
}

// contended reports whether a finding about one store names a missing warp barrier or message, which would not repair its
// executions elsewhere.
func (f *finding) contended() bool {
	return f.cause == detect.MissingWarpSync || f.cause == detect.MissingFence && f.message != nil
}

// sitePair is the sites of a finding in ascending order.
type sitePair struct{ low, high uint32 }

func (k findingKey) sites() sitePair {
	return sitePair{min(k.first, k.second), max(k.first, k.second)}
}

// findingsOf has the findings of each pair of sites, in the order of the list of findings.
type findingsOf map[sitePair][]numbered

// numbered is a finding and its index in the list of findings.
type numbered struct {
	at int
	*finding
}

func findingsBySites(all []*finding, keyOf func(*finding) findingKey) findingsOf {
	of := findingsOf{}
	for i, f := range all {
		pair := keyOf(f).sites()
		of[pair] = append(of[pair], numbered{i, f})
	}
	return of
}

// wider returns the cause of a finding in view of the others, of which the first that bears on it decides.
func (of findingsOf) wider(k findingKey, f *finding) detect.Cause {
	cause, first := f.cause, math.MaxInt
	for _, pair := range [...]sitePair{k.sites(), {k.first, k.first}, {k.second, k.second}} {
		for _, g := range of[pair] {
			if g.at < first && f.needsRepairOf(g.finding, k, pair) {
				cause, first = g.cause, g.at
			}
		}
	}
	return cause
}

// needsRepairOf reports whether a finding with key k needs what a finding at a pair of sites needs. Lanes of a warp need the
// repair that the same instructions need in other warps. A read followed by a write that races with itself needs to be part of
// that write.
func (f *finding) needsRepairOf(g *finding, k findingKey, pair sitePair) bool {
	same := pair == k.sites()
	switch g.cause {
	case detect.MissingBarrier:
		return same && f.unconnected()
	case detect.NotStrong:
		return same && f.cause == detect.MissingBarrier ||
			same && k.first == k.second && f.contended() ||
			(f.cause == detect.MissingBarrier || f.unconnected()) && pair.low == pair.high && g.kind == f.kind
	}
	return false
}

// The cause of a race: which kind of synchronisation is missing.

package precise

import (
	"github.com/ptxsan/ptxsan/runtime/abi"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// cause is the report's word for what is missing. docs/detectors/precise.md has the
// rules as a table.
func (e *evidence) cause(f *finding) detect.Cause {
	x, y := e.class(f.first), e.class(f.second)
	same := e.ownerOf(f.firstUnit) == e.ownerOf(f.secondUnit) && f.firstLane == f.secondLane
	switch {
	case f.lacks != lacksNothing:
		return tensorCauses[f.lacks]
	case x.needsProxyFence(y) && (same || e.orderedOtherwise(f)):
		return detect.MissingFence
	case x.strong && y.strong && x.atomic() && y.atomic() && x.scalar == y.scalar && !f.warning:
		return detect.InsufficientAtomicScope
	case x.async != abi.Synchronous, y.async == abi.AsyncSignals:
		if f.narrow = e.findUnheard(f); f.narrow.site != 0 {
			return narrowCauses[f.narrow.side]
		}
		return detect.MissingAsyncWait
	case f.warning:
	case x.strong && y.strong && x.scalar != y.scalar:
		return detect.NotStrong
	case x.strong && y.strong:
		return detect.InsufficientAtomicScope
	case e.storeAlike(x, y):
		return detect.NotStrong // whatever else the threads do: no order of the two is needed
	}
	f.otherwise = e.causeOfOrder(f)
	if f.wrong, f.locks = e.unlocked(f); f.locks != nil {
		return detect.MissingLock
	}
	return f.otherwise
}

// causeOfOrder is the cause of a race that an order would mend.
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
		f.message = nil // it is about something else
	case narrow && f.narrow.site != 0 && !passed && f.message.reader == f.message.to:
		f.message = nil // what is too narrow says it all
	case plain:
		f.message = nil
		return detect.NotStrong
	}
	return q.cause
}

// lacksStrength reports whether one of two accesses should be strong, whatever else there is between them.
func (e *evidence) lacksStrength(f *finding) bool {
	x, y := e.class(f.first), e.class(f.second)
	switch {
	case !f.warning && x.strong != y.strong:
		return e.uneven(f, x, y) || e.guesses.has(weak(x, y).site)
	case !x.strong && !y.strong:
		return e.decisions.has(x.site) || e.decisions.has(y.site) // a poll of a weak flag
	}
	return false
}

// causeOfMessage is the cause of a race in view of the message between the threads, nil
// when there is none.
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

// storeAlike reports whether two accesses are weak stores that store the same value: an order of them would change nothing.
func (e *evidence) storeAlike(x, y *accessClass) bool {
	value := e.marks[x.site]
	return value != 0 && value == e.marks[y.site] && x.size == y.size
}

// isOneStore reports whether threads execute one weak store on one element. Only a message that makes the second thread wait orders
// them: fences that happen to be there were not meant to.
func (e *evidence) isOneStore(f *finding) bool {
	x, y := e.class(f.first), e.class(f.second)
	return x.site == y.site && !x.strong
}

// uneven reports whether a strong and a weak access of one place are so because the weak
// one should be strong, rather than because a barrier is missing: where it writes, or
// where there is no barrier for the two threads.
func (e *evidence) uneven(f *finding, x, y *accessClass) bool {
	return weak(x, y).writes() || !e.placeOf(f.firstUnit).within(reachCluster, e.placeOf(f.secondUnit))
}

// weak is the weak one of two accesses, the other of which is strong.
func weak(x, y *accessClass) *accessClass {
	if x.strong {
		return y
	}
	return x
}

// orderedOtherwise reports whether all that is missing is a proxy fence.
func (e *evidence) orderedOtherwise(f *finding) bool {
	c := e.currentClock(int(f.secondLane))
	return c != nil && c.includes(f.firstUnit, int(f.firstLane), f.since)
}

// settle gives causes that all of the launch tells: whether what was held were locks,
// whether copies were waited for, and what else the same instructions do.
func (e *evidence) settle() {
	r := &e.found
	for _, f := range r.list {
		x := e.class(f.first)
		switch {
		case f.locks != nil && !e.locks.real(f.locks):
			f.cause, f.wrong = f.otherwise, ""
		case f.locks != nil:
			f.missing, f.hint, f.repair, f.fence = "", "", "", 0 // the report knows the words
		case f.lacks != lacksNothing:
		case f.cause == detect.MissingAsyncWait && e.awaited[f.firstUnit] && x.async != abi.AsyncSignals && e.ownerOf(f.firstUnit) != f.secondUnit:
			f.cause = detect.MissingBarrier // of a thread that has waited with one that has not
		}
	}
	old := r.list
	*r = findings{}
	for _, f := range old {
		if cause := e.wider(old, f); cause != f.cause {
			f.cause, f.message, f.fence = cause, nil, 0
			e.explainPlaces(f)
		}
		e.enter(f)
	}
}

// unconnected reports whether the cause of a finding says that the threads communicate,
// but not about the accesses.
func (f *finding) unconnected() bool {
	return f.cause == detect.MissingWarpSync || f.cause == detect.MissingFence && f.message != nil && f.message.how == elsewhere
}

// contended reports whether a finding about one store says that lanes of a warp or a message lack something, which does not help
// those that execute the store without.
func (f *finding) contended() bool {
	return f.cause == detect.MissingWarpSync || f.cause == detect.MissingFence && f.message != nil
}

// wider is the cause of a finding in view of the others: lanes of a warp need what the
// same instructions need in other warps, and a read that is followed by a write that
// races with itself needs to be part of it.
func (e *evidence) wider(all []*finding, f *finding) detect.Cause {
	for _, g := range all {
		k, l := e.keyOf(f), e.keyOf(g)
		same := k.first == l.first && k.second == l.second || k.first == l.second && k.second == l.first
		switch {
		case same && f.unconnected() && g.cause == detect.MissingBarrier, same && f.cause == detect.MissingBarrier && g.cause == detect.NotStrong:
			return g.cause
		case same && k.first == k.second && g.cause == detect.NotStrong && f.contended():
			return g.cause
		case (f.cause == detect.MissingBarrier || f.unconnected()) && g.cause == detect.NotStrong && l.first == l.second && (k.first == l.first || k.second == l.first) && g.kind == f.kind:
			return g.cause
		}
	}
	return f.cause
}

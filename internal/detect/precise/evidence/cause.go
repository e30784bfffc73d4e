// The cause of a race: which kind of synchronisation is missing.

package evidence

import (
	"math"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// cause returns the report's word for the missing synchronisation. docs/detectors/precise-model.md has the rules as a
// table.
func (e *Evidence) cause(f *Finding) detect.Cause {
	x, y := e.classes.At(f.First), e.classes.At(f.Second)
	same := e.OwnerOf(f.FirstUnit) == e.OwnerOf(f.SecondUnit) && f.FirstLane == f.SecondLane
	crossing := x.Crossing(y)
	switch {
	case f.Lacks != LacksNothing:
		return tensorCauses[f.Lacks]
	case (crossing == accesses.CrossesByEnd || y.Crossing(x) == accesses.CrossesByEnd) &&
		e.PlaceOf(f.FirstUnit).Grid == e.PlaceOf(f.SecondUnit).Grid:
		return detect.NotReadOnly // whichever of the two came first in this schedule
	case crossing != accesses.CrossesNothing && (same || e.orderedOtherwise(f)):
		f.open = crossing == accesses.CrossesOpen
		return detect.MissingFence
	case !f.warning && hasFixedCause(x, y):
		return detect.InsufficientAtomicScope
	case x.Async != abi.Synchronous, y.Async == abi.AsyncSignals && !y.Completes && y.Proxy != abi.ProxyTensorMap:
		if f.narrow = e.findUnheard(f); f.narrow.site != 0 {
			return narrowCauses[f.narrow.side]
		}
		f.short, f.told = e.shortWait(f) != nil, e.knowsStart(f)
		return detect.MissingAsyncWait
	case f.warning:
	case x.Strong && y.Strong && x.Proxy != y.Proxy:
	case x.Strong && y.Strong && x.Scalar != y.Scalar:
		return detect.NotStrong
	case x.Strong && y.Strong:
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

// hasFixedCause reports whether races of two accesses have the cause InsufficientAtomicScope whatever the threads do
// otherwise, unless they lack a proxy fence.
func hasFixedCause(x, y *accesses.Class) bool {
	return x.Strong && y.Strong && x.Atomic() && y.Atomic() && x.Scalar == y.Scalar && x.Proxy == y.Proxy
}

// needNoOrder reports whether two accesses need no order, whatever else the threads do, but lack strength: stores that
// store alike, or a guess beside a strong access.
func (e *synchronisation) needNoOrder(x, y *accesses.Class) bool {
	return e.storeAlike(x, y) || x.Strong != y.Strong && e.isGuess(weak(x, y), strong(x, y))
}

// isGuess reports whether a weak access guesses what a compare-and-swap after it will find. A look, whose value decides
// if the swap is executed, guesses what other swaps leave behind; it may have to be ordered after other strong
// accesses, such as those that clear a table.
func (e *synchronisation) isGuess(weak, strong *accesses.Class) bool {
	return e.Guesses.Has(weak.Site) || e.Looks.Has(weak.Site) && e.Swaps.Has(strong.Site)
}

// isFixed reports whether all races of two accesses have the same cause, whatever the threads do otherwise.
func (e *synchronisation) isFixed(x, y *accesses.Class) bool {
	return hasFixedCause(x, y) || x.IsPlain() && y.IsPlain() && e.needNoOrder(x, y)
}

// causeOfOrder returns the cause of a race that ordering the accesses would repair.
func (e *Evidence) causeOfOrder(f *Finding) detect.Cause {
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
func (e *synchronisation) lacksStrength(f *Finding) bool {
	x, y := e.classes.At(f.First), e.classes.At(f.Second)
	switch {
	case !f.warning && x.Strong != y.Strong:
		return e.uneven(f, x, y)
	case !x.Strong && !y.Strong:
		return e.Decisions.Has(x.Site) || e.Decisions.Has(y.Site) // a poll of a weak flag
	}
	return false
}

// causeOfMessage returns the cause of a race, given the message between the threads, which is nil when there is none.
func (e *synchronisation) causeOfMessage(f *Finding) detect.Cause {
	if f.narrow = e.tooNarrow(f); f.narrow.site != 0 {
		return narrowCauses[f.narrow.side]
	}
	switch {
	case f.message != nil && f.message.how == direct, e.relaxedArrival(f) != nil:
		return detect.MissingFence
	case f.Relation == IntraWarp:
		return detect.MissingWarpSync
	case e.electedArrival(f) != nil:
		f.elected = true
		return detect.MissingWarpSync
	case e.isOneStore(f) && e.isSentTooEarly(f):
		f.early = true
		return detect.MissingLock // one goes on to use what it has handed to the other
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
func (e *synchronisation) storeAlike(x, y *accesses.Class) bool {
	value := e.Marks[x.Site]
	return value != 0 && value == e.Marks[y.Site] && x.Size == y.Size
}

// isOneStore reports whether threads execute one weak store on one element. Only a message that makes the second thread
// wait orders them: other fences between them have another purpose.
func (e *synchronisation) isOneStore(f *Finding) bool {
	x, y := e.classes.At(f.First), e.classes.At(f.Second)
	return x.Site == y.Site && !x.Strong
}

// isSentTooEarly reports whether the second thread has waited for a message that the first one wrote before its access:
// it gives a lock or an element away, and then goes on to use it.
func (e *synchronisation) isSentTooEarly(f *Finding) bool {
	m := f.message
	first, second := thread{Unit: f.FirstUnit, Lane: f.FirstLane}, thread{Unit: f.SecondUnit, Lane: f.SecondLane}
	return m != nil && m.how == elsewhere && m.writer == first && m.reader == second && m.sent < f.Since &&
		e.Consulted.Has(m.read) && e.KnowledgeOf(second).Clock.Includes(first.Unit, int(first.Lane), 1)
}

// uneven reports, of a strong and a weak access of one place, whether the likely fault is the weak access rather than a
// missing barrier: the weak one writes, or no barrier exists for the two threads and what the weak one reads is not
// stored anywhere.
func (e *synchronisation) uneven(f *Finding, x, y *accesses.Class) bool {
	w := weak(x, y)
	return w.Writes() || !e.Stored.Has(w.Site) && !e.PlaceOf(f.FirstUnit).Within(accesses.ReachCluster,
		e.PlaceOf(f.SecondUnit))
}

// weak returns the weak one of two accesses of which the other is strong.
func weak(x, y *accesses.Class) *accesses.Class {
	if x.Strong {
		return y
	}
	return x
}

// strong returns the strong one of two accesses of which the other is weak.
func strong(x, y *accesses.Class) *accesses.Class {
	if x.Strong {
		return x
	}
	return y
}

// knowsStart reports whether the second thread has synchronised with the thread that started the first, asynchronous
// access, since then.
func (e *synchronisation) knowsStart(f *Finding) bool {
	c := e.CurrentClock(int(f.SecondLane))
	return e.OwnerOf(f.FirstUnit) != f.FirstUnit && c != nil &&
		c.Includes(e.OwnerOf(f.FirstUnit), int(f.FirstLane), f.Since)
}

// orderedOtherwise reports whether the only missing operation is a proxy fence.
func (e *synchronisation) orderedOtherwise(f *Finding) bool {
	c := e.CurrentClock(int(f.SecondLane))
	return c != nil && c.IncludesEager(f.FirstUnit, int(f.FirstLane), f.Since)
}

// settle completes the causes that depend on the whole launch: whether the held words were locks, whether copies were
// waited for, and what other races the same instructions have.
func (e *Evidence) settle() {
	r := &e.found
	for _, f := range r.list {
		x := e.classes.At(f.First)
		switch {
		case f.locks != nil:
			e.settleLocks(f)
		case f.Lacks != LacksNothing:
		case f.Cause == detect.MissingAsyncWait && f.Since <= e.awaited[f.FirstUnit] && x.Async != abi.AsyncSignals && !f.short &&
			!f.told && e.OwnerOf(f.FirstUnit) != e.OwnerOf(f.SecondUnit):
			f.Cause, f.repair, f.fence = detect.MissingBarrier, "", 0 // between a thread that has waited and one that has not
			e.explainPlaces(f)
		}
	}
	old := r.list
	*r = findings{}
	of := findingsBySites(old, e.keyOf)
	for _, f := range old {
		switch g := of.wider(e.keyOf(f), f); {
		case g == nil:
		case g.elected, g.early:
			f.Cause, f.message, f.fence, f.Missing, f.repair = g.Cause, g.message, g.fence, g.Missing, g.repair
			f.early = g.early
		default:
			f.Cause, f.message, f.fence = g.Cause, nil, 0
			e.explainPlaces(f)
		}
		e.enter(f, e.keyOf(f))
	}
}

// settleLocks completes the cause of a finding with words that are held: they may be no locks.
func (e *Evidence) settleLocks(f *Finding) {
	if e.locks.real(f.locks) {
		f.Missing, f.repair, f.fence = "", "", 0 // the report has texts for these
		return
	}
	f.Cause, f.wrong = f.otherwise, ""
}

// unconnected reports whether the cause of a finding says that the threads communicate without relation to the
// accesses.
func (f *Finding) unconnected() bool {
	return f.Cause == detect.MissingWarpSync || f.Cause == detect.MissingFence && f.message != nil &&
		f.message.how == elsewhere
}

// contended reports whether a finding about one store names a missing warp barrier or message, which would not repair
// its executions elsewhere.
func (f *Finding) contended() bool {
	return f.Cause == detect.MissingWarpSync || f.Cause == detect.MissingFence && f.message != nil
}

// sitePair is the sites of a finding in ascending order.
type sitePair struct{ low, high uint32 }

func (k findingKey) sites() sitePair {
	return sitePair{min(k.first, k.second), max(k.first, k.second)}
}

// findingsOf has the findings of each pair of sites, in the order of the list of findings.
type findingsOf map[sitePair][]indexedFinding

// indexedFinding is a finding and its index in the list of findings.
type indexedFinding struct {
	at int
	*Finding
}

func findingsBySites(all []*Finding, keyOf func(*Finding) findingKey) findingsOf {
	of := findingsOf{}
	for i, f := range all {
		pair := keyOf(f).sites()
		of[pair] = append(of[pair], indexedFinding{i, f})
	}
	return of
}

// wider returns the first of the other findings that says for another cause what a finding needs, nil if none does.
func (of findingsOf) wider(k findingKey, f *Finding) (other *Finding) {
	first := math.MaxInt
	for _, pair := range [...]sitePair{k.sites(), {k.first, k.first}, {k.second, k.second}} {
		for _, g := range of[pair] {
			if g.at < first && f.needsRepairOf(g.Finding, k, pair) {
				other, first = g.Finding, g.at
			}
		}
	}
	return other
}

// needsRepairOf reports whether a finding with key k needs what a finding at a pair of sites needs. Lanes of a warp
// need the repair that the same instructions need in other warps. A read followed by a write that races with itself
// needs to be part of that write.
func (f *Finding) needsRepairOf(g *Finding, k findingKey, pair sitePair) bool {
	same := pair == k.sites()
	switch g.Cause {
	case detect.MissingWarpSync:
		return same && g.elected && f.Cause == detect.MissingBarrier && f.Relation == g.Relation
	case detect.MissingLock:
		return same && g.early && (f.Cause == detect.NotStrong || f.contended())
	case detect.MissingBarrier:
		return same && f.unconnected() && !f.elected
	case detect.NotStrong:
		return same && f.Cause == detect.MissingBarrier ||
			same && k.first == k.second && f.contended() ||
			(f.Cause == detect.MissingBarrier || f.unconnected()) && pair.low == pair.high && g.Relation == f.Relation
	}
	return false
}

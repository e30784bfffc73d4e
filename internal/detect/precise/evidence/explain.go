// Explanations: the missing happens-before edge.

package evidence

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// explain sets the missing happens-before edge, when it can be more precise than the cause, and the kind of repair. It
// is called when the second access happens. detect.Race.Missing lists the placeholders of the texts.
func (e *synchronisation) explain(f *Finding) {
	x, y := e.classes.At(f.First), e.classes.At(f.Second)
	apart, scope := e.apart(f)
	if f.Lacks != LacksNothing {
		e.explainTensor(f)
		return
	}
	if f.Cause == detect.MissingLock { // settle finds out whether the held word is a lock
		f.Cause = f.otherwise
		defer func() { f.Cause = detect.MissingLock }()
	}
	switch f.Cause {
	case detect.MissingAsyncWait:
		if f.repair = detect.RepairWait; !e.explainShort(f) {
			f.Missing = e.beforeArrival(f, e.explainWait(f))
		}
	case detect.MissingBarrier:
		if f.message != nil {
			e.explainOthers(f, "a block barrier")
			return
		}
		e.explainPlaces(f)
		e.explainArrival(f)
	case detect.NotStrong:
		e.explainPlaces(f)
	case detect.InsufficientAtomicScope:
		if f.narrow.site != 0 {
			e.explainNarrow(f, apart, scope)
			return
		}
		f.Missing = fmt.Sprintf("a scope of both accesses that includes the other thread, which is %s: %s", apart,
			e.narrowOf(f))
	case detect.InsufficientFenceScope:
		e.explainNarrow(f, apart, scope)
	case detect.MissingWarpSync:
		e.explainMask(f)
	case detect.MissingLock:
		f.Missing, f.repair = sentTooEarly, detect.RepairMove
	case detect.NotReadOnly:
		explainReadOnly(f, x, y)
	case detect.MissingFence:
		if x.Crossing(y) != accesses.CrossesNothing {
			f.Missing = explainProxies(x, y)
			return
		}
		e.explainMessage(f, scope)
	}
}

// sentTooEarly is what is missing if a thread tells another one that it is done, and goes on.
const sentTooEarly = "an order: the second thread waits for what is written at {publish}, which the first writes before its access"

// explainWeak explains that one of two accesses is weak.
func (e *synchronisation) explainWeak(x, y *accesses.Class) (missing string) {
	w, other, place := y, x, "{second}"
	if weak(x, y) == x {
		w, other, place = x, y, "{first}"
	}
	if e.isGuess(w, other) {
		return "a strong read: " + place + " guesses what the compare-and-swap after it will find, while others write there"
	}
	return "a strong access: " + place + " is weak, the other is not, and nothing orders them"
}

// explainArrival explains why an arrival does not order the accesses.
func (e *synchronisation) explainArrival(f *Finding) {
	m, early := e.arrivalOf(f)
	switch {
	case m == nil || f.warning:
		return
	case early:
		f.Missing = "an order: the second thread waits for the arrival at {fence}, which the first makes before its access"
		f.repair = detect.RepairMove
	default:
		f.Missing = "a wait: the first thread arrives at {fence} after its access, and the second does not wait for that"
		f.repair = detect.RepairWait
	}
	f.fence = m.site
}

// explainPlaces explains causes that depend only on the two accesses and the places of their threads.
func (e *synchronisation) explainPlaces(f *Finding) {
	x, y := e.classes.At(f.First), e.classes.At(f.Second)
	_, scope := e.apart(f)
	switch {
	case f.Cause == detect.MissingBarrier && f.warning:
		f.Missing, _ = detect.LeftOpen(scope)
	case f.Cause == detect.MissingBarrier && scope == "cluster":
		f.Missing = "a barrier of the cluster between the two blocks: __syncthreads() is for one block only"
	case f.Cause == detect.MissingBarrier && f.Relation == IntraBlock:
		f.Missing = "a block barrier between them"
	case f.Cause == detect.MissingBarrier:
		f.Missing = ""
	case x.Strong && y.Strong:
		f.Missing = fmt.Sprintf("complete overlap: operations on %d and %d bytes are not morally strong", x.Scalar,
			y.Scalar)
		f.repair = detect.RepairSize
	case x.Strong != y.Strong && x.Scalar != y.Scalar:
		f.Missing = fmt.Sprintf("an order, or strong accesses of one size: operations on %d and %d bytes are not morally strong", x.Scalar, y.Scalar)
		f.repair = detect.RepairSize
	case x.Strong != y.Strong:
		f.Missing = e.explainWeak(x, y)
	default:
		f.Missing = ""
	}
}

// explainNarrow names the fence, release, acquire or access of a message whose scope is
// too narrow.
func (e *synchronisation) explainNarrow(f *Finding, apart, scope string) {
	if f.fence = f.narrow.site; f.narrow.later {
		f.fence = 0 // the report searches for it
	}
	switch f.narrow.side {
	case narrowRelease:
		f.Missing = fmt.Sprintf("a %s-scope fence or release: the second thread is %s, and the first has executed only narrower ones since its access", scope, apart)
	case narrowAcquire:
		if m := f.message; m != nil && m.how == direct && m.reader.Unit>>radixBits != f.SecondUnit>>radixBits {
			f.Missing = fmt.Sprintf("a %s-scope acquire: the thread that passes on what the first released has executed only narrower ones, such as that at {fence}, since it observed it", e.scopeBetween(m.writer.Unit, m.reader.Unit))
			return
		}
		f.Missing = fmt.Sprintf("a %s-scope acquire: the first thread is %s, and the second has executed only narrower ones, such as that at {fence}, since it observed what the first released", scope, apart)
	case narrowMessage:
		f.Missing = fmt.Sprintf("a %s-scope access at {fence}: the other thread is %s, so that the read observes nothing", scope, apart)
	case NarrowArrive:
		f.Missing = "a release at cluster scope by the arrival at {fence}, whose mbarrier is another block's: without a scope it has that of the block, and who waits observes nothing"
	case NarrowWait:
		f.Missing = "an acquire at cluster scope by the wait at {fence}: without a scope it has that of the block, and it waits for an arrival of another block"
	}
}

// explainMask explains a warp barrier whose mask excludes one of the two lanes, and one that is missing before a lane
// tells other threads about its warp.
func (e *synchronisation) explainMask(f *Finding) {
	if f.message != nil && f.message.how == otherLanes {
		e.explainOthers(f, "a warp-level barrier")
		return
	}
	if m := e.electedArrival(f); m != nil && f.Relation != IntraWarp {
		f.fence = m.site
		f.Missing = "a warp-level barrier before the arrival at {fence}: one lane arrives for its warp, and the other lanes' accesses are not ordered before that"
		return
	}
	s, ok := e.warpSyncs[f.FirstUnit]
	first, second := s.mask>>f.FirstLane&1 != 0, s.mask>>f.SecondLane&1 != 0
	if !ok || s.at < f.Since || first == second {
		return
	}
	lane := f.FirstLane
	if first {
		lane = f.SecondLane
	}
	f.fence, f.repair = s.site, detect.RepairMask
	f.Missing = fmt.Sprintf("a warp-level barrier for both lanes: the mask at {fence}, 0x%08x, leaves out lane %d",
		s.mask, lane)
}

// explainMessage explains why a message between the threads does not synchronise.
func (e *synchronisation) explainMessage(f *Finding, scope string) {
	m := f.message
	switch {
	case m == nil:
		if arrival := e.relaxedArrival(f); arrival != nil {
			f.fence = arrival.site
			f.Missing = "a release: the arrival at the barrier of the cluster, at {fence}, is relaxed"
		}
	case m.how == direct && (m.passed() || m.reader != m.to):
		e.explainHop(f)
	case e.unacquired(f) || m.how == direct && m.released:
		f.Missing = "an acquire: the second thread has observed at {observe} what the first released, but no acquire or fence that reaches the first stands before its access"
	case f.warning && (m.how == elsewhere || !e.Decisions.Has(m.read)): // a thread that does not wait for the message may come first
		f.Missing, _ = detect.LeftOpen(scope)
	case e.isSentTooEarly(f):
		f.Missing, f.repair = sentTooEarly, detect.RepairMove
	case m.how == elsewhere:
		f.Missing = "an order: what is written at {publish} is read at {observe}, but the accesses are not before the one and after the other"
		f.repair = detect.RepairMove
	case e.hasAcquired(m):
		f.Missing = "a release: what is written at {publish} tells the second thread, but no release or fence of the first stands between its access and that"
	default:
		f.Missing = "a release and an acquire: what is written at {publish} tells the second thread, which reads it at {observe}, and neither thread has a fence there"
	}
}

// explainHop explains a message by way of other threads that one of them does not pass on.
func (e *synchronisation) explainHop(f *Finding) {
	m := f.message
	switch {
	case m.hides != 0:
		f.fence = m.hides
		f.Missing = "a chain of atomic operations: the store at {fence} takes the place of what was released at {publish}, and is no part of the release"
	case m.released:
		f.Missing = "an acquire: the thread that passes on what the first released has observed it at {observe}, but no acquire or fence stands between that and its own message"
	case e.hasAcquired(m):
		f.Missing = "a release: what is written at {publish} passes on what the first thread did, but no release or fence that reaches the reader stands before it"
	default:
		f.Missing = "a release and an acquire: what is written at {publish} and read at {observe} passes on what the first thread did, but neither thread has a fence there"
	}
}

// explainOthers explains that the barriers are missing between the two accesses and a message between other threads of
// their blocks.
func (e *synchronisation) explainOthers(f *Finding, barrier string) {
	m := f.message
	told := e.followsFirst(m.reader, f)
	heard := e.PrecedesCurrent(m.reader, m.at, int(f.SecondLane))
	switch {
	case told && !heard:
		f.Missing = barrier + ": another thread reads at {observe} that the first access has been made, and tells the second thread nothing"
	case heard && !told:
		f.Missing = barrier + ": another thread writes at {publish} that it has been made, and does not wait for the first access"
	default:
		f.Missing = barrier + ": what is written at {publish}, and read at {observe}, is by other threads than those that access"
	}
}

// hasAcquired reports whether the reader of a message has executed an acquire fence since.
func (e *synchronisation) hasAcquired(m *message) bool {
	if m.acquires {
		return true
	}
	return fencedSince(e.KnowledgeOf(m.reader).Fences, m.at, e.reachOf(m))
}

// fencedSince reports whether one of the fences was executed after a time and has at least the given reach.
func fencedSince(f *FencedAt, at stamp, least accesses.Reach) bool {
	return f != nil && slices.ContainsFunc(f[least:], func(s snapshot) bool { return s.At != 0 && s.At >= at })
}

// reachOf returns the least reach of a fence by which the reader acquires a message.
func (e *synchronisation) reachOf(m *message) accesses.Reach {
	return e.PlaceOf(m.reader.Unit).Least(e.PlaceOf(m.writer.Unit))
}

// apart describes where the second thread is relative to the first, and the least scope that includes both.
func (e *synchronisation) apart(f *Finding) (where, scope string) {
	scope = e.scopeBetween(f.FirstUnit, f.SecondUnit)
	return map[string]string{
		"cta": "in the same block", "cluster": "in another block of its cluster",
		"gpu": "in another block", "system": "on another device",
	}[scope], scope
}

// scopeBetween returns the least scope that includes two units.
func (e *synchronisation) scopeBetween(u, v unit) string {
	p, q := e.PlaceOf(u), e.PlaceOf(v)
	if p.Device != q.Device {
		return "system"
	}
	return [...]string{
		accesses.ReachBlock: "cta", accesses.ReachCluster: "cluster",
		accesses.ReachDevice: "gpu", accesses.ReachAll: "gpu",
	}[p.Least(q)]
}

// narrowOf says which of two strong accesses has a scope without the other thread.
func (e *synchronisation) narrowOf(f *Finding) string {
	x, y := e.classes.At(f.First), e.classes.At(f.Second)
	p, q := e.PlaceOf(f.FirstUnit), e.PlaceOf(f.SecondUnit)
	first, second := !p.Within(x.Reach, q), !q.Within(y.Reach, p)
	switch {
	case first && second:
		return fmt.Sprintf("the first is of scope %s, the second of scope %s", scopeNames[x.Scope], scopeNames[y.Scope])
	case first:
		return "the first is of scope " + scopeNames[x.Scope]
	}
	return "the second is of scope " + scopeNames[y.Scope]
}

var scopeNames = [...]string{
	abi.ScopeNone: "none", abi.ScopeCTA: "cta", abi.ScopeCluster: "cluster",
	abi.ScopeGPU: "gpu", abi.ScopeSys: "sys",
}

// unacquired reports whether the second thread has observed a release that follows the first access, and only an
// acquire is missing.
func (e *synchronisation) unacquired(f *Finding) bool {
	return e.hasSeen(thread{Unit: e.OwnerOf(f.SecondUnit), Lane: f.SecondLane}, f)
}

// hasSeen reports whether a thread has observed a release that follows the first access and
// has not acquired it.
func (e *synchronisation) hasSeen(t thread, f *Finding) bool {
	return slices.ContainsFunc(e.KnowledgeOf(t).Seen, func(c *clock) bool {
		return c.Includes(f.FirstUnit, int(f.FirstLane),
			f.Since)
	})
}

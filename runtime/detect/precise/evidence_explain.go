// Explanations: the missing happens-before edge, and a hint how to add it.

package precise

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// explain sets the missing happens-before edge and the hint how to add it, when these can be more precise than the cause. It is
// called when the second access happens. detect.Race.Missing lists the placeholders of the texts.
func (e *evidence) explain(f *finding) {
	x, y := e.class(f.first), e.class(f.second)
	apart, scope := e.apart(f)
	if f.lacks != lacksNothing {
		e.explainTensor(f)
		return
	}
	if f.cause == detect.MissingLock { // settle finds out whether the held word is a lock
		f.cause = f.otherwise
		defer func() { f.cause = detect.MissingLock }()
	}
	switch f.cause {
	case detect.MissingAsyncWait:
		if f.repair = detect.RepairWait; !e.explainShort(f) {
			f.missing, f.hint = e.explainWait(f)
		}
	case detect.MissingBarrier:
		if f.message != nil {
			e.explainOthers(f, "a block barrier", "__syncthreads()")
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
		f.missing = fmt.Sprintf("a scope of both accesses that includes the other thread, which is %s: %s", apart, e.narrowOf(f))
		f.hint = fmt.Sprintf("use scope %s (.%[1]s in PTX) at %s", scope, e.narrowPlaces(f))
	case detect.InsufficientFenceScope:
		e.explainNarrow(f, apart, scope)
	case detect.MissingWarpSync:
		e.explainMask(f)
	case detect.NotReadOnly:
		explainReadOnly(f, x, y)
	case detect.MissingFence:
		if x.crossing(y) != crossesNothing {
			f.missing, f.hint = explainProxies(x, y), "fence.proxy.async after {first}, before what tells the second thread of it"
			return
		}
		e.explainMessage(f, scope)
	}
}

// explainWeak explains how to make the weak one of two accesses strong: with the scope of the other one, unless that is too
// narrow.
func (e *evidence) explainWeak(x, y *accessClass, scope string) (missing, hint string) {
	w, other, place := y, x, "{second}"
	if weak(x, y) == x {
		w, other, place = x, y, "{first}"
	}
	if other.scope >= abi.ScopeGPU {
		scope = scopeNames[other.scope]
	}
	op := "ld"
	if w.writes() {
		op = "st"
	}
	hint = fmt.Sprintf("make %s atomic or relaxed (cuda::atomic_ref, __nv_atomic_*; %s.relaxed.%s)", place, op, scope)
	if e.isGuess(w, other) {
		return "a strong read: " + place + " guesses what the compare-and-swap after it will find, while others write there",
			hint + ", or volatile; a guess that is out of date costs another round"
	}
	return "a strong access: " + place + " is weak, the other is not, and nothing orders them", hint
}

// explainArrival explains why an arrival does not order the accesses.
func (e *evidence) explainArrival(f *finding) {
	m, early := e.arrivalOf(f)
	switch {
	case m == nil || f.warning:
		return
	case early:
		f.missing = "an order: the second thread waits for the arrival at {fence}, which the first makes before its access"
		f.hint, f.repair = "move {first} before the arrival at {fence}", detect.RepairMove
	default:
		f.missing = "a wait: the first thread arrives at {fence} after its access, and the second does not wait for that"
		f.repair = detect.RepairWait
		f.hint = "a wait before {second} for the phase that the arrival at {fence} is part of: bar.sync, or mbarrier.try_wait until it is complete"
	}
	f.fence = m.site
}

// explainPlaces explains causes that depend only on the two accesses and the places of their threads.
func (e *evidence) explainPlaces(f *finding) {
	x, y := e.class(f.first), e.class(f.second)
	_, scope := e.apart(f)
	switch {
	case f.cause == detect.MissingBarrier && f.warning:
		f.missing, f.hint = leftOpen(scope)
	case f.cause == detect.MissingBarrier && scope == "cluster":
		f.missing = "a barrier of the cluster between the two blocks: __syncthreads() is for one block only"
		f.hint = "cluster.sync() (barrier.cluster.arrive and .wait) between {first} and {second}, reached by all threads of the cluster"
	case f.cause == detect.MissingBarrier && f.kind == intraBlock:
		f.missing, f.hint = "a block barrier between them", "" // the report has the text
	case f.cause == detect.MissingBarrier:
		f.missing, f.hint = "", ""
	case x.strong && y.strong:
		f.missing = fmt.Sprintf("complete overlap: operations on %d and %d bytes are not morally strong", x.scalar, y.scalar)
		f.hint, f.repair = "access the location with one size, at {first} and {second}", detect.RepairSize
	case x.strong != y.strong:
		f.missing, f.hint = e.explainWeak(x, y, scope)
	default:
		f.missing, f.hint = "", ""
	}
}

// leftOpen explains strong accesses that nothing orders.
func leftOpen(scope string) (missing, hint string) {
	return "an order of the two, or an access that says that none is meant",
		fmt.Sprintf(".relaxed.%s in place of volatile, if any of the values will do; otherwise a barrier or a message between {first} and {second}", scope)
}

// explainNarrow names the fence, release, acquire or access of a message whose scope is
// too narrow.
func (e *evidence) explainNarrow(f *finding, apart, scope string) {
	if f.fence = f.narrow.site; f.narrow.later {
		f.fence = 0 // the report searches for it
	}
	if scope == "cluster" {
		f.hint = "scope cluster in place of cta at {fence}"
	}
	switch f.narrow.side {
	case narrowRelease:
		f.missing = fmt.Sprintf("a %s-scope fence or release: the second thread is %s, and the first has executed only narrower ones since its access", scope, apart)
	case narrowAcquire:
		if m := f.message; m != nil && m.how == direct && m.reader.Unit>>radixBits != f.secondUnit>>radixBits {
			f.missing = fmt.Sprintf("a %s-scope acquire: the thread that passes on what the first released has executed only narrower ones, such as that at {fence}, since it observed it", e.scopeBetween(m.writer.Unit, m.reader.Unit))
			return
		}
		f.missing = fmt.Sprintf("a %s-scope acquire: the first thread is %s, and the second has executed only narrower ones, such as that at {fence}, since it observed what the first released", scope, apart)
	case narrowMessage:
		f.missing = fmt.Sprintf("a %s-scope access at {fence}: the other thread is %s, so that the read observes nothing", scope, apart)
		f.hint = fmt.Sprintf("use scope %s (.%[1]s in PTX) at {fence}", scope)
	case narrowArrive:
		f.missing = "a release at cluster scope by the arrival at {fence}, whose mbarrier is another block's: without a scope it has that of the block, and who waits observes nothing"
		f.hint = "mbarrier.arrive.release.cluster at {fence}, and mbarrier.try_wait.acquire.cluster where it is waited for"
	case narrowWait:
		f.missing = "an acquire at cluster scope by the wait at {fence}: without a scope it has that of the block, and it waits for an arrival of another block"
		f.hint = "mbarrier.try_wait.acquire.cluster at {fence}"
	}
}

// explainMask explains a warp barrier whose mask excludes one of the two lanes.
func (e *evidence) explainMask(f *finding) {
	if f.message != nil && f.message.how == otherLanes {
		e.explainOthers(f, "a warp-level barrier", "__syncwarp()")
		return
	}
	s, ok := e.warpSyncs[f.firstUnit]
	first, second := s.mask>>f.firstLane&1 != 0, s.mask>>f.secondLane&1 != 0
	if !ok || s.at < f.since || first == second {
		return
	}
	lane := f.firstLane
	if first {
		lane = f.secondLane
	}
	f.fence, f.repair = s.site, detect.RepairMask
	f.missing = fmt.Sprintf("a warp-level barrier for both lanes: the mask at {fence}, 0x%08x, leaves out lane %d", s.mask, lane)
	f.hint = fmt.Sprintf("mask 0x%08x at {fence}, executed by all of these lanes", s.mask|s.live|1<<lane)
}

// explainMessage explains why a message between the threads does not synchronise.
func (e *evidence) explainMessage(f *finding, scope string) {
	m, fence := f.message, fenceOf[scope]
	switch {
	case m == nil:
		if arrival := e.relaxedArrival(f); arrival != nil {
			f.fence = arrival.site
			f.missing = "a release: the arrival at the barrier of the cluster, at {fence}, is relaxed"
			f.hint = "barrier.cluster.arrive.release at {fence}, or fence.acq_rel.cluster before it"
		}
	case m.how == direct && (m.passed() || m.reader != m.to):
		e.explainHop(f)
	case e.unacquired(f) || m.how == direct && m.released:
		f.missing = "an acquire: the second thread has observed at {observe} what the first released, but no acquire or fence that reaches the first stands before its access"
		f.hint = fmt.Sprintf(".acquire.%s at {observe}, or %s between {observe} and {second}", scope, fence)
	case f.warning && (m.how == elsewhere || !e.decisions.has(m.read)): // a thread that does not wait for the message may come first
		f.missing, f.hint = leftOpen(scope)
	case m.how == elsewhere:
		f.missing = "an order: what is written at {publish} is read at {observe}, but the accesses are not before the one and after the other"
		f.repair = detect.RepairMove
		f.hint = fmt.Sprintf("move the accesses, or write and read another message, with %s before it is written and after it is read", fence)
	case e.hasAcquired(m):
		f.missing = "a release: what is written at {publish} tells the second thread, but no release or fence of the first stands between its access and that"
		f.hint = fmt.Sprintf("%s between {first} and {publish}, or .release.%s at {publish}", fence, scope)
	default:
		f.missing = "a release and an acquire: what is written at {publish} tells the second thread, which reads it at {observe}, and neither thread has a fence there"
		f.hint = fmt.Sprintf("%s between {first} and {publish} and between {observe} and {second}; or .release.%s at {publish} and .acquire.%[2]s at {observe}", fence, scope)
	}
}

// explainHop explains a message by way of other threads that one of them does not pass on.
func (e *evidence) explainHop(f *finding) {
	m := f.message
	scope := e.scopeBetween(m.writer.Unit, m.reader.Unit)
	fence := fenceOf[scope]
	acquire, release := fmt.Sprintf(".acquire.%s at {observe}, or %s after it", scope, fence), fmt.Sprintf("%s before {publish}, or .release.%s at {publish}", fence, scope)
	switch {
	case m.hides != 0:
		f.fence = m.hides
		f.missing = "a chain of atomic operations: the store at {fence} takes the place of what was released at {publish}, and is no part of the release"
		f.hint = fmt.Sprintf("a read-modify-write operation at {fence}; or .acquire.%s at {observe} and .release.%[1]s at {fence}", scope)
	case m.released:
		f.missing = "an acquire: the thread that passes on what the first released has observed it at {observe}, but no acquire or fence stands between that and its own message"
		f.hint = acquire
	case e.hasAcquired(m):
		f.missing = "a release: what is written at {publish} passes on what the first thread did, but no release or fence that reaches the reader stands before it"
		f.hint = release
	default:
		f.missing = "a release and an acquire: what is written at {publish} and read at {observe} passes on what the first thread did, but neither thread has a fence there"
		f.hint = release + "; and " + acquire
	}
}

// explainOthers names the barriers that are missing between the two accesses and a message between other threads of their
// blocks.
func (e *evidence) explainOthers(f *finding, barrierName, barrier string) {
	m := f.message
	told := e.followsFirst(m.reader, f)
	heard := e.precedesCurrent(&sighting{unit: m.reader.Unit, lanes: 1 << m.reader.Lane, at: m.at}, int(f.secondLane))
	before, after := barrier+" between {first} and {publish}", barrier+" between {observe} and {second}"
	switch {
	case told && !heard:
		f.missing = barrierName + ": another thread reads at {observe} that the first access has been made, and tells the second thread nothing"
		f.hint = after
	case heard && !told:
		f.missing = barrierName + ": another thread writes at {publish} that it has been made, and does not wait for the first access"
		f.hint = before
	default:
		f.missing = barrierName + ": what is written at {publish}, and read at {observe}, is by other threads than those that access"
		f.hint = before + ", and between {observe} and {second}, where the threads are not the same"
	}
}

// fenceOf maps scopes to their CUDA fences.
var fenceOf = map[string]string{
	"cta": "__threadfence_block()", "cluster": "fence.acq_rel.cluster", "gpu": "__threadfence()",
}

// hasAcquired reports whether the reader of a message has executed an acquire fence since.
func (e *evidence) hasAcquired(m *message) bool {
	if m.acquires {
		return true
	}
	w := e.warpOfUnit(m.reader.Unit)
	if w == nil {
		return false
	}
	return w.pendingOf(int(m.reader.Lane)).fences.since(m.at, e.reachOf(m))
}

// since reports whether one of the fences was executed after a time and has at least the given reach.
func (f *fences) since(at stamp, least reach) bool {
	return f != nil && slices.ContainsFunc(f.fenced[least:], func(s snapshot) bool { return s.At != 0 && s.At >= at })
}

// reachOf returns the least reach of a fence by which the reader acquires a message.
func (e *evidence) reachOf(m *message) reach {
	return e.placeOf(m.reader.Unit).least(e.placeOf(m.writer.Unit))
}

// apart describes where the second thread is relative to the first, and the least scope that includes both.
func (e *evidence) apart(f *finding) (where, scope string) {
	scope = e.scopeBetween(f.firstUnit, f.secondUnit)
	return map[string]string{"cta": "in the same block", "cluster": "in another block of its cluster", "gpu": "in another block"}[scope], scope
}

// scopeBetween returns the least scope that includes two units.
func (e *evidence) scopeBetween(u, v unit) string {
	return [...]string{reachBlock: "cta", reachCluster: "cluster", reachAll: "gpu"}[e.placeOf(u).least(e.placeOf(v))]
}

// narrowOf says which of two strong accesses has a scope without the other thread.
func (e *evidence) narrowOf(f *finding) string {
	x, y := e.class(f.first), e.class(f.second)
	p, q := e.placeOf(f.firstUnit), e.placeOf(f.secondUnit)
	first, second := !p.within(x.reach, q), !q.within(y.reach, p)
	switch {
	case first && second:
		return fmt.Sprintf("the first is of scope %s, the second of scope %s", scopeNames[x.scope], scopeNames[y.scope])
	case first:
		return "the first is of scope " + scopeNames[x.scope]
	}
	return "the second is of scope " + scopeNames[y.scope]
}

// narrowPlaces names the accesses that narrowOf is about.
func (e *evidence) narrowPlaces(f *finding) string {
	x, y := e.class(f.first), e.class(f.second)
	p, q := e.placeOf(f.firstUnit), e.placeOf(f.secondUnit)
	switch {
	case p.within(x.reach, q):
		return "{second}"
	case q.within(y.reach, p):
		return "{first}"
	}
	return "{first} and {second}"
}

var scopeNames = [...]string{abi.ScopeNone: "none", abi.ScopeCTA: "cta", abi.ScopeCluster: "cluster", abi.ScopeGPU: "gpu", abi.ScopeSys: "sys"}

// unacquired reports whether the second thread has observed a release that follows the first access, and only an acquire is
// missing.
func (e *evidence) unacquired(f *finding) bool {
	return e.hasSeen(thread{Unit: e.ownerOf(f.secondUnit), Lane: f.secondLane}, f)
}

// hasSeen reports whether a thread has observed a release that follows the first access and
// has not acquired it.
func (e *evidence) hasSeen(t thread, f *finding) bool {
	w := e.warpOfUnit(t.Unit)
	if w == nil {
		return false
	}
	return slices.ContainsFunc(w.pendingOf(int(t.Lane)).seen[:], func(c *clock) bool { return c.Includes(f.firstUnit, int(f.firstLane), f.since) })
}

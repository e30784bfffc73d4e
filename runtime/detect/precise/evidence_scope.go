// Fences, acquires and accesses whose scope is too narrow.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// fenceMarks are the latest fences and release operations of the lanes of a warp, by
// reach.
type fenceMarks [radix][reaches]fenceMark

// fenceMark is a fence or release: when and by which instruction.
type fenceMark struct {
	at   stamp // 0 when there was none
	site uint32
}

// marksOf is the marks of a warp, made when there are none.
func (e *evidence) marksOf(w *warp) *fenceMarks {
	marks := w.fences
	if marks == nil {
		marks = new(fenceMarks)
		w.fences, e.fences[w.unit] = marks, marks
		for lane := range marks {
			if f := w.pendingOf(lane).fences; f != nil {
				for i, s := range f.fenced {
					marks[lane][i].at = s.at
				}
			}
		}
	}
	return marks
}

// markFence notes a fence for reports. Warps need no marks before their first one that is
// narrower than the GPU.
func (e *evidence) markFence(ev *abi.Event, w *warp, r reach) {
	if r == reachAll && w.fences == nil {
		return
	}
	marks := e.marksOf(w)
	for m := ev.Mask; m != 0; m &= m - 1 {
		marks[bits.TrailingZeros32(m)][r] = fenceMark{e.time(), ev.Site}
	}
}

// narrowFence is the latest fence or release of a thread, the first one or one that tells
// of its access, since that; nil when one of them has a scope that includes the second
// thread.
func (e *evidence) narrowFence(f *finding, by thread) *fenceMark {
	marks := e.fences[by.unit]
	if f.kind != interBlock || marks == nil {
		return nil
	}
	until, to := e.time(), f.secondUnit
	if m := f.message; m != nil && m.how == direct && m.writer == by {
		until, to = m.sent, m.reader.unit // those that come later did not release what the message tells of
	}
	return e.narrowest(&marks[by.lane], f.since, until, e.placeOf(by.unit), e.placeOf(to))
}

// markAcquire notes an acquire of a lane for reports, a fence or a read. Warps need no
// marks before their first one that is narrower than the GPU.
func (e *evidence) markAcquire(w *warp, lane int, r reach, site uint32) {
	marks := w.acquires
	if marks == nil {
		if r == reachAll {
			return
		}
		marks = new(fenceMarks)
		w.acquires, e.acquires[w.unit] = marks, marks
	}
	marks[lane][r] = fenceMark{e.time(), site}
}

// narrowAcquired is the latest acquire of the second thread since the first access, if none
// of them has a scope that includes the first thread; nil otherwise.
func (e *evidence) narrowAcquired(f *finding) *fenceMark {
	marks := e.acquires[f.secondUnit]
	if marks == nil {
		return nil
	}
	return e.narrowest(&marks[f.secondLane], f.since, e.time(), e.placeOf(f.secondUnit), e.placeOf(f.firstUnit))
}

// narrowest is the latest mark since a time, if none of them until another time reaches
// from p to q.
func (e *evidence) narrowest(marks *[reaches]fenceMark, since, until stamp, p, q *place) *fenceMark {
	var narrow *fenceMark
	for i := range marks {
		m := &marks[i]
		switch {
		case m.at < since || m.at == 0:
		case p.within(reach(i), q):
			if m.at <= until {
				return nil
			}
		case narrow == nil || m.at >= narrow.at:
			narrow = m
		}
	}
	return narrow
}

// noteRead notes for reports that a thread reads a location strongly: a message, or one
// that does not arrive because the scope of its write or of the read does not include the
// other thread.
func (e *evidence) noteRead(a *access, loc *location, me thread, arrives bool) {
	if a.sem.Acquires() {
		e.markAcquire(a.warp, int(me.lane), a.reach, a.site)
	}
	if loc.writer == me || loc.writer == (thread{}) {
		return
	}
	if arrives {
		via, more := e.edges.add()
		via.from, via.to, via.sent, via.at, via.write, via.read = loc.writer, me, loc.last, a.at, loc.lastClass, a.index
		via.addr, via.size, via.event, via.reduces = loc.addr, loc.size, e.eventNumber(), a.ev != nil && a.ev.Reduces
		more.knew, more.fenced = loc.knew, loc.fenced
		loc.releases.fillAcquirable(e, a.warp, &more.acquirable)
		return
	}
	site := a.site
	if !e.placeOf(loc.writer.unit).within(loc.reach, a.warp.at) {
		site = e.class(loc.lastClass).site
	}
	list := e.misreads[a.warp.home.number]
	if len(list) == maxMisreads {
		list = list[:copy(list, list[1:])]
	}
	e.misreads[a.warp.home.number] = append(list, misread{fenceMark{a.at, site}, sighting{unit: me.unit, lanes: 1 << me.lane, at: a.at}, loc.writer, loc.knew})
}

// noteReads is noteRead for lanes of a warp, none of which has written there.
func (e *evidence) noteReads(a *access, loc *location, lanes uint32, arrives bool) {
	first := lanes & -lanes
	e.noteRead(a, loc, thread{a.warp.unit, uint8(bits.TrailingZeros32(first))}, arrives)
	switch lanes &^= first; {
	case lanes == 0 || loc.writer == thread{}:
	case arrives:
		e.edges.last().alike = lanes
	default:
		for ; lanes != 0; lanes &= lanes - 1 {
			e.noteRead(a, loc, thread{a.warp.unit, uint8(bits.TrailingZeros32(lanes))}, false)
		}
	}
}

// misread is a message that did not arrive: the access that is too narrow, the read, and
// who wrote.
type misread struct {
	fenceMark
	read sighting
	from thread
	knew *clock // what that knew
}

// maxMisreads is how many of a block are remembered.
const maxMisreads = 8

// findMisread is a message by the first thread's block since its access that did not arrive
// before the second access, nil when there is none; one that knows says that another thread,
// which knew of the access, wrote it.
func (e *evidence) findMisread(f *finding, knows bool) *fenceMark {
	for i := range e.misreads[uint32(f.secondUnit>>radixBits)] {
		m := &e.misreads[uint32(f.secondUnit>>radixBits)][i]
		if m.at < f.since || m.from.unit>>radixBits != f.firstUnit>>radixBits || !e.precedesCurrent(&m.read, int(f.secondLane)) {
			continue
		}
		if !knows || m.from != (thread{f.firstUnit, f.firstLane}) && m.knew.knows(f.firstUnit, int(f.firstLane), f.since) {
			return &m.fenceMark
		}
	}
	return nil
}

// Which operation of a message is too narrow.
type narrowSide uint8

const (
	narrowRelease narrowSide = iota
	narrowAcquire
	narrowMessage
	narrowArrive // of an arrival at the mbarrier of another block
	narrowWait
)

// narrowCauses are the causes that they make.
var narrowCauses = [...]detect.Cause{
	narrowRelease: detect.InsufficientFenceScope, narrowAcquire: detect.InsufficientFenceScope, narrowMessage: detect.InsufficientAtomicScope,
	narrowArrive: detect.InsufficientFenceScope, narrowWait: detect.InsufficientFenceScope,
}

// narrow is an operation whose scope is too narrow.
type narrow struct {
	site uint32 // 0 for none
	side narrowSide
}

// tooNarrow is the operation that keeps a message from ordering the accesses of a finding
// because of its scope.
func (e *evidence) tooNarrow(f *finding) narrow {
	if n := e.findUnheard(f); n.site != 0 {
		return n
	}
	if m := e.findMisread(f, true); m != nil {
		return narrow{m.site, narrowMessage}
	}
	n := f.message
	if none := n == nil || n.how != direct; none && !e.isOneStore(f) || !none && !n.passed() {
		if m := e.narrowFence(f, thread{f.firstUnit, f.firstLane}); m != nil {
			return narrow{m.site, narrowRelease}
		}
	}
	if n != nil && n.how == direct && n.writer != (thread{f.firstUnit, f.firstLane}) {
		if m := e.narrowFence(f, n.writer); m != nil {
			return narrow{m.site, narrowRelease}
		}
	}
	if m := e.narrowAcquired(f); m != nil && e.unacquired(f) {
		return narrow{m.site, narrowAcquire}
	}
	if m := e.findMisread(f, false); m != nil {
		return narrow{m.site, narrowMessage}
	}
	return narrow{}
}

// relaxedArrival is the latest arrival of the first thread at the barrier of the cluster
// of both, if that was after its access and relaxed; nil otherwise.
func (e *evidence) relaxedArrival(f *finding) *fenceMark {
	m, ok := e.relaxed[thread{f.firstUnit, f.firstLane}]
	if !ok || m.at < f.since || !e.placeOf(f.firstUnit).within(reachCluster, e.placeOf(f.secondUnit)) {
		return nil
	}
	return &m
}

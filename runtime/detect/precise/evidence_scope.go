// Fences, acquires and accesses whose scope is too narrow.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// fenceMarks holds the latest fences and release operations of the lanes of a warp, by reach.
type fenceMarks [radix][reaches]fenceMark

// fenceMark is a fence or release: its time and instruction.
type fenceMark struct {
	at   stamp // 0 when there was none
	site uint32
}

// marksOf returns the marks of a warp, and allocates them when there are none.
func (e *evidence) marksOf(w *warp) *fenceMarks {
	marks := w.fences
	if marks == nil {
		marks = new(fenceMarks)
		w.fences, e.fences[w.unit] = marks, marks
		for lane := range marks {
			if f := w.pendingOf(lane).fences; f != nil {
				for i, s := range f.fenced {
					marks[lane][i].at = s.At
				}
			}
		}
	}
	return marks
}

// markFence records a fence for reports. Warps need no marks before their first fence that is narrower than the GPU.
func (e *evidence) markFence(ev *abi.Event, w *warp, r reach) {
	if r == reachAll && w.fences == nil {
		return
	}
	marks := e.marksOf(w)
	for m := ev.Mask; m != 0; m &= m - 1 {
		marks[bits.TrailingZeros32(m)][r] = fenceMark{e.time(), ev.Site}
	}
}

// narrowFence returns the latest fence or release that the first thread, or the writer of the message about its access, has
// executed since the access. It returns none when one of them has a scope that includes the second thread, or the reader of the
// message.
func (e *evidence) narrowFence(f *finding) narrow {
	by, to, until := thread{Unit: f.firstUnit, Lane: f.firstLane}, f.secondUnit, e.time()
	m := f.message
	told := m != nil && m.how == direct
	if told {
		by, to, until = m.writer, m.reader.Unit, m.sent // later ones did not release what the message is about
	}
	marks := e.fences[by.Unit]
	p, q := e.placeOf(by.Unit), e.placeOf(to)
	if f.kind != interBlock || marks == nil || told && (m.released || m.fenced.since(f.since, p.least(q))) {
		return narrow{}
	}
	latest := e.narrowest(&marks[by.Lane], f.since, until, p, q)
	if latest == nil || latest.at > until && !m.fenced.since(f.since, reachBlock) {
		return narrow{}
	}
	return narrow{latest.site, narrowRelease, latest.at > until}
}

// markAcquire records an acquire of a lane for reports: a fence or a read. Warps need no marks before their first acquire that
// is narrower than the GPU.
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

// narrowAcquired returns the latest acquire that the second thread, or the reader of the message, has executed since the first
// access, if it follows an observed release and no such acquire has a scope that includes the releasing thread; nil otherwise.
func (e *evidence) narrowAcquired(f *finding) *fenceMark {
	by, from := thread{Unit: f.secondUnit, Lane: f.secondLane}, f.firstUnit
	since, until := f.since, e.time()
	switch m := f.message; {
	case m != nil && m.how == direct && m.released && m.hides == 0:
		by, from, since, until = m.reader, m.writer.Unit, m.at, min(until, m.until)
	case !e.unacquired(f):
		return nil
	}
	marks := e.acquires[by.Unit]
	if marks == nil {
		return nil
	}
	narrow := e.narrowest(&marks[by.Lane], since, until, e.placeOf(by.Unit), e.placeOf(from))
	if narrow != nil && narrow.at > until {
		return nil // after the thread has passed on what it observed
	}
	return narrow
}

// narrowest returns the latest mark since a time, if none of them until another time reaches
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

// noteRead records for reports that a thread reads a location strongly: a message, or one that does not synchronise because the
// scope of its write or of the read does not include the other thread.
func (e *evidence) noteRead(a *access, loc *location, me thread, arrives bool) {
	if a.sem.Acquires() {
		e.markAcquire(a.warp, int(me.Lane), a.reach, a.site)
	}
	if loc.writer == me || loc.writer == (thread{}) {
		return
	}
	if arrives {
		more := e.edges.add(&edge{
			from: loc.writer, to: me, sent: loc.last, at: a.at, write: loc.lastClass, read: a.index,
			addr: loc.addr, size: loc.size, event: e.eventNumber(), reduces: a.ev != nil && a.ev.Reduces,
		})
		more.writerClock, more.fenced = loc.writerClock, loc.fenced
		loc.releases.fillAcquirable(e, a.warp, &more.acquirable)
		return
	}
	site := a.site
	if !e.placeOf(loc.writer.Unit).within(loc.reach, a.warp.at) {
		site = e.class(loc.lastClass).site
	}
	list := e.misreads[a.warp.home.number]
	if len(list) == maxMisreads {
		list = list[:copy(list, list[1:])]
	}
	e.misreads[a.warp.home.number] = append(list, misread{fenceMark{a.at, site}, sighting{unit: me.Unit, lanes: 1 << me.Lane, at: a.at}, loc.writer, loc.writerClock})
}

// noteReads is noteRead for lanes of a warp of which none has written the location.
func (e *evidence) noteReads(a *access, loc *location, lanes uint32, arrives bool) {
	first := lanes & -lanes
	e.noteRead(a, loc, thread{Unit: a.warp.unit, Lane: uint8(bits.TrailingZeros32(first))}, arrives)
	switch lanes &^= first; {
	case lanes == 0 || loc.writer == thread{}:
	case arrives:
		e.edges.last().alike = lanes
	default:
		for ; lanes != 0; lanes &= lanes - 1 {
			e.noteRead(a, loc, thread{Unit: a.warp.unit, Lane: uint8(bits.TrailingZeros32(lanes))}, false)
		}
	}
}

// misread is a message that did not synchronise: the access with too narrow a scope, the read, and the writer.
type misread struct {
	fenceMark
	read        sighting
	from        thread
	writerClock *clock // the writer's vector clock
}

// maxMisreads is the number of misreads kept for each block.
const maxMisreads = 8

// findMisread returns a misread of a message by the first thread's block, written since its access and read before the second
// access, or nil. With indirect, the writer may be another thread that had acquired the access.
func (e *evidence) findMisread(f *finding, indirect bool) *fenceMark {
	for i := range e.misreads[uint32(f.secondUnit>>radixBits)] {
		m := &e.misreads[uint32(f.secondUnit>>radixBits)][i]
		if m.at < f.since || m.from.Unit>>radixBits != f.firstUnit>>radixBits || !e.precedesCurrent(&m.read, int(f.secondLane)) {
			continue
		}
		if !indirect || m.from != (thread{Unit: f.firstUnit, Lane: f.firstLane}) && m.writerClock.Includes(f.firstUnit, int(f.firstLane), f.since) {
			return &m.fenceMark
		}
	}
	return nil
}

// narrowSide says which operation of a message is too narrow.
type narrowSide uint8

const (
	narrowRelease narrowSide = iota
	narrowAcquire
	narrowMessage
	narrowArrive // of an arrival at the mbarrier of another block
	narrowWait
)

// narrowCauses are the causes of races for each narrowSide.
var narrowCauses = [...]detect.Cause{
	narrowRelease: detect.InsufficientFenceScope, narrowAcquire: detect.InsufficientFenceScope, narrowMessage: detect.InsufficientAtomicScope,
	narrowArrive: detect.InsufficientFenceScope, narrowWait: detect.InsufficientFenceScope,
}

// narrow is an operation whose scope is too narrow.
type narrow struct {
	site  uint32 // 0 for none
	side  narrowSide
	later bool // site is that of a later operation, since the one in question is unknown
}

// tooNarrow returns the operation whose scope keeps a message from ordering the accesses of a finding.
func (e *evidence) tooNarrow(f *finding) narrow {
	if n := e.findUnheard(f); n.site != 0 {
		return n
	}
	if m := e.findMisread(f, true); m != nil {
		return narrow{m.site, narrowMessage, false}
	}
	if told := f.message != nil && f.message.how == direct; told || !e.isOneStore(f) {
		if n := e.narrowFence(f); n.site != 0 {
			return n
		}
	}
	if m := e.narrowAcquired(f); m != nil {
		return narrow{m.site, narrowAcquire, false}
	}
	if m := e.findMisread(f, false); m != nil {
		return narrow{m.site, narrowMessage, false}
	}
	return narrow{}
}

// relaxedArrival returns the first thread's latest arrival at the barrier of the cluster of both threads, if it followed the
// access and was relaxed; nil otherwise.
func (e *evidence) relaxedArrival(f *finding) *fenceMark {
	m, ok := e.relaxed[thread{Unit: f.firstUnit, Lane: f.firstLane}]
	if !ok || m.at < f.since || !e.placeOf(f.firstUnit).within(reachCluster, e.placeOf(f.secondUnit)) {
		return nil
	}
	return &m
}

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
func (d *Detector) marksOf(w *warp) *fenceMarks {
	marks := d.fences[w.unit]
	if marks == nil {
		marks = new(fenceMarks)
		d.fences[w.unit] = marks
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
func (d *Detector) markFence(ev *abi.Event, w *warp, r reach) {
	if r == reachAll && d.fences[w.unit] == nil {
		return
	}
	marks := d.marksOf(w)
	for m := ev.Mask; m != 0; m &= m - 1 {
		marks[bits.TrailingZeros32(m)][r] = fenceMark{d.now, ev.Site}
	}
}

// narrowFence is the latest fence or release of a thread, the first one or one that tells
// of its access, since that; nil when one of them has a scope that includes the second
// thread.
func (d *Detector) narrowFence(f *finding, by thread) *fenceMark {
	marks := d.fences[by.unit]
	if f.kind != interBlock || marks == nil {
		return nil
	}
	until, to := d.now, f.secondUnit
	if m := f.message; m != nil && m.how == direct && m.writer == by {
		until, to = m.sent, m.reader.unit // those that come later did not release what the message tells of
	}
	return d.narrowest(&marks[by.lane], f.since, until, d.placeOf(by.unit), d.placeOf(to))
}

// markAcquire notes an acquire of a lane for reports, a fence or a read. Warps need no
// marks before their first one that is narrower than the GPU.
func (d *Detector) markAcquire(w *warp, lane int, r reach, site uint32) {
	if r == reachAll && len(d.acquires) == 0 {
		return
	}
	marks := d.acquires[w.unit]
	if marks == nil {
		if r == reachAll {
			return
		}
		marks = new(fenceMarks)
		d.acquires[w.unit] = marks
	}
	marks[lane][r] = fenceMark{d.now, site}
}

// narrowAcquired is the latest acquire of the second thread since the first access, if none
// of them has a scope that includes the first thread; nil otherwise.
func (d *Detector) narrowAcquired(f *finding) *fenceMark {
	marks := d.acquires[f.secondUnit]
	if marks == nil {
		return nil
	}
	return d.narrowest(&marks[f.secondLane], f.since, d.now, d.placeOf(f.secondUnit), d.placeOf(f.firstUnit))
}

// narrowest is the latest mark since a time, if none of them until another time reaches
// from p to q.
func (d *Detector) narrowest(marks *[reaches]fenceMark, since, until stamp, p, q *place) *fenceMark {
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
func (d *Detector) noteRead(a *access, loc *location, me thread, arrives bool) {
	if a.sem.Acquires() {
		d.markAcquire(a.warp, int(me.lane), a.reach, a.site)
	}
	if loc.writer == me || loc.writer == (thread{}) {
		return
	}
	if arrives {
		e, more := d.edges.add()
		e.from, e.to, e.sent, e.at, e.write, e.read = loc.writer, me, loc.last, a.at, loc.lastClass, a.index
		e.addr, e.size, e.event, e.reduces = loc.addr, loc.size, d.events, a.ev.Reduces
		more.knew, more.fenced = loc.knew, loc.fenced
		loc.releases.fillAcquirable(d, a.warp, &more.acquirable)
		return
	}
	site := a.site
	if !d.placeOf(loc.writer.unit).within(loc.reach, a.warp.at) {
		site = d.classes[loc.lastClass].site
	}
	list := d.misreads[a.warp.home.number]
	if len(list) == maxMisreads {
		list = list[:copy(list, list[1:])]
	}
	d.misreads[a.warp.home.number] = append(list, misread{fenceMark{a.at, site}, sighting{unit: me.unit, lane: me.lane, at: a.at}, loc.writer, loc.knew})
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
func (d *Detector) findMisread(f *finding, knows bool) *fenceMark {
	for i := range d.misreads[uint32(f.secondUnit>>radixBits)] {
		m := &d.misreads[uint32(f.secondUnit>>radixBits)][i]
		if m.at < f.since || m.from.unit>>radixBits != f.firstUnit>>radixBits || !d.readPrecedes(&d.current, &m.read, int(f.secondLane)) {
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
)

// narrowCauses are the causes that they make.
var narrowCauses = [...]detect.Cause{
	narrowRelease: detect.InsufficientFenceScope, narrowAcquire: detect.InsufficientFenceScope, narrowMessage: detect.InsufficientAtomicScope,
}

// narrow is an operation whose scope is too narrow.
type narrow struct {
	site uint32 // 0 for none
	side narrowSide
}

// tooNarrow is the operation that keeps a message from ordering the accesses of a finding
// because of its scope.
func (d *Detector) tooNarrow(f *finding) narrow {
	if m := d.findMisread(f, true); m != nil {
		return narrow{m.site, narrowMessage}
	}
	n := f.message
	if n == nil || n.how != direct || !n.passed() {
		if m := d.narrowFence(f, thread{f.firstUnit, f.firstLane}); m != nil {
			return narrow{m.site, narrowRelease}
		}
	}
	if n != nil && n.how == direct && n.writer != (thread{f.firstUnit, f.firstLane}) {
		if m := d.narrowFence(f, n.writer); m != nil {
			return narrow{m.site, narrowRelease}
		}
	}
	if m := d.narrowAcquired(f); m != nil && d.unacquired(f) {
		return narrow{m.site, narrowAcquire}
	}
	if m := d.findMisread(f, false); m != nil {
		return narrow{m.site, narrowMessage}
	}
	return narrow{}
}

// relaxedArrival is the latest arrival of the first thread at the barrier of the cluster
// of both, if that was after its access and relaxed; nil otherwise.
func (d *Detector) relaxedArrival(f *finding) *fenceMark {
	m, ok := d.relaxed[thread{f.firstUnit, f.firstLane}]
	if !ok || m.at < f.since || !d.placeOf(f.firstUnit).within(reachCluster, d.placeOf(f.secondUnit)) {
		return nil
	}
	return &m
}

// Fences, acquires and accesses whose scope is too narrow.

package evidence

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// fenceMarks holds the latest fences and release operations of the lanes of a warp, by reach.
type fenceMarks [radix][accesses.Reaches]fenceMark

// fenceMark is a fence or release: its time and instruction.
type fenceMark struct {
	at   stamp // 0 when there was none
	site uint32
}

// marksOf returns the marks of a warp, and allocates them when there are none.
func (e *synchronisation) marksOf(w *Warp) *fenceMarks {
	marks := w.fences
	if marks == nil {
		marks = new(fenceMarks)
		w.fences, e.fences[w.Unit] = marks, marks
		for lane := range marks {
			if f := e.KnowledgeOf(thread{Unit: w.Unit, Lane: uint8(lane)}).Fences; f != nil {
				for i, s := range f {
					marks[lane][i].at = s.At
				}
			}
		}
	}
	return marks
}

// MarkFence records a fence for reports. Warps need no marks before their first fence that is narrower than the GPU.
func (e *synchronisation) MarkFence(ev *abi.Event, w *Warp, r accesses.Reach) {
	if r == accesses.ReachAll && w.fences == nil {
		return
	}
	marks := e.marksOf(w)
	for m := ev.Mask; m != 0; m &= m - 1 {
		marks[bits.TrailingZeros32(m)][r] = fenceMark{e.Now(), e.SiteOf(ev)}
	}
}

// narrowFence returns the latest fence or release that the first thread, or the writer of the message about its access,
// has executed since the access. It returns none when one of them has a scope that includes the second thread, or the
// reader of the message.
func (e *synchronisation) narrowFence(f *Finding) narrow {
	by, to, until := thread{Unit: f.FirstUnit, Lane: f.FirstLane}, f.SecondUnit, e.Now()
	m := f.message
	told := m != nil && m.how == direct
	if told {
		by, to, until = m.writer, m.reader.Unit, m.sent // later ones did not release what the message is about
	}
	marks := e.fences[by.Unit]
	p, q := e.PlaceOf(by.Unit), e.PlaceOf(to)
	if f.Relation != InterBlock || marks == nil || told && (m.released || fencedSince(m.fenced, f.Since, p.Least(q))) {
		return narrow{}
	}
	latest := e.narrowest(&marks[by.Lane], f.Since, until, p, q)
	if latest == nil || latest.at > until && !fencedSince(m.fenced, f.Since, accesses.ReachBlock) {
		return narrow{}
	}
	return narrow{latest.site, narrowRelease, latest.at > until}
}

// MarkAcquire records an acquire of a lane for reports: a fence or a read. Warps need no marks before their first
// acquire that is narrower than the GPU.
func (e *synchronisation) MarkAcquire(w *Warp, lane int, r accesses.Reach, site uint32) {
	marks := w.acquires
	if marks == nil {
		if r == accesses.ReachAll {
			return
		}
		marks = new(fenceMarks)
		w.acquires, e.acquires[w.Unit] = marks, marks
	}
	marks[lane][r] = fenceMark{e.Now(), site}
}

// narrowAcquired returns the latest acquire that the second thread, or the reader of the message, has executed since
// the first access, if it follows an observed release and no such acquire has a scope that includes the releasing
// thread; nil otherwise.
func (e *synchronisation) narrowAcquired(f *Finding) *fenceMark {
	by, from := thread{Unit: f.SecondUnit, Lane: f.SecondLane}, f.FirstUnit
	since, until := f.Since, e.Now()
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
	narrow := e.narrowest(&marks[by.Lane], since, until, e.PlaceOf(by.Unit), e.PlaceOf(from))
	if narrow != nil && narrow.at > until {
		return nil // after the thread has passed on what it observed
	}
	return narrow
}

// narrowest returns the latest mark since a time, if none of them until another time reaches
// from p to q.
func (e *synchronisation) narrowest(marks *[accesses.Reaches]fenceMark, since, until stamp, p, q *accesses.Place) *fenceMark {
	var narrow *fenceMark
	for i := range marks {
		m := &marks[i]
		switch {
		case m.at < since || m.at == 0:
		case p.Within(accesses.Reach(i), q):
			if m.at <= until {
				return nil
			}
		case narrow == nil || m.at >= narrow.at:
			narrow = m
		}
	}
	return narrow
}

// misread is a message that did not synchronise: the access with too narrow a scope, the time of the read, the reader
// and the writer.
type misread struct {
	fenceMark
	by, from    thread
	writerClock *clock // the writer's vector clock
}

// AddMisread records that a thread has read a message at a time without synchronising with its writer, whose clock is
// given: because of the scope of the access at a site.
func (e *synchronisation) AddMisread(by, from thread, at stamp, site uint32, writerClock *clock) {
	block := uint32(by.Unit >> radixBits)
	list := e.misreads[block]
	if len(list) == maxMisreads {
		list = list[:copy(list, list[1:])]
	}
	e.misreads[block] = append(list, misread{fenceMark{at, site}, by, from, writerClock})
}

// maxMisreads is the number of misreads kept for each block.
const maxMisreads = 8

// findMisread returns a misread of a message by the first thread's block, written since its access and read before the
// second access, or nil. With indirect, the writer may be another thread that had acquired the access.
func (e *synchronisation) findMisread(f *Finding, indirect bool) *fenceMark {
	for i := range e.misreads[uint32(f.SecondUnit>>radixBits)] {
		m := &e.misreads[uint32(f.SecondUnit>>radixBits)][i]
		if m.at < f.Since || m.from.Unit>>radixBits != f.FirstUnit>>radixBits ||
			!e.PrecedesCurrent(m.by, m.at, int(f.SecondLane)) {
			continue
		}
		if !indirect || m.from != (thread{Unit: f.FirstUnit, Lane: f.FirstLane}) &&
			m.writerClock.Includes(f.FirstUnit, int(f.FirstLane), f.Since) {
			return &m.fenceMark
		}
	}
	return nil
}

// narrowSide says which operation of a message is too narrow.
type narrowSide uint8

// Operations of a message that may be too narrow. Mbarriers are named by the detector.
const (
	narrowRelease narrowSide = iota
	narrowAcquire
	narrowMessage
	NarrowArrive // of an arrival at the mbarrier of another block
	NarrowWait
)

// narrowCauses are the causes of races for each narrowSide.
var narrowCauses = [...]detect.Cause{
	narrowRelease: detect.InsufficientFenceScope, narrowAcquire: detect.InsufficientFenceScope,
	narrowMessage: detect.InsufficientAtomicScope,
	NarrowArrive:  detect.InsufficientFenceScope, NarrowWait: detect.InsufficientFenceScope,
}

// narrow is an operation whose scope is too narrow.
type narrow struct {
	site  uint32 // 0 for none
	side  narrowSide
	later bool // site is that of a later operation, since the one in question is unknown
}

// tooNarrow returns the operation whose scope keeps a message from ordering the accesses of a finding.
func (e *synchronisation) tooNarrow(f *Finding) narrow {
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

// relaxedArrival returns the first thread's latest arrival at the barrier of the cluster of both threads, if it
// followed the access and was relaxed; nil otherwise.
func (e *synchronisation) relaxedArrival(f *Finding) *fenceMark {
	m, ok := e.relaxed[thread{Unit: f.FirstUnit, Lane: f.FirstLane}]
	if !ok || m.at < f.Since || !e.PlaceOf(f.FirstUnit).Within(accesses.ReachCluster, e.PlaceOf(f.SecondUnit)) {
		return nil
	}
	return &m
}
